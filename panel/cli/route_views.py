"""What `route` shows: suggestions explained, the four layers of requests, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from panel.cli import output
from panel.cli.call import Call
from panel.neutral import plain
from panel.words import routing as words
from panel.words import signs
from state.errors import BadInput
from state.routing import layers, profile_layer, statistics
from state.routing import listing as requests
from state.routing.router import INDEX_FAULTS

if TYPE_CHECKING:
    from state.project import Committed
    from state.routing.layers import RequestLayers
    from state.routing.listing import RequestRow
    from state.routing.profile_layer import ProfileLayer

LIMIT = 50


def suggestion(made: Mapping[str, Any], done: Committed) -> Iterator[str]:
    """A suggestion with everything that led to it."""
    again = ", before with this key; nothing was written now" if done.repeated else ""
    offline = ", offline" if made["offline"] else ""
    yield plain(f"r{done.rev}: request {made['request']} (shadow{offline}){again}")
    if made["fallback_used"]:
        why = words.fallback(made["fallback_reason"])
        yield f"fallback to {made['fallback_target']}: {why} ({made['fallback_reason']})"
        yield "a signal to the host's adapter; it doesn't say that the old catalogue was used"
        if made["fallback_reason"] in INDEX_FAULTS:
            yield "the index is built by: sublation-panel route index"
    for place, candidate in enumerate(made["candidates"], 1):
        yield from _candidate(f"{place}.", candidate)
    for candidate in made["excluded"]:
        yield from _candidate("excluded:", candidate)
    if made["drifted_count"]:
        names = ", ".join(made["drifted"])
        yield plain(f"left out, their files have changed: {names} ({made['drifted_count']:,})")
    index = made["index"] or "no index"
    yield f"threshold {made['threshold']}, {made['router']}, {made['vocabulary']}, {index}"


def _candidate(head: str, candidate: Mapping[str, Any]) -> Iterator[str]:
    yield plain(f"{head} {candidate['skill']}  score {candidate['score']}")
    for feature in candidate["excluded_by"]:
        yield f"     excluded by {feature}"
    for one in candidate["matched"]:
        yield f"     {one['points']:+5} {one['feature']}: weight {one['weight']} × {one['share']}‰"
    for one in candidate["lowered"]:
        yield f"     {-one['points']:+5} {one['feature']}: {words.LOWERED[one['what']]}"


def listing(call: Call) -> int:
    """`route list`."""
    limit = call.args.limit
    with call.looking() as view:
        rows = requests.page(view, 0, limit + 1)
    more = len(rows) > limit
    rows = rows[:limit]
    profiles = profile_layer.Profiles(call.paths)
    shown = {
        "requests": [{**asdict(row), "profile": _profile(row, profiles)} for row in rows],
        "more": more,
        "state": call.state,
    }

    def lines() -> Iterator[str]:
        if not rows and not more:
            yield "no request; one is made by a host's adapter, or with: route suggest"
            return
        heads = ("request", "host", "seat", "1 profile", "2 suggestion", "3 choice", "4 invocation")
        yield from output.table(
            heads, [_cells(row, _profile(row, profiles)) for row in rows], keep=(4, 5, 6)
        )
        if more:
            yield "there are more: --limit N"

    return call.answer(shown, lines)


def _profile(row: RequestRow, profiles: Mapping[str, ProfileLayer]) -> str:
    return profile_layer.of_skill(row.about, profiles).state


def _cells(row: RequestRow, profile: str) -> tuple[str, ...]:
    refused = f" ({row.refused} refused)" if row.refused else ""
    suggested = words.suggestion(row.suggested, None, asked=row.asked, offline=row.offline)
    return (
        row.request,
        row.host,
        signs.seat(row.seat),
        words.PROFILES[profile],
        suggested,
        words.choice(row.chosen, row.source),
        words.invocation(row.level, row.used) + refused,
    )


def show(call: Call) -> int:
    """`route show R`."""
    profiles = profile_layer.Profiles(call.paths)
    with call.looking() as view:
        found = layers.of_request(view, call.given(0, "R"), profiles)
    return call.answer({**_shape(found), "state": call.state}, lambda: _lines(found))


def _shape(found: RequestLayers) -> dict[str, Any]:
    """The four layers, each with its state and its evidence."""
    two, three, four = found.suggestion, found.choice, found.invocation
    said = words.level(four.level)
    return {
        "request": found.request,
        "known": found.known,
        "host": found.host,
        "seat": found.seat,
        "at": found.at,
        "last_at": found.last_at,
        "profile": found.profile,
        "suggestion": {
            "state": two.state,
            "skill": two.skill,
            "at": two.at,
            "evidence": two.last,
        },
        "choice": {
            "state": three.state,
            "skill": three.skill,
            "at": three.at,
            "source": three.source,
            "evidence": three.last,
            "all": three.all,
        },
        "invocation": {
            "state": four.state,
            "level": four.level,
            "said": said,
            "skill": four.skill,
            "at": four.at,
            "evidence": four.proof,
            "receipts": four.receipts,
        },
        "offline": found.offline,
    }


def _lines(found: RequestLayers) -> Iterator[str]:
    where = f" · {found.host}, {signs.seat(found.seat)}" if found.host else ""
    yield output.heading(plain(f"request {found.request}{where}"))
    yield from map(plain, _layers(found))


def _layers(found: RequestLayers) -> Iterator[str]:
    one, two, three, four = found.profile, found.suggestion, found.choice, found.invocation
    named = "" if one.skill is None else f"{one.skill}: "
    yield f"1 profile     {named}{words.PROFILES[one.state]}"
    made = None if two.last is None else two.last.made
    said = words.suggestion(
        two.skill,
        None if made is None else made.fallback_reason,
        asked=made is not None,
        offline=made is not None and made.offline,
    )
    yield f"2 suggestion  {said}"
    if made is not None:
        yield f"              {', '.join(made.features)} ({made.router}, {made.mode})"
    yield f"3 choice      {words.choice(three.skill, three.source)}"
    yield f"4 invocation  {words.invocation(four.level, four.skill)}"
    for kept in four.receipts:
        receipt = kept.recorded
        if receipt.reason is None:
            state = receipt.state
        else:
            state = f"{receipt.state}: {words.refused(receipt.reason)}"
        of = "" if receipt.skill is None else f" of {receipt.skill}"
        yield f"              r{kept.rev} {receipt.kind}{of} by {receipt.adapter}: {state}"
    hidden = [one for one in found.offline if one is not two.last]
    if hidden:
        yield f"offline suggestions under this id, no part of it: {len(hidden)}"


def stats(call: Call) -> int:
    """`route stats`."""
    if call.args.samples:
        return _samples(call)
    if call.args.profiles is not None:
        hint = "route stats --samples --profiles DIR"
        raise BadInput("--profiles goes with --samples", hint, field="profiles")
    from state.routing.router import ROUTER_VERSION

    with call.looking() as view:
        hosts = statistics.by_host(view)
    shown = {"router": ROUTER_VERSION, "hosts": hosts, "state": call.state}

    def lines() -> Iterator[str]:
        if not hosts:
            yield "no host's adapter has asked for a suggestion; offline ones are not counted"
            return
        rows = [
            (
                one.host,
                one.router,
                str(one.requests),
                f"{one.agreement} of {one.compared}",
                f"{one.top_3} of {one.compared}",
                f"{one.fallback} of {one.requests}",
            )
            for one in hosts
        ]
        heads = ("host", "router", "requests", "agreement", "top 3", "fallback")
        yield from output.table(heads, rows, right=(2,))

    return call.answer(shown, lines)


def _samples(call: Call) -> int:
    entries = _entries(call)
    early = statistics.of_samples(entries, late=False)
    late = statistics.of_samples(entries, late=True)
    from state.routing.router import ROUTER_VERSION

    figures = {"entries": len(entries), **asdict(early), "late": late}
    shown = {"router": ROUTER_VERSION, "offline": True, **figures}

    def lines() -> Iterator[str]:
        yield f"{ROUTER_VERSION} on its frozen samples, offline, with {len(entries)} profiles"
        rows = [
            (
                name,
                str(one.samples),
                f"{one.top_1} of {one.fitting}",
                f"{one.top_3} of {one.fitting}",
                f"{one.fallback} ({one.rightly} of {one.samples - one.fitting} where none fits)",
            )
            for name, one in (("before it was frozen", early), ("after (late)", late))
        ]
        yield from output.table(("samples", "number", "top 1", "top 3", "fallback"), rows)

    return call.answer(shown, lines)


def _entries(call: Call) -> Any:
    """The entries to try the samples on: those of a folder, else those of the index."""
    if call.args.profiles is not None:
        from state.routing.building import of_folder

        return of_folder(call.args.profiles)
    from state.routing import skill_index

    found = skill_index.ready(call.paths)
    if isinstance(found, skill_index.Unusable):
        raise BadInput(words.fallback(found.reason), "build it: route index", field="index")
    return tuple(one for one in found.index.entries if one.path not in found.drifted)
