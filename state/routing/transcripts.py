"""Uses of skills found after the fact in a transcript of a host: read line by line, as bytes (S11).

The file is only read, as far as it reaches when it is opened; what can't be read is counted.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, Any, Protocol

import orjson

from state import checks, files
from state.errors import BadInput
from state.routing.events import TRANSCRIPT, Event
from state.routing.hooks.claude_lines import ClaudeLines
from state.routing.hooks.codex_lines import CodexLines
from state.routing.hooks.found import Found, Place
from state.routing.hooks.seen import ident
from state.routing.recording import events_of
from state.routing.roots import Root

# A longer line is passed over, and counted.
LINE_LIMIT = 32 * 1024 * 1024
# So many events fit into one line of the journal.
AT_ONCE = 16


class Lines(Protocol):
    """What reads the lines of one host; `left_out` counts names that were not taken."""

    host: str
    left_out: int

    def take(self, line: dict[str, Any], place: Place) -> None: ...

    def found(self) -> Iterator[Found]: ...


@dataclass(frozen=True, slots=True)
class Transcript:
    """What stands in a transcript. `host` is None where no line is one of a host that is known.

    `unreadable` lines are no JSON objects, `too_long` ones were not looked at, `left_out` counts
    names that were not taken. `sha256` is that of its first `bytes` bytes.
    """

    path: str
    host: str | None
    found: tuple[Found, ...]
    lines: int
    unreadable: int
    too_long: int
    left_out: int
    bytes: int
    sha256: str


def read(path: str, home: str) -> Transcript:
    """Reads a transcript. BadInput for what is no plain file that can be read."""
    whole = os.path.abspath(path)
    try:
        fd = files.open_foreign(whole)
    except (OSError, ValueError) as error:
        raise _unfit() from error
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise _unfit()
        return so_far(whole, fd, found.st_size, home)
    except OSError as error:
        raise _unfit() from error
    finally:
        os.close(fd)


def so_far(path: str, fd: int, size: int, home: str) -> Transcript:
    """Reads the first `size` bytes of an open transcript; its OSError comes through."""
    with open(fd, "rb", closefd=False) as file:
        file.seek(0)
        return _read(path, file, size, home)


def entry_sha256(line: bytes) -> str:
    """The hash that names an entry: of its line without the line feed."""
    return sha256(line.removesuffix(b"\n")).hexdigest()


def events(
    transcript: Transcript, *, seat: str, fingerprint: str, roots: Iterable[Root], now: str
) -> tuple[Event, ...]:
    """What the transcript proves, as events of a seat; `now` stands where a line tells no time.

    What several lines say alike is given once, by the first of them.
    """
    if transcript.host is None:
        return ()
    listed = tuple(roots)
    once: dict[tuple[str, str | None, str], Event] = {}
    for one in transcript.found:
        for event in events_of(
            one.seen,
            host=transcript.host,
            seat=seat,
            fingerprint=fingerprint,
            roots=listed,
            source=TRANSCRIPT,
            at=one.place.at or now,
            file=(transcript.path, transcript.sha256),
            line=(one.place.offset, one.place.sha256),
        ):
            once.setdefault((event.request, event.skill, event.kind), event)
    return tuple(once.values())


def _read(path: str, file: IO[bytes], size: int, home: str) -> Transcript:
    session = _session(path)
    reader: Lines | None = None
    digest, at, lines, unreadable, too_long = sha256(), 0, 0, 0, 0
    while at < size:
        raw = file.readline(min(LINE_LIMIT, size - at))
        if not raw:
            break
        digest.update(raw)
        start, at = at, at + len(raw)
        lines += 1
        if not raw.endswith(b"\n") and at < size:
            too_long += 1
            at += _skip(file, size - at, digest)
            continue
        line = _object(raw)
        if line is None:
            unreadable += bool(raw.strip())
            continue
        if reader is None:
            reader = reader_of(line, session, home)
        if reader is not None:
            reader.take(line, Place(start, entry_sha256(raw), _moment(line.get("timestamp"))))
    found = () if reader is None else tuple(reader.found())
    host, left_out = (None, 0) if reader is None else (reader.host, reader.left_out)
    counts = (lines, unreadable, too_long, left_out)
    return Transcript(path, host, found, *counts, at, digest.hexdigest())


def _skip(file: IO[bytes], most: int, digest: Any) -> int:
    """Goes to the end of a line that is too long; how many bytes that were."""
    done = 0
    while done < most:
        raw = file.readline(min(1 << 20, most - done))
        digest.update(raw)
        done += len(raw)
        if not raw or raw.endswith(b"\n"):
            break
    return done


def reader_of(line: dict[str, Any], session: str, home: str) -> Lines | None:
    """Whose line it is, by its shape alone; None for one that could be anybody's."""
    kind = line.get("type")
    if not isinstance(kind, str):
        return None
    if isinstance(line.get("payload"), dict) or kind.startswith(("thread.", "turn.", "item.")):
        return CodexLines(session, home)
    if isinstance(line.get("message"), dict) or kind in ("attachment", "summary", "system"):
        return ClaudeLines(session, home)
    return None


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        line = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return line if isinstance(line, dict) else None


def _moment(value: object) -> str | None:
    try:
        return checks.moment(value, "timestamp")
    except BadInput:
        return None


def _session(path: str) -> str:
    """What a transcript is called, for hosts that name it after the session."""
    name = os.path.basename(path).rpartition(".")[0]
    return ident(name) or f"file-{sha256(os.fsencode(path)).hexdigest()[:16]}"


def _unfit() -> BadInput:
    return BadInput("the transcript can't be read", "name a plain file", field="transcript")
