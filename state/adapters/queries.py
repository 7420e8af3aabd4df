"""Which adapters there are, as the journal says it; what stands on disk is for `check` (W21)."""

from dataclasses import dataclass
from typing import Any

import orjson

from state.adapters.operations import AdapterFile
from state.errors import NotFound
from state.index.view import View


@dataclass(frozen=True, slots=True)
class Revoked:
    """When, by whom and why a registration was taken back."""

    at: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter as it was last registered. `revision` is that of the entity `adapter:ID`.

    `base`, `paths`, `count`, `bytes` and `files` are as in `AdapterRegistered`.
    """

    adapter: str
    capabilities: tuple[str, ...]
    fingerprint: str
    base: str
    paths: tuple[str, ...]
    count: int
    bytes: int
    files: tuple[AdapterFile, ...]
    registered_at: str
    registered_by: str
    registered_rev: int
    revision: int
    revoked: Revoked | None

    @property
    def is_registered(self) -> bool:
        """Whether the registration holds."""
        return self.revoked is None


_SELECT = (
    "SELECT a.id, capabilities, fingerprint, base, paths, count, bytes, files, a.at, a.by, a.rev,"
    " (SELECT rev FROM entity e WHERE e.name='adapter:' || a.id), r.at, r.by, r.reason"
    " FROM adapter a LEFT JOIN adapter_revoked r ON r.id=a.id AND r.rev>a.rev"
)


def adapters(view: View) -> tuple[Adapter, ...]:
    """Every adapter that was ever registered, by id."""
    return tuple(_adapter(row) for row in view.rows(_SELECT + " ORDER BY a.id"))


def find(view: View, adapter: str) -> Adapter | None:
    """One adapter, revoked ones too; None for an id that never was registered."""
    row = view.row(_SELECT + " WHERE a.id=?", adapter)
    return None if row is None else _adapter(row)


def get(view: View, adapter: str) -> Adapter:
    """One adapter. NotFound with the ids there are."""
    found = find(view, adapter)
    if found is None:
        listed = view.rows("SELECT id FROM adapter ORDER BY id LIMIT 12")
        known = ", ".join(row[0] for row in listed) or "none yet"
        raise NotFound(f"there is no adapter {adapter!r}", f"adapters here: {known}")
    return found


def registered(view: View, adapter: str) -> Adapter | None:
    """The adapter if its registration holds; None where there is none or it was revoked."""
    found = find(view, adapter)
    return found if found is not None and found.is_registered else None


def _adapter(row: tuple[Any, ...]) -> Adapter:
    files = (AdapterFile(one["path"], one["sha256"], one["bytes"]) for one in orjson.loads(row[7]))
    return Adapter(
        adapter=row[0],
        capabilities=tuple(orjson.loads(row[1])),
        fingerprint=row[2],
        base=row[3],
        paths=tuple(orjson.loads(row[4])),
        count=row[5],
        bytes=row[6],
        files=tuple(files),
        registered_at=row[8],
        registered_by=row[9],
        registered_rev=row[10],
        revision=row[11],
        revoked=None if row[12] is None else Revoked(row[12], row[13], row[14]),
    )
