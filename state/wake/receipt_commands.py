"""Receipts as commands (W18-W20)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state import checks
from state.clock import Moment
from state.command import Actor
from state.errors import BadInput, ReceiptUnfit
from state.index.view import View
from state.messages.commands import passing
from state.roster import queries as roster
from state.roster.decide import may_act
from state.wake import queries, window
from state.wake.advance import state_after
from state.wake.lease_commands import claimer_of
from state.wake.load import seat_wake
from state.wake.operations import ReceiptRefused, ReceiptTaken
from state.wake.queries import LeaseRow
from state.wake.receipts import (
    ATTEMPT_LOST,
    OUTCOMES,
    Evidence,
    SeenFile,
    Unfit,
    checked,
    granted_by_this_clock,
    why_not_the_holder,
    why_refused,
)


@dataclass(frozen=True, slots=True)
class TakeReceipt:
    """W19, W20: what the holder says came of its lease. One that is refused is written too.

    `file` is what was seen of a file named as evidence, `reply` the number of a message.
    """

    lease: str
    outcome: str
    reply: int | None = None
    file: SeenFile | None = None
    exit_code: int | None = None
    adapter: str | None = None
    fingerprint: str | None = None
    drifted: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        checks.text(self.lease, "lease")
        if len(self.lease) > checks.GIVEN_LIMIT:
            raise BadInput("that is no lease's id", "as `wake claim` gave it", field="lease")
        if self.outcome not in OUTCOMES:
            raise BadInput(
                f"{checks.text(self.outcome, 'outcome')[: checks.GIVEN_LIMIT]!r} is no outcome",
                f"one of: {', '.join(OUTCOMES)}",
                field="outcome",
            )
        if self.reply is not None:
            checks.revision(self.reply, "reply")
        if self.reply is not None and self.file is not None:
            raise BadInput("a receipt names one piece of evidence", "--reply or --evidence")
        code = self.exit_code
        if code is not None and (type(code) is not int or not 0 <= code <= 255):
            raise BadInput("an exit code is from 0 to 255", field="exit_code")

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (actor.seat,)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        may_act("W19", actor.seat, roster.find(view, actor.seat))
        row = queries.find_lease(view, self.lease)
        judged = self._judge(view, actor, row, now)
        if isinstance(judged, Unfit):
            return [ReceiptRefused(self.lease, self.outcome, judged.code, judged.reason)]
        assert row is not None
        return self._taken(view, row, judged, now)

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        for op in ops:
            if op["op"] in ("receipt_taken", "receipt_refused"):
                mine = (self.lease, self.outcome)
                return mine == (op["lease"], op["outcome"]) and self._names_what_was_taken(op)
        return False

    def _names_what_was_taken(self, op: Mapping[str, Any]) -> bool:
        """Of a refused one nothing more is known; a file may be another one or gone by now."""
        if op["op"] == "receipt_refused":
            return True
        evidence = op["evidence"]
        if op["exit_code"] != self.exit_code:
            return False
        if self.reply is not None:
            return bool(evidence == {"kind": "message", "message": self.reply})
        if self.file is None or evidence is None:
            return self.file is None and evidence is None
        named = self.file.file
        return evidence["kind"] == "file" and (named is None or named.path == evidence["path"])

    def _judge(
        self, view: View, actor: Actor, row: LeaseRow | None, now: Moment
    ) -> Evidence | Unfit:
        if row is None:
            return Unfit("unknown_lease", "there is no lease of that id")
        claimer = claimer_of(view, actor.seat, self.adapter, self.fingerprint)
        seen = self.file if self.reply is None else queries.reply(view, self.reply)
        unfit = (
            why_not_the_holder(row.lease, row.seat, claimer)
            or _why_over(row, now)
            or why_refused(self.outcome, self.exit_code, seen)
        )
        if unfit is not None:
            return unfit
        return checked(row.lease, row.seat, granted_by_this_clock(row.lease, now), seen)

    def _taken(
        self, view: View, row: LeaseRow, evidence: Evidence, now: Moment
    ) -> Sequence[object]:
        seat, message = row.seat, row.lease.message
        wake = seat_wake(view, seat)
        intent = wake.intent(message)
        assert intent is not None
        assert wake.window is not None
        state = "claimed" if self.outcome == "watcher_only" else self.outcome
        if self.outcome in ATTEMPT_LOST:
            state = state_after(intent.attempts, wake.window)
        taken = ReceiptTaken(
            lease=self.lease,
            seat=seat,
            message=message,
            outcome=self.outcome,
            exit_code=self.exit_code,
            evidence=evidence,
            state=state,
            at=now,
        )
        found = roster.get(view, seat)
        if state == "sent_and_verified" and found.next_due == message:
            return [taken, passing(view, seat, message, message, 1)]
        return [taken, *window.held_by(wake, state)]


_HINTS = {
    "unknown_lease": "give the lease's id as `wake claim` gave it",
    "not_the_holder": "only its holder brings it: the same seat, --adapter and --fingerprint",
    "lease_over": "claim again: wake claim",
}


def refusal(ops: Sequence[Mapping[str, Any]]) -> ReceiptUnfit | None:
    """Why a receipt was refused, None for one that was taken."""
    found = next((op for op in ops if op["op"] == "receipt_refused"), None)
    if found is None:
        return None
    return ReceiptUnfit(
        found["code"],
        f"the receipt was refused and is kept: {found['reason']} ({found['code']})",
        _HINTS.get(found["code"], "bring one that proves it while the lease runs"),
    )


def _why_over(row: LeaseRow, now: Moment) -> Unfit | None:
    if row.over is not None:
        return Unfit("lease_over", f"the lease is over ({row.over})")
    return None if row.lease.left_ms(now) else Unfit("lease_over", "the lease is over (expired)")
