"""What the skills mode says: its parts, the four layers in rows and in full, figures, empty states.

A skill that stands in a list is in that list, and nothing more is said of it (S4, S13).
"""

from __future__ import annotations

from collections.abc import Mapping

from panel.words import routing
from panel.words.signs import Sign

REQUESTS, SKILLS, INVENTORY, FIGURES = "requests", "skills", "inventory", "figures"
PARTS: Mapping[str, str] = {
    REQUESTS: "Requests",
    SKILLS: "Skills",
    INVENTORY: "Inventory",
    FIGURES: "Router and hosts",
}
NONE = "—"
READING = "reading…"
NOTHING_OPEN = "What the cursor stands on is shown here."

REQUEST, HOST, SEAT, AGE, SKILL, BY, ODD, ALIKE, WHERE, BYTES = (
    "request",
    "host",
    "seat",
    "age",
    "skill",
    "by whom",
    "what is odd",
    "alike",
    "folder",
    "size",
)
LAYERS = ("1 profile", "2 suggestion", "3 choice", "4 invocation")
LAYERS_OF_SKILL = ("1 profile", "2 suggested", "3 chosen", "4 invoked")
STATE, EVIDENCE = "state", "evidence"

PROFILES: Mapping[str, Sign] = {
    "profiled": Sign("◆", routing.PROFILES["profiled"], "$text-success"),
    "not_promoted": Sign("◈", routing.PROFILES["not_promoted"], ""),
    "drifted": Sign("≠", routing.PROFILES["drifted"], "$text-warning"),
    "not_indexed": Sign("◇", routing.PROFILES["not_indexed"], "$text-muted"),
    "no_skill": Sign("·", routing.PROFILES["no_skill"], "$text-muted"),
}
# What a column says that has no room for the whole.
PROFILES_SHORT: Mapping[str, str] = {
    str(PROFILES["not_promoted"]): f"{PROFILES['not_promoted'].sign} not promoted",
    str(PROFILES["not_indexed"]): f"{PROFILES['not_indexed'].sign} not indexed",
    str(PROFILES["no_skill"]): f"{PROFILES['no_skill'].sign} no skill",
}
NOT_ASKED = Sign("·", routing.NO_SUGGESTION, "$text-muted")
SUGGESTED = Sign("→", "", "")
FELL_BACK = Sign("↪", "", "$text-warning")
OFFLINE = Sign("◌", "", "$text-muted")
NOT_REPORTED = Sign("·", routing.NO_CHOICE, "$text-muted")
NOT_ASKED_SHORT = {str(NOT_ASKED): "· not asked"}
NOT_REPORTED_SHORT = {str(NOT_REPORTED): "· no report"}
CHOSEN = Sign("▪", "", "")
CHOSE_NONE = Sign("▫", "", "")
# By what accepted receipts prove; only the last of the good ones is a use.
LEVELS: Mapping[str | None, Sign] = {
    None: Sign("○", "", "$text-muted"),
    "offered": Sign("○", "", "$text-muted"),
    "injected": Sign("○", "", ""),
    "file_read": Sign("○", "", ""),
    "requested": Sign("○", "", ""),
    "confirmed": Sign("●", "", "$text-success"),
    "failed": Sign("✗", "", "$text-error"),
    "unknown": Sign("?", "", "$text-muted"),
}

