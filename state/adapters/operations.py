"""What can happen to an adapter: the user registers it, or takes that back (W21)."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AdapterFile:
    """One file: its path relative to the base, the sha256 of its bytes, how many they are."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class AdapterRegistered:
    """The files as they were; it replaces what was registered under that id before.

    `base` is an absolute path, `paths` are what was named, relative to it, "." the base itself;
    one of the program's own has none. `files` is empty where `count` of them are too many for a
    line. Paths are spelt as `state.adapters.names` says.
    """

    op: str = field(default="adapter_registered", init=False)
    adapter: str
    capabilities: tuple[str, ...]
    fingerprint: str
    base: str
    paths: tuple[str, ...]
    count: int
    bytes: int
    files: tuple[AdapterFile, ...]


@dataclass(frozen=True, slots=True)
class AdapterRevoked:
    op: str = field(default="adapter_revoked", init=False)
    adapter: str
    reason: str
