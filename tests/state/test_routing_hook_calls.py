"""A call of a hook: recorded, noted, or only counted; and never an error (S10, S15, S16)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from state.adapters.commands import Revoke
from state.errors import NotCommitted
from state.hook_call import COUNT_LIMIT, HookCall
from state.index.names import CODE
from state.journal.writer import Writer
from state.project import Project
from state.roster.commands import DeactivateSeat
from state.routing import listing, spool
from state.routing.layers import of_request
from tests.state.hook_support import HOME, Hooks, event, skill_tool
from tests.state.routing_support import DOCX, write_skill
from tests.state.world import World

DONE = {"success": True}


@pytest.fixture
def hooks(world: World) -> Hooks:
    return Hooks(world)


def files_of(world: World) -> dict[str, bytes]:
    """Every file of the project but the index."""
    found = (path for path in Path(world.paths.root).rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in found if "index-" not in path.name}


@pytest.mark.rule("S15")
def test_a_host_that_is_not_registered_leaves_only_a_count(hooks: Hooks) -> None:
    hooks.register("codex")
    hooks.call(skill_tool())
    before = files_of(hooks.world)
    for raw in (skill_tool(), b"", b"{", event("Nope"), "timeout", event("Stop")):
        assert hooks.call(raw).word == "unregistered"
        assert hooks.call(raw, seat=None).word == "unregistered"
    after = files_of(hooks.world)
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {hooks.world.paths.hook_calls("claude-code")}
    assert hooks.count() == 13
    assert os.stat(hooks.world.paths.hook_calls("claude-code")).st_mode & 0o777 == 0o600
    os.truncate(hooks.world.paths.hook_calls("claude-code"), COUNT_LIMIT)
    hooks.call(skill_tool())
    assert hooks.count() == COUNT_LIMIT


@pytest.mark.rule("S15")
def test_recording_begins_and_ends_with_the_registration(hooks: Hooks) -> None:
    hooks.register()
    assert hooks.call(skill_tool()).word == "recorded"
    hooks.world.run(Revoke("builtin:claude-code", "enough"))
    assert hooks.call(skill_tool(tool="toolu_2")).word == "unregistered"
    with hooks.world.look() as view:
        assert listing.count(view) == 1


@pytest.mark.rule("S10", "S16")
def test_before_and_after_are_one_request(hooks: Hooks) -> None:
    root = Path(hooks.world.paths.project) / ".claude" / "skills"
    write_skill(root, "docx", {DOCX: 1000})
    hooks.register()
    asked = hooks.call(skill_tool(agent_id="ag1"))
    done = hooks.call(skill_tool("PostToolUse", tool_response=DONE))
    assert (asked.word, done.word) == ("recorded", "recorded")
    assert hooks.call(skill_tool()).word == "recorded_before"
    with hooks.world.look() as view:
        assert listing.count(view) == 1
        found = of_request(view, "claude-code:s1:toolu_1")
    assert (found.host, found.seat, found.suggestion.state) == ("claude-code", "codex", "none")
    assert (found.choice.skill, found.choice.source) == ("docx", "hook")
    assert [one.recorded.chosen_by for one in found.choice.all] == ["host"]
    assert found.invocation.level == "confirmed"
    receipts = [one.recorded for one in found.invocation.receipts]
    assert [one.level for one in receipts] == ["requested", "confirmed"]
    assert len(receipts[0].skill_sha256) == 64
    assert (receipts[0].locator.agent, receipts[0].locator.tool_use) == ("ag1", "toolu_1")


@pytest.mark.rule("S2")
def test_only_a_known_skill_is_read(hooks: Hooks) -> None:
    root = Path(hooks.world.paths.project) / ".agents" / "skills"
    folder = write_skill(root, "docx", {DOCX: 1000})
    hooks.register("codex")

    def ran(command: str, call: str) -> str:
        given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call}
        raw = event("PostToolUse", **given, cwd=hooks.world.paths.project)
        return hooks.call(raw, "codex").word

    assert ran("cat .agents/skills/docx/SKILL.md", "c1") == "recorded"
    assert ran(f"python3 {folder}/scripts/run.py", "c2") == "recorded"
    assert ran("cat .agents/skills/pdf/SKILL.md", "c3") == "nothing"
    (root.parent / "docx").mkdir()
    (root.parent / "docx" / "SKILL.md").write_text("no root leads here")
    assert ran("cat .agents/docx/SKILL.md", "c4") == "nothing"
    # A link in a root is listed there, and not followed: what lies behind it is no known skill.
    (root / "linked").symlink_to(write_skill(root.parent / "aside", "linked", {DOCX: 1}))
    assert ran("cat .agents/skills/linked/SKILL.md", "c5") == "nothing"
    with hooks.world.look() as view:
        found = of_request(view, "codex:s1:c1")
    assert (found.choice.state, found.invocation.level) == ("none", "file_read")


def test_an_event_that_names_no_id_is_an_occasion_of_its_own(hooks: Hooks) -> None:
    hooks.register()
    typed = b'{"hook_event_name":"UserPromptExpansion","expansion_type":"slash_command",'
    typed += b'"command_name":"docx"}'
    assert [hooks.call(typed).word for _ in range(2)] == ["recorded", "recorded"]
    with hooks.world.look() as view:
        rows = listing.page(view, 0, 5)
    assert all(row.request.startswith("claude-code:unnamed:") for row in rows)
    assert [row.level for row in rows] == ["requested", "requested"]


@pytest.mark.rule("S15")
def test_what_went_wrong_is_noted_once_until_it_is_over(hooks: Hooks) -> None:
    hooks.register()
    for raw in (b"", b"{", event("Nope"), "timeout", "too_large", skill_tool()[:-5]):
        assert hooks.call(raw).word == "noted"
    assert [note for _, _, note, _ in hooks.notes()] == [
        "bad_input",
        "unknown_event",
        "timeout",
        "too_large",
    ]
    written = len(hooks.world.log().splitlines())
    assert hooks.call(b"again").rev is None
    assert len(hooks.world.log().splitlines()) == written
    needs = [need for need in hooks.world.overview().needs if need.kind == "hook"]
    assert [(need.seat, need.text) for need in needs[:2]] == [
        ("codex", "claude-code bad_input"),
        ("codex", "claude-code unknown_event"),
    ]
    hooks.call(skill_tool(), seat="gemini")
    assert len(hooks.notes()) == 4
    hooks.call(skill_tool(tool="toolu_2"))
    assert hooks.notes() == []
    assert hooks.world.overview().needs_total == 0
    assert hooks.call(b"again").rev is not None


def test_a_note_is_over_after_a_day_or_with_another_registration(hooks: Hooks) -> None:
    hooks.register()
    hooks.call(b"")
    hooks.world.clock.move(hours=23)
    assert len(hooks.notes()) == 1
    hooks.world.clock.move(hours=2)
    assert hooks.notes() == []
    hooks.call(b"")
    assert len(hooks.notes()) == 1
    hooks.world.run(Revoke("builtin:claude-code", "enough"))
    assert hooks.notes() == []
    hooks.register()
    assert hooks.notes() == []


@pytest.mark.rule("S10")
@pytest.mark.parametrize(
    ("seat", "noted", "word"),
    [
        (None, "", "no_seat"),
        ("user", "", "refused"),
        ("system", "", "refused"),
        ("Not A Seat", "", "refused"),
        ("nobody", "nobody", "refused"),
        ("gemini", "gemini", "refused"),
    ],
)
def test_a_seat_that_a_hook_cannot_act_for(
    hooks: Hooks, seat: str | None, noted: str, word: str
) -> None:
    hooks.register()
    hooks.world.run(DeactivateSeat("gemini", hooks.world.roster, "gone"))
    assert hooks.call(skill_tool(), seat=seat).word == "noted"
    assert hooks.notes() == [("claude-code", noted, word, "PreToolUse")]
    assert hooks.call(event("Stop"), seat=seat).word == "nothing"


@pytest.mark.rule("S15")
def test_other_readers_than_those_registered_record_nothing(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks.register()
    monkeypatch.setattr(HookCall, "_fingerprint", lambda self: "0" * 64)
    assert hooks.call(skill_tool()).note == "drifted"
    assert hooks.notes() == [("claude-code", "codex", "drifted", "PreToolUse")]


def test_a_full_disk_fails_no_hook(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks.register()

    def full(*_: object) -> None:
        raise NotCommitted("no room", "make room")

    monkeypatch.setattr(Writer, "append", full)
    assert hooks.call(skill_tool()).word == "spooled"
    monkeypatch.setattr(spool, "put", lambda *_: False)
    assert hooks.call(skill_tool(tool="toolu_2")).word == "lost"
    assert hooks.call(b"{").word == "lost"
    monkeypatch.undo()
    assert hooks.call(skill_tool(tool="toolu_3")).word == "recorded"
    with hooks.world.look() as view:
        assert listing.count(view) == 2


def test_what_a_damaged_journal_does_not_take_waits_until_it_is_sound(hooks: Hooks) -> None:
    hooks.register()
    log = Path(hooks.world.paths.segment(1))
    sound = log.read_bytes()
    log.write_bytes(sound.replace(b"shop", b"shoq"))
    damaged = log.read_bytes()
    with Project(hooks.world.paths) as elsewhere:
        one = HookCall(elsewhere, "claude-code", "codex")
        assert one.take(skill_tool, HOME).word == "spooled"
        assert one.take(lambda: b"{", HOME).word == "noted"
    assert log.read_bytes() == damaged
    log.write_bytes(sound)
    hooks.world.post("gemini", "codex")
    assert hooks.waiting() == []
    with hooks.world.look() as view:
        assert listing.count(view) == 1


def test_a_project_that_is_damaged_fails_no_hook(hooks: Hooks) -> None:
    hooks.register()
    hooks.world.project.close()
    log = Path(hooks.world.paths.segment(1))
    log.write_bytes(log.read_bytes().replace(b"shop", b"shoq"))
    Path(hooks.world.paths.index(CODE)).unlink()
    assert (
        HookCall(hooks.world.project, "claude-code", "codex").take(skill_tool, HOME).word == "lost"
    )
