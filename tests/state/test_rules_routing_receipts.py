"""S10, S11, S15: who reports what, and which receipts count; what fails is kept as refused."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from state.command import Command
from state.errors import BadInput, NotFound, Refused
from state.roster.commands import SetLabels
from state.routing import documents
from state.routing.commands import Choose, RecordReceipt
from state.routing.events import TRANSCRIPT, NoteHook, RecordEvents
from state.routing.fields import UNRESOLVED
from state.routing.receipts import Looked
from state.routing.resolve import skill_sha256
from state.routing.roots import Root
from tests.state.routing_support import BUILD, Desk, done, write_skill
from tests.state.world import World

LINES = (
    '{"type":"user","uuid":"u1","message":{"content":"a text"}}',
    done("toolu_1"),
    done("toolu_2"),
)


@pytest.fixture
def desk(world: World, tmp_path: Path) -> Desk:
    made = Desk(world, tmp_path)
    made.register()
    made.choose("r1", "docx")
    return made


def kept(desk: Desk, **changes: Any) -> tuple[str, str | None]:
    op = desk.receipt("r1", **changes)
    return op["state"], op["reason"]


@pytest.mark.rule("S10")
def test_a_choice_says_where_the_report_comes_from(desk: Desk) -> None:
    op = desk.choose("r2", None)
    assert (op["source"], op["seat"], op["skill"]) == ("adapter:mini", "codex", None)
    (by_hand,) = desk.world.run(Choose("r3", "hermes", "docx", "gemini")).ops
    assert (by_hand["source"], by_hand["seat"], by_hand["adapter"]) == ("by hand", "gemini", None)
    (hook, _) = desk.happened("r4", "pre_tool_use")
    assert (hook["source"], hook["chosen_by"]) == ("hook", "host")
    (typed, _) = desk.happened("r5", "command_line", source=TRANSCRIPT)
    assert (typed["source"], typed["chosen_by"]) == ("transcript", "person")
    assert desk.layers("r3").choice.source == "by hand"


@pytest.mark.rule("S10")
def test_what_an_agent_says_of_itself_is_no_report(desk: Desk) -> None:
    desk.world.refused("S10", Choose("r2", "claude-code", "docx"), "codex")
    by = (desk.adapter, desk.fingerprint)
    desk.world.refused("S10", Choose("r2", "claude-code", "docx", "gemini", *by), "codex")
    desk.world.fails(NotFound, Choose("r2", "claude-code", "docx", "nobody"))
    with pytest.raises(BadInput):
        Choose("r2", "claude-code", "docx", None, "mini")
    with pytest.raises(BadInput):
        Choose("r2", "claude-code", "two\nlines")


@pytest.mark.rule("S11")
def test_a_receipt_that_passes_every_check_counts(desk: Desk) -> None:
    assert kept(desk) == ("accepted", None)
    path = desk.transcript(*LINES)
    evidence = desk.in_file(path, 1)
    op = desk.receipt("r1", evidence=evidence)
    assert (op["state"], op["file_sha256"]) == ("accepted", evidence["sha256"])
    assert op["locator"]["offset"] == evidence["offset"]
    found = desk.layers("r1").invocation
    assert (found.state, found.level, found.skill) == ("invoked", "confirmed", "docx")
    # A transcript that grew since keeps what it held.
    with path.open("a") as file:
        file.write('{"type":"user"}\n')
    assert kept(desk, evidence=evidence) == ("accepted", None)


@pytest.mark.rule("S11")
def test_a_receipt_for_an_unknown_request_is_kept_as_refused(desk: Desk) -> None:
    op = desk.receipt("r7")
    assert (op["state"], op["reason"]) == ("refused", "unknown_request")
    # It doesn't make its request known: the next one fails in the same way.
    assert desk.receipt("r7")["reason"] == "unknown_request"
    found = desk.layers("r7")
    assert (found.known, found.invocation.state, found.invocation.level) == (
        *(False, "not_invoked", None),
    )
    assert [one.recorded.reason for one in found.invocation.receipts] == ["unknown_request"] * 2


@pytest.mark.rule("S11", "S15")
def test_a_receipt_of_another_adapter_is_kept_as_refused(desk: Desk) -> None:
    assert kept(desk, adapter="other") == ("refused", "unregistered_adapter")
    assert kept(desk, fingerprint="1" * 64) == ("refused", "other_fingerprint")
    desk.register("builtin:claude-code")
    assert kept(desk, host="hermes") == ("refused", "other_host")
    assert kept(desk) == ("accepted", None)


@pytest.mark.rule("S11")
def test_evidence_that_is_not_there_is_kept_as_refused(desk: Desk) -> None:
    path = desk.transcript(*LINES)
    cases: list[tuple[str, dict[str, Any]]] = [
        ("file_changed", {"sha256": "0" * 64}),
        ("file_changed", {"bytes": 10_000}),
        ("entry_missing", {"entry_sha256": "0" * 64}),
        ("entry_missing", {"offset": 3}),
        ("entry_missing", {"offset": 5_000}),
        ("entry_missing", {"tool_use": "toolu_2"}),
        ("file_missing", {"file": str(path) + ".gone"}),
        ("file_missing", {"file": str(desk.folder)}),
    ]
    for reason, changes in cases:
        assert kept(desk, evidence=desk.in_file(path, 1, **changes)) == ("refused", reason)
    link = desk.folder / "link.jsonl"
    link.symlink_to(path)
    linked = desk.in_file(path, 1, file=str(link))
    assert kept(desk, evidence=linked) == ("refused", "file_missing")
    evidence = desk.in_file(path, 1)
    path.write_text(path.read_text().replace("toolu_1", "toolu_9"))
    assert kept(desk, evidence=evidence) == ("refused", "file_changed")
    found = desk.layers("r1").invocation
    assert (found.state, found.level, len(found.receipts)) == ("not_invoked", None, 10)


@pytest.mark.rule("S2", "S11")
def test_evidence_proves_its_own_level_and_no_more(desk: Desk) -> None:
    hook = desk.document("r1")["evidence"]
    for kind in ("pre_tool_use", "skill_listing", "model_claim", "file_read"):
        assert kept(desk, evidence={**hook, "kind": kind}) == ("refused", "level_not_proved")
    assert kept(desk, evidence={**hook, "kind": "file_read"}, level="file_read")[0] == "accepted"
    assert kept(desk, host="codex") == ("refused", "level_not_proved")
    assert desk.layers("r1").invocation.level == "file_read"


@pytest.mark.rule("S11")
def test_an_unresolved_skill_lowers_nothing(desk: Desk) -> None:
    assert desk.receipt("r1", skill_sha256="unresolved")["level"] == "confirmed"
    assert desk.receipt("r1", skill_sha256="a" * 64)["skill_sha256"] == "a" * 64
    assert desk.layers("r1").invocation.state == "invoked"


@pytest.mark.rule("S11")
def test_a_name_leads_to_one_skill_or_to_none(tmp_path: Path) -> None:
    mine, shared = (
        Root(str(tmp_path / "c"), "user", "claude-code"),
        Root(str(tmp_path / "a"), "user"),
    )
    other = Root(str(tmp_path / "h"), "user", "hermes")
    roots = (mine, shared, other)
    docx = write_skill(Path(mine.path), "docx", {BUILD: 1}) / "SKILL.md"
    digest = sha256(docx.read_bytes()).hexdigest()
    assert skill_sha256(roots, "claude-code", "docx") == digest
    for name in ("pptx", "tools:docx", "../c/docx", "..", "", "nul\0"):
        assert skill_sha256(roots, "claude-code", name) == UNRESOLVED
    # Several files, also of the same bytes, are not one.
    twin = write_skill(Path(shared.path), "docx", {BUILD: 1})
    assert skill_sha256(roots, "claude-code", "docx") == UNRESOLVED
    assert skill_sha256(roots, "claude-code", "docx", str(docx.parent)) == digest
    assert skill_sha256(roots, "claude-code", "docx", "relative") == UNRESOLVED
    assert skill_sha256(roots, "hermes", "docx") == digest
    (twin / "SKILL.md").unlink()
    (twin / "SKILL.md").symlink_to(docx)
    assert skill_sha256(roots, "claude-code", "docx") == digest
    (Path(mine.path) / "linked").symlink_to(write_skill(tmp_path / "aside", "linked", {BUILD: 1}))
    assert skill_sha256(roots, "claude-code", "linked") == UNRESOLVED
    assert skill_sha256(roots, "hermes", "plan") == UNRESOLVED
    plan = write_skill(Path(other.path) / "work", "plan", {BUILD: 1}) / "SKILL.md"
    assert skill_sha256(roots, "hermes", "plan") == sha256(plan.read_bytes()).hexdigest()
    assert skill_sha256(roots, "claude-code", "plan") == UNRESOLVED


@pytest.mark.rule("S11")
@pytest.mark.parametrize(
    "changes",
    [
        {"schema": "routing-invocation-receipt-v2"},
        {"mode": "live"},
        {"skill_sha256": "abc"},
        {"level": "sure"},
        {"at": "yesterday"},
        {"at": 5},
        {"request": "two words"},
        {"seat": "Not A Seat"},
        {"skill": "two\nlines"},
        {"skill": None},
        {"fingerprint": None},
        {"evidence": {}},
        {"evidence": {"kind": "post_tool_use", "event": "x", "session": "s", "prompt": "hi"}},
        {"evidence": []},
    ],
)
def test_a_receipt_of_another_form_is_bad_input(desk: Desk, changes: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        desk.receipt("r1", **changes)


def test_a_receipt_is_json_and_not_too_long(desk: Desk) -> None:
    for raw in (b"", b"\xff", b"[]", b"{", b" " * (documents.LIMIT + 1)):
        with pytest.raises(BadInput):
            documents.parse(raw)
    path = desk.transcript(*LINES)
    with pytest.raises(BadInput):
        desk.receipt("r1", evidence=desk.in_file(path, 1, file="relative.jsonl"))
    with pytest.raises(BadInput):
        desk.receipt("r1", evidence=desk.in_file(path, 1, offset=-1))


@pytest.mark.rule("S10")
def test_a_seat_brings_receipts_for_itself(desk: Desk) -> None:
    given = documents.parse(json.dumps(desk.document("r1", seat="gemini")).encode())
    desk.world.refused("S10", RecordReceipt(given, Looked(None)), "codex")
    desk.world.run(RecordReceipt(given, Looked(None)))
    events = (desk.event("r2", "pre_tool_use", seat="gemini"),)
    desk.world.refused("S10", RecordEvents(events), "codex")


@pytest.mark.rule("R13")
def test_the_label_of_a_seat_decides_nothing_about_its_host(desk: Desk) -> None:
    before = [op["op"] for op in desk.happened("r2", "post_tool_use")]
    labels = SetLabels("codex", desk.world.roster, host="codex", roles=("adapter", "user"))
    desk.world.run(labels)
    assert [op["op"] for op in desk.happened("r3", "post_tool_use")] == before
    assert desk.layers("r3").invocation.state == "invoked"
    desk.world.refused("S10", Choose("r3", "codex", "docx"), "codex")


def test_the_same_event_is_written_once(desk: Desk) -> None:
    first = desk.happened("r2", "pre_tool_use", "pre_tool_use")
    assert [op["op"] for op in first] == ["choice_recorded", "receipt_recorded"]
    again = RecordEvents((desk.event("r2", "pre_tool_use"),))
    desk.world.fails(Refused, again, "codex")
    after = desk.happened("r2", "post_tool_use")
    assert [(op["op"], op["level"]) for op in after] == [("receipt_recorded", "confirmed")]


def test_a_key_makes_each_of_them_safe_to_repeat(desk: Desk) -> None:
    by = (desk.adapter, desk.fingerprint)
    given = documents.parse(json.dumps(desk.document("r1")).encode())
    commands: tuple[Command, ...] = (
        Choose("r1", "claude-code", "fix", None, *by),
        RecordReceipt(given, Looked(None)),
        RecordEvents((desk.event("r5", "pre_tool_use"),)),
        NoteHook("codex", "no_seat"),
    )
    desk.register("builtin:codex")
    for number, command in enumerate(commands):
        first = desk.world.run(command, "codex", key=f"k{number}")
        again = desk.world.run(command, "codex", key=f"k{number}")
        assert (again.rev, again.repeated) == (first.rev, True)
