"""Asking the router: feature ids or a frozen sample go in, never a text (S6); the index is read.

What doesn't belong to the closed lists is refused without being repeated anywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from state.errors import BadInput, Refused
from state.paths import Paths
from state.routing import router, skill_index
from state.routing.router import Answer
from state.routing.samples import samples
from state.routing.skill_index import Unusable
from state.routing.vocabulary import FEATURES

# What explains an answer to so many features fits into a line of the journal.
FEATURES_LIMIT = 16


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, and the answer from the index as it stood then (`index` is its hash)."""

    features: tuple[str, ...]
    sample: str | None
    index: str | None
    answer: Answer


def ask(
    paths: Paths,
    features: Sequence[str] = (),
    sample: str | None = None,
    *,
    budget: int = router.BUDGET,
) -> Asked:
    """The answer for feature ids or for a sample, exactly one of them; reads, writes nothing.

    Refused (S6) for what is in none of the closed lists.
    """
    if bool(features) == (sample is not None):
        raise BadInput(
            "the router takes feature ids, or the id of one sample",
            "--feature F (once for each), or --sample ID",
            field="feature",
        )
    given = check_features(features) if sample is None else features_of(sample)
    found = skill_index.ready(paths)
    if isinstance(found, Unusable):
        return Asked(given, sample, found.sha256, router.fallback(given, found.reason))
    index = found.index
    answer = router.suggest(index.entries, given, drifted=found.drifted, budget=budget)
    return Asked(given, sample, index.sha256, answer)


def check_features(features: Sequence[str]) -> tuple[str, ...]:
    """S6: the ids, each once and in order; all of them stand in the vocabulary."""
    if len(features) > FEATURES_LIMIT:
        raise BadInput(f"at most {FEATURES_LIMIT} features, not {len(features)}", field="feature")
    for place, feature in enumerate(features, 1):
        if feature not in FEATURES:
            raise Refused(
                "S6",
                f"feature {place} is no id of the vocabulary",
                "ids look like action.build; a prompt or any other text is never taken",
            )
    return tuple(sorted(set(features)))


def features_of(sample: str) -> tuple[str, ...]:
    """S6: the features of a frozen sample."""
    for one in samples():
        if one.id == sample:
            return tuple(sorted(set(one.features)))
    raise Refused(
        "S6",
        "that is no id of a frozen sample",
        f"ids look like {samples()[0].id}; a prompt or any other text is never taken",
    )
