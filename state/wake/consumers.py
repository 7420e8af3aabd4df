"""Who claims for a seat: what is declared, what holds the seat's lock now, and which is foreign.

`consumers_of` looks at disk and journal; everything else is pure (W22).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Literal

from state.errors import Busy, Refused
from state.index.view import View
from state.journal import lock
from state.paths import Paths
from state.roster import queries

Kind = Literal["held", "declared"]


@dataclass(frozen=True, slots=True)
class Consumer:
    """One consumer. `name` is empty where whoever holds the lock doesn't say.

    `alive` is true while the lock is held; of a declared one nobody knows, which is None. `since`
    is None where it isn't said. `by` declared it; empty for one that is held.
    """

    seat: str
    name: str
    kind: Kind
    since: str | None
    alive: bool | None
    by: str = ""
    pid: int | None = None

    @property
    def said(self) -> str:
        """W22: who claims for the seat, and since when."""
        name = repr(self.name) if self.name else "a process that doesn't say its name"
        since = "" if self.since is None else f" since {self.since}"
        does = "is declared for" if self.kind == "declared" else "holds"
        return f"{name} {does} {self.seat}{since}"

    @property
    def ending(self) -> str:
        """W22: how that ends."""
        if self.kind == "declared":
            return f"end it: sublation-panel consumer end {self.seat}"
        process = "" if self.pid is None else f" (process {self.pid})"
        return f"end that `consumer hold`{process}: its lock is let go when it ends"


def consumers_of(view: View, paths: Paths, seat: str) -> tuple[Consumer, ...]:
    """Whoever is declared for the seat, and whoever holds its lock at this moment."""
    found = []
    stands = declared(view, seat)
    if stands is not None:
        found.append(stands)
    holds = held(paths, seat)
    if holds is not None:
        found.append(holds)
    return tuple(found)


def every_consumer(view: View, paths: Paths) -> tuple[Consumer, ...]:
    """The same of each seat, in the order in which they joined."""
    seats = queries.statuses(view)
    return tuple(one for seat in seats for one in consumers_of(view, paths, seat))


def declared(view: View, seat: str) -> Consumer | None:
    """What was declared for the seat and not ended."""
    row = view.row("SELECT name, at, by FROM consumer WHERE seat=? AND ended=0", seat)
    return None if row is None else Consumer(seat, row[0], "declared", row[1], None, row[2])


def held(paths: Paths, seat: str) -> Consumer | None:
    """Who holds the seat's lock now; what stands in the file is believed only then."""
    path = paths.consumer(seat)
    if not lock.is_held(path):
        return None
    said = lock.holder(path, lock.CLAIM_BYTES) or {}
    name, since, pid = said.get("name"), said.get("since"), said.get("pid")
    return Consumer(
        seat,
        name if isinstance(name, str) else "",
        "held",
        since if isinstance(since, str) else None,
        True,
        pid=pid if type(pid) is int else None,
    )


@contextmanager
def holding(paths: Paths, seat: str, name: str, since: str) -> Iterator[Callable[[], None]]:
    """W22: holds the seat's lock. Refused when another does; the lock's errors come as they are.

    Gives a function that raises Replaced once what is held is no longer the seat's lock.
    """
    claim = lock.claimed(paths.consumer(seat), seat=seat, name=name, since=since)
    with ExitStack() as stack:
        try:
            still_held = stack.enter_context(claim)
        except Busy as busy:
            raise in_the_way(held(paths, seat) or Consumer(seat, "", "held", None, True)) from busy
        yield still_held


def standing(view: View, seat: str, seen: Sequence[Consumer]) -> tuple[Consumer, ...]:
    """Whoever is declared now, and whoever was seen to hold the seat's lock."""
    stands = declared(view, seat)
    return (*(() if stands is None else (stands,)), *(one for one in seen if one.kind == "held"))


def other_consumer(consumers: Sequence[Consumer], claimer: str) -> Consumer | None:
    """W22: the first under another name than the claimer's (its adapter's id, or the seat's)."""
    return next((one for one in consumers if one.name != claimer), None)


def in_the_way(other: Consumer) -> Refused:
    """W22: why arming, claiming or holding is refused: who, since when, and how to end it."""
    return Refused("W22", f"other_consumer: {other.said}", other.ending)
