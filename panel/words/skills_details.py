"""What is said of one request: its layers, a suggestion explained, choices and receipts in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from panel.words import routing, signs
from panel.words.signs import Sign
from panel.words.skills_screen import NOT_ASKED, NOT_REPORTED

if TYPE_CHECKING:
    from state.routing.operations import SuggestionMade

SIDE_BY_SIDE = "the four layers side by side"
OFFLINE_APART = "offline suggestions under this id"
NO_PART = "no part of the host's request, and in no rate"
NO_HOST = "of no host"
NOT_KNOWN_REQUEST = "named by refused receipts alone"
FILE, PROFILE, SKILL_FILE, FILE_HASH, ENTRY_HASH = (
    "file",
    "routing.json",
    "SKILL.md",
    "its sha256",
    "entry sha256",
)
EARLIER = "before it"
SUGGESTIONS: Mapping[str, Sign] = {
    "none": NOT_ASKED,
    "suggested": Sign("→", "suggested", ""),
    "fallback": Sign("↪", "fallback", "$text-warning"),
}
CHOICES: Mapping[str, Sign] = {
    "none": NOT_REPORTED,
    "chosen": Sign("▪", "chosen", ""),
    "no_skill": Sign("▫", routing.CHOSE_NONE, ""),
}
RECEIPTS: Mapping[str, Sign] = {
    "accepted": Sign("☑", "receipt accepted", "$text-success"),
    "refused": Sign("☒", "receipt refused", "$text-error"),
}
# What a state of layer 1 means, where the word alone may not say it.
PROFILE_MEANS: Mapping[str, str] = {
    "profiled": "What the skill says of itself; a picture of metadata, and nothing more.",
    "not_promoted": "What the skill says of itself; no decision promoted this profile.",
    "drifted": "Its SKILL.md or routing.json changed since the index was built; it is not suggested"
    " until `sublation-panel route index` builds it again.",
    "not_indexed": "The index holds no profile of this name; `sublation-panel route index` builds"
    " it from every valid routing.json.",
    "no_skill": "Neither a suggestion, a choice nor a receipt names a skill.",
}
IN_SHADOW = "in shadow: it changes nothing at any host, and no host has to follow it"
OFFLINE_MEANS = "an offline suggestion: no host's adapter asked for it, it enters no rate"
ASKED_FOR, ROUTER, INDEX, CONSIDERED = "asked for", "router", "index", "looked at"
NO_INDEX = "none"
EXCLUDED = "excluded:"
SIGNAL = "A signal to the host's adapter; it doesn't say that the old catalogue was used."
WEIGHTS = ("points", "feature", "reckoned from")

CHOSEN_BY, OF_SEAT, ADAPTER, EVENT, SESSION, AGENT, TOOL_USE, OFFSET = (
    "chosen by",
    "seat, host",
    "adapter",
    "event",
    "host session",
    "host agent",
    "tool use",
    "entry",
)
HAPPENED, SOURCE, CHECKED = "happened", "reported", "checked"
CHOOSERS: Mapping[str, str] = {
    "host": "the host",
    "person": "the person",
    "unknown": "not known",
}
NO_CHOICE_MEANS = (
    "Nothing was reported: neither that the host chose a skill, nor that it chose none."
)
NO_RECEIPT_MEANS = "No receipt was brought, so nothing is proved."
CHECKED_EVENT = (
    "the request is known, the adapter registered with this fingerprint; of a hook event there is"
    " nothing to look at, it is the registered adapter's word"
)
CHECKED_FILE = (
    "the request is known, the adapter registered with this fingerprint, the file has its sha256,"
    " the entry stands in it and shows this"
)
CHECKED_ENTRY = (
    "the request is known, the adapter registered with this fingerprint, the file has its sha256,"
    " the entry stands in it; what an entry of this host shows is the registered adapter's word"
)
UNRESOLVED = "unresolved: no one SKILL.md could be told by the name; that lowers nothing else"
# S11: whose word the hash of a SKILL.md is.
FOUND_BY: Mapping[str, str] = {
    "program": "looked up when it was recorded",
    "adapter": "as the adapter states it; not what was found then",
}


def a_request(request: str) -> str:
    """Over a request."""
    return f"request {request}"


def between(first: str, last: str) -> str:
    """When a request was first and last written about."""
    return first if first == last else f"{first} to {last}"


def version(number: int) -> str:
    """Which version of its profile a skill brings."""
    return f"profile version {number}"


def built(when: str) -> str:
    """When the index was made that layer 1 comes from."""
    return f"built {when}"


def several(entries: int) -> str:
    """A name alone does not say which skill is meant."""
    return f"{entries} skills of this name with other bytes; this is the first by its hashes"


def sha256(digest: str) -> str:
    """A hash, as far as one compares it by eye."""
    return f"sha256 {digest[:16]}…"


def suggestion_state(state: str, made: SuggestionMade | None) -> str:
    """Layer 2 in a word, with the mark of an offline suggestion (S17)."""
    sign = SUGGESTIONS[state]
    if made is None:
        return sign.word
    said = sign.word
    if made.fallback_reason is not None:
        said = f"{said}: {routing.fallback(made.fallback_reason)}"
    return f"{said} ({routing.OFFLINE})" if made.offline else said


def reported(source: str | None, rev: int) -> str:
    """S10: where the report of a choice comes from, and its line."""
    return f"{routing.source(source or '')}, r{rev}"


def made(rev: int, when: str, by: str) -> str:
    """Which line holds a suggestion."""
    return f"r{rev}, {when}, written by {signs.seat(by)}"


def of_sample(sample: str, features: str) -> str:
    """A frozen sample was given in place of features."""
    return f"sample {sample}: {features}"


def considered(entries: int, threshold: int) -> str:
    """How many profiles were compared, and which score a suggestion needs."""
    return f"{entries:,} profile{'' if entries == 1 else 's'}; a suggestion needs {threshold:,}"


def fell_back(target: str, why: str, reason: str) -> str:
    """S8: no suggestion, and why."""
    return f"fallback to {target}: {why} ({reason})"


def place(number: int) -> str:
    """The place of a candidate."""
    return f"{number}."


def score(points: int) -> str:
    """What a candidate reached."""
    return f"score {points:,}"


def excluded_by(feature: str) -> str:
    """Why a skill can't be suggested for this."""
    return f"excluded by {feature}, which was asked for"


