"""W22: who claims for a seat, by a lock that lives as long as its holder, or by declaration."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from state.errors import BadInput, Damaged, NotFound, Refused, Replaced
from state.journal import lock
from state.roster.commands import DeactivateSeat
from state.wake.consumer_commands import DeclareConsumer, EndConsumer, may_hold
from state.wake.consumers import (
    Consumer,
    consumers_of,
    every_consumer,
    held,
    holding,
    in_the_way,
    other_consumer,
)
from tests.state.world import World
from tests.support import environment, until

pytestmark = pytest.mark.rule("W22")

NOW = "2026-11-30T10:00:00.000000+00:00"

HOLD = """
import sys
from state.paths import Paths
from state.wake.consumers import holding
with holding(Paths(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def process(world: World, seat: str, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the seat's lock; ended at the latest on leaving."""
    command = [sys.executable, "-c", HOLD, world.paths.root, seat, name, NOW]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment(), **pipes) as started:  # type: ignore[call-overload]
        try:
            assert started.stdout.readline() == b"held\n"
            yield started
        finally:
            started.kill()


def of(world: World, seat: str) -> tuple[Consumer, ...]:
    with world.look() as view:
        return consumers_of(view, world.paths, seat)


def test_a_hold_counts_as_long_as_its_process_lives(world: World) -> None:
    assert of(world, "codex") == ()
    with process(world, "codex", "watcher [/b]") as holder:
        (one,) = of(world, "codex")
        assert one == Consumer("codex", "watcher [/b]", "held", NOW, True, pid=holder.pid)
        assert of(world, "hermes") == ()
        with pytest.raises(Refused) as caught, holding(world.paths, "codex", "other", NOW):
            pass
        assert caught.value.rule == "W22"
        for said in ("other_consumer", "watcher [/b]", NOW):
            assert said in caught.value.message
        assert str(holder.pid) in caught.value.hint
        # Not even under the same name.
        with pytest.raises(Refused), holding(world.paths, "codex", "watcher [/b]", NOW):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        # The file still says the name, and nobody believes it.
        assert b"watcher" in Path(world.paths.consumer("codex")).read_bytes()
        assert of(world, "codex") == ()
        with holding(world.paths, "codex", "next", NOW):
            assert [one.name for one in of(world, "codex")] == ["next"]
    assert of(world, "codex") == ()


def test_of_two_that_hold_at_once_one_does(world: World) -> None:
    done = threading.Event()
    names: list[str] = []
    refused: list[str] = []

    def hold(name: str) -> None:
        try:
            with holding(world.paths, "codex", name, NOW):
                names.append(name)
                done.wait(30)
        except Refused as error:
            refused.append(error.message)

    threads = [threading.Thread(target=hold, args=(f"n{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: len(names) + len(refused) == 4)
    done.set()
    for thread in threads:
        thread.join()
    assert (len(names), len(refused)) == (1, 3)
    assert all(names[0] in message for message in refused)


def test_who_asks_is_never_taken_for_a_holder(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = world.paths.consumer("codex")
    with holding(world.paths, "codex", "old", NOW):
        pass
    asking = threading.Event()
    seen: list[bool] = []

    def ask() -> None:
        while not asking.is_set():
            seen.append(lock.is_held(path))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    until(lambda: len(seen) > 300)
    asking.set()
    for thread in threads:
        thread.join()
    assert not any(seen)
    # And whoever asks at that moment keeps nobody from holding.
    fd = os.open(path, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_SH)
    assert not lock.is_held(path)
    monkeypatch.setattr(lock, "CLAIM_SECONDS", 60.0)
    timer = threading.Timer(0.1, os.close, (fd,))
    timer.start()
    with holding(world.paths, "codex", "new", NOW):
        assert lock.is_held(path)
    timer.join()


def test_the_lock_is_a_plain_file_of_its_own(world: World, tmp_path: Path) -> None:
    path = Path(world.paths.consumer("codex"))
    assert not path.exists()
    with holding(world.paths, "codex", "x", NOW) as still_held:
        assert path.stat().st_mode & 0o777 == 0o600
        still_held()
        path.rename(path.with_name("aside"))
        path.write_bytes(b"")
        with pytest.raises(Replaced):
            still_held()
    path.unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"kept")
    path.symlink_to(elsewhere)
    with pytest.raises(Damaged), holding(world.paths, "codex", "x", NOW):
        pass
    with pytest.raises(Damaged):
        of(world, "codex")
    path.unlink()
    os.link(elsewhere, path)
    with pytest.raises(Damaged), holding(world.paths, "codex", "x", NOW):
        pass
    assert elsewhere.read_bytes() == b"kept"


@pytest.mark.parametrize(
    "said", [b"", b"not json", b"[1]", b'{"name":1,"since":{},"pid":true}', b"\xff" * 2000]
)
def test_a_holder_that_does_not_say_its_name_is_one_all_the_same(world: World, said: bytes) -> None:
    with holding(world.paths, "codex", "codex", NOW):
        Path(world.paths.consumer("codex")).write_bytes(said)
        one = held(world.paths, "codex")
        assert one == Consumer("codex", "", "held", None, True)
        other = other_consumer((one,), "codex")
        assert other is one
        assert "doesn't say its name" in in_the_way(other).message


def test_the_first_under_another_name_than_the_claimers_is_in_the_way() -> None:
    mine = Consumer("codex", "codex", "held", NOW, True, pid=7)
    cron = Consumer("codex", "cron", "declared", NOW, None, "user")
    assert other_consumer((), "codex") is None
    assert other_consumer((mine,), "codex") is None
    assert other_consumer((cron, mine), "codex") is cron
    assert other_consumer((cron, mine), "cron") is mine
    assert other_consumer((cron,), "cron") is None
    for one, hint in ((cron, "consumer end codex"), (mine, "process 7")):
        refused = in_the_way(one)
        assert refused.rule == "W22"
        assert all(part in refused.message for part in ("other_consumer", one.name, NOW))
        assert hint in refused.hint


def test_what_cannot_hold_a_lock_is_declared_until_it_is_ended(world: World) -> None:
    world.run(DeclareConsumer("codex", "old [/x] cron"))
    (one,) = of(world, "codex")
    since = world.lines()[-1]["ts"]
    assert one == Consumer("codex", "old [/x] cron", "declared", since, None, "user")
    with world.look() as view:
        assert view.revision("consumer:codex") == 2
        assert every_consumer(view, world.paths) == (one,)
    again = world.refused("W22", DeclareConsumer("codex", "old [/x] cron"))
    assert "already" in again.message
    another = world.refused("W22", DeclareConsumer("codex", "new"))
    assert "old [/x] cron" in another.message
    assert "consumer end codex" in another.hint
    # Under another name nothing holds the lock beside it, under the same name it may.
    with pytest.raises(Refused):
        may_hold("new", one)
    may_hold("old [/x] cron", one)
    may_hold("new", None)
    ended = world.run(EndConsumer("codex"))
    assert ended.ops[0]["name"] == "old [/x] cron"
    assert of(world, "codex") == ()
    world.refused("W22", EndConsumer("codex"))
    assert world.run(DeclareConsumer("codex", "new"), "codex").rev == 4
    assert [one.by for one in of(world, "codex")] == ["codex"]


def test_the_user_and_the_seat_itself_declare_and_nobody_else(world: World) -> None:
    refused = world.refused("W22", DeclareConsumer("codex", "x"), "hermes")
    assert "only codex itself or the user" in refused.message
    world.run(DeclareConsumer("codex", "x"), "codex")
    world.refused("W22", EndConsumer("codex"), "hermes")
    world.run(EndConsumer("codex"), "codex")
    # What the user declared, the seat doesn't end; the user ends everything.
    world.run(DeclareConsumer("codex", "x"))
    world.refused("W22", EndConsumer("codex"), "codex")
    world.run(EndConsumer("codex"))
    world.run(DeclareConsumer("codex", "x"), "codex")
    world.run(EndConsumer("codex"))


def test_only_active_agent_seats_have_consumers(world: World) -> None:
    world.refused("W22", DeclareConsumer("user", "x"))
    world.refused("W22", DeclareConsumer("ghost", "x"))
    world.fails(NotFound, EndConsumer("ghost"))
    world.run(DeclareConsumer("codex", "x"))
    world.run(DeactivateSeat("codex", world.roster, "left"))
    # What stood may still be ended.
    world.run(EndConsumer("codex"))
    world.refused("W22", DeclareConsumer("codex", "x"))
    world.refused("W22", DeclareConsumer("codex", "x"), "codex")


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\x1b[2J", "\u202e", "x" * 81, "\ud800"])
def test_a_name_is_plain(name: str) -> None:
    with pytest.raises(BadInput):
        DeclareConsumer("codex", name)


def test_a_key_makes_it_safe_to_repeat(world: World) -> None:
    for rev, command in ((2, DeclareConsumer("codex", "x")), (3, EndConsumer("codex"))):
        key = type(command).__name__
        assert world.run(command, key=key).rev == rev
        again = world.run(command, key=key)
        assert (again.rev, again.repeated) == (rev, True)
    with pytest.raises(Refused, match="says something else"):
        world.run(DeclareConsumer("codex", "y"), key="DeclareConsumer")
