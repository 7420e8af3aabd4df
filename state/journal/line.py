"""The bytes of one line: encoding, the trailer, and the check that makes a record a whole line.

Hashes are always over the stored bytes; nothing is ever encoded again to be checked.
`docs/format.md` gives worked vectors.
"""

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from state.clock import TIMESTAMP
from state.errors import BadInput, Damaged, NewerFormat
from state.journal.catalogue import OPERATIONS
from state.journal.storable import MAX_INTEGER, check_storable

VERSION = 1
MAX_LINE = 64 * 1024
TRAILER = 27
KEYS = ["v", "rev", "prev", "ts", "seat", "via", "req", "guards", "ops", "sum"]
VIAS = frozenset({"tui", "tty", "cli", "hook", "import", "demo"})

_HEX64 = re.compile(r"[0-9a-f]{64}")
_HEX32 = re.compile(r"[0-9a-f]{32}")
_NAMED = re.compile(rb'\{"v":\d+,"rev":([1-9]\d{0,15}),"prev":"([0-9a-f]{64})","ts":"')
# The line itself and its list of operations are two levels around each operation.
_OPERATION_DEPTH = 3


class Line(NamedTuple):
    """One whole line and where it stands. `hash` is the sha256 of all its bytes, `\\n` included."""

    rev: int
    prev: str
    ts: str
    seat: str
    via: str
    req: str
    guards: dict[str, int]
    ops: list[dict[str, Any]]
    hash: str
    segment: int
    offset: int
    size: int


def seal(body: bytes) -> bytes:
    """The stored bytes of a JSON object given without its closing brace."""
    return body + _trailer(sha256(body).hexdigest())


def is_sealed(raw: bytes) -> bool:
    """Whether bytes are a whole record: they end in a trailer whose sum is that of the rest."""
    return raw.endswith(_trailer(sha256(raw[:-TRAILER]).hexdigest()))


def encode(
    *,
    rev: int,
    prev: str,
    ts: str,
    seat: str,
    via: str,
    req: str,
    guards: Mapping[str, int],
    ops: Sequence[object],
) -> bytes:
    """The bytes of a line. BadInput, naming the field, for what can't be stored or is too long."""
    for operation in ops:
        if getattr(operation, "op", None) not in OPERATIONS:
            raise BadInput(f"{type(operation).__name__} is no operation", field="ops")
    check_storable(ops, "ops", _OPERATION_DEPTH - 1)
    check_storable(dict(guards), "guards", _OPERATION_DEPTH - 1)
    fields = {
        "v": VERSION,
        "rev": rev,
        "prev": prev,
        "ts": ts,
        "seat": seat,
        "via": via,
        "req": req,
        "guards": dict(guards),
        "ops": ops,
    }
    what = _fault(fields)
    if what:
        raise BadInput(f"the line {what}", field="line")
    try:
        raw = seal(orjson.dumps(fields, option=orjson.OPT_STRICT_INTEGER)[:-1])
    except orjson.JSONEncodeError as error:
        raise BadInput(f"this can't be stored: {error}", field="line") from error
    if len(raw) > MAX_LINE:
        raise BadInput(
            f"the line would be {len(raw):,} bytes; the limit is {MAX_LINE:,}",
            "name fewer recipients or references in one command",
        )
    return raw


def chained(records: Sequence[bytes], rev: int, prev: str) -> list[str]:
    """The sha256 of each record, as far as they follow one after the other from line `rev` on.

    Each has a valid sum, its number and the hash of the one before it; the first names `prev`.
    Whether they parse, and what they say, is not looked at. Many at once cost half as much as one
    by one.
    """
    hashes: list[str] = []
    for raw in records:
        digest = sha256(raw[:-TRAILER])
        trailer = _trailer(digest.hexdigest())
        if len(raw) > MAX_LINE or not raw.endswith(trailer):
            break
        if not raw.startswith(beginning(rev, prev)):
            break
        digest.update(trailer)
        prev = digest.hexdigest()
        hashes.append(prev)
        rev += 1
    return hashes


def check(raw: bytes, *, rev: int, prev: str, segment: int, offset: int) -> Line:
    """The line in `raw`, which must be `rev` and chain to `prev`.

    Damaged with rev and offset when it isn't a whole line, NewerFormat when a newer program wrote
    it.
    """
    digest = next(iter(chained((raw,), rev, prev)), None)
    try:
        fields = orjson.loads(raw)
    except orjson.JSONDecodeError:
        fields = None
    what = _mismatch(raw, fields, rev) if digest is None else _misfit(fields, segment, offset)
    if what or digest is None:
        raise damaged(rev, segment, offset, what)
    for operation in fields["ops"]:
        if operation["op"] not in OPERATIONS:
            raise newer(rev, f"the operation {operation['op']!r}")
    return Line(
        rev,
        prev,
        fields["ts"],
        fields["seat"],
        fields["via"],
        fields["req"],
        fields["guards"],
        fields["ops"],
        digest,
        segment,
        offset,
        len(raw),
    )


