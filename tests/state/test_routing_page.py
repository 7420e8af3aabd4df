"""`docs/routing.md` says what the code does: evidence, fallbacks, reasons, and a receipt's form."""

from __future__ import annotations

import json
import re
from typing import Any

from panel.words import routing as words
from state.routing import documents, evidence, router
from tests.support import ROOT

PAGE = (ROOT / "docs" / "routing.md").read_text(encoding="utf-8")


def block(name: str) -> Any:
    """The JSON example of that name."""
    (found,) = re.findall(rf"^```json {name}\n(.*?)^```", PAGE, re.M | re.S)
    return json.loads(found)


def rows(head: str) -> list[list[str]]:
    """The cells of the table under this head, without the marks of code."""
    _, _, rest = PAGE.partition(f"{head}\n")
    table, _, _ = rest.partition("\n\n")
    cells = [line.strip("|").split("|") for line in table.splitlines()[1:]]
    return [[cell.strip().replace("`", "") for cell in row] for row in cells]


def test_the_examples_are_receipts() -> None:
    whole = block("receipt")
    assert isinstance(documents.parse(json.dumps(whole).encode()).evidence, documents.InFile)
    whole["evidence"] = block("evidence")
    assert isinstance(documents.parse(json.dumps(whole).encode()).evidence, documents.ByHook)


def test_the_table_of_evidence_is_that_of_the_program() -> None:
    by = {"–": None, "by the host": "host", "by the person": "person", "yes": "unknown"}
    listed = rows("| kind | layer 3 | layer 4 | what it is |")
    assert {row[0] for row in listed} == set(evidence.KINDS)
    for kind, choice, level, _ in listed:
        host = "codex" if kind == "codex_injected" else "claude-code"
        filled = evidence.fills(host, kind)
        said = (by[choice], None if level == "–" else level)
        assert (filled.chosen_by, filled.level) == said, kind


def test_fallbacks_and_reasons_are_those_of_the_program() -> None:
    assert {row[0] for row in rows("| fallback | why |")} == set(router.FALLBACKS)
    assert set(words.FALLBACK) == set(router.FALLBACKS)
    assert {row[0] for row in rows("| reason | why |")} == set(words.REFUSED) == set(words.MEND)
    assert set(words.LEVELS) == set(evidence.STATES)
    assert f"Below {router.THRESHOLD} nothing is suggested" in PAGE
    assert (router.NOT_OFFERED, router.NOT_ASKED) == (8, 8)