NO_REQUESTS = (
    "No request yet. A request is one occasion to use a skill; its four layers (profile,"
    " suggestion, choice, invocation) stand beside each other here, each with its own evidence."
    " Hosts report them once you register their adapter:\n"
    "sublation-panel adapter register builtin:claude-code\n"
    "sublation-panel hook settings claude-code\n"
    "To ask the router yourself, as an offline suggestion:\n"
    "sublation-panel route suggest --sample s-01"
)
NO_SKILLS = (
    "No skill is known yet: none stands in the router's index, none was suggested, chosen or used."
    " The index is made from the profiles (routing.json) in the skill roots:\n"
    "sublation-panel skill roots add DIR\n"
    "sublation-panel route index"
)
NO_INVENTORY = (
    "No skill was found in the roots. A skill is a folder with a SKILL.md:\n"
    "sublation-panel skill roots add DIR"
)
NO_FIGURES = (
    "No host's adapter has asked the router yet, so there is nothing to compare. With an adapter"
    " registered and an index built, its suggestions and choices are counted here, per host and"
    " router version; what you ask yourself never is:\n"
    "sublation-panel adapter register builtin:claude-code\n"
    "sublation-panel route index"
)
LOOKING = "looking through the requests, the newest first…"
FILTER_HELP = "words that must all stand in the row, as in: claude-code not invoked"
NOTHING_TO_FILTER = "there is nothing to filter here"
STOPPED_SAID = "reading stopped; nothing is listed"
STOPPED_LISTED = "reading stopped; what was listed before stays"
# Of a duplicate, in a column: by what, and whether the bytes are equal (S13).
ALIKE_SHORT: Mapping[tuple[str, bool], str] = {
    ("name", False): "name, other bytes",
    ("name", True): "name, equal bytes",
    ("bytes", True): "equal bytes",
    ("folded", False): "a name much like it",
    ("folded", True): "a name much like it, equal bytes",
}
# Of which states of a root something is in the list.
READ: Mapping[str, bool] = {"read": True, "read_already": True}
ROOT, SAYS, LOADS = "root", "says", "loads"
ROOTS, LEFT_OUT = "roots", "left out"
COUNTS = (
    "Layer 2 counts what hosts asked for; layer 3 and 4 count requests. None is made of another."
)
BY_NOBODY = "No host reported that it was chosen, and no receipt proves a use."
AGREEMENT, TOP_3, FALLBACK = "agreement", "top 3", "fallback"
COMPARED, ASKED = "compared", "asked"
NOT_COUNTED = "Offline suggestions are in none of these, nor any made after the choice."
HOOK_NOTES = "what hooks could not do"


def title(part: str, said: str, following: str) -> str:
    """Over a part; `following` names the key and the next part where only one is on the screen."""
    parts = [f"{PARTS[part]} ({said})" if said else PARTS[part], following]
    return " · ".join(one for one in parts if one)


def following(key: str, part: str) -> str:
    """Which part the key brings next."""
    return f"{key}: {PARTS[part].lower()}"


def requests(count: int) -> str:
    """How many requests there are, and in which order."""
    return f"{count:,} · newest first" if count else ""


def through(filter_text: str, count: int, share: str | None, why: str) -> str:
    """What a filter lets through, and how far it has come."""
    so_far = "" if share is None else f", {share} looked through"
    parts = [f"{count:,} found{so_far}", why, f"filter {filter_text}"]
    return " · ".join(one for one in parts if one)


def short(request: str, host: str) -> str:
    """A request in a row: of an id that a host's event gave, first what tells it from others."""
    first, _, rest = request.partition(":")
    one, _, event = rest.partition(":")
    return f"{event} · {one}" if host and first == host and event else request


def skills(count: int, index: str) -> str:
    """How many skills journal and index know, and which index that is."""
    return " · ".join(one for one in (f"{count:,}" if count else "", index) if one)


def filtered(count: int, whole: int, filter_text: str) -> str:
    """How much of a list a filter lets through."""
    return f"{count:,} of {whole:,} · filter {filter_text}"


def reading(folders: int) -> str:
    """How far the reading of the roots has come."""
    return f"reading, {folders:,} folder{'' if folders == 1 else 's'} so far"


def none_left(back: str) -> str:
    """The list that a filter has emptied, and the key that fills it again."""
    return f"Nothing here is let through by this filter. Press {back} to take the filter away."


def reading_roots(back: str) -> str:
    """Where the list will be, and the key that stops the reading."""
    return f"Reading the skill roots… {back} stops it."


