"""How often router and hosts agree, per host and router version; and the frozen samples, offline.

Counts with what they are counts of, never a bare rate (S14). Offline suggestions, those that were
made after the choice and those that another host's adapter asked for enter none of them (S17).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from state.index.view import View
from state.routing import router
from state.routing.router import Entry
from state.routing.samples import Sample, samples

TOP = 3


@dataclass(frozen=True, slots=True)
class HostFigures:
    """Of `requests` that a host's adapter asked about, `fallback` got no suggestion.

    Of `compared`, those with a suggestion and a choice reported later, `agreement` is how often
    the first candidate was chosen, `top_3` how often one of the first three.
    """

    host: str
    router: str
    requests: int
    compared: int
    agreement: int
    top_3: int
    fallback: int


@dataclass(frozen=True, slots=True)
class SampleFigures:
    """Of `samples`, `fitting` have skills that should rank first; of these `top_1` and `top_3` got
    one there. `fallback` counts all fallbacks, `rightly` those where no skill fits.
    """

    samples: int
    fitting: int
    top_1: int
    top_3: int
    fallback: int
    rightly: int


_OF = "(SELECT max(n) FROM route_event x WHERE x.rev={0} AND x.request=r.id AND x.kind='{1}')"
# With the plus the candidates are found by their suggestion, not by the skill they all name.
_BY_HOST = (
    "SELECT r.host, s.router, count(*),"
    " sum(s.skill IS NOT NULL AND c.rev IS NOT NULL),"
    " sum(s.skill IS NOT NULL AND c.skill IS s.skill),"
    " sum(EXISTS (SELECT 1 FROM route_candidate k WHERE k.rev=s.rev AND k.n=s.n"
    f" AND k.place<={TOP} AND +k.skill=c.skill)),"
    " sum(s.skill IS NULL)"
    " FROM route_request r"
    f" JOIN route_event s ON s.rev=r.counted AND s.n={_OF.format('r.counted', 'suggestion')}"
    " AND s.host=r.host"
    f" LEFT JOIN route_event c ON c.rev=r.choice AND c.n={_OF.format('r.choice', 'choice')}"
    " AND c.host=r.host"
    " GROUP BY r.host, s.router ORDER BY r.host, s.router"
)


def by_host(view: View) -> tuple[HostFigures, ...]:
    """The figures of each host and each router version that suggested for it."""
    return tuple(HostFigures(*row) for row in view.rows(_BY_HOST))


def of_samples(entries: Sequence[Entry], *, late: bool) -> SampleFigures:
    """What the router makes of the samples with these entries; `late` ones apart from the rest."""
    found = [
        (bool(sample.expected), *_ranked(entries, sample))
        for sample in samples()
        if sample.late == late
    ]
    ranks = [rank for fits, rank, _ in found if fits]
    return SampleFigures(
        samples=len(found),
        fitting=len(ranks),
        top_1=sum(rank == 1 for rank in ranks),
        top_3=sum(0 < rank <= TOP for rank in ranks),
        fallback=sum(fell_back for _, _, fell_back in found),
        rightly=sum(fell_back and not fits for fits, _, fell_back in found),
    )


def _ranked(entries: Sequence[Entry], sample: Sample) -> tuple[int, bool]:
    """The first place of a skill that should lead, 0 without one, and whether it fell back."""
    answer = router.suggest(entries, sample.features)
    if answer.fallback is not None:
        return 0, True
    places = [
        place
        for place, candidate in enumerate(answer.candidates, 1)
        if candidate.skill in sample.expected
    ]
    return min(places, default=0), False
