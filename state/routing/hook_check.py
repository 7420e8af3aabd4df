"""Replays what hosts write and says what each piece proves (S2): pure reading, nothing is recorded.

Without a folder it takes the pieces made for this program from the hosts' documentation.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from state import files
from state.errors import BadInput
from state.routing.evidence import Fills, fills
from state.routing.hooks import event
from state.routing.hooks.found import Place
from state.routing.hooks.seen import CLAUDE_CODE, Seen
from state.routing.shipped import shipped
from state.routing.transcripts import read, reader_of

FILES_LIMIT = 1000
EVENTS_BYTES = 64 * 1024 * 1024
VERSION_LIMIT = 40
_CAPTURES = re.compile(r".+\.jsonl?")
HOOK, TRANSCRIPT = "hook", "transcript"
_PLACE = Place(0, "0" * 64, None)


@dataclass(frozen=True, slots=True)
class Piece:
    """One kind of evidence that was found: by which way, how often, and what it fills.

    `what` says what a shipped piece stands for; `as_expected` is None of a folder's.
    """

    what: str
    via: str
    kind: str | None
    skill: str | None
    count: int
    fills: Fills
    as_expected: bool | None


@dataclass(frozen=True, slots=True)
class HookCheck:
    """What a replay found. `notes` counts events that can't be taken, by the word of their note.

    `versions` are those of the host that the lines name, `folder` None for the shipped pieces.
    """

    host: str
    folder: str | None
    pieces: tuple[Piece, ...]
    files: int
    events: int
    lines: int
    unreadable: int
    notes: dict[str, int]
    versions: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether each shipped piece proves what it is to prove."""
        return all(piece.as_expected is not False for piece in self.pieces)


def of_shipped(host: str, home: str) -> HookCheck:
    """Replays the pieces that travel with the program."""
    pieces: list[Piece] = []
    events = lines = 0
    for one in shipped("hook_events")[host]:
        found = list(_replayed(host, one["via"], one["given"], home))
        as_expected = [seen.kind for seen in found] == one["expect"]
        events += len(one["given"]) if one["via"] == HOOK else 0
        lines += len(one["given"]) if one["via"] == TRANSCRIPT else 0
        seen = found[0] if found else Seen("")
        filled = fills(host, seen.kind)
        said = (one["what"], one["via"], seen.kind or None, seen.skill, len(found), filled)
        pieces.append(Piece(*said, as_expected))
    return HookCheck(host, None, tuple(pieces), 0, events, lines, 0, {}, ())


def of_folder(host: str, folder: str, home: str) -> HookCheck:
    """Replays every `.json` and `.jsonl` file of a folder. BadInput where there is none."""
    counts: dict[tuple[str, str], list[Seen]] = {}
    notes: dict[str, int] = {}
    versions: set[str] = set()
    events = lines = unreadable = 0
    paths = _files(folder)
    for path in paths:
        given, bad, rest = _events(path)
        unreadable += bad
        events += len(given)
        for raw in given:
            reading = event.read(host, raw, home)
            if reading.seen is not None:
                counts.setdefault((HOOK, reading.seen.kind), []).append(reading.seen)
            if reading.note is not None:
                notes[reading.note] = notes.get(reading.note, 0) + 1
        for line in rest:
            version = line.get("version")
            if isinstance(version, str) and version.isprintable() and len(version) < VERSION_LIMIT:
                versions.add(version)
        transcript = read(path, home)
        if rest and transcript.host == host:
            lines += len(rest)
            for one in transcript.found:
                counts.setdefault((TRANSCRIPT, one.seen.kind), []).append(one.seen)
    pieces = tuple(
        Piece("", via, kind, _one_skill(found), len(found), fills(host, kind), None)
        for (via, kind), found in sorted(counts.items())
    )
    named = tuple(sorted(versions)) if host == CLAUDE_CODE else ()
    return HookCheck(host, folder, pieces, len(paths), events, lines, unreadable, notes, named)


def _replayed(host: str, via: str, given: list[dict[str, Any]], home: str) -> Iterator[Seen]:
    if via == HOOK:
        for one in given:
            seen = event.read(host, orjson.dumps(one), home).seen
            if seen is not None:
                yield seen
        return
    reader = reader_of(given[0], "made", home)
    if reader is not None:
        for line in given:
            reader.take(line, _PLACE)
        yield from (one.seen for one in reader.found())


def _one_skill(found: Iterable[Seen]) -> str | None:
    """The skill, where all of them name the same one."""
    names = {seen.skill for seen in found}
    return names.pop() if len(names) == 1 else None


def _files(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            few = [one.path for one in islice(found, FILES_LIMIT) if one.is_file()]
    except (OSError, ValueError) as error:
        raise BadInput("the folder can't be read", "name a folder of captures") from error
    return sorted(filter(_CAPTURES.fullmatch, few))


def _events(path: str) -> tuple[list[bytes], int, list[dict[str, Any]]]:
    """The hook events in a file, how many lines are no objects, and the lines of something else."""
    try:
        raw = files.read_whole(os.path.abspath(path), EVENTS_BYTES)
    except OSError as error:
        raise BadInput("a file of the folder can't be read", "leave it out") from error
    events: list[bytes] = []
    rest: list[dict[str, Any]] = []
    bad = 0
    for line in _records(raw):
        try:
            found = orjson.loads(line)
        except orjson.JSONDecodeError:
            found = None
        if not isinstance(found, dict):
            bad += 1
        elif "hook_event_name" in found:
            events.append(line)
        else:
            rest.append(found)
    return events, bad, rest


def _records(raw: bytes) -> list[bytes]:
    """A file that is one JSON value as a whole, else its lines."""
    try:
        orjson.loads(raw)
    except orjson.JSONDecodeError:
        return [line for line in raw.splitlines() if line.strip()]
    return [raw]
