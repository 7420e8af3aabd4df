"""S2: which kind of evidence fills which layer, at which level, and what that is called."""

from __future__ import annotations

import pytest

from panel.words import routing as words
from state.routing.evidence import KINDS, STATES, best, fills, is_invoked

# The table of evidence as it is written down: kind -> who chose (layer 3), level (layer 4).
TABLE = {
    "skill_listing": (None, "offered"),
    "dynamic_skill": (None, "offered"),
    "invoked_skills": (None, "injected"),
    "preload": (None, "injected"),
    "pre_tool_use": ("host", "requested"),
    "tool_use": ("host", "requested"),
    "post_tool_use": ("host", "confirmed"),
    "tool_result": ("host", "confirmed"),
    "tool_failed": ("host", "failed"),
    "unknown_skill": ("host", "failed"),
    "prompt_expansion": ("person", "requested"),
    "command_line": ("person", "requested"),
    "command_with_base": ("person", "confirmed"),
    "builtin_command": (None, None),
    "unknown_command": (None, None),
    "quoted_tag": (None, None),
    "codex_injected": (None, None),
    "file_read": (None, "file_read"),
    "attribution": (None, None),
    "model_claim": (None, None),
    "cannot_say": (None, "unknown"),
}


@pytest.mark.rule("S2")
def test_each_kind_of_evidence_fills_what_the_table_says() -> None:
    assert set(KINDS) == set(TABLE)
    for kind, filled in TABLE.items():
        found = fills("claude-code", kind)
        assert (found.chosen_by, found.level) == filled, kind
    assert fills("claude-code", "telepathy") == fills("claude-code", "model_claim")


@pytest.mark.rule("S2")
@pytest.mark.parametrize("host", ["codex", "codex-cli", "Codex"])
def test_a_codex_use_never_reads_as_invoked(host: str) -> None:
    levels = {fills(host, kind).level for kind in KINDS}
    assert levels == {None, "injected", "file_read", "unknown"}
    assert fills(host, "codex_injected").chosen_by is not None


@pytest.mark.rule("S2")
def test_only_confirmed_reads_as_invoked() -> None:
    for level in (None, *STATES):
        said = words.level(level)
        assert is_invoked(level) == (level == "confirmed")
        assert said.startswith("not invoked") == (level != "confirmed")
    assert words.level("file_read") == "not invoked · file read"
    assert words.level("unknown") == "not invoked · this host can't say"
    assert words.level(None) == "not invoked"


@pytest.mark.rule("S2")
def test_the_best_proof_counts() -> None:
    assert best(()) is None
    assert best(("offered", "requested", "file_read")) == "requested"
    assert best(("requested", "failed")) == "failed"
    assert best(("failed", "confirmed", "requested")) == "confirmed"
    assert best(("unknown", "offered")) == "offered"
