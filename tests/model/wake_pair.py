"""A project with two agents that may be woken, under a clock that anything may happen to."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.command import USER, Actor, Command
from state.create import create
from state.errors import NotFound, Refused, RevisionConflict
from state.index.view import View
from state.messages.commands import Post
from state.project import Project
from state.wake.load import seat_wake
from state.wake.model import CLAIMABLE, SeatWake
from state.wake.policy import Policy, policy_of
from state.wake.scanning import Scan
from state.wake.window_commands import Arm, EnablePolicy, Resume, SetPolicy
from tests.model.pair import Pair
from tests.model.wake_ledger import Ledger
from tests.state.clocks import SetClock

# `gemini` is woken by an adapter, `codex` claims for itself; `hermes` only writes.
AGENTS = ("codex", "gemini")
LIMITS: Mapping[str, tuple[int, ...]] = {
    "window_seconds": (300, 60, 1_800, 1_800),
    "maximum_quiet_cycles": (3, 50, 50, 1),
    "maximum_wakes": (5, 9, 2, 1),
    "scan_interval_seconds": (5, 30),
    "cooldown_seconds": (0, 0, 20),
    "hourly_quota": (60, 60, 3),
    "lease_seconds": (40, 10),
    "maximum_lease_seconds": (90, 40),
    "maximum_attempts": (2, 3, 1),
    "maximum_hops": (2, 0, 16),
}
KINDS = (["question", "task"], ["reply", "task"])
agents = st.sampled_from(AGENTS)


@dataclass(frozen=True)
class Nothing:
    """Does nothing but let what is due be written."""

    seat: str
    drifted: frozenset[str] = frozenset()

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (self.seat,)

    def decide(self, view: View, actor: Actor, now: object) -> Sequence[object]:
        return ()

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return False


def plain(wake: SeatWake) -> tuple[object, ...]:
    """What must be the same whether it was worked out or has been written."""
    states = {intent.message: intent.state for intent in wake.intents}
    return (
        *(wake.window, wake.lease, wake.ended, wake.grants, wake.passed, wake.cursor),
        [(one.message, one.state, one.attempts, one.reason) for one in wake.intents],
        [one for one in wake.waiting if states.get(one.message) in CLAIMABLE],
    )


class WakePair(RuleBasedStateMachine):
    """Two handles on one project under a clock that anything may happen to."""

    @initialize(data=st.data())
    def make(self, data: st.DataObject) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="wakes-"))
        self.clock = SetClock()
        seats = [(seat, "") for seat in (*AGENTS, "hermes")]
        self.paths = create(str(self.folder), name="shop", seats=seats, clock=self.clock, via="cli")
        self.handles = [Project(self.paths, self.clock), Project(self.paths, self.clock)]
        self.handle = 0
        self.leases: list[tuple[str, str]] = []
        self.ledger = Ledger(Path(self.paths.segment(1)))
        self.file = self.folder / "echo.py"
        self.file.write_text("run")
        self.taken = take([str(self.file)])
        self.do(Register("echo", self.taken))
        for seat in AGENTS:
            self.do(SetPolicy(seat, policy=self.a_policy(data, seat)))
            self.do(EnablePolicy(seat))
            self.do(self.shown(Arm, seat))
            for kind in ("task", "note", "task", "question"):
                self.do(Post((seat,), "hello", kind=kind))
            self.project.run(Scan(seat), Actor("system", "cli"))

    def teardown(self) -> None:
        if hasattr(self, "handles"):
            for project in self.handles:
                project.close()
            shutil.rmtree(self.folder)

    @property
    def project(self) -> Project:
        return self.handles[self.handle]

    def do(self, command: Command, seat: str = USER) -> Sequence[Mapping[str, Any]]:
        """Carries it out if it may be; gives what was written."""
        Pair.commands += 1
        try:
            return self.project.run(command, Actor(seat, "cli")).ops
        except (Refused, NotFound, RevisionConflict):
            return ()

    def wake(self, seat: str) -> SeatWake:
        with closing(self.project.view()) as view:
            return seat_wake(view, seat)

    def a_policy(self, data: st.DataObject, seat: str) -> Policy:
        given: dict[str, Any] = {
            name: data.draw(st.sampled_from(values)) for name, values in LIMITS.items()
        }
        given["triggers"] = {
            "kinds": data.draw(st.sampled_from((["question", "task"], ["reply", "task"])))
        }
        if seat == "gemini":
            given |= {"adapter_id": "echo", "fingerprint": self.taken.fingerprint}
        with closing(self.project.view()) as view:
            return policy_of(given, view.head.project, seat)

    def as_consumer(self, seat: str) -> dict[str, Any]:
        if seat != "gemini":
            return {}
        return {"adapter": "echo", "fingerprint": self.taken.fingerprint}

    def shown(self, kind: type[Arm] | type[Resume], seat: str, stale: int = 0) -> Arm | Resume:
        """Arming or resuming with what stands now, or with what stood before."""
        seen = self.wake(seat)
        return kind(
            seat,
            policy_hash=seen.policy_hash,
            policy_revision=seen.policy_revision,
            window_revision=max(0, seen.window_revision - stale),
        )
