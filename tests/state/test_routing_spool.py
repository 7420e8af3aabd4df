"""Hook events that met a busy lock: kept, taken over, set aside; never lost, never twice (S15)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from state.adapters.commands import Revoke
from state.adapters.queries import registered
from state.errors import NotCommitted
from state.hook_call import HookCall
from state.journal.lock import exclusive
from state.routing import listing, spool
from state.routing.layers import of_request
from tests.state.hook_support import Hooks, skill_tool
from tests.state.world import World
from tests.support import ROOT, environment

NAME = "{:020d}-claude-code-0123456789abcdef.json"


@pytest.fixture
def hooks(world: World, monkeypatch: pytest.MonkeyPatch) -> Hooks:
    monkeypatch.setattr("state.hook_call.WAIT_SECONDS", 0.01)
    made = Hooks(world)
    made.register()
    return made


@contextmanager
def busy(hooks: Hooks) -> Iterator[None]:
    """Somebody holds the lock."""
    with exclusive(hooks.world.paths.mutex, seat="gemini", since=hooks.world.clock.now()):
        yield


def keep(hooks: Hooks, *tools: str, seat: str | None = "codex") -> list[str]:
    """Calls that meet a busy lock, a second apart; the words of their outcomes."""
    words = []
    with busy(hooks):
        for tool in tools:
            words.append(hooks.call(skill_tool(tool=tool), seat=seat).word)
            hooks.world.clock.move(seconds=1)
    return words


def lines(hooks: Hooks) -> list[dict[str, object]]:
    return [orjson.loads(line) for line in hooks.world.log().splitlines()]


@pytest.mark.rule("S15")
def test_an_event_that_meets_a_busy_lock_is_kept_without_its_texts(hooks: Hooks) -> None:
    with busy(hooks):
        raw = skill_tool(prompt="canary-1").replace(b'"args": "x"', b'"args": "canary-2"')
        assert hooks.call(raw).word == "spooled"
    (name,) = hooks.waiting()
    kept = (hooks.spool / name).read_bytes()
    assert b"canary" not in kept
    assert (hooks.spool / name).stat().st_mode & 0o777 == 0o600
    fields = orjson.loads(kept)
    assert (fields["v"], fields["seat"], fields["note"]) == (1, "codex", None)
    assert fields["events"][0]["request"] == "claude-code:s1:toolu_1"


@pytest.mark.rule("S15")
def test_the_next_command_takes_over_what_waits_in_order(hooks: Hooks) -> None:
    happened = hooks.world.clock.now()
    assert keep(hooks, "t1", "t2") == ["spooled", "spooled"]
    with hooks.world.look() as view:
        assert listing.count(view) == 0
    assert len(hooks.waiting()) == 2
    number = hooks.world.post("gemini", "codex")
    assert hooks.waiting() == []
    written = lines(hooks)
    assert [line["rev"] for line in written[-3:]] == [number, number + 1, number + 2]
    assert [(line["seat"], line["via"]) for line in written[-2:]] == [("codex", "hook")] * 2
    with hooks.world.look() as view:
        rows = listing.page(view, 0, 5)
        (receipt,) = of_request(view, "claude-code:s1:t1").invocation.receipts
    assert [row.request for row in rows] == ["claude-code:s1:t2", "claude-code:s1:t1"]
    assert receipt.recorded.at == happened
    assert receipt.at > happened


def test_one_command_takes_over_so_many(hooks: Hooks) -> None:
    keep(hooks, *(f"t{number}" for number in range(spool.AT_ONCE + 2)))
    hooks.world.post("gemini", "codex")
    assert len(hooks.waiting()) == 2
    assert hooks.call(skill_tool(tool="t99")).word == "recorded"
    assert hooks.waiting() == []
    with hooks.world.look() as view:
        assert listing.count(view) == spool.AT_ONCE + 3


def test_a_note_waits_too(hooks: Hooks) -> None:
    assert keep(hooks, "t1", "t2", seat=None) == ["noted", "noted"]
    assert hooks.notes() == []
    hooks.world.post("gemini", "codex")
    assert hooks.notes() == [("claude-code", "", "no_seat", "PreToolUse")]
    assert hooks.waiting() == []


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b'{"v":2,"seat":"codex","events":[],"note":null}',
        b'{"v":1,"seat":"codex","events":[{}],"note":null}',
        b'{"v":1,"seat":"codex","events":[],"note":{"host":"claude-code","note":"a text"}}',
        b'{"v":1,"seat":"codex","events":7,"note":null}',
        b"x" * (spool.FILE_LIMIT + 1),
    ],
)
def test_a_damaged_file_is_set_aside_and_noted(hooks: Hooks, raw: bytes) -> None:
    name = NAME.format(1)
    (hooks.spool / name).write_bytes(raw)
    (hooks.spool / "notes.txt").write_text("somebody's own")
    keep(hooks, "t1")
    hooks.world.post("gemini", "codex")
    assert hooks.waiting() == ["notes.txt"]
    aside = Path(hooks.world.paths.quarantined(f"spool-{name}"))
    assert aside.read_bytes() == raw
    assert [note for _, _, note, _ in hooks.notes()] == []
    noted = [op for line in lines(hooks) for op in line["ops"] if op["op"] == "hook_noted"]  # type: ignore[attr-defined]
    assert [(op["host"], op["note"]) for op in noted] == [("claude-code", "spool_damaged")]


@pytest.mark.parametrize("seat", ["user", "system"])
def test_the_spool_acts_for_no_person(hooks: Hooks, seat: str) -> None:
    keep(hooks, "t1")
    (name,) = hooks.waiting()
    kept = orjson.loads((hooks.spool / name).read_bytes())
    (hooks.spool / name).write_bytes(orjson.dumps({**kept, "seat": seat}))
    hooks.world.post("gemini", "codex")
    assert [note for _, _, note, _ in hooks.notes()] == ["spool_damaged"]
    with hooks.world.look() as view:
        assert listing.count(view) == 0


def test_a_folder_or_a_link_in_the_spool_fails_no_command(hooks: Hooks, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("a text of somebody else")
    (hooks.spool / NAME.format(1)).mkdir()
    (hooks.spool / NAME.format(2)).symlink_to(tmp_path / "elsewhere")
    os.mkfifo(hooks.spool / NAME.format(3))
    hooks.world.post("gemini", "codex")
    assert hooks.waiting() == []
    assert (tmp_path / "elsewhere").read_text() == "a text of somebody else"
    assert [note for _, _, note, _ in hooks.notes()] == ["spool_damaged"]


@pytest.mark.rule("S15")
def test_what_waits_for_a_revoked_adapter_is_set_aside_unrecorded(hooks: Hooks) -> None:
    keep(hooks, "t1")
    (name,) = hooks.waiting()
    before = len(lines(hooks))
    hooks.world.run(Revoke("builtin:claude-code", "enough"))
    assert len(lines(hooks)) == before + 1
    assert hooks.waiting() == []
    assert Path(hooks.world.paths.quarantined(f"spool-{name}")).exists()


def test_a_full_spool_says_so(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "FILES_LIMIT", 2)
    assert keep(hooks, "t1", "t2", "t3") == ["spooled", "spooled", "lost"]
    hooks.world.post("gemini", "codex")
    assert ("claude-code", "codex", "spool_full", "PreToolUse") in hooks.notes()


def test_a_failing_take_over_fails_no_command(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NotCommitted("no room", "make room")

    keep(hooks, "t1")
    monkeypatch.setattr(spool, "take_over", full)
    hooks.world.post("gemini", "codex")
    monkeypatch.undo()
    assert len(hooks.waiting()) == 1
    hooks.world.post("gemini", "codex")
    assert hooks.waiting() == []


def test_what_a_dead_hook_began_is_swept_later(hooks: Hooks) -> None:
    keep(hooks, "t1")
    now = spool.nanoseconds(hooks.world.clock.now())
    old, young = NAME.format(now - spool.STALE_NS - 1), NAME.format(now)
    for name in (old, young):
        (hooks.spool / (name + spool.UNFINISHED)).write_bytes(b"{")
    hooks.world.post("gemini", "codex")
    assert hooks.waiting() == [young + spool.UNFINISHED]


DIES = """
import os, signal, sys
from state import files
from state.command import Actor
from state.messages.commands import Post
from state.project import open_project
if sys.argv[2] == "before":
    files.read_whole_ = files.read_whole
    def dies(path, limit):
        if "spool" in path:
            os.kill(os.getpid(), signal.SIGKILL)
        return files.read_whole_(path, limit)
    files.read_whole = dies
