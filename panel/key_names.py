"""What keys are called: by Textual when they are pressed, and by people."""

from __future__ import annotations

from textual.keys import _character_to_key, format_key


def names(keys: str) -> tuple[str, ...]:
    """The single key names in a list with commas, as Textual reports them when pressed."""
    return tuple(_name(key.strip()) for key in keys.split(","))


def shown(keys: str) -> str:
    """The first key of a list as a person reads it."""
    return format_key(names(keys)[0])


def all_shown(keys: str) -> str:
    """All keys of a list as a person reads them."""
    return " or ".join(format_key(name) for name in names(keys))


def _name(key: str) -> str:
    head, last = (key[:-1], key[-1:]) if key.endswith("+") else _halves(key)
    return head + (_character_to_key(last) if len(last) == 1 else last)


def _halves(key: str) -> tuple[str, str]:
    modifiers, plus, last = key.rpartition("+")
    return modifiers + plus, last
