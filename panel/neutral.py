"""Makes text from outside harmless for a terminal, and measures it; needs no screen library.

What comes out holds only characters that are seen and whose width in cells every terminal agrees
on as far as that can be known: no control, escape, bidi, tag or zero-width character, no joiner,
selector, regional indicator or lone surrogate (M9). Each of those is shown by a sign or by its
number (`⟨U+202E⟩`). Markup is not looked at: it is the receiver that must not read any.

Choices: a joiner becomes `⁀`, so that a family is drawn as its members; a flag is shown as its
letters (`⟨DE⟩`); one variation selector right after a symbol is left out, since it asks only for
another drawing of the same symbol; at most four marks stack on one character, and a mark without
one stands on `◌`. Spacing vowel signs and signs that join consonants (Devanagari, Tamil, Khmer and
others) are shown by their number, which is hard on those who read these scripts: Textual draws the
ones in no cell, tmux and most terminals in one, and some draw joined consonants in fewer cells, so
that a title full of them would push columns and frames aside. So is a character that this Python's
Unicode tables do not know. What is stored is never altered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

__all__ = ["block", "cells", "cut", "fit", "line", "masked", "plain"]

LINE_LIMIT = 2_000
BLOCK_LIMIT = 100_000
_MARKS_AT_MOST = 4

# Patterns stay text until one is needed: most calls show plain ASCII, and compiling all costs a
# command as much as a tenth of its start.

# Needs no second look: visible, of a known width, and able to carry a mark. Everything else is
# decided one character at a time.
_QUICK = (
    " -~\u00a0-\u00ac\u00ae-\u02ff\u03a3-\u0481\u048a-\u052f\u2010-\u2027\u2030-\u205e"
    "\u2190-\u2426\u2500-\u262f\u2638-\u2689\u2690-\u27bf\u3000-\u3029\u3041-\u3096"
    "\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9f"
)
_LOOK_LINE = f"[^{_QUICK}]+"
_LOOK_BLOCK = f"[^{_QUICK}\n]+"
_FLAG = "[\U0001f1e6-\U0001f1ff]{1,2}"
# Narrow in some terminals and wide in others: until Unicode 15 and since 16, and by the C library.
_WIDTH_UNSURE = (
    "[\U0001171e\u3248-\u324f\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff"
    "\U0001d300-\U0001d356\U0001d360-\U0001d376]"
)
# Letters and marks by their category that are nevertheless drawn as nothing at all.
_INVISIBLE = (
    "[\U00016fe4\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# The combining class of viramas; in Thai and Lao they are marks like others.
_JOINS_CONSONANTS = 9
_JOINS_NOTHING = "\u0e3a\u0eba"
_TONE = "[\U0001f3fb-\U0001f3ff]"
_HANGUL_INSIDE = "[\u1161-\u11ff\ud7b0-\ud7c6\ud7cb-\ud7fb]"
_SIGNS = {"\n": "↵", "\t": "⇥", "\x7f": "␡", "\u200d": "⁀", "\u200c": "¦"}
_SELECTORS = "\ufe0e\ufe0f"
_CARRIES_SELECTOR = "#*0123456789‼⁉ℹ〰"
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Cn", "Mc", "Zl", "Zp"})

_Kind = Literal["shown", "mark", "hidden"]


def plain(text: str, *, lines: bool = False) -> str:
    """Any text as the terminal of a command may have it: one line, or with `lines` a block."""
    return block(text, limit=None) if lines else line(text, limit=None)


def line(text: str, limit: int | None = LINE_LIMIT) -> str:
    """The text as exactly one line; line ends, tabs and all else unseen become visible signs.

    Beyond `limit` characters it ends with a note of how many more there are. The cost is bounded
    by the limit.
    """
    text, note = _cut(text, limit)
    return _replaced(text, _LOOK_LINE) + note


def block(text: str, limit: int | None = BLOCK_LIMIT, tab: int = 4) -> str:
    """The text with its lines kept (LF and CRLF) and tabs brought to stops of `tab` cells.

    Beyond `limit` characters a last line notes how many more there are.
    """
    text, note = _cut(text, limit)
    text = text.replace("\r\n", "\n")
    if "\t" in text:
        text = "\n".join(_untabbed(row, tab) for row in text.split("\n"))
    return _replaced(text, _LOOK_BLOCK) + (f"\n{note.lstrip()}" if note else "")


def masked(text: str) -> str:
    """The text with one visible character for each of its own, for fields that are edited.

    Positions stay what they were, so that a cursor stands where it is drawn.
    """
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = _MARKS_AT_MOST
    for sign in text:
        kind = _kind(sign)
        if kind == "shown":
            shown.append(sign)
            marks = _MARKS_AT_MOST if sign.isspace() else 0
        elif kind == "mark" and marks < _MARKS_AT_MOST:
            shown.append(sign)
            marks += 1
        else:
            spelt = _spelt(sign)
            shown.append(spelt if len(spelt) == 1 else "␦")
            marks = _MARKS_AT_MOST
    return "".join(shown)


def cells(text: str) -> int:
    """How many cells a text that came from here takes; a line end counts nothing."""
    return len(text) if text.isascii() else sum(map(_width, text))


def cut(text: str, width: int) -> str:
    """The text as one line of at most `width` cells, with an ellipsis where it was cut.

    A wide character that would be halved is left out. The cost is bounded by `width`.
    """
    if width <= 0:
        return ""
    # A cell is filled by at most a character, a selector and four marks.
    shown = line(text[: width * 6 + 12], limit=None)
    return shown if cells(shown) <= width else _first(shown, width - 1) + "…"


def fit(text: str, width: int, align: Literal["left", "right"] = "left") -> str:
    """The text as `cut` gives it, padded to exactly `width` cells."""
    shown = cut(text, width)
    gap = " " * (width - cells(shown))
    return gap + shown if align == "right" else shown + gap


def _first(text: str, width: int) -> str:
    used = 0
    for place, sign in enumerate(text):
        used += _width(sign)
        if used > width:
            return text[:place]
    return text


def _cut(text: str, limit: int | None) -> tuple[str, str]:
    if limit is None or len(text) <= limit:
        return text, ""
    return text[:limit], f" … {len(text) - limit:,} more characters"


def _untabbed(row: str, tab: int) -> str:
    shown = ""
    first, *rest = row.split("\t")
    shown = first
    at = cells(_replaced(first, _LOOK_BLOCK))
    for part in rest:
        gap = tab - at % tab
        shown += " " * gap + part
        at += gap + cells(_replaced(part, _LOOK_BLOCK))
    return shown


def _replaced(text: str, look: str) -> str:
    if text.isascii() and text.isprintable():
        return text

    def looked(found: re.Match[str]) -> str:
        start = found.start()
        return "".join(_safe_run(found.group(), text[start - 1] if start else " "))

    return re.sub(look, looked, text)


def _safe_run(run: str, before: str) -> Iterator[str]:
    """The replacement of a run that follows the character `before`."""
    run = re.sub(_FLAG, lambda flag: f"⟨{''.join(map(_letter, flag.group()))}⟩", run)
    marks = 0 if _carries_mark(before) else _MARKS_AT_MOST
    selectable = _carries_selector(before)
    for sign in run:
        if selectable and sign in _SELECTORS:
            selectable = False
            continue
        kind = _kind(sign)
        if kind == "shown":
            yield sign
            marks = 0 if _carries_mark(sign) else _MARKS_AT_MOST
        elif kind == "hidden":
            yield _spelt(sign)
            marks = _MARKS_AT_MOST
        elif marks < _MARKS_AT_MOST:
            yield sign
            marks += 1
        else:
            yield f"◌{sign}"
            marks = 1
        selectable = kind == "shown" and _carries_selector(sign)


def _carries_mark(sign: str) -> bool:
    return not (sign.isspace() or sign == "⟩")


@lru_cache(4096)
def _carries_selector(sign: str) -> bool:
    import unicodedata

    return sign in _CARRIES_SELECTOR or unicodedata.category(sign) in ("So", "Sm")


@lru_cache(8192)
def _kind(sign: str) -> _Kind:
    """Whether a character is seen on its own, rides on the one before, or is not to be seen."""
    import unicodedata

    category = unicodedata.category(sign)
    if (
        category in _HIDDEN_CATEGORIES
        or re.match(_INVISIBLE, sign)
        or re.match(_WIDTH_UNSURE, sign)
        or re.match(_TONE, sign)
        or (unicodedata.combining(sign) == _JOINS_CONSONANTS and sign not in _JOINS_NOTHING)
        or re.match(_FLAG, sign)
        or ord(sign) & 0xFFFE == 0xFFFE
    ):
        return "hidden"
    if category in ("Mn", "Me") or re.match(_HANGUL_INSIDE, sign):
        return "mark"
    return "shown"


def _spelt(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    number = ord(sign)
    if number < 0x20:
        return chr(0x2400 + number)
    return _letter(sign) if re.match(_FLAG, sign) else f"⟨U+{number:04X}⟩"


def _letter(region: str) -> str:
    return chr(ord(region) - 0x1F1E6 + ord("A"))


@lru_cache(8192)
def _width(sign: str) -> int:
    import unicodedata

    if sign == "\n" or _kind(sign) == "mark":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
