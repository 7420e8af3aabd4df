"""What can happen to policies, windows, intents and leases: the facts that the journal keeps.

An intent is named by its seat and message, which give its id (W11). `at`, `granted` and the like
are moments as two clocks tell them (W14).
"""

from dataclasses import dataclass, field

from state.clock import Moment
from state.messages.operations import FileEvidence, MessageEvidence


@dataclass(frozen=True, slots=True)
class PolicySet:
    """`policy` is the text that is hashed, `hash` the sha256 of its UTF-8 bytes (W4)."""

    op: str = field(default="policy_set", init=False)
    seat: str
    policy: str
    hash: str


@dataclass(frozen=True, slots=True)
class PolicyEnabled:
    op: str = field(default="policy_enabled", init=False)
    seat: str


@dataclass(frozen=True, slots=True)
class PolicyDisabled:
    op: str = field(default="policy_disabled", init=False)
    seat: str


@dataclass(frozen=True, slots=True)
class WindowArmed:
    """The first scan too: `baseline` is the last message of that moment, and no intent (W8).

    `adapter` and `fingerprint` are those of the policy, None for `intent_only`. `checked` is when
    the check that the user was shown was made (W6).
    """

    op: str = field(default="window_armed", init=False)
    seat: str
    policy_hash: str
    adapter: str | None
    fingerprint: str | None
    baseline: int
    at: Moment
    deadline: str
    checked: str


@dataclass(frozen=True, slots=True)
class WindowDraining:
    """`reason` is `deadline`, `quiet_cycles`, `wakes_used`, `policy_disabled` or `user` (W10)."""

    op: str = field(default="window_draining", init=False)
    seat: str
    reason: str


@dataclass(frozen=True, slots=True)
class WindowHeld:
    """`reason` is `user`, `policy_changed`, `adapter_drift`, `adapter_revoked` or `terminal_hold`.

    `origin` is the state it came from: `active` or `draining` (W13).
    """

    op: str = field(default="window_held", init=False)
    seat: str
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class WindowResumed:
    """`state` is `active` or `draining`; `reason` is why it drains, empty when it doesn't."""

    op: str = field(default="window_resumed", init=False)
    seat: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many, of what: an intent's state, or a reason."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """The closing receipt (W12): it sums up the window that was armed in line `first`.

    `outcomes` counts its intents by state, `passed` the messages passed over by reason, `lapses`
    the lapsed intents by reason. `lapsed`, `dismissed` and `terminal_hold` name intents by the
    numbers of their messages, as ranges that hold no other intent of the window; where they would
    be too many for a line they end in one range that does, and `named` is false.
    """

    op: str = field(default="window_closed", init=False)
    seat: str
    reason: str
    first: int
    last: int
    wakes: int
    outcomes: tuple[Tally, ...]
    passed: tuple[Tally, ...]
    lapses: tuple[Tally, ...]
    lapsed: tuple[tuple[int, int], ...]
    dismissed: tuple[tuple[int, int], ...]
    terminal_hold: tuple[tuple[int, int], ...]
    named: bool


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Messages that gave no intent, all for one reason (W11)."""

    reason: str
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatScanned:
    """What one scan found (W9, W11).

    Messages of the seat up to `through` were looked at. `created` are those that gave an intent,
    `passed` those that gave none. `quiet` is the count of quiet cycles afterwards and
    `counted` the moment of this one, None when this scan is none.
    """

    op: str = field(default="seat_scanned", init=False)
    seat: str
    through: int
    created: tuple[int, ...]
    passed: tuple[PassedOver, ...]
    quiet: int
    counted: Moment | None


@dataclass(frozen=True, slots=True)
class IntentsSuperseded:
    """`reason` is `acknowledged`, `answered`, `self_message` or `hops` (W15, W16)."""

    op: str = field(default="intents_superseded", init=False)
    seat: str
    reason: str
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IntentsLapsed:
    """`reason` is `deadline`, `wakes_used` or `policy_disabled`; messages stay unread (W12)."""

    op: str = field(default="intents_lapsed", init=False)
    seat: str
    reason: str
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IntentDismissed:
    op: str = field(default="intent_dismissed", init=False)
    seat: str
    intent: str
    message: int
    reason: str


@dataclass(frozen=True, slots=True)
class IntentRetried:
    """From `terminal_hold` to `pending`, with attempts counted from 0."""

    op: str = field(default="intent_retried", init=False)
    seat: str
    intent: str
    message: int
    reason: str


@dataclass(frozen=True, slots=True)
class LeaseGranted:
    """`consumer` is the adapter's id or, without one, the seat's own (W17, W22).

    It runs `run_ms` milliseconds from `at`, `expires` says until when by the clock of that moment.
    """

    op: str = field(default="lease_granted", init=False)
    lease: str
    seat: str
    intent: str
    message: int
    attempt: int
    consumer: str
    fingerprint: str | None
    at: Moment
    run_ms: int
    expires: str


@dataclass(frozen=True, slots=True)
class LeaseRenewed:
    """It runs `run_ms` milliseconds from `at` (W29)."""

    op: str = field(default="lease_renewed", init=False)
    lease: str
    seat: str
    at: Moment
    run_ms: int
    expires: str


@dataclass(frozen=True, slots=True)
class LeaseExpired:
    """It ran out at `at`, and a line that came later says so (W27).

    `state` is what the intent is then: `failed`, or `terminal_hold` at the last attempt.
    """

    op: str = field(default="lease_expired", init=False)
    lease: str
    seat: str
    message: int
    state: str
    at: Moment


@dataclass(frozen=True, slots=True)
class LeaseEnded:
    """The user ended it (W29); `state` as in `LeaseExpired`."""

    op: str = field(default="lease_ended", init=False)
    lease: str
    seat: str
    message: int
    state: str
    reason: str
    at: Moment


@dataclass(frozen=True, slots=True)
class ReceiptTaken:
    """What the lease's holder says came of it, as far as the program has checked it (W19, W20).

    `state` is what the intent is then; `claimed` after `watcher_only`, which ends nothing.
    """

    op: str = field(default="receipt_taken", init=False)
    lease: str
    seat: str
    message: int
    outcome: str
    exit_code: int | None
    evidence: MessageEvidence | FileEvidence | None
    state: str
    at: Moment


@dataclass(frozen=True, slots=True)
class ReceiptRefused:
    """Kept, and changes nothing (W19). `lease` is as it was given; `code` is one word for why."""

    op: str = field(default="receipt_refused", init=False)
    lease: str
    outcome: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClockJumped:
    """Between two moments of one boot the hands moved `by_ms` further than the time (W14)."""

    op: str = field(default="clock_jumped", init=False)
    at: Moment
    by_ms: int
