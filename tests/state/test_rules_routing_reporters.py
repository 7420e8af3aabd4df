"""S15: nothing of a host is recorded until the user registers an adapter of that host."""

from __future__ import annotations

from pathlib import Path

import pytest

from state.errors import BadInput, Refused
from state.routing import listing
from state.routing.commands import Choose, Suggest
from state.routing.events import NoteHook, RecordEvents
from state.routing.queries import hook_notes
from tests.state.routing_support import BUILD, Desk
from tests.state.world import World


@pytest.fixture
def desk(world: World, tmp_path: Path) -> Desk:
    made = Desk(world, tmp_path)
    made.register()
    made.choose("r1", "docx")
    return made


@pytest.mark.rule("S15")
def test_nothing_of_a_host_is_recorded_before_its_adapter_is_registered(world: World) -> None:
    desk = Desk(world, Path(world.folder))
    before = world.log()
    events = tuple(desk.event("r1", kind) for kind in ("pre_tool_use", "post_tool_use"))
    world.refused("S15", RecordEvents(events), "codex")
    with pytest.raises(Refused) as caught:
        desk.choose("r1", "docx")
    assert caught.value.rule == "S15"
    assert world.log() == before
    desk.register("builtin:claude-code")
    events = tuple(desk.event("r1", kind) for kind in ("pre_tool_use", "post_tool_use"))
    world.run(RecordEvents(events), "codex")
    with pytest.raises(Refused):
        desk.choose("r1", "docx", host="codex")
    desk.fingerprint = "1" * 64
    with pytest.raises(Refused):
        desk.choose("r1", "docx")


@pytest.mark.rule("S11", "S15")
def test_an_adapter_reports_for_the_hosts_that_it_was_registered_for(desk: Desk) -> None:
    desk.register("mini", ("hermes",))
    assert desk.receipt("r1")["reason"] == "other_host"
    assert desk.receipt("r1", host="hermes")["state"] == "accepted"
    assert desk.choose("r2", "docx", host="hermes")["host"] == "hermes"
    asked = Suggest("r3", desk.ask(BUILD), "claude-code", desk.adapter, desk.fingerprint)
    refused = desk.world.refused("S15", asked, "codex")
    assert "--capability host:" in refused.hint
    # One that was registered to wake an agent says nothing of what a host does with skills.
    desk.register("mini", ())
    for host in ("hermes", "claude-code"):
        by = (desk.adapter, desk.fingerprint)
        desk.world.refused("S15", Choose("r2", host, "docx", None, *by), "codex")


@pytest.mark.rule("S15")
def test_a_hook_that_failed_leaves_a_note(desk: Desk) -> None:
    desk.world.refused("S15", NoteHook("claude-code", "bad_input"), "codex")
    desk.register("builtin:claude-code")
    desk.world.refused("S15", NoteHook("codex", "too_large"), "codex")
    desk.register("builtin:codex")
    desk.world.run(NoteHook("claude-code", "bad_input", "PostToolUse"), "codex")
    desk.world.run(NoteHook("codex", "too_large"), "codex")
    with desk.world.look() as view:
        notes = hook_notes(view, 5)
        assert listing.count(view) == 1
    assert [(one.host, one.note, one.event) for one in notes] == [
        ("codex", "too_large", ""),
        ("claude-code", "bad_input", "PostToolUse"),
    ]
    with pytest.raises(BadInput):
        NoteHook("codex", "the prompt was: hello")
