"""The first words of a message without a title, so that a list can tell it from the next one."""

from collections.abc import Iterable
from dataclasses import replace

from state.errors import Unsound
from state.index.view import View
from state.messages.listing import MessageRow

WORDS = 160


def with_openings(view: View, rows: Iterable[MessageRow]) -> tuple[MessageRow, ...]:
    """The same rows; those without a title say how their text begins, where it is at hand."""
    return tuple(row if row.title else replace(row, opening=of(view, row.id)) for row in rows)


def of(view: View, number: int) -> str:
    """How the text of a message begins; "" without one, in a blob, or where it can't be read."""
    try:
        line = view.line(number)
    except Unsound:
        return ""
    bodies = () if line is None else (op.get("body") for op in line.ops)
    return begins(next((body for body in bodies if isinstance(body, str)), ""))


def begins(body: str) -> str:
    """The first words of a text in one line, with `…` where more follows."""
    words = " ".join(body[: 2 * WORDS].split())
    return words if len(words) <= WORDS and len(body) <= 2 * WORDS else f"{words[:WORDS]}…"
