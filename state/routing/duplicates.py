"""Skills that share a name, their bytes, or a name that only looks different. Pure (S13).

Only equal bytes are called the same; nothing here says which one is right.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

NAME, BYTES, FOLDED = "name", "bytes", "folded"


class Group(NamedTuple):
    """Skills that are alike in one way, by the places of their rows, at least two.

    `value` is the name they share, the sha256, or what their different names are folded to.
    `same_bytes`: all of them are the same file, byte for byte.
    """

    by: str
    value: str
    rows: tuple[int, ...]
    same_bytes: bool


def groups(named: Sequence[tuple[str, str | None]]) -> tuple[Group, ...]:
    """The groups among rows, each given by its name (empty: it has none) and its sha256."""
    names: dict[str, list[int]] = defaultdict(list)
    digests: dict[str, list[int]] = defaultdict(list)
    for row, (name, digest) in enumerate(named):
        if name:
            names[name].append(row)
        if digest is not None:
            digests[digest].append(row)
    folded: dict[str, list[str]] = defaultdict(list)
    for name in names:
        folded[fold(name)].append(name)
    found = [
        Group(NAME, name, tuple(rows), _same(named, rows))
        for name, rows in names.items()
        if len(rows) > 1
    ]
    found += [Group(BYTES, value, tuple(r), True) for value, r in digests.items() if len(r) > 1]
    for spelt in folded.values():
        if len(spelt) > 1:
            rows = sorted(row for name in spelt for row in names[name])
            found.append(Group(FOLDED, fold(spelt[0]), tuple(rows), _same(named, rows)))
    return tuple(found)


def by_row(found: Iterable[Group]) -> Mapping[int, tuple[Group, ...]]:
    """The groups of each row that is in one."""
    listed: dict[int, list[Group]] = defaultdict(list)
    for group in found:
        for row in group.rows:
            listed[row].append(group)
    return {row: tuple(those) for row, those in listed.items()}


def once(found: Sequence[Group]) -> Sequence[Group]:
    """Groups without those of equal bytes whose skills share a name too: it is said with that."""
    named = {group.rows for group in found if group.by != BYTES}
    return [group for group in found if group.by != BYTES or group.rows not in named]


def fold(name: str) -> str:
    """A name as two that look alike share it: compatibility forms and case made one."""
    if name.isascii():
        return name.casefold()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _same(named: Sequence[tuple[str, str | None]], rows: Sequence[int]) -> bool:
    digests = {named[row][1] for row in rows}
    return len(digests) == 1 and None not in digests
