"""Everything that decisions about one seat's wakes are given: plain values, no disk, no clock."""

from dataclasses import dataclass, replace

from state.clock import Moment, elapsed_ms, left_ms
from state.wake.policy import Policy

# What may still be claimed, and what keeps a window from closing (W12, W15).
CLAIMABLE = frozenset({"pending", "failed"})
OPEN = frozenset({"pending", "failed", "claimed"})
FINAL = frozenset({"sent_and_verified", "dismissed", "superseded", "lapsed"})
INTENT_STATES = (
    *("pending", "claimed", "failed", "terminal_hold", "sent_and_verified"),
    *("superseded", "lapsed", "dismissed"),
)
WINDOW_STATES = ("closed", "active", "draining", "hold")

# Why a window drained and why one is on hold, for whoever is refused because of it.
DRAINED = {
    "deadline": "its deadline has passed",
    "quiet_cycles": "nothing came for as many cycles as its policy allows",
    "wakes_used": "all its wakes are used",
    "policy_disabled": "its policy was disabled",
    "user": "the user drained it",
    "forked": "this project is a copy",
}
HELD = {
    "user": "the user held it",
    "policy_changed": "its policy isn't the one that it was armed with",
    "adapter_revoked": "the registration of its adapter was revoked",
    "adapter_drift": "its adapter's files aren't those that were registered",
    "terminal_hold": "an intent has used up its attempts",
    "accepted": "the user went on from damage in the journal",
}


@dataclass(frozen=True, slots=True)
class Intent:
    """The wish to wake the seat for one message (W11). `attempts` counts leases (W18)."""

    message: int
    state: str
    attempts: int
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Lease:
    """One consumer's claim (W17): it runs `run_ms` from `since`, its grant or last renewal."""

    lease: str
    message: int
    attempt: int
    consumer: str
    fingerprint: str | None
    rev: int
    granted: Moment
    since: Moment
    run_ms: int

    def left_ms(self, now: Moment) -> int:
        """Milliseconds until it is over; 0 on another boot (W14)."""
        return left_ms(self.since, self.run_ms, now)


@dataclass(frozen=True, slots=True)
class Window:
    """A bounded time in which a policy is in force. Its number is the line that armed it.

    `policy` is the one it was armed with. `reason` is why it drains; `origin` is where a hold came
    from and `cause` why, which stays when the user drains out of it.
    """

    number: int
    state: str
    reason: str
    origin: str
    cause: str
    policy: Policy
    hash: str
    adapter: str | None
    fingerprint: str | None
    baseline: int
    through: int
    quiet: int
    wakes: int
    armed: Moment
    counted: Moment

    def left_ms(self, now: Moment) -> int:
        """Milliseconds until the deadline, 0 once it has passed (W14)."""
        return max(0, self.policy.window_seconds * 1000 - elapsed_ms(self.armed, now))


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the journal says of the message of an intent that may be claimed, or is (W16)."""

    message: int
    own: bool
    hops: int
    answered: bool


@dataclass(frozen=True, slots=True)
class SeatWake:
    """One agent seat at one revision.

    `window` is its last one, closed or not, and `intents` are those of that window by message.
    `lease` is the one that no line has ended yet; `ended` when the last one ended, `grants` when
    those of the last hour at least were granted, newest first. `registered` is the fingerprint by
    which the adapter of window or policy is registered, None for none.
    """

    project: str
    seat: str
    is_active: bool
    away_until: str | None
    cursor: int
    policy: Policy | None
    policy_hash: str
    enabled: bool
    policy_revision: int
    window_revision: int
    window: Window | None
    intents: tuple[Intent, ...]
    waiting: tuple[Waiting, ...]
    passed: tuple[tuple[str, int], ...]
    lease: Lease | None
    ended: Moment | None
    grants: tuple[Moment, ...]
    registered: str | None

    @property
    def open_window(self) -> Window | None:
        """The window that isn't closed, None without one."""
        return None if self.window is None or self.window.state == "closed" else self.window

    @property
    def state(self) -> str:
        """The window's state; `closed` where none was ever armed."""
        return "closed" if self.window is None else self.window.state

    def messages(self, *states: str) -> tuple[int, ...]:
        """The messages of the window's intents in these states, oldest first."""
        return tuple(intent.message for intent in self.intents if intent.state in states)

    def intent(self, message: int) -> Intent | None:
        """The window's intent for a message."""
        return next((intent for intent in self.intents if intent.message == message), None)


def with_intents(wake: SeatWake, messages: tuple[int, ...], state: str, reason: str) -> SeatWake:
    """The seat after these intents got into that state."""
    chosen = frozenset(messages)
    intents = tuple(
        replace(intent, state=state, reason=reason) if intent.message in chosen else intent
        for intent in wake.intents
    )
    return replace(wake, intents=intents)


def with_window(wake: SeatWake, **changes: object) -> SeatWake:
    """The seat after a change of its window."""
    assert wake.window is not None
    return replace(wake, window=replace(wake.window, **changes))  # type: ignore[arg-type]
