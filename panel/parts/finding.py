"""Looking for text in all messages: hits come into the list as they are found, newest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual import on

from panel.asks import messages as asks
from panel.parts.message_lists import MessageLists
from panel.parts.streaming import Stream, Streaming
from panel.present import messages as present
from panel.safe_text import line
from panel.widgets.paged_list import PagedList
from panel.words import filters
from panel.words import queue as words
from state.errors import BadInput, StateError
from state.index.view import View
from state.messages import listing
from state.messages.listing import MessageRow
from state.messages.search import Hit, search

# As many as a large screen shows: they come with their rows, so that the list needn't ask for them.
FIRST = 40


class _Found(NamedTuple):
    hit: Hit
    row: MessageRow | None


class Finding(Streaming, MessageLists):
    """Keeps the hits of the last search, until the next."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_for = ""

    def find(self, query: str) -> None:
        """Look for a text in what the filter lets through. BadInput when there is no text."""
        if not query.strip():
            raise BadInput(filters.NOTHING_TO_FIND)
        self.looked_for = query
        wanted = self.wanted

        def produce(view: View, stream: Stream) -> Iterator[_Found]:
            hits = search(view, query, wanted, stream.is_off, stream.progress)
            for number, hit in enumerate(hits):
                rows = listing.of(view, [hit.id]) if number < FIRST else ()
                yield _Found(hit, rows[0] if rows else None)

        hits = self.query_one("#hits", PagedList)
        hits.set_source(0)
        hits.say_empty(line(words.LOOKING))
        self.start_stream(self.panel.bridge, Stream(produce, self._show_found))
        self.show_list("hits")

    def _show_found(self, stream: Stream) -> None:
        hits = self.query_one("#hits", PagedList)
        if stream.found:
            first = stream.found[:FIRST]
            if hits.row_at(len(first) - 1) is None:
                self._put_first(hits, first)
            hits.grow(len(stream.found))
        elif stream.over:
            hits.say_empty(line(words.NO_HITS))
        if self.showing == "hits":
            self.show_title()

    def _put_first(self, hits: PagedList, found: Sequence[_Found]) -> None:
        made = [present.hit(one.row, one.hit, self.now) for one in found if one.row is not None]
        hits.put_page(0, made, hits.generation)

    @on(PagedList.PageWanted, "#hits")
    def _hits_wanted(self, event: PagedList.PageWanted) -> None:
        paged, first, generation = event.paged_list, event.first, event.generation
        assert isinstance(paged, PagedList)
        found = [] if self.stream is None else self.stream.found[first : first + event.count]
        hits = [one.hit for one in found]

        def then(rows: Sequence[MessageRow]) -> None:
            made = [present.hit(row, hit, self.now) for row, hit in zip(rows, hits, strict=False)]
            paged.put_page(first, made, generation)

        def failed(error: StateError) -> None:
            paged.page_failed(first, generation)
            self.panel.say(error.message, "error")

        self.ask(f"hits {first}", asks.rows([hit.id for hit in hits]), then, failed)

    def found_title(self) -> str:
        """How far the search has come, in words."""
        stream = self.stream
        if stream is None:
            return ""
        if stream.why:
            return words.stopped(self.looked_for, len(stream.found), stream.why)
        return words.finding(self.looked_for, len(stream.found), stream.share)
