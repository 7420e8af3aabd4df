"""S1, S2, S9, S16, S17: four layers side by side, filled by their own evidence and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from panel.words import routing as words
from state.errors import BadInput, NotFound, Refused
from state.history.changes import changes
from state.messages.commands import Post
from state.routing import listing, profile_layer, requests, skills
from state.routing.commands import Suggest
from state.routing.events import NoteHook, RecordEvents
from state.routing.layers import last_of_seat
from state.routing.requests import of_event
from tests.state.routing_support import BUILD, DEBUG, DOCX, PYTHON, Desk, write_skill
from tests.state.world import World


@pytest.fixture
def desk(world: World, tmp_path: Path) -> Desk:
    made = Desk(world, tmp_path)
    write_skill(made.skills, "docx", {DOCX: 1000})
    write_skill(made.skills, "fix", {DEBUG: 900, PYTHON: 500})
    made.index()
    made.register()
    return made


def states(desk: Desk, request: str) -> tuple[str, str, str]:
    found = desk.layers(request)
    return found.suggestion.state, found.choice.state, found.invocation.state


@pytest.mark.rule("S1", "S2")
def test_each_layer_is_filled_by_its_own_evidence_alone(desk: Desk) -> None:
    desk.suggest("r1", DOCX, host="claude-code")
    assert states(desk, "r1") == ("suggested", "none", "not_invoked")
    desk.choose("r2", "docx")
    assert states(desk, "r2") == ("none", "chosen", "not_invoked")
    desk.happened("r3", "skill_listing")
    assert states(desk, "r3") == ("none", "none", "not_invoked")
    assert desk.layers("r3").invocation.level == "offered"
    desk.suggest("r4", DOCX, host="claude-code")
    desk.choose("r4", "fix")
    desk.happened("r4", "post_tool_use", skill="probe")
    found = desk.layers("r4")
    assert (found.suggestion.skill, found.invocation.skill) == ("docx", "probe")
    assert [one.recorded.skill for one in found.choice.all] == ["fix", "probe"]
    assert states(desk, "r4") == ("suggested", "chosen", "invoked")


@pytest.mark.rule("S1")
def test_the_layers_of_each_request_stand_side_by_side_in_a_list(desk: Desk) -> None:
    desk.suggest("r1", DOCX, host="claude-code")
    desk.choose("r2", None)
    desk.happened("r3", "pre_tool_use")
    desk.receipt("r9")
    desk.happened("r3", "tool_failed")
    with desk.world.look() as view:
        rows = listing.page(view, 0, 10)
        assert listing.count(view) == 4
        assert [listing.place(view, row.request) for row in rows] == [0, 1, 2, 3]
        assert listing.place(view, "r0") is None
        assert listing.page(view, 1, 2) == rows[1:3]
    shown = {
        row.request: (row.suggested, row.reported, row.chosen, row.level, row.invoked, row.refused)
        for row in rows
    }
    assert shown == {
        "r3": (None, True, "docx", "failed", False, 0),
        "r9": (None, False, None, None, False, 1),
        "r2": (None, True, None, None, False, 0),
        "r1": ("docx", False, None, None, False, 0),
    }
    assert [row.known for row in rows] == [True, False, True, True]


@pytest.mark.rule("S1")
def test_requests_of_one_line_have_a_fixed_order(desk: Desk) -> None:
    events = [desk.event(f"r{number}", "pre_tool_use") for number in (2, 1, 3)]
    desk.world.run(RecordEvents(tuple(events)), "codex")
    with desk.world.look() as view:
        names = [row.request for row in listing.page(view, 0, 10)]
        assert names == ["r3", "r2", "r1"]
        assert [listing.place(view, name) for name in names] == [0, 1, 2]
        newest = last_of_seat(view, "codex")
    assert newest is not None
    assert newest.request == "r3"


@pytest.mark.rule("S1")
def test_the_layers_of_a_skill_are_counts_beside_each_other(desk: Desk) -> None:
    desk.suggest("r1", DOCX, host="claude-code")
    desk.suggest("r1", DOCX, host="claude-code")
    desk.choose("r1", "fix")
    desk.happened("r2", "pre_tool_use", "post_tool_use", skill="fix")
    desk.suggest("r3", DOCX)
    profiles = profile_layer.Profiles(desk.world.paths)
    with desk.world.look() as view:
        docx, fix = skills.of_skills(view, profiles)
        assert skills.of_skill(view, "fix", profiles) == fix
        assert skills.of_skill(view, "nobody").profile.state == "not_indexed"
    assert (docx.suggested, docx.first, docx.chosen, docx.confirmed) == (2, 2, 0, 0)
    assert (fix.suggested, fix.chosen, fix.confirmed) == (0, 2, 1)
    (use,) = fix.uses
    assert (use.host, use.seat, use.chosen, use.confirmed) == ("claude-code", "codex", 2, 1)
    assert docx.profile.state == fix.profile.state == "not_promoted"
    assert (docx.level, fix.level) == (None, "confirmed")


@pytest.mark.rule("S1", "S4")
def test_layer_one_is_what_the_index_shows(desk: Desk) -> None:
    promoted = {"candidate": "c1", "decision": "d1"}
    write_skill(desk.skills, "plan", {"action.plan": 900}, promoted_from=promoted)
    desk.index()
    built = desk.world.clock.now()
    desk.world.clock.move(minutes=5)
    (desk.skills / "fix" / "SKILL.md").write_text("changed")
    found = profile_layer.Profiles(desk.world.paths)
    assert {name: one.state for name, one in found.items()} == {
        "docx": "not_promoted",
        "fix": "drifted",
        "plan": "profiled",
    }
    assert {one.at for one in found.values()} == {built}
    none = [profile_layer.of_skill(name, found) for name in (None, "nobody")]
    assert [(one.state, one.at) for one in none] == [("no_skill", None), ("not_indexed", None)]
    Path(desk.world.paths.skill_index).unlink()
    assert profile_layer.Profiles(desk.world.paths) == {}


@pytest.mark.rule("S2", "S9")
def test_a_suggestion_a_message_or_a_seat_at_work_fills_no_other_layer(desk: Desk) -> None:
    desk.suggest("r1", DOCX, host="claude-code")
    roster = desk.world.seat("codex")
    desk.world.run(Post(("codex",), "use the skill docx for r1", kind="task"))
    desk.world.post("codex", "user", title="I invoked docx for r1")
    desk.suggest("r1", DOCX, host="claude-code")
    assert states(desk, "r1") == ("suggested", "none", "not_invoked")
    after = desk.world.seat("codex")
    assert (after.status, after.host, after.roles) == (roster.status, roster.host, roster.roles)


@pytest.mark.rule("S9")
def test_a_suggestion_writes_itself_and_nothing_else(desk: Desk) -> None:
    before = {path: path.read_bytes() for path in desk.skills.rglob("*") if path.is_file()}
    desk.choose("r1", "fix")
    op = desk.suggest("r1", DOCX, host="claude-code")
    assert op["op"] == "suggestion_made"
    assert desk.layers("r1").choice.skill == "fix"
    assert {path: path.read_bytes() for path in desk.skills.rglob("*") if path.is_file()} == before


@pytest.mark.rule("S2")
def test_what_proves_nothing_is_not_written(desk: Desk) -> None:
    for kind in ("builtin_command", "quoted_tag", "model_claim", "attribution"):
        desk.world.refused("S2", RecordEvents((desk.event("r1", kind),)), "codex")
    with desk.world.look() as view:
        assert listing.count(view) == 0


@pytest.mark.rule("S8", "S1")
def test_a_fallback_is_a_signal_and_no_choice(desk: Desk) -> None:
    op = desk.suggest("r1", BUILD, host="claude-code")
    assert (op["fallback_used"], op["fallback_target"]) == (True, "legacy_catalog")
    assert op["fallback_reason"] == "low_confidence"
    assert states(desk, "r1") == ("fallback", "none", "not_invoked")
    fine = desk.suggest("r2", DOCX, host="claude-code")
    given = [fine[f"fallback_{name}"] for name in ("used", "target", "reason")]
    assert given == [False, None, None]


@pytest.mark.rule("S16")
def test_an_event_names_its_request_by_the_first_id_it_has() -> None:
    assert of_event("claude-code", "s1", "toolu_1", "p1", "u1") == "claude-code:s1:toolu_1"
    assert of_event("claude-code", "s1", None, "p1", "u1") == "claude-code:s1:p1"
    assert of_event("claude-code", "s1", None, None, "u1") == "claude-code:s1:u1"
    assert of_event("claude-code", "s1") is None
    assert of_event("claude-code", None, "toolu_1") is None
    # A text is no id, and never becomes a part of one.
    assert of_event("codex", "s1", "please fix it", "p" * 81, "u1") == "codex:s1:u1"
    assert of_event("codex", "s1", {"id": 1}, "a:b") is None


@pytest.mark.rule("S16")
def test_an_event_without_a_suggestion_makes_its_own_request(desk: Desk) -> None:
    request = of_event("claude-code", "s1", "toolu_1")
    assert request is not None
    desk.happened(request, "pre_tool_use")
    found = desk.layers(request)
    assert found.known
    assert (found.host, found.seat) == ("claude-code", "codex")
    assert words.suggestion(None, None, asked=False, offline=False) == "no suggestion"
    assert found.suggestion.state == "none"
    with desk.world.look() as view:
        assert last_of_seat(view, "codex") == found
        assert last_of_seat(view, "gemini") is None
    # What the seat typed itself is no occasion at its host.
    desk.suggest("r9", DOCX)
    with desk.world.look() as view:
        assert last_of_seat(view, "codex") == found
    with pytest.raises(NotFound):
        desk.layers("r0")


@pytest.mark.rule("S2", "S11")
def test_a_refused_receipt_says_nothing_of_a_host_or_its_seat(desk: Desk) -> None:
    desk.happened("r1", "pre_tool_use")
    assert desk.receipt("r2", adapter="other")["state"] == "refused"
    with desk.world.look() as view:
        found = last_of_seat(view, "codex")
        rows = listing.page(view, 0, 5)
    assert found is not None
    assert found.request == "r1"
    # It is kept and shown, and makes no request of the host that it names.
    assert [(row.request, row.known, row.refused) for row in rows] == [
        ("r2", False, 1),
        ("r1", True, 0),
    ]
    desk.suggest("r2", DOCX)
    after = desk.layers("r2")
    assert (after.host, after.suggestion.skill) == ("", "docx")
    with desk.world.look() as view:
        assert requests.any_of_seat(view, "codex")
        assert not requests.any_of_seat(view, "gemini")
    desk.receipt("r3", adapter="other", seat="codex", host="hermes")
    desk.happened("r3", "pre_tool_use")
    assert desk.layers("r3").host == "claude-code"


@pytest.mark.rule("S17")
def test_what_no_registered_adapter_asked_for_is_offline(desk: Desk) -> None:
    assert desk.suggest("r1", DOCX)["offline"]
    assert desk.suggest("r2", sample="s-02")["offline"]
    asked = desk.suggest("r3", DOCX, host="claude-code")
    assert not asked["offline"]
    assert (asked["adapter"], asked["host"]) == ("mini", "claude-code")
    by = ("claude-code", desk.adapter, desk.fingerprint)
    with pytest.raises(BadInput):
        Suggest("r4", desk.ask(sample="s-02"), *by)
    with pytest.raises(BadInput):
        Suggest("r4", desk.ask(DOCX), "claude-code")
    strange = Suggest("r4", desk.ask(DOCX), "claude-code", "other", "0" * 64)
    desk.world.refused("S15", strange, "codex")


@pytest.mark.rule("S17")
def test_an_offline_suggestion_is_no_part_of_a_hosts_request(desk: Desk) -> None:
    desk.suggest("r1", DOCX)
    alone = desk.layers("r1")
    assert (alone.suggestion.state, len(alone.offline)) == ("suggested", 1)
    desk.choose("r1", "fix")
    found = desk.layers("r1")
    assert (found.suggestion.state, len(found.offline)) == ("none", 1)
    desk.suggest("r1", DEBUG, PYTHON, host="claude-code")
    desk.suggest("r1", DOCX)
    found = desk.layers("r1")
    assert (found.suggestion.skill, len(found.offline)) == ("fix", 2)
    with desk.world.look() as view:
        (row,) = listing.page(view, 0, 5)
    assert (row.suggested, row.offline) == ("fix", False)


@pytest.mark.rule("S1", "S17")
def test_a_line_changes_the_layer_that_it_is_about(desk: Desk) -> None:
    def changed() -> list[tuple[str, object, object]]:
        with desk.world.look() as view:
            return [(one.field, one.before, one.after) for one in changes(view, view.rev)]

    desk.suggest("r1", DOCX)
    assert changed() == [("offline", None, "docx")]
    desk.suggest("r1", DEBUG, PYTHON, host="claude-code")
    assert changed() == [("suggestion", None, "fix")]
    desk.suggest("r1", BUILD, host="claude-code")
    assert changed() == [("suggestion", "fix", "fallback: low_confidence")]
    desk.choose("r1", "docx")
    assert changed() == [("choice", None, "docx")]
    desk.happened("r1", "post_tool_use", skill="fix")
    assert changed() == [("choice", "docx", "fix"), ("receipt", None, "confirmed")]
    desk.receipt("r2")
    assert changed() == [("receipt", None, "refused: unknown_request")]
    desk.register("builtin:codex")
    desk.world.run(NoteHook("codex", "no_seat"), "codex")
    assert changed() == [("hook", None, "no_seat")]


def test_only_a_seat_may_ask(desk: Desk) -> None:
    with pytest.raises(Refused):
        desk.world.run(Suggest("r1", desk.ask(DOCX)), "stranger")
