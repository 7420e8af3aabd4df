"""What a column has no room for is cut so that what is alike at its beginning stays apart."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from panel import safe_text
from panel.present import skills_rows
from panel.widgets.columns import Column, widths
from panel.widgets.item_list import Item, ItemList
from panel.words import skills_screen
from state.roster.commands import AddSeat, MarkAway
from tests.panel import hostile
from tests.panel.desk import opened
from tests.panel.screen import lines
from tests.state.world import World

ALPHA, BETA = "backend-reviewer-alpha", "backend-reviewer-beta"


@pytest.mark.parametrize("text", hostile.STRINGS.values(), ids=hostile.STRINGS.keys())
def test_any_text_fits_exactly_with_both_its_ends(text: str) -> None:
    content = safe_text.row([(text, "bold"), (text[::-1], "")], " → ")
    for cells in (0, 4, 5, 14, 40):
        assert safe_text.fit_middle(content, cells).cell_length == cells
        assert safe_text.fit_pair(content, cells, " → ").cell_length == cells


def test_names_that_begin_alike_are_told_apart_by_their_ends() -> None:
    assert safe_text.fit_middle(safe_text.line(ALPHA), 12).plain == "backen…alpha"
    assert safe_text.fit_middle(safe_text.line(BETA), 12).plain == "backen…-beta"
    assert safe_text.fit_middle(safe_text.line(ALPHA), 30).plain == f"{ALPHA:<30}"
    # A mark alone would stand on what is before it.
    marked = safe_text.fit_middle(safe_text.line("e\u0301" * 9), 6).plain
    assert "…e\u0301" in marked


def test_of_a_pair_neither_is_cut_for_the_other() -> None:
    both = safe_text.line(f"{ALPHA} → {BETA}")
    assert safe_text.fit_pair(both, 19, " → ").plain == "back…pha → back…eta"
    answered = safe_text.line(f"{ALPHA} → you")
    assert safe_text.fit_pair(answered, 18, " → ").plain == "backen…alpha → you"
    asked = safe_text.line(f"you → {ALPHA}")
    assert safe_text.fit_pair(asked, 18, " → ").plain == "you → backen…alpha"


class _Lists(App[None]):
    def compose(self) -> ComposeResult:
        short = {"◈ profiled (not promoted)": "◈ not promoted"}
        yield ItemList((Column("", 14, short=short), Column("", 4)), header=False)


async def test_words_have_a_short_form_and_one_cell_has_the_whole_line() -> None:
    app = _Lists()
    async with app.run_test(size=(40, 5)) as pilot:
        state, end = safe_text.line("◈ profiled (not promoted)", "bold"), safe_text.line("end")
        whole = safe_text.line("one cell that stands over all columns")
        app.query_one(ItemList).show([Item(1, (state, end)), Item(2, (whole,))])
        await pilot.pause()
        shown = [line.rstrip() for line in lines(app)]
        assert shown[0].endswith("◈ not promoted end")
        assert shown[1].endswith("one cell that stands over all columns")


def test_layers_are_said_whole_in_a_wide_list_and_in_short_at_80() -> None:
    columns = skills_rows.REQUEST_COLUMNS
    first, last = (skills_screen.LAYERS[place] for place in (0, 3))
    wide = dict(zip([one.title for one in columns], widths(columns, 114), strict=True))
    assert wide[first] >= len("◈ profiled (not promoted)")
    assert wide[last] > len("○ not invoked · requested")
    narrow = dict(zip([one.title for one in columns], widths(columns, 78), strict=True))
    assert narrow[first] >= max(map(len, skills_screen.PROFILES_SHORT.values()))
    assert narrow[last] > len("○ not invoked · requested")
    assert narrow[skills_screen.SEAT]


async def test_seats_with_one_long_beginning_stay_apart(world: World) -> None:
    for seat in (ALPHA, BETA):
        world.run(AddSeat(seat, world.roster))
    for seat in (BETA, "hermes"):
        world.run(MarkAway(seat, "2026-11-30T12:00:00+00:00", "holiday"))
    world.post(ALPHA, BETA, title="which branch?")
    async with opened(world, (80, 24)) as desk:
        await desk.sees("…", "alpha", "0")
        await desk.sees("…", "beta", "1")
        await desk.sees("hermes · aw…")
        await desk.press("2")
        await desk.sees("#", "pha → ", "eta", "which branch?")
