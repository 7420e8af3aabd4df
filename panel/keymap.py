"""A person's own keys: `keys.json`, an object of binding ids and keys, read leniently.

What can't be used is named in a note and the default stays; nothing here stops the panel.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
from textual.keys import KEY_NAME_REPLACEMENTS, KEY_TO_UNICODE_NAME, Keys, key_to_character

from panel import neutral
from panel.keys import DIALOGS, FIXED, MODES, TABLE, TYPED, acting_in, by_id, names, shown

_LIMIT = 65_536
_NAME = re.compile(r"(?:(?:ctrl|shift|alt|super|hyper|meta)\+)*([^+\s]+)")
_NEVER = frozenset(
    {
        "ctrl+a",
        "ctrl+b",
        "ctrl+backslash",
        "ctrl+h",
        "ctrl+i",
        "ctrl+j",
        "ctrl+left_square_bracket",
        "ctrl+left_square_brace",
        "ctrl+m",
        "ctrl+s",
    }
)
_TAKEN = frozenset({"tab", "shift+tab", "ctrl+c", *(name for name, _ in FIXED)})
_NAMED = frozenset(key.value.rpartition("+")[2] for key in Keys).union(
    KEY_TO_UNICODE_NAME, KEY_NAME_REPLACEMENTS.values()
)
_IDS = frozenset(key.id for key in TABLE)


@dataclass(frozen=True, slots=True)
class Keymap:
    """`keys` for `App.set_keymap`, and one line for each entry that was left out.

    The notes hold text from the file: show them through `safe_text`.
    """

    keys: Mapping[str, str]
    notes: tuple[str, ...] = ()

    def shown(self, binding_id: str) -> str:
        """The key of a binding as a person reads it. KeyError when there is no such binding."""
        return neutral.line(shown(self.keys.get(binding_id, by_id(binding_id).keys)))


def place(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the file is looked for."""
    base = environment.get("XDG_CONFIG_HOME") or ""
    root = Path(base) if base.startswith("/") else Path.home() / ".config"
    return root / "sublation-panel" / "keys.json"


def read(path: Path) -> Keymap:
    """The keymap in a file; empty when there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(_LIMIT + 1)
    except FileNotFoundError:
        return Keymap({})
    except OSError as error:
        return Keymap({}, (f"{path}: {error.strerror}",))
    if len(data) > _LIMIT:
        return Keymap({}, (f"{path}: more than {_LIMIT:,} bytes",))
    try:
        entries = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        return Keymap({}, (f"{path}: not JSON: {error}",))
    if not isinstance(entries, dict):
        return Keymap({}, (f"{path}: not an object of ids and keys",))
    return checked(entries)


def checked(entries: Mapping[str, object]) -> Keymap:
    """The entries that can be used together."""
    notes: list[str] = []
    usable: dict[str, str] = {}
    for binding_id, keys in entries.items():
        why = _why_not(binding_id, keys)
        if why is None:
            usable[binding_id] = ",".join(names(str(keys)))
        else:
            notes.append(f"{binding_id}: {why}")
    while found := conflicts(usable):
        context, name, ids = found[0]
        last = next(entry for entry in reversed(usable) if entry in ids)
        others = " and ".join(other for other in ids if other != last)
        notes.append(f"{last}: in {context} the key {name} already is {others}")
        del usable[last]
    return Keymap(usable, tuple(notes))


def conflicts(keys: Mapping[str, str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Keys that two bindings claim, as (context, key, ids); `keys` holds what is remapped."""
    found = []
    for context in (*MODES, *DIALOGS):
        claims: dict[str, list[str]] = {}
        for key in acting_in(context):
            for name in names(keys.get(key.id, key.keys)):
                claims.setdefault(name, []).append(key.id)
        found += [(context, name, tuple(ids)) for name, ids in claims.items() if len(ids) > 1]
    return found


def never_bound(name: str) -> bool:
    """Whether terminals or multiplexers take this key, or send it as another one."""
    *modifiers, last = name.split("+")
    return name in _NEVER or ("alt" in modifiers and len(last) == 1)


def _why_not(binding_id: str, keys: object) -> str | None:
    if binding_id not in _IDS:
        return "no such binding"
    if not isinstance(keys, str) or not keys.strip():
        return "its keys are no text"
    for name in names(keys):
        if not _is_key(name):
            return f"{name} is no key" if name else "a key is missing"
        if never_bound(name):
            return f"{name} does not reach programs in many terminals"
        if name in _TAKEN:
            return f"{name} is taken"
    if len(set(names(keys))) < len(names(keys)):
        return "a key is named twice"
    return _typed(binding_id, names(keys))


def _typed(binding_id: str, keys: Iterable[str]) -> str | None:
    """Where text is typed, a character can't be a command."""
    if set(TYPED).intersection(by_id(binding_id).where):
        for name in keys:
            if key_to_character(name) is not None:
                return f"{name} is typed there"
    return None


def _is_key(name: str) -> bool:
    parts = _NAME.fullmatch(name)
    if parts is None:
        return False
    last = parts.group(1)
    return last in _NAMED or key_to_character(last) is not None
