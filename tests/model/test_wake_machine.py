"""Random acts of people, agents, scanners and clocks on wake windows, against what must hold.

Between any two acts another handle may be used, the project opened anew or the index lost. Each
line is held against the rules by `wake_ledger`. `MODEL_EXAMPLES` and `MODEL_STEPS` make it longer.
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing

import orjson
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from state.adapters.commands import Register, Revoke
from state.command import USER, Actor
from state.messages.commands import Acknowledge, Post
from state.project import Project
from state.roster.commands import CloseQueue
from state.wake.due import by_time
from state.wake.explain import explain
from state.wake.intent_commands import DismissIntent, RetryIntent
from state.wake.lease_commands import Claim, EndLease, Renew
from state.wake.receipt_commands import TakeReceipt
from state.wake.scanning import Scan, planned
from state.wake.window_commands import (
    Arm,
    DisablePolicy,
    Drain,
    EnablePolicy,
    Hold,
    HoldAll,
    Resume,
    SetPolicy,
)
from tests.faults.scale import scaled
from tests.model.wake_ledger import elapsed
from tests.model.wake_pair import AGENTS, Nothing, WakePair, plain
from tests.state.index_support import rows_of

PRESSED = (Drain, Drain, Hold, Hold, EnablePolicy, EnablePolicy, DisablePolicy)
OUTCOMES = (*("sent_and_verified",) * 3, "failed", "timeout", "watcher_only")
WAITS = (*(0.5, 5, 5, 9, 9, 21, 21, 31, 31, 61) * 2, 400, 4_000)
# How often each act is chosen: mostly what lets wakes happen, now and then what disturbs them.
WEIGHTS = {
    "post_and_scan": 5,
    "post": 2,
    "scan": 3,
    "claim": 7,
    "bring_a_receipt": 6,
    "renew": 1,
    "acknowledge": 1,
    "wait": 4,
    "confirm": 6,
    "press": 2,
    "set_the_policy": 1,
    "end_a_lease": 1,
    "decide_on_an_intent": 3,
    "write_what_is_due": 2,
    "ask_why": 1,
    "close_the_queue": 1,
    "change_the_adapter": 1,
    "turn_the_hands": 1,
    "use_another_handle": 1,
    "lose_the_index": 1,
}
ACTS = tuple(name for name, weight in WEIGHTS.items() for _ in range(weight))


class WakeMachine(WakePair):
    """What may happen, in any order."""

    @rule(act=st.sampled_from(ACTS), seat=st.sampled_from(AGENTS), data=st.data())
    def act(self, act: str, seat: str, data: st.DataObject) -> None:
        getattr(self, act)(seat, data)

    @invariant()
    def every_line_keeps_the_rules(self) -> None:
        self.ledger.read_on()

    # The user.

    def set_the_policy(self, seat: str, data: st.DataObject) -> None:
        if self.wake(seat).open_window is None or data.draw(st.integers(0, 5)) == 0:
            self.do(SetPolicy(seat, policy=self.a_policy(data, seat)))

    def confirm(self, seat: str, data: st.DataObject) -> None:
        stands = self.wake(seat).state
        if stands in ("hold", "closed"):
            stale = data.draw(st.sampled_from((0,) * 8 + (1,)))
            self.do(self.shown(Resume if stands == "hold" else Arm, seat, stale))
        else:
            self.claim(seat, data)

    def press(self, seat: str, data: st.DataObject) -> None:
        if data.draw(st.integers(0, 9)) == 0:
            self.do(HoldAll())
        else:
            self.do(data.draw(st.sampled_from(PRESSED))(seat))

    def close_the_queue(self, seat: str, data: st.DataObject) -> None:
        if data.draw(st.integers(0, 3)) == 0:
            self.do(CloseQueue(seat, "gone"))

    def change_the_adapter(self, seat: str, data: st.DataObject) -> None:
        if data.draw(st.integers(0, 5)) == 0:
            self.do(Revoke("echo", "why not"))
        else:
            self.do(Register("echo", self.taken))

    def end_a_lease(self, seat: str, data: st.DataObject) -> None:
        if self.leases:
            self.do(EndLease(data.draw(st.sampled_from(self.leases[-2:]))[1], "hangs"))

    def decide_on_an_intent(self, seat: str, data: st.DataObject) -> None:
        with closing(self.project.view()) as view:
            rows = view.rows("SELECT id FROM intent ORDER BY state='terminal_hold' DESC, rev DESC")
        if rows:
            retry = data.draw(st.integers(0, 2))
            kind: type[RetryIntent] | type[DismissIntent] = RetryIntent if retry else DismissIntent
            self.do(kind(data.draw(st.sampled_from(rows[:3]))[0], "because"))

    # Agents, and who scans.

    def post(self, seat: str, data: st.DataObject) -> None:
        others = [one for one in AGENTS if one != seat]
        sender = data.draw(st.sampled_from((USER, USER, USER, "hermes", *others)))
        kind = data.draw(st.sampled_from(("task", "task", "question", "task", "note")))
        answered = None
        if self.ledger.senders and data.draw(st.integers(0, 4)) == 0:
            answered, kind = data.draw(st.sampled_from(sorted(self.ledger.senders))), "reply"
        whom = ("all",) if data.draw(st.integers(0, 6)) == 0 else (seat,)
        self.do(Post(whom, "hello", kind=kind, reply_to=answered), sender)

    def post_and_scan(self, seat: str, data: st.DataObject) -> None:
        self.post(seat, data)
        self.scan(seat, data)

    def acknowledge(self, seat: str, data: st.DataObject) -> None:
        desk = self.ledger.desks[seat]
        due = [number for number in desk.queue if number > desk.cursor]
        if due:
            number = data.draw(st.sampled_from(due[:3]))
            self.do(Acknowledge(number, data.draw(st.booleans())), seat)

    def scan(self, seat: str, data: st.DataObject) -> None:
        """What a dry run says is done; long after the deadline nothing but a hold stays open."""
        drifted = frozenset(data.draw(st.sampled_from(((),) * 30 + (("echo",),))))
        now = self.clock.moment()
        with closing(self.project.view()) as view:
            before = by_time(view, seat, now, drifted).wake
            dry = planned(view, seat, now, drifted).ops
        done = self.project.run(Scan(seat, drifted), Actor("system", "cli")).ops
        assert [orjson.loads(orjson.dumps(op)) for op in dry] == [
            op for op in done if op["op"] != "clock_jumped"
        ]
        window = before.window
        assert window is not None
        limits, armed = window.policy, window.armed
        most = 1000 * (limits.window_seconds + limits.maximum_lease_seconds)
        gone = elapsed((armed.utc, armed.boot, armed.ms), (now.utc, now.boot, now.ms))
        if gone >= most and before.state != "hold":
            assert self.wake(seat).state == "closed"

    def claim(self, seat: str, data: st.DataObject) -> None:
        lease = f"lease-{len(self.leases)}"
        if self.do(Claim(lease, **self.as_consumer(seat)), seat):
            self.leases.append((seat, lease))

    def renew(self, seat: str, data: st.DataObject) -> None:
        if self.leases:
            seat, lease = data.draw(st.sampled_from(self.leases[-2:]))
            self.do(Renew(lease, **self.as_consumer(seat)), seat)

    def bring_a_receipt(self, seat: str, data: st.DataObject) -> None:
        if not self.leases or (self.wake(seat).lease is None and data.draw(st.integers(0, 3))):
            self.claim(seat, data)
            return
        live, reply = self.wake(seat).lease, None
        lease = "" if live is None else live.lease
        if live is None or data.draw(st.integers(0, 5)) == 0:
            seat, lease = data.draw(st.sampled_from(self.leases[-2:]))
        outcome = data.draw(st.sampled_from(OUTCOMES))
        by = data.draw(st.sampled_from((seat,) * 8 + AGENTS))
        if outcome == "sent_and_verified" and live is not None:
            self.do(Post((USER,), "done", reply_to=live.message), by)
            reply = self.project.journal.head().rev
        self.do(TakeReceipt(lease, outcome, reply=reply, **self.as_consumer(by)), by)

    # Time, and what must change nothing.

    def wait(self, seat: str, data: st.DataObject) -> None:
        self.clock.move(seconds=data.draw(st.sampled_from(WAITS)))

    def turn_the_hands(self, seat: str, data: st.DataObject) -> None:
        hours = data.draw(st.sampled_from((-1, 24, -25, 0.001, 0)))
        if hours:
            self.clock.set(hours=hours)
        else:
            self.clock.boot()

    def use_another_handle(self, seat: str, data: st.DataObject) -> None:
        self.handle = 1 - self.handle
        if data.draw(st.booleans()):
            self.project.close()
            self.handles[self.handle] = Project(self.paths, self.clock)

    def lose_the_index(self, seat: str, data: st.DataObject) -> None:
        with closing(self.project.view()) as view:
            before = rows_of(view)
        shutil.rmtree(self.paths.cache)
        with closing(self.project.view()) as view:
            assert rows_of(view) == before

    def write_what_is_due(self, seat: str, data: st.DataObject) -> None:
        """What had been worked out is what stands once it is written."""
        with closing(self.project.view()) as view:
            expected = by_time(view, seat, self.clock.moment())
        self.do(Nothing(seat), seat)
        assert plain(self.wake(seat)) == plain(expected.wake)

    def ask_why(self, seat: str, data: st.DataObject) -> None:
        """Exactly one answer for each message to a seat with a policy."""
        with closing(self.project.view()) as view:
            found = explain(view, seat, self.clock.moment(), 10_000)
        numbers = [one.message for one in found]
        assert numbers == sorted(self.ledger.desks[seat].queue, reverse=True)


TestWakeMachine = pytest.mark.rule(
    *("W8", "W10", "W11", "W12", "W13", "W14", "W15", "W17", "W20", "W27", "W28", "W29", "M5")
)(WakeMachine.TestCase)
TestWakeMachine.settings = settings(
    max_examples=int(os.environ.get("MODEL_EXAMPLES", str(scaled(20, 400)))),
    stateful_step_count=int(os.environ.get("MODEL_STEPS", "60")),
)
