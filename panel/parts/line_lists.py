"""The lists of the journal mode: every line, or those that a filter lets through. One is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from textual import on
from textual.app import ComposeResult

from panel import filtering
from panel.asking import Asking
from panel.asks import lines as asks
from panel.asks.lines import BadLine, LineFilter
from panel.parts.streaming import Stream, Streaming
from panel.present import ages
from panel.present import lines as present
from panel.safe_text import line
from panel.screens.mode import ModeScreen
from panel.snapshot import Snapshot
from panel.widgets.paged_list import PagedList, Row
from panel.words import journal as words
from panel.words import queue
from state.errors import StateError
from state.history.queries import LineRow
from state.index.view import View


class LineLists(ModeScreen, Streaming, Asking):
    """Line 1 stands at position 0, so that new lines change no position."""

    def __init__(self) -> None:
        super().__init__()
        self.filter_text = ""
        self._rev = 0

    def compose_lists(self) -> ComposeResult:
        """The two lists, of which one is on the screen."""
        for name, empty in (("lines", words.EMPTY), ("through", words.LOOKING)):
            yield PagedList(
                present.COLUMNS,
                empty=line(empty),
                waiting=line(words.READING),
                newest_first=name == "lines",
                id=name,
                classes="-shown" if name == "lines" else "",
            )

    @property
    def paged(self) -> PagedList:
        """The list that is on the screen."""
        return self.query_one("#through" if self.filter_text else "#lines", PagedList)

    def now(self) -> datetime:
        """The present time by the app's clock."""
        return ages.parsed(self.panel.clock.now())

    def show(self, snapshot: Snapshot) -> None:
        """A newer picture: more lines, and never other ones."""
        super().show(snapshot)
        first, self._rev = self._rev == 0, snapshot.rev
        lines = self.query_one("#lines", PagedList)
        for paged in self.query(PagedList):
            paged.number_to(snapshot.rev)
        if first or snapshot.rev < lines.count:
            lines.set_source(snapshot.rev, snapshot.rev - 1)
        else:
            lines.grow(snapshot.rev)
        self.show_title()

    def tick(self) -> None:
        super().tick()
        if self.is_mounted:
            self.paged.tick()

    def show_title(self) -> None:
        """Say over the list what it is; the mode knows where."""

    def title_of(self) -> str:
        """What the list on the screen is, in words."""
        if not self.filter_text or self.stream is None:
            return f"{words.ALL_LINES}: {self._rev:,} · {words.NEWEST_FIRST}"
        stream = self.stream
        said = words.filtered(self.filter_text, len(stream.found), stream.share)
        return f"{said} · {stream.why}" if stream.why else said

    # A filter.

    def narrow(self, text: str) -> None:
        """Show what this filter lets through. BadInput when it isn't understood."""
        seats = () if self.seen is None else self.seen.overview.seats
        wanted = filtering.of_lines(text, [seat.seat for seat in seats], self.now())
        self.filter_text = " ".join(text.split())
        self.stop_stream()
        if self.filter_text:
            self._look_through(wanted)
        for paged in self.query(PagedList):
            paged.set_class(paged is self.paged, "-shown")
        self.set_focus(self.paged)
        self.show_title()

    def _look_through(self, wanted: LineFilter) -> None:
        def produce(view: View, stream: Stream) -> Iterator[LineRow | BadLine]:
            def told(share: float) -> None:
                stream.progress.share = share

            return asks.through(view, wanted, told, stream.is_off)

        paged = self.query_one("#through", PagedList)
        paged.set_source(0)
        paged.say_empty(line(words.LOOKING))
        self.start_stream(self.panel.bridge, Stream(produce, self._show_through))

    def _show_through(self, stream: Stream) -> None:
        paged = self.query_one("#through", PagedList)
        if stream.found:
            paged.grow(len(stream.found))
        elif stream.over:
            none_found = words.none_found(self.panel.key("go.back"))
            paged.say_empty(line(queue.NO_HITS if stream.why else none_found))
        self.show_title()

    @on(PagedList.PageWanted, "#through")
    def _found_wanted(self, event: PagedList.PageWanted) -> None:
        found = [] if self.stream is None else self.stream.found
        rows = [self._row(one) for one in found[event.first : event.first + event.count]]
        assert isinstance(event.paged_list, PagedList)
        event.paged_list.put_page(event.first, rows, event.generation)

    # Every line.

    @on(PagedList.PageWanted, "#lines")
    def _page_wanted(self, event: PagedList.PageWanted) -> None:
        paged, first, generation = event.paged_list, event.first, event.generation
        assert isinstance(paged, PagedList)

        def then(found: Sequence[LineRow | BadLine]) -> None:
            paged.put_page(first, [self._row(one) for one in found], generation)

        def failed(error: StateError) -> None:
            paged.page_failed(first, generation)
            self.panel.say(error.message, "error")

        self.ask(f"lines {first}", asks.page(first, event.count), then, failed)

    def _row(self, found: LineRow | BadLine) -> Row:
        if isinstance(found, BadLine):
            return present.bad_row(found.rev, found.why)
        return present.row(found, self.now)
