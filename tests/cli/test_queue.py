"""Reading and acknowledging a queue by the command (M5, M6)."""

from __future__ import annotations

import json
import time

import pytest

from tests.cli.conftest import Shop
from tests.support import run_cli


def inbox(shop: Shop, *words: str, seat: str = "codex") -> dict[str, object]:
    found: dict[str, object] = shop.agent("inbox", "--json", *words, seat=seat).json
    return found


@pytest.mark.rule("M5")
def test_a_queue_is_passed_in_order(shop: Shop) -> None:
    numbers = [shop.post("codex", title=str(place)) for place in range(5)]
    found = inbox(shop)
    assert [message["id"] for message in found["messages"]] == numbers  # type: ignore[attr-defined]
    assert (found["unread"], found["cursor"], found["more"]) == (5, 0, False)
    before = shop.log()
    for words in (["3"], ["99"], ["--through", "99"], ["1"]):
        said = shop.agent("ack", *words, "--json")
        assert (said.code, said.error["rule"]) == (3, "M5")
        assert "#2" in said.error["message"] + said.error["hint"]
    assert shop.agent("ack").code == 2
    assert shop.agent("ack", "2", "--through", "3").code == 2
    assert shop.log() == before
    said = shop.agent("ack", "2", "--json")
    assert said.json["cursor"] == said.json["through"] == 2
    assert shop.agent("ack", "#3").out == "codex acknowledged #3 (r8)\n"
    said = shop.agent("ack", "--through", "5", "--json")
    assert (said.json["first"], said.json["through"], said.json["count"]) == (4, 5, 2)
    found = inbox(shop)
    assert (found["unread"], found["cursor"]) == (1, 5)
    assert shop.agent("ack", "5").code == 3
    assert shop.agent("ack", "6").code == 0
    assert "nothing is unread" in shop.agent("ack", "6").err


@pytest.mark.rule("M6")
def test_reading_never_moves_anything(shop: Shop) -> None:
    shop.post("codex", "hermes", kind="task", body="x")
    shop.post("codex", seat="hermes", kind="question")
    before, counts = shop.everything(), inbox(shop, "--peek")
    readers = [
        ["inbox"],
        ["inbox", "--peek"],
        ["inbox", "--limit", "1"],
        ["status"],
        ["seat", "list"],
        ["seat", "show", "codex"],
        ["message", "list"],
        ["message", "show", "2"],
        ["message", "thread", "2"],
        ["message", "search", "x"],
        ["task", "list"],
        ["journal", "log"],
        ["journal", "show", "2"],
        ["journal", "head"],
        ["journal", "verify"],
        ["journal", "export"],
    ]
    for words in readers:
        assert shop.agent(*words).code == 0, words
        assert shop.everything() == before, words
    assert inbox(shop, "--peek") == counts
    assert shop.user("inbox", seat="codex").code == 0
    assert shop.everything() == before


@pytest.mark.rule("M6")
def test_only_the_seat_itself_acknowledges(shop: Shop) -> None:
    number = shop.post("codex")
    before = shop.log()
    assert shop.agent("ack", str(number), seat="hermes").code == 3
    assert shop.user("ack", str(number)).code == 3
    assert shop.log() == before


@pytest.mark.rule("M11")
def test_a_look_leaves_a_hint_and_a_peek_does_not(shop: Shop) -> None:
    number = shop.post("codex", "hermes")

    def looked() -> dict[str, str | None]:
        shown = shop.agent("message", "show", str(number), "--json", seat=None).json
        return {one["seat"]: one["looked_at"] for one in shown["recipients"]}

    assert looked() == {"codex": None, "hermes": None}
    shop.agent("inbox", "--peek")
    shop.user("status")
    assert looked() == {"codex": None, "hermes": None}
    shop.agent("inbox")
    assert looked()["codex"] is not None
    assert looked()["hermes"] is None
    shown = shop.agent("message", "show", str(number), "--json").json["recipients"]
    assert [one["acknowledged"] for one in shown] == [None, None]
    # What comes after the look was not looked at.
    later = shop.post("codex")
    shown = shop.agent("message", "show", str(later), "--json").json["recipients"]
    assert shown[0]["looked_at"] is None


