"""Whether evidence shows what its receipt claims, where the form of its host is known (S2, S11).

Of Claude Code and Codex that is known: their transcripts and their hook events. Of other hosts it
is the registered adapter's word.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from state.routing.documents import ByHook, InFile
from state.routing.evidence import CLAUDE, is_of
from state.routing.evidence import CODEX as OF_CODEX
from state.routing.hooks import event
from state.routing.hooks.seen import CLAUDE_CODE, CODEX, Seen
from state.routing.known import Known, of_seen
from state.routing.requests import is_about
from state.routing.roots import Root
from state.routing.transcripts import so_far

# Nothing that these hosts write shows them: the one fires nothing, the other says just that.
NEVER_WRITTEN = frozenset({"preload", "cannot_say"})
# Which hook event a kind of evidence comes from.
_EVENTS = {
    "pre_tool_use": "PreToolUse",
    "post_tool_use": "PostToolUse",
    "tool_failed": "PostToolUse",
    "file_read": "PostToolUse",
    "prompt_expansion": "UserPromptExpansion",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a receipt says of its evidence: which request it is about, which kind, which skill."""

    request: str
    host: str
    kind: str
    skill: str | None


def form_of(host: str, kind: str) -> str | None:
    """The host in whose form such evidence must be; None where that isn't known."""
    if kind in NEVER_WRITTEN:
        return None
    if is_of(host, OF_CODEX):
        return CODEX
    return CLAUDE_CODE if is_of(host, CLAUDE) else None


def by_hook(claim: Claim, evidence: ByHook) -> str | None:
    """Why an event of that name, in that session, can't show it; None where it can."""
    form = form_of(claim.host, claim.kind)
    if form is None:
        return None
    if _EVENTS.get(claim.kind) != evidence.event:
        return "shows_other"
    hosts = (form, claim.host)
    return None if is_about(claim.request, hosts, evidence.session) else "other_request"


def in_file(
    claim: Claim, evidence: InFile, fd: int, line: bytes, roots: Iterable[Root], home: str
) -> Known | str:
    """The skill that the entry shows as it is claimed; the reason of a refusal where it doesn't.

    `line` is the entry in the open file; only of a form that is known. OSError comes through.
    """
    host = form_of(claim.host, claim.kind) or ""
    listed = tuple(roots)
    why = "shows_other"
    for seen in _seen(host, evidence, fd, line, home):
        if seen.kind != claim.kind or evidence.tool_use not in (None, seen.tool_use):
            continue
        for known in of_seen(seen, host, listed):
            if known.skill != claim.skill:
                continue
            if is_about(claim.request, (host, claim.host), seen.session, *seen.ids):
                return known
            why = "other_request"
    return why


def _seen(host: str, evidence: InFile, fd: int, line: bytes, home: str) -> Iterator[Seen]:
    """What the entry shows: as an event in a log, or as a line of a transcript.

    A line may show something by what stands before it, or behind it. What it showed when it was
    the last counts as long as the rest doesn't take it back.
    """
    logged = event.read(host, line, home).seen
    if logged is not None:
        yield logged
    whole = so_far(evidence.file, fd, evidence.bytes, home)
    until = so_far(evidence.file, fd, evidence.offset + len(line), home)
    if whole.host != host:
        return
    stands = {_id(one.seen) for one in whole.found}
    for one in (*whole.found, *(one for one in until.found if _id(one.seen) in stands)):
        if one.place.offset == evidence.offset:
            yield one.seen


def _id(seen: Seen) -> str | None:
    """The one id that it goes by (S16)."""
    return next((one for one in seen.ids if one is not None), None)
