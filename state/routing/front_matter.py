"""The front matter of a SKILL.md: name, description, and a note for whatever is odd about it.

YAML is read as events only: nothing is constructed, an alias is never expanded, depth and number
are bounded. So no front matter is a danger, and none an error.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import yaml
from yaml import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    ScalarNode,
    StreamEndEvent,
    YAMLError,
)

from state.routing.notes import Problem, clean, problem

LIMIT = 64 * 1024
NAME_LIMIT = 64
DESCRIPTION_LIMIT = 1024
# More of a description is shown nowhere.
DESCRIPTION_KEPT = 4_000
DEPTH_LIMIT = 32
FIELDS = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
TOLD = ("name", "description")
BOM = b"\xef\xbb\xbf"

_OPENING = re.compile(rb"---[ \t]*\r?\n")
_CLOSING = re.compile(rb"\n---[ \t]*(?:\r?\n|\r?\Z)")
_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TAG = "tag:yaml.org,2002:"
TEXT, NOTHING, ALIAS = "text", "nothing", "an alias"
_KINDS = {
    f"{_TAG}str": TEXT,
    f"{_TAG}null": NOTHING,
    f"{_TAG}int": "a number",
    f"{_TAG}float": "a number",
    f"{_TAG}bool": "true or false",
    f"{_TAG}timestamp": "a time",
}
# How a plain scalar that isn't text can begin.
_TELLING = frozenset(yaml.SafeLoader.yaml_implicit_resolvers)
# The safe loader, in its compiled form where there is one.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Front(NamedTuple):
    """What the front matter says; name and description are empty where it doesn't say them."""

    name: str
    description: str
    problems: list[Problem]
    body: int = 0


class _Value(NamedTuple):
    """A field's value: the text of a scalar, and what it is (`text`, `number`, `list`, …)."""

    text: str
    kind: str


