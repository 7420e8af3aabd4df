"""Draws rows of columns as lines of a widget, and remembers the lines it drew last."""

from __future__ import annotations

from collections.abc import Sequence

from textual.cache import LRUCache
from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget

from panel import safe_text
from panel.widgets.columns import GAP, Column, widths
from panel.widgets.pages import Row, shown
from panel.words import signs

CURSOR = "▸ "
PLACEHOLDER = "…"
CURSOR_LOOKS = ("cursor", "cursor-blurred")
_PLAIN = ""
_REMEMBERED = 512


class RowPainter:
    """Lines for one widget, which has the component classes `{prefix}--{look}`.

    A look is "", "header", "cursor", "cursor-blurred", "placeholder" or "note"; the cursor is
    marked by a sign besides its colours.
    """

    def __init__(self, widget: Widget, columns: Sequence[Column], prefix: str) -> None:
        self._widget = widget
        self._columns = tuple(columns)
        self._prefix = prefix
        self._strips: LRUCache[tuple[int, str], Strip] = LRUCache(_REMEMBERED)
        self._lines: LRUCache[object, Strip] = LRUCache(_REMEMBERED)
        self._notes: LRUCache[object, list[Strip]] = LRUCache(2)
        self._ticked: dict[int, list[str]] = {}

    def set_columns(self, columns: Sequence[Column]) -> bool:
        """Use these columns from now on; whether they differ from those before."""
        differs = self._columns != tuple(columns)
        if differs:
            self._columns = tuple(columns)
            self.forget()
        return differs

    def forget(self, position: int | None = None) -> None:
        """Draw the row at this position anew next time, or all when None."""
        if position is None:
            self._strips.clear()
            self._lines.clear()
            self._notes.clear()
            self._ticked.clear()
            return
        for look in (_PLAIN, *CURSOR_LOOKS):
            self._strips.discard((position, look))
        self._ticked.pop(position, None)

    def ticked(self, position: int, row: Row) -> bool:
        """Whether the row reads otherwise than when it was drawn, because time has passed."""
        if not row.ticks or self._ticked.get(position) == _texts(row):
            return False
        self.forget(position)
        return True

    def row(self, position: int, row: Row | None, look: str, width: int) -> Strip:
        """The row at a position as a line, a placeholder while it isn't known."""
        if row is None:
            mark = self._mark(look)
            return self._strip(Content(mark + PLACEHOLDER), look or "placeholder", width)
        strip = self._strips.get((position, look))
        if strip is None or strip.cell_length != width:
            if row.ticks:
                if len(self._ticked) >= _REMEMBERED:
                    self._ticked.clear()
                self._ticked[position] = _texts(row)
            strip = self._strips[position, look] = self._drawn(row, look, width)
        return strip

    def header(self, width: int) -> Strip:
        """The titles of the columns."""
        titles = [Content(column.title) for column in self._columns]
        return self._strip(self._joined(titles, "header", width), "header", width)

    def note(self, text: Content, line: int, width: int) -> Strip:
        """One line of a text that stands where rows would be, wrapped, one cell from the edge."""
        style, strips = self._style("note"), self._note(text, width)
        if line >= len(strips):
            return self.blank(width)
        edge = Strip.blank(1, style.rich_style)
        joined = Strip.join([edge, strips[line], edge])
        return joined.adjust_cell_length(width, style.rich_style)

    def note_height(self, text: Content, width: int) -> int:
        """How many lines such a text takes."""
        return len(self._note(text, width))

    def _note(self, text: Content, width: int) -> list[Strip]:
        key = (text.plain, tuple(text.spans), width)
        strips = self._notes.get(key)
        if strips is None:
            style = self._style("note")
            strips = Visual.to_strips(self._widget, text, max(width - 2, 1), None, style, pad=True)
            self._notes[key] = strips
        return strips

    def blank(self, width: int) -> Strip:
        """A line with nothing on it."""
        return Strip.blank(width, self._widget.visual_style.rich_style)

    def _drawn(self, row: Row, look: str, width: int) -> Strip:
        """The row as a line; a newer row mostly moves others, which are drawn already."""
        cells = [shown(cell) for cell in row.cells]
        said = tuple((cell.plain, tuple(cell.spans)) for cell in cells)
        key = (said, row.style, look, width)
        strip = self._lines.get(key)
        if strip is None:
            line = self._joined(cells, look, width, row.style)
            strip = self._lines[key] = self._strip(line, look, width)
        return strip

    def _joined(self, cells: Sequence[Content], look: str, width: int, style: str = "") -> Content:
        mark = self._mark(look)
        given = widths(self._columns, width - len(mark))
        if len(cells) == 1:
            # One cell is no column: it has the whole line.
            whole = safe_text.fit_content(cells[0], max(width - len(mark), 0))
            line = Content.assemble(mark, whole)
            return line.stylize_before(style) if style else line
        parts = [
            _fitted(cell, size, column)
            for cell, size, column in zip(cells, given, self._columns, strict=True)
            if size
        ]
        line = Content.assemble(mark, Content(" " * GAP).join(parts))
        return line.stylize_before(style) if style else line

    def _mark(self, look: str) -> str:
        return CURSOR if look in CURSOR_LOOKS else " " * len(CURSOR)

    def _style(self, look: str) -> Style:
        widget = self._widget
        return widget.get_visual_style(f"{self._prefix}--{look}") if look else widget.visual_style

    def _strip(self, line: Content, look: str, width: int) -> Strip:
        style = self._style(look)
        strips = Visual.to_strips(self._widget, line, width, 1, style, pad=True)
        if not strips:
            return Strip.blank(width, style.rich_style)
        return strips[0].adjust_cell_length(width, style.rich_style)


def _fitted(cell: Content, size: int, column: Column) -> Content:
    """A cell brought to the width of its column, by the column's own way of cutting."""
    if cell.cell_length > size:
        short = column.short.get(cell.plain)
        if short is not None:
            style = cell.spans[0].style if cell.spans else ""
            cell = safe_text.line(short).stylize(style)
        elif column.cut == "middle":
            name = cell[: len(cell.plain.partition(signs.BESIDE)[0])]
            # What is said beside a name goes first.
            if name.cell_length > size:
                return safe_text.fit_middle(name, size)
        elif column.cut == "pair":
            return safe_text.fit_pair(cell, size, signs.TO)
    return safe_text.fit_content(cell, size, column.align)


def _texts(row: Row) -> list[str]:
    return [cell().plain for cell in row.cells if callable(cell)]
