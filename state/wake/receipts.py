"""What a receipt is worth (W19, W20): pure decisions, on evidence that was looked at before."""

from dataclasses import dataclass
from typing import NamedTuple

from state.clock import Moment, before, elapsed_ms
from state.messages.operations import FileEvidence, MessageEvidence
from state.wake.gate import Claimer
from state.wake.model import Lease

OUTCOMES = ("sent_and_verified", "failed", "timeout", "watcher_only")
ATTEMPT_LOST = frozenset({"failed", "timeout"})


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file that was named as evidence, as it was when it was looked at.

    `changed_utc` is when its bytes last changed, `holds` whether the lease's id stands in it.
    `unfit` says why it is no evidence at all; then `file` is None.
    """

    file: FileEvidence | None
    changed_utc: str = ""
    holds: bool = False
    unfit: str = ""


@dataclass(frozen=True, slots=True)
class SeenReply:
    """A message that was named as evidence; `sender` is None where there is none."""

    message: int
    sender: str | None
    reply_to: int | None


class Unfit(NamedTuple):
    """Why a receipt is refused: one word and a line."""

    code: str
    reason: str


Evidence = MessageEvidence | FileEvidence | None


def why_not_the_holder(lease: Lease, seat: str, claimer: Claimer) -> Unfit | None:
    """W19, W29: only the lease's holder: same seat, same adapter, same fingerprint."""
    if claimer.seat != seat:
        return Unfit("not_the_holder", f"the lease is one of {seat}, not of {claimer.seat}")
    if claimer.name != lease.consumer:
        return Unfit("not_the_holder", f"{lease.consumer} holds the lease, not {claimer.name}")
    if claimer.fingerprint != lease.fingerprint:
        return Unfit("not_the_holder", f"{lease.consumer} holds it by another fingerprint")
    return None


def why_refused(
    outcome: str, exit_code: int | None, seen: SeenFile | SeenReply | None
) -> Unfit | None:
    """W19, W20: what can be said of a receipt without knowing the lease."""
    if exit_code and outcome not in ATTEMPT_LOST:
        return Unfit(
            "exit_code", f"exit code {exit_code} goes with `failed` or `timeout`, not {outcome}"
        )
    if outcome == "sent_and_verified" and seen is None:
        return Unfit("no_evidence", "`sent_and_verified` needs --reply N or --evidence FILE")
    return None


def checked(
    lease: Lease, seat: str, granted_utc: str, seen: SeenFile | SeenReply | None
) -> Evidence | Unfit:
    """W20: the evidence if it proves something, else why not.

    `granted_utc` is when the lease was granted, by the clock as it goes now.
    """
    if seen is None:
        return None
    if isinstance(seen, SeenReply):
        return _reply(lease, seat, seen)
    return _file(seen, granted_utc)


def _reply(lease: Lease, seat: str, seen: SeenReply) -> Evidence | Unfit:
    number = seen.message
    if seen.sender is None:
        return Unfit("no_such_message", f"there is no message #{number}")
    if seen.sender != seat:
        return Unfit("not_by_the_seat", f"#{number} is by {seen.sender}, not by {seat}")
    if seen.reply_to != lease.message:
        return Unfit("no_reply", f"#{number} is no reply to #{lease.message}")
    if number <= lease.rev:
        return Unfit("before_the_claim", f"#{number} is older than the claim in line {lease.rev}")
    return MessageEvidence(number)


def _file(seen: SeenFile, granted_utc: str) -> Evidence | Unfit:
    if seen.file is None:
        return Unfit("unfit_file", seen.unfit)
    if seen.changed_utc <= granted_utc:
        return Unfit("before_the_claim", f"{seen.file.path} was not changed after the claim")
    if not seen.holds:
        return Unfit("no_lease_id", f"{seen.file.path} doesn't hold the lease's id")
    return seen.file


def granted_by_this_clock(lease: Lease, now: Moment) -> str:
    """When the lease was granted, as the clock of files tells it now, set or not since (W14)."""
    return before(now, elapsed_ms(lease.granted, now))
