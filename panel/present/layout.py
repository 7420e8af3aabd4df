"""Lines of labels and values at a given width, and small tables. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from panel import neutral, safe_text

MUTED = "$text-muted"
LABEL_WIDTH = 13
# With less room for its value a label stands on a line of its own, the value under it.
_VALUE_WIDTH = 14
_INDENT = 2


def joined(parts: Sequence[Content]) -> Content:
    """Parts under each other."""
    return Content("\n").join(parts)


def heading(text: str, width: int) -> Content:
    """The program's own words over a part, with a line to the right edge."""
    rule = "─" * max(width - neutral.cells(text) - 1, 0)
    return safe_text.row([(text, "bold"), (rule, MUTED)] if rule else [(text, "bold")])


def labelled(label: str, value: Content, width: int, beside: int = LABEL_WIDTH) -> Content:
    """A label and, so many cells from the edge, its value with all its lines."""
    name = safe_text.fit(label, beside, style=MUTED)
    if width < beside + _VALUE_WIDTH:
        return joined([safe_text.line(label, MUTED), *_indented(value, _INDENT, width)])
    lines = value.wrap(max(width - beside, 1))
    first = Content.assemble(name, lines[0] if lines else Content(""))
    rest = [Content.assemble(" " * beside, line) for line in lines[1:]]
    return joined([first, *rest])


def indented(value: Content, cells: int, width: int) -> Content:
    """The value wrapped, each line of it that many cells from the left edge."""
    return joined(_indented(value, cells, width))


def table(titles: Sequence[str], rows: Sequence[Sequence[Content]], width: int) -> Content | None:
    """Rows under titles, each column as wide as its widest cell; None where that is too wide."""
    sizes = [
        max([neutral.cells(title), *(row[place].cell_length for row in rows)])
        for place, title in enumerate(titles)
    ]
    if sum(sizes) + 2 * (len(sizes) - 1) > width:
        return None
    head = [
        safe_text.fit(title, size, style=MUTED) for title, size in zip(titles, sizes, strict=True)
    ]
    lines = [Content("  ").join(head)]
    for row in rows:
        cells = [safe_text.fit_content(cell, size) for cell, size in zip(row, sizes, strict=True)]
        lines.append(Content("  ").join(cells))
    return joined(lines)


def _indented(value: Content, cells: int, width: int) -> list[Content]:
    space = " " * min(cells, max(width - 1, 0))
    return [Content.assemble(space, line) for line in value.wrap(max(width - len(space), 1))] or [
        Content("")
    ]
