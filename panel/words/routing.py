"""Words of skill routing: layers, levels, sources, and why something was refused (S1, S2, S8)."""

from __future__ import annotations

from collections.abc import Mapping

NOT_INVOKED = "not invoked"

LEVELS: Mapping[str, str] = {
    "offered": "offered",
    "injected": "injected",
    "file_read": "file read",
    "requested": "requested",
    "confirmed": "invoked",
    "failed": "failed",
    "unknown": "this host can't say",
}

FALLBACK: Mapping[str, str] = {
    "low_confidence": "nothing fits well enough",
    "index_missing": "there is no skill index",
    "index_damaged": "the skill index is damaged",
    "index_outdated": "the skill index is outdated",
    "timeout": "the router ran out of time",
    "crashed": "the router could not reckon",
}

REFUSED: Mapping[str, str] = {
    "unknown_request": "no such request is known",
    "unregistered_adapter": "its adapter isn't registered",
    "other_fingerprint": "its adapter was registered with another fingerprint",
    "other_host": "its adapter is not one of this host",
    "level_not_proved": "its evidence doesn't prove that level",
    "file_missing": "its evidence file can't be read",
    "file_changed": "its evidence file has another sha256",
    "entry_missing": "the entry isn't in its evidence file",
    "shows_other": "its evidence shows something else than it says",
    "other_request": "its evidence is about another request",
}

MEND: Mapping[str, str] = {
    "unknown_request": "name the request of a suggestion, a choice or a hook's event: route list",
    "unregistered_adapter": "the user registers it: sublation-panel adapter register",
    "other_fingerprint": "the user registers it anew: sublation-panel adapter register",
    "other_host": "the user registers it for that host: --capability host:HOST",
    "level_not_proved": "docs/routing.md has the level of each kind of evidence",
    "file_missing": "name a plain file, by its absolute path",
    "file_changed": "give the sha256 of its first bytes, and how many these are",
    "entry_missing": "give where its line begins, and the sha256 of the line",
    "shows_other": "docs/routing.md says what each kind of evidence is",
    "other_request": "name the request of the entry's own session and id: HOST:SESSION:ID",
}

PROFILES: Mapping[str, str] = {
    "profiled": "profiled",
    "not_promoted": "profiled (not promoted)",
    "drifted": "drifted",
    "not_indexed": "not in the index",
    "no_skill": "no skill named",
}

IN_SHORT: Mapping[str, str] = {
    "profiled": "profile ✓",
    "not_promoted": "profile ✓ (not promoted)",
    "drifted": "profile drifted",
    "not_indexed": "no profile in the index",
    "no_skill": "no skill named",
}

LOWERED: Mapping[str, str] = {
    "not_offered": "asked for, not in its profile",
    "not_asked": "in its profile, not asked for",
}

NO_SUGGESTION = "no suggestion"
NO_CHOICE = "no choice reported"
CHOSE_NONE = "no skill chosen"
OFFLINE = "offline suggestion"

NOTES: Mapping[str, str] = {
    "bad_input": "what the host sent could not be read",
    "too_large": "what the host sent was too large",
    "unknown_event": "the host sent an event that is not known",
    "unnamed": "the skill's name has not the form of one",
    "timeout": "it ran out of time",
    "no_seat": "no seat was named (SUBLATION_SEAT, or --as)",
    "drifted": "its readers are not those that were registered",
    "refused": "a rule forbids it",
    "spool_full": "too many events wait in the spool",
    "spool_damaged": "an event in the spool was damaged and is set aside",
    "bug": "it met a bug in this program",
}

SOURCES: Mapping[str, str] = {
    "hook": "by a hook",
    "transcript": "from a transcript",
    "by hand": "by hand",
}


def level(found: str | None) -> str:
    """S2: layer 4 in words. Only a proved use reads as invoked."""
    if found is None:
        return NOT_INVOKED
    said = LEVELS.get(found, found)
    return said if found == "confirmed" else f"{NOT_INVOKED} · {said}"


def source(given: str) -> str:
    """S10: where the report of a choice comes from."""
    return SOURCES.get(given, given)


def fallback(reason: str) -> str:
    """S8: why there is no suggestion."""
    return FALLBACK.get(reason, reason)


def refused(reason: str) -> str:
    """S11: why a receipt doesn't count."""
    return REFUSED.get(reason, reason)


def mend(reason: str) -> str:
    """What to do about a receipt that doesn't count."""
    return MEND.get(reason, "")


def note(given: str) -> str:
    """What kept a hook from its work."""
    return NOTES.get(given, given)


def suggestion(skill: str | None, reason: str | None, *, asked: bool, offline: bool) -> str:
    """Layer 2 in words: a signal in shadow, which says nothing of what a host did."""
    if not asked:
        return NO_SUGGESTION
    said = skill if skill is not None else "fallback"
    if reason is not None:
        said = f"fallback: {fallback(reason)}"
    return f"{said} ({OFFLINE})" if offline else said


def choice(skill: str | None, given: str | None) -> str:
    """Layer 3 in words, always with the source of the report (S10)."""
    if given is None:
        return NO_CHOICE
    return f"{CHOSE_NONE if skill is None else skill} ({source(given)})"


def invocation(found: str | None, skill: str | None) -> str:
    """Layer 4 in words: what accepted receipts prove, and of which skill."""
    return level(found) if skill is None else f"{level(found)}: {skill}"


def has_profile(state: str) -> str:
    """Layer 1 where there is room for few words."""
    return IN_SHORT.get(state, state)


def suggested(skill: str | None, reason: str | None) -> str:
    """Layer 2 of a host's request where there is room for few words."""
    if reason is not None:
        return f"fallback: {fallback(reason)}"
    return NO_SUGGESTION if skill is None else f"suggested {skill}"


def chose(skill: str | None, given: str | None) -> str:
    """Layer 3 where there is room for few words, with its source all the same (S10)."""
    if given is None:
        return NO_CHOICE
    return f"{'chose no skill' if skill is None else f'chose {skill}'} ({source(given)})"


def receipts_refused(count: int) -> str:
    """S11: receipts that are kept and prove nothing."""
    return f"{count:,} receipt{'' if count == 1 else 's'} refused"
