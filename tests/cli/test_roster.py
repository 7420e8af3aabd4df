"""The user's changes of the roster by the command (R1-R10, R14, R16, M15)."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shop
from tests.cli.roster_support import change, revision, seats
from tests.cli.wake_support import arm


@pytest.mark.rule("R1")
def test_the_user_seat_is_one_and_stays(shop: Shop) -> None:
    assert [seat for seat, one in seats(shop).items() if one["kind"] == "user"] == ["user"]
    before = shop.log()
    for words, rule in (
        (["hide", "user"], "R1"),
        (["rename", "user", "boss"], "R1"),
        (["add", "user"], None),
    ):
        said = change(shop, *words)
        assert said.code == (3 if rule else 2), words
        assert said.error["rule"] == rule
    assert shop.log() == before
    assert change(shop, "add", "gemini").code == 0
    assert seats(shop)["gemini"]["kind"] == "agent"


@pytest.mark.rule("R2")
def test_which_ids_and_names_a_seat_may_have(shop: Shop) -> None:
    before = shop.log()
    for seat in (
        "",
        "A",
        "ä",
        "-x",
        "a b",
        "x" * 64,
        "all",
        "none",
        "system",
        "you",
        "a\nb",
        "a/b",
    ):
        assert change(shop, "add", "--", seat).code == 2, seat
    for name in ("", " ", "x" * 81, "a\x1b[2Jb", "\u202eabc", "a\nb", "\x7f"):
        assert change(shop, "rename", "codex", name).code == 2, name
    assert change(shop, "add", "codex").error["rule"] == "R2"
    assert shop.log() == before
    assert change(shop, "add", "g-2._x", "--name", "日本語 \U0001f600").code == 0
    assert seats(shop)["g-2._x"]["name"] == "日本語 \U0001f600"
    assert change(shop, "deactivate", "g-2._x", "--reason", "x").code == 0
    said = change(shop, "add", "g-2._x")
    assert said.error["rule"] == "R2"
    assert "seat restore g-2._x" in said.error["hint"]


@pytest.mark.rule("R3")
def test_the_user_can_never_be_deactivated(shop: Shop) -> None:
    said = change(shop, "deactivate", "user", "--reason", "x")
    assert (said.code, said.error["rule"]) == (3, "R3")
    assert change(shop, "deactivate", "user").code in (2, 3)


@pytest.mark.rule("R4")
def test_what_stands_against_deactivating_is_counted(shop: Shop) -> None:
    first = shop.post("codex", kind="task")
    shop.post("codex")
    said = change(shop, "deactivate", "codex", "--reason", "gone")
    assert (said.code, said.error["rule"]) == (3, "R4")
    assert said.error["blocking"] == [
        {"kind": "unread", "count": 2, "first": first},
        {"kind": "tasks", "count": 1, "first": first},
    ]
    assert "2 unread" in said.error["message"]
    assert "close-queue codex" in said.error["hint"]
    assert shop.agent("ack", "--through", str(first + 1)).code == 0
    assert change(shop, "deactivate", "codex", "--reason", "gone").error["rule"] == "R4"
    assert shop.agent("task", "decline", str(first), "--reason", "no").code == 0
    assert change(shop, "deactivate", "codex", "--reason", "gone").code == 0


@pytest.mark.rule("R5", "R7", "R8", "R16")
def test_a_tombstone_keeps_everything_and_comes_back_anew(shop: Shop) -> None:
    number = shop.post("codex", body="kept")
    shop.agent("ack", str(number))
    assert change(shop, "deactivate", "codex", "--reason", "gone").code == 0
    assert seats(shop)["codex"]["status"] == "inactive"
    assert shop.agent("message", "show", str(number), "--json").json["body"] == "kept"
    late = shop.post("hermes")
    assert change(shop, "restore", "codex").code == 0
    back = seats(shop)["codex"]
    assert (back["status"], back["unread"], back["cursor"]) == ("active", 0, late)
    assert (back["mode"], back["window"]) == ("queue_only", "closed")
    assert change(shop, "restore", "codex").error["rule"] == "R5"


@pytest.mark.rule("R7", "R8", "R16")
def test_a_new_seat_has_no_backlog(shop: Shop) -> None:
    shop.post("all")
    assert (
        change(shop, "add", "gemini", "--host", "gemini-cli", "--role", "a", "--role", "b").code
        == 0
    )
    new = seats(shop)["gemini"]
    assert (new["unread"], new["mode"], new["status"], new["visibility"]) == (
        *(0, "queue_only", "active", "visible"),
    )
    assert (new["host"], new["roles"], new["name"]) == ("gemini-cli", ["a", "b"], "gemini")
    shop.post("all")
    assert seats(shop)["gemini"]["unread"] == 1


@pytest.mark.rule("R6", "R15")
def test_hiding_changes_what_is_shown_only(shop: Shop) -> None:
    asked = shop.post("user", seat="codex", kind="question", title="may I?")
    shop.post("codex")
    assert change(shop, "hide", "codex").code == 0
    status = shop.agent("status", "--json", seat=None).json
    assert status["hidden"] == {"seats": 1, "unread": 1}
    (need,) = [need for need in status["needs"] if need["kind"] == "question"]
    assert (need["seat"], need["id"], need["hidden"]) == ("codex", asked, True)
    shown = shop.agent("status", seat=None).out
    assert "1 hidden with 1 unread" in shown
    needs, _, table = shown.partition("Seats (")
    assert "codex" in needs
    assert "hidden · " in needs
    assert "codex" not in table
    assert shop.agent("post", "codex", "--title", "x", seat="hermes").code == 0
    assert seats(shop)["codex"]["unread"] == 2
    assert seats(shop)["codex"]["visibility"] == "hidden"
    assert change(shop, "hide", "codex").error["rule"] == "R6"
    assert change(shop, "unhide", "codex").code == 0
    assert change(shop, "unhide", "codex").error["rule"] == "R6"
    assert shop.agent("status", "--json").json["hidden"] == {"seats": 0, "unread": 0}


@pytest.mark.rule("R9")
def test_a_roster_that_moved_on_is_a_conflict(shop: Shop) -> None:
    seen = revision(shop)
    hidden = change(shop, "hide", "hermes").json["rev"]
    before = shop.log()
    said = shop.user("seat", "add", "gemini", "--roster", str(seen), "--json")
    assert said.code == 4
    error = said.error
    assert (error["code"], error["expected"], error["actual"]) == (
        "revision_conflict",
        seen,
        hidden,
    )
    assert [(event["rev"], event["seat"], event["op"]["op"]) for event in error["since"]] == [
        (hidden, "hermes", "seat_hidden")
    ]
    said = shop.user("seat", "add", "gemini", "--roster", str(seen))
    assert "you hid hermes" in said.err
    assert str(hidden) in said.err
    # A revision that doesn't exist yet is no conflict, it is bad input.
    assert shop.user("seat", "add", "gemini", "--roster", "999").code == 2
    for odd in ("-1", "x", "1.0", "true", str(2**53), str(2**64), "NaN"):
        assert shop.user("seat", "add", "gemini", f"--roster={odd}").code == 2, odd
    assert shop.log() == before
    # What is posted meanwhile moves no roster.
    shop.post("codex")
    assert shop.user("seat", "add", "gemini", "--roster", str(hidden)).code == 0


@pytest.mark.rule("R9")
def test_without_a_revision_the_person_is_asked(shop: Shop) -> None:
    before = shop.log()
    said = shop.user("seat", "hide", "codex", typed="n\n")
    assert said.code == 3
    assert "Hide codex? The roster is at revision 1. [y/N]" in said.terminal
    assert "nothing was written" in said.err
    assert shop.user("seat", "hide", "codex", typed="\x04").code == 3
    strict = {"PYTHONIOENCODING": "utf-8"}  # as in any locale but C
    assert shop.user("seat", "hide", "codex", typed=b"\xff\n", env=strict).code == 3
    assert shop.log() == before
    said = shop.user("seat", "hide", "codex", "--json", typed="y\n")
    assert (said.code, said.json["rev"]) == (0, 2)
    # What the rules forbid is not asked for.
    for words in (["hide", "codex"], ["add", "hermes"], ["restore", "hermes"], ["hide", "nobody"]):
        said = shop.user("seat", *words)
        assert said.code in (2, 3)
        assert "[y/N]" not in said.terminal
    # A window alone may close by the time that the answer takes.
    arm(shop.folder)
    said = shop.user("seat", "deactivate", "codex", "--reason", "x", "--json", typed="y\n")
    assert "[y/N]" in said.terminal
    assert (said.code, said.error["blocking"][0]["kind"]) == (3, "window")


@pytest.mark.rule("R10")
def test_each_change_is_one_line(shop: Shop) -> None:
    changes = [
        (["add", "gemini"], "seat_added"),
        (["set", "gemini", "--host", "h"], "seat_changed"),
        (["rename", "gemini", "G"], "seat_renamed"),
        (["hide", "gemini"], "seat_hidden"),
        (["unhide", "gemini"], "seat_shown"),
        (["deactivate", "gemini", "--reason", "x"], "seat_deactivated"),
        (["restore", "gemini"], "seat_restored"),
    ]
    assert shop.agent("seat", "list", "--json").json["revision"] == revision(shop) == 1
    for place, (words, op) in enumerate(changes):
        said = change(shop, *words)
        assert (said.code, said.json["rev"], said.json["roster"]) == (0, place + 2, place + 2)
        line = shop.agent("journal", "show", str(place + 2), "--json").json
        assert [one["op"] for one in line["ops"]] == [op]
        assert line["guards"] == {"roster": place + 1}
    before = shop.log()
    assert change(shop, "rename", "gemini", "G").code == 3
    assert change(shop, "set", "gemini", "--host", "h").code == 3
    assert change(shop, "set", "gemini").code == 2
    assert shop.log() == before
    assert change(shop, "set", "gemini", "--host", "", "--role", "").json["roster"] == 9
    assert (seats(shop)["gemini"]["host"], seats(shop)["gemini"]["roles"]) == ("", [])
    history = shop.agent("seat", "show", "gemini", "--json").json["history"]
    assert [event["op"]["op"] for event in history] == [op for _, op in changes] + ["seat_changed"]


@pytest.mark.rule("M4")
def test_a_key_makes_a_change_of_the_roster_safe_to_repeat(shop: Shop) -> None:
    words = ("seat", "add", "gemini", "--roster", "1", "--key", "k", "--json")
    first = shop.user(*words)
    again = shop.user(*words)
    assert (first.json["rev"], first.json["repeated"]) == (2, False)
    assert (again.json["rev"], again.json["repeated"]) == (2, True)
    assert shop.user("seat", "add", "other", "--roster", "2", "--key", "k").code == 3
