"""The requests of the skills mode, paged from the index; through a filter, as they are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from textual import on

from panel.asking import Asking
from panel.asks import skills as asks
from panel.asks.skills import Counted, ListedRequest, ProfileLook
from panel.parts.streaming import Stream, Streaming
from panel.present import ages
from panel.present import skills_rows as present
from panel.safe_text import block, line
from panel.screens.mode import ModeScreen
from panel.widgets.paged_list import PagedList
from panel.words import queue
from panel.words import skills_screen as words
from state.errors import StateError
from state.index.view import View
from state.routing.listing import RequestRow

# More than the list itself holds at a time.
KNOWN = 4_000


class SkillRequests(ModeScreen, Streaming, Asking):
    """The newest request stands at position 0; one that is written about moves there."""

    def __init__(self) -> None:
        super().__init__()
        self.look = ProfileLook()
        self.wanted_words = ""
        self._counted: Counted | None = None
        self._mark: object = None
        self._known: dict[int, RequestRow] = {}

    def compose_requests(self) -> PagedList:
        """The list itself."""
        return PagedList(
            present.REQUEST_COLUMNS,
            empty=block(words.NO_REQUESTS),
            waiting=line(words.READING),
            id=words.REQUESTS,
            classes="part",
        )

    @property
    def requests(self) -> PagedList:
        """The list of requests."""
        return self.query_one(f"#{words.REQUESTS}", PagedList)

    def now(self) -> datetime:
        """The present time by the app's clock."""
        return ages.parsed(self.panel.clock.now())

    @property
    def request_in_hand(self) -> RequestRow | None:
        """The request under the cursor, None while there is none or it isn't known."""
        row = self.requests.row
        return None if row is None else self._known.get(row.key)

    def _id_in_hand(self) -> str | None:
        found = self.request_in_hand
        return None if found is None else found.request

    def request_title(self) -> str:
        """How many are listed, and how far a filter has come."""
        if self.stream is not None and self.wanted_words:
            found = len(self.stream.found)
            return words.through(self.wanted_words, found, self.stream.share, self.stream.why)
        return words.requests(0 if self._counted is None else self._counted.count)

    def requests_changed(self) -> None:
        """What stands over the list reads otherwise; the mode knows where."""

    def requests_written(self) -> None:
        """Something was written of a request, or by a hook; the mode knows what to ask anew."""

    def look_again(self) -> None:
        """The files behind layer 1 may be others now."""
        self.look.again()
        self._mark = None

    def count_requests(self, *, refresh: bool = False) -> None:
        """Ask how many there are now; the cursor stays on its request."""
        kept = self._id_in_hand()

        def then(found: Counted) -> None:
            if self._id_in_hand() != kept:
                # The cursor went on while the answer was on its way: a key counts more.
                found = replace(found, position=None)
            self._take(found)

        self.ask("requests", asks.counted(kept), then, refresh=refresh)

    def _take(self, found: Counted) -> None:
        fresh, self._counted = self._counted is None, found
        if not fresh and found.mark == self._mark:
            return
        self._mark = found.mark
        self.requests_written()
        if self.wanted_words:
            return
        if fresh:
            self.requests.set_source(found.count, found.position)
        else:
            self.requests.refresh_source(found.count, found.position)
        self.requests_changed()

    # A filter.

    def narrow_requests(self, text: str) -> None:
        """Show those in whose rows all these words stand; "" shows all again."""
        self.stop_stream()
        self.stream = None
        self.wanted_words = text
        wanted = text.casefold().split()
        if not wanted:
            self.requests.say_empty(block(words.NO_REQUESTS))
            self._counted = None
            self.count_requests()
            return

        def lets_through(one: ListedRequest) -> bool:
            shown = present.request_text(one).casefold()
            return all(word in shown for word in wanted)

        def produce(view: View, stream: Stream) -> Iterator[ListedRequest]:
            def told(share: float) -> None:
                stream.progress.share = share

            return asks.through(view, lets_through, self.look, told, stream.is_off)

        self.requests.set_source(0)
        self.requests.say_empty(line(words.LOOKING))
        self.start_stream(self.panel.bridge, Stream(produce, self._show_through))

    def _show_through(self, stream: Stream) -> None:
        if stream.found:
            self.requests.grow(len(stream.found))
        elif stream.over:
            none_left = words.none_left(self.panel.key("go.back"))
            self.requests.say_empty(line(queue.NO_HITS if stream.why else none_left))
        self.requests_changed()

    # Rows.

    @on(PagedList.PageWanted, f"#{words.REQUESTS}")
    def _requests_wanted(self, event: PagedList.PageWanted) -> None:
        first, generation = event.first, event.generation
        if self.wanted_words:
            found = [] if self.stream is None else self.stream.found
            self._put(first, found[first : first + event.count], generation)
            return

        def then(found: Sequence[ListedRequest]) -> None:
            self._put(first, found, generation)

        def failed(error: StateError) -> None:
            self.requests.page_failed(first, generation)
            self.panel.say(error.message, "error")

        self.ask(f"requests {first}", asks.page(first, event.count, self.look), then, failed)

    def _put(self, first: int, found: Sequence[ListedRequest], generation: int) -> None:
        for one in found:
            key = present.request_key(one.row.request)
            self._known.pop(key, None)
            self._known[key] = one.row
        while len(self._known) > KNOWN:
            del self._known[next(iter(self._known))]
        made = [present.request(one, self.now) for one in found]
        self.requests.put_page(first, made, generation)
