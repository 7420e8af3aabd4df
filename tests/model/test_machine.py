"""Random commands of several seats against a model in memory: every answer stays equal.

Between any two commands the project may be opened anew, another process's handle may write, and
the cache may be deleted or spoiled; none of that may change an answer. `MODEL_EXAMPLES` and
`MODEL_STEPS` in the environment make it longer.
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from state.command import Command
from state.index.names import CODE
from state.messages import listing
from state.messages.commands import Acknowledge
from state.messages.listing import Filter
from state.messages.operations import MessageEvidence, NoEvidence
from state.messages.search import search
from state.messages.tasks import AcceptTask, CancelTask, DeclineTask, FinishTask
from state.project import Project
from state.roster.commands import (
    AddSeat,
    CloseQueue,
    DeactivateSeat,
    HideSeat,
    MarkAway,
    MarkBack,
    RenameSeat,
    RestoreSeat,
    SetLabels,
    ShowSeat,
)
from tests.faults.scale import scaled
from tests.model.answers import (
    changed,
    differences,
    lets_through,
    of_model,
    of_project,
    told,
)
from tests.model.pair import AGENTS, KINDS, LATER, STATES, Pair
from tests.model.records import LIVE, USER


class Machine(Pair):
    """What seats do, and what must change nothing, in any order."""

    # Messages.

    @rule(data=st.data())
    def post(self, data: st.DataObject) -> None:
        self.post_something(data)

    @rule(data=st.data())
    def post_several(self, data: st.DataObject) -> None:
        for _ in range(3):
            self.post_something(data)

    @rule(data=st.data(), key=st.sampled_from(("one", "two")))
    def post_with_a_key(self, data: st.DataObject, key: str) -> None:
        command, sender = self._a_post(data)
        earlier = [entry for entry in self.keyed if entry[:2] == (sender, key)]
        if earlier:
            self._again(earlier[0], command)
            return
        expected = self._posted(command, sender)
        self.both(expected, command, sender, key)
        if expected is not None:
            self.keyed.append((sender, key, command, expected))

    @precondition(lambda self: self.keyed)
    @rule(data=st.data())
    def post_again(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.keyed))
        self._again(entry, entry[2])

    @rule(data=st.data(), through=st.booleans())
    def acknowledge(self, data: st.DataObject, through: bool) -> None:
        # Mostly what can be acknowledged, so that cursors move.
        due = [seat.id for seat in self.model.seats.values() if seat.unread]
        seat = data.draw(st.sampled_from(due) if due else st.sampled_from(AGENTS))
        unread = self.model.seats[seat].unread
        near = st.sampled_from(unread[:3]) if unread else st.nothing()
        number = data.draw(near | near | st.integers(1, self.model.rev))
        expected = self.model.acknowledge(self.clock.now(), seat, number, through)
        self.both(expected, Acknowledge(number, through), seat)

    # Tasks.

    @precondition(lambda self: self.model.tasks)
    @rule(data=st.data())
    def work_on_a_task(self, data: st.DataObject) -> None:
        live = sorted(key for key, task in self.model.tasks.items() if task.state in LIVE)
        number, holder = data.draw(st.sampled_from(live or sorted(self.model.tasks)))
        fitting = {"open": ("accept", "decline"), "accepted": ("done", "done", "cancel")}
        steps = fitting.get(self.model.tasks[number, holder].state, ())
        step = data.draw(st.sampled_from((*steps, *steps, "accept", "done", "decline", "cancel")))
        seat = data.draw(st.sampled_from((holder,) * 6 + (USER, *AGENTS)))
        self._task(data, step, number, holder, seat)

    def _task(self, data: st.DataObject, step: str, number: int, holder: str, seat: str) -> None:
        now, reason = self.clock.now(), "because"
        if step == "accept":
            self.both(self.model.accept(now, seat, number), AcceptTask(number), seat)
        elif step == "decline":
            expected = self.model.decline(now, seat, number, reason)
            self.both(expected, DeclineTask(number, reason), seat)
        elif step == "cancel":
            one = data.draw(st.sampled_from((None, holder)))
            expected = self.model.cancel(now, seat, number, one, reason)
            self.both(expected, CancelTask(number, reason, one), seat)
        else:
            proof = data.draw(st.none() | st.sampled_from(sorted(self.model.messages)))
            expected = self.model.finish(now, seat, number, proof)
            evidence = NoEvidence() if proof is None else MessageEvidence(proof)
            self.both(expected, FinishTask(number, evidence), seat)

    # The roster.

    @rule(data=st.data(), what=st.sampled_from(("hide", "show", "deactivate", "restore")))
    def change_a_seat(self, data: st.DataObject, what: str) -> None:
        seat, actor, seen = self._seat(data), self._actor(data), self._seen(data)
        commands: dict[str, Command] = {
            "hide": HideSeat(seat, seen),
            "show": ShowSeat(seat, seen),
            "deactivate": DeactivateSeat(seat, seen, "no use"),
            "restore": RestoreSeat(seat, seen),
        }
        command = commands[what]
        self.both(self.model.change(self.clock.now(), actor, seen, seat, what), command, actor)

    @rule(data=st.data(), seat=st.sampled_from((*LATER, *AGENTS)))
    def add(self, data: st.DataObject, seat: str) -> None:
        actor, seen = self._actor(data), self._seen(data)
        expected = self.model.add(self.clock.now(), actor, seen, seat, "host")
        self.both(expected, AddSeat(seat, seen, host="host"), actor)

    @rule(data=st.data(), word=st.sampled_from(("Ada", "Bob")))
    def call(self, data: st.DataObject, word: str) -> None:
        seat, actor, seen = self._seat(data), self._actor(data), self._seen(data)
        if data.draw(st.booleans()):
            expected = self.model.rename(self.clock.now(), actor, seen, seat, word)
            self.both(expected, RenameSeat(seat, seen, word), actor)
        else:
            expected = self.model.label(self.clock.now(), actor, seen, seat, word)
            self.both(expected, SetLabels(seat, seen, host=word), actor)

    @rule(data=st.data(), minutes=st.integers(-10, 60))
    def leave(self, data: st.DataObject, minutes: int) -> None:
        seat, actor = self._seat(data), self._actor(data)
        now = self.clock.now()
        until = self.clock.move(minutes=minutes)
        self.clock.move(minutes=-minutes)
        expected = self.model.leave(now, actor, seat, until, "lunch")
        self.both(expected, MarkAway(seat, until, "lunch"), actor)

    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        seat, actor = self._seat(data), self._actor(data)
        self.both(self.model.come_back(self.clock.now(), actor, seat), MarkBack(seat), actor)

    @rule(data=st.data())
    def close_a_queue(self, data: st.DataObject) -> None:
        seat, actor = self._seat(data), self._actor(data)
        expected = self.model.close_queue(self.clock.now(), actor, seat, "gone")
        self.both(expected, CloseQueue(seat, "gone"), actor)

    # What must change nothing.

    @rule(minutes=st.sampled_from((1, 4, 6, 16, 59, 61)))
    def wait(self, minutes: int) -> None:
        self.clock.move(minutes=minutes)

    @rule()
    def use_the_other_handle(self) -> None:
        self.handle = 1 - self.handle

    @rule()
    def open_anew(self) -> None:
        self.project.close()
        self.handles[self.handle] = Project(self.paths, self.clock)

    @rule()
    def lose_the_cache(self) -> None:
        shutil.rmtree(self.paths.cache)

    @rule(garbage=st.sampled_from((b"", b"SQLite format 3\0" + bytes(200), b"no index" * 900)))
    def spoil_the_index(self, garbage: bytes) -> None:
        index = Path(self.paths.index(CODE))
        for side in index.parent.glob("index-*"):
            side.unlink()
        index.parent.mkdir(exist_ok=True)
        index.write_bytes(garbage)

    @invariant()
    def every_answer_is_the_same(self) -> None:
        wanted = of_model(self.model, self.clock.now())
        with closing(self.project.view()) as view:
            assert list(differences(of_project(view, self.clock.moment()), wanted)) == []
            if self.before is not None and self.model.rev == self.before["project"][0] + 1:
                assert told(view, self.model.rev) == changed(self.before, wanted)
        self.before = wanted

    @rule(data=st.data())
    def list_by_a_filter(self, data: st.DataObject) -> None:
        seats = st.sampled_from((None, USER, *AGENTS, "nobody"))
        times = st.none() | st.sampled_from(sorted({m.at for m in self._messages()} or {None}))
        wanted = Filter(
            seat=data.draw(seats),
            sender=data.draw(seats),
            kind=data.draw(st.sampled_from((None, *KINDS))),
            state=data.draw(st.sampled_from(STATES)),
            since=data.draw(times),
            until=data.draw(times),
        )
        found = [m.id for m in self._messages() if lets_through(self.model, wanted, m)][::-1]
        first, size = data.draw(st.integers(0, 12)), data.draw(st.integers(1, 12))
        with closing(self.project.view()) as view:
            assert listing.count(view, wanted) == len(found)
            page = [row.id for row in listing.page(view, wanted, first, size)]
            assert page == found[first : first + size]
            for number in self.model.messages:
                place = found.index(number) if number in found else None
                assert listing.place(view, wanted, number) == place

    @rule(text=st.sampled_from(("ALPHA", "alpha", "strasse", "\u00e1", '"', "漢", "zzz", "body")))
    def search_for(self, text: str) -> None:
        meant = {"strasse": "Straße", "\u00e1": "a\u0301"}.get(text, text)
        found = [m.id for m in self._messages() if meant in m.title or meant in m.body][::-1]
        with closing(self.project.view()) as view:
            assert [hit.id for hit in search(view, text)] == found


TestMachine = pytest.mark.rule(
    *("R4", "R6", "R7", "R9", "R14", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M10", "M14", "M15")
)(Machine.TestCase)
TestMachine.settings = settings(
    max_examples=int(os.environ.get("MODEL_EXAMPLES", str(scaled(20, 300)))),
    stateful_step_count=int(os.environ.get("MODEL_STEPS", "60")),
)
