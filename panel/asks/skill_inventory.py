"""The inventory of the skill roots, read from the disk: by a worker, told of, ended at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from state.errors import StateError
from state.routing.skill_index import hashes

if TYPE_CHECKING:
    from panel.bridge import Bridge
    from state.routing.inventory import Inventory

STOPPED = "reading the skill roots was stopped"


class Stopped(StateError):
    """The person, or the end of the panel, stopped it."""


class Reading:
    """One reading of the roots: `folders` is how many were looked at, written by its worker."""

    def __init__(self, ending: Event) -> None:
        self.folders = 0
        self._off = Event()
        self._ending = ending

    def stop(self) -> None:
        """Look into no further folder."""
        self._off.set()

    def told(self, folders: int) -> None:
        """A folder was looked at. Stopped when no more are wanted."""
        self.folders = folders
        if self._off.is_set() or self._ending.is_set():
            raise Stopped(STOPPED)


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """An inventory taken at a time, and how many skills there are of each state."""

    at: str
    inventory: Inventory
    totals: Mapping[str, int]


def take(bridge: Bridge, reading: Reading) -> Taken:
    """Everything in the roots of this project. Stopped when it was; other errors of the project."""
    from state.routing import inventory, roots

    wanted = bridge.ask(lambda view, _: roots.configured(view, bridge.paths.project))
    indexed = hashes(bridge.paths)
    at = bridge.clock.now()
    found = inventory.take(wanted, indexed=indexed, looked=reading.told)
    return Taken(at, found, Counter(one.status for one in found.skills))
