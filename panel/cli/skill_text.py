"""What `skill` answers a person: rows, notes, duplicates, and what was read and what was not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from panel.cli import output
from panel.present import ages
from panel.words import skills as words
from state.routing.duplicates import once
from state.routing.inventory import Inventory, RootRead, Skill
from state.routing.notes import shown_path
from state.routing.roots import Root

MOST_NAMES = 6
MOST_PATHS = 6
MOST_LEFT_OUT = 20


def inventory(found: Inventory) -> Iterator[str]:
    """The whole list: skills by root, what is odd, what is alike, and at the end the totals."""
    for been in found.roots:
        rows = [one for one in found.skills if one.root is been.root]
        if rows:
            yield output.heading(_line(_root(been)))
            yield from _rows(rows, been.real)
            yield ""
    yield from _notes(found.skills)
    yield from _duplicates(found)
    yield from _totals(found)


def skill(one: Skill) -> Iterator[str]:
    """Everything about one skill."""
    yield output.heading(_line(f"{one.name} · {words.status(one)}"))
    yield _line(f"  file     {shown_path(one.path)}")
    yield f"  sha256   {one.sha256 or 'not known'} ({ages.size(one.size)})"
    yield _line(
        f"  root     {shown_path(one.root.path)} ({words.whose(one.root.scope, one.root.reader)})"
    )
    if one.description:
        yield _line(f"  says     {one.description.strip()}")
    for host, answer in one.loads.items():
        yield f"  loads    {host}: {words.LOADS[answer]}"
    if not one.loads:
        yield f"  loads    {words.NO_HOST}"
    for note in one.problems:
        yield _line(f"  note     {words.problem(note)}")
    for group in one.duplicates:
        count = len(group.rows) - 1
        yield _line(f"  alike    {words.ALIKE[group.by, group.same_bytes]}: {count:,} more")
    yield from profile(one)


def profile(one: Skill) -> Iterator[str]:
    """What the profile says, or each reason for which it is refused (S3)."""
    for found in one.profile_problems:
        place = f"{found.field}: " if found.field else ""
        yield _line(f"  refused  {place}{found.what}")
        if found.hint:
            yield _line(f"           {found.hint}")
    told = one.profile
    if told is None:
        if not one.profile_problems:
            yield f"  profile  {words.NO_PROFILE}"
        return
    weights = ", ".join(f"{feature} {weight}" for feature, weight in told.features)
    yield _line(f"  profile  version {told.profile_version}, {told.vocabulary}: {weights}")
    for name in ("excludes", "platforms", "requires"):
        values: tuple[str, ...] = getattr(told, name)
        if values:
            yield _line(f"  {name:<9}{', '.join(values)}")
    if told.promoted_from is not None:
        come = told.promoted_from
        yield _line(f"  promoted from {come.candidate}, by the decision {come.decision}")


def checked(skills: Sequence[Skill]) -> Iterator[str]:
    """The answer of a check: each skill that has a profile or is unfit, then how many there are."""
    for one in skills:
        if len(skills) == 1 or one.is_unfit or one.profile is not None:
            yield output.heading(_line(f"{one.name} · {words.status(one)}"))
            yield _line(f"  file     {shown_path(one.path)}")
            for note in one.problems:
                yield _line(f"  note     {words.problem(note)}")
            yield from profile(one)
    yield _statuses(skills)


def roots_table(listed: Iterable[tuple[Root, str]]) -> Iterator[str]:
    """The folders in which skills are looked for, and whether they are there."""
    rows = [
        (shown_path(root.path), words.whose(root.scope, root.reader), words.ROOTS[state])
        for root, state in listed
    ]
    yield from output.table(("root", "whose", ""), rows, keep=(2,))
    yield words.READ_ONLY


def _rows(rows: Sequence[Skill], real: str) -> list[str]:
    heads = ("skill", "profile", "what is odd", "folder")
    start = len(real) + 1
    return output.table(
        heads,
        [
            (one.name, words.status(one), words.notes(one), shown_path(one.folder[start:]) or ".")
            for one in rows
        ],
        keep=(1,),
    )


def _notes(skills: Sequence[Skill]) -> Iterator[str]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in skills:
        for note in one.problems:
            found[note.code].append(one.name)
    if not found:
        return
    yield output.heading("What is odd")
    for code, said in words.PROBLEMS.items():
        if code in found:
            yield f"  {len(found[code]):>5,}  {said.sentence}"
            yield _line(f"         {_first(found[code], MOST_NAMES)}")
    yield ""


def _duplicates(found: Inventory) -> Iterator[str]:
    groups = once(found.groups)
    if not groups:
        return
    yield output.heading("Alike")
    for kind, title in words.ALIKE.items():
        of_kind = [group for group in groups if (group.by, group.same_bytes) == kind]
        if of_kind:
            yield f"  {len(of_kind):>5,}  {title}"
        for group in of_kind:
            listed = [found.skills[row] for row in group.rows]
            yield _line(f"         {_first(dict.fromkeys(one.name for one in listed), MOST_NAMES)}")
            for one in listed[:MOST_PATHS]:
                yield _line(f"           {shown_path(one.folder)}")
            if len(listed) > MOST_PATHS:
                yield f"           and {len(listed) - MOST_PATHS:,} more"
    yield ""


def _totals(found: Inventory) -> Iterator[str]:
    yield output.heading("What the list covers")
    yield f"  {_statuses(found.skills)}"
    for said in covered(found):
        yield _line(f"  {said}")
    for one in found.left_out[:MOST_LEFT_OUT]:
        detail = f" ({one.detail})" if one.detail else ""
        yield _line(f"    {words.SKIPS[one.why].short}: {one.path}{detail}")
    rest = sum(found.skipped.values()) - min(len(found.left_out), MOST_LEFT_OUT)
    if rest:
        yield f"    and {rest:,} more"


def covered(found: Inventory) -> Iterator[str]:
    """S13: which roots were read, how many folders, how many were left out and why."""
    yield from map(_root, found.roots)
    yield f"{found.folders:,} folders; {_skipped(found)}"


def _skipped(found: Inventory) -> str:
    if not found.skipped:
        return words.NOTHING_SKIPPED
    said = [f"{count:,} {words.SKIPS[why].short}" for why, count in found.skipped.items()]
    return f"{sum(found.skipped.values()):,} left out: {', '.join(said)}"


def _statuses(skills: Sequence[Skill]) -> str:
    counts = Counter(one.status for one in skills)
    said = [f"{counts[name]:,} {sign.word}" for name, sign in words.STATUSES.items()]
    return f"{_count(len(skills))}: {', '.join(said)}"


def _root(been: RootRead) -> str:
    whose = words.whose(been.root.scope, been.root.reader)
    what = _count(been.skills) if been.skills else words.ROOTS[been.state]
    return f"{what}: {shown_path(been.root.path)} ({whose})"


def _count(skills: int) -> str:
    return f"{skills:,} skill{'' if skills == 1 else 's'}"


def _first(names: Iterable[str], most: int) -> str:
    listed = list(names)
    rest = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def _line(text: str) -> str:
    return output.fit_free(text, output.width())
