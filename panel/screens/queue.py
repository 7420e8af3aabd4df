"""Mode 2: all messages, what each recipient did, threads, and looking for text."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from panel import filtering, keys, neutral, safe_text
from panel.messages import Place
from panel.parts.finding import Finding
from panel.parts.message_actions import MessageActions
from panel.parts.message_lists import Showing
from panel.parts.message_pane import READING, MessagePane
from panel.snapshot import Snapshot
from panel.widgets.line_bar import LineBar
from panel.widgets.paged_list import PagedList
from panel.words import filters, signs
from panel.words import queue as words
from state.command import USER
from state.errors import BadInput

FILTER, FIND, GOTO = "filter", "find", "goto"


class QueueScreen(MessageActions, MessagePane, Finding):
    """The lists on the left, the message under the cursor beside it or, opened, in its place."""

    MODE = "queue"
    CSS_PATH = "queue.tcss"
    # Else it would be the line above, which is not there until it is opened.
    AUTO_FOCUS = "PagedList.-shown"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("queue")]

    def compose_body(self) -> ComposeResult:
        yield LineBar()
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="what")
                yield from self.compose_lists()
            yield from self.compose_pane()

    def on_mount(self) -> None:
        self.set_focus(self.paged)

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        self.refresh_pane()

    def show_title(self) -> None:
        self.query_one("#what", Static).update(safe_text.line(self.title_of()))

    def title_of(self) -> str:
        return self.found_title() if self.showing == "hits" else super().title_of()

    def open_place(self, place: Place) -> None:
        """Show a message, or a seat's queue, where the person came from elsewhere."""
        self.close_pane()
        if place.kind == "queue":
            self.look_at_queue(str(place.id))
        elif isinstance(place.id, int):
            self.go_to(place.id)

    def look_at_queue(self, seat: str) -> None:
        """List a seat's queue, oldest first. Changes nothing and leaves no hint (M6)."""
        self.show_list("messages")
        self.order(newest_first=False)
        try:
            self.narrow(f"seat:{signs.seat(seat)} state:unread")
        except BadInput as error:
            self.panel.say(error.message, "warning")

    def go_to(self, number: int) -> None:
        """Bring the cursor to a message and show it; a filter that hides it is taken away."""
        self.show_list("messages")
        if self.filter_text:
            self.narrow("")
        self.reload(number)
        self.open_pane()

    # What is typed in the line above.

    def action_filter(self) -> None:
        """Type a filter."""
        self.show_list("messages")
        values = {
            "seat": self._seats(),
            "from": self._seats(),
            "kind": tuple(signs.KINDS),
            "state": filtering.STATES,
            "since": (),
            "until": (),
        }
        self.query_one(LineBar).open(
            FILTER,
            filters.FILTER,
            filters.QUEUE_HELP,
            self.filter_text,
            lambda text: filtering.suggestion(text, values),
        )

    def action_find(self) -> None:
        """Type words to look for in titles and texts."""
        self.query_one(LineBar).open(FIND, filters.FIND, filters.FIND_HELP, self.looked_for)

    def action_goto(self) -> None:
        """Type the number of a message."""
        self.query_one(LineBar).open(GOTO, filters.GOTO, filters.GOTO_HELP)

    @on(LineBar.Submitted)
    def _submitted(self, event: LineBar.Submitted) -> None:
        event.stop()
        bar = self.query_one(LineBar)
        try:
            if event.purpose == FILTER:
                self.narrow(event.text)
            elif event.purpose == FIND:
                self.find(event.text)
            else:
                self.go_to(filtering.number(event.text))
        except BadInput as error:
            bar.refuse(error.message)
        else:
            bar.close(self.paged)

    def _seats(self) -> tuple[str, ...]:
        seats = () if self.seen is None else self.seen.overview.seats
        return tuple(signs.seat(seat.seat) for seat in seats)

    # Keys.

    @property
    def seat_in_hand(self) -> str | None:
        """Whose queue is listed, else who wrote the message under the cursor."""
        if self.is_queue:
            return self.wanted.seat
        sender = None if self.opened is None else self.opened.message.sender
        seats = () if self.seen is None else self.seen.overview.seats
        return sender if any(seat.seat == sender for seat in seats) else None

    def action_write(self) -> None:
        """Write a message, to the seat whose queue is listed where one is."""
        to = self.wanted.seat if self.is_queue and self.showing == "messages" else None
        self.panel.write_message("" if to in (None, USER) else str(to))

    def copied(self) -> str | None:
        opened = self.opened
        return None if opened is None else f"#{opened.message.id} {opened.message.title}".strip()

    def action_copy_whole(self) -> None:
        """Give the text of the message to the clipboard, with nothing unseen in it."""
        if self.opened is None or not self.opened.message.body:
            self.panel.say(words.NO_TEXT_TO_COPY, "warning")
            return
        self.app.copy_to_clipboard(neutral.block(self.opened.message.body, limit=None))
        self.panel.say(words.copied_text(self.opened.message.id))

    def action_order(self) -> None:
        """Turn the list of messages round."""
        self.show_list("messages")
        self.order(newest_first=not self.newest_first)

    def action_thread(self) -> None:
        """List the whole thread of the message under the cursor, or go back to the list."""
        number = self.number
        if self.showing == "thread":
            self.show_list("messages")
        elif number is not None:
            self.open_thread(number)

    def leave_open(self) -> bool:
        """One step back: what is typed, what is read, what is listed, the filter."""
        bar = self.query_one(LineBar)
        if bar.is_open:
            bar.close(self.paged)
        elif self.pane_has_attention():
            self.close_pane()
            self.set_focus(self.paged)
        elif self.showing != "messages":
            self.stop_stream()
            self.show_list("messages")
        elif self.filter_text:
            self.narrow("")
            self.show_title()
        else:
            return False
        return True

    def is_left(self) -> bool:
        # A widget hears later than its screen that it lost the focus.
        reading = self.focused is self.pane or self.has_class(READING)
        return not (reading or self.showing != "messages" or self.filter_text)

    @on(PagedList.RowHighlighted)
    def _row_highlighted(self, event: PagedList.RowHighlighted) -> None:
        if event.paged_list is self.paged:
            self._point_at(event.key)

    @on(PagedList.RowSelected)
    def _row_selected(self, event: PagedList.RowSelected) -> None:
        self._point_at(event.key)
        self.open_pane()
        if not self.is_queue:
            # Who reads on here has come to stay.
            self.panel.ways_back.clear()

    def show_list(self, showing: Showing) -> None:
        super().show_list(showing)
        row = self.paged.row
        self._point_at(None if row is None else row.key)

    def _point_at(self, number: int | None) -> None:
        self.point_at(number)
        self.take_message(number)
