"""What can be wrong with a skill, and why a folder was not gone into: two closed lists of codes.

A note stands on the row of its skill and hides nothing (S13). `panel/words/skills.py` has the
sentence of each code.
"""

from typing import NamedTuple

# Code -> whether a skill with it is `broken`: by the Agent Skills standard there is none to load.
PROBLEMS: dict[str, bool] = {
    "unreadable": True,
    "link": True,
    "not_a_file": True,
    "too_large": True,
    "no_front_matter": True,
    "front_matter_open": True,
    "front_matter_too_long": True,
    "bad_yaml": True,
    "yaml_too_deep": True,
    "yaml_not_fields": True,
    "yaml_alias": False,
    "field_twice": False,
    "field_unknown": False,
    "name_missing": True,
    "name_not_text": False,
    "name_not_kebab": False,
    "name_too_long": False,
    "name_unlike_folder": False,
    "description_missing": True,
    "description_not_text": False,
    "description_too_long": False,
    "file_name": False,
    "two_files": False,
    "nested": False,
    "crlf": False,
    "bom": False,
    "nul": False,
    "not_utf8": False,
}

# Why a folder, or a link that may lead to one, was not gone into.
SKIPS: tuple[str, ...] = (
    "link_outside",
    "link_inside",
    "link_loop",
    "link_broken",
    "unreadable",
    "read_already",
    "version_control",
    "too_deep",
    "too_many",
)

DETAIL_LIMIT = 200


class Problem(NamedTuple):
    """A code of `PROBLEMS`, and what it is about where the code alone doesn't say it."""

    code: str
    detail: str = ""


def problem(code: str, detail: str = "") -> Problem:
    """A note whose detail, which may come from outside, is short and can be stored."""
    return Problem(code, clean(detail[:DETAIL_LIMIT]))


def clean(text: str) -> str:
    """Text without lone surrogates: each stands as its escape."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def shown_path(path: str) -> str:
    """A path or name as text that can be stored; bytes that are no UTF-8 stand as escapes."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