@pytest.mark.rule("M11")
def test_limit_and_more(shop: Shop) -> None:
    for _ in range(3):
        shop.post("codex")
    found = inbox(shop, "--limit", "2")
    assert (len(found["messages"]), found["more"], found["unread"]) == (2, True, 3)  # type: ignore[arg-type]
    found = inbox(shop, "--limit", "3")
    assert found["more"] is False
    assert "there are more" in shop.agent("inbox", "--limit", "1").out
    assert "nothing found" not in shop.agent("message", "search", "hello", "--limit", "0").out
    assert "no message" not in shop.agent("message", "list", "--limit", "0").out
    shop.agent("inbox")
    last = shop.post("codex")
    said = shop.agent("inbox", "--limit", "0").out.split("\n")
    assert said[0] == "codex: 4 unread, oldest first"
    assert said[-3:-1] == [
        "there are more: --limit N",
        "acknowledge the first with: sublation-panel ack 2",
    ]
    # The number alone is no look at what waits.
    (facts,) = shop.agent("message", "show", str(last), "--json").json["recipients"]
    assert facts["looked_at"] is None
    for bad in ("-1", "x", "1.5", "9007199254740992", "99999999999999999999", "NaN", "1e3", "True"):
        assert shop.agent("inbox", f"--limit={bad}").code == 2


def test_fifty_without_a_limit(shop: Shop) -> None:
    for _ in range(51):
        shop.post("codex")
    found = inbox(shop)
    assert (len(found["messages"]), found["more"], found["unread"]) == (50, True, 51)  # type: ignore[arg-type]


def test_the_users_own_look_without_a_terminal_is_nobodys(shop: Shop) -> None:
    number = shop.post("user", seat="codex")
    shop.agent("inbox", seat="user")
    shown = shop.agent("message", "show", str(number), "--json").json
    assert shown["recipients"][0]["looked_at"] is None
    assert shop.agent("status", "--json").json["seats"][0]["looked_at"] is None


@pytest.mark.rule("M14")
def test_a_seat_that_has_not_looked_for_long_is_due(shop: Shop) -> None:
    """Five minutes for an urgent message; time is moved by moving the message's own time."""
    from state.clock import SystemClock
    from state.command import Actor
    from state.messages.commands import Post
    from state.project import open_project

    class Earlier(SystemClock):
        def now(self) -> str:
            from datetime import UTC, datetime, timedelta

            from state.clock import stamp

            return stamp(datetime.now(UTC) - timedelta(minutes=6))

    with open_project(str(shop.folder), Earlier()) as project:
        project.run(Post(("codex",), title="slow"), Actor("user", "cli"))
        project.run(Post(("hermes",), title="fast", urgent=True), Actor("user", "cli"))

    def due() -> list[str]:
        needs = shop.agent("status", "--json", seat=None).json["needs"]
        return [need["seat"] for need in needs if need["kind"] == "due"]

    assert due() == ["hermes"]
    assert "due" in shop.agent("status", seat=None).out
    shop.agent("inbox", "--peek", seat="hermes")
    assert due() == ["hermes"]
    shop.agent("inbox", seat="hermes")
    assert due() == []


def test_a_queue_reads_well_without_json(shop: Shop) -> None:
    shop.post("codex", title="merge?", body="line one\nline two", kind="question", urgent=True)
    out = shop.agent("inbox").out
    assert "codex: 1 unread" in out
    for part in ("#2", "question", "you → codex", "urgent", "merge?", "line one\n", "ack 2"):
        assert part in out
    assert shop.agent("inbox", seat="hermes").out == "hermes: nothing unread\n"


def test_the_answer_is_there_at_once_for_whoever_reads_next(shop: Shop) -> None:
    began = time.monotonic()
    said = shop.agent("post", "hermes", "--title", "x", "--json")
    found = run_cli("inbox", "--json", project=shop.folder, seat="hermes")
    assert json.loads(found.out)["messages"][0]["id"] == said.json["message"]
    assert time.monotonic() - began < 60
