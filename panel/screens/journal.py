"""Mode 8: every line, what it changed, whether the chain is whole, the state at an earlier one."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from panel import filtering, keys, neutral, safe_text
from panel.asks import lines as asks
from panel.asks.lines import OpenedLine
from panel.messages import Place
from panel.parts.line_lists import LineLists
from panel.parts.message_actions import MessageActions
from panel.present import lines as present
from panel.widgets.line_bar import LineBar
from panel.widgets.paged_list import PagedList
from panel.widgets.reading_pane import ReadingPane
from panel.words import filters, signs
from panel.words import journal as words
from panel.words import messages as said
from state.errors import BadInput, StateError
from state.journal.catalogue import OPERATIONS
from state.journal.line import VIAS

FILTER, GOTO = "filter", "goto"
READING = "-reading"


class JournalScreen(MessageActions, LineLists):
    """The lines on the left, the one under the cursor beside them or, opened, in their place."""

    MODE = "journal"
    CSS_PATH = "journal.tcss"
    # Else it would be the line above, which is not there until it is opened.
    AUTO_FOCUS = "PagedList.-shown"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("journal")]

    def __init__(self) -> None:
        super().__init__()
        self._number: int | None = None
        self._opened: OpenedLine | None = None

    def compose_body(self) -> ComposeResult:
        yield LineBar()
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="what")
                yield from self.compose_lists()
            yield ReadingPane(safe_text.line(words.NOTHING_OPEN, "$text-muted"), id="line")

    def on_mount(self) -> None:
        self.set_focus(self.paged)

    def show_title(self) -> None:
        self.query_one("#what", Static).update(safe_text.line(self.title_of()))

    @property
    def _pane(self) -> ReadingPane:
        return self.query_one("#line", ReadingPane)

    # The line under the cursor.

    @on(PagedList.RowHighlighted)
    def _row_highlighted(self, event: PagedList.RowHighlighted) -> None:
        if event.paged_list is self.paged:
            self._point_at(event.key)

    @on(PagedList.RowSelected)
    def _row_selected(self, event: PagedList.RowSelected) -> None:
        self._point_at(event.key)
        self.add_class(READING)
        self.set_focus(self._pane)

    def _point_at(self, number: int | None) -> None:
        if number == self._number:
            return
        self._number = number
        self._opened = None
        self.take_message(number)
        self.forget("line")
        if number is None:
            self._pane.clear()
        else:
            self.ask("line", asks.opened(number), self._take, self._failed)

    def _take(self, opened: OpenedLine) -> None:
        self._opened = opened
        self._pane.show(opened.line.rev, lambda width: self._drawn(opened, width))

    def _drawn(self, opened: OpenedLine, width: int) -> Content:
        return present.whole(opened.line, opened.raw, self.now(), width)

    def _failed(self, error: StateError) -> None:
        self._pane.clear(safe_text.line(said.bad(error.message), "$text-error"))

    def tick(self) -> None:
        super().tick()
        if self._opened is not None:
            self._pane.draw()

    # Places.

    def open_place(self, place: Place) -> None:
        """Show a line, where the person came from elsewhere."""
        if not isinstance(place.id, int):
            return
        if self.seen is None and self.panel.snapshot is not None:
            # Before the first picture was drawn here, there is one all the same.
            self.show(self.panel.snapshot)
        try:
            self.go_to(place.id)
        except BadInput as error:
            self.panel.say(error.message, "warning")

    def go_to(self, number: int) -> None:
        """Bring the cursor to a line; a filter is taken away. BadInput when there is none."""
        lines = self.query_one("#lines", PagedList)
        if not 0 < number <= lines.count:
            raise BadInput(words.no_line(number))
        if self.filter_text:
            self.narrow("")
        lines.jump(number - 1)

    # What is typed in the line above.

    def action_filter(self) -> None:
        """Type a filter."""
        seats = () if self.seen is None else self.seen.overview.seats
        values = {
            "seat": (*(signs.seat(seat.seat) for seat in seats), signs.SYSTEM_SEAT),
            "op": tuple(OPERATIONS),
            "via": tuple(VIAS),
            "since": (),
            "until": (),
        }
        self.query_one(LineBar).open(
            FILTER,
            filters.FILTER,
            filters.JOURNAL_HELP,
            self.filter_text,
            lambda text: filtering.suggestion(text, values),
        )

    def action_goto(self) -> None:
        """Type the number of a line."""
        self.query_one(LineBar).open(GOTO, filters.GOTO, filters.GOTO_HELP)

    @on(LineBar.Submitted)
    def _submitted(self, event: LineBar.Submitted) -> None:
        event.stop()
        bar = self.query_one(LineBar)
        try:
            if event.purpose == FILTER:
                self.narrow(event.text)
            else:
                self.go_to(filtering.number(event.text))
        except BadInput as error:
            bar.refuse(error.message)
        else:
            bar.close(self.paged)

    # Keys.

    def why_not(self, needs: str) -> str | None:
        if needs == "line":
            return words.NO_LINE if self._number is None else None
        return super().why_not(needs)

    @property
    def seat_in_hand(self) -> str | None:
        """Who wrote the line under the cursor."""
        writer = None if self._opened is None else self._opened.line.seat
        seats = () if self.seen is None else self.seen.overview.seats
        return writer if any(seat.seat == writer for seat in seats) else None

    def action_verify(self) -> None:
        """Check the whole chain, and say in words what was found."""
        self.panel.verify_chain()

    def action_earlier(self) -> None:
        """Show the state as it was after the line under the cursor."""
        if self._number is not None:
            self.panel.show_state_at(self._number)

    def copied(self) -> str | None:
        return None if self._opened is None else self._opened.line.hash

    def action_copy_whole(self) -> None:
        """Give the stored bytes of the line to the clipboard, as a line of text."""
        if self._opened is not None:
            text = self._opened.raw.decode("utf-8", "replace").rstrip("\n")
            self.app.copy_to_clipboard(neutral.block(text, limit=None))
            self.panel.say(words.COPIED_LINE)

    def leave_open(self) -> bool:
        """One step back: what is typed, what is read, the filter."""
        bar = self.query_one(LineBar)
        if bar.is_open:
            bar.close(self.paged)
        elif self.has_class(READING) or self._pane.has_focus:
            self.remove_class(READING)
            self.set_focus(self.paged)
        elif self.filter_text:
            self.narrow("")
        else:
            return False
        return True

    def is_left(self) -> bool:
        # A widget hears later than its screen that it lost the focus.
        reading = self.focused is self._pane or self.has_class(READING)
        return not (reading or self.filter_text)
