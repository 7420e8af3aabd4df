"""Looking for text in all messages: hits come into the list as they are found, newest first."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message

from panel.asks import messages as asks
from panel.parts.message_lists import MessageLists
from panel.present import ages
from panel.present import messages as present
from panel.safe_text import line
from panel.widgets.paged_list import PagedList
from panel.words import filters
from panel.words import queue as words
from state.errors import BadInput, StateError
from state.index.view import View
from state.messages.listing import Filter, MessageRow
from state.messages.search import Hit, Progress, search

if TYPE_CHECKING:
    from panel.bridge import Bridge

# More than a person looks through; a search for one letter would find everything.
ENOUGH = 10_000
BETWEEN_SECONDS = 0.05


class _Look:
    """One search: what for, how far it has come, and whether it was called off."""

    def __init__(self, query: str, wanted: Filter) -> None:
        self.query = query
        self.wanted = wanted
        self.progress = Progress()
        self.cancelled = threading.Event()
        self.over = False
        self.why = ""


class _Found(Message, bubble=False):
    def __init__(self, look: _Look, hits: Sequence[Hit], over: bool, why: str = "") -> None:
        super().__init__()
        self.look = look
        self.hits = hits
        self.over = over
        self.why = why


class Finding(MessageLists):
    """Keeps the hits of the last search, until the next."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Hit] = []
        self._look: _Look | None = None

    @property
    def query_text(self) -> str:
        """What was looked for last."""
        return "" if self._look is None else self._look.query

    def find(self, query: str) -> None:
        """Look for a text in what the filter lets through. BadInput when there is no text."""
        if not query.strip():
            raise BadInput(filters.NOTHING_TO_FIND)
        self.stop_finding()
        self.found = []
        paged = self.query_one("#hits", PagedList)
        paged.set_source(0)
        paged.say_empty(line(words.LOOKING))
        self._look = look = _Look(query, self.wanted)
        self.show_list("hits")
        bridge = self.panel.bridge
        if bridge is not None:
            self._search(bridge, look)

    def stop_finding(self) -> None:
        """Call the search off; what was found so far stays."""
        if self._look is not None and not self._look.over:
            self._look.cancelled.set()

    def on_unmount(self) -> None:
        self.stop_finding()

    @work(thread=True, group="find", exit_on_error=False)
    def _search(self, bridge: Bridge, look: _Look) -> None:
        told = 0.0
        waiting: list[Hit] = []

        def tell() -> None:
            nonlocal told, waiting
            told = time.monotonic()
            self.post_message(_Found(look, waiting, False))
            waiting = []

        def cancelled() -> bool:
            if time.monotonic() - told >= BETWEEN_SECONDS:
                tell()
            return look.cancelled.is_set()

        def ask(view: View, _: str) -> str:
            count = 0
            for hit in search(view, look.query, look.wanted, cancelled, look.progress):
                waiting.append(hit)
                count += 1
                if count >= ENOUGH:
                    return words.ENOUGH
                if cancelled():
                    return words.STOPPED_BY_HAND
            return words.STOPPED_BY_HAND if look.cancelled.is_set() else ""

        try:
            why = bridge.ask(ask)
        except StateError as error:
            why = error.message
        self.post_message(_Found(look, waiting, True, why))

    @on(_Found)
    def _take_found(self, event: _Found) -> None:
        if event.look is not self._look:
            return
        paged = self.query_one("#hits", PagedList)
        event.look.over, event.look.why = event.over, event.why
        if event.hits:
            self.found += event.hits
            paged.grow(len(self.found))
        elif event.over and not self.found:
            paged.say_empty(line(words.NO_HITS))
        if self.showing == "hits":
            self.show_title()

    @on(PagedList.PageWanted, "#hits")
    def _hits_wanted(self, event: PagedList.PageWanted) -> None:
        paged, first, generation = event.paged_list, event.first, event.generation
        assert isinstance(paged, PagedList)
        hits = self.found[first : first + event.count]

        def then(rows: Sequence[MessageRow]) -> None:
            made = [present.hit(row, hit, self.now) for row, hit in zip(rows, hits, strict=False)]
            paged.put_page(first, made, generation)

        def failed(error: StateError) -> None:
            paged.page_failed(first, generation)
            self.panel.say(error.message, "error")

        self.ask(f"hits {first}", asks.rows([hit.id for hit in hits]), then, failed)

    def found_title(self) -> str:
        """How far the search has come, in words."""
        look = self._look
        if look is None:
            return ""
        if look.why:
            return words.stopped(look.query, len(self.found), look.why)
        share = None if look.over else ages.share(int(look.progress.share * 1000), 1000)
        return words.finding(look.query, len(self.found), share)
