"""What a project must do, said a second time and in the simplest way: lists in memory.

Imports nothing of the product. Each command gives the model's answer: what it writes, or None
where it must be refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from tests.model.ground import Ground
from tests.model.records import FINAL, LIVE, USER, MMessage, MSeat

Need = tuple[str, str, int, str, str, bool]


class Model(Ground):
    """The whole project as far as the commands of the test go."""

    # Commands. `now` is the time as it is stored.

    def post(
        self,
        now: str,
        sender: str,
        to: tuple[str, ...],
        kind: str,
        title: str,
        body: str,
        reply_to: int | None,
        urgent: bool,
    ) -> int | None:
        """M1, M2, M3, M8."""
        resolved = self._resolve(sender, to)
        if resolved is None or (reply_to is not None and reply_to not in self.messages):
            return None
        self._line(now)
        addressing = "all" if to == ("all",) else "direct"
        self._post(now, sender, resolved, addressing, kind, title, body, reply_to, urgent)
        return self.rev

    def acknowledge(self, now: str, seat_id: str, number: int, through: bool) -> int | None:
        """M5."""
        seat = self._active(seat_id)
        if seat is None or number not in seat.unread:
            return None
        if not through and number != seat.unread[0]:
            return None
        self._line(now)
        count = seat.unread.index(number) + 1
        for passed in seat.unread[:count]:
            self.messages[passed].acknowledged[seat_id] = now
            hops = self.messages[passed].hops
            self.hops_seen.setdefault(seat_id, []).append((now, hops))
        seat.passed += count
        seat.cursor = number
        return self.rev

    def accept(self, now: str, seat: str, number: int) -> int | None:
        """M7."""
        task = self._own(seat, number)
        if task is None or task.state != "open":
            return None
        self._line(now)
        task.state, task.since, task.accepted, task.by = "accepted", now, self.rev, seat
        return self.rev

    def finish(self, now: str, seat: str, number: int, proof: int | None) -> int | None:
        """M7: with a message as evidence, or with none."""
        task = self._own(seat, number)
        if task is None or task.state != "accepted" or task.accepted is None:
            return None
        if proof is not None:
            message = self.messages.get(proof)
            if message is None or message.sender != seat or proof < task.accepted:
                return None
        self._line(now)
        evidence = "none" if proof is None else f"message {proof}"
        self._end(now, task, "done", seat, evidence=evidence)
        shown = "evidence: none" if proof is None else f"evidence: message #{proof}"
        self._result(now, task, "done", shown)
        return self.rev

    def decline(self, now: str, seat: str, number: int, reason: str) -> int | None:
        """M7."""
        task = self._own(seat, number)
        if task is None or task.state in FINAL:
            return None
        self._line(now)
        self._end(now, task, "declined", seat, reason=reason)
        self._result(now, task, "declined", reason)
        return self.rev

    def cancel(
        self, now: str, actor: str, number: int, holder: str | None, reason: str
    ) -> int | None:
        """M7: its author or the user."""
        meant = [
            task
            for (message, each), task in self.tasks.items()
            if message == number and holder in (None, each)
        ]
        live = [task for task in meant if task.state in LIVE]
        if self._active(actor) is None or not live or actor not in (live[0].author, USER):
            return None
        self._line(now)
        for task in live:
            self._end(now, task, "cancelled", actor, reason=reason)
        return self.rev

    def add(self, now: str, actor: str, seen: int, seat: str, host: str) -> int | None:
        """R2, R7."""
        if not self._may_change(actor, seen) or seat in self.seats:
            return None
        self._roster_line(now)
        last = max(self.messages, default=0)
        self.seats[seat] = MSeat(
            seat, "agent", seat, host, revision=self.rev, joined=self.rev, cursor=last
        )
        return self.rev

    def change(self, now: str, actor: str, seen: int, seat_id: str, what: str) -> int | None:
        """R3, R4, R5, R6, R7: hide, show, deactivate or restore."""
        seat = self.seats.get(seat_id)
        if not self._may_change(actor, seen) or seat is None or not self._allows(seat, what):
            return None
        self._roster_line(now)
        seat.revision = self.rev
        if what == "hide":
            seat.visibility = "hidden"
        elif what == "show":
            seat.visibility = "visible"
        elif what == "deactivate":
            seat.status = "inactive"
        else:
            seat.status, seat.joined, seat.away = "active", self.rev, None
            seat.cursor, seat.passed = max(self.messages, default=0), len(seat.queue)
        return self.rev

    def rename(self, now: str, actor: str, seen: int, seat_id: str, name: str) -> int | None:
        """R1, R2, R10."""
        seat = self.seats.get(seat_id)
        if not self._may_change(actor, seen) or seat is None:
            return None
        if seat.kind == "user" or seat.name == name:
            return None
        self._roster_line(now)
        seat.name, seat.revision = name, self.rev
        return self.rev

    def label(self, now: str, actor: str, seen: int, seat_id: str, host: str) -> int | None:
        """R13, R10."""
        seat = self.seats.get(seat_id)
        if not self._may_change(actor, seen) or seat is None or seat.host == host:
            return None
        self._roster_line(now)
        seat.host, seat.revision = host, self.rev
        return self.rev

    def leave(self, now: str, actor: str, seat_id: str, until: str, reason: str) -> int | None:
        """M15."""
        seat = self.seats.get(seat_id)
        if actor != USER or seat is None or seat.kind == "user" or seat.status == "inactive":
            return None
        if until <= now:
            return None
        self._line(now)
        seat.away, seat.revision = (until, reason, actor), self.rev
        return self.rev

    def come_back(self, now: str, actor: str, seat_id: str) -> int | None:
        """M15."""
        seat = self.seats.get(seat_id)
        if actor != USER or seat is None or seat.away is None:
            return None
        self._line(now)
        seat.away, seat.revision = None, self.rev
        return self.rev

    def close_queue(self, now: str, actor: str, seat_id: str, reason: str) -> int | None:
        """R14."""
        seat = self.seats.get(seat_id)
        if actor != USER or seat is None or seat.kind == "user":
            return None
        tasks = self.live_tasks(seat_id)
        if not seat.unread and not tasks:
            return None
        self._line(now)
        for number in seat.unread:
            self.messages[number].closed[seat_id] = (self.rev, now, actor, reason)
        if seat.unread:
            seat.cursor, seat.passed = seat.queue[-1], len(seat.queue)
        for task in tasks:
            self._end(now, task, "cancelled", actor, reason=reason)
        seat.revision = self.rev
        return self.rev

    # Questions.

    def answers(self, number: int) -> list[MMessage]:
        """The messages that answer one, oldest first."""
        return [message for message in self.messages.values() if message.reply_to == number]

    def thread(self, number: int) -> list[int]:
        """Every message of a thread."""
        while (parent := self.messages[number].reply_to) is not None:
            number = parent
        found, grown = {number}, True
        while grown:
            more = {message.id for message in self.messages.values() if message.reply_to in found}
            grown = not more <= found
            found |= more
        return sorted(found)

    def needs(self, now: str) -> list[Need]:
        """Kind, seat, number, since, title, hidden of what needs the user, longest wait first."""
        found = [*self._questions(), *self._open_tasks(), *self._due(now)]
        return sorted(found, key=lambda need: (need[3], need[2]))

    def _questions(self) -> Iterator[Need]:
        for number in self.seats[USER].unread:
            message = self.messages[number]
            answered = any(answer.sender == USER for answer in self.answers(number))
            asks = message.kind == "question" and not answered
            if asks or number in self.bad_news:
                kind = "question" if asks else "result"
                yield kind, message.sender, number, message.at, message.title, self._hidden(message)

    def _open_tasks(self) -> Iterator[Need]:
        for task in self.live_tasks(USER):
            if task.state == "open":
                message = self.messages[task.message]
                hidden = self._hidden(message)
                yield "task", task.author, task.message, task.since, message.title, hidden

    def _due(self, now: str) -> Iterator[Need]:
        for seat in self.seats.values():
            if seat.kind == "user" or not seat.unread:
                continue
            if seat.away is not None and seat.away[0] > now:
                continue
            message = self.messages[seat.unread[0]]
            limit = 5 * 60 if message.urgent else 15 * 60
            age = datetime.fromisoformat(now) - datetime.fromisoformat(message.at)
            if age > timedelta(seconds=limit):
                hidden = seat.visibility == "hidden"
                yield "due", seat.id, message.id, message.at, message.title, hidden

    def _hidden(self, message: MMessage) -> bool:
        return self.seats[message.sender].visibility == "hidden"
