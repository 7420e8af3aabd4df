"""Columns of a list and how wide each is at a given width. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

GAP = 1


class Column(NamedTuple):
    """One column: `title` for the header, widths in cells.

    It takes at least `least` cells, and of what is left over a share in proportion to `flex`, up
    to `most`. Where not all columns fit, the one with the highest `priority` number goes first,
    of several the rightmost; the last one stays, however narrow. A list of fewer cells than
    `since` does without it from the start. What has no room in it is cut in the `middle` where
    beginnings are alike, both names of a `pair` so; the program's own words are written as `short`
    has them instead.
    """

    title: str
    least: int
    flex: int = 0
    most: int | None = None
    priority: int = 0
    align: Literal["left", "right"] = "left"
    since: int = 0
    cut: Literal["end", "middle", "pair"] = "end"
    short: Mapping[str, str] = MappingProxyType({})


def numbered(columns: Sequence[Column], newest: int) -> tuple[Column, ...]:
    """The columns, the first with room for a sign and a number up to the newest, and no more."""
    first = columns[0]
    return (first._replace(least=max(len(first.title), len(str(newest)) + 1)), *columns[1:])


def widths(columns: Sequence[Column], width: int) -> tuple[int, ...]:
    """The width of each column, 0 for those that have no room; with the gaps at most `width`."""
    shown = [index for index, column in enumerate(columns) if column.since <= max(width, 0)]
    while len(shown) > 1 and _needed(columns, shown) > width:
        shown.remove(max(shown, key=lambda index: (columns[index].priority, index)))
    given = [0] * len(columns)
    for index in shown:
        given[index] = columns[index].least
    if len(shown) == 1:
        given[shown[0]] = min(given[shown[0]], max(width, 0))
    _share(columns, shown, given, width - _needed(columns, shown))
    return tuple(given)


def _needed(columns: Sequence[Column], shown: Sequence[int]) -> int:
    return sum(columns[index].least for index in shown) + GAP * (len(shown) - 1)


def _share(columns: Sequence[Column], shown: Sequence[int], given: list[int], rest: int) -> None:
    """Give the rest out, column after column, so that each comes near its part of the whole."""
    while rest > 0:
        open_ = [index for index in shown if _room(columns[index], given[index])]
        if not open_:
            return
        total = sum(columns[index].flex for index in open_)
        before = rest
        for index in open_:
            column = columns[index]
            part = max(before * column.flex // total, 1)
            if column.most is not None:
                part = min(part, column.most - given[index])
            part = min(part, rest)
            given[index] += part
            rest -= part


def _room(column: Column, given: int) -> bool:
    return column.flex > 0 and (column.most is None or given < column.most)
