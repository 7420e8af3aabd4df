"""What can happen to a request to use a skill: the facts of the journal (S6, S10, S11, S14).

Ids, numbers and words of closed lists only: no text of a prompt, an argument, a file or an answer.
"""

from dataclasses import dataclass, field

from state.routing.router import Candidate


@dataclass(frozen=True, slots=True)
class Locator:
    """Where the evidence stands; what isn't known is null.

    `event` is the hook event or the type of entry. `offset` and `sha256` are those of a line of
    `file`, a transcript or log; raw hook input is never kept or hashed.
    """

    session: str | None
    agent: str | None
    event: str | None
    tool_use: str | None
    file: str | None
    offset: int | None
    sha256: str | None


@dataclass(frozen=True, slots=True)
class SuggestionMade:
    """What the router would propose for a request; nobody has to follow it (S5, S9).

    `adapter` and `host` are who asked; `offline` when no registered adapter did (S17). `index` is
    the hash of the index that was read. Both lists of candidates are cut, `drifted` too.
    """

    op: str = field(default="suggestion_made", init=False)
    request: str
    mode: str
    offline: bool
    host: str
    adapter: str | None
    fingerprint: str | None
    features: tuple[str, ...]
    sample: str | None
    router: str
    vocabulary: str
    index: str | None
    threshold: int
    considered: int
    candidates: tuple[Candidate, ...]
    excluded: tuple[Candidate, ...]
    drifted: tuple[str, ...]
    drifted_count: int
    fallback_used: bool
    fallback_target: str | None
    fallback_reason: str | None


@dataclass(frozen=True, slots=True)
class ChoiceRecorded:
    """What a host chose, as it was reported: a skill, or with null none (S10).

    `source` is `hook`, `transcript`, `adapter:ID` or `by hand`; `chosen_by` `host`, `person` or
    `unknown`.
    """

    op: str = field(default="choice_recorded", init=False)
    request: str
    host: str
    seat: str
    skill: str | None
    source: str
    chosen_by: str
    adapter: str | None
    fingerprint: str | None
    locator: Locator | None


@dataclass(frozen=True, slots=True)
class ReceiptRecorded:
    """A `routing-invocation-receipt-v1`, `accepted` or `refused` with the reason (S11).

    `kind` is the kind of evidence, which alone gives the level. `skill_sha256` is that of the one
    SKILL.md, or `unresolved`; `skill_sha256_by` says whether the `program` itself found it or the
    `adapter` states it. `source` is as in a choice. `at` is when it happened, as reported.
    """

    op: str = field(default="receipt_recorded", init=False)
    request: str
    host: str
    seat: str
    adapter: str
    fingerprint: str
    source: str
    skill: str | None
    skill_sha256: str
    skill_sha256_by: str
    kind: str
    level: str
    at: str
    locator: Locator
    file_sha256: str | None
    state: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class HookNoted:
    """A hook that could not do its work: `note` is a word of a closed list, `event` the event's."""

    op: str = field(default="hook_noted", init=False)
    host: str
    seat: str
    note: str
    event: str
