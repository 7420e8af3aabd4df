"""The bytes of one line: encoding, the trailer, and the check that makes a record a whole line.

Hashes are always over the stored bytes; nothing is ever encoded again to be checked.
`docs/format.md` gives worked vectors.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from state.clock import TIMESTAMP
from state.errors import BadInput, Damaged, NewerFormat
from state.journal.catalogue import OPERATIONS

VERSION = 1
MAX_LINE = 64 * 1024
MAX_INTEGER = 2**53 - 1
TRAILER = 27
KEYS = ["v", "rev", "prev", "ts", "seat", "via", "req", "guards", "ops", "sum"]
VIAS = frozenset({"tui", "tty", "cli", "hook", "import", "demo"})

_TRAILER = re.compile(rb',"sum":"([0-9a-f]{16})"\}\n')
_HEX64 = re.compile(r"[0-9a-f]{64}")
_HEX32 = re.compile(r"[0-9a-f]{32}")


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
    return body + b',"sum":"' + sha256(body).hexdigest()[:16].encode() + b'"}\n'


def is_sealed(raw: bytes) -> bool:
    """Whether bytes are a whole record: they end in a trailer whose sum is that of the rest."""
    found = _TRAILER.fullmatch(raw[-TRAILER:])
    if found is None:
        return False
    return sha256(raw[:-TRAILER]).hexdigest()[:16].encode() == found[1]


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
    """The bytes of a line. BadInput when it would pass the limit or holds what can't be stored."""
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
    try:
        raw = seal(orjson.dumps(fields, option=orjson.OPT_STRICT_INTEGER)[:-1])
    except orjson.JSONEncodeError as error:
        raise BadInput(f"this can't be stored: {error}", "give valid Unicode text") from error
    if len(raw) > MAX_LINE:
        raise BadInput(
            f"the line would be {len(raw):,} bytes; the limit is {MAX_LINE:,}",
            "name fewer recipients or references in one command",
        )
    return raw


def check(raw: bytes, *, rev: int, prev: str, segment: int, offset: int) -> Line:
    """The line in `raw`, which must be `rev` and chain to `prev`.

    Damaged with rev and offset when it isn't a whole line, NewerFormat when a newer program wrote
    it.
    """

    def damaged(what: str) -> Damaged:
        return Damaged(
            f"line {rev} (segment {segment}, offset {offset}) {what}",
            "`sublation-panel doctor` says what can be done",
            rev=rev,
            segment=segment,
            offset=offset,
        )

    found = _TRAILER.fullmatch(raw[-TRAILER:])
    if found is None:
        raise damaged("has no valid end")
    digest = sha256(raw[:-TRAILER])
    if digest.hexdigest()[:16].encode() != found[1]:
        raise damaged("does not match its own sum")
    digest.update(raw[-TRAILER:])
    try:
        fields = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise damaged("is not JSON") from error
    if not isinstance(fields, dict) or fields.get("v") != VERSION:
        version = fields.get("v") if isinstance(fields, dict) else None
        if isinstance(version, int) and version > VERSION:
            raise newer(rev, f"format version {version}")
        raise damaged("is not a line of this format")
    if list(fields) != KEYS:
        raise damaged("has other fields than a line has")
    if fields["rev"] != rev:
        raise damaged(f"says it is line {fields['rev']}")
    if fields["prev"] != prev:
        raise damaged("does not follow from the line before it")
    what = _fault(fields)
    if what:
        raise damaged(what)
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
        digest.hexdigest(),
        segment,
        offset,
        len(raw),
    )


def newer(rev: int | None, what: str) -> NewerFormat:
    """The one sentence about things that only a newer program knows."""
    where = "" if rev is None else f" (line {rev})"
    return NewerFormat(
        f"a newer program is needed: {what} is not known to this one{where}",
        "update sublation-panel; nothing was skipped and nothing was written",
        rev=rev,
    )


def _fault(fields: dict[str, Any]) -> str:
    if not (isinstance(fields["ts"], str) and TIMESTAMP.fullmatch(fields["ts"])):
        return "has a time that is not of the stored form"
    if not (isinstance(fields["req"], str) and _HEX32.fullmatch(fields["req"])):
        return "has no valid request id"
    if not (isinstance(fields["seat"], str) and fields["via"] in VIAS):
        return "does not say who wrote it"
    if not isinstance(fields["guards"], dict):
        return "has no valid guards"
    ops = fields["ops"]
    if not (isinstance(ops, list) and ops):
        return "has no operations"
    if not all(isinstance(op, dict) and isinstance(op.get("op"), str) for op in ops):
        return "has an operation without a name"
    return ""


def is_hash(text: object) -> bool:
    """Whether a value is a lower-case hex sha256."""
    return isinstance(text, str) and _HEX64.fullmatch(text) is not None
