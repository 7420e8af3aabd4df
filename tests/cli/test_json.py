"""The fields that are promised, for every command that is built."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Shop

IN_QUEUE = (
    *("id", "from", "to", "kind", "title", "body", "reply_to", "hops", "at", "urgent", "task"),
)
WHOLE = (*IN_QUEUE, "recipients", "refs", "origin")
RECIPIENT = ("seat", "looked_at", "acknowledged", "answered", "closed_unread", "task")
SEAT = (
    *("seat", "name", "kind", "host", "roles", "status", "visibility", "unread", "open_tasks"),
    *("cursor", "mode", "window", "looked_at", "away"),
)
TASK = ("message", "holder", "author", "title", "state", "evidence", "reason", "since")


def has(found: dict[str, Any], *names: str) -> None:
    assert set(names) <= set(found), set(names) - set(found)


@pytest.fixture
def busy(shop: Shop) -> Shop:
    """A project in which everything has happened once."""
    shop.post("codex", "hermes", kind="task", title="a task", body="needle")
    shop.post("user", seat="codex", kind="question", title="a question")
    shop.post("codex", seat="hermes", reply_to=3, title="")
    shop.agent("task", "accept", "2")
    shop.agent("task", "done", "2", "--no-evidence")
    shop.user("seat", "away", "hermes", "--until", "1h", "--reason", "x")
    return shop


def test_status_and_seats(busy: Shop) -> None:
    found = busy.agent("status", "--json", seat=None).json
    has(found, "project", "name", "rev", "state", "verified", "roster", "hidden", "seats", "needs")
    has(found["verified"], "to", "at", "whole")
    has(found["hidden"], "seats", "unread")
    assert found["state"] == "ok"
    for need in found["needs"]:
        has(need, "kind", "seat", "id", "since", "text")
    assert {need["kind"] for need in found["needs"]} == {"question", "result"}
    listed = busy.agent("seat", "list", "--json", seat=None).json
    has(listed, "revision", "hidden", "seats")
    assert listed["seats"] == found["seats"]
    for seat in listed["seats"]:
        has(seat, *SEAT)
    assert [seat["seat"] for seat in listed["seats"]] == ["user", "codex", "hermes"]
    has(next(seat["away"] for seat in listed["seats"] if seat["away"]), "until", "reason", "by")
    has(busy.agent("seat", "show", "codex", "--json").json, *SEAT)


def test_messages(busy: Shop) -> None:
    found = busy.agent("inbox", "--json").json
    has(found, "seat", "cursor", "unread", "more", "messages")
    for message in found["messages"]:
        has(message, *IN_QUEUE)
    assert found["messages"][0]["task"] == "done"
    shown = busy.agent("message", "show", "2", "--json").json
    has(shown, *WHOLE)
    assert shown["messages"] == [{name: shown[name] for name in shown["messages"][0]}]
    for words in (["list"], ["thread", "3"], ["search", "needle"]):
        found = busy.agent("message", *words, "--json").json
        assert found["messages"]
        for message in found["messages"]:
            has(message, *WHOLE)
            for one in message["recipients"]:
                has(one, *RECIPIENT)


def test_tasks_and_changes(busy: Shop) -> None:
    for task in busy.agent("task", "list", "--json").json["tasks"]:
        has(task, *TASK)
    said = busy.agent("post", "hermes", "--title", "x", "--json").json
    has(said, "message", "rev", "recipients", "repeated")
    for words in (["ack", "2"], ["ack", "--through", "4"]):
        has(busy.agent(*words, "--json").json, "rev")
    has(busy.agent("task", "accept", "2", "--json", seat="hermes").json, "rev")
    has(busy.user("seat", "hide", "codex", "--roster", "1", "--json").json, "rev")
    has(busy.user("seat", "back", "hermes", "--json").json, "rev")


def test_the_journal(busy: Shop) -> None:
    head = busy.agent("journal", "head", "--json").json
    has(head, "project", "rev", "hash", "segment", "offset")
    checked = busy.agent("journal", "verify", "--json").json
    has(checked, "ok", "lines", "head", "findings")
    assert (checked["ok"], checked["lines"], checked["findings"]) == (True, head["rev"], [])
    found = busy.agent("doctor", "--json", seat=None).json
    has(found, "state", "findings")
    assert found["state"] == "ok"


@pytest.mark.rule("M11")
def test_the_unread_number_is_the_same_everywhere(busy: Shop) -> None:
    listed = busy.agent("seat", "list", "--json").json["seats"]
    for seat in listed:
        if seat["kind"] == "agent":
            own = busy.agent("inbox", "--peek", "--json", seat=seat["seat"]).json
            assert own["unread"] == seat["unread"] == len(own["messages"])
            shown = busy.agent("seat", "show", seat["seat"], "--json").json
            assert shown["unread"] == seat["unread"]
