"""Questions of a screen to the project: asked in workers, and of several answers the newest counts.

A screen mixes `Asking` in and calls `ask`; what comes back is given to `then`, in the screen's own
thread. An answer whose topic was asked again in the meantime is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from textual import on, work
from textual.message import Message
from textual.screen import Screen

from panel.widgets.later import later
from panel.words import states
from state.clock import Moment
from state.errors import StateError
from state.index.view import View

if TYPE_CHECKING:
    from panel.app import PanelApp
    from panel.bridge import Bridge

# What is asked after a picture waits for its frame: a thread that computes holds painting up.
AFTER_FRAME_SECONDS = 0.04

T = TypeVar("T")
Question = Callable[[View, Moment], T]


class _Ticket(NamedTuple):
    topic: str
    then: Callable[[Any], None]
    failed: Callable[[StateError], None]


class _Answered(Message, bubble=False):
    def __init__(self, ticket: _Ticket, answer: object, error: StateError | None) -> None:
        super().__init__()
        self.ticket = ticket
        self.answer = answer
        self.error = error


class Asking(Screen[None]):
    """A screen that asks without ever waiting."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._tickets: dict[str, _Ticket] = {}
        self._again: dict[str, Callable[[], None]] = {}

    def ask(
        self,
        topic: str,
        question: Question[T],
        then: Callable[[T], None],
        failed: Callable[[StateError], None] | None = None,
        *,
        refresh: bool = False,
    ) -> None:
        """Puts the question; `then` gets its answer unless the topic is asked again before that.

        `failed` gets the error where there is one; without it, the line at the bottom says it.
        With `refresh` an answer that is under way still counts, and the question is put after it:
        so a list that changes all the time is shown all the same.
        """
        if refresh and topic in self._tickets:
            self._again[topic] = lambda: self.ask(topic, question, then, failed)
            return
        self._again.pop(topic, None)
        bridge = cast("PanelApp", self.app).bridge
        if bridge is not None:
            ticket = _Ticket(topic, then, failed or self._say_error)
            self._tickets[topic] = ticket
            self._ask(bridge, ticket, question)

    def after_frame(self, ask: Callable[[], None]) -> None:
        """Calls `ask` once what was shown now is on the screen."""
        later(self, AFTER_FRAME_SECONDS, ask)

    def forget(self, topic: str) -> None:
        """The answer isn't wanted any more."""
        self._tickets.pop(topic, None)
        self._again.pop(topic, None)

    @work(thread=True, group="ask", exit_on_error=False)
    def _ask(self, bridge: Bridge, ticket: _Ticket, question: Question[object]) -> None:
        if self._tickets.get(ticket.topic) is not ticket:
            return
        try:
            self.post_message(_Answered(ticket, bridge.ask(question), None))
        except StateError as error:
            self.post_message(_Answered(ticket, None, error))

    @on(_Answered)
    def _take_answer(self, event: _Answered) -> None:
        ticket = event.ticket
        if self._tickets.get(ticket.topic) is not ticket:
            return
        del self._tickets[ticket.topic]
        if event.error is None:
            ticket.then(event.answer)
        else:
            ticket.failed(event.error)
        again = self._again.pop(ticket.topic, None)
        if again is not None and ticket.topic not in self._tickets:
            again()

    def _say_error(self, error: StateError) -> None:
        said = states.with_hint(error.message, error.hint)
        cast("PanelApp", self.app).say(said, severity="error")
