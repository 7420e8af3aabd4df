"""The bytes of one line: what can be one, and what is taken for one (faults 35 to 39)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.errors import BadInput, Damaged, NewerFormat
from state.journal.line import MAX_LINE, check, encode, is_sealed, seal
from state.journal.operations import Recovered
from state.journal.storable import MAX_INTEGER
from state.messages.operations import MessagePosted
from tests.state.journal_support import note

TS = "2026-11-30T10:00:00.123456+00:00"
PREV = "0" * 64


def line(ops: list[object] | None = None, **changed: Any) -> bytes:
    fields: dict[str, Any] = {
        "rev": 7,
        "prev": PREV,
        "ts": TS,
        "seat": "codex",
        "via": "cli",
        "req": "a" * 32,
        "guards": {},
        "ops": [note()] if ops is None else ops,
    }
    return encode(**{**fields, **changed})


def taken(raw: bytes, rev: int = 7, prev: str = PREV) -> Any:
    return check(raw, rev=rev, prev=prev, segment=1, offset=40)


def resealed(raw: bytes, old: bytes, new: bytes) -> bytes:
    """A line with something else in it and a sum that is right all the same."""
    assert old in raw
    return seal(raw[:-27].replace(old, new, 1))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


@given(title=texts, body=texts, refs=st.lists(texts, max_size=3), hops=st.integers(0, MAX_INTEGER))
def test_what_is_written_is_read(title: str, body: str, refs: list[str], hops: int) -> None:
    told = MessagePosted(
        "codex", ("user",), "direct", "note", title, body, None, tuple(refs), "normal", hops
    )
    raw = line([told])
    assert raw.count(b"\n") == 1
    found = taken(raw)
    assert found.ops == [orjson.loads(orjson.dumps(told))]
    assert found.hash == sha256(raw).hexdigest()
    assert (found.rev, found.offset, found.size) == (7, 40, len(raw))


def test_the_trailer_is_the_sum_of_what_stands_before_it() -> None:
    raw = line()
    expected = sha256(raw[:-27]).hexdigest()[:16]
    assert raw[-27:] == b',"sum":"' + expected.encode() + b'"}\n'


@pytest.mark.parametrize("text", ["\n", "\r", "\u2028", "\0", "\x1b[31m", "\u202e", "\x85", "\t"])
def test_any_text_stays_in_one_line(text: str) -> None:
    raw = line([note(f"a{text}b", f"c{text}d")])
    assert raw.count(b"\n") == 1
    assert raw.endswith(b"\n")
    assert b"\r" not in raw
    assert taken(raw).ops[0]["body"] == f"c{text}d"


@dataclass(frozen=True, slots=True)
class Odd:
    """An operation with a field of any kind."""

    op: str = field(default="seat_away", init=False)
    strange: object


def nested(levels: int) -> object:
    value: object = "deep"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        2**53,
        -(2**53),
        2**64,
        2**70,
        math.nan,
        math.inf,
        1.0,
        b"bytes",
        "lone \ud800 surrogate",
        {"key": 2**64},
        {1: "a"},
        {"\udfff": 1},
        nested(33),
        nested(300),
        nested(100_000),
        object(),
    ],
    ids=lambda value: f"{type(value).__name__}-{str(value)[:12]}" if type(value) is int else None,
)
def test_what_json_would_bend_is_refused_with_the_field_named(value: object) -> None:
    with pytest.raises(BadInput) as refused:
        line([Odd(value)])
    assert (refused.value.field or "").startswith("strange")


def test_the_limits_themselves_can_be_stored() -> None:
    raw = line([Odd([MAX_INTEGER, -MAX_INTEGER, nested(26)])])
    assert taken(raw).ops[0]["strange"][:2] == [MAX_INTEGER, -MAX_INTEGER]


@pytest.mark.parametrize(
    "changed",
    [
        {"ts": "2026-11-30T10:00:00.123456"},
        {"ts": "2026-11-30T10:00:60.123456+00:00"},
        {"ts": "2026-11-30T10:00:00.123456789+00:00"},
        {"ts": 1_796_000_000},
        {"via": "phone"},
        {"req": "A" * 32},
        {"req": "a" * 31},
        {"seat": ""},
        {"guards": {"roster": True}},
        {"guards": {"roster": "1"}},
        {"guards": {"roster": -1}},
        {"ops": []},
        {"ops": [{"op": "seat_hidden", "seat": "codex"}]},
    ],
    ids=str,
)
def test_a_line_that_no_reader_would_take_is_never_made(changed: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        line(**changed)


def test_a_line_has_a_limit() -> None:
    free = MAX_LINE - len(line([note(body="")]))
    assert len(line([note(body="x" * free)])) == MAX_LINE
    with pytest.raises(BadInput, match="65,537 bytes; the limit is 65,536"):
        line([note(body="x" * (free + 1))])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"v":1', b'"v":true', "does not begin"),
        (b'"v":1', b'"v":1.0', "does not begin"),
        (b'"rev":7', b'"rev":8', "says it is line 8"),
        (b'"rev":7', b'"rev":"7"', "does not begin"),
        (b'"rev":7', b'"rev":7,"rev":7', "does not begin"),
        (b'"prev":"0', b'"prev":"1', "does not follow"),
        (b"+00:00", b"+01:00", "a time"),
        (b'"via":"cli"', b'"via":"fax"', "who wrote it"),
        (b'"via":"cli"', b'"via":["cli"]', "who wrote it"),
        (b'"seat":"codex"', b'"seat":1', "who wrote it"),
        (b'"req":"a', b'"req":"g', "request id"),
        (b'"guards":{}', b'"guards":[]', "guards"),
        (b'"guards":{}', b'"guards":{"roster":true}', "guards"),
        (b'"guards":{}', b'"guards":{},"more":1', "other fields"),
        (b'"op":"message_posted"', b'"op":7', "without a name"),
        (b'"guards":{}', b'"guards":{', "JSON object"),
    ],
    ids=repr,
)
def test_a_record_that_is_no_line_is_damage_with_its_place(
    old: bytes, new: bytes, why: str
) -> None:
    raw = resealed(line(), old, new)
    assert is_sealed(raw)
    with pytest.raises(Damaged, match=why) as found:
        taken(raw)
    assert (found.value.rev, found.value.segment, found.value.offset) == (7, 1, 40)


@pytest.mark.parametrize("ops", [b'"ops":{}', b'"ops":[]', b'"ops":"x"', b'"ops":["x"]'])
def test_operations_are_a_list_of_objects(ops: bytes) -> None:
    raw = line()
    start, end = raw.index(b'"ops":['), len(raw) - 27
    with pytest.raises(Damaged, match="operation"):
        taken(seal(raw[:start] + ops + raw[end:-27]))


@given(at=st.integers(0, len(line()) - 1), bit=st.integers(0, 7))
def test_any_flipped_bit_is_seen(at: int, bit: int) -> None:
    raw = bytearray(line())
    raw[at] ^= 1 << bit
    with pytest.raises(Damaged):
        taken(bytes(raw))


@pytest.mark.parametrize("raw", [b"", b"\n", b"{}\n", b"hello\n", b'{"v":1}\n', line()[:-1]])
def test_other_bytes_are_no_line(raw: bytes) -> None:
    assert not is_sealed(raw)
    with pytest.raises(Damaged):
        taken(raw)


def test_a_line_that_nests_too_deep_for_any_parser_is_damage() -> None:
    raw = line()
    deep = b"[" * 100_000 + b"]" * 100_000
    with pytest.raises(Damaged, match="longer"):
        taken(resealed(raw, b'"guards":{}', b'"guards":' + deep))
    deep = b"[" * 20_000 + b"]" * 20_000
    with pytest.raises(Damaged, match="JSON"):
        taken(resealed(raw, b'"guards":{}', b'"guards":' + deep))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"v":1', b'"v":2'),
        (b'"op":"message_posted"', b'"op":"message_sung"'),
        (b'{"v":1,"rev":7', b'{"v":3,"lane":1,"rev":9'),
    ],
)
def test_what_a_newer_program_wrote_stops_the_reader(old: bytes, new: bytes) -> None:
    with pytest.raises(NewerFormat, match="a newer program is needed"):
        taken(resealed(line(), old, new))


def test_a_later_segment_opens_with_its_own_number() -> None:
    plain = line([Recovered("torn-1-a", 1, "0" * 64, 1, 1)])
    with pytest.raises(Damaged, match="does not open segment 2"):
        check(plain, rev=7, prev=PREV, segment=2, offset=0)
    assert check(plain, rev=7, prev=PREV, segment=1, offset=0).rev == 7
