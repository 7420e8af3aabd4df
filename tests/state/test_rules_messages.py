"""M1 to M4: what a message is, whom it reaches, and what a repeated key gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from state import checks
from state.errors import BadInput, NotFound, Refused
from state.messages.commands import Acknowledge, Post
from state.messages.evidence import take_file
from state.messages.operations import MessageEvidence, NoEvidence
from state.messages.tasks import AcceptTask, CancelTask, DeclineTask, FinishTask
from state.roster.commands import AddSeat, DeactivateSeat, HideSeat, MarkAway, RestoreSeat
from tests.state.world import World

MIB = 1024 * 1024


@pytest.mark.rule("M1")
def test_a_message_is_kept_as_it_was_given_under_the_number_of_its_line(world: World) -> None:
    asked = world.post("user", "codex", kind="question", title="which?")
    committed = world.run(
        Post(
            to=("user", "gemini"),
            title="this one",
            body="because\n\x1b[31mof\u202e [/a]\x00",
            kind="result",
            reply_to=asked,
            refs=("docs/a b.md", "https://example.org/?q=1#x"),
            urgent=True,
        ),
        "codex",
    )
    message = world.message(committed.rev)
    assert committed.rev == world.lines()[-1]["rev"] == message.id
    assert (message.sender, message.to, message.addressing) == (
        "codex",
        ("user", "gemini"),
        "direct",
    )
    assert (message.kind, message.title) == ("result", "this one")
    assert message.body == "because\n\x1b[31mof\u202e [/a]\x00"
    assert (message.reply_to, message.urgent) == (asked, True)
    assert message.refs == ("docs/a b.md", "https://example.org/?q=1#x")
    assert message.at == world.clock.now()


@pytest.mark.rule("M1")
@pytest.mark.parametrize("kind", ["note", "question", "task", "result", "reply"])
def test_each_kind_is_posted_and_only_a_reply_needs_no_title(world: World, kind: str) -> None:
    first = world.post("user", "codex")
    number = world.post("codex", "user", title="t", kind=kind, reply_to=first)
    assert (world.message(number).kind, world.message(number).body) == (kind, "")
    if kind == "reply":
        untitled = world.post("codex", "user", title="", kind=kind, reply_to=first)
        assert world.message(untitled).title == ""
        return
    for title in ("", "  "):
        with pytest.raises(BadInput) as caught:
            Post(("user",), title, "body", kind, reply_to=first)
        assert caught.value.field == "title"


@pytest.mark.rule("M1")
def test_without_a_kind_it_is_a_note_and_an_answer_a_reply(world: World) -> None:
    first = world.post("user", "codex")
    assert world.message(first).kind == "note"
    assert world.message(world.post("codex", "user", reply_to=first)).kind == "reply"
    for kind in ("Note", "message", "heartbeat"):
        with pytest.raises(BadInput, match="no kind"):
            Post(("codex",), "t", kind=kind)
    with pytest.raises(BadInput, match="what it answers"):
        Post(("codex",), "t", kind="reply")
    world.fails(NotFound, Post(("codex",), reply_to=first + 9))
    world.fails(NotFound, Post(("codex",), reply_to=1))


@pytest.mark.rule("M1")
def test_a_title_is_one_line_of_at_most_200_characters(world: World) -> None:
    longest = "日" * 200
    assert world.message(world.post("user", "codex", title=longest)).title == longest
    hostile = "\x1b]0;x\x07 \u202e [@click=app.quit]x[/]\ttab"
    assert world.message(world.post("user", "codex", title=hostile)).title == hostile
    with pytest.raises(BadInput, match="200"):
        Post(("codex",), longest + "日")
    for end in "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029":
        with pytest.raises(BadInput, match="one line") as caught:
            Post(("codex",), f"two{end}lines")
        assert caught.value.field == "title"


@pytest.mark.rule("M1")
def test_a_body_has_up_to_one_mebibyte(world: World) -> None:
    body = "ä" * (MIB // 2)
    number = world.post("user", "codex", body=body)
    assert world.message(number).body == body
    assert len(world.log().splitlines()[-1]) < 1000
    with pytest.raises(BadInput, match=r"1,048,577 bytes; the limit is 1,048,576") as caught:
        Post(("codex",), "t", body + "a")
    assert caught.value.field == "body"


@pytest.mark.rule("M1")
def test_a_body_that_is_not_utf8_is_refused_with_the_offset() -> None:
    assert checks.decoded("日本\n".encode(), "body") == "日本\n"
    with pytest.raises(BadInput, match="offset 3") as caught:
        checks.decoded("日".encode() + b"\xff", "body")
    assert caught.value.field == "body"
    with pytest.raises(BadInput, match="position 2"):
        Post(("codex",), "t", "ab\ud800")


@pytest.mark.rule("M1")
def test_a_line_posts_at_most_one_message(world: World) -> None:
    task = world.post("user", "all", kind="task")
    for holder in ("codex", "gemini"):
        world.run(AcceptTask(task), holder)
        world.run(FinishTask(task, NoEvidence()), holder)
    for line in world.lines():
        posted = [op for op in line["ops"] if op["op"] == "message_posted"]
        assert len(posted) <= 1


@pytest.mark.rule("M2")
def test_all_is_who_is_active_at_that_moment_without_the_sender(world: World) -> None:
    world.run(HideSeat("gemini", world.roster))
    world.run(DeactivateSeat("hermes", world.roster, "left"))
    number = world.post("codex", "all")
    assert world.lines()[-1]["ops"][0]["to"] == ["user", "gemini"]
    assert world.lines()[-1]["ops"][0]["addressing"] == "all"
    world.run(RestoreSeat("hermes", world.roster))
    world.run(AddSeat("claude", world.roster))
    assert world.message(number).to == ("user", "gemini")
    assert world.queue("gemini") == world.queue("user") == (number,)
    assert world.queue("codex") == world.queue("hermes") == world.queue("claude") == ()
    assert world.message(world.post("user", "all")).to == ("codex", "gemini", "hermes", "claude")


@pytest.mark.rule("M2")
def test_a_message_to_oneself_or_to_nobody_is_refused(world: World) -> None:
    world.refused("M2", Post(("codex",), "t"), "codex")
    world.refused("M2", Post(("user", "codex"), "t"), "codex")
    world.refused("M2", Post(("user",), "t"))
    world.refused("M2", Post((), "t"))
    for seat in ("codex", "gemini", "hermes"):
        world.run(DeactivateSeat(seat, world.roster, "left"))
    world.refused("M2", Post(("all",), "t"))
    with pytest.raises(BadInput, match="stands alone"):
        Post(("all", "codex"), "t")


@pytest.mark.rule("M2")
def test_a_seat_named_twice_gets_it_once(world: World) -> None:
    number = world.post("user", "codex", "gemini", "codex")
    assert world.message(number).to == ("codex", "gemini")
    assert world.seat("codex").unread == 1


@pytest.mark.rule("M3")
@pytest.mark.parametrize("nobody", ["nobody", "you", "Codex", "a\x1b[2J"])
def test_one_unknown_recipient_refuses_the_whole_message(world: World, nobody: str) -> None:
    refusal = world.refused("M3", Post(("codex", nobody), "t"))
    assert repr(nobody) in refusal.message
    assert "codex" in refusal.hint
    assert world.queue("codex") == ()


@pytest.mark.rule("M3")
def test_an_inactive_recipient_or_sender_refuses_it_too(world: World) -> None:
    world.run(DeactivateSeat("hermes", world.roster, "left"))
    assert "inactive" in world.refused("M3", Post(("codex", "hermes"), "t")).message
    world.refused("M3", Post(("user",), "t"), "hermes")
    world.refused("M3", Post(("all",), "t"), "hermes")
    assert world.queue("codex") == ()


@pytest.mark.rule("M3")
@pytest.mark.parametrize("sender", ["nobody", "system", "you", "all"])
def test_nobody_posts_who_has_no_seat(world: World, sender: str) -> None:
    world.refused("M3", Post(("user",), "t"), sender)


KEYED: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "direct": (
        Post(("user", "gemini"), "t", "b", refs=("a",)),
        (
            Post(("user",), "t", "b", refs=("a",)),
            Post(("all",), "t", "b", refs=("a",)),
            Post(("user", "gemini"), "T", "b", refs=("a",)),
            Post(("user", "gemini"), "t", "c", refs=("a",)),
            Post(("user", "gemini"), "t", "b", "question", refs=("a",)),
            Post(("user", "gemini"), "t", "b"),
            Post(("user", "gemini"), "t", "b", refs=("a",), urgent=True),
            Post(("user", "gemini"), "t", "b", "note", 2, refs=("a",)),
            Acknowledge(2),
        ),
    ),
    "all": (
        Post(("all",), "t"),
        (Post(("user", "gemini", "hermes"), "t"),),
    ),
    "long": (
        Post(("user",), "t", "long " * 5000),
        (Post(("user",), "t", "long " * 5000 + "."), Post(("user",), "t", "short")),
    ),
    "ack": (Acknowledge(2), (Acknowledge(3, through=True), Post(("user",), "t"))),
    "ack-through": (Acknowledge(3, through=True), (Acknowledge(3), Acknowledge(2))),
    "accept": (AcceptTask(3), (AcceptTask(2), DeclineTask(3, "no"))),
    "decline": (DeclineTask(3, "no"), (DeclineTask(3, "never"), Post(("user",), "declined: t"))),
}


@pytest.mark.rule("M4")
@pytest.mark.parametrize("name", KEYED)
def test_a_key_used_again_writes_once_or_is_refused(world: World, name: str) -> None:
    command, others = KEYED[name]
    world.post("user", "codex")
    world.post("user", "codex", kind="task")
    first = world.run(command, "codex", key="k1")
    assert not first.repeated
    # A safe retry gets its first answer whatever has happened since.
    world.run(AddSeat("claude", world.roster))
    before = world.log()
    again = world.run(command, "codex", key="k1")
    assert (again.rev, again.repeated, list(again.ops)) == (first.rev, True, list(first.ops))
    for other in others:
        with pytest.raises(Refused) as caught:
            world.run(other, "codex", key="k1")
        assert caught.value.rule == "M4"
        assert str(first.rev) in caught.value.message
    assert world.log() == before
    assert world.post("codex", "user") > first.rev


@pytest.mark.rule("M4")
def test_a_key_belongs_to_its_sender_and_outlives_a_seats_end(world: World) -> None:
    message = Post(("user",), "t")
    mine, others = world.run(message, "codex", key="k"), world.run(message, "gemini", key="k")
    assert mine.rev != others.rev
    world.run(DeactivateSeat("codex", world.roster, "left"))
    assert world.run(message, "codex", key="k").rev == mine.rev
    world.refused("M3", message, "codex")
    assert world.run(message, "gemini").rev != world.run(message, "gemini").rev


@pytest.mark.rule("M4")
def test_ending_a_task_twice_with_a_key_gives_the_first_answer(world: World) -> None:
    task = world.post("user", "codex", "gemini", kind="task")
    report = Path(world.folder, "report.txt")
    report.write_text("one")
    for holder in ("codex", "gemini"):
        world.run(AcceptTask(task), holder)
    taken = take_file(str(world.folder), str(report))
    first = world.run(FinishTask(task, taken), "codex", key="k")
    report.write_text("two")
    changed = take_file(str(world.folder), str(report))
    assert world.run(FinishTask(task, changed), "codex", key="k").rev == first.rev
    for other in (NoEvidence(), MessageEvidence(first.rev)):
        with pytest.raises(Refused) as caught:
            world.run(FinishTask(task, other), "codex", key="k")
        assert caught.value.rule == "M4"
    ended = world.run(CancelTask(task, "enough", "gemini"), key="k")
    assert world.run(CancelTask(task, "enough", "gemini"), key="k").rev == ended.rev
    with pytest.raises(Refused):
        world.run(CancelTask(task, "enough", "codex"), key="k")


@pytest.mark.rule("M4")
def test_a_change_of_the_roster_is_safe_to_repeat_too(world: World) -> None:
    until = "2026-11-30T12:00:00+00:00"
    seen = world.roster
    added = AddSeat("claude", seen, host="claude-code", roles=("writer",))
    for command, other in (
        (added, AddSeat("claude", seen, host="other")),
        (MarkAway("codex", until, "tea"), MarkAway("codex", until, "lunch")),
    ):
        first = world.run(command, key=command.OP)
        assert world.run(command, key=command.OP).rev == first.rev
        with pytest.raises(Refused) as caught:
            world.run(other, key=command.OP)
        assert caught.value.rule == "M4"
