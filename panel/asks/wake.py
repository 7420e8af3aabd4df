"""What the panel asks of one seat's wakes beyond the picture that all screens share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from state.adapters import queries as adapters
from state.clock import Moment
from state.index.view import View
from state.messages import evidence
from state.wake import queries
from state.wake.arming import Agreement, agreement
from state.wake.consumers import Consumer, consumers_of
from state.wake.load import seat_wake
from state.wake.model import SeatWake
from state.wake.queries import IntentRow, LeaseRow, ReceiptRow

INTENTS, LEASES, RECEIPTS, CLOSINGS, JUMPS = 40, 10, 12, 6, 3
FILE = "file"


@dataclass(frozen=True, slots=True, eq=False)
class WakeDetail:
    """What stands in the journal of one seat's wakes at `rev`, the newest first.

    `became` says by a receipt's line what has become of the file that is its evidence.
    """

    rev: int
    seat: str
    intents: Sequence[IntentRow]
    leases: Sequence[LeaseRow]
    receipts: Sequence[ReceiptRow]
    became: Mapping[int, str]
    closings: Sequence[Mapping[str, Any]]
    consumers: Sequence[Consumer]
    jumps: Sequence[tuple[int, str, int]]


def detail(seat: str) -> Callable[[View, Moment], WakeDetail]:
    """Everything that is shown of one seat besides its window."""

    def ask(view: View, _: Moment) -> WakeDetail:
        receipts = queries.newest_receipts(view, seat, RECEIPTS)
        return WakeDetail(
            rev=view.rev,
            seat=seat,
            intents=queries.intents(view, seat, INTENTS),
            leases=queries.leases(view, seat, LEASES),
            receipts=receipts,
            became={
                one.rev: evidence.now(view.paths.project, one.evidence)
                for one in receipts
                if one.evidence is not None and one.evidence["kind"] == FILE
            },
            closings=queries.closing_receipts(view, seat, CLOSINGS),
            consumers=consumers_of(view, view.paths, seat),
            jumps=queries.jumps(view, JUMPS),
        )

    return ask


def agreed(seat: str, *, resumes: bool) -> Callable[[View, Moment], Agreement]:
    """W6: what arming or resuming would agree to, looked at now."""

    def ask(view: View, now: Moment) -> Agreement:
        return agreement(view, view.paths, seat, now, resumes=resumes)

    return ask


@dataclass(frozen=True, slots=True, eq=False)
class PolicyNow:
    """A seat's policy as it stands, with what can be named in one.

    `adapters` are those registered, by id with their fingerprint.
    """

    wake: SeatWake
    adapters: Mapping[str, str]


def policy_now(seat: str) -> Callable[[View, Moment], PolicyNow]:
    """What the form of a policy starts from."""

    def ask(view: View, _: Moment) -> PolicyNow:
        listed = adapters.adapters(view)
        known = {one.adapter: one.fingerprint for one in listed if one.is_registered}
        return PolicyNow(seat_wake(view, seat), known)

    return ask


def worked_out(row: IntentRow, wake: SeatWake) -> IntentRow:
    """An intent as the time has made it (W27)."""
    found = wake.intent(row.message)
    return row if found is None else replace(row, state=found.state, reason=found.reason)