def weighed(weight: int, share: int) -> str:
    """Points are the weight times the share of a thousand."""
    return f"weight {weight} × {share}‰"


def share(of_thousand: int) -> str:
    """The part that a feature has of what was asked for."""
    return f"{of_thousand}‰"


def an_eighth(what: str, reckoned: str) -> str:
    """What takes points off, and how many."""
    return f"{what}: an eighth of {reckoned}"


def drifted(names: str, more_of_them: int) -> str:
    """S4: what was left out because its files have changed."""
    rest = f" and {more_of_them:,} more" if more_of_them else ""
    return f"left out, their files have changed: {names}{rest}"


def at_host(seat: str, host: str) -> str:
    """Which seat, at which host."""
    return f"{seat}, {host}"


def adapter(name: str, fingerprint: str) -> str:
    """Who brought it."""
    return f"{name}, fingerprint {fingerprint[:16]}…"


def proves(kind: str, level: str) -> str:
    """What kind of evidence an accepted receipt brings, and what that kind proves."""
    return f"{kind}, which proves: {level}"


def said_to_prove(kind: str, level: str) -> str:
    """What a refused receipt claims."""
    return f"{kind}, which would prove: {level}"


def skill_file(digest: str, by: str) -> str:
    """S11: the one SKILL.md that was meant, if that is known, and whose word that is."""
    said = UNRESOLVED if digest == "unresolved" else sha256(digest)
    return f"{said} ({FOUND_BY.get(by, by)})"


def byte(offset: int) -> str:
    """Where an entry begins."""
    return f"at byte {offset:,}"


def why_refused(sentence: str, code: str) -> str:
    """S11: why a receipt proves nothing."""
    return f"{sentence} ({code}); it is kept and proves nothing"
