"""`docs/format.md` says what the code does: its vectors and its operations."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from state.journal import head as heads
from state.journal import identity
from state.journal.catalogue import OPERATIONS
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.line import check, encode
from state.journal.operations import ProjectCreated
from state.journal.shapes import misfit, operation_class
from state.journal.verify import verify
from state.messages.operations import MessagePosted
from state.paths import Paths
from state.roster.operations import SeatAdded
from tests.state.journal_support import append, made
from tests.support import ROOT

PAGE = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
PROJECT = "0123456789abcdef0123456789abcdef"
CREATED = "2026-11-30T10:00:00.000000+00:00"

WORDS = {str: "text", int: "number", bool: "true or false", NoneType: "null"}


def block(name: str) -> bytes:
    """What stands in the page under that name, with its line feed."""
    found = re.findall(rf"^```text {re.escape(name)}\n(.*\n)```$", PAGE, re.MULTILINE)
    assert len(found) == 1, name
    return str(found[0]).encode()


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


@pytest.mark.parametrize("name", ["FORMAT", "line 1", "line 2"])
def test_the_hashes_of_the_page_are_those_of_its_bytes(name: str) -> None:
    assert block(f"sha256 of {name}").decode().strip() == digest(block(name))


def test_the_page_can_be_checked_with_nothing_but_sha256() -> None:
    before = digest(block("FORMAT"))
    for rev in (1, 2):
        raw = block(f"line {rev}")
        assert f'"prev":"{before}"'.encode() in raw
        assert raw[-27:] == f',"sum":"{digest(raw[:-27])[:16]}"}}\n'.encode()
        before = digest(raw)
    slot = block("slot 0 of HEAD")
    assert f'"hash":"{before}"'.encode() in slot
    assert slot[-27:] == f',"sum":"{digest(slot[:-27])[:16]}"}}\n'.encode()
    assert f'"req":"{digest(b"codex" + bytes([10]) + b"first")[:32]}"'.encode() in block("line 2")


def test_the_program_writes_the_bytes_of_the_page() -> None:
    raw = identity.encode(PROJECT, CREATED)
    assert raw == block("FORMAT")
    one = encode(
        rev=1,
        prev=digest(raw),
        ts=CREATED,
        seat="user",
        via="tty",
        req="0" * 31 + "1",
        guards={},
        ops=[
            ProjectCreated(PROJECT, "shop"),
            SeatAdded("user", "user", "you", "", ()),
            SeatAdded("codex", "agent", "codex", "codex", ("reviewer",)),
        ],
    )
    assert one == block("line 1")
    asked = MessagePosted(
        sender="codex",
        to=("user",),
        addressing="direct",
        kind="question",
        title="merge the two crawlers? ✓",
        body="één\ntwee \x1b[31m",
        reply_to=None,
        refs=(),
        urgency="normal",
        hops=1,
    )
    two = encode(
        rev=2,
        prev=digest(one),
        ts="2026-11-30T10:04:12.123456+00:00",
        seat="codex",
        via="cli",
        req=digest(b"codex\nfirst")[:32],
        guards={},
        ops=[asked],
    )
    assert two == block("line 2")
    end = len(one) + len(two)
    slot = heads.encode(Head(PROJECT, 2, 2, 1, len(one), end, digest(two)))
    assert slot == block("slot 0 of HEAD").ljust(512)
    assert f"Line 1, {len(one)} bytes" in PAGE
    assert f"Line 2, {len(two)} bytes" in PAGE


def test_the_program_reads_the_bytes_of_the_page(tmp_path: Path) -> None:
    paths = project_of_the_page(tmp_path)
    journal = Journal(paths)
    try:
        report = verify(journal, deep=True)
        assert (report.ok, report.lines, report.findings) == (True, 2, ())
        raw = block("line 2")
        line = check(raw, rev=2, prev=digest(block("line 1")), segment=1, offset=0)
        assert line.ops[0]["title"] == "merge the two crawlers? ✓"
        assert append(journal).rev == 3
    finally:
        journal.close()


def project_of_the_page(folder: Path) -> Paths:
    paths = made(folder)
    Path(paths.format).write_bytes(block("FORMAT"))
    Path(paths.segment(1)).write_bytes(block("line 1") + block("line 2"))
    slot = block("slot 0 of HEAD").ljust(512)
    Path(paths.head).write_bytes(slot + bytes(8192 - 512))
    return paths


# The operations.


def tables() -> dict[str, list[tuple[str, str]]]:
    """Each table of the page under a heading in code letters: name -> (field, type)."""
    found: dict[str, list[tuple[str, str]]] = {}
    name = ""
    for line in PAGE.splitlines():
        heading = re.fullmatch(r"### `(\w+)`", line)
        if heading:
            name = heading[1]
            found[name] = []
        elif line.startswith("#"):
            name = ""
        row = re.fullmatch(r"\| `(\w+)` \| ([^|]+) \| ?([^|]*)\|", line)
        if name and row:
            found[name].append((row[1], row[2]))
    return found


def in_words(kind: Any) -> str:
    if kind in WORDS:
        return WORDS[kind]
    if isinstance(kind, UnionType):
        return " or ".join(in_words(part) for part in get_args(kind))
    if get_origin(kind) is tuple:
        first, second = get_args(kind)
        if second is Ellipsis:
            return f"list of {in_words(first)}"
        assert (first, second) == (int, int)
        return "pairs of numbers"
    assert is_dataclass(kind)
    assert isinstance(kind, type)
    return kind.__name__


def shape(kind: type) -> list[tuple[str, str]]:
    hints = get_type_hints(kind)
    return [
        (one.name, in_words(hints[one.name]) if one.init else f"`{one.default}`")
        for one in fields(kind)
        if one.name != "op"
    ]


def inside(kind: Any) -> set[type]:
    """The dataclasses that stand inside an operation."""
    found: set[type] = set()
    for part in get_args(kind):
        found |= inside(part)
    if isinstance(kind, type) and is_dataclass(kind):
        found.add(kind)
        for hint in get_type_hints(kind).values():
            found |= inside(hint)
    return found


def test_the_page_lists_every_operation_with_its_fields_and_types() -> None:
    expected = {name: shape(operation_class(name)) for name in OPERATIONS}
    objects = {one for name in OPERATIONS for one in inside(operation_class(name))}
    objects -= {operation_class(name) for name in OPERATIONS}
    expected |= {one.__name__: shape(one) for one in objects}
    assert tables() == expected


def test_the_closed_list_gives_each_operation_its_own_class() -> None:
    for name in OPERATIONS:
        first = fields(operation_class(name))[0]
        assert (first.name, first.default, first.init) == ("op", name, False)
    classes = [operation_class(name) for name in OPERATIONS]
    assert len(set(classes)) == len(classes)


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_without_its_fields_is_no_operation(name: str) -> None:
    assert "type" in misfit({"op": name})
