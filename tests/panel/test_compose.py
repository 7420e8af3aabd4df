"""Writing by key: what the rules refuse is said at its field, and nothing typed is ever lost."""

from __future__ import annotations

import pytest

from panel.screens.compose import ComposeScreen
from panel.widgets.choice import Choice
from panel.widgets.safe_input import SafeInput, SafeTextArea
from state.command import Command
from state.errors import CommitUnknown
from state.project import Committed
from state.roster.commands import DeactivateSeat
from tests.panel.desk import Desk, holding_lock, opened
from tests.panel.test_queue import cursor, queue
from tests.state.world import World


def composing(desk: Desk) -> bool:
    return isinstance(desk.app.screen, ComposeScreen)


async def write(desk: Desk, to: str = "", title: str = "", body: str = "", kind: str = "") -> None:
    """Opens a new message and fills it in, field by field, as a person would."""
    await desk.press("m")
    await desk.until(lambda: composing(desk), "the message")
    await desk.until(lambda: getattr(desk.app.focused, "id", "") == "to", "the first field")
    await desk.write(to)
    await desk.press("tab")
    choice = desk.app.screen.query_one("#kind", Choice)
    while kind and choice.value != kind:
        await desk.press("right")
    await desk.press("tab", "tab")
    await desk.write(title)
    await desk.press("tab", "tab")
    await desk.write(body)


def rev(desk: Desk) -> int:
    """The revision of the picture that is shown."""
    return 0 if desk.app.snapshot is None else desk.app.snapshot.rev


async def sent(desk: Desk) -> None:
    await desk.press("f2")
    await desk.until(lambda: not composing(desk), "sent")


@pytest.mark.rule("M1", "M8", "M13")
async def test_a_message_is_written_by_the_user_and_confirmed_by_the_journal(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, "codex, hermes", "fix the test", "It fails", kind="task")
        await desk.sees("goes to 2 seats: codex, hermes")
        await sent(desk)
        await desk.sees("saved as r2")
        await desk.sees("#2", "you → codex", "☐ fix the test")
    (line,) = world.lines()[1:]
    (op,) = line["ops"]
    assert (line["seat"], line["via"]) == ("user", "tui")
    assert (op["sender"], op["to"], op["kind"]) == ("user", ["codex", "hermes"], "task")
    assert (op["title"], op["body"], op["hops"]) == ("fix the test", "It fails", 0)
    assert (op["urgency"], op["refs"], op["reply_to"]) == ("normal", [], None)


@pytest.mark.rule("M2")
async def test_all_goes_to_the_active_seats_without_the_user(world: World) -> None:
    world.run(DeactivateSeat("gemini", world.roster, "gone"))
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, "all", "to everybody")
        await desk.sees("goes to 2 seats: codex, hermes")
        await sent(desk)
        await desk.sees("saved as r3")
    (op,) = world.lines()[-1]["ops"]
    assert (op["to"], op["addressing"]) == (["codex", "hermes"], "all")


@pytest.mark.rule("M2", "M3")
@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("nobody", "'nobody' is not a seat here"),
        ("codex nobody", "'nobody' is not a seat here"),
        ("gemini", "'gemini' is inactive"),
        ("you", "a message to oneself is not posted"),
        ("", "a message needs a recipient"),
        ("all codex", "`all` stands alone"),
    ],
)
async def test_recipients_that_cannot_be_are_refused_at_their_field(
    world: World, to: str, why: str
) -> None:
    world.run(DeactivateSeat("gemini", world.roster, "gone"))
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, to, "a title", "a body")
        await desk.press("f2")
        await desk.sees(why)
        world.post("codex", "hermes", title="news must not hide what is wrong")
        await desk.until(lambda: rev(desk) == 3, "a newer picture")
        await desk.sees(why)
        await desk.until(lambda: getattr(desk.app.focused, "id", "") == "to", "its field")
        assert composing(desk)
        assert desk.app.screen.query_one(SafeTextArea).text == "a body"
        await desk.sees("title", "a title")
    assert [line["seat"] for line in world.lines()[2:]] == ["codex"]


@pytest.mark.rule("M1")
async def test_a_title_is_needed_and_is_one_line_of_200(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, "codex")
        await desk.press("f2")
        await desk.sees("a note needs a title")
        await desk.until(lambda: getattr(desk.app.focused, "id", "") == "title", "its field")
        await desk.write("x" * 201)
        await desk.sees("201 of 200 characters")
        await desk.press("f2")
        await desk.sees("the title has 201 characters; the limit is 200")
        await desk.press("backspace")
        await sent(desk)
        await desk.sees("saved as r2")
    assert world.lines()[-1]["ops"][0]["title"] == "x" * 200


@pytest.mark.rule("M1", "M8")
async def test_a_reply_goes_to_the_sender_and_names_what_it_answers(world: World) -> None:
    number = world.post("hermes", "user", title="which branch?", kind="question")
    async with opened(world) as desk:
        await queue(desk)
        await desk.until(lambda: f"#{number}" in cursor(desk), "the question")
        await desk.until(lambda: desk.mode.why_not("reply") is None, "it can be answered")
        await desk.press("r")
        await desk.until(lambda: composing(desk), "the reply")
        await desk.sees(f"Reply: #{number} which branch?")
        await desk.sees("to", "hermes")
        await desk.write("main")
        await sent(desk)
        await desk.sees("answered", "#3")
    (op,) = world.lines()[-1]["ops"]
    assert (op["to"], op["kind"], op["reply_to"]) == (["hermes"], "reply", number)
    assert (op["title"], op["body"], op["hops"]) == ("", "main", 0)


