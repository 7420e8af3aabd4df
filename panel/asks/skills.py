"""What the skills mode asks: requests with their layers, skills with their counts, the figures.

Layer 1 comes from outside the journal, the router's index and the files it was made from. It is
looked at when it is wanted, and again once it is some seconds old.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from state.clock import Moment
from state.index.view import View
from state.paths import Paths
from state.routing import layers, listing, profile_layer, queries, statistics
from state.routing import skills as known_skills
from state.routing.layers import RequestLayers
from state.routing.listing import RequestRow
from state.routing.profile_layer import ProfileLayer, Profiles
from state.routing.queries import HookNote, Suggestion
from state.routing.skill_index import SkillIndex, Unusable
from state.routing.skills import SkillLayers
from state.routing.statistics import HostFigures

BATCH = 200
NOTES = 20
FRESH_SECONDS = 5.0


class ProfileLook:
    """Profiles that several questions share for some seconds; `again` ends that."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: tuple[float, Profiles] | None = None

    def again(self) -> None:
        """Whoever asks next is to have the files looked at."""
        self._seen = None

    def __call__(self, paths: Paths) -> Profiles:
        """The profiles now."""
        with self._lock:
            seen, now = self._seen, time.monotonic()
            if seen is not None and now - seen[0] < FRESH_SECONDS:
                return seen[1]
            found = Profiles(paths)
            self._seen = (now, found)
            return found


@dataclass(frozen=True, slots=True, eq=False)
class ListedRequest:
    """A request's row with layer 1 beside it."""

    row: RequestRow
    profile: ProfileLayer


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """How many requests there are, and where the one asked for stands among them.

    As long as `mark` is the same, no request and no note of a hook was written.
    """

    rev: int
    count: int
    position: int | None
    mark: object


@dataclass(frozen=True, slots=True, eq=False)
class OpenedRequest:
    """A request with its layers; `suggestions` are all of its id, offline ones too."""

    rev: int
    layers: RequestLayers
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Skills:
    """Every skill that journal or index know, and the index they were looked up in."""

    rev: int
    skills: Sequence[SkillLayers]
    index: SkillIndex | Unusable


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """Router and hosts compared, and the last notes of hooks."""

    rev: int
    hosts: Sequence[HostFigures]
    notes: Sequence[HookNote]


def counted(request: str | None) -> Callable[[View, Moment], Counted]:
    """The number of requests, and where one of them stands, from 0 for the newest."""

    def ask(view: View, _: Moment) -> Counted:
        place = None if request is None else listing.place(view, request)
        # Whatever is written of a request puts it in front.
        mark = (listing.page(view, 0, 1), queries.hook_notes(view, 1))
        return Counted(view.rev, listing.count(view), place, mark)

    return ask


def page(
    first: int, size: int, look: ProfileLook
) -> Callable[[View, Moment], Sequence[ListedRequest]]:
    """The requests at the positions from `first` on."""

    def ask(view: View, _: Moment) -> Sequence[ListedRequest]:
        return _listed(view, first, size, look(view.paths))

    return ask


def through(
    view: View,
    lets_through: Callable[[ListedRequest], bool],
    look: ProfileLook,
    told: Callable[[float], None],
    is_off: Callable[[], bool],
) -> Iterator[ListedRequest]:
    """The requests that a filter lets through, newest first; `told` hears the share looked at."""
    count = listing.count(view)
    for first in range(0, count, BATCH):
        if is_off():
            return
        for one in _listed(view, first, BATCH, look(view.paths)):
            if lets_through(one):
                yield one
        told(min(first + BATCH, count) / count)


def _listed(view: View, first: int, size: int, known: Profiles) -> Sequence[ListedRequest]:
    return [
        ListedRequest(row, profile_layer.of_skill(row.about, known))
        for row in listing.page(view, first, size)
    ]


def opened(request: str, look: ProfileLook) -> Callable[[View, Moment], OpenedRequest]:
    """A request as a whole. NotFound when nothing was ever written about it."""

    def ask(view: View, _: Moment) -> OpenedRequest:
        found = layers.of_request(view, request, look(view.paths))
        return OpenedRequest(view.rev, found, queries.suggestions(view, request))

    return ask


def skills(look: ProfileLook) -> Callable[[View, Moment], Skills]:
    """Every skill with its counts, by name."""

    def ask(view: View, _: Moment) -> Skills:
        known = look(view.paths)
        return Skills(view.rev, known_skills.of_skills(view, known), known.index)

    return ask


def figures(view: View, _: Moment) -> Figures:
    """How often router and hosts agree, and what hooks could not do."""
    return Figures(view.rev, statistics.by_host(view), queries.hook_notes(view, NOTES))


def last_of_seat(view: View, seat: str) -> RequestLayers | None:
    """The newest request of a seat's host, None without any."""
    found = layers.last_of_seat(view, seat)
    if found is None or found.profile.skill is None:
        return found
    profile = profile_layer.of_skill(found.profile.skill, Profiles(view.paths))
    return replace(found, profile=profile)
