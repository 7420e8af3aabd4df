"""Rows of lists as plain text. Pure."""

from __future__ import annotations

from panel.widgets.pages import Row


def as_text(row: Row) -> str:
    """What a row shows, without what is only there for the eye."""
    cells = [cell() if callable(cell) else cell for cell in row.cells]
    return " ".join(text for cell in cells if (text := cell.plain.strip()))