def read_again(back: str) -> str:
    """The reading was asked for, and the key that stops it."""
    return f"reading the skill roots and the index again; {back} stops it"


def stopped(key: str) -> str:
    """Where the list would be that was not read."""
    return f"Reading the skill roots was stopped by you. {key} begins anew."


def covered(skills: int, read: int, roots: int, left_out: str) -> tuple[str, str, str]:
    """S13: what a list of skills covers, never a bare total."""
    many = f"{skills:,} skill{'' if skills == 1 else 's'}"
    return many, f"{read:,} of {roots:,} root{'' if roots == 1 else 's'} read", left_out


def left_out(count: int, why: str) -> str:
    """S13: how many folders were not gone into, and why."""
    return f"{count:,} left out: {why}"


def index(entries: int, router: str) -> str:
    """The router's index, which is a picture of metadata."""
    return f"index of {entries:,} profile{'' if entries == 1 else 's'} by {router}"


def uses(host: str, seat: str, chosen: int, confirmed: int) -> str:
    """S1: by whom a skill was chosen and used, two counts that are never one."""
    return f"{host}, {seat}: chosen {chosen:,}, {invoked(confirmed)}"


def suggested(count: int, first: int) -> str:
    """How often hosts were told of a skill, and how often in the first place."""
    return f"{count:,}, first {first:,}" if count else "never"


def chosen(count: int) -> str:
    """In how many requests a skill was chosen."""
    return f"{count:,}" if count else "never"


def invoked(count: int, level: str | None = None) -> str:
    """S2: in how many requests a use is proved; without one, what is proved instead."""
    return f"invoked in {count:,}" if count else routing.level(level)


def suggested_in(count: int, first: int) -> str:
    """Layer 2 of a skill."""
    return f"to a host {count:,}×, in the first place {first:,}×" if count else "never, to a host"


def chosen_in(count: int) -> str:
    """Layer 3 of a skill."""
    return f"in {_requests(count)}" if count else "never, as far as hosts reported it"


def invoked_in(count: int, level: str | None) -> str:
    """S2: layer 4 of a skill; only accepted receipts of a proved use count."""
    return f"in {_requests(count)}, proved by receipts" if count else routing.level(level)


def _requests(count: int) -> str:
    return f"{count:,} request{'' if count == 1 else 's'}"


def promoted(candidate: str, decision: str) -> str:
    """Which decision a profile comes from."""
    return f"promoted from {candidate}, by the decision {decision}"


def taken(when: str) -> str:
    """When the roots were read."""
    return f"read {when}"


def in_root(skills: int) -> str:
    """What a root holds."""
    return f"{skills:,} skill{'' if skills == 1 else 's'} in"


def folders(count: int, said: str) -> str:
    """How many folders were looked into, and what was left out."""
    return f"{count:,} folder{'' if count == 1 else 's'} looked into; {said}"


def figured(host: str, router: str, asked: int) -> str:
    """Whose figures they are."""
    return f"{host} · {router} · asked in {_requests(asked)}"


def part_of(part: int, whole: int, what: str, share: str) -> str:
    """A figure with what it is a part of, never a bare rate."""
    if not whole:
        return f"nothing {what} yet"
    return f"{part:,} of {whole:,} {what} ({share})"


def hook_note(host: str, seat: str, event: str, why: str) -> str:
    """A hook that could not do its work."""
    named = f" on {event}" if event else ""
    return f"{host}, {seat}{named}: {why}"


def profile(state: str) -> Sign:
    """Layer 1 with its sign; a state that is not known by its own name."""
    return PROFILES.get(state) or Sign("·", state)


def level(found: str | None) -> Sign:
    """The sign of what accepted receipts prove."""
    return LEVELS.get(found) or Sign("·", "")


def more(count: int) -> str:
    """What is not listed."""
    return f"and {count:,} more"
