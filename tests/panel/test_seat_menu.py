"""The seat menu by keys: what it writes, what it refuses and why, and where it leads."""

from __future__ import annotations

import pytest

from panel.screens.form import Form
from panel.screens.refusal import Refusal
from panel.screens.seat_menu import SeatMenu
from state.roster.commands import DeactivateSeat, HideSeat, MarkAway
from tests.panel.desk import Desk, opened
from tests.state.world import World


async def menu_of(desk: Desk, *to_seat: str) -> None:
    """Open the menu of the seat to which these keys bring the cursor."""
    await desk.press("tab", *to_seat, "s")
    await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
    await desk.sees("host and roles")


async def form_of(desk: Desk, key: str) -> None:
    """Open a form of the menu."""
    await desk.press(key)
    await desk.until(lambda: isinstance(desk.app.screen, Form), "a form")


async def saved(desk: Desk, world: World) -> None:
    """Wait until the last line came back."""
    rev = len(world.lines())
    said = f"saved as r{rev}"
    await desk.until(lambda: desk.said.partition(" · ")[0] == said, f"{said}, not {desk.said!r}")


@pytest.mark.rule("R1", "R2", "R7", "R8", "R10")
async def test_a_seat_is_added_with_labels_and_begins_with_nothing(world: World) -> None:
    world.post("user", "all", title="before it joined")
    async with opened(world) as desk:
        await menu_of(desk)
        await form_of(desk, "a")
        await desk.write("claude-code")
        await desk.press("tab")
        await desk.write("Claude")
        await desk.press("tab")
        await desk.write("claude")
        await desk.press("tab")
        await desk.write("builder, reviewer")
        await desk.press("enter")
        await saved(desk, world)
        await desk.sees("claude-code", "0", "○ closed", "not known")
    seat = world.seat("claude-code")
    assert (seat.name, seat.host, seat.roles) == ("Claude", "claude", ("builder", "reviewer"))
    assert (seat.kind, seat.mode, seat.unread) == ("agent", "queue_only", 0)
    assert (world.lines()[-1]["seat"], world.lines()[-1]["via"]) == ("user", "tui")
    assert world.lines()[-1]["guards"] == {"roster": 1}


@pytest.mark.rule("R2")
async def test_a_form_keeps_what_was_typed_and_says_what_is_wrong_at_the_field(
    world: World,
) -> None:
    before = world.log()
    async with opened(world) as desk:
        await menu_of(desk)
        await form_of(desk, "a")
        await desk.write("Codex X")
        await desk.press("f2")
        await desk.sees("'Codex X' can't be a seat id", "use a-z")
        await desk.sees("id", "Codex X")
        await desk.press("ctrl+u")
        await desk.write("user")
        await desk.press("f2")
        await desk.sees("the id 'user' is reserved")
        await desk.press("ctrl+u")
        await desk.write("codex")
        await desk.press("f2")
        await desk.sees("codex is a seat already")
        assert world.log() == before
        await desk.press("2")
        await desk.press("f2")
        await saved(desk, world)
    assert world.seat("codex2").name == "codex2"


