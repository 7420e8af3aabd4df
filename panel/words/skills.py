"""What is said of skills: what is odd about a file, why a folder was left out, what was read.

The words hold text from outside; they reach a terminal or widget through its door alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from panel.words.signs import Sign

if TYPE_CHECKING:
    from state.routing.inventory import Skill
    from state.routing.notes import Problem


class Said(NamedTuple):
    """A code in few words, for a column, and in a sentence."""

    short: str
    sentence: str


PROBLEMS: Mapping[str, Said] = {
    "unreadable": Said("can't be read", "SKILL.md can't be read"),
    "link": Said("a link", "SKILL.md is a link, which is not followed"),
    "not_a_file": Said("no file", "SKILL.md is no regular file"),
    "too_large": Said("too large", "SKILL.md is too large to be hashed"),
    "no_front_matter": Said("no front matter", "the file has no front matter: --- in line 1"),
    "front_matter_open": Said("front matter open", "the front matter has no end: a line ---"),
    "front_matter_too_long": Said(
        "front matter too long", "the front matter is longer than 64 KiB"
    ),
    "bad_yaml": Said("bad YAML", "the front matter is no YAML"),
    "yaml_too_deep": Said("YAML too deep", "the front matter is nested too deep"),
    "yaml_not_fields": Said("no fields", "the front matter holds no fields"),
    "yaml_alias": Said("YAML alias", "the front matter has an alias (*), which is not followed"),
    "field_twice": Said("field twice", "a field stands there twice; the last one counts"),
    "field_unknown": Said("other fields", "it has fields that the standard doesn't know"),
    "name_missing": Said("no name", "it gives no name; its folder's is shown"),
    "name_not_text": Said("name no text", "the name is no text"),
    "name_not_kebab": Said(
        "name not kebab-case", "the name is not lower-case letters, digits and single hyphens"
    ),
    "name_too_long": Said("name too long", "the name has more than 64 characters"),
    "name_unlike_folder": Said("name unlike folder", "the name is not that of its folder"),
    "description_missing": Said("no description", "it gives no description"),
    "description_not_text": Said("description no text", "the description is no text"),
    "description_too_long": Said(
        "description too long", "the description has more than 1,024 characters"
    ),
    "file_name": Said("other file name", "the file is not called SKILL.md in just these letters"),
    "two_files": Said("two files", "several files differ from SKILL.md by case alone"),
    "nested": Said("inside a skill", "it lies inside the folder of another skill"),
    "crlf": Said("CRLF", "it has line ends of Windows (CRLF)"),
    "bom": Said("BOM", "it begins with a byte order mark"),
    "nul": Said("NUL", "it holds NUL bytes"),
    "not_utf8": Said("not UTF-8", "it is not UTF-8"),
}

SKIPS: Mapping[str, Said] = {
    "link_outside": Said("link outside", "a link that leads out of the root"),
    "link_inside": Said("link inside", "a link to what is read under its own name"),
    "link_loop": Said("link loop", "a link that leads back to where it is"),
    "link_broken": Said("broken link", "a link that leads nowhere"),
    "unreadable": Said("can't be read", "a folder that can't be read"),
    "read_already": Said("read already", "a folder that is read as a root of its own"),
    "version_control": Said("version control", "the folder of a version control system"),
    "too_deep": Said("too deep", "a folder that lies too deep"),
    "too_many": Said("too many", "the rest of a root with too many names"),
}

STATUSES: Mapping[str, Sign] = {
    "profiled": Sign("◆", "profiled", "$text-success"),
    "unclassified": Sign("◇", "unclassified", "$text-muted"),
    "refused": Sign("⊘", "refused", "$text-error"),
    "drifted": Sign("≠", "drifted", "$text-warning"),
    "broken": Sign("✗", "broken", "$text-error"),
}
NOT_PROMOTED = Sign("◈", "profiled (not promoted)", "")

ROOTS: Mapping[str, str] = {
    "read": "read",
    "read_already": "read with another root",
    "missing": "not there",
    "not_a_folder": "no folder",
    "unreadable": "can't be read",
}
SCOPES: Mapping[str, str] = {
    "user": "yours",
    "project": "this project's",
    "added": "added",
    "given": "given",
}
OF_HOSTS = ("user", "project")
SHARED = "several hosts"
# Of a duplicate: by what, and whether the bytes are equal.
ALIKE: Mapping[tuple[str, bool], str] = {
    ("name", False): "the same name, other bytes",
    ("name", True): "the same name, equal bytes",
    ("bytes", True): "equal bytes",
    ("folded", False): "names that differ only in form or case",
    ("folded", True): "names that differ only in form or case, equal bytes",
}
LOADS: Mapping[str, str] = {
    "yes": "would load it, by the Agent Skills standard",
    "no": "would not load it",
    "not known": "not known whether it would load it",
}
NOT_HASHED = "not known"
NO_HOST = "not known which host reads this root"
NO_SKILL = "no skill was found"
NOTHING_SKIPPED = "no folder skipped"
NO_PROFILE = "it has no routing.json; skill check --draft proposes one"
READ_ONLY = "Skill folders are read only; nothing in them is ever changed."


def status(skill: Skill) -> str:
    """The state of a skill's profile, in words (S3)."""
    return sign(skill).word


def sign(skill: Skill) -> Sign:
    """The same with its sign, which is that of layer 1."""
    found = STATUSES[skill.status]
    if found is not STATUSES["profiled"] or skill.profile is None or skill.profile.is_promoted:
        return found
    return NOT_PROMOTED


def whose(scope: str, reader: str) -> str:
    """Whose a root is: that of a host, or added by the user."""
    said = SCOPES[scope]
    return f"{reader or SHARED}, {said}" if scope in OF_HOSTS else said


def problem(found: Problem) -> str:
    """A note as a sentence, with what it is about."""
    return PROBLEMS[found.code].sentence + (f": {found.detail}" if found.detail else "")


def notes(skill: Skill) -> str:
    """All notes of a skill in few words, for a column."""
    return ", ".join(PROBLEMS[one.code].short for one in skill.problems)
