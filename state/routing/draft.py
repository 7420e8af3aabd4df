"""A proposed profile from the text of a skill, for a person to correct; nothing is written.

A keyword counts three times in the name, twice in the description and once in the body, where
only what is said again counts in full. Pure and the same on every machine; any text will do.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from state.routing.shipped import shipped
from state.routing.vocabulary import VOCABULARY_VERSION

MOST_FEATURES: Final = 12
ENOUGH: Final = 3
READ: Final = 64 * 1024
_NAME, _DESCRIPTION = 256, 4096
# A name that says it and a description that says it twice is as sure as a keyword gets.
_SURE = 9

_WORD = re.compile(r"[a-z0-9]+[+#]*")
_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s|\s*\*\*[^*]+\*\*:?\s*$")
# What stands below these headings is what the skill is not about.
_ELSEWHERE = re.compile(
    r"do not use|don't use|when not to|not for|related skill|works well with|limitations|"
    r"see also|resources|不适用|相关技能",
    re.IGNORECASE,
)
_NEEDS: Final = {
    "docker": ("docker run", "docker compose", "docker build"),
    "git": ("git commit", "git diff", "git log", "git worktree"),
    "network": ("curl http", "api key", "web search"),
    "node": ("npm install", "npx ", "pnpm ", "yarn add", "bun install"),
    "python": ("pip install", "python scripts/", "python3 ", "uv run"),
}


def draft(name: str, description: str, body: str) -> dict[str, Any]:
    """A profile as S3 wants it, with at most 12 features, the weightiest first."""
    body = body[:READ]
    points = _points(name[:_NAME], description[:_DESCRIPTION], _own_words(body))
    ranked = sorted(points, key=lambda each: (-points[each][0], -points[each][1], each))
    clear = sum(score >= 2 for score, _ in points.values())
    return {
        "schema": "skill-routing-profile-v1",
        "skill": name[:_NAME].encode("utf-8", "replace").decode("utf-8"),
        "profile_version": 1,
        "vocabulary": VOCABULARY_VERSION,
        "features": {
            feature: min(1000, 1000 * points[feature][0] // _SURE)
            for feature in ranked[: min(MOST_FEATURES, max(ENOUGH, clear))]
        },
        "excludes": [],
        "platforms": [],
        "requires": _needed(body),
        "promoted_from": None,
    }


def _points(name: str, description: str, body: str) -> dict[str, tuple[int, int]]:
    """For each feature that is spoken of: its points, and how often the body says it."""
    named, described, said = _hits(name), _hits(description), _hits(body)
    points = {}
    for feature in {*named, *described, *said}:
        often = said.get(feature, 0)
        score = 3 * min(1, named.get(feature, 0)) + 2 * min(2, described.get(feature, 0))
        score += (often >= 2) + (often >= 6)
        points[feature] = (score or 1, often)
    return points


def _hits(text: str) -> dict[str, int]:
    """How often each feature's keywords stand in the text, as whole words."""
    table, signs = _keywords()
    words = [_stem(word) for word in _WORD.findall(text.casefold())]
    hits: dict[str, int] = {}
    at = 0
    while at < len(words):
        size = 1
        for phrase, features in table.get(words[at], ()):
            if words[at : at + len(phrase)] == phrase:
                for feature in features:
                    hits[feature] = hits.get(feature, 0) + 1
                size = len(phrase)
                break
        at += size
    if not text.isascii():
        for sign, feature in signs:
            if often := text.count(sign):
                hits[feature] = hits.get(feature, 0) + often
    return hits


@cache
def _keywords() -> tuple[dict[str, list[tuple[list[str], list[str]]]], list[tuple[str, str]]]:
    """Phrases by their first word, the longest first, and signs of scripts without spaces.

    A phrase takes its words: "dependency injection" is neither a dependency nor an injection.
    """
    meant: dict[tuple[str, ...], list[str]] = {}
    signs = []
    for feature, phrases in shipped("keywords").items():
        for phrase in phrases:
            if phrase.isascii():
                meant.setdefault(tuple(map(_stem, phrase.split())), []).append(feature)
            else:
                signs.append((phrase, feature))
    table: dict[str, list[tuple[list[str], list[str]]]] = {}
    for words in sorted(meant, key=len, reverse=True):
        table.setdefault(words[0], []).append((list(words), meant[words]))
    return table, signs


def _stem(word: str) -> str:
    """The word without the `s` of a plural."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "is", "us"))
    return word[:-1] if plural else word


def _own_words(body: str) -> str:
    """The body without its code and without what it says of other skills."""
    return "\n".join(_prose(body))


def _prose(body: str) -> Iterator[str]:
    in_code = elsewhere = False
    for line in body.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            if _HEADING.match(line):
                elsewhere = _ELSEWHERE.search(line) is not None
            if not elsewhere:
                yield line


def _needed(body: str) -> list[str]:
    """What the commands in the text presuppose."""
    low = body.casefold()
    return [label for label, marks in _NEEDS.items() if any(mark in low for mark in marks)]