@pytest.mark.rule("R6", "R10")
async def test_hiding_is_two_keys_and_two_more_show_again(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("tab", "down", "s", "h")
        await saved(desk, world)
        assert desk.said == "saved as r2 · codex is hidden"
        await desk.sees("Seats (4 · 1 hidden with 0 unread)")
        await desk.misses("codex ", "○ closed")
        assert world.seat("codex").visibility == "hidden"
        await desk.press("H")
        await desk.sees("codex · hidden")
        await desk.press("up", "up", "up", "down", "s", "h")
        await saved(desk, world)
        await desk.sees("Seats (4)")
    assert world.seat("codex").visibility == "visible"
    assert [line["ops"][0]["op"] for line in world.lines()[1:]] == ["seat_hidden", "seat_shown"]


@pytest.mark.rule("R13")
async def test_host_and_roles_are_changed_from_what_they_were(world: World) -> None:
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await form_of(desk, "l")
        await desk.write("codex-cli")
        await desk.press("tab")
        await desk.write("builder")
        await desk.press("enter")
        await saved(desk, world)
        await desk.sees("host codex-cli · roles builder")
        await desk.press("s", "l")
        await desk.sees("codex-cli")
        await desk.press("f2")
        await desk.sees("called and labelled so already")
        await desk.press("escape")
    assert world.seat("codex").roles == ("builder",)


@pytest.mark.rule("R2")
async def test_a_seat_gets_another_name_and_its_id_stays(world: World) -> None:
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await form_of(desk, "n")
        await desk.press("ctrl+u")
        await desk.write("The Builder")
        await desk.press("enter")
        await saved(desk, world)
        await desk.sees("name", "The Builder")
    assert (world.seat("codex").seat, world.seat("codex").name) == ("codex", "The Builder")


@pytest.mark.rule("M15")
async def test_a_seat_is_marked_away_and_back(world: World) -> None:
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await form_of(desk, "w")
        await desk.write("soon")
        await desk.press("tab")
        await desk.write("lunch")
        await desk.press("enter")
        await desk.sees("'soon' is not a time")
        await desk.press("ctrl+u")
        await desk.write("90m")
        await desk.press("f2")
        await saved(desk, world)
        await desk.sees("codex · away")
        away = world.seat("codex").away
        assert away is not None
        assert (away.until, away.reason, away.by) == (
            "2026-11-30T11:30:00.000000+00:00",
            "lunch",
            "user",
        )
        await desk.press("s")
        await desk.sees("w  back")
        await desk.press("w")
        await saved(desk, world)
        await desk.misses("codex · away")
    assert world.seat("codex").away is None


@pytest.mark.rule("R4")
async def test_what_stands_against_deactivating_is_said_and_led_to(world: World) -> None:
    task = world.post("user", "codex", title="fix it", kind="task")
    before = world.log()
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await desk.sees("x", "deactivate", "codex can't be deactivated: 1 unread message")
        await desk.press("x")
        await desk.until(lambda: isinstance(desk.app.screen, Refusal), "what stands against it")
        await desk.sees(f"1 unread message, from #{task}", "goes there")
        await desk.sees(f"1 open or accepted task, from #{task}", "goes there")
        assert world.log() == before
        await desk.press("down", "enter")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        await desk.sees(f"#{task}", "fix it")
    assert world.log() == before


@pytest.mark.rule("R14")
async def test_closing_a_queue_asks_for_the_reason_and_never_reads_as_answered(
    world: World,
) -> None:
    note = world.post("hermes", "codex", title="for codex")
    task = world.post("user", "codex", title="fix it", kind="task")
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await form_of(desk, "c")
        await desk.sees("2 unread messages will read as closed unread")
        await desk.press("enter")
        await desk.sees("a reason is needed")
        await desk.write("its host is gone")
        await desk.press("enter")
        await saved(desk, world)
        await desk.sees("codex ", " 0 ", "○ closed")
    for number in (note, task):
        (facts,) = (one for one in world.message(number).recipients if one.seat == "codex")
        assert facts.closed_unread is not None
        assert facts.closed_unread.reason == "its host is gone"
        assert (facts.acknowledged, facts.answered) == (None, ())


@pytest.mark.rule("R14")
async def test_from_what_stands_against_it_one_key_leads_to_closing(world: World) -> None:
    world.post("hermes", "codex", title="for codex")
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await desk.press("x")
        await desk.until(lambda: isinstance(desk.app.screen, Refusal), "what stands against it")
        await form_of(desk, "c")
        await desk.sees("Close the queue of codex")


@pytest.mark.rule("R5", "R7", "R8")
async def test_a_seat_is_deactivated_with_a_reason_and_restored_empty(world: World) -> None:
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await form_of(desk, "x")
        await desk.write("not needed")
        await desk.press("enter")
        await saved(desk, world)
        await desk.sees("Seats (3 · 1 inactive)")
        await desk.misses("codex ", "○ closed")
        world.post("user", "all", title="while it was out")
        await desk.press("H")
        await desk.sees("codex · inactive")
        await desk.press("home", "down", "s")
        await desk.sees("restore", "in again")
        await desk.press("u")
        await saved(desk, world)
        await desk.sees("Seats (4)")
        await desk.sees("codex ", " 0 ", "○ closed")
    seat = world.seat("codex")
    assert (seat.status, seat.unread, seat.mode) == ("active", 0, "queue_only")


@pytest.mark.rule("R1", "R3")
async def test_the_user_seat_can_only_get_company(world: World) -> None:
    before = world.log()
    async with opened(world) as desk:
        await menu_of(desk)
        await desk.sees("x", "deactivate", "the user seat can't be deactivated")
        for key in ("h", "x", "c", "n", "w"):
            await desk.press(key)
            assert isinstance(desk.app.screen, SeatMenu)
        await desk.press("h")
        await desk.sees("the user seat can't be hidden")
    assert world.log() == before


async def test_what_can_not_act_says_why_and_leaves_the_menu_open(world: World) -> None:
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await desk.press("u")
        await desk.sees("codex is active already — nothing to do")
        assert isinstance(desk.app.screen, SeatMenu)


async def test_the_menu_follows_what_others_do_meanwhile(world: World) -> None:
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await desk.sees("h  hide")
        world.run(HideSeat("codex", world.roster))
        await desk.sees("h  show")
        world.run(MarkAway("codex", "2026-11-30T12:00:00+00:00", "out"))
        await desk.sees("w  back")
        world.run(DeactivateSeat("codex", world.roster, "gone"))
        await desk.sees("x", "codex is inactive already")


async def test_the_mouse_chooses_too(world: World) -> None:
    async with opened(world) as desk:
        await menu_of(desk, "down")
        await desk.pilot.click("#choices", offset=(4, 2), times=2)
        await saved(desk, world)
    assert world.seat("codex").visibility == "hidden"
