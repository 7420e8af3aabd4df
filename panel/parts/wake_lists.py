"""The lists of the wake mode: every seat that can be woken, and of one the messages with "why"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from panel import safe_text
from panel.asking import Asking
from panel.asks import wake_why as asks
from panel.asks.wake_why import Addressed, Why
from panel.present import ages
from panel.present import wake as present
from panel.present.wake import Looked
from panel.screens.mode import ModeScreen
from panel.snapshot import Snapshot
from panel.widgets.item_list import ItemList
from panel.widgets.paged_list import PagedList
from panel.words import wake_mode as words
from state.errors import StateError

# Messages whose intents are kept at hand, for the keys that act on one.
KEPT = 400


class WakeLists(ModeScreen, Asking):
    """`seat` is the one under the cursor of the windows, whose messages are listed beside."""

    def __init__(self) -> None:
        super().__init__()
        self.seat: str | None = None
        self._addressed: Addressed | None = None
        self._whys: dict[int, Why] = {}
        self._listed_rev = 0
        self._looked: Looked | None = None
        self._answer = Content("")

    def compose_windows(self) -> ComposeResult:
        """The table of windows."""
        no_agents = words.no_agents(self.panel.key("seat.menu"), self.panel.key("seat-menu.add"))
        yield ItemList(present.COLUMNS, empty=safe_text.block(no_agents), id="windows")

    def compose_whys(self) -> ComposeResult:
        """The list of messages, and under it the whole answer for the one under the cursor."""
        with Vertical(id="why"):
            yield PagedList(
                present.WHY_COLUMNS,
                empty=safe_text.line(words.NO_MESSAGES),
                waiting=safe_text.line(words.READING),
                newest_first=True,
                id="whys",
            )
            yield Static(id="answer")

    @property
    def windows(self) -> ItemList:
        """The table of windows."""
        return self.query_one("#windows", ItemList)

    @property
    def whys(self) -> PagedList:
        """The messages to the seat under the cursor."""
        return self.query_one("#whys", PagedList)

    # What time makes of it.

    def looked(self) -> Looked:
        """Every window at this second: worked out once for all that shows it."""
        if self._looked is None:
            assert self.seen is not None
            moment = self.panel.clock.moment()
            shown = self.seen.overview.wakes.shown(moment)
            self._looked = Looked(shown, moment, ages.parsed(moment.utc))
        return self._looked

    def tick(self) -> None:
        super().tick()
        self._looked = None
        if self.is_mounted and self.seen is not None:
            self.windows.tick()
            self.whys.tick()

    # The picture.

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        self._looked = None
        seats = present.listed(snapshot.overview)
        self.windows.show([present.item(seat, self.looked) for seat in seats])
        safe_text.border_title(self.windows, present.title(self.looked().shown))
        if not seats:
            self.whys.say_empty(safe_text.line(words.NOBODY_SEATED))
            self.whys.set_source(0)
        if snapshot.rev != self._listed_rev:
            self._listed_rev = snapshot.rev
            self.whys.number_to(snapshot.rev)
            self._list_whys(refresh=True)

    def choose_seat(self, seat: str | None) -> None:
        """The cursor came to another seat: its messages are listed from the newest on."""
        if seat == self.seat:
            return
        self.seat = seat
        self._addressed = None
        self._whys.clear()
        self.forget("addressed")
        self.whys.say_empty(safe_text.line(words.NO_MESSAGES))
        self.whys.set_source(0)
        self.whys_came()
        self._list_whys()

    def why_in_hand(self) -> Why | None:
        """What is known of the message under the cursor of the list."""
        row = self.whys.row
        return None if row is None else self._whys.get(row.key)

    def _list_whys(self, *, refresh: bool = False) -> None:
        seat = self.seat
        if seat is None:
            return
        row = self.whys.row
        kept = None if row is None else row.key

        def then(found: Addressed) -> None:
            if seat != self.seat:
                return
            fresh, self._addressed = self._addressed is None, found
            newest = self.whys.position >= self.whys.count - 1
            if fresh:
                self.whys.set_source(found.count, found.count - 1)
            elif newest and not self.whys.has_focus:
                # Nobody has moved it: the newest answer stays in sight.
                self.whys.refresh_source(found.count)
                self.whys.jump(found.count - 1)
            else:
                here = self.whys.row
                stays = here is None or here.key == kept
                self.whys.refresh_source(found.count, found.position if stays else None)
            safe_text.border_title(self.whys, words.why_of(seat, found.count))

        self.ask("addressed", asks.addressed(seat, kept), then, refresh=refresh)

    @on(PagedList.PageWanted, "#whys")
    def _page_wanted(self, event: PagedList.PageWanted) -> None:
        paged, first, generation = self.whys, event.first, event.generation
        seat = self.seat
        if self._addressed is None or seat is None:
            paged.page_failed(first, generation)
            return

        def then(found: Sequence[Why]) -> None:
            if seat != self.seat:
                return
            if len(self._whys) > KEPT:
                self._whys.clear()
            self._whys.update((one.message, one) for one in found)
            paged.put_page(first, [present.why(one, self._now) for one in found], generation)
            self.whys_came()

        def failed(error: StateError) -> None:
            paged.page_failed(first, generation)
            self.panel.say(error.message, "error")

        self.ask(
            f"whys {first}", asks.page(seat, first, event.count, self._addressed), then, failed
        )

    def whys_came(self) -> None:
        """More is known of the messages: keys may act that did not."""
        found = present.answer(self.why_in_hand())
        if not found.is_same(self._answer):
            self._answer = found
            # It has a height of its own, so nothing is laid out anew.
            self.query_one("#answer", Static).update(found, layout=False)

    def _now(self) -> datetime:
        return self.looked().now