else:
    files.unlink = lambda path: os.kill(os.getpid(), signal.SIGKILL)
open_project(sys.argv[1]).run(Post(("gemini",), "hello"), Actor("codex", "cli"))
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_death_during_the_take_over_loses_and_doubles_nothing(hooks: Hooks, when: str) -> None:
    """Before the event's line is written, and between the line and the end of its file."""
    keep(hooks, "t1")
    hooks.world.project.close()
    command = [sys.executable, "-c", DIES, str(hooks.world.folder), when]
    died = subprocess.run(command, env=environment(), capture_output=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert len(hooks.waiting()) == 1
    hooks.world.post("hermes", "codex")
    assert hooks.waiting() == []
    ops = [op["op"] for line in lines(hooks) for op in line["ops"]]  # type: ignore[attr-defined]
    assert ops.count("receipt_recorded") == ops.count("choice_recorded") == 1
    assert (
        HookCall(hooks.world.project, "claude-code", "codex")
        .take(lambda: skill_tool(tool="t1"), "/home/me")
        .word
        == "recorded_before"
    )


def test_the_file_of_the_documentation_is_taken_over(hooks: Hooks) -> None:
    text = (ROOT / "docs" / "format.md").read_text()
    raw = text.partition("```json spool\n")[2].partition("```")[0]
    with hooks.world.look() as view:
        found = registered(view, "builtin:claude-code")
    assert found is not None
    kept = orjson.loads(raw)
    kept["events"][0]["fingerprint"] = found.fingerprint
    (hooks.spool / NAME.format(1)).write_bytes(orjson.dumps(kept))
    hooks.world.post("gemini", "codex")
    assert hooks.waiting() == []
    with hooks.world.look() as view:
        layers = of_request(view, "claude-code:0f3c:toolu_01")
    assert layers.invocation.state == "invoked"
