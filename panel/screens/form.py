"""A form whose fields make one command: what was typed stays until the journal has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from panel import keys
from panel.messages import CommandRefused, CommandSaved
from panel.present import health
from panel.screens.dialog import Dialog
from panel.widgets.entry import Entry, refuse_at
from panel.widgets.safe_input import SafeInput
from panel.words import states
from state.command import Command
from state.errors import BadInput, RevisionConflict, StateError

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """One line to type: `name` is that of the error's `field`, `value` what stands there at first.

    `hint` says how it may be written.
    """

    name: str
    label: str
    value: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class FormSpec:
    """What a form asks, and the command that its texts make (BadInput names the field).

    `intro` says what the command does.
    """

    title: str
    intro: Content
    asks: Sequence[Asked]
    make: Callable[[Texts], Command]


class Form(Dialog[bool]):
    """Dismissed with True once it is saved, with None when it was left."""

    CONTEXT = "form"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("form")]
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Form.-low .intro { display: none; }
    """

    def __init__(self, spec: FormSpec) -> None:
        super().__init__()
        self._spec = spec
        self._inputs = {asked.name: SafeInput(asked.value, compact=True) for asked in spec.asks}
        self._under_way = False

    def heading(self) -> str:
        return self._spec.title

    def compose_body(self) -> ComposeResult:
        yield Static(self._spec.intro, classes="intro")
        for asked in self._spec.asks:
            yield Entry(asked.label, self._inputs[asked.name], asked.hint)

    def on_mount(self) -> None:
        next(iter(self._inputs.values())).focus()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if event.input is list(self._inputs.values())[-1]:
            self.action_send()
        else:
            self.focus_next(SafeInput)

    def action_send(self) -> None:
        """Make the command and send it; what is wrong with it is said where it is."""
        if self._under_way:
            return
        self._refuse(None)
        reason = health.why_not_written(self.seen)
        if reason is not None:
            self.say(reason, "warning")
            return
        try:
            command = self._spec.make({name: one.value for name, one in self._inputs.items()})
        except StateError as error:
            self._refuse(error)
            return
        self._under_way = True
        self.say(states.SAVING)
        self.panel.submit(command, sender=self)

    @on(CommandRefused)
    def _command_refused(self, event: CommandRefused) -> None:
        self._under_way = False
        if isinstance(event.error, RevisionConflict):
            self.leave(None)
        else:
            self._refuse(event.error)

    @on(CommandSaved)
    def _command_saved(self, event: CommandSaved) -> None:
        self.leave(True)

    def _refuse(self, error: StateError | None) -> None:
        """Put the error at the field that it names, else at the bottom; None takes it away."""
        self.say("")
        for entry in self.query(Entry):
            entry.accept()
        if error is None:
            return
        said = states.with_hint(error.message, error.hint)
        named = self._inputs.get(error.field or "") if isinstance(error, BadInput) else None
        if not refuse_at(self.query(Entry), named, said):
            self.say(said, "error")
