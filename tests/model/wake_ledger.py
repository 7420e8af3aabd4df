"""What the lines of a journal make of windows, intents, leases and cursors, and never may.

It is read from the bytes alone, by another library than the program's, and knows no state of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

Op = dict[str, Any]
Moment = tuple[str, str | None, int | None]

ACTIVE = ("active", "draining")
OPEN = ("pending", "failed", "claimed")
# From which states each operation may take an intent where (W15).
MAY = {
    "created": (None,),
    "claimed": ("pending", "failed"),
    "sent_and_verified": ("claimed",),
    "failed": ("claimed",),
    "terminal_hold": ("claimed",),
    "retried": ("terminal_hold",),
    "dismissed": ("pending", "failed", "terminal_hold"),
    "superseded": ("pending", "failed"),
    "lapsed": ("pending", "failed"),
}


def elapsed(since: Moment, now: Moment) -> int:
    """Milliseconds as W14 has them: by the time since boot, over boots by UTC and never below 0."""
    if since[1] == now[1] and since[2] is not None and now[2] is not None:
        return now[2] - since[2]
    gone = datetime.fromisoformat(now[0]) - datetime.fromisoformat(since[0])
    return max(0, round(gone.total_seconds() * 1000))


def moment(at: Op) -> Moment:
    return at["utc"], at["boot"], at["ms"]


@dataclass
class Desk:
    """One seat: its queue, its cursor, its last window and what that came to."""

    policy: Op = field(default_factory=dict)
    enabled: bool = False
    number: int = 0
    state: str = "closed"
    origin: str = ""
    limits: Op = field(default_factory=dict)
    armed: Moment = ("", None, None)
    through: int = 0
    baseline: int = 0
    wakes: int = 0
    intents: dict[int, str] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)
    ever: set[int] = field(default_factory=set)
    lease: str | None = None
    grants: list[Moment] = field(default_factory=list)
    ended: Moment | None = None
    queue: list[int] = field(default_factory=list)
    cursor: int = 0

    def go(self, message: int, to: str, state: str | None = None) -> None:
        """An intent gets into a state, from where that is allowed."""
        before = self.intents.get(message)
        assert before in MAY[to], (message, before, to)
        self.intents[message] = state or to


class Ledger:
    """Reads a journal on and holds each line against the rules."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._offset = 0
        self.rev = 0
        self.desks: dict[str, Desk] = {}
        self.senders: dict[int, str] = {}

    def read_on(self) -> None:
        """Takes every line that was written since."""
        with self._log.open("rb") as file:
            file.seek(self._offset)
            raw = file.read()
        self._offset += len(raw)
        for text in raw.splitlines():
            line = json.loads(text)
            assert line["rev"] == self.rev + 1
            self.rev = line["rev"]
            for op in line["ops"]:
                take = getattr(self, f"_{op['op']}", None)
                if take is not None:
                    desk = self.desks.setdefault(op.get("seat", ""), Desk())
                    take(desk, op, line)

    # Policies and windows.

    def _policy_set(self, desk: Desk, op: Op, line: Op) -> None:
        desk.policy = json.loads(op["policy"])
        assert line["seat"] == "user"

    def _policy_enabled(self, desk: Desk, op: Op, line: Op) -> None:
        assert not desk.enabled
        desk.enabled = True

    def _policy_disabled(self, desk: Desk, op: Op, line: Op) -> None:
        desk.enabled = False

    def _window_armed(self, desk: Desk, op: Op, line: Op) -> None:
        assert (desk.state, desk.enabled, line["seat"]) == ("closed", True, "user")
        desk.number, desk.state, desk.limits = line["rev"], "active", desk.policy
        desk.armed, desk.wakes, desk.intents = moment(op["at"]), 0, {}
        desk.baseline = desk.through = op["baseline"]
        assert op["baseline"] == max(self.senders, default=0)

    def _window_draining(self, desk: Desk, op: Op, line: Op) -> None:
        assert desk.state in ("active", "hold")
        assert (op["reason"] == "user") == (line["seat"] == "user")
        desk.state = "draining"

    def _window_held(self, desk: Desk, op: Op, line: Op) -> None:
        assert desk.state == op["origin"]
        assert desk.state in ACTIVE
        desk.state, desk.origin = "hold", op["origin"]

    def _window_resumed(self, desk: Desk, op: Op, line: Op) -> None:
        assert (desk.state, line["seat"]) == ("hold", "user")
        # Nothing leads from draining to active.
        assert op["state"] in (("draining",) if desk.origin == "draining" else ACTIVE)
        desk.state = op["state"]

    def _window_closed(self, desk: Desk, op: Op, line: Op) -> None:
        assert desk.state == "draining"
        assert not [state for state in desk.intents.values() if state in OPEN]
        assert (op["first"], op["wakes"]) == (desk.number, desk.wakes)
        counts = {tally["name"]: tally["count"] for tally in op["outcomes"]}
        states = list(desk.intents.values())
        assert counts == {state: states.count(state) for state in set(states)}
        desk.state = "closed"

    # Intents and leases.

    def _seat_scanned(self, desk: Desk, op: Op, line: Op) -> None:
        assert (desk.state, line["seat"]) == ("active", "system")
        passed = [number for group in op["passed"] for number in group["messages"]]
        looked = sorted(op["created"] + passed)
        # Everything that came after what was looked at, once, and nothing else.
        assert looked == [n for n in desk.queue if desk.through < n <= op["through"]]
        assert all(number > desk.baseline for number in looked)
        desk.through = op["through"]
        for number in op["created"]:
            assert number not in desk.ever
            desk.ever.add(number)
            desk.go(number, "created", "pending")
            desk.attempts[number] = 0

    def _intents_superseded(self, desk: Desk, op: Op, line: Op) -> None:
        for message in op["messages"]:
            desk.go(message, "superseded")

    def _intents_lapsed(self, desk: Desk, op: Op, line: Op) -> None:
        for message in op["messages"]:
            desk.go(message, "lapsed")

    def _intent_dismissed(self, desk: Desk, op: Op, line: Op) -> None:
        if op["message"] in desk.intents:
            desk.go(op["message"], "dismissed")

    def _intents_dismissed(self, desk: Desk, op: Op, line: Op) -> None:
        for message, state in desk.intents.items():
            if op["first"] <= message <= op["last"] and state in MAY["dismissed"]:
                desk.go(message, "dismissed")

    def _intent_retried(self, desk: Desk, op: Op, line: Op) -> None:
        assert desk.state != "closed"
        desk.go(op["message"], "retried", "pending")
        desk.attempts[op["message"]] = 0

    def _lease_granted(self, desk: Desk, op: Op, line: Op) -> None:
        limits, at, message = desk.limits, moment(op["at"]), op["message"]
        assert line["seat"] == op["seat"]
        assert desk.lease is None
        assert desk.enabled
        assert desk.state in ACTIVE
        assert elapsed(desk.armed, at) < 1000 * limits["window_seconds"]
        assert message == min(n for n, state in desk.intents.items() if state in MAY["claimed"])
        desk.go(message, "claimed")
        desk.attempts[message] += 1
        assert op["attempt"] == desk.attempts[message] <= limits["maximum_attempts"]
        desk.wakes += 1
        assert desk.wakes <= limits["maximum_wakes"]
        lately = [one for one in desk.grants if elapsed(one, at) < 3_600_000]
        assert len(lately) < limits["hourly_quota"]
        if desk.ended is not None:
            assert elapsed(desk.ended, at) >= 1000 * limits["cooldown_seconds"]
        desk.grants.append(at)
        desk.lease = op["lease"]
        assert op["run_ms"] == 1000 * limits["lease_seconds"]

    def _lease_renewed(self, desk: Desk, op: Op, line: Op) -> None:
        assert op["lease"] == desk.lease
        since = elapsed(desk.grants[-1], moment(op["at"]))
        assert since + op["run_ms"] <= 1000 * desk.limits["maximum_lease_seconds"]

    def _over(self, desk: Desk, op: Op, line: Op) -> None:
        assert op["lease"] == desk.lease
        desk.lease, desk.ended = None, moment(op["at"])
        desk.go(op["message"], op["state"])
        last = desk.attempts[op["message"]] >= desk.limits["maximum_attempts"]
        assert op["state"] == "sent_and_verified" or (op["state"] == "terminal_hold") == last

    _lease_expired = _lease_ended = _over

    def _receipt_taken(self, desk: Desk, op: Op, line: Op) -> None:
        assert (op["lease"], line["seat"]) == (desk.lease, op["seat"])
        if op["outcome"] == "watcher_only":
            assert op["state"] == "claimed"
            return
        assert (op["outcome"] == "sent_and_verified") == (op["state"] == "sent_and_verified")
        self._over(desk, op, line)

    # Queues.

    def _message_posted(self, desk: Desk, op: Op, line: Op) -> None:
        self.senders[line["rev"]] = op["sender"]
        for seat in op["to"]:
            self.desks.setdefault(seat, Desk()).queue.append(line["rev"])

    def _acknowledged(self, desk: Desk, op: Op, line: Op) -> None:
        """No cursor is ever ahead of a gap."""
        due = [number for number in desk.queue if number > desk.cursor]
        assert op["first"] == due[0]
        passed = [number for number in due if number <= op["cursor"]]
        assert (op["count"], op["cursor"]) == (len(passed), passed[-1])
        behind = [number for number in passed if number > op["through"]]
        assert all(self._verified(desk, number) for number in behind)
        by_receipt = [one for one in line["ops"] if one["op"] == "receipt_taken"]
        if by_receipt:
            assert op["through"] == op["first"] == by_receipt[0]["message"]
            assert by_receipt[0]["outcome"] == "sent_and_verified"
        else:
            assert line["seat"] == op["seat"]
        desk.cursor = op["cursor"]

    def _verified(self, desk: Desk, number: int) -> bool:
        # Of earlier windows only that it was once wanted is known here.
        return desk.intents.get(number, "sent_and_verified") == "sent_and_verified" and (
            number in desk.ever
        )

    def _queue_closed(self, desk: Desk, op: Op, line: Op) -> None:
        assert desk.lease is None
        assert line["seat"] == "user"
        desk.cursor = max(desk.cursor, op["cursor"])
