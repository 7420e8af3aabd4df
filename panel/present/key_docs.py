"""The text of `docs/keys.md`, from the table of keys."""

from __future__ import annotations

from panel.keys import ALL, APP, FIXED, LIST, TABLE, Key, all_shown, grouped

_INTRODUCTION = """# Keys

Printed by `python -m panel.keys` from the one table in `panel/keys.py`.

A key that can't act now is dimmed (and has a dot before its word in the footer); pressed, it says
why in one line. Everything can be done without the mouse, and every key below can be another one:
write `$XDG_CONFIG_HOME/sublation-panel/keys.json` (else `~/.config/sublation-panel/keys.json`), an
object of ids and keys as in `{"message.reply": "R,f5"}`. An entry that is not understood, or that
would give one key two meanings, is named when the panel starts, and the default stays.

Never bound, because terminals or multiplexers take them or send them as other keys: ctrl with a, b,
h, i, j, m, s, `[` or `\\`, and alt with a letter.
"""


def as_markdown() -> str:
    """The text of `docs/keys.md`."""
    lines = [_INTRODUCTION]
    for title, members in grouped(TABLE):
        lines += [f"## {title}", "", "| key | id | where | what it does |", "|---|---|---|---|"]
        lines += [
            f"| {_cell(all_shown(key.keys))} | `{key.id}` | {_where(key)} | {key.help} |"
            for key in members
        ]
        lines.append("")
    lines += ["## Fixed", "", "| key | what it does |", "|---|---|"]
    lines += [f"| {_cell(key)} | {what} |" for key, what in FIXED]
    return "\n".join(lines) + "\n"


def _where(key: Key) -> str:
    if key.where == APP or key.where == ALL:
        return "all modes"
    return "every list" if key.where == LIST else ", ".join(key.where)


def _cell(keys: str) -> str:
    return f"`{keys}`"
