"""Standard output: text that is harmless on a terminal, or JSON that says the same."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, Literal

import orjson

from state.errors import BadInput

BOLD = "\x1b[1m"
FAINT = "\x1b[2m"
PLAIN = "\x1b[0m"
GAP = "  "
# No column gets narrower than this.
NARROW = 6
ONLY_LOST = "what was asked for is done; only its answer is lost"

Align = Literal["left", "right"]


def write(text: str) -> None:
    """Text as it stands, which must have come through `panel.neutral`."""
    if sys.stdout is not None:
        _guarded(sys.stdout.write, text)


def write_bytes(data: bytes) -> None:
    """Stored bytes as they stand; the caller has seen to it that no terminal gets them."""
    if sys.stdout is not None:
        _guarded(_put, data, "what was written is not all of it: make room, then repeat")


def flush() -> None:
    """Everything written so far has left; BrokenPipeError when nobody reads it any more."""
    if sys.stdout is not None:
        _guarded(lambda _: sys.stdout.flush(), None)


def write_lines(lines: Iterable[str]) -> None:
    """Each line with its end."""
    write("".join(f"{line}\n" for line in lines))


def write_json(data: Any) -> None:
    """One object; indented where a person reads it."""
    write(encoded(data, indent=is_terminal()) + "\n")


def encoded(data: Any, *, indent: bool = False) -> str:
    """JSON in which whatever a terminal might act upon is escaped (M9); it says the same."""
    raw = orjson.dumps(data, option=orjson.OPT_INDENT_2 if indent else 0)
    text = raw.decode()
    if raw.isascii():
        return text.replace("\x7f", "\\u007f")
    from panel.neutral import plain

    for sign in sorted(set(text) - {"\n"}):
        # After a letter, so that an accent has something to stand on.
        if plain(f"a{sign}") != f"a{sign}":
            units = sign.encode("utf-16-be").hex()
            spelt = "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
            text = text.replace(sign, spelt)
    return text


def is_terminal() -> bool:
    """Whether a person's terminal gets standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int | None:
    """How many cells a line has on the terminal, None where there is no limit."""
    if not is_terminal():
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


def styled(text: str, style: str) -> str:
    """The text in a style of the terminal's own, where there is one and colour is wanted."""
    if not text or not is_terminal() or "NO_COLOR" in os.environ:
        return text
    if os.environ.get("TERM", "dumb") == "dumb":
        return text
    return f"{style}{text}{PLAIN}"


def heading(text: str) -> str:
    """The program's own words over a part of the answer."""
    return styled(text, BOLD)


def table(
    heads: tuple[str, ...],
    rows: Iterable[tuple[str, ...]],
    *,
    right: tuple[int, ...] = (),
    keep: tuple[int, ...] = (),
) -> list[str]:
    """Aligned lines under a head; the columns in `right` lean to the right.

    On a terminal the widest columns are cut until a line fits, those in `right` and `keep` only
    when nothing else helps; elsewhere nothing is cut.
    """
    from panel.neutral import cells, fit

    cut = width()
    shown = [tuple(fit_free(cell, cut) for cell in row) for row in rows]
    sizes = [max(cells(cell) for cell in column) for column in zip(heads, *shown, strict=True)]
    if cut is not None:
        room = cut - len(GAP) * (len(sizes) - 1)
        _narrow(sizes, room, [place for place in range(len(sizes)) if place not in right + keep])
        _narrow(sizes, room, list(range(len(sizes))))
    lines = []
    for number, row in enumerate((heads, *shown)):
        places = range(len(row))
        aligned = [fit(row[n], sizes[n], _align(n, right)) for n in places]
        line = GAP.join(aligned).rstrip()
        lines.append(styled(line, FAINT) if number == 0 else line)
    return lines


def _narrow(sizes: list[int], room: int, places: list[int]) -> None:
    """Takes cells from the widest of these columns, the last first, until all have room."""
    while places and sum(sizes) > room:
        widest = max(places, key=lambda place: (sizes[place], place))
        if sizes[widest] <= NARROW:
            return
        sizes[widest] -= 1


def fit_free(text: str, limit: int | None) -> str:
    """One harmless line, no longer than a line of the terminal could be."""
    from panel.neutral import cells, fit, line

    shown = line(text, limit=None if limit is None else max(limit, 1) * 2)
    return shown if limit is None or cells(shown) <= limit else fit(shown, limit)


def _align(column: int, right: tuple[int, ...]) -> Align:
    return "right" if column in right else "left"


def _put(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    # Or what the disk refuses is noticed when it is too late to say that it is missing.
    sys.stdout.buffer.flush()


def _guarded(call: Callable[[Any], object], value: object, then: str = ONLY_LOST) -> None:
    try:
        call(value)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadInput(f"the answer can't be written: {error.strerror}", then) from error
