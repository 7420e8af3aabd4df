"""The real program on a real terminal: it starts, ends when it is told to, and ends promptly.

What may only be read says so (fault 13).
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from state.messages.commands import Post
from tests.panel.desk import holding_lock
from tests.panel.seen import panel
from tests.state.world import World


def test_q_leaves_and_the_terminal_is_as_it_was(world: World) -> None:
    world.run(Post(("user",), "which branch?", kind="question"), "hermes")
    with panel(cwd=world.folder) as seen:
        seen.sees("asks: which branch?")
        seen.sees("verified ✓")
        seen.terminal.write(b"q")
        assert seen.ends() == 0
        # The other screen is left and the cursor is shown again.
        shown = seen.terminal.rest()
        assert shown.rfind(b"\x1b[?1049l") > shown.rfind(b"\x1b[?1049h")
        assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l")
        assert b"Traceback" not in shown


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(world: World, number: signal.Signals) -> None:
    with panel(cwd=world.folder) as seen:
        seen.sees("Nobody needs you")
        seen.process.send_signal(number)
        assert seen.ends() == 0
        shown = seen.terminal.rest()
        assert shown.rfind(b"\x1b[?1049l") > shown.rfind(b"\x1b[?1049h")
        assert b"Traceback" not in shown


def test_it_ends_when_its_terminal_goes_away(world: World) -> None:
    with panel(cwd=world.folder) as seen:
        seen.sees("Nobody needs you")
        os.killpg(seen.process.pid, signal.SIGHUP)
        assert seen.ends() == 0


def test_it_ends_promptly_while_a_command_waits_for_the_lock(world: World) -> None:
    with panel(cwd=world.folder, patient=True) as seen, holding_lock(world.paths, "hermes"):
        seen.sees("Nobody needs you")
        seen.terminal.write(b"\t\x1b[B")
        seen.sees("▸ codex")
        seen.terminal.write(b"sh")
        seen.sees("saving…")
        seen.terminal.write(b"q")
        seen.sees("Leave now?")
        seen.terminal.write(b"y")
        assert seen.ends() == 0
    assert len(world.lines()) == 1


@pytest.mark.parametrize("more", [b"s", b"?", b"m", b"2", b"shk"])
def test_keys_typed_after_the_end_do_nothing(world: World, more: bytes) -> None:
    with panel(cwd=world.folder) as seen:
        seen.sees("Nobody needs you")
        seen.terminal.write(b"q" + more)
        assert seen.ends() == 0
        assert b"Traceback" not in seen.terminal.rest()
    assert len(world.lines()) == 1


def test_it_is_found_from_a_folder_below_and_by_name(world: World, tmp_path: Path) -> None:
    below = world.folder / "src" / "deep"
    below.mkdir(parents=True)
    for args, cwd in (((), below), (("--project", world.folder), tmp_path)):
        with panel(*args, cwd=cwd) as seen:
            seen.sees("sublation-panel · shop")
            seen.terminal.write(b"q")
            assert seen.ends() == 0


def test_another_process_is_seen_at_once(world: World) -> None:
    with panel(cwd=world.folder) as seen:
        seen.sees("Nobody needs you")
        seen.sees("watching ●")
        world.run(Post(("user",), "which branch?", kind="question"), "hermes")
        seen.sees("asks: which branch?")
        seen.terminal.write(b"q")
        assert seen.ends() == 0


def test_a_project_that_can_not_be_written_is_shown_and_nothing_can_be_pressed(
    world: World,
) -> None:
    world.run(Post(("user",), "which branch?", kind="question"), "hermes")
    places = [Path(world.paths.root), *Path(world.paths.root).rglob("*")]
    before = world.log()
    for path in places:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        with panel(cwd=world.folder, bound=True) as seen:
            seen.sees("asks: which branch?")
            seen.sees("■ read only: keys that write are dimmed")
            seen.sees("k·ack")
            seen.terminal.write(b"s")
            seen.sees("read only: this process may not write the project")
            seen.terminal.write(b"q")
            assert seen.ends() == 0
    finally:
        for path in places:
            path.chmod(0o700 if path.is_dir() else 0o600)
    assert world.log() == before
