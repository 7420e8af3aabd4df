"""What the model's commands share: who may, what a line moves on, how a message gets about."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.model.records import LIVE, USER, MMessage, MSeat, MTask


class Ground:
    """Seats, messages and tasks of a project, and where its lines and its roster stand."""

    def __init__(self, agents: tuple[str, ...], at: str) -> None:
        self.rev = 1
        self.at = at
        self.roster = 1
        self.seats: dict[str, MSeat] = {}
        for seat in (USER, *agents):
            kind, name = ("user", "you") if seat == USER else ("agent", seat)
            self.seats[seat] = MSeat(seat, kind, name, revision=1, joined=1)
        self.messages: dict[int, MMessage] = {}
        self.tasks: dict[tuple[int, str], MTask] = {}
        self.bad_news: set[int] = set()
        # Moments at which a seat acknowledged, with the hop counts of what it did.
        self.hops_seen: dict[str, list[tuple[str, int]]] = {}

    def live_tasks(self, seat: str) -> list[MTask]:
        """The seat's tasks that are open or accepted, oldest first."""
        return [
            task
            for (_, holder), task in sorted(self.tasks.items())
            if holder == seat and task.state in LIVE
        ]

    def _line(self, now: str) -> None:
        self.rev += 1
        self.at = now

    def _roster_line(self, now: str) -> None:
        self._line(now)
        self.roster = self.rev

    def _active(self, seat_id: str) -> MSeat | None:
        seat = self.seats.get(seat_id)
        return seat if seat is not None and seat.status == "active" else None

    def _may_change(self, actor: str, seen: int) -> bool:
        return actor == USER and seen == self.roster

    def _allows(self, seat: MSeat, what: str) -> bool:
        if what == "show":
            return seat.visibility == "hidden"
        if what == "restore":
            return seat.status == "inactive"
        if seat.kind == "user":
            return False
        if what == "hide":
            return seat.visibility == "visible"
        return seat.status == "active" and not seat.unread and not self.live_tasks(seat.id)

    def _resolve(self, sender: str, to: tuple[str, ...]) -> tuple[str, ...] | None:
        active = [seat.id for seat in self.seats.values() if seat.status == "active"]
        if sender not in active:
            return None
        if to == ("all",):
            others = tuple(seat for seat in active if seat != sender)
            return others or None
        if sender in to or any(seat not in active for seat in to):
            return None
        return tuple(dict.fromkeys(to))

    def _post(
        self,
        now: str,
        sender: str,
        to: tuple[str, ...],
        addressing: str,
        kind: str,
        title: str,
        body: str,
        reply_to: int | None,
        urgent: bool,
    ) -> None:
        hops = self._hops(now, sender, reply_to)
        number = self.rev
        self.messages[number] = MMessage(
            number, sender, to, addressing, kind, title, body, reply_to, urgent, hops, now
        )
        for holder in to:
            self.seats[holder].queue.append(number)
            if kind == "task":
                self.tasks[number, holder] = MTask(number, holder, sender, "open", now, sender)
        if kind == "result" and USER in to and reply_to is not None:
            task = self.tasks.get((reply_to, sender))
            if task is not None and (task.state == "declined" or task.evidence == "none"):
                self.bad_news.add(number)

    def _hops(self, now: str, sender: str, reply_to: int | None) -> int:
        if sender == USER:
            return 0
        if reply_to is not None:
            return self.messages[reply_to].hops + 1
        ago = datetime.fromisoformat(now) - timedelta(hours=1)
        lately = [
            hops
            for moment, hops in self.hops_seen.get(sender, ())
            if datetime.fromisoformat(moment) >= ago
        ]
        return max(lately, default=0) + 1

    def _own(self, seat: str, number: int) -> MTask | None:
        return None if self._active(seat) is None else self.tasks.get((number, seat))

    def _end(
        self,
        now: str,
        task: MTask,
        state: str,
        by: str,
        *,
        evidence: str | None = None,
        reason: str | None = None,
    ) -> None:
        task.state, task.since, task.by = state, now, by
        task.evidence, task.reason = evidence, reason

    def _result(self, now: str, task: MTask, word: str, body: str) -> None:
        if self._active(task.author) is None:
            return
        title = f"{word}: {self.messages[task.message].title}"[:200]
        to = (task.author,)
        self._post(now, task.holder, to, "direct", "result", title, body, task.message, False)
