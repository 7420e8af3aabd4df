"""Mode 4 on a real project: four layers side by side, each from its own evidence and never more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from state.routing.commands import Choose
from tests.panel.desk import opened
from tests.panel.skills_desk import ONE, flowing, part, routing, skills, whole
from tests.state.routing_support import BUILD, DEBUG, DOCX, PYTHON, TEST, write_skill
from tests.state.world import World

# What no skill is called because it stands in an index or a folder (S4), and what nobody proposes
# to do with one (S13).
NEVER = re.compile(
    r"\b(installed|available|active|allowed|enabled|merge|replace|delete|remove|duplicate of)\b"
)


@pytest.mark.rule("S1", "S2")
async def test_each_layer_is_filled_by_its_own_evidence_alone(world: World, tmp_path: Path) -> None:
    made = routing(world, tmp_path)
    async with opened(world) as desk:
        await skills(desk)
        made.suggest(ONE, BUILD, DOCX, host="claude-code")
        await desk.sees("toolu_1 · s1", "◈ profiled", "→ docx", "· no report", "○ not invoked")
        made.choose(ONE, "build-all")
        await desk.sees("toolu_1 · s1", "→ docx", "▪ build-all", "○ not invoked")
        made.happened(ONE, "pre_tool_use", skill="build-all")
        await desk.sees("toolu_1 · s1", "→ docx", "▪ build-all", "○ not invoked · requested")
        made.receipt(ONE, fingerprint="1" * 64)
        await desk.sees("toolu_1 · s1", "○ not invoked")
        assert "● invoked" not in desk.text()
        made.receipt(ONE, skill="build-all")
        await desk.sees("toolu_1 · s1", "→ docx", "▪ build-all", "● invoked: build-all")


@pytest.mark.rule("S2")
async def test_below_a_proved_use_layer_4_begins_with_not_invoked(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    said = {
        "skill_listing": "offered",
        "preload": "injected",
        "file_read": "file read",
        "tool_failed": "failed",
        "cannot_say": "this host can't say",
    }
    for kind in said:
        made.happened(kind, kind)
    async with opened(world, (200, 40)) as desk:
        await skills(desk)
        for kind, word in reversed(said.items()):
            await desk.sees(f"▸ {kind}", f"not invoked · {word}: docx")
            await desk.press("enter")
            await whole(desk, f"not invoked · {word}: docx")
            await desk.press("escape", "down")
        await desk.sees("docx", "never", "1 ", "not invoked")
        assert "● invoked" not in desk.text()


@pytest.mark.rule("S1", "S10", "S11")
async def test_details_show_the_layers_beside_each_other_with_evidence_and_age(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    made.suggest(ONE, BUILD, DOCX, host="claude-code")
    world.clock.move(minutes=1)
    made.choose(ONE, "docx")
    world.clock.move(minutes=1)
    made.receipt(ONE)
    made.receipt(ONE, skill="build-all", fingerprint="1" * 64)
    async with opened(world) as desk:
        await skills(desk)
        await desk.sees("● invoked: docx")
        await desk.press("enter")
        await desk.sees("1 profile", "2 suggestion", "3 choice", "4 invocation")
        await desk.sees(
            "state", "◈ profiled (not promoted)", "→ suggested", "▪ chosen", "● invoked"
        )
        await desk.sees("skill", "docx", "docx", "docx", "docx")
        await desk.sees(
            "evidence", "profile version 1", "router-1", "adapter:mini", "post_tool_use"
        )
        await desk.sees("age", "2 m", "2 m", "1 m")
        text = await whole(desk, ONE)
        for said in (
            "☑ receipt accepted",
            "post_tool_use, which proves: invoked",
            "event PostToolUse",
            "tool use toolu_1",
            "it is the registered adapter's word",
            "☒ receipt refused",
            "its adapter was registered with another fingerprint (other_fingerprint)",
            "it is kept and proves nothing",
            "which would prove: invoked",
            "chosen by not known",
        ):
            assert said in text, said


@pytest.mark.rule("S7", "S9")
async def test_a_suggestion_is_explained_to_the_last_weight(world: World, tmp_path: Path) -> None:
    made = routing(world, tmp_path)
    op = made.suggest(ONE, BUILD, DEBUG, TEST, host="claude-code")
    async with opened(world) as desk:
        await skills(desk)
        await desk.sees("toolu_1")
        await desk.press("enter")
        text = await whole(desk, ONE)
        assert "no host has to follow it" in text
        for candidate in (*op["candidates"], *op["excluded"]):
            assert f"{candidate['skill']} score {candidate['score']:,}" in text
            for one in candidate["matched"]:
                said = (
                    f"{one['points']:+} {one['feature']} weight {one['weight']} × {one['share']}‰"
                )
                assert said in text
            for one in candidate["lowered"]:
                assert f"{-one['points']:+} {one['feature']}" in text
        assert "excluded by action.test, which was asked for" in text


@pytest.mark.rule("S8")
async def test_a_fallback_is_shown_as_a_signal(world: World, tmp_path: Path) -> None:
    made = routing(world, tmp_path)
    made.suggest(ONE, PYTHON, TEST, host="claude-code")
    async with opened(world) as desk:
        await skills(desk)
        await desk.sees("toolu_1", "↪ fallback", "○ not invoked")
        await desk.press("enter")
        text = await whole(desk, ONE)
        assert "fallback to legacy_catalog: nothing fits well enough (low_confidence)" in text
        assert "it doesn't say that the old catalogue was used" in text


@pytest.mark.rule("S17")
async def test_offline_suggestions_are_marked_and_no_part_of_a_hosts_request(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    made.suggest("typed", DEBUG, PYTHON)
    made.suggest("both", BUILD, DOCX, host="claude-code")
    for request in (ONE, "both"):
        made.happened(request, "pre_tool_use")
        made.suggest(request, DEBUG, PYTHON)
    async with opened(world, (200, 40)) as desk:
        await skills(desk)
        await desk.sees("typed", "◌ debug-it (offline suggestion)")
        await desk.sees("toolu_1", "· no suggestion", "▪ docx")
        await desk.sees("both", "→ docx", "▪ docx")
        await desk.sees("claude-code · router-1 · asked in 1 request")
        await desk.sees("debug-it", "never", "not invoked")
        for request, state in (("both", "→ suggested"), (ONE, "· no suggestion")):
            await desk.press("enter")
            await desk.sees("state", state, "▪ chosen")
            text = await whole(desk, f"request {request}")
            layer_2 = text.split("2 suggestion ──")[1].split("3 choice ──")[0]
            assert "debug-it" not in layer_2
            assert "offline suggestions under this id" in text
            assert "no part of the host's request, and in no rate" in text
            await desk.press("escape", "down")


@pytest.mark.rule("S10")
async def test_the_source_of_a_choice_is_always_shown(world: World, tmp_path: Path) -> None:
    made = routing(world, tmp_path)
    made.choose("a", "docx")
    world.run(Choose("b", "hermes", None))
    made.happened(ONE, "pre_tool_use")
    async with opened(world, (200, 40)) as desk:
        await skills(desk)
        await desk.sees("▪ docx (adapter:mini)")
        await desk.sees("▫ no skill chosen (by hand)")
        await desk.sees("▪ docx (by a hook)")
        await desk.press("1", "tab", "down")
        await desk.sees("skills", "profile ✓ (not promoted) → no suggestion → chose")
        assert "chose docx (by a hook)" in flowing(desk)


@pytest.mark.rule("S1", "S2")
async def test_a_seats_detail_shows_the_four_layers_of_its_last_request(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    async with opened(world, (260, 40)) as desk:
        await desk.press("tab", "down")
        await desk.sees("agent · queue only")
        assert not desk.line("skills", "→")
        made.suggest(ONE, BUILD, DOCX, host="claude-code")
        made.choose(ONE, "docx")
        said = "profile ✓ (not promoted) → suggested docx → chose docx (adapter:mini) →"
        await desk.sees("skills", f"{said} not invoked")
        made.receipt(ONE)
        await desk.sees("skills", f"{said} invoked: docx")


@pytest.mark.rule("S1", "S14")
async def test_a_skill_has_four_counts_and_by_whom(world: World, tmp_path: Path) -> None:
    made = routing(world, tmp_path)
    for number in range(3):
        made.suggest(f"r{number}", BUILD, DOCX, host="claude-code")
        made.choose(f"r{number}", "docx" if number else "build-all")
    made.receipt("r1")
    async with opened(world) as desk:
        await skills(desk)
        await desk.sees("docx", "◈ not promoted", "3, first 3", "2", "invoked in 1")
        await desk.sees("build-all", "3, first 0", "1", "not invoked")
        await desk.sees("claude-code · router-1 · asked in 3 requests")
        await desk.sees("agreement", "█", "░", "2 of 3 compared (66 %)")
        await desk.sees("top 3", "3 of 3 compared (100 %)")
        await desk.sees("fallback", "0 of 3 asked (0 %)")
        await part(desk, "skills")
        await desk.press("end", "enter")
        await desk.sees("2 suggested", "to a host 3×, in the first place 3×")
        await desk.sees("3 chosen", "in 2 requests")
        await desk.sees("4 invoked", "in 1 request, proved by receipts")
        await desk.sees("claude-code, codex: chosen 2, invoked in 1")


@pytest.mark.rule("S4")
async def test_a_drifted_profile_says_so_and_nothing_is_called_more_than_it_is(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    made.suggest(ONE, BUILD, DOCX, host="claude-code")
    async with opened(world) as desk:
        await skills(desk)
        await desk.sees("toolu_1", "◈ profiled")
        (made.skills / "docx" / "SKILL.md").write_text("---\nname: docx\n---\nother\n")
        await desk.press("u")
        await desk.sees("toolu_1", "≠ drifted")
        await desk.press("enter")
        await whole(desk, "changed since the index was built")
        for name in ("skills", "inventory", "figures"):
            await part(desk, name)
            await desk.press("enter")
            assert not NEVER.search(flowing(desk).lower())


@pytest.mark.rule("S13")
async def test_the_inventory_shows_every_skill_what_is_odd_and_what_it_covers(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    body = "---\nname: docx\ndescription: other\n---\n"
    for folder, text in (("copy", None), ("other", body), ("broken", "no front matter")):
        (made.skills / folder).mkdir()
        same = (made.skills / "docx" / "SKILL.md").read_text()
        (made.skills / folder / "SKILL.md").write_text(same if text is None else text)
    (made.skills / "away").symlink_to(world.folder)
    async with opened(world, (160, 50)) as desk:
        await skills(desk)
        covered = "6 skills · 1 of 7 roots read · 1 left out: 1 link outside"
        await part(desk, "inventory")
        await desk.press("home", "enter")
        await desk.sees("Inventory", covered)
        await desk.sees("broken", "✗ broken", "no front matter")
        await desk.sees("docx", "name, other bytes; eq")
        text = await whole(desk, "roots ─")
        for said in (
            covered,
            f"6 skills in {made.skills}",
            "not there",
            f"link outside: {made.skills}/away",
            "the same name, other bytes: docx",
            "equal bytes: docx",
        ):
            assert said in text, said
        assert not NEVER.search(text.lower())
        await desk.press("escape")
        await desk.press("slash")
        await desk.write("copy")
        await desk.press("enter", "end", "enter")
        await desk.sees("Inventory (1 of 6 · filter copy)")
        text = await whole(desk, "copy/SKILL.md")
        assert f"equal bytes: docx {made.skills}/docx" in text
        assert not NEVER.search(text.lower())


async def test_what_is_refused_in_a_profile_is_said_with_the_reason(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    write_skill(made.skills, "pushy", {BUILD: 1}, router="mine")
    async with opened(world, (80, 24)) as desk:
        await skills(desk)
        await part(desk, "inventory")
        await desk.sees("pushy", "⊘ refused")
        await desk.press("end", "enter")
        await desk.sees("router:")
