"""Reads a Claude Code team folder: its members and what stands in its inboxes.

The host rewrites these files while it works and removes the folder when it ends. So everything is
read leniently: what can't be taken is named and left out, unknown fields are not looked at. The
folder is never written, locked or touched: files are opened for reading only, through no link, and
where the system allows it without moving their time of access.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from state import checks, files
from state.errors import BadInput
from state.importing.elements import elements, whole
from state.importing.fields import moment, short

TOOL = "claude-code"
CONFIG = "config.json"
INBOXES = "inboxes"
SUFFIX = ".json"
FILE_LIMIT = 64 * 1024 * 1024
ENTRIES_LIMIT = 10_000
MEMBERS_LIMIT = 200
SUMMARY_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class Member:
    """One who takes part: the name that inboxes go by, and what kind of agent it is said to be."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One message as it stands at `position` (from 0) in an inbox; `read` is the host's claim.

    `sha256` is that of the entry's bytes as they stand in the file, from brace to brace.
    """

    inbox: str
    position: int
    sender: str
    text: str
    summary: str
    time: str
    read: bool | None
    sha256: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What was left out, where it stands (`position` None: the whole file), and why."""

    file: str
    position: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Team:
    """What was read. Entries are in the order of their time."""

    name: str
    members: tuple[Member, ...]
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]


def read_team(folder: str) -> Team:
    """The team in a folder. BadInput when there is none: neither members nor inboxes."""
    root = os.path.realpath(folder)
    problems: list[Problem] = []
    inboxes = _inboxes(root)
    config = _config(root, problems)
    if config is None and inboxes is None:
        raise BadInput(
            f"{folder} is no Claude Code team",
            f"name the folder that holds {CONFIG} and {INBOXES}/",
            field="dir",
        )
    fields = config or {}
    name = short(fields.get("name")) or _shown(os.path.basename(root)) or "team"
    members = tuple(_members(fields.get("members"), problems))
    entries = [entry for inbox in inboxes or () for entry in _entries(root, inbox, problems)]
    entries.sort(key=lambda entry: (entry.time, entry.inbox, entry.position))
    return Team(name, members, tuple(entries), tuple(problems))


def _config(root: str, problems: list[Problem]) -> Mapping[str, Any] | None:
    path = f"{root}/{CONFIG}"
    if not os.path.lexists(path):
        return None
    text = _text(path, CONFIG, problems)
    if text is None:
        return {}
    try:
        found = whole(text)
    except ValueError as error:
        problems.append(Problem(CONFIG, None, f"not JSON: {error}"))
        return {}
    if not isinstance(found, dict):
        problems.append(Problem(CONFIG, None, "not an object"))
        return {}
    return found


def _members(given: object, problems: list[Problem]) -> Iterator[Member]:
    if given is None:
        return
    if not isinstance(given, list):
        problems.append(Problem(CONFIG, None, "members is not a list"))
        return
    names: set[str] = set()
    for place, member in enumerate(given):
        name = short(member.get("name")) if isinstance(member, dict) else ""
        if not name or not isinstance(member, dict):
            problems.append(Problem(CONFIG, place, "a member without a name that can be used"))
        elif len(names) == MEMBERS_LIMIT:
            problems.append(Problem(CONFIG, place, f"more than {MEMBERS_LIMIT} members"))
            return
        elif name not in names:
            names.add(name)
            yield Member(name, short(member.get("agentType")))


def _inboxes(root: str) -> list[str] | None:
    """Names of the files in the folder of inboxes, None when there is no such folder."""
    try:
        fd = files.open_foreign(f"{root}/{INBOXES}")
    except OSError:
        return None
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            return None
        return sorted(name for name in os.listdir(fd) if name.endswith(SUFFIX))
    finally:
        os.close(fd)


def _entries(root: str, file: str, problems: list[Problem]) -> Iterator[Entry]:
    shown = f"{INBOXES}/{_shown(file)}"
    text = _text(f"{root}/{INBOXES}/{file}", shown, problems)
    if text is None:
        return
    found = elements(text)
    for position in range(ENTRIES_LIMIT + 1):
        try:
            value, raw = next(found)
        except StopIteration:
            return
        except ValueError as error:
            rest = "; the rest is left out" if position else ""
            problems.append(Problem(shown, position or None, f"{error}{rest}"))
            return
        if position == ENTRIES_LIMIT:
            why = f"more than {ENTRIES_LIMIT:,} entries; the rest is left out"
            problems.append(Problem(shown, position, why))
            return
        try:
            yield _entry(_shown(file.removesuffix(SUFFIX)), position, value, raw)
        except BadInput as error:
            problems.append(Problem(shown, position, error.message))


def _entry(inbox: str, position: int, value: object, raw: str) -> Entry:
    if not isinstance(value, dict):
        raise BadInput("not an object")
    text, sender, read = value.get("text"), short(value.get("from")), value.get("read")
    if not isinstance(text, str):
        raise BadInput("no text")
    if not sender:
        raise BadInput("no sender that can be used")
    summary = value.get("summary")
    return Entry(
        inbox=inbox,
        position=position,
        sender=sender,
        text=checks.body(text),
        summary=checks.text(summary, "summary")[:SUMMARY_LIMIT] if summary else "",
        time=moment(value.get("timestamp")),
        read=read if isinstance(read, bool) else None,
        sha256=sha256(raw.encode()).hexdigest(),
    )


def _text(path: str, shown: str, problems: list[Problem]) -> str | None:
    """A whole file as text; None, and why, for what can't be taken."""
    try:
        fd = files.open_foreign(path)
    except OSError as error:
        problems.append(Problem(shown, None, f"can't be opened: {error.strerror}"))
        return None
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            problems.append(Problem(shown, None, "no regular file"))
        elif found.st_size > FILE_LIMIT:
            why = f"{found.st_size:,} bytes; the limit is {FILE_LIMIT:,}"
            problems.append(Problem(shown, None, why))
        else:
            return files.pread_exact(fd, FILE_LIMIT, 0).decode("utf-8-sig")
    except OSError as error:
        problems.append(Problem(shown, None, f"can't be read: {error.strerror}"))
    except UnicodeDecodeError as error:
        problems.append(Problem(shown, None, f"not UTF-8 at offset {error.start}"))
    finally:
        os.close(fd)
    return None


def _shown(name: str) -> str:
    """A file's name as text that can be stored, whatever bytes it is made of."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
