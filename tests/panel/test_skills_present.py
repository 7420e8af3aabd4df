"""What is shown of requests, skills and figures, by itself: words, bars, hostile strings."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from panel.asks.skill_inventory import Taken
from panel.asks.skills import Figures, ListedRequest, OpenedRequest
from panel.present import ages, skills_figures, skills_found, skills_request, skills_rows
from panel.words import routing, skills_screen
from panel.words import skills as odd
from state.routing.duplicates import Group
from state.routing.evidence import STATES
from state.routing.inventory import Inventory, RootRead, Skill
from state.routing.layers import RequestLayers, choice_layer, invocation_layer, suggestion_layer
from state.routing.listing import RequestRow
from state.routing.notes import Problem, shown_path
from state.routing.operations import ChoiceRecorded, Locator, ReceiptRecorded, SuggestionMade
from state.routing.profile_layer import ProfileLayer
from state.routing.profiles import Profile, ProfileProblem, Promotion
from state.routing.queries import Choice, HookNote, ReceiptKept, Suggestion
from state.routing.roots import Root
from state.routing.router import Candidate, Lowered, Matched
from state.routing.skills import SkillLayers, Use
from state.routing.statistics import HostFigures
from state.routing.walk import Skipped
from tests.panel import hostile
from tests.panel.presented import NOW, at

PATHS = hostile.paths()
WIDTHS = (118, 18)


def layers(text: str, level: str = "requested", state: str = "accepted") -> RequestLayers:
    """A request in which everything that a host can say is this text."""
    place = Locator(text, text, text, text, text, 7, text)
    candidate = Candidate(
        text, text, text, 5, (Matched(text, 1, 2, 3),), (text,), (Lowered("x", text, 1, 2, 3),)
    )
    made = Suggestion(
        7,
        at(3),
        text,
        SuggestionMade(
            request=text,
            mode="shadow",
            offline=True,
            host=text,
            adapter=text,
            fingerprint=text,
            features=(text,),
            sample=text,
            router=text,
            vocabulary=text,
            index=text,
            threshold=1,
            considered=1,
            candidates=(candidate,),
            excluded=(candidate,),
            drifted=(text,),
            drifted_count=3,
            fallback_used=True,
            fallback_target=text,
            fallback_reason=text,
        ),
    )
    chosen = Choice(
        8, at(2), text, ChoiceRecorded(text, text, text, text, text, text, text, text, place)
    )
    receipt = ReceiptRecorded(
        request=text,
        host=text,
        seat=text,
        adapter=text,
        fingerprint=text,
        source=text,
        skill=text,
        skill_sha256=text,
        skill_sha256_by=text,
        kind=text,
        level=level,
        at=at(1),
        locator=place,
        file_sha256=text,
        state=state,
        reason=None if state == "accepted" else text,
    )
    refused = replace(receipt, state="refused", reason=text)
    return RequestLayers(
        text,
        False,
        text,
        text,
        at(9),
        at(1),
        ProfileLayer("drifted", text, 1, text, text, text, 2, at(3)),
        suggestion_layer([made]),
        choice_layer([chosen]),
        invocation_layer([ReceiptKept(9, at(1), text, one) for one in (receipt, refused)]),
        (replace(made, rev=6),),
    )


def skill(text: str, path: str) -> Skill:
    """A file of which everything is this text, in a folder that is called so."""
    return Skill(
        text,
        True,
        f"/{path}/SKILL.md",
        Root(f"/{path}", "user", text),
        text,
        1,
        text,
        "refused",
        (Problem("field_unknown", text),),
        None,
        text,
        (ProfileProblem(text, text, text),),
        {text: "not known"},
        (Group("name", text, (0, 1), False),),
    )


@pytest.mark.rule("M9")
@pytest.mark.parametrize("name", hostile.STRINGS)
def test_no_string_from_outside_comes_out_as_it_went_in(name: str) -> None:
    evil = hostile.STRINGS[name][:2_100]
    path = PATHS.get(name, "docx")
    request = layers(evil)
    opened = OpenedRequest(9, request, (request.offline[0],))
    row = RequestRow(
        *(evil, True, evil, evil, at(9), at(1), True, evil, False, True, True, evil, evil),
        *("requested", False, evil, 1),
    )
    one = skill(evil, path)
    real = RootRead(one.root, "read", path, 2)
    skipped = Skipped(shown_path(path), "unreadable", shown_path(path))
    everything = Inventory(
        (one, one), (real,), one.duplicates, 1, MappingProxyType({"unreadable": 1}), (skipped,)
    )
    taken = Taken(at(1), everything, {"refused": 2})
    known = SkillLayers(evil, request.profile, 1, 1, 1, 0, "requested", (Use(evil, evil, 1, 0),))
    figures = Figures(
        9,
        (HostFigures(evil, evil, 3, 2, 1, 2, 0),),
        (HookNote(9, at(1), evil, evil, evil, evil),),
    )
    rows = (
        skills_rows.request(ListedRequest(row, request.profile), lambda: NOW),
        skills_rows.skill(known, 1),
        skills_rows.found(one, 1),
        skills_rows.coverage(taken),
    )
    said = [cell() if callable(cell) else cell for made in rows for cell in made.cells]
    said.append(skills_rows.none_found(everything))
    for width in WIDTHS:
        said += [
            skills_request.whole(opened, NOW, width),
            skills_found.skill(known, NOW, width),
            skills_found.file(one, everything, width),
            skills_found.coverage(taken, NOW, width),
            skills_figures.figures(figures, NOW, width),
        ]
    for content in said:
        assert hostile.unseen(content.plain, "\n") == set()
        assert not any("@click" in str(span.style) for span in content.spans)


@pytest.mark.rule("S2")
@pytest.mark.parametrize("level", STATES)
def test_only_a_proved_use_reads_as_invoked(level: str) -> None:
    request = layers("docx", level)
    said = skills_request.four(request, NOW, 30).plain
    assert ("not invoked" in " ".join(said.split())) == (level != "confirmed")
    assert ("● invoked" in said) == (level == "confirmed")
    refused = skills_request.four(layers("docx", level, "refused"), NOW, 118).plain
    assert "○ not invoked" in refused


@pytest.mark.rule("S1")
def test_no_layer_says_anything_of_another() -> None:
    nothing = RequestLayers(
        request="r",
        known=True,
        host="claude-code",
        seat="codex",
        at=at(1),
        last_at=at(1),
        profile=ProfileLayer("profiled", "docx", 1, "ab", "cd", "/x", 1, at(7)),
        suggestion=suggestion_layer([]),
        choice=choice_layer([]),
        invocation=invocation_layer([]),
        offline=(),
    )
    beside = skills_request.four(nothing, NOW, 118).plain
    below = skills_request.four(nothing, NOW, 60).plain
    for said in (beside, below):
        for state in ("◆ profiled", "no suggestion", "no choice reported", "○ not invoked"):
            assert said.count(state) == 1, said
    # Each with its age; the others have none yet.
    assert ages.age(at(7), NOW) in beside.splitlines()[-1].split("age")[1]
    assert ages.age(at(7), NOW) in below
    titles = beside.splitlines()[0]
    assert [titles.index(layer) for layer in skills_screen.LAYERS] == sorted(
        titles.index(layer) for layer in skills_screen.LAYERS
    )


@pytest.mark.rule("S1", "S2")
def test_a_skill_that_was_not_invoked_says_what_is_proved_instead() -> None:
    profile = ProfileLayer("profiled", "docx", 1, "ab", "cd", "/x", 1, at(7))
    for confirmed, level, said in (
        (0, None, "not invoked"),
        (0, "file_read", "not invoked · file read"),
        (2, "confirmed", "invoked in 2"),
    ):
        found = SkillLayers("docx", profile, 0, 0, 0, confirmed, level, ())
        cells = [cell.plain for cell in skills_rows.skill(found, 1).cells if not callable(cell)]
        assert said in cells
        shown = skills_found.skill(found, NOW, 100).plain
        assert ("not invoked" in shown) == (confirmed == 0)
        assert said.removeprefix("invoked ") in shown
        assert f"built {ages.when(at(7), NOW)}" in shown


@pytest.mark.rule("S14")
def test_a_figure_is_never_a_bare_rate_and_full_only_where_it_is_all() -> None:
    assert skills_figures.bar(0, 9, 10).plain == "░" * 10
    assert skills_figures.bar(9, 9, 10).plain == "█" * 10
    assert skills_figures.bar(1, 1000, 10).plain == "█" + "░" * 9
    assert skills_figures.bar(999, 1000, 10).plain == "█" * 9 + "░"
    assert skills_figures.bar(0, 0, 10).plain == "░" * 10
    none = HostFigures("h", "router-1", 4, 0, 0, 0, 4)
    said = skills_figures.figures(Figures(1, (none,), ()), NOW, 80).plain
    assert "nothing compared yet" in said
    assert "4 of 4 asked (100 %)" in said
    assert said.count("%") == 1


INVENTORY = Inventory((skill("docx", "docx"),) * 2, (), (), 2, MappingProxyType({}), ())


@pytest.mark.rule("S3")
def test_a_profile_has_one_sign_wherever_it_stands() -> None:
    assert skills_screen.PROFILES["not_promoted"] == odd.NOT_PROMOTED
    assert odd.STATUSES["profiled"] == skills_screen.PROFILES["profiled"]
    assert odd.STATUSES["drifted"] == skills_screen.PROFILES["drifted"]
    own = Profile("docx", 1, "v", (("action.build", 1),), (), (), (), None)
    one = skill("docx", "docx")._replace(status="profiled", profile=own, profile_problems=())
    assert "◈ profiled (not promoted)" in skills_found.file(one, INVENTORY, 100).plain
    decided = replace(own, promoted_from=Promotion("c1", "d1"))
    assert "◆ profiled" in skills_found.file(one._replace(profile=decided), INVENTORY, 100).plain
    changed = one._replace(status="drifted")
    assert skills_rows.found(changed, 1).cells[1] == skills_rows.profile("drifted")


def test_every_state_and_every_level_has_a_sign_and_a_word() -> None:
    assert set(skills_screen.PROFILES) == set(routing.PROFILES)
    assert set(skills_screen.LEVELS) == {None, *STATES}
    assert set(routing.LEVELS) == set(STATES)


def test_a_request_of_a_host_begins_with_what_tells_it_from_others() -> None:
    assert skills_screen.short("claude-code:s1:toolu_1", "claude-code") == "toolu_1 · s1"
    assert skills_screen.short("claude-code:s1:toolu_1", "codex") == "claude-code:s1:toolu_1"
    assert skills_screen.short("typed", "") == "typed"
