"""Two panels and four shells on one project at once: nothing is lost, each conflict is shown."""

from __future__ import annotations

import subprocess

import pytest

from state.journal.journal import Journal
from state.journal.verify import verify
from tests.panel.seen import panel
from tests.state.world import World
from tests.support import environment, program

EACH = 12
POSTS = f"""
for number in $(seq {EACH}); do "$@" --title "$TITLE $number" || exit 1; done
"""


def shell(world: World, seat: str) -> subprocess.Popen[bytes]:
    """A shell that posts by the real command, one call after the other."""
    command = program("--project", world.folder, "--as", seat, "post", "user")
    env = environment({"TITLE": f"by {seat}"})
    return subprocess.Popen(["sh", "-c", POSTS, "sh", *command], env=env, stdout=subprocess.DEVNULL)


@pytest.mark.rule("R9", "R10")
def test_the_roster_is_changed_from_two_panels_while_four_shells_post(world: World) -> None:
    seats = ("codex", "gemini", "hermes", "codex")
    with panel(cwd=world.folder) as one, panel(cwd=world.folder) as two:
        for seen in (one, two):
            seen.sees("Nobody needs you")
            seen.sees("watching ●")
        shells = [shell(world, seat) for seat in seats]
        try:
            # The first is about to rename codex when the second hides gemini.
            one.terminal.write(b"\t\x1b[B")
            one.sees("▸ codex")
            one.terminal.write(b"sn")
            one.sees("Rename codex")
            one.terminal.write(b"Builder")
            one.sees("Builder")
            two.terminal.write(b"\t\x1b[B\x1b[B")
            two.sees("▸ gemini")
            two.terminal.write(b"sh")
            two.sees("1 hidden")
            one.terminal.write(b"\r")
            one.sees("Someone was faster")
            one.sees("you hid gemini in another panel")
            one.terminal.write(b"a")
            one.sees("saved as r")
            # And the other way round, with a change that the person drops.
            two.terminal.write(b"sa")
            two.sees("Add a seat")
            two.terminal.write(b"scout")
            one.terminal.write(b"sh")
            one.sees("2 hidden")
            two.terminal.write(b"\x1bOQ")
            two.sees("Your change: add scout")
            two.sees("you hid codex in another panel")
            two.terminal.write(b"x")
            two.sees("2 hidden")
            assert [process.wait(300) for process in shells] == [0, 0, 0, 0]
        finally:
            for process in shells:
                process.kill()
                process.wait()
        for seen in (one, two):
            seen.terminal.write(b"q")
            assert seen.ends() == 0
    lines = world.lines()
    posted = [line["ops"][0]["title"] for line in lines if line["ops"][0]["op"] == "message_posted"]
    wanted = [f"by {seat} {number}" for seat in seats for number in range(1, EACH + 1)]
    assert sorted(posted) == sorted(wanted)
    changes = [line["ops"][0]["op"] for line in lines[1:] if line["guards"]]
    assert changes == ["seat_hidden", "seat_renamed", "seat_hidden"]
    assert world.seat("codex").name == "Builder"
    report = verify(Journal(world.paths))
    assert (report.ok, report.lines) == (True, len(lines))
