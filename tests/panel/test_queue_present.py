"""Messages and lines as rows and as a whole: the four facts, evidence, hostile and odd records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from textual.content import Content

from panel.present import facts, message_details, messages
from panel.words import signs
from state.messages.queries import Closed
from tests.panel.presented import MESSAGE, NOBODY, NOW, ROW, at, cells, opened, task, text


def test_a_row_names_who_wrote_what_to_whom_and_when() -> None:
    number, flags, way, title, state, kind, time, age = cells(ROW)
    assert (number, way, kind) == ("#1284", "hermes → you", "question")
    assert title == "? merge the two crawler skills?"
    assert (flags, state, time, age) == ("  ", "", "12:03", "2 m")


def test_a_row_shows_every_state_by_a_sign_and_a_word() -> None:
    row = replace(
        ROW,
        kind="task",
        urgent=True,
        unread_by=("user", "codex"),
        tasks=(("codex", "done"), ("gemini", "open")),
        replies=2,
    )
    _, flags, _, title, state, *_ = cells(row)
    assert flags == "!•"
    assert title.startswith("☐ ")
    assert state == "☑ 1 done · ☐ 1 open · • unread you, codex · ! urgent · ↩ 2"
    assert cells(replace(ROW, imported=True))[3:5] == [f"↓ {ROW.title}", "↓ imported"]
    assert messages.row(row, lambda: NOW).style == "bold"
    assert messages.row(replace(row, unread_by=("codex",)), lambda: NOW).style == ""


def test_the_sign_of_a_task_is_that_of_its_state() -> None:
    for state, sign in signs.TASK_STATES.items():
        row = replace(ROW, kind="task", tasks=(("codex", state),))
        assert cells(row)[3].startswith(f"{sign.sign} ")


def test_a_reply_without_a_title_says_what_it_answers_and_is_set_in() -> None:
    row = replace(ROW, kind="reply", title="", reply_to=1280)
    assert cells(row)[3] == "↩ re #1280"
    assert cells(row, depth=2)[3] == "  └ ↩ re #1280"
    assert len(cells(row, depth=500)[3]) < 40


def test_a_message_without_a_title_says_how_its_text_begins_and_that_this_is_no_title() -> None:
    row = replace(ROW, kind="reply", title="", reply_to=1280, opening="It is done.")
    assert cells(row)[3] == "↩ re #1280 “It is done.”"
    assert cells(replace(row, reply_to=None))[3] == "↩ no title “It is done.”"
    assert cells(replace(row, title="Done"))[3] == "↩ Done"


def test_times_of_other_days_are_told_from_today() -> None:
    assert [messages.brief(at(60 * hours), NOW) for hours in (1, 48, 24 * 400)] == [
        "11:05",
        "11-28",
        "2025",
    ]


@pytest.mark.rule("M11")
def test_the_four_facts_are_shown_each_on_its_own() -> None:
    looked = replace(NOBODY, looked_at=at(4))
    passed = replace(NOBODY, acknowledged=at(3))
    answered = replace(NOBODY, answered=(1290, 1291))
    found = [
        text(facts.facts(opened(MESSAGE._replace(recipients=(one,))), NOW, 90))
        for one in (NOBODY, looked, passed, answered)
    ]
    rows = [shown.split("\n")[1].split("  ") for shown in found]
    rows = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    written = "r1284 11:55 (10 m)"
    assert rows == [
        ["codex", written, "not known", "no", "no"],
        ["codex", written, "12:01 (4 m)", "no", "no"],
        ["codex", written, "not known", "12:02 (3 m)", "no"],
        ["codex", written, "not known", "no", "#1290 #1291"],
    ]


@pytest.mark.rule("M11")
def test_no_look_is_told_apart_from_a_look_that_is_not_known() -> None:
    shown = MESSAGE._replace(recipients=(NOBODY, replace(NOBODY, seat="user")))
    wide = text(facts.facts(opened(shown, looking=frozenset({"codex"})), NOW, 90))
    codex, you = wide.split("\n")[1:]
    assert codex.split()[5:7] == ["no", "no"]
    assert "not kept" in you
    assert "not known" not in wide


@pytest.mark.rule("M11", "R14")
def test_what_was_closed_unread_says_by_whom_and_why_and_is_not_acknowledged() -> None:
    closed = Closed(1299, at(1), "user", "the agent is gone")
    shown = MESSAGE._replace(recipients=(replace(NOBODY, closed_unread=closed),))
    for width in (120, 30):
        found = " ".join(text(facts.facts(opened(shown), NOW, width)).split())
        assert "no: closed unread by you, 12:04 (1 m): the agent is gone" in found


def test_narrow_panes_show_the_same_facts_under_each_other() -> None:
    shown = text(facts.facts(opened(MESSAGE), NOW, 40)).split("\n")
    assert shown == [
        "codex",
        "written      r1284 11:55 (10 m)",
        "looked       not known",
        "acknowledged no",
        "answered     no",
    ]
    for width in range(1, 100):
        whole = message_details.whole(opened(MESSAGE, task("open")), NOW, width, "T")
        assert "acknowledged" in whole.plain


@pytest.mark.rule("M11")
def test_of_many_recipients_the_same_facts_take_less_room_and_follow_the_text() -> None:
    many = tuple(replace(NOBODY, seat=f"seat{n}", acknowledged=at(n)) for n in range(1, 6))
    whole = text(message_details.whole(opened(MESSAGE._replace(recipients=many)), NOW, 50, "T"))
    assert whole.index("the text") < whole.index("who did what")
    words = " ".join(whole.split())
    for n in range(1, 6):
        time = f"12:0{5 - n} ({n} m)"
        assert (
            f"seat{n} written r1284 11:55 (10 m) · looked not known · acknowledged {time}" in words
        )


@pytest.mark.rule("M7")
def test_a_done_task_shows_its_evidence_and_none_stands_out() -> None:
    file = {"kind": "file", "path": "report.md", "sha256": "ab" * 32, "bytes": 1234}
    message = {"kind": "message", "message": 1290}
    none = {"kind": "none"}

    def shown(evidence: Mapping[str, Any], became: str = "") -> Content:
        known = {"codex": became} if became else {}
        made = opened(MESSAGE, task("done", evidence), evidence=known)
        return facts.facts(made, NOW, 200)

    assert "☑ done since 12:02 (3 m), by codex" in text(shown(none))
    assert "evidence: none (the holder said so)" in text(shown(none))
    assert any("warning" in str(span.style) for span in shown(none).spans)
    assert "evidence: message #1290" in text(shown(message))
    assert "evidence: file report.md (1.2 KiB), sha256 abababababababab…" in text(shown(file))
    assert "the file is the same now" in text(shown(file, "unchanged"))
    assert "CHANGED since" in text(shown(file, "changed"))
    assert "GONE" in text(shown(file, "gone"))
    assert "can't be looked at" in text(shown(file, "unreadable"))
    assert "was not looked at" in text(shown(file))


def test_a_declined_or_cancelled_task_shows_the_reason_and_by_whom() -> None:
    made = opened(MESSAGE, replace(task("cancelled", reason="not needed"), by="user"))
    shown = text(facts.facts(made, NOW, 120))
    assert "⊘ cancelled since 12:02 (3 m), by you" in shown
    assert "reason: not needed" in shown


@pytest.mark.rule("M16")
def test_an_imported_message_keeps_its_origin_and_its_claim_is_a_claim() -> None:
    origin = {
        "tool": "claude-code",
        "team": "analysis-team",
        "inbox": "team-lead",
        "position": 3,
        "sender": "task-analyst",
        "recipient": "team-lead",
        "time": at(60 * 24 * 30),
        "read": True,
        "summary": "done",
        "sha256": "00" * 32,
        "first": 12,
    }
    message = MESSAGE._replace(origin=origin, recipients=())
    shown = text(message_details.whole(opened(message), NOW, 100, "T"))
    assert "from claude-code, team analysis-team, inbox team-lead, position 4" in shown
    assert "task-analyst → team-lead" in shown
    assert "2026-10-31" in shown
    assert "read: true (its word, no evidence)" in shown
    assert "#12 was imported from the same position, with other bytes" in shown
    assert "stands in no queue" in shown
    assert "acknowledged" not in shown


def test_the_head_names_a_few_of_many_recipients_and_the_rest_stand_below() -> None:
    many = tuple(f"seat{n}" for n in range(40))
    shown = text(message_details.head(opened(MESSAGE._replace(to=many)), NOW, 100))
    assert "seat5 +34" in shown
    assert "seat6" not in shown
    who = tuple(replace(NOBODY, seat=seat) for seat in many)
    message = MESSAGE._replace(to=many, recipients=who)
    assert "seat39" in text(message_details.whole(opened(message), NOW, 100, "T"))


def test_a_missing_text_is_one_damaged_attachment() -> None:
    shown = text(message_details.whole(opened(MESSAGE._replace(body=None)), NOW, 80, "T"))
    assert "one attachment is damaged" in " ".join(shown.split())
    assert "read this" in shown


def test_texts_that_are_json_are_shown_readably() -> None:
    body = '{"type":"idle_notification","from":"docs","idleReason":"available"}'
    shown = text(message_details.text(MESSAGE._replace(body=body), 80))
    assert "type: idle_notification\nfrom: docs\nidle reason: available" in shown


def test_a_thread_is_a_tree_with_this_message_marked() -> None:
    rows = [replace(ROW, id=1280 + depth, title=f"t{depth}") for depth in range(3)]
    thread = [(row, depth) for depth, row in enumerate(rows)]
    made = opened(MESSAGE._replace(id=1281), thread=thread, thread_size=5)
    shown = text(message_details.thread(made, NOW, 60, "T")).split("\n")
    assert shown[0].startswith("thread: 5 messages ─")
    assert [line.split("t")[0] for line in shown[1:4]] == ["  ? ", "▸ └ ? ", "    └ ? "]
    assert shown[4] == "2 more: T lists the whole thread"
