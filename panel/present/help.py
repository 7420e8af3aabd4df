"""The keys as a text to be looked through. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.content import Content

from panel import keys, neutral, safe_text
from panel.keys import Key
from panel.present.layout import heading, indented, joined
from panel.words import help as words

_NARROW = 28


def text(acting: Iterable[Key], mapped: Mapping[str, str], width: int) -> Content:
    """The keys by their groups, each with what it does, and what the signs of the screen mean."""
    parts: list[Content] = []
    for title, members in keys.grouped(acting):
        parts.append(heading(title, width))
        said = [(keys.all_shown(mapped.get(key.id, key.keys)), key.help) for key in members]
        parts += _rows(said, width)
    parts.append(heading(words.FIXED, width))
    parts += _rows(list(keys.FIXED), width)
    parts.append(heading(words.SIGNS, width))
    parts += _rows(list(words.MEANINGS), width)
    return joined(parts)


def _rows(said: list[tuple[str, str]], width: int) -> list[Content]:
    """Names and what they mean beside each other, or under each other where there is no room."""
    if width < _NARROW:
        lines: list[Content] = []
        for name, meaning in said:
            lines.append(safe_text.line(name, "$text-accent bold"))
            lines.append(indented(safe_text.line(meaning), 2, width))
        return lines
    size = max(neutral.cells(name) for name, _ in said)
    rows = []
    for name, meaning in said:
        first = safe_text.fit(name, size, style="$text-accent bold")
        wrapped = safe_text.line(meaning).wrap(max(width - size - 2, 1))
        for line in wrapped or [Content("")]:
            rows.append(Content.assemble(first, "  ", line))
            first = Content(" " * size)
    return rows
