"""The lists of the queue mode: all messages by a filter, a thread, what was found. One is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from textual import on
from textual.app import ComposeResult

from panel import filtering
from panel.asking import Asking
from panel.asks import messages as asks
from panel.asks.messages import Listed
from panel.present import ages
from panel.present import messages as present
from panel.safe_text import line
from panel.screens.mode import ModeScreen
from panel.snapshot import Snapshot
from panel.widgets.paged_list import PagedList
from panel.words import queue as words
from panel.words import signs
from state.errors import StateError
from state.messages.listing import Filter, MessageRow
from state.messages.threads import Branch

Showing = Literal["messages", "thread", "hits"]


class MessageLists(ModeScreen, Asking):
    """What is listed, and the rows of it that are asked for as they come into sight."""

    def __init__(self) -> None:
        super().__init__()
        self.showing: Showing = "messages"
        self.wanted = Filter()
        self.filter_text = ""
        self.newest_first = True
        self.listed: Listed | None = None
        self.thread: Sequence[Branch] = ()
        self.thread_of = 0
        self._rev = 0
        # A message that the cursor is to go to, until it is known where that is.
        self._sought: int | None = None

    def compose_lists(self) -> ComposeResult:
        """The three lists, of which one is on the screen."""
        waiting = line(words.READING)
        for name, empty in (
            ("messages", self._empty()),
            ("thread", words.READING),
            ("hits", words.NO_HITS),
        ):
            yield PagedList(
                present.HIT_COLUMNS if name == "hits" else present.COLUMNS,
                empty=line(empty),
                waiting=waiting,
                newest_first=name == "messages",
                id=name,
                classes="-shown" if name == "messages" else "",
            )

    @property
    def paged(self) -> PagedList:
        """The list that is on the screen."""
        return self.query_one(f"#{self.showing}", PagedList)

    @property
    def messages(self) -> PagedList:
        """The list of all messages."""
        return self.query_one("#messages", PagedList)

    def now(self) -> datetime:
        """The present time by the app's clock."""
        return ages.parsed(self.panel.clock.now())

    def show_list(self, showing: Showing) -> None:
        """Bring one of the lists to the screen and the keys to it."""
        self.showing = showing
        for paged in self.query(PagedList):
            paged.set_class(paged.id == showing, "-shown")
        self.set_focus(self.paged)
        self.show_title()

    def show_title(self) -> None:
        """Say over the list what it is; the mode knows where."""

    # All messages, by a filter.

    def narrow(self, text: str) -> None:
        """Show what this filter lets through. BadInput when it isn't understood."""
        # Before the first picture was drawn here, there is one all the same.
        snapshot = self.seen or self.panel.snapshot
        seats = [] if snapshot is None else [seat.seat for seat in snapshot.overview.seats]
        self.wanted = filtering.of_messages(text, seats, self.now())
        self.filter_text = " ".join(text.split())
        self.listed = None
        self.messages.say_empty(line(self._empty()))
        self.reload()

    def _empty(self) -> str:
        if not self.filter_text:
            return words.empty(self.panel.key("message.write"))
        return words.EMPTY_QUEUE if self.is_queue else words.none_left(self.panel.key("go.back"))

    @property
    def is_queue(self) -> bool:
        """Whether what is listed is one seat's queue."""
        wanted = self.wanted
        return wanted == Filter(seat=wanted.seat, state="unread") and wanted.seat is not None

    def reload(self, number: int | None = None, *, refresh: bool = False) -> None:
        """Ask how long the list is now; with a number, bring the cursor to that message.

        Without one, the cursor stays on its message.
        """
        if number is not None:
            self._sought = number
        sought = self._sought
        kept = self._message_at_cursor() if sought is None else sought

        def then(found: Listed) -> None:
            if sought is None and self._message_at_cursor() != kept:
                # The cursor went on while the answer was on its way: a key counts more.
                found = replace(found, position=None)
            self._sought = None
            self._take_listed(found, sought)

        self.ask("list", asks.listed(self.wanted, kept), then, refresh=refresh)

    def _message_at_cursor(self) -> int | None:
        row = self.messages.row
        return None if row is None else row.key

    def _take_listed(self, found: Listed, number: int | None) -> None:
        fresh, self.listed = self.listed is None, found
        if fresh:
            self.messages.set_source(found.count, found.position)
        else:
            self.messages.refresh_source(found.count, found.position)
        if number is not None:
            if found.position is None:
                self.panel.say(words.no_message(number), "warning")
            else:
                self.messages.jump(found.position)
        self.show_title()

    def order(self, *, newest_first: bool) -> None:
        """Show the newest message at the top, or the oldest."""
        self.newest_first = newest_first
        self.messages.order(newest_first=newest_first)
        self.show_title()

    # A thread.

    def open_thread(self, number: int) -> None:
        """List the whole thread of a message, with the cursor on it."""
        self.thread_of = number

        def then(branches: Sequence[Branch]) -> None:
            self.thread = branches
            numbers = [branch.id for branch in branches]
            paged = self.query_one("#thread", PagedList)
            paged.set_source(len(branches), numbers.index(number) if number in numbers else 0)
            self.show_list("thread")

        self.ask("thread", asks.thread(number), then)

    def _refresh_thread(self) -> None:
        def then(branches: Sequence[Branch]) -> None:
            self.thread = branches
            self.query_one("#thread", PagedList).refresh_source(len(branches))
            self.show_title()

        self.ask("thread", asks.thread(self.thread_of), then, refresh=True)

    # Rows.

    def show(self, snapshot: Snapshot) -> None:
        """A newer picture: what is listed is asked for again where the journal went on."""
        if snapshot.rev == self._rev:
            return
        self._rev = snapshot.rev
        for paged in self.query(PagedList):
            paged.number_to(snapshot.rev)
        self.reload(refresh=self.listed is not None)
        if self.showing == "thread":
            self._refresh_thread()

    def tick(self) -> None:
        """Ages read otherwise after a while."""
        if self.is_mounted:
            self.paged.tick()

    @on(PagedList.PageWanted, "#messages")
    def _page_wanted(self, event: PagedList.PageWanted) -> None:
        if self.listed is not None:
            question = asks.page(self.wanted, event.first, event.count, self.listed)
            self._ask_rows(event, question, [])

    @on(PagedList.PageWanted, "#thread")
    def _branches_wanted(self, event: PagedList.PageWanted) -> None:
        branches = self.thread[event.first : event.first + event.count]
        self._ask_rows(event, asks.rows([branch.id for branch in branches]), branches)

    def _ask_rows(
        self,
        event: PagedList.PageWanted,
        question: asks.RowsQuestion,
        branches: Sequence[Branch],
    ) -> None:
        paged, first, generation = event.paged_list, event.first, event.generation
        assert isinstance(paged, PagedList)
        depths = {branch.id: branch.depth for branch in branches}

        def then(found: Sequence[MessageRow]) -> None:
            made = [present.row(one, self.now, depths.get(one.id, 0)) for one in found]
            paged.put_page(first, made, generation)

        def failed(error: StateError) -> None:
            paged.page_failed(first, generation)
            self.panel.say(error.message, "error")

        self.ask(f"{paged.id} {first}", question, then, failed)

    def title_of(self) -> str:
        """What the list on the screen is, in words."""
        count = 0 if self.listed is None else self.listed.count
        if self.showing == "thread":
            return f"{words.thread_of(self.thread_of)} · {words.messages(len(self.thread))}"
        ordered = words.NEWEST_FIRST if self.newest_first else words.OLDEST_FIRST
        if self.is_queue:
            assert self.wanted.seat is not None
            whose = signs.whose(self.wanted.seat)
            return f"{words.queue_of(whose, count)} · {ordered} · {words.LOOKING_CHANGES_NOTHING}"
        if self.filter_text:
            return f"{words.messages(count)} · {ordered} · {words.filtered(self.filter_text)}"
        return f"{words.ALL_MESSAGES}: {count:,} · {ordered}"
