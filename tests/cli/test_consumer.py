"""`consumer`: a hold in the foreground, declarations, and what each says of a seat (W22)."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Shop
from tests.support import environment, program

pytestmark = pytest.mark.rule("W22")


@contextmanager
def hold(shop: Shop, seat: str, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """The real command in a process of its own, once it says that it holds."""
    words = ("--project", shop.folder, "--as", seat, "consumer", "hold", seat, "--name", name)
    with subprocess.Popen(
        program(*words, "--json"),
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as started:
        try:
            assert started.stdout is not None
            said = json.loads(started.stdout.readline())
            assert (said["seat"], said["name"]) == (seat, name)
            yield started
        finally:
            started.kill()


def listed(shop: Shop) -> list[dict[str, Any]]:
    said = shop.agent("consumer", "list", "--json", seat=None)
    assert (said.code, said.json["state"]) == (0, "ok")
    found: list[dict[str, Any]] = said.json["consumers"]
    return found


def test_a_second_hold_is_refused_until_the_first_is_gone(shop: Shop) -> None:
    before = shop.log()
    with hold(shop, "codex", "watcher [/b]") as first:
        (one,) = listed(shop)
        since = one["since"]
        assert (one["seat"], one["name"], one["kind"]) == ("codex", "watcher [/b]", "held")
        assert (one["alive"], one["pid"]) == (True, first.pid)
        said = shop.agent("consumer", "hold", "codex", "--name", "second", "--json")
        assert (said.code, said.error["rule"]) == (3, "W22")
        for part in ("other_consumer", "watcher [/b]", since):
            assert part in said.error["message"]
        assert str(first.pid) in said.error["hint"]
        assert "watcher [/b]" in shop.agent("consumer", "list").out
        # A seat's lock is its own.
        with hold(shop, "hermes", "other"):
            assert [one["seat"] for one in listed(shop)] == ["codex", "hermes"]
        first.kill()
        first.wait()
        assert listed(shop) == []
    with hold(shop, "codex", "second"):
        assert [one["name"] for one in listed(shop)] == ["second"]
    assert shop.log() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_when_it_is_told_to(shop: Shop, number: signal.Signals) -> None:
    with hold(shop, "codex", "x") as first:
        first.send_signal(number)
        out, err = first.communicate(timeout=30)
        assert (first.returncode, out, err) == (0, b"", b"")
    assert listed(shop) == []


def test_it_ends_when_another_file_is_the_seats_lock(shop: Shop) -> None:
    with hold(shop, "codex", "x") as first:
        path = Path(shop.root) / "consumers" / "codex.lock"
        path.rename(path.with_name("aside"))
        path.touch(mode=0o600)
        _, err = first.communicate(timeout=30)
        assert first.returncode == 6
        assert b"replaced" in err


def test_who_may_hold_and_declare(shop: Shop) -> None:
    before = shop.log()
    for word in ("hold", "declare"):
        for words in (["codex", "--name", "x"], ["codex"]):
            said = shop.agent("consumer", word, *words, "--json", seat="hermes")
            assert (said.code, said.error["rule"]) == (3, "W22")
        # The user seat without a terminal is nobody.
        assert shop.agent("consumer", word, "codex", "--name", "x", seat="user").code == 3
        assert shop.agent("consumer", word, "codex", "--name", "x", seat=None).code == 2
        for bad in (["codex"], ["codex", "--name", ""], ["codex", "--name", "a\nb"], []):
            assert shop.agent("consumer", word, *bad).code == 2
        for seat in ("user", "ghost"):
            assert shop.user("consumer", word, seat, "--name", "x").code == 3
    assert shop.agent("consumer", "hold", "x" * 201, "--name", "x").code == 2
    assert shop.log() == before
    assert not list((shop.root / "consumers").iterdir())


def test_what_is_declared_counts_until_it_is_ended(shop: Shop) -> None:
    name = "old [/x] cron \U0001f9d1\u200d\U0001f4bb"
    said = shop.user("consumer", "declare", "codex", "--name", name, "--json")
    assert (said.code, said.json) == (
        0,
        {"rev": 2, "seat": "codex", "name": name, "repeated": False},
    )
    (one,) = listed(shop)
    assert one["name"] == name
    assert (one["kind"], one["alive"], one["by"]) == ("declared", None, "user")
    shown = shop.agent("consumer", "list").out
    assert "declared by you" in shown
    assert "old [/x] cron" in shown
    for word in ("hold", "declare"):
        said = shop.agent("consumer", word, "codex", "--name", "new", "--json")
        assert (said.code, said.error["rule"]) == (3, "W22")
        assert "other_consumer" in said.error["message"]
        assert "consumer end codex" in said.error["hint"]
    with hold(shop, "codex", name):
        assert [one["kind"] for one in listed(shop)] == ["declared", "held"]
    assert shop.agent("consumer", "end", "codex").code == 3
    said = shop.user("consumer", "end", "codex")
    assert (said.code, listed(shop)) == (0, [])
    assert "r3: you said that old [/x] cron" in said.out
    assert shop.user("consumer", "end", "codex").code == 3
    assert "no consumer is declared" in shop.agent("consumer", "list").out