async def test_urgency_and_references_are_kept(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, "codex", "read")
        await desk.press("shift+tab")
        refs = desk.app.screen.query_one("#refs", SafeInput)
        assert refs.has_focus
        refs.value = "docs/a.md 'a file.md' https://x.org/#y"
        await desk.press("shift+tab", "shift+tab", "right")
        await sent(desk)
        await desk.sees("saved as r2")
        await desk.sees("! urgent")
        await desk.sees("reference", "a file.md")
    (op,) = world.lines()[-1]["ops"]
    assert op["urgency"] == "high"
    assert op["refs"] == ["docs/a.md", "a file.md", "https://x.org/#y"]


async def test_a_draft_is_kept_thrown_away_or_written_on(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await desk.press("m", "escape")
        await desk.until(lambda: not composing(desk), "nothing written: no question")
        await write(desk, "codex", "half a", "thought")
        await desk.press("escape")
        await desk.sees("Leave what you have written?", "k keep as a draft")
        await desk.press("escape")
        await desk.write("s")
        assert desk.app.screen.query_one(SafeTextArea).text == "thoughts"
        await desk.press("escape", "k")
        await desk.until(lambda: not composing(desk), "left")
        await desk.sees("kept as a draft")
        await desk.press("1", "m")
        await desk.until(lambda: composing(desk), "the draft, from another mode")
        await desk.sees("here is what you had written")
        assert desk.app.screen.query_one(SafeTextArea).text == "thoughts"
        await desk.press("escape", "x")
        await desk.until(lambda: not composing(desk), "left")
        await desk.press("m")
        await desk.until(lambda: composing(desk), "a fresh one")
        assert desk.app.screen.query_one(SafeTextArea).text == ""
        assert not desk.app.has_unsent


async def test_who_goes_on_writing_replaces_nothing(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("m")
        await desk.until(lambda: getattr(desk.app.focused, "id", "") == "to", "the first field")
        await desk.write("herm")
        await desk.press("escape")
        await desk.sees("Leave what you have written?")
        await desk.press("escape")
        await desk.until(lambda: getattr(desk.app.focused, "id", "") == "to", "the field again")
        await desk.write("es")
        assert desk.app.screen.query_one("#to", SafeInput).value == "hermes"


async def test_a_draft_of_a_reply_belongs_to_what_it_answers(world: World) -> None:
    first = world.post("hermes", "user", title="one", kind="question")
    world.post("codex", "user", title="two", kind="question")
    async with opened(world) as desk:
        await queue(desk)
        for keys, text in (((), ""), (("down",), ""), (("up",), "about two")):
            await desk.press(*keys)
            await desk.until(lambda: desk.mode.why_not("reply") is None, "can be answered")
            await desk.press("r")
            await desk.until(lambda: composing(desk), "the reply")
            area = desk.app.screen.query_one(SafeTextArea)
            assert area.text == text
            if not text:
                await desk.write("about two" if not keys else "about one")
            await desk.press("escape", "k")
            await desk.until(lambda: not composing(desk), "left")
        assert f"#{first}" not in cursor(desk)


async def test_what_is_not_sent_is_asked_about_before_the_panel_ends(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, "codex", "half a")
        await desk.press("escape", "k")
        await desk.until(lambda: not composing(desk), "left")
        await desk.press("q")
        await desk.sees("A message is written and not sent")
        await desk.press("n")
        await desk.misses("A message is written and not sent")
        assert desk.app.is_running


async def test_saving_is_said_until_the_lock_is_had(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("panel.bridge.WAIT_SECONDS", 60.0)
    before = world.log()
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, "codex", "waits")
        with holding_lock(world.paths, "hermes"):
            await desk.press("f2")
            await desk.sees("saving…")
            await desk.press("escape")
            await desk.sees("it is being saved just now")
            assert composing(desk)
            assert world.log() == before
        await desk.until(lambda: not composing(desk), "sent")
        await desk.sees("saved as r2")
    assert world.lines()[-1]["ops"][0]["title"] == "waits"


async def test_a_busy_lock_keeps_everything_that_was_typed(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await write(desk, "codex", "waits", "long")
        with holding_lock(world.paths, "hermes") as pid:
            await desk.press("f2")
            await desk.sees("the project's lock is held by process", str(pid))
        assert composing(desk)
        assert desk.app.screen.query_one(SafeTextArea).text == "long"
        await sent(desk)
        await desk.sees("saved as r2")


@pytest.mark.rule("M4")
async def test_sending_the_same_again_after_a_doubt_writes_it_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(world) as desk:
        await queue(desk)
        bridge = desk.app.bridge
        assert bridge is not None
        real = bridge.run

        def unsure(command: Command, key: str | None = None, *_: object) -> Committed:
            real(command, key)
            raise CommitUnknown("the disk did not answer", "send it again: it can't be there twice")

        monkeypatch.setattr(bridge, "run", unsure)
        await write(desk, "codex", "once", "text")
        await desk.press("f2")
        await desk.sees("send it again: it can't be there twice")
        monkeypatch.setattr(bridge, "run", real)
        await sent(desk)
        await desk.sees("already there as r2, nothing was written")
    assert len(world.lines()) == 2