def named_prev(raw: bytes) -> str:
    """The hash of the line before it that a record names; empty when it doesn't begin as one."""
    found = _NAMED.match(raw)
    return found[2].decode() if found else ""


def named_rev(raw: bytes) -> int | None:
    """The revision that a record names, None when it doesn't begin as one."""
    found = _NAMED.match(raw)
    return int(found[1]) if found else None


def damaged(rev: int, segment: int, offset: int, what: str) -> Damaged:
    """The error for line `rev`, which ought to stand there; `what` is the rest of a sentence."""
    return Damaged(
        f"line {rev} (segment {segment}, offset {offset}) {what}",
        "`sublation-panel doctor` says what can be done",
        rev=rev,
        segment=segment,
        offset=offset,
    )


def newer(rev: int | None, what: str) -> NewerFormat:
    """The one sentence about things that only a newer program knows."""
    where = "" if rev is None else f" (line {rev})"
    return NewerFormat(
        f"a newer program is needed: {what} is not known to this one{where}",
        "update sublation-panel; nothing was skipped and nothing was written",
        rev=rev,
    )


def is_hash(text: object) -> bool:
    """Whether a value is a lower-case hex sha256."""
    return isinstance(text, str) and _HEX64.fullmatch(text) is not None


def is_id(text: object) -> bool:
    """Whether a value is a project's or request's id: 32 lower-case hex digits."""
    return isinstance(text, str) and _HEX32.fullmatch(text) is not None


def _trailer(digest: str) -> bytes:
    return f',"sum":"{digest[:16]}"}}\n'.encode()


def beginning(rev: int, prev: str) -> bytes:
    """The bytes with which line `rev` begins when it chains to `prev`."""
    return f'{{"v":{VERSION},"rev":{rev},"prev":"{prev}","ts":"'.encode()


def editors_trace(raw: bytes) -> str:
    """What shows that a program saved bytes in its own way, as the end of a sentence about them."""
    if raw.startswith(codecs.BOM_UTF8):
        return ": a byte order mark was put before it"
    return ": its line end was changed to CR LF" if raw.endswith(b"\r\n") else ""


def _mismatch(raw: bytes, fields: Any, rev: int) -> str:
    """Why a record is not the line that must stand there. NewerFormat by its version."""
    if len(raw) > MAX_LINE:
        return f"is longer than {MAX_LINE:,} bytes"
    if not raw:
        return "is missing: nothing stands there"
    if not raw.endswith(b"\n"):
        return "has no end"
    if not is_sealed(raw):
        return f"does not match its own sum{editors_trace(raw)}"
    if not isinstance(fields, dict):
        return "is not a JSON object"
    version, said = fields.get("v"), fields.get("rev")
    if type(version) is int and version > VERSION:
        raise newer(rev, f"format version {version}")
    if type(said) is int and said != rev:
        return f"says it is line {said}"
    if raw.startswith(beginning(rev, "")[:-8]):
        return "does not follow from " + ("the line before it" if rev > 1 else "the file FORMAT")
    return "does not begin as a line of this format does"


def _misfit(fields: Any, segment: int, offset: int) -> str:
    """Why an object that chains is no line all the same, or an empty string."""
    if not isinstance(fields, dict):
        return "is not a JSON object"
    if list(fields) != KEYS:
        return "has other fields than a line has"
    what = _fault(fields)
    if what:
        return what
    ops = fields["ops"]
    if type(ops) is not list:
        return "has no list of operations"
    for op in ops:
        if type(op) is not dict or type(op.get("op")) is not str:
            return "has an operation without a name"
    if offset == 0 and segment > 1 and (ops[0]["op"], ops[0].get("number")) != ("segment", segment):
        return f"does not open segment {segment}"
    return ""


def _fault(fields: dict[str, Any]) -> str:
    ts, req, guards, via = fields["ts"], fields["req"], fields["guards"], fields["via"]
    if type(ts) is not str or TIMESTAMP.fullmatch(ts) is None:
        return "has a time that is not of the stored form"
    if type(req) is not str or _HEX32.fullmatch(req) is None:
        return "has no valid request id"
    if type(fields["seat"]) is not str or not fields["seat"]:
        return "does not say who wrote it"
    if type(via) is not str or via not in VIAS:
        return "does not say who wrote it"
    if type(guards) is not dict or (guards and not _are_revisions(guards.values())):
        return "has no valid guards"
    return "" if fields["ops"] else "has no operations"


def _are_revisions(values: Iterable[object]) -> bool:
    return all(type(value) is int and 0 <= value <= MAX_INTEGER for value in values)