class _Unfit(Exception):
    """The front matter can't be taken; carries the note."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.note = problem(code, detail)


def read(raw: bytes) -> Front:
    """The front matter at the beginning of a file, of which at least 64 KiB are given.

    `body` is the offset at which it ends.
    """
    notes: list[Problem] = []
    start = 0
    if raw.startswith(BOM):
        notes.append(problem("bom"))
        start = len(BOM)
    try:
        text, end = _between(raw, start)
        fields = _fields(text, notes)
    except _Unfit as unfit:
        notes.append(unfit.note)
        return Front("", "", notes)
    name = _name(fields.get("name"), notes)
    description = _description(fields.get("description"), notes)
    return Front(name, description, notes, end)


def _between(raw: bytes, start: int) -> tuple[bytes, int]:
    opening = _OPENING.match(raw, start)
    if opening is None:
        raise _Unfit("no_front_matter")
    # From the line end of the opening on, so that an empty front matter has its end too.
    closing = _CLOSING.search(raw, opening.end() - 1, opening.end() + LIMIT)
    if closing is None:
        too_long = len(raw) - opening.end() >= LIMIT
        raise _Unfit("front_matter_too_long" if too_long else "front_matter_open")
    return raw[opening.end() : closing.start() + 1], closing.end()


def _fields(text: bytes, notes: list[Problem]) -> dict[str, _Value]:
    """The fields of the one mapping that the text must be, the last of each name."""
    twice: dict[str, None] = {}
    try:
        loader = _LOADER(_utf8(text))
        try:
            found = _mapping(loader, twice)
        finally:
            loader.dispose()
    except YAMLError as error:
        raise _Unfit("bad_yaml", _said(error)) from error
    if any(value.kind == ALIAS for value in found.values()):
        notes.append(problem("yaml_alias"))
    if twice:
        notes.append(problem("field_twice", ", ".join(twice)))
    if not FIELDS.issuperset(found):
        notes.append(problem("field_unknown", ", ".join(key for key in found if key not in FIELDS)))
    return found


def _utf8(text: bytes) -> bytes:
    """The text with a sign in place of what is no UTF-8, so that the rest of it can be read."""
    return text if text.isascii() else text.decode("utf-8", "replace").encode()


def _mapping(loader: Any, twice: dict[str, None]) -> dict[str, _Value]:
    """Key and value of each field; YAMLError, _Unfit. Keys seen before are added to `twice`."""
    next_event: Callable[[], Any] = loader.get_event
    next_event()
    if type(next_event()) is StreamEndEvent:
        raise _Unfit("yaml_not_fields", "nothing")
    first = type(next_event())
    if first is not MappingStartEvent:
        raise _Unfit("yaml_not_fields", "text" if first is ScalarEvent else "a list")
    found: dict[str, _Value] = {}
    while type(event := next_event()) is not MappingEndEvent:
        key = clean(event.value) if type(event) is ScalarEvent else _odd_key(event, next_event)
        if key in found:
            twice[key] = None
        event = next_event()
        kind = type(event)
        if kind is ScalarEvent:
            found[key] = _Value(event.value, _kind(loader, event) if key in TOLD else TEXT)
        elif kind is AliasEvent or _pass_over(next_event):
            found[key] = _Value("", ALIAS)
        else:
            found[key] = _Value("", "fields" if kind is MappingStartEvent else "a list")
    next_event()
    if type(next_event()) is not StreamEndEvent:
        raise _Unfit("bad_yaml", "more than one document")
    return found


def _odd_key(event: Any, next_event: Callable[[], Any]) -> str:
    if type(event) is not AliasEvent:
        _pass_over(next_event)
    return "?"


def _pass_over(next_event: Callable[[], Any]) -> bool:
    """Goes to the end of a list or mapping that has just begun; whether an alias stands in it."""
    depth, alias = 2, False
    while depth > 1:
        event = next_event()
        if isinstance(event, CollectionStartEvent):
            depth += 1
            if depth > DEPTH_LIMIT:
                raise _Unfit("yaml_too_deep", f"more than {DEPTH_LIMIT} levels")
        elif isinstance(event, CollectionEndEvent):
            depth -= 1
        elif isinstance(event, AliasEvent):
            alias = True
    return alias


def _kind(loader: Any, event: Any) -> str:
    """What a scalar is by the rules of YAML: text, or something that isn't."""
    tag = event.tag
    if tag is None or tag == "!":
        # Most are told by how they are written: quoted, or with a letter that begins no other kind.
        if event.style or event.value[:1] not in _TELLING:
            return TEXT
        tag = loader.resolve(ScalarNode, event.value, event.implicit)
    return _KINDS.get(tag, "of another type")


def _name(value: _Value | None, notes: list[Problem]) -> str:
    if value is None or _says_nothing(value):
        notes.append(problem("name_missing"))
        return ""
    if value.kind != TEXT:
        notes.append(problem("name_not_text", value.kind))
    name = clean(value.text)
    if name and not _KEBAB.fullmatch(name):
        notes.append(problem("name_not_kebab", name))
    if len(name) > NAME_LIMIT:
        notes.append(problem("name_too_long", f"{len(name):,} characters"))
    return name


def _description(value: _Value | None, notes: list[Problem]) -> str:
    if value is None or _says_nothing(value):
        notes.append(problem("description_missing"))
        return ""
    if value.kind != TEXT:
        notes.append(problem("description_not_text", value.kind))
    if len(value.text) > DESCRIPTION_LIMIT:
        notes.append(problem("description_too_long", f"{len(value.text):,} characters"))
    return clean(value.text[:DESCRIPTION_KEPT])


def _says_nothing(value: _Value) -> bool:
    return value.kind == NOTHING or (value.kind == TEXT and not value.text.strip())


def _said(error: Any) -> str:
    """What the parser found, in one line, with the line of the front matter."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    return f"line {mark.line + 2}: {what}" if mark is not None else str(what)
