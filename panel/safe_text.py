"""The one door through which text from outside reaches a widget (M9, fault 41).

Every function takes any string at all and gives `Content` of visible characters, styled by the
program alone; no markup is read. What is made visible how stands in `panel.neutral`.

Textual 8.2.8 parses a `str` as markup in many places, and crashes or makes links there; how each
is to be fed:

- Static, Label, OptionList, Select options, Button, Checkbox, Tab, Collapsible: `Content` from
  here.
- Notifications parse unless told otherwise: `toast`. Tooltips parse: `tooltip`.
- Border titles and subtitles parse and take the first line only: `border_title`.
- DataTable cells and Tree labels parse too and take Rich's text alone: neither is used here.
- Command palette: `Matcher.highlight` parses what it searched: `highlight`; a hit's help parses
  too and takes `Content` (pass it on as it is).
- App and screen titles are plain, but their controls reach the header and pictures:
  `window_title`. The terminal's own title is never set, neither by Textual nor by us.
- Input and TextArea read no markup and draw their value as it stands, controls and all:
  `panel.widgets.safe_input`. Placeholders likewise: the program's own words only.
- Footer and KeyPanel parse descriptions: the program's own words only, never a remapped key.
- Names, ids and classes of widgets are never made of text from outside.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from textual.app import App
from textual.content import Content, Span
from textual.fuzzy import Matcher
from textual.widget import Widget

from panel import neutral
from panel.neutral import BLOCK_LIMIT, LINE_LIMIT, plain

__all__ = [
    "block",
    "border_title",
    "fit",
    "fit_content",
    "fit_middle",
    "fit_pair",
    "highlight",
    "line",
    "plain",
    "row",
    "safe",
    "toast",
    "tooltip",
    "window_title",
]

Align = Literal["left", "right"]
Severity = Literal["information", "warning", "error"]

# What a severity looks like besides its colour.
_SEVERITIES: dict[Severity, str] = {"information": "", "warning": "! ", "error": "✗ "}
# In cells, since one character may be shown by its number.
_TOAST = 300
_TITLE = 120
_TOOLTIP_LINE = 72
_TOOLTIP_LINES = 8
# With fewer cells a beginning says more than both ends.
_BOTH_ENDS = 5


def safe(text: str, *, width: int | None = None, style: str = "") -> Content:
    """The text as one line, of exactly `width` cells when that is given."""
    return line(text, style) if width is None else fit(text, width, style=style)


def line(text: str, style: str = "", *, limit: int | None = LINE_LIMIT) -> Content:
    """The text as one line, cut after `limit` characters with a note of how many follow."""
    return _content(neutral.line(text, limit), style)


def block(text: str, style: str = "", *, limit: int | None = BLOCK_LIMIT) -> Content:
    """The text with its lines, for a body; cut after `limit` characters with a note."""
    return _content(neutral.block(text, limit), style)


def fit(text: str, cells: int, *, style: str = "", align: Align = "left") -> Content:
    """The text as one line of exactly `cells` cells, padded or cut with an ellipsis."""
    return _content(neutral.fit(text, cells, align), style, max(cells, 0))


def fit_content(content: Content, cells: int, align: Align = "left") -> Content:
    """Content that came from here brought to exactly `cells` cells, its styles kept."""
    if cells <= 0:
        return Content("")
    gap = cells - content.cell_length
    if gap > 0 and align == "right":
        return Content.assemble(" " * gap, content)
    return content.truncate(cells, ellipsis=True, pad=True)


def fit_middle(content: Content, cells: int) -> Content:
    """Content brought to exactly `cells` cells; where it is cut, its end is kept too."""
    if content.cell_length <= cells or cells < _BOTH_ENDS:
        return fit_content(content, cells)
    tail = (cells - 1) // 2
    end = content[-tail:]
    # No mark may be left without the character that it stands on.
    while end.plain and (end.cell_length > tail or not neutral.cells(end.plain[:1])):
        end = end[1:]
    return Content.assemble(fit_content(content, cells - end.cell_length), end)


def fit_pair(content: Content, cells: int, between: str) -> Content:
    """Two names with `between` between them, each cut in its middle; exactly `cells` cells."""
    first, _, second = content.plain.partition(between)
    room = cells - neutral.cells(between)
    if content.cell_length <= cells or not second or room < 2 * _BOTH_ENDS:
        return fit_content(content, cells)
    given = max(room // 2, room - neutral.cells(second))
    given = min(given, neutral.cells(first))
    left = fit_middle(content[: len(first)], given)
    return Content.assemble(left, between, fit_middle(content[-len(second) :], room - given))


def row(parts: Iterable[tuple[str, str] | Content], between: str = " ") -> Content:
    """One line of several parts, each a text with the program's style for it, or content."""
    made = (part if isinstance(part, Content) else line(*part) for part in parts)
    return Content(between).join(made)


def highlight(matcher: Matcher, text: str) -> Content:
    """The text as one line, with the characters that the matcher found marked."""
    shown = neutral.line(text)
    score, offsets = matcher.fuzzy_search.match(matcher.query, shown)
    if not score:
        return _content(shown, "")
    spans = [Span(at, at + 1, matcher.match_style) for at in offsets if not shown[at].isspace()]
    return Content(shown, spans, strip_control_codes=False)


def toast(
    host: App[Any] | Widget, text: str, severity: Severity = "information", title: str = ""
) -> None:
    """Show a notification, as one line so that it hides little. May be called from any thread."""
    host.notify(
        _SEVERITIES[severity] + neutral.cut(text, _TOAST),
        title=neutral.cut(title, _TITLE),
        severity=severity,
        markup=False,
    )


def tooltip(widget: Widget, text: str) -> None:
    """Give the widget a tooltip of a few lines, or none when the text is empty."""
    head = text[: _TOOLTIP_LINE * _TOOLTIP_LINES * 6]
    lines = neutral.block(head, limit=None).split("\n", _TOOLTIP_LINES)
    shown = [neutral.cut(line, _TOOLTIP_LINE) for line in lines[:_TOOLTIP_LINES]]
    if len(lines) > _TOOLTIP_LINES or len(text) > len(head):
        shown.append("…")
    widget.tooltip = _content("\n".join(shown), "") if text else None


def border_title(widget: Widget, text: str, subtitle: str = "") -> None:
    """Write the title into the widget's border, and a subtitle when there is one."""
    for name, said in (("border_title", text), ("border_subtitle", subtitle)):
        shown = _content(neutral.cut(said, _TITLE), "")
        # Setting one draws the whole widget anew.
        if getattr(widget, name) != shown.markup:
            setattr(widget, name, shown)


def window_title(app: App[Any], title: str, subtitle: str = "") -> None:
    """Set the app's title and subtitle, as headers and pictures show them."""
    app.title = neutral.cut(title, _TITLE)
    app.sub_title = neutral.cut(subtitle, _TITLE)


def _content(shown: str, style: str, cells: int | None = None) -> Content:
    spans = [Span(0, len(shown), style)] if style and shown else None
    return Content(shown, spans, cells, strip_control_codes=False)
