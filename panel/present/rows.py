"""Rows of lists as plain text. Pure."""

from __future__ import annotations

from panel.widgets.pages import Row
from panel.words.seats import NONE


def as_text(row: Row) -> str:
    """What a row shows, without what is only there for the eye."""
    cells = [cell() if callable(cell) else cell for cell in row.cells]
    said = (cell.plain.strip() for cell in cells)
    return " ".join(text for text in said if text not in ("", NONE))
