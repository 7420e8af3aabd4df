"""Any bytes of journal, HEAD and index changed: never a crash, never a wrong answer (faults 17-22).

What is allowed: the same answers as before, or one of the named errors.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from state.command import Actor
from state.errors import CommitUnknown, NotCommitted, StateError, Unsound
from state.index.names import CODE
from state.index.view import View
from state.messages import queries
from state.messages.commands import Acknowledge, Post
from state.project import Project
from tests.faults.conftest import Tally
from tests.faults.project import made
from tests.faults.scale import scaled
from tests.faults.states import Bytes, Place

ROUNDS = scaled(150, 4000)
USER, AGENT = Actor("user", "cli"), Actor("agent-0", "cli")
NAMED = {"damaged", "rolled_back", "replaced", "newer_format"}

Facts = dict[int, tuple[str, str | None]]


def facts(view: View) -> Facts:
    """Title and body of every message, the bodies from the lines themselves."""
    numbers = [number for (number,) in view.rows("SELECT id FROM message")]
    found = (queries.get(view, number, {}) for number in numbers)
    return {message.id: (message.title, message.body) for message in found}


def changed(chance: random.Random, data: bytes) -> bytes:
    """Bytes with one thing done to them that disks, editors and people do."""
    at = chance.randrange(len(data))
    span = chance.randrange(1, 600)
    kinds: list[Callable[[], bytes]] = [
        lambda: data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :],
        lambda: data[:at] + data[at + span :],
        lambda: data[:at] + bytes(min(span, len(data) - at)) + data[at + span :],
        lambda: data[:at] + chance.randbytes(span) + data[at:],
        lambda: data[:at],
        lambda: data + chance.randbytes(span),
        lambda: data + data[at:],
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: b"\xef\xbb\xbf" + data,
        lambda: _lines_changed(chance, data),
    ]
    return chance.choice(kinds)()


def _lines_changed(chance: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    what = chance.randrange(3)
    if what == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif what == 1:
        del lines[one]
    else:
        lines.insert(one, lines[other])
    return b"".join(lines)


@pytest.mark.parametrize("index", ["kept", "deleted"])
@pytest.mark.parametrize("part", ["log", "head", "both"])
def test_changed_bytes_are_named_or_harmless(
    real_disk: Path, tally: Tally, part: str, index: str
) -> None:
    place, before, anchor, known = _written(real_disk)
    chance = random.Random(f"{part}-{index}")
    for _ in range(ROUNDS // 6):
        log = changed(chance, before.log) if part != "head" else before.log
        head = changed(chance, before.head) if part != "log" else before.head
        place.put(Bytes(before.log, before.head), anchor, keep_index=index == "kept")
        if index == "kept":
            with Project(place.paths) as project, project.view():
                pass
        place.put(Bytes(log, head), anchor, keep_index=index == "kept")
        _ask(place, known)
        _write(place, known, both=part == "both")
    tally("mutations of journal and HEAD", ROUNDS // 6)


@pytest.mark.parametrize("kind", ["truncated", "foreign", "older", "changed", "empty"])
def test_any_index_gives_the_same_answers(real_disk: Path, tally: Tally, kind: str) -> None:
    place, before, anchor, _ = _written(real_disk)
    index = Path(place.paths.index(CODE))
    place.put(Bytes(before.log, before.head), anchor)
    with Project(place.paths) as project:
        with project.view():
            pass
        older = index.read_bytes()
        project.run(Post(("agent-0",), "one more"), USER)
        with project.view() as view:
            wanted = facts(view)
    chance = random.Random(kind)
    now = index.read_bytes()
    for _ in range(scaled(6, 60)):
        for side in index.parent.glob("index-*"):
            side.unlink()
        written = {
            "truncated": now[: chance.randrange(len(now))],
            "foreign": chance.randbytes(9000),
            "older": older,
            # The promise is made for a damaged header and for what SQLite itself refuses.
            "changed": chance.randbytes(100) + now[100:],
            "empty": b"",
        }[kind]
        index.write_bytes(written)
        with Project(place.paths) as project, project.view() as view:
            assert facts(view) == wanted
        with Project(place.paths) as project:
            done = project.run(Post(("agent-0",), "again"), USER)
            wanted[done.rev] = ("again", "")
            with project.view() as view:
                assert facts(view) == wanted
    tally("index files cut, changed, foreign, old or empty", scaled(6, 60))


def _written(real_disk: Path) -> tuple[Place, Bytes, bytes, Facts]:
    paths = made(real_disk / "project")
    with Project(paths) as project:
        for number in range(6):
            project.run(Post(("agent-0",), f"message {number}", "text " * number), USER)
        project.run(Acknowledge(2), AGENT)
        with project.view() as view:
            known = facts(view)
    place = Place(paths)
    return place, place.take(), place.take_anchor(), known


def _ask(place: Place, known: Facts) -> None:
    try:
        with Project(place.paths) as project:
            try:
                with project.view() as view:
                    told = facts(view)
            except Unsound:
                view, trouble = project.last_good()
                with view:
                    # Raises again where it is a single line that can't be read.
                    told = facts(view)
                    assert trouble is not None
    except Unsound as error:
        assert error.code in NAMED
        return
    assert all(known[number] == said for number, said in told.items())


def _write(place: Place, known: Facts, *, both: bool) -> None:
    log = place.take().log
    try:
        with Project(place.paths) as project:
            done = project.run(Post(("agent-0",), "after"), USER)
    except (Unsound, NotCommitted) as error:
        assert isinstance(error, NotCommitted) or error.code in NAMED
        # Refused: acknowledged bytes stay as they were found.
        assert place.take().log == log
        return
    except (CommitUnknown, StateError) as error:
        raise AssertionError(f"not a named error of a damaged journal: {error!r}") from error
    kept, now = place.quarantined(), place.take().log
    assert now.startswith(log[: len(log) - len(kept)])
    assert log.endswith(kept)
    # With HEAD and the end of the log lost at once only the anchor could tell, and it may lag.
    assert both or done.rev > max(known)
    with Project(place.paths) as project, project.view() as view:
        row = view.row("SELECT title FROM message WHERE id=?", done.rev)
    assert row == ("after",)
