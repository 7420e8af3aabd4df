"""A wake policy: its fields, ranges and defaults, its one text and the hash of it (W2-W5)."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from state import checks
from state.adapters.ids import adapter_id
from state.errors import BadInput, StateError

SCHEMA = "wake-policy-v1"
KINDS = ("note", "question", "task", "reply", "result")
URGENCIES = ("normal", "high")
SENDERS_LIMIT = 64
TEXT_LIMIT = 16 * 1024
# Of the reserved ids one is a seat's: the user's.
NO_SEATS = checks.RESERVED - {"user"}
_SHA256 = re.compile(r"[0-9a-f]{64}")
# Words in a key that would carry a program, its surroundings or a secret.
FORBIDDEN = (
    *("argv", "args", "command", "cmd", "exec", "shell", "script", "program", "binary", "path"),
    *("env", "token", "secret", "password", "passwd", "credential", "cookie", "auth", "key"),
    *("header", "url", "webhook", "hook"),
)


class Limit(NamedTuple):
    """A whole number from `least` to `most`; `at_least` names one before it that is its least."""

    name: str
    least: int
    most: int
    default: int
    at_least: str = ""


LIMITS = (
    Limit("window_seconds", 60, 86_400, 1_800),
    Limit("maximum_quiet_cycles", 1, 1_000, 3),
    Limit("maximum_wakes", 1, 100, 10),
    Limit("scan_interval_seconds", 5, 3_600, 60),
    Limit("cooldown_seconds", 0, 3_600, 20),
    Limit("hourly_quota", 1, 60, 6),
    Limit("lease_seconds", 10, 3_600, 300),
    Limit("maximum_lease_seconds", 10, 14_400, 3_600, at_least="lease_seconds"),
    Limit("maximum_attempts", 1, 5, 2),
    Limit("maximum_hops", 0, 16, 4),
)


@dataclass(frozen=True, slots=True)
class Triggers:
    """Which messages give an intent. Empty `senders` and `urgency` mean any."""

    kinds: tuple[str, ...] = ("task", "question")
    senders: tuple[str, ...] = ()
    urgency: tuple[str, ...] = ()
    addressing: str = "direct"


@dataclass(frozen=True, slots=True)
class Policy:
    """Under what limits a new message may lead to a wake of `seat`. Made by `policy_of`."""

    project: str
    seat: str
    triggers: Triggers = Triggers()
    window_seconds: int = 1_800
    maximum_quiet_cycles: int = 3
    maximum_wakes: int = 10
    scan_interval_seconds: int = 60
    cooldown_seconds: int = 20
    hourly_quota: int = 6
    lease_seconds: int = 300
    maximum_lease_seconds: int = 3_600
    maximum_attempts: int = 2
    maximum_hops: int = 4
    adapter_id: str | None = None
    fingerprint: str | None = None


FIELDS = ("schema", *(field.name for field in fields(Policy)))
ADAPTER = ("adapter_id", "fingerprint")


def text_of(policy: Policy) -> str:
    """W4: the text that is stored and hashed: compact JSON, keys in the order of W2."""
    given = {"schema": SCHEMA, **asdict(policy)}
    for name in ADAPTER:
        if given[name] is None:
            del given[name]
    return orjson.dumps(given).decode()


def hash_of(text: str) -> str:
    """W4."""
    return sha256(text.encode()).hexdigest()


def stored(text: str) -> Policy:
    """A policy from the text that `text_of` gave."""
    given = orjson.loads(text)
    del given["schema"]
    chosen = given.pop("triggers")
    triggers = Triggers(
        kinds=tuple(chosen["kinds"]),
        senders=tuple(chosen["senders"]),
        urgency=tuple(chosen["urgency"]),
        addressing=chosen["addressing"],
    )
    return Policy(**given, triggers=triggers)


def policy_of(given: Mapping[str, Any], project: str, seat: str) -> Policy:
    """W2, W3, W5: the policy that these fields make, what isn't given by its default.

    BadInput, naming the field, for anything that isn't exactly such a policy of this project and
    seat.
    """
    for name in given:
        if name not in FIELDS:
            raise _unknown(name)
    _must_be(given, "schema", SCHEMA, "this program knows no other")
    _must_be(given, "project", project, "it was made for another project")
    _must_be(given, "seat", seat, "it was made for another seat")
    limits: dict[str, int] = {}
    for limit in LIMITS:
        least = limits.get(limit.at_least, limit.least)
        limits[limit.name] = _limit(limit._replace(least=least), given)
    adapter, fingerprint = _adapter(given)
    triggers = _triggers(given.get("triggers", {}))
    return Policy(project, seat, triggers, **limits, adapter_id=adapter, fingerprint=fingerprint)


def _unknown(name: object) -> StateError:
    shown = repr(name)[: checks.GIVEN_LIMIT]
    word = next((word for word in FORBIDDEN if isinstance(name, str) and word in name.lower()), "")
    if word:
        return BadInput(
            f"a policy never holds {shown}: it says when to wake, not how, and holds no secret",
            "what is run, with which environment, is the adapter's own business",
            field=str(name)[: checks.GIVEN_LIMIT],
        )
    return BadInput(
        f"a policy has no field {shown}",
        f"fields: {', '.join(FIELDS)}",
        field=str(name)[: checks.GIVEN_LIMIT],
    )


def _must_be(given: Mapping[str, Any], name: str, wanted: str, why: str) -> None:
    if name in given and given[name] != wanted:
        raise BadInput(f"{name} must be {wanted!r}: {why}", "leave it out", field=name)


def _limit(limit: Limit, given: Mapping[str, Any]) -> int:
    value = given.get(limit.name, limit.default)
    if type(value) is not int:
        raise BadInput(
            f"{limit.name} must be a whole number from {limit.least:,} to {limit.most:,}",
            field=limit.name,
        )
    if not limit.least <= value <= limit.most:
        raise _out_of_range(limit.name, limit.least, limit.most)
    return value


def _out_of_range(name: str, least: int, most: int) -> BadInput:
    return BadInput(
        f"{name} must be from {least:,} to {most:,}", "there is no value for no limit", field=name
    )


def _adapter(given: Mapping[str, Any]) -> tuple[str | None, str | None]:
    adapter, fingerprint = given.get("adapter_id"), given.get("fingerprint")
    if adapter is None and fingerprint is None:
        return None, None
    if not isinstance(fingerprint, str) or not _SHA256.fullmatch(fingerprint):
        raise BadInput(
            "an adapter is named by its id and the 64 hex digits of its fingerprint",
            "`adapter list --json` shows them",
            field="fingerprint",
        )
    return adapter_id(adapter), fingerprint


def _triggers(given: object) -> Triggers:
    if not isinstance(given, Mapping):
        raise BadInput("triggers must be an object", field="triggers")
    names = tuple(field.name for field in fields(Triggers))
    for name in given:
        if name not in names:
            raise _unknown(name)
    default = Triggers()
    addressing = given.get("addressing", default.addressing)
    if addressing not in ("direct", "any"):
        raise BadInput("addressing must be `direct` or `any`", field="addressing")
    kinds = _some_of("kinds", given.get("kinds", default.kinds), KINDS)
    if not kinds:
        raise BadInput("kinds must name at least one kind", field="kinds")
    return Triggers(
        kinds,
        _senders(given.get("senders", default.senders)),
        _some_of("urgency", given.get("urgency", default.urgency), URGENCIES),
        addressing,
    )


def _some_of(name: str, given: object, known: tuple[str, ...]) -> tuple[str, ...]:
    """Some of the words known, in their order; each at most once."""
    found = _texts(name, given)
    for word in found:
        if word not in known:
            raise BadInput(f"{name} can name {', '.join(known)}, nothing else", field=name)
    return tuple(word for word in known if word in found)


def _senders(given: object) -> tuple[str, ...]:
    found = _texts("senders", given)
    for seat in found:
        # What can never be a seat's id would select nothing, for ever.
        if not checks.SEAT_ID.fullmatch(seat) or seat in NO_SEATS:
            raise BadInput(
                f"{checks.text(seat, 'senders')[: checks.GIVEN_LIMIT]!r} can't be a sender",
                "name seats by their ids, yours is 'user'; none at all means any",
                field="senders",
            )
    if len(found) > SENDERS_LIMIT:
        raise BadInput(f"at most {SENDERS_LIMIT} senders", field="senders")
    return tuple(sorted(set(found)))


def _texts(name: str, given: object) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
        raise BadInput(f"{name} must be a list of words", field=name)
    return tuple(given)
