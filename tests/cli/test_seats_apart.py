"""Changes of one seat that are none of the roster, and seats made by `init` (R14, M15)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Shop
from tests.cli.roster_support import change, revision, seats
from tests.support import run_cli


@pytest.mark.rule("R14")
def test_a_queue_is_closed_for_an_agent_that_is_gone(shop: Shop) -> None:
    task = shop.post("codex", kind="task")
    note = shop.post("codex", "hermes", seat="user")
    said = shop.user("seat", "close-queue", "codex", "--json")
    assert (said.code, said.error["field" if "field" in said.error else "code"]) in (
        (2, "reason"),
        (2, "bad_input"),
    )
    said = shop.user("seat", "close-queue", "codex", "--reason", "it died", "--json")
    assert said.code == 0
    one = shop.agent("message", "show", str(note), "--json").json
    facts = {each["seat"]: each for each in one["recipients"]}
    assert facts["codex"]["closed_unread"]["by"] == "user"
    assert facts["codex"]["closed_unread"]["reason"] == "it died"
    assert facts["codex"]["acknowledged"] is None
    assert facts["hermes"]["closed_unread"] is None
    (held,) = shop.agent("task", "list", "--json").json["tasks"]
    assert (held["message"], held["state"], held["reason"]) == (task, "cancelled", "it died")
    assert seats(shop)["codex"]["unread"] == 0
    shown = (
        shop.agent("message", "thread", str(note)).out
        + shop.agent("message", "show", str(note)).out
    )
    assert "closed unread by you" in shown
    assert change(shop, "deactivate", "codex", "--reason", "gone").code == 0
    assert shop.user("seat", "close-queue", "hermes", "--reason", "x").code == 0
    assert shop.user("seat", "close-queue", "hermes", "--reason", "x").code == 3


@pytest.mark.rule("M15")
def test_away_and_back(shop: Shop) -> None:
    before = shop.log()
    for until in (
        *("2026-11-30T10:00:00", "1764500000", "2026-11-30T10:00:60+00:00", "10:30", "tomorrow"),
        *("2999-01-01T00:00:00.123456789+00:00", "2000-01-01T00:00:00Z", "0m", "9999999d"),
    ):
        said = shop.user("seat", "away", "codex", "--until", until, "--reason", "x")
        assert said.code == 2, until
    assert shop.user("seat", "away", "codex", "--reason", "x").code == 2
    assert shop.user("seat", "away", "codex", "--until", "2h").code == 2
    assert shop.user("seat", "away", "user", "--until", "2h", "--reason", "x").code == 3
    assert shop.log() == before
    said = shop.user(
        *("seat", "away", "codex", "--reason", "no quota", "--json"),
        *("--until", "2999-01-01T01:00:00+01:00"),
    )
    assert said.code == 0
    assert seats(shop)["codex"]["away"] == {
        "until": "2999-01-01T00:00:00.000000+00:00",
        "reason": "no quota",
        "by": "user",
    }
    # Given a revision, it is done only while the roster is there.
    assert shop.user("seat", "back", "codex", "--roster", "0", "--json").code == 4
    # Neither is a change of the roster's revision.
    assert revision(shop) == 1
    assert "no quota" in shop.agent("seat", "list").out
    assert shop.user("seat", "back", "codex", "--roster", "1").code == 0
    assert seats(shop)["codex"]["away"] is None
    assert shop.user("seat", "back", "codex").code == 3
    assert shop.user("seat", "away", "codex", "--until", "90m", "--reason", "x").code == 0


def test_seats_are_named_in_one_go_by_init(tmp_path: Any) -> None:
    said = run_cli("init", "--seat", "a", "--seat", "b:claude-code", "--json", cwd=tmp_path)
    assert (said.code, said.json["rev"], said.json["seats"]) == (0, 1, ["user", "a", "b"])
    assert said.json["name"] == tmp_path.name
    shown = run_cli("seat", "list", "--json", project=tmp_path).json
    assert [one["host"] for one in shown["seats"]] == ["", "", "claude-code"]
    for words in (["--seat", "x"], []):
        again = run_cli("init", *words, cwd=tmp_path)
        assert again.code == 3
        assert "already" in again.err
    for words in (
        ["--seat", "A"],
        ["--seat", "a:"],
        ["--seat", "a", "--seat", "a"],
        ["--name", ""],
    ):
        bad = tmp_path / "bad"
        bad.mkdir(exist_ok=True)
        assert run_cli("init", *words, project=bad).code == 2
        assert list(bad.iterdir()) == []
    inner = tmp_path / "inner"
    inner.mkdir()
    assert run_cli("init", cwd=inner).code == 3
    assert run_cli("init", "--project", ".", cwd=inner).code == 0
    assert run_cli("init", "--project", tmp_path / "missing", cwd=inner).code == 2
