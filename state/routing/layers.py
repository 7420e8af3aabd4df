"""The four layers of a request, side by side, none derived from another (S1).

A profile is not a suggestion, a suggestion not a choice, a choice not an invocation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from state.errors import NotFound
from state.index.view import View
from state.routing import profile_layer, queries
from state.routing.evidence import best, is_invoked
from state.routing.listing import skill_about
from state.routing.profile_layer import ProfileLayer
from state.routing.queries import Choice, ReceiptKept, Suggestion


@dataclass(frozen=True, slots=True)
class SuggestionLayer:
    """Layer 2. `state`: `none`, `suggested`, or `fallback`, which is a signal and nothing else.

    `skill` is the first candidate; `last` the suggestion with everything that explains it.
    """

    state: str
    skill: str | None
    at: str | None
    last: Suggestion | None


@dataclass(frozen=True, slots=True)
class ChoiceLayer:
    """Layer 3. `state`: `none` (nothing was reported), `chosen`, or `no_skill` (none was chosen).

    `all` is every report, oldest first; `last` the newest, which the other fields are from.
    """

    state: str
    skill: str | None
    at: str | None
    source: str | None
    last: Choice | None
    all: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class InvocationLayer:
    """Layer 4. `state`: `invoked` or `not_invoked` (S2); `level` is what accepted receipts prove.

    `proof` is the receipt that shows the level; `receipts` are all, refused ones with the reason.
    """

    state: str
    level: str | None
    skill: str | None
    at: str | None
    proof: ReceiptKept | None
    receipts: tuple[ReceiptKept, ...]


@dataclass(frozen=True, slots=True)
class RequestLayers:
    """One request. `offline` are suggestions that no host asked for and that show in no layer of
    a host's request (S17); they make layer 2 where there is no host.
    """

    request: str
    known: bool
    host: str
    seat: str
    at: str
    last_at: str
    profile: ProfileLayer
    suggestion: SuggestionLayer
    choice: ChoiceLayer
    invocation: InvocationLayer
    offline: tuple[Suggestion, ...]


def of_request(
    view: View, request: str, profiles: Mapping[str, ProfileLayer] | None = None
) -> RequestLayers:
    """The layers of a request. NotFound for one that nothing was ever written about."""
    row = view.row("SELECT known, host, seat, at, last_at FROM route_request WHERE id=?", request)
    if row is None:
        raise NotFound("there is no such request", "`route list` shows what there is")
    known, host, seat, at, last_at = row
    made = queries.suggestions(view, request)
    offline = tuple(one for one in made if one.made.offline)
    asked = tuple(one for one in made if not one.made.offline)
    suggestion = suggestion_layer(asked if host else made)
    choice = choice_layer(queries.choices(view, request))
    invocation = invocation_layer(queries.receipts(view, request))
    named = skill_about(choice.skill, invocation.skill, suggestion.skill)
    profile = profile_layer.of_skill(named, profiles or {})
    layers = (profile, suggestion, choice, invocation)
    return RequestLayers(request, bool(known), host, seat, at, last_at, *layers, offline)


def last_of_seat(
    view: View, seat: str, profiles: Mapping[str, ProfileLayer] | None = None
) -> RequestLayers | None:
    """The layers of the newest known request of a seat's host, None without any."""
    row = view.row(
        "SELECT id FROM route_request WHERE seat=? AND host<>'' AND known=1"
        " ORDER BY last DESC, id DESC",
        seat,
    )
    return None if row is None else of_request(view, row[0], profiles)


def suggestion_layer(made: Sequence[Suggestion]) -> SuggestionLayer:
    """Layer 2 from the suggestions that count, oldest first: the newest."""
    if not made:
        return SuggestionLayer("none", None, None, None)
    last = made[-1]
    if last.made.fallback_used:
        return SuggestionLayer("fallback", None, last.at, last)
    return SuggestionLayer("suggested", last.made.candidates[0].skill, last.at, last)


def choice_layer(reported: Sequence[Choice]) -> ChoiceLayer:
    """Layer 3 from what was reported, oldest first."""
    if not reported:
        return ChoiceLayer("none", None, None, None, None, ())
    last = reported[-1]
    skill = last.recorded.skill
    state = "no_skill" if skill is None else "chosen"
    return ChoiceLayer(state, skill, last.at, last.recorded.source, last, tuple(reported))


def invocation_layer(kept: Sequence[ReceiptKept]) -> InvocationLayer:
    """Layer 4 from receipts alone, oldest first; refused ones prove nothing (S2, S11)."""
    counted = [one for one in kept if one.recorded.state == "accepted"]
    level = best(one.recorded.level for one in counted)
    if level is None:
        return InvocationLayer("not_invoked", None, None, None, None, tuple(kept))
    proof = next(one for one in counted if one.recorded.level == level)
    state = "invoked" if is_invoked(level) else "not_invoked"
    found = proof.recorded
    return InvocationLayer(state, level, found.skill, found.at, proof, tuple(kept))
