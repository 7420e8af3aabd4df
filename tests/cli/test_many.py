"""Many commands at once: each a process of its own, started cold (faults 4 and 5)."""

from __future__ import annotations

import json
import subprocess

from tests.cli.conftest import Shop
from tests.support import Terminal, environment, program, run_cli


def test_twenty_cold_calls_at_once_lose_nothing(shop: Shop) -> None:
    before = shop.agent("journal", "head", "--json").json["rev"]
    running = [
        subprocess.Popen(
            program(
                *("--project", shop.folder, "--as", "codex" if place % 2 else "hermes", "--json"),
                *("post", "user", "--title", f"post {place}"),
            ),
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for place in range(20)
    ]
    answers = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 20, answers
    revs = [json.loads(out)["rev"] for out, _ in answers]
    assert sorted(revs) == list(range(before + 1, before + 21))
    found = run_cli("inbox", "--json", project=shop.folder, seat="user").json
    assert sorted(message["title"] for message in found["messages"]) == sorted(
        f"post {place}" for place in range(20)
    )
    assert [message["id"] for message in found["messages"]] == sorted(revs)
    checked = shop.agent("journal", "verify", "--json").json
    assert (checked["ok"], checked["lines"]) == (True, before + 20)


def test_a_roster_change_of_many_at_once_succeeds_once(shop: Shop) -> None:
    """Eight with the same revision: one is written, each other one is told of it."""
    terminals = [Terminal() for _ in range(4)]
    try:
        running = [
            terminal.start(
                program(
                    *("--project", shop.folder, "--json", "seat", "add", f"seat-{place}"),
                    *("--roster", "1"),
                ),
                cwd=shop.folder,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for place, terminal in enumerate(terminals)
        ]
        results = [(process.communicate(timeout=60), process.returncode) for process in running]
    finally:
        for terminal in terminals:
            terminal.__exit__()
    assert sorted(code for _, code in results) == [0, 4, 4, 4]
    for (_, err), code in results:
        if code:
            assert json.loads(err)["error"]["since"][0]["op"]["op"] == "seat_added"
