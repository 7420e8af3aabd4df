"""The first screen: who needs you, who is seated, what waits where."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from panel import keys, safe_text
from panel.asks.overview import Beside, SeatDetail, beside
from panel.messages import Place
from panel.parts.message_actions import MessageActions
from panel.parts.wake_actions import WakeActions
from panel.present import ages, needs, recent, rows, seats
from panel.snapshot import RECENT, Snapshot
from panel.widgets.item_list import ItemList
from panel.widgets.reading_pane import put
from panel.words import overview as words
from panel.words import seats as seat_words
from state.command import USER

if TYPE_CHECKING:
    from state.messages.listing import MessageRow
    from state.roster.queries import Seat


# Of a title in a border, what stands before and behind it.
_TITLE_EDGES = 6


class OverviewScreen(MessageActions, WakeActions):
    """Mode 1. Letters act on the row under the cursor of the list that has the focus."""

    MODE = "overview"
    CSS_PATH = "overview.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("overview")]
    AUTO_FOCUS = "#needs"

    def __init__(self) -> None:
        super().__init__()
        self._everyone = False
        self._detail: SeatDetail | None = None
        self._waiting: Beside | None = None
        self._shown = Content("")
        self._listed: Sequence[MessageRow] | None = None

    def compose_body(self) -> ComposeResult:
        yield ItemList(needs.COLUMNS, header=False, id="needs")
        with Container(id="halves"):
            with Container(id="left"):
                yield ItemList(seats.COLUMNS, id="seats")
                yield ItemList(recent.COLUMNS, header=False, keep_top=True, id="recent")
            with VerticalScroll(id="detail"):
                yield Static(id="seat")

    def on_mount(self) -> None:
        safe_text.border_title(self._recent, words.QUEUE)
        self.query_one("#detail").can_focus = False

    # The picture.

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        self._needs.set_empty(needs.nobody(snapshot))
        self._needs.show(needs.items(snapshot, self._now, self.panel.key("list.open")))
        safe_text.border_title(self._needs, needs.title(snapshot))
        self._show_seats(snapshot)
        if snapshot.recent:
            self._show_recent(snapshot.recent)
        if self._waiting is not None:
            self._take_beside(self._waiting)
        self.after_frame(lambda: self._look_beside(refresh=True))

    def tick(self) -> None:
        for shown in (self._needs, self._seats, self._recent):
            shown.tick()
        self._show_detail()

    def _show_seats(self, snapshot: Snapshot) -> None:
        overview = snapshot.overview
        found = seats.shown(overview, self._everyone)
        items = [
            seats.item(seat, overview.looks.get(seat.seat), self._now, self._window)
            for seat in found
        ]
        self._seats.show(items)
        safe_text.border_title(self._seats, seats.title(overview))
        self._recent.set_empty(safe_text.block(self._first_step(len(overview.seats))))

    def _first_step(self, seats: int) -> str:
        """What a project without a message wants next: an agent, or a message."""
        key = self.panel.key
        if seats > 1:
            return words.no_messages(key("message.write"))
        return seat_words.no_agents(key("seat.menu"), key("seat-menu.add"))

    def _show_recent(self, messages: Sequence[MessageRow]) -> None:
        if messages == self._listed:
            return
        self._listed = messages
        if messages:
            self._recent.number_to(messages[0].id)
        self._recent.show([recent.item(message, self._now) for message in messages])

    def _look_beside(self, *, refresh: bool = False) -> None:
        seat = self.seat_in_hand
        self.ask(
            "beside",
            lambda view, now: beside(view, seat, RECENT, now),
            self._take_beside,
            refresh=refresh,
        )

    def _take_beside(self, found: Beside) -> None:
        """Nothing is shown that is newer than the picture; it waits for the next one."""
        self._waiting = found
        if self.seen is None or found.rev > self.seen.rev:
            return
        self._waiting = None
        self._show_recent(found.recent)
        self._detail = found.detail
        self._show_detail()

    def _show_detail(self) -> None:
        pane = self.query_one("#detail")
        name, found = "", safe_text.line(seat_words.NO_SEAT)
        if self._detail is not None and self.seen is not None:
            name = self._detail.seat.seat
            look = self.seen.overview.looks.get(name)
            width = max(pane.scrollable_content_region.width, 1)
            wakes = self.seen.overview.wakes.shown_of(name, self.panel.clock.moment())
            found = seats.detail(self._detail, look, wakes, self._now(), width)
        # Laying the text out anew costs more than making it.
        if not found.is_same(self._shown):
            put(self.query_one("#seat", Static), self._shown, found)
            self._shown = found
        called = safe_text.line(seats.called(name))
        room = max(pane.size.width - _TITLE_EDGES, 1)
        safe_text.border_title(pane, safe_text.fit_middle(called, room).plain.rstrip())

    # The cursor.

    @property
    def seat_in_hand(self) -> str | None:
        """The seat that the row under the cursor is about."""
        key = self._needs.key if self._needs.has_focus else None
        if isinstance(key, tuple) and key[0] not in (needs.HEALTH, needs.MORE):
            return str(key[0])
        return None if self._seats.key is None else str(self._seats.key)

    @on(ItemList.Highlighted)
    def _highlighted(self, event: ItemList.Highlighted) -> None:
        if event.item_list is not self._recent:
            self._look_beside()
        self.take_message(self._message())

    def on_descendant_focus(self) -> None:
        self._look_beside()
        self.take_message(self._message())

    def _message(self) -> int | None:
        """The message that the row under the cursor is, or is about."""
        if self._recent.has_focus:
            return self._recent.key if isinstance(self._recent.key, int) else None
        key = self._needs.key if self._needs.has_focus else None
        return key[1].id if isinstance(key, tuple) and isinstance(key[1].id, int) else None

    @on(ItemList.Opened)
    async def _opened(self, event: ItemList.Opened) -> None:
        key = event.key
        if event.item_list is self._seats:
            await self.panel.go(Place("queue", str(key)))
        elif event.item_list is self._recent and isinstance(key, int):
            await self.panel.go(Place("message", key))
        elif isinstance(key, tuple):
            await self.panel.go(key[1])

    def copied(self) -> str | None:
        if self._seats.has_focus:
            return None if self._seats.key is None else str(self._seats.key)
        shown = self._recent if self._recent.has_focus else self._needs
        row = shown.row
        return None if row is None else rows.as_text(row)

    def open_place(self, place: Place) -> None:
        """Put the cursor on a seat, also one that is hidden."""
        self._seats.move_to(place.id)
        if self._seats.key != place.id and self.seen is not None:
            self._everyone = True
            self._show_seats(self.seen)
            self._seats.move_to(place.id)
        self._seats.focus()

    def action_show_hidden(self) -> None:
        """Takes hidden and inactive seats into the table, or leaves them out."""
        self._everyone = not self._everyone
        if self.seen is not None:
            self._show_seats(self.seen)
        self.panel.say(words.everyone(self._everyone))

    def action_write(self) -> None:
        """Write a message, to the agent under the cursor where there is one."""
        seat = self._seats.key if self._seats.has_focus else None
        self.panel.write_message("" if seat in (None, USER) else str(seat))

    async def action_filter(self) -> None:
        """Narrow the list of all messages: here there is only the newest of it."""
        await self.panel.visit("queue")
        await self.panel.screen.run_action("screen.filter")

    def leave_open(self) -> bool:
        """Go back to what needs the person."""
        if self._needs.has_focus:
            return False
        self._needs.focus()
        return True

    def _window(self, seat: Seat) -> str | None:
        """The state of a seat's window at this moment."""
        if self.seen is None:
            return seat.window
        shown = self.seen.overview.wakes.shown_of(seat.seat, self.panel.clock.moment())
        return seat.window if shown is None else shown.state

    # Parts.

    @property
    def _needs(self) -> ItemList:
        return self.query_one("#needs", ItemList)

    @property
    def _seats(self) -> ItemList:
        return self.query_one("#seats", ItemList)

    @property
    def _recent(self) -> ItemList:
        return self.query_one("#recent", ItemList)

    def _now(self) -> datetime:
        return ages.parsed(self.panel.clock.now())
