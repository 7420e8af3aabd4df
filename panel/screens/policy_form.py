"""W2: the form of a wake policy, each limit with its meaning, range and default."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from panel import keys, safe_text
from panel.asking import Asking
from panel.asks import wake as asks
from panel.asks.wake import PolicyNow
from panel.messages import CommandRefused, CommandSaved
from panel.policy_fields import ADAPTER, IN_FORCE, Field, fields, policy_from
from panel.present import health
from panel.screens.dialog import Dialog
from panel.snapshot import Snapshot
from panel.widgets.choice import Choice
from panel.widgets.entry import Entry, refuse_at
from panel.widgets.safe_input import SafeInput
from panel.words import signs, states
from panel.words import wake_mode as words
from state.errors import BadInput, RevisionConflict, StateError
from state.wake.policy import hash_of, text_of
from state.wake.window_commands import DisablePolicy, EnablePolicy, SetPolicy


class PolicyForm(Dialog[bool], Asking):
    """Dismissed with True once it is saved. What was typed stays when someone else is faster."""

    CONTEXT = "form"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("form")]
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    PolicyForm {
        & > #box { max-width: 100; }
        #fields { height: auto; }
        Entry {
            & .entry--label { width: 23; }
            & > .entry--about { padding: 0 0 0 23; }
        }
        &.-low .intro { display: none; }
        &.-narrow Entry > .entry--about { padding: 0 0 0 2; }
    }
    """

    def __init__(self, seat: str, *, to_arm: bool = False) -> None:
        super().__init__()
        self._seat = seat
        self._to_arm = to_arm
        self._known: PolicyNow | None = None
        self._controls: dict[str, SafeInput | Choice] = {}
        self._next: list[SetPolicy | EnablePolicy | DisablePolicy] = []
        self._under_way = False

    def heading(self) -> str:
        return words.policy_of(signs.seat(self._seat))

    def compose_body(self) -> ComposeResult:
        if self._to_arm:
            wanted = words.wanted_to_arm(self.panel.key("wake.arm"))
            yield Static(safe_text.line(wanted, "$text-warning"), id="wanted")
        yield Static(safe_text.block(words.POLICY_INTRO), classes="intro")
        yield Vertical(Static(safe_text.line(states.OPENING)), id="fields")

    def on_mount(self) -> None:
        self.name_box()
        self.ask("policy", asks.policy_now(self._seat), self._take, self._failed)

    def _take(self, known: PolicyNow) -> None:
        self._known = known
        self.call_later(self._fill, known)

    async def _fill(self, known: PolicyNow) -> None:
        holder = self.query_one("#fields")
        await holder.remove_children()
        await holder.mount_all(self._entries(known))
        next(iter(self._controls.values())).focus()

    def _entries(self, known: PolicyNow) -> Iterator[Widget]:
        for field in fields(known):
            control = _control(field)
            self._controls[field.name] = control
            yield Entry(field.label, control, field.hint)

    def _failed(self, error: StateError) -> None:
        self.say(states.with_hint(error.message, error.hint), "error")

    def show(self, snapshot: Snapshot) -> None:
        wake = snapshot.overview.wakes.seats.get(self._seat)
        if wake is None or self._known is None or self._under_way:
            return
        if wake.policy_revision != self._known.wake.policy_revision:
            self._look_again()

    def _look_again(self) -> None:
        self.ask("policy", asks.policy_now(self._seat), self._overtaken, self._failed, refresh=True)

    def _overtaken(self, known: PolicyNow) -> None:
        """Sent as it was, it would undo what nobody has looked at here: that is said first."""
        before, self._known = self._known, known
        if before is None or before.wake.policy_revision != known.wake.policy_revision:
            self.say(words.overtaken(known.wake.policy_revision), "warning")

    # Sending.

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if event.input is list(self._controls.values())[-1]:
            self.action_send()
        else:
            self.focus_next()

    def action_send(self) -> None:
        """Set what differs from the policy that is there; what is wrong is said where it is."""
        if self._under_way or self._known is None:
            return
        self._refuse(None)
        reason = health.why_not_written(self.seen)
        if reason is not None:
            self.say(reason, "warning")
            return
        try:
            self._next = self._commands(self._known)
        except StateError as error:
            self._refuse(error)
            return
        if self._next:
            self._send_next()
        else:
            self.say(words.NOTHING_CHANGED, "warning")

    def _commands(self, known: PolicyNow) -> list[SetPolicy | EnablePolicy | DisablePolicy]:
        wake, seen = known.wake, known.wake.policy_revision
        texts = {name: control.value for name, control in self._controls.items()}
        policy = policy_from(texts, known)
        found: list[SetPolicy | EnablePolicy | DisablePolicy] = []
        if hash_of(text_of(policy)) != wake.policy_hash:
            found.append(SetPolicy(self._seat, policy=policy, seen=seen))
        enabled = texts[IN_FORCE] == words.CHOICES[True]
        if enabled != wake.enabled:
            kind = EnablePolicy if enabled else DisablePolicy
            found.append(kind(self._seat, seen=seen))
        return found

    def _send_next(self) -> None:
        self._under_way = True
        self.say(states.SAVING)
        self.panel.submit(self._next.pop(0), sender=self)

    @on(CommandSaved)
    def _command_saved(self, event: CommandSaved) -> None:
        if self._next:
            # What comes next is meant for the policy that this one has made.
            self._next = [replace(command, seen=event.rev) for command in self._next]
            self._send_next()
        else:
            self.leave(True)

    @on(CommandRefused)
    def _command_refused(self, event: CommandRefused) -> None:
        self._under_way = False
        if isinstance(event.error, RevisionConflict):
            self._look_again()
        else:
            self._refuse(event.error)

    def _refuse(self, error: StateError | None) -> None:
        """Put the error at the field that it names, else at the bottom; None takes it away."""
        self.say("")
        for entry in self.query(Entry):
            entry.accept()
        if error is None:
            return
        said = states.with_hint(error.message, error.hint)
        named = self._controls.get(_place(error))
        if not refuse_at(self.query(Entry), named, said):
            self.say(said, "error")


def _control(field: Field) -> SafeInput | Choice:
    if field.options:
        return Choice(field.options, field.value)
    return SafeInput(field.value, compact=True, select_on_focus=False)


def _place(error: StateError) -> str:
    field = error.field or "" if isinstance(error, BadInput) else ""
    return ADAPTER if field in ("adapter", "fingerprint") else field
