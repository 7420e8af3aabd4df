"""What has become of an adapter's files since they were registered: recomputed now (W21)."""

from dataclasses import dataclass
from typing import Literal

from state.adapters.builtin import module_files
from state.adapters.fingerprint import Taken, take, take_again
from state.adapters.ids import BUILTIN
from state.adapters.queries import Adapter
from state.errors import BadInput

Became = Literal["same", "drifted", "unreadable"]


@dataclass(frozen=True, slots=True)
class Checked:
    """How an adapter's files are now. `on_disk` is their fingerprint, None where unreadable.

    `changed`, `gone` and `new` are paths as stored; all are empty where the registration had too
    many files to name them. `why` says what can't be read.
    """

    adapter: str
    became: Became
    on_disk: str | None
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    why: str = ""

    @property
    def is_same(self) -> bool:
        """Whether each file is what was registered."""
        return self.became == "same"


def take_for(adapter: str, given: tuple[str, ...]) -> Taken:
    """The files that an adapter of this id has or shall have. BadInput as `take` raises it."""
    if adapter not in BUILTIN:
        return take(given)
    if given:
        raise BadInput(
            f"{adapter} is one of the program's own: its files are known",
            "name none",
            field="files",
        )
    return take(module_files(adapter))


def check(adapter: Adapter) -> Checked:
    """Compares what is on disk now with what was registered. Reads every file again."""
    try:
        now = _now(adapter)
    except BadInput as error:
        return Checked(adapter.adapter, "unreadable", None, why=error.message)
    if now.fingerprint == adapter.fingerprint:
        return Checked(adapter.adapter, "same", now.fingerprint)
    if len(adapter.files) != adapter.count:
        return Checked(adapter.adapter, "drifted", now.fingerprint)
    before = {file.path: file.sha256 for file in adapter.files}
    after = {file.path: file.sha256 for file in now.files}
    return Checked(
        adapter.adapter,
        "drifted",
        now.fingerprint,
        changed=tuple(path for path in after if before.get(path, after[path]) != after[path]),
        gone=tuple(path for path in before if path not in after),
        new=tuple(path for path in after if path not in before),
    )


def _now(adapter: Adapter) -> Taken:
    if adapter.adapter in BUILTIN:
        return take_for(adapter.adapter, ())
    return take_again(adapter.base, adapter.paths)
