"""The four layers of each skill, side by side: counts that are never added up into one (S1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from state.index.view import View
from state.routing import profile_layer
from state.routing.evidence import best, is_invoked
from state.routing.profile_layer import ProfileLayer


@dataclass(frozen=True, slots=True)
class Use:
    """How often the host of one seat chose a skill, and how often a use was proved there."""

    host: str
    seat: str
    chosen: int
    confirmed: int


@dataclass(frozen=True, slots=True)
class SkillLayers:
    """One skill by its name, which is a label. Layer 2 counts suggestions that a host asked for:
    `first` in the first place, `suggested` in any; layer 3 requests it was chosen in, layer 4
    requests in which an accepted receipt proves its use. `level` is the best that any of them
    proves, None without one (S2).
    """

    skill: str
    profile: ProfileLayer
    suggested: int
    first: int
    chosen: int
    confirmed: int
    level: str | None
    uses: tuple[Use, ...]


@dataclass(slots=True)
class _Counts:
    suggested: int = 0
    first: int = 0
    chosen: int = 0
    confirmed: int = 0
    level: str | None = None
    uses: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def add(self, kind: str, level: str | None, place: tuple[str, str], number: int) -> None:
        if kind == "receipt":
            self.level = best(one for one in (self.level, level) if one is not None)
            if not is_invoked(level):
                return
        use = self.uses.setdefault(place, [0, 0])
        if kind == "choice":
            self.chosen += number
            use[0] += number
        else:
            self.confirmed += number
            use[1] += number


def of_skill(
    view: View, skill: str, profiles: Mapping[str, ProfileLayer] | None = None
) -> SkillLayers:
    """The layers of one name, whether or not anything is known of it."""
    found = _counts(view, " AND skill=?", skill)
    return _layers(skill, found.get(skill, _Counts()), profiles or {})


def of_skills(
    view: View, profiles: Mapping[str, ProfileLayer] | None = None
) -> tuple[SkillLayers, ...]:
    """Those of every name that the journal or the index knows, by name."""
    found = _counts(view, "")
    known = profiles or {}
    return tuple(
        _layers(skill, found.get(skill, _Counts()), known) for skill in sorted({*found, *known})
    )


def _counts(view: View, which: str, *values: str) -> dict[str, _Counts]:
    found: dict[str, _Counts] = {}
    for skill, number, first in view.rows(
        "SELECT skill, count(*), sum(place=1) FROM route_candidate WHERE place>0"
        f"{which} GROUP BY skill",
        *values,
    ):
        found.setdefault(skill, _Counts()).suggested = number
        found[skill].first = first
    for skill, kind, level, host, seat, number in view.rows(
        "SELECT skill, kind, level, host, seat, count(DISTINCT request) FROM route_event"
        " WHERE skill IS NOT NULL AND (kind='choice' OR"
        f" (kind='receipt' AND state='accepted')){which}"
        " GROUP BY skill, kind, level, host, seat ORDER BY skill, host, seat",
        *values,
    ):
        found.setdefault(skill, _Counts()).add(kind, level, (host, seat), number)
    return found


def _layers(skill: str, counts: _Counts, profiles: Mapping[str, ProfileLayer]) -> SkillLayers:
    uses = tuple(Use(*place, *numbers) for place, numbers in counts.uses.items())
    profile = profile_layer.of_skill(skill, profiles)
    numbers = (counts.suggested, counts.first, counts.chosen, counts.confirmed)
    return SkillLayers(skill, profile, *numbers, counts.level, uses)
