"""Answers that come one after the other, shown as they come, called off at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer

from panel.present import ages
from panel.words import queue as words
from state.clock import Moment
from state.errors import StateError
from state.index.view import View
from state.messages.search import Progress

if TYPE_CHECKING:
    from panel.bridge import Bridge

# More than a person looks through; a search for one letter would find everything.
ENOUGH = 10_000
BETWEEN_SECONDS = 0.05
# Sooner there is little to show, and a frame with it holds up the next.
FIRST_SECONDS = 0.01
# Then the worker stands aside so long: where much is found it would keep the screen from drawing.
ASIDE_SECONDS = 0.03

Produce = Callable[[View, "Stream"], Iterator[Any]]


class Stream:
    """One question with many answers: those found so far, how far it has come, why it ended.

    `progress` is written by the worker that looks, the rest by the screen.
    """

    def __init__(self, produce: Produce, show: Callable[[Stream], None]) -> None:
        self.produce = produce
        self.show = show
        self.found: list[Any] = []
        self.progress = Progress()
        self.over = False
        self.why = ""
        self._off = threading.Event()

    @property
    def share(self) -> str | None:
        """How far it has come, as a person reads it; None when it is over."""
        return None if self.over else ages.share(int(self.progress.share * 1000), 1000)

    def call_off(self) -> None:
        """Look no further; what was found stays."""
        self._off.set()

    def is_off(self) -> bool:
        """Whether it was called off."""
        return self._off.is_set()

    def stand_aside(self) -> None:
        """Let the screen draw what was told of; ends sooner when it is called off."""
        self._off.wait(ASIDE_SECONDS)


class _Found(Message, bubble=False):
    def __init__(self, stream: Stream, found: list[Any], over: bool, why: str) -> None:
        super().__init__()
        self.stream = stream
        self.found = found
        self.over = over
        self.why = why


class Streaming(Screen[Any]):
    """A screen that looks for one thing at a time: a new stream calls the one before off."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.stream: Stream | None = None
        self._told: Timer | None = None

    def start_stream(self, bridge: Bridge | None, stream: Stream) -> None:
        """Let a worker look; `stream.show` is called whenever there is more to show."""
        self.stop_stream()
        self.stream = stream
        if bridge is not None:
            self._look(bridge, stream)
            self._told = self.set_interval(BETWEEN_SECONDS * 2, lambda: stream.show(stream))

    def stop_stream(self) -> None:
        """Call off what is being looked for."""
        if self.stream is not None:
            self.stream.call_off()
        if self._told is not None:
            self._told.stop()
            self._told = None

    def on_unmount(self) -> None:
        self.stop_stream()

    @work(thread=True, group="stream", exit_on_error=False)
    def _look(self, bridge: Bridge, stream: Stream) -> None:
        told = time.monotonic() - BETWEEN_SECONDS + FIRST_SECONDS
        waiting: list[Any] = []

        def tell(over: bool = False, why: str = "") -> None:
            nonlocal told, waiting
            told = time.monotonic()
            self.post_message(_Found(stream, waiting, over, why))
            waiting = []

        def look(view: View, _: Moment) -> str:
            for count, found in enumerate(stream.produce(view, stream), 1):
                waiting.append(found)
                if time.monotonic() - told >= BETWEEN_SECONDS:
                    tell()
                    stream.stand_aside()
                if count >= ENOUGH:
                    return words.ENOUGH
            return words.STOPPED_BY_HAND if stream.is_off() else ""

        try:
            why = bridge.ask(look)
        except StateError as error:
            why = error.message
        tell(over=True, why=why)

    @on(_Found)
    def _take_found(self, event: _Found) -> None:
        stream = event.stream
        if stream is self.stream:
            stream.found += event.found
            stream.over, stream.why = event.over, event.why
            if stream.over:
                self.stop_stream()
            stream.show(stream)
