"""Lists, threads, search and the four facts, by the command (M10, M11)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Shop

FACTS = ["seat", "looked_at", "acknowledged", "answered", "closed_unread", "task"]


def listed(shop: Shop, *words: str) -> list[int]:
    found = shop.agent("message", "list", *words, "--json", seat=None)
    assert found.code == 0, found.err
    return [message["id"] for message in found.json["messages"]]


@pytest.mark.rule("M11")
def test_four_facts_none_from_another(shop: Shop) -> None:
    asked = shop.post("codex", "hermes", kind="question", title="ready?")

    def facts() -> dict[str, dict[str, Any]]:
        shown = shop.agent("message", "show", str(asked), "--json", seat=None).json
        assert shown["written"] == shown["at"]
        assert all(list(one) == FACTS for one in shown["recipients"])
        return {one["seat"]: one for one in shown["recipients"]}

    nothing: dict[str, Any] = {
        "looked_at": None,
        "acknowledged": None,
        "answered": [],
        "closed_unread": None,
    }
    assert facts()["codex"] == {"seat": "codex", "task": None, **nothing}
    # An answer is no look and no acknowledgement.
    answer = shop.post("user", seat="codex", reply_to=asked, title="")
    assert facts()["codex"] == {"seat": "codex", "task": None, **nothing, "answered": [answer]}
    # An acknowledgement is no look.
    assert shop.agent("ack", str(asked), seat="hermes").code == 0
    hermes = facts()["hermes"]
    assert (hermes["looked_at"], hermes["answered"]) == (None, [])
    assert hermes["acknowledged"] is not None
    shown = shop.agent("message", "show", str(asked), seat=None).out
    for word in ("recipient", "written", "looked", "acknowledged", "answered", f"#{answer}", "no"):
        assert word in shown


@pytest.mark.rule("M10")
def test_lists_are_narrowed_and_newest_first(shop: Shop) -> None:
    note = shop.post("codex", title="a note")
    task = shop.post("hermes", kind="task", title="a task")
    sent = shop.post("user", seat="codex", title="from codex")
    assert listed(shop) == [sent, task, note]
    assert listed(shop, "--seat", "codex") == [sent, note]
    assert listed(shop, "--kind", "task") == [task]
    assert listed(shop, "--seat", "codex", "--kind", "task") == []
    assert listed(shop, "--since", "1h") == [sent, task, note]
    assert listed(shop, "--since", "2999-01-01T00:00:00Z") == []
    assert listed(shop, "--limit", "2") == [sent, task]
    found = shop.agent("message", "list", "--limit", "2", "--json").json
    assert (found["more"], found["count"], found["state"]) == (True, 3, "ok")
    shown = shop.agent("message", "list").out
    assert shown.index("from codex") < shown.index("a task") < shown.index("a note")
    for bad in (
        ["--since", "2026-11-30"],
        ["--since", "5"],
        ["--seat", "ghost"],
        ["--kind", "memo"],
    ):
        assert shop.agent("message", "list", *bad).code == 2, bad
    assert shop.agent("message", "show", "99").code == 2
    assert shop.agent("message", "show", "1", "--json").error["code"] == "not_found"


@pytest.mark.rule("M10")
def test_a_whole_thread_from_any_of_its_messages(shop: Shop) -> None:
    root = shop.post("codex", kind="question", title="root")
    shop.post("codex", title="another")
    one = shop.post("user", seat="codex", reply_to=root, title="one")
    two = shop.post("codex", reply_to=one, title="two")
    for number in (root, one, two):
        found = shop.agent("message", "thread", str(number), "--json").json["messages"]
        assert [(message["id"], message["depth"]) for message in found] == [
            (root, 0),
            (one, 1),
            (two, 2),
        ]
    shown = shop.agent("message", "thread", str(one)).out
    assert "another" not in shown
    assert "▸ #4" in shown


@pytest.mark.rule("M10")
def test_search_finds_titles_and_bodies_and_long_texts(shop: Shop) -> None:
    title = shop.post("codex", title="Fix the Parser")
    body = shop.post("codex", title="x", body="the parser\nis slow")
    long = shop.post("codex", title="y", body="filler " * 4000 + "needle-in-a-blob")

    def hits(*words: str) -> list[tuple[int, str]]:
        found = shop.agent("message", "search", *words, "--json").json["messages"]
        return [(message["id"], message["where"]) for message in found]

    assert hits("parser") == [(body, "body"), (title, "title")]
    assert hits("Parser") == [(title, "title")]
    assert hits("needle-in-a-blob") == [(long, "body")]
    assert hits("nothing like it") == []
    assert hits("parser", "--limit", "1") == [(body, "body")]
    assert hits("parser", "--seat", "hermes") == []
    assert "is slow" in shop.agent("message", "search", "parser").out
    assert "nothing found" in shop.agent("message", "search", "zzz").out
    assert shop.agent("message", "search", "").code == 2
    assert shop.agent("message", "search").code == 2


def test_texts_that_are_json_are_shown_readably(shop: Shop) -> None:
    shop.post(
        "codex", title="x", body='{"from":"a","type":"idle_notification","idleReason":"done"}'
    )
    shown = shop.agent("message", "show", "2").out
    assert "type: idle_notification\n" in shown
    assert "idle reason: done\n" in shown
    raw = shop.agent("message", "show", "2", "--raw").out
    assert '"idleReason":"done"' in raw
    assert '"idleReason":"done"' in shop.agent("message", "show", "2", "--json").json["body"]


def test_one_missing_attachment_is_one_bad_body(shop: Shop) -> None:
    number = shop.post("codex", body="x" * 20000)
    (blob,) = (shop.root / "blobs").iterdir()
    blob.unlink()
    said = shop.agent("message", "show", str(number), "--json")
    assert (said.code, said.json["body"]) == (0, None)
    assert "missing or changed" in shop.agent("inbox").out


def test_a_list_tells_untitled_replies_apart_and_shows_the_state_of_tasks(shop: Shop) -> None:
    shop.post("codex", kind="task", title="fix it")
    shop.agent("post", "user", "--reply-to", "2", "--body", "It is\nfixed.")
    shop.agent("task", "accept", "2")
    shown = shop.agent("message", "list").out
    assert "↩ reply  re #2 “It is fixed.”" in shown
    assert "◧ task   fix it" in shown
    assert "re #2" not in shop.agent("message", "show", "3").out
