"""Registering an adapter and taking that back, as commands of the user (W21)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from state import checks
from state.adapters import decide, queries
from state.adapters.fingerprint import Taken
from state.adapters.ids import BUILTIN, adapter_id
from state.adapters.operations import AdapterRegistered, AdapterRevoked
from state.clock import Moment
from state.command import Actor
from state.errors import BadInput
from state.index.view import View

# In bytes of JSON: what is named and the files together fit into a line, with room for the rest.
PATHS_BYTES = 16 * 1024
FILES_BYTES = 32 * 1024
CAPABILITIES_LIMIT = 16


@dataclass(frozen=True, slots=True)
class Register:
    """W21: these files, as they were taken, are the adapter from here on. It starts nothing.

    `seen` is the revision of `adapter:ID` that the author saw, 0 for an id that is new; None asks
    for none.
    """

    adapter: str
    taken: Taken
    capabilities: tuple[str, ...] = ()
    seen: int | None = None

    def __post_init__(self) -> None:
        adapter_id(self.adapter)
        object.__setattr__(self, "capabilities", _capabilities(self.capabilities))
        if self.seen is not None:
            checks.revision(self.seen, "seen")
        if len(orjson.dumps(self.paths)) > PATHS_BYTES:
            raise BadInput(
                f"{len(self.paths):,} files are too many to name",
                "name their folder",
                field="files",
            )

    @property
    def paths(self) -> tuple[str, ...]:
        """What the line says was named; of the program's own adapters nothing."""
        return () if self.adapter in BUILTIN else self.taken.paths

    def may(self, found: queries.Adapter | None) -> None:
        """Whether it says something new of what is found under this id."""
        taken = self.taken
        decide.may_register(found, taken.fingerprint, taken.base, self.paths, self.capabilities)

    def guards(self) -> Mapping[str, int]:
        return {} if self.seen is None else {f"adapter:{self.adapter}": self.seen}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        taken = self.taken
        self.may(queries.find(view, self.adapter))
        named = len(orjson.dumps(taken.files)) <= FILES_BYTES
        return [
            AdapterRegistered(
                self.adapter,
                self.capabilities,
                taken.fingerprint,
                taken.base,
                self.paths,
                len(taken.files),
                taken.bytes,
                taken.files if named else (),
            )
        ]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        mine = {
            "adapter": self.adapter,
            "capabilities": list(self.capabilities),
            "fingerprint": self.taken.fingerprint,
            "base": self.taken.base,
            "paths": list(self.paths),
        }
        return any(op["op"] == "adapter_registered" and mine.items() <= op.items() for op in ops)


@dataclass(frozen=True, slots=True)
class Revoke:
    """W21: the registration holds no longer; what was done under it stays."""

    adapter: str
    reason: str

    def __post_init__(self) -> None:
        checks.named(self.adapter, "adapter")
        checks.reason(self.reason)

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        decide.may_revoke(queries.get(view, self.adapter))
        return [AdapterRevoked(self.adapter, self.reason)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        mine = {"op": "adapter_revoked", "adapter": self.adapter, "reason": self.reason}
        return any(mine.items() <= op.items() for op in ops)


def _capabilities(value: object) -> tuple[str, ...]:
    """At most 16 labels, each like a display name of at most 40 characters, each once."""
    given = checks.texts(value, "capabilities")
    if len(given) > CAPABILITIES_LIMIT:
        raise BadInput(
            f"at most {CAPABILITIES_LIMIT} capabilities, not {len(given)}", field="capabilities"
        )
    shown = (checks.display_name(one, "capabilities", checks.LABEL_LIMIT) for one in given)
    return tuple(dict.fromkeys(shown))
