"""Mode 3: wake windows, and for each message why its seat was woken, or why not (W24-W26, W31)."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widget import Widget

from panel import keys, safe_text
from panel.asks import wake as asks
from panel.asks.wake import WakeDetail
from panel.messages import Place
from panel.parts.message_actions import MessageActions
from panel.parts.wake_deeds import WakeDeeds
from panel.present import rows
from panel.present import wake_details as present
from panel.snapshot import Snapshot
from panel.widgets.item_list import ItemList
from panel.widgets.paged_list import PagedList
from panel.widgets.reading_pane import ReadingPane
from panel.words import signs, states
from panel.words import wake_mode as words

# What takes the keys, and what is shown with it.
PARTS = {"windows": "windows", "whys": "why", "seat": "seat"}
ORDER = tuple(PARTS)
# A file that proved something changes without a line of the journal.
LOOKS_EVERY = 5
# What is older than a minute reads otherwise once a minute, at most so many seconds late.
DRAWS_EVERY = 5


class WakeScreen(MessageActions, WakeDeeds):
    """Windows above; under them the messages to the seat under the cursor, and all about it.

    Where there is no room for all, tab shows the other parts.
    """

    MODE = "wake"
    CSS_PATH = "wake.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("wake")]
    AUTO_FOCUS = "#windows"

    def __init__(self) -> None:
        super().__init__()
        self._ticks = 0
        self._said_trouble = ""
        self._sought: str | None = None

    def compose_body(self) -> ComposeResult:
        with Container(id="parts"):
            yield from self.compose_windows()
            with Horizontal(id="lower"):
                yield from self.compose_whys()
                yield ReadingPane(safe_text.line(words.NOTHING_OPEN, "$text-muted"), id="seat")

    def on_mount(self) -> None:
        self._arrange("windows")

    # The parts.

    @property
    def _pane(self) -> ReadingPane:
        return self.query_one("#seat", ReadingPane)

    def _part(self) -> str:
        """The part that has the keys."""
        focused = self.focused
        return focused.id if focused is not None and focused.id in PARTS else ORDER[0]

    def _arrange(self, part: str) -> None:
        """Show the parts that there is room for, this one among them."""
        wide = self.size.width >= 100
        low = self.size.height < 18
        lower = part if part != "windows" else "whys"
        for name, box in PARTS.items():
            widget = self.query_one(f"#{box}")
            if low:
                widget.display = name == part
            else:
                widget.display = wide or name in ("windows", lower)
        self.query_one("#lower").display = not low or part != "windows"

    def on_resize(self) -> None:
        self._arrange(self._part())

    def focus_next(self, selector: str | type[Widget] = "*") -> Widget | None:
        """The next part, also one that is not on the screen."""
        return self._turn(1)

    def focus_previous(self, selector: str | type[Widget] = "*") -> Widget | None:
        """The part before."""
        return self._turn(-1)

    def _turn(self, by: int) -> Widget | None:
        return self._turn_to(ORDER[(ORDER.index(self._part()) + by) % len(ORDER)])

    def _turn_to(self, part: str) -> Widget:
        self._arrange(part)
        widget = self.query_one(f"#{part}")
        self.set_focus(widget)
        return widget

    # The picture.

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        if self._sought is not None:
            self._go_to(self._sought)
        self._draw()
        if self.detail is None or self.detail.rev != snapshot.rev:
            self._look(refresh=True)

    def tick(self) -> None:
        super().tick()
        if self.seen is None or not self.is_mounted:
            return
        self._ticks += 1
        seldom = not self._ticks % DRAWS_EVERY
        if self.seat is not None:
            recent = present.ticks(self.seat, self.detail, self.looked())
            if seldom or recent or self._trouble() != self._said_trouble:
                self._draw()
        proved = self.detail is not None and self.detail.became
        if proved and not self._ticks % LOOKS_EVERY:
            self._look(refresh=True)

    def _look(self, *, refresh: bool = False) -> None:
        if self.seat is not None:
            self.ask("detail", asks.detail(self.seat), self._take, refresh=refresh)

    def _take(self, found: WakeDetail) -> None:
        if found.seat == self.seat:
            self.detail = found
            self._draw()

    def _draw(self) -> None:
        seat = self.seat
        if seat is None or self.seen is None:
            self._pane.clear()
        elif self._pane.key == seat:
            self._pane.draw()
        else:
            self._pane.show(seat, lambda width: self._drawn(seat, width))

    def _drawn(self, seat: str, width: int) -> Content:
        self._said_trouble = self._trouble()
        looked, trouble = self.looked(), self._said_trouble
        return present.whole(seat, self.detail, looked, trouble, width, self.panel.key)

    def _trouble(self) -> str:
        """Why this panel doesn't scan."""
        trouble = self.panel.scan_trouble
        return "" if trouble is None else states.with_hint(trouble.message, trouble.hint)

    # The cursor.

    @property
    def seat_in_hand(self) -> str | None:
        return self.seat

    @on(ItemList.Highlighted, "#windows")
    def _seat_highlighted(self, event: ItemList.Highlighted) -> None:
        seat = None if event.key is None else str(event.key)
        if seat != self.seat:
            self.detail = None
            self.choose_seat(seat)
            self._draw()
            self._look()
        self._keys_changed()

    @on(PagedList.RowHighlighted, "#whys")
    def _why_highlighted(self, event: PagedList.RowHighlighted) -> None:
        self._take_from_whys()

    def on_descendant_focus(self) -> None:
        self._take_from_whys()

    def whys_came(self) -> None:
        super().whys_came()
        self._keys_changed()

    def _take_from_whys(self) -> None:
        row = self.whys.row if self.whys.has_focus else None
        self.take_message(None if row is None else row.key)
        self.whys_came()

    @on(ItemList.Opened, "#windows")
    def _seat_opened(self) -> None:
        self._pane.scroll_home(animate=False)
        self._turn_to("seat")

    @on(PagedList.RowSelected, "#whys")
    async def _why_opened(self, event: PagedList.RowSelected) -> None:
        await self.panel.go(Place("message", event.key))

    def open_place(self, place: Place) -> None:
        """Put the cursor on a seat."""
        self._sought = str(place.id)
        self._turn_to("windows")
        if self.seen is not None:
            self._go_to(self._sought)

    def _go_to(self, seat: str) -> None:
        self.windows.move_to(seat)
        if self.windows.key == seat:
            self._sought = None

    # Keys.

    def copied(self) -> str | None:
        shown = self.whys if self.whys.has_focus else self.windows
        row = shown.row
        return None if row is None else rows.as_text(row)

    def action_write(self) -> None:
        """Write a message, to the seat under the cursor."""
        self.panel.write_message("" if self.seat is None else signs.seat(self.seat))

    async def action_filter(self) -> None:
        """Narrow the list of all messages: here each seat's list is whole."""
        await self.panel.visit("queue")
        await self.panel.screen.run_action("screen.filter")

    def leave_open(self) -> bool:
        """Go back to the windows."""
        if self._part() == "windows":
            return False
        self._turn_to("windows")
        return True
