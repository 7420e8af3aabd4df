"""A receipt as an adapter writes it: `routing-invocation-receipt-v1`, one JSON object.

Read strictly: another field, another type or another schema is BadInput, which says where.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from state import checks
from state.errors import BadInput
from state.routing import fields, requests
from state.routing.evidence import KINDS, STATES, UNKNOWN
from state.routing.operations import Locator

LIMIT = 64 * 1024
# What pydantic is told: no other type is bent into the one that is asked for, no other field taken.
_EXACTLY: dict[str, Any] = {"strict": True, "extra": "forbid"}


@dataclass(frozen=True, slots=True)
class InFile:
    """A line of a transcript or log.

    `sha256` is that of the file's first `bytes` bytes, so that a file which grows keeps it. The
    entry is the line that begins at `offset`; `entry_sha256` is over it without its line feed.
    """

    __pydantic_config__: ClassVar = _EXACTLY

    kind: str
    file: str
    bytes: int
    sha256: str
    offset: int
    entry_sha256: str
    session: str | None
    agent: str | None
    tool_use: str | None

    def __post_init__(self) -> None:
        fields.one_of(KINDS, self.kind, "kind")
        fields.sha256(self.sha256, "sha256")
        checks.revision(self.bytes, "bytes")
        fields.locator(self.locator)

    @property
    def locator(self) -> Locator:
        """Where it stands, as the journal keeps it."""
        place = (self.file, self.offset, self.entry_sha256)
        return Locator(self.session, self.agent, None, self.tool_use, *place)


@dataclass(frozen=True, slots=True)
class ByHook:
    """A hook event, of which nothing but ids is kept."""

    __pydantic_config__: ClassVar = _EXACTLY

    kind: str
    event: str
    session: str
    agent: str | None
    tool_use: str | None

    def __post_init__(self) -> None:
        fields.one_of(KINDS, self.kind, "kind")
        fields.locator(self.locator)

    @property
    def locator(self) -> Locator:
        """Where it came from, as the journal keeps it."""
        return Locator(self.session, self.agent, self.event, self.tool_use, None, None, None)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an adapter says of one use of a skill (S11)."""

    __pydantic_config__: ClassVar = _EXACTLY

    schema: Literal["routing-invocation-receipt-v1"]
    request: str
    host: str
    seat: str
    adapter: str
    fingerprint: str
    skill: str | None
    skill_sha256: str
    level: str
    at: str
    evidence: InFile | ByHook

    def __post_init__(self) -> None:
        requests.check(self.request)
        fields.label(self.host, "host")
        fields.seat(self.seat, "seat")
        fields.label(self.adapter, "adapter")
        fields.sha256(self.fingerprint, "fingerprint")
        fields.label_or_none(self.skill, "skill")
        if self.skill is None and self.level != UNKNOWN:
            raise BadInput(
                "a receipt names the skill that it is about",
                f"only of a host that can't say (level {UNKNOWN}) it may be null",
                field="skill",
            )
        fields.skill_sha256(self.skill_sha256, "skill_sha256")
        fields.one_of(STATES, self.level, "level")
        object.__setattr__(self, "at", checks.moment(self.at, "at"))


def parse(raw: bytes) -> Receipt:
    """The receipt in these bytes. BadInput for anything that is none."""
    if len(raw) > LIMIT:
        raise _unfit(f"it has more than {LIMIT:,} bytes")
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Receipt).validate_json(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise _unfit(f"{place}: {first['msg']}") from error


def _unfit(what: str) -> BadInput:
    return BadInput(
        f"this is no routing-invocation-receipt-v1: {what}",
        "docs/routing.md gives its fields",
        field="receipt",
    )
