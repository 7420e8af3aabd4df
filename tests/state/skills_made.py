"""Small skills, each broken in one way that real ones are, and what is to be noted of each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from state.routing import inventory, roots
from state.routing.inventory import Inventory, Skill
from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION

GOOD = b"---\nname: %s\ndescription: Does one thing.\n---\n\n# Body\n"


def good(name: str) -> bytes:
    """A SKILL.md that meets the standard."""
    return GOOD % name.encode()


def front(*lines: str) -> bytes:
    """A SKILL.md with these lines of front matter."""
    return "\n".join(("---", *lines, "---", "", "Body.", "")).encode()


@dataclass(frozen=True, slots=True)
class Made:
    """The bytes of a SKILL.md, the notes that it must get, and whether it is then broken."""

    raw: bytes
    notes: tuple[str, ...]
    broken: bool = False


NAME, TEXT = "name: {}", "description: Does one thing."
# Folder -> what lies in it. `{}` in front matter stands for the folder's name.
DAMAGE: Mapping[str, Made] = {
    "empty": Made(b"", ("no_front_matter",), True),
    "none": Made(b"# A skill\n\nname: none\n", ("no_front_matter",), True),
    "open": Made(b"---\nname: open\ndescription: x\n\nBody\n", ("front_matter_open",), True),
    "long": Made(
        b"---\nname: long\nx: " + b"a" * 70_000 + b"\n---\n", ("front_matter_too_long",), True
    ),
    "bad-yaml": Made(front("name: bad-yaml", "description: a: b: c"), ("bad_yaml",), True),
    "tabbed": Made(front("name: tabbed", "\tdescription: x"), ("bad_yaml",), True),
    "two-documents": Made(front("name: a", "--- b"), ("bad_yaml",), True),
    "deep": Made(front("name: deep", TEXT, "x: " + "{a: " * 200), ("yaml_too_deep",), True),
    "deeper": Made(front("name: deeper", TEXT, "x: " + "[" * 50_000), ("bad_yaml",), True),
    "list": Made(front("- name: list"), ("yaml_not_fields",), True),
    "sentence": Made(front("just words"), ("yaml_not_fields",), True),
    "nothing": Made(b"---\n---\nBody\n", ("yaml_not_fields",), True),
    "bomb": Made(
        front(
            "name: bomb",
            TEXT,
            "a: &a [x, x]",
            *(f"{b}: &{b} [*{a}, *{a}]" for a, b in zip("abcdefghij", "bcdefghijk", strict=True)),
        ),
        ("yaml_alias", "field_unknown"),
    ),
    "object": Made(
        front("name: object", TEXT, "x: !!python/object/apply:os.system ['exit 3']"),
        ("field_unknown",),
    ),
    "twice": Made(front("name: other", TEXT, "name: twice"), ("field_twice",)),
    "no-name": Made(front(TEXT), ("name_missing",), True),
    "null-name": Made(front("name:", TEXT), ("name_missing",), True),
    "42": Made(front("name: 42", TEXT), ("name_not_text",)),
    "list-name": Made(front("name: [a]", TEXT), ("name_not_text",)),
    "Some Name": Made(front("name: Some Name", TEXT), ("name_not_kebab",)),
    "a--b": Made(front("name: a--b", TEXT), ("name_not_kebab",)),
    "n" * 65: Made(front("name: " + "n" * 65, TEXT), ("name_too_long",)),
    "unlike": Made(front("name: other-name", TEXT), ("name_unlike_folder",)),
    "no-description": Made(front("name: no-description"), ("description_missing",), True),
    "list-description": Made(
        front("name: list-description", "description:", "  - a"), ("description_not_text",)
    ),
    "long-description": Made(
        front("name: long-description", "description: " + "d" * 1025), ("description_too_long",)
    ),
    "fields": Made(front("name: fields", TEXT, "colour: red", "x: 1"), ("field_unknown",)),
    "crlf": Made(front("name: crlf", TEXT).replace(b"\n", b"\r\n"), ("crlf",)),
    "bom": Made(b"\xef\xbb\xbf" + good("bom"), ("bom",)),
    "nul": Made(good("nul") + b"a\0b", ("nul",)),
    "nul-inside": Made(b"---\nname: a\0b\n---\n", ("bad_yaml", "nul"), True),
    "latin-inside": Made(
        front("name: latin-inside", "description: caf\xe9").replace(b"\xc3\xa9", b"\xe9"),
        ("not_utf8",),
    ),
    "latin": Made(good("latin") + b"caf\xe9\n", ("not_utf8",)),
    "utf-16": Made(
        good("x").decode().encode("utf-16"), ("no_front_matter", "nul", "not_utf8"), True
    ),
}


def make(root: Path, name: str, raw: bytes | None = None, file: str = "SKILL.md") -> Path:
    """A skill in a folder; its path."""
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(good(name.rpartition("/")[2]) if raw is None else raw)
    return folder


def damaged(root: Path) -> Path:
    """A root with every kind of damage."""
    for name, made in DAMAGE.items():
        make(root, name, made.raw)
    return root


def profile(skill: str, /, **changes: Any) -> dict[str, Any]:
    """A valid routing.json as an object, with some fields changed or added."""
    first, second, *_ = FEATURES
    fields = {
        "schema": "skill-routing-profile-v1",
        "skill": skill,
        "profile_version": 1,
        "vocabulary": VOCABULARY_VERSION,
        "features": {first: 1000, second: 1},
        "excludes": [],
        "platforms": ["linux"],
        "requires": ["git"],
        "promoted_from": None,
    }
    return fields | changes


def profiled(root: Path, name: str, **changes: Any) -> Path:
    """A skill with a routing.json beside it."""
    folder = make(root, name)
    (folder / "routing.json").write_bytes(orjson.dumps(profile(name, **changes)))
    return folder


def snapshot(root: Path) -> dict[str, tuple[object, ...]]:
    """Everything by which a tree could show that it was touched."""
    found: dict[str, tuple[object, ...]] = {}
    for here, folders, names in os.walk(root):
        for name in [".", *folders, *names]:
            path = os.path.join(here, name)
            seen = os.lstat(path)
            times = (seen.st_mtime_ns, seen.st_ctime_ns)
            digest = _digest(path) if os.path.isfile(path) and not os.path.islink(path) else ""
            found[path] = (seen.st_ino, seen.st_mode, seen.st_size, seen.st_nlink, *times, digest)
    return found


def _digest(path: str) -> str:
    if os.path.getsize(path) > 1 << 20:
        return ""
    return sha256(Path(path).read_bytes()).hexdigest()


def taken(*folders: Path) -> Inventory:
    """The inventory of these folders as roots."""
    return inventory.take(roots.given(map(str, folders)))


def by_folder(found: Inventory) -> dict[str, Skill]:
    """The skills by the names of their folders."""
    return {os.path.basename(skill.folder): skill for skill in found.skills}


def codes(skill: Skill) -> set[str]:
    """The codes of its notes."""
    return {note.code for note in skill.problems}
