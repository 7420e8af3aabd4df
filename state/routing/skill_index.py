"""The router's index: one file in the cache, made from valid profiles only, with every hash (S4).

A picture of metadata: it is built again at any time, and nothing is installed, available, active
or allowed because it stands here. A file that can't be used is a reason, never an error.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from state import checks, files
from state.adapters import names
from state.errors import BadInput, NotCommitted
from state.paths import Paths
from state.routing import drift
from state.routing.router import ROUTER_VERSION, Entry
from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION

SCHEMA = "skill-routing-index-v1"
SHADOW = "shadow"
LIMIT = 64 * 1024 * 1024
_FIELDS = ("schema", "mode", "router", "vocabulary", "entries")
_SUM, _BUILT, _END = b',"sha256":"', b'","built":"', b'"}\n'
_TIME = len("2026-11-30T10:00:00.000000+00:00")
_TAIL = len(_SUM) + 64 + len(_BUILT) + _TIME + len(_END)


@dataclass(frozen=True, slots=True)
class SkillIndex:
    """Entries in a fixed order; `sha256` is over what they and the versions say.

    `built` is when it was put into its file; None before.
    """

    router: str
    vocabulary: str
    entries: tuple[Entry, ...]
    sha256: str
    built: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Ready:
    """An index to suggest from, and the paths of the entries whose files have changed since."""

    index: SkillIndex
    drifted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Unusable:
    """No sound index: `reason` is a fallback of the router; `sha256` that of an outdated one."""

    reason: str
    sha256: str | None


def make(entries: Iterable[Entry]) -> SkillIndex:
    """The index of these entries by this router and vocabulary, whatever their order.

    The same profile of the same skill in several roots is one entry, that of the first path.
    """
    found: dict[tuple[str, str, str], Entry] = {}
    for entry in sorted(entries, key=_order):
        found.setdefault((entry.skill, entry.skill_sha256, entry.profile_sha256), entry)
    kept = tuple(found.values())
    return SkillIndex(ROUTER_VERSION, VOCABULARY_VERSION, kept, _sum(_body(kept)))


def write(paths: Paths, index: SkillIndex, at: str) -> None:
    """Puts it in its place at a time, whole or not at all. NotCommitted when the disk refuses."""
    body = _body(index.entries)
    raw = body + _tail(body, at)
    scratch = f"{paths.skill_index}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        os.makedirs(paths.cache, mode=0o700, exist_ok=True)
        files.replace_file(paths.skill_index, raw, scratch)
    except OSError as error:
        raise NotCommitted(
            f"the skill index can't be written: {error.strerror}", "make room, then repeat"
        ) from error


def load(paths: Paths) -> SkillIndex | Unusable:
    """The index as it stands in its file; whether its entries drifted is not looked at."""
    try:
        raw = files.read_whole(paths.skill_index, LIMIT)
    except FileNotFoundError:
        return Unusable("index_missing", None)
    except OSError:
        return Unusable("index_damaged", None)
    return parse(raw)


def parse(raw: bytes) -> SkillIndex | Unusable:
    """The index in these bytes; strict: anything else than what `write` writes is damage."""
    body = raw[:-_TAIL]
    digest = _sum(body)
    try:
        built = checks.moment(raw[-_TIME - len(_END) : -len(_END)].decode(), "built")
        if raw[-_TAIL:] != _tail(body, built):
            return Unusable("index_damaged", None)
        fields = orjson.loads(body + b"}")
        if tuple(fields) != _FIELDS or (fields["schema"], fields["mode"]) != (SCHEMA, SHADOW):
            return Unusable("index_damaged", None)
        if (fields["router"], fields["vocabulary"]) != (ROUTER_VERSION, VOCABULARY_VERSION):
            return Unusable("index_outdated", digest)
        entries = tuple(_entry(one) for one in fields["entries"])
    except (BadInput, orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
        return Unusable("index_damaged", None)
    return SkillIndex(ROUTER_VERSION, VOCABULARY_VERSION, entries, digest, built)


def ready(paths: Paths) -> Ready | Unusable:
    """S4, S8: the index with what has drifted since, or why there is no sound one."""
    index = load(paths)
    if isinstance(index, Unusable):
        return index
    drifted = drifted_paths(index)
    if drift.is_outdated(len(index.entries), len(drifted)):
        return Unusable("index_outdated", index.sha256)
    return Ready(index, drifted)


def drifted_paths(index: SkillIndex) -> frozenset[str]:
    """S4: the paths of the entries whose files have changed since the index was built."""
    return frozenset(entry.path for entry in index.entries if drift.has_drifted(entry))


def hashes(paths: Paths) -> dict[str, tuple[str, str]]:
    """Those of SKILL.md and routing.json by the path of SKILL.md; none without a sound index."""
    found = load(paths)
    entries = found.entries if isinstance(found, SkillIndex) else ()
    return {one.path: (one.skill_sha256, one.profile_sha256) for one in entries}


def _body(entries: tuple[Entry, ...]) -> bytes:
    fields: dict[str, Any] = {
        "schema": SCHEMA,
        "mode": SHADOW,
        "router": ROUTER_VERSION,
        "vocabulary": VOCABULARY_VERSION,
        "entries": [_stored(entry) for entry in entries],
    }
    return orjson.dumps(fields)[:-1]


def _tail(body: bytes, at: str) -> bytes:
    """What stands behind the entries: their sum, and when that was. No part of the sum."""
    return _SUM + _sum(body).encode() + _BUILT + at.encode() + _END


def _stored(entry: Entry) -> dict[str, Any]:
    return {
        "skill": entry.skill,
        "features": dict(sorted(entry.features.items())),
        "excludes": sorted(entry.excludes),
        "platforms": sorted(entry.platforms),
        "requires": sorted(entry.requires),
        "profile_version": entry.profile_version,
        "promoted": entry.promoted,
        "path": names.stored(entry.path),
        "skill_sha256": entry.skill_sha256,
        "profile_sha256": entry.profile_sha256,
    }


def _entry(fields: dict[str, Any]) -> Entry:
    """One entry. ValueError, KeyError or TypeError for what `_stored` could not have made."""
    weights = fields["features"]
    if not all(feature in FEATURES and _is_weight(weight) for feature, weight in weights.items()):
        raise ValueError("a feature or weight that is none")
    lists: dict[str, Any] = {
        name: tuple(fields[name]) for name in ("excludes", "platforms", "requires")
    }
    if not all(type(one) is str for given in lists.values() for one in given):
        raise ValueError("a list of other things than texts")
    if type(fields["promoted"]) is not bool or type(fields["profile_version"]) is not int:
        raise ValueError("a field of another type")
    texts = (fields[name] for name in ("skill", "path", "skill_sha256", "profile_sha256"))
    if not all(type(text) is str for text in texts):
        raise ValueError("a text that is none")
    return Entry(**{**fields, **lists, "path": names.from_stored(fields["path"])})


def _is_weight(value: object) -> bool:
    return type(value) is int and 1 <= value <= 1000


def _order(entry: Entry) -> tuple[str, str, str, str]:
    return entry.skill, entry.skill_sha256, entry.profile_sha256, entry.path


def _sum(raw: bytes) -> str:
    return sha256(raw).hexdigest()
