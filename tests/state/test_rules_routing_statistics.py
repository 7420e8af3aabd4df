"""S14, S17: what is stored, and how agreement between router and hosts is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from state.index.names import CODE
from state.index.rebuild import ensure
from state.routing import router, statistics
from state.routing.router import Entry
from state.routing.samples import samples
from state.routing.statistics import HostFigures
from tests.state.routing_support import BUILD, DEBUG, DOCX, PYTHON, Desk, write_skill
from tests.state.world import World

CLAUDE = "claude-code"


@pytest.fixture
def desk(world: World, tmp_path: Path) -> Desk:
    made = Desk(world, tmp_path)
    write_skill(made.skills, "docx", {DOCX: 1000})
    write_skill(made.skills, "fix", {DEBUG: 900, PYTHON: 500})
    write_skill(made.skills, "mend", {DEBUG: 800, PYTHON: 500})
    made.index()
    made.register()
    return made


def figures(desk: Desk) -> list[HostFigures]:
    with desk.world.look() as view:
        return list(statistics.by_host(view))


@pytest.mark.rule("S14")
def test_agreement_is_counted_per_host_and_router(desk: Desk) -> None:
    assert figures(desk) == []
    for request, chosen in (("r1", "fix"), ("r2", "mend"), ("r3", "other"), ("r4", None)):
        desk.suggest(request, DEBUG, PYTHON, host=CLAUDE)
        desk.choose(request, chosen)
    desk.suggest("r5", DEBUG, PYTHON, host=CLAUDE)
    desk.suggest("r6", BUILD, host=CLAUDE)
    desk.choose("r6", "docx")
    desk.suggest("r7", DOCX, host="hermes")
    desk.choose("r7", "docx", host="hermes")
    version = router.ROUTER_VERSION
    assert figures(desk) == [
        HostFigures(CLAUDE, version, requests=6, compared=4, agreement=1, top_3=2, fallback=1),
        HostFigures("hermes", version, requests=1, compared=1, agreement=1, top_3=1, fallback=0),
    ]


@pytest.mark.rule("S14")
def test_a_suggestion_after_the_choice_is_no_forecast(desk: Desk) -> None:
    desk.choose("r1", "docx")
    desk.suggest("r1", DOCX, host=CLAUDE)
    assert figures(desk) == []
    desk.suggest("r2", DEBUG, PYTHON, host=CLAUDE)
    desk.choose("r2", "docx")
    desk.suggest("r2", DOCX, host=CLAUDE)
    (one,) = figures(desk)
    assert (one.requests, one.compared, one.agreement) == (1, 1, 0)
    # The layer shows the newest one all the same.
    assert desk.layers("r2").suggestion.skill == "docx"


@pytest.mark.rule("S14")
def test_what_one_host_asked_is_not_compared_with_what_another_chose(desk: Desk) -> None:
    desk.suggest("r1", DOCX, host="hermes")
    desk.choose("r1", "docx")
    assert figures(desk) == []
    desk.suggest("r2", DOCX, host=CLAUDE)
    desk.choose("r2", "fix")
    desk.choose("r2", "docx", host="hermes")
    assert [one for one in figures(desk) if one.compared] == []


@pytest.mark.rule("S17")
def test_offline_suggestions_enter_no_figure(desk: Desk) -> None:
    for request in ("r1", "r2", "r3"):
        desk.suggest(request, DOCX)
        desk.choose(request, "docx")
    desk.suggest("r4", sample=samples()[0].id)
    desk.suggest("r5", BUILD)
    assert figures(desk) == []
    desk.suggest("r6", DEBUG, PYTHON, host=CLAUDE)
    desk.suggest("r6", DOCX)
    desk.choose("r6", "docx")
    (one,) = figures(desk)
    assert (one.requests, one.compared, one.agreement, one.fallback) == (1, 1, 0, 0)


@pytest.mark.rule("S14")
def test_the_figures_are_the_same_from_a_new_index(desk: Desk) -> None:
    """Folded line by line, and all at once: nothing depends on how lines fall into batches."""
    desk.suggest("r1", DEBUG, PYTHON, host=CLAUDE)
    desk.world.project.close()
    early = Path(desk.world.paths.index(CODE)).read_bytes()
    desk.choose("r1", "fix")
    desk.suggest("r1", DOCX, host=CLAUDE)
    desk.suggest("r2", DOCX)
    desk.happened("r2", "pre_tool_use", "post_tool_use")
    before = figures(desk), desk.layers("r1"), desk.layers("r2")
    # An older index, with what came since laid over it in memory.
    desk.world.project.close()
    Path(desk.world.paths.index(CODE)).write_bytes(early)
    assert (figures(desk), desk.layers("r1"), desk.layers("r2")) == before
    desk.world.project.close()
    Path(desk.world.paths.index(CODE)).unlink()
    ensure(desk.world.project.journal, desk.world.clock, None)
    assert (figures(desk), desk.layers("r1"), desk.layers("r2")) == before


@pytest.mark.rule("S14")
def test_what_is_stored_are_ids_names_and_numbers(desk: Desk) -> None:
    op = desk.suggest("r1", DEBUG, PYTHON, host=CLAUDE)
    texts = {"op", "request", "mode", "host", "adapter", "fingerprint", "sample", "router"}
    texts |= {"vocabulary", "index", "fallback_target", "fallback_reason"}
    lists = {"features", "drifted", "candidates", "excluded"}
    numbers = {"threshold", "considered", "drifted_count"}
    assert set(op) == texts | lists | numbers | {"offline", "fallback_used"}
    choice, receipt = desk.happened("r1", "pre_tool_use")
    locator = {"session", "agent", "event", "tool_use", "file", "offset", "sha256"}
    assert set(choice["locator"]) == set(receipt["locator"]) == locator


def test_samples_are_counted_by_what_should_lead() -> None:
    perfect = [
        Entry(sample.expected[0], dict.fromkeys(sample.features, 1000))
        for sample in samples()
        if sample.expected
    ]
    early = statistics.of_samples(perfect, late=False)
    late = statistics.of_samples(perfect, late=True)
    assert early.samples == sum(not sample.late for sample in samples()) == 26
    assert early.samples + late.samples == len(samples())
    assert early.fitting == sum(bool(one.expected) for one in samples() if not one.late)
    assert early.fitting >= early.top_3 >= early.top_1 > early.fitting // 2
    nothing = statistics.of_samples([], late=False)
    assert (nothing.top_1, nothing.top_3, nothing.fallback) == (0, 0, 26)
    assert nothing.rightly == nothing.samples - nothing.fitting
