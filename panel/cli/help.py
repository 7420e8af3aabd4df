"""The help of the program and of its groups of verbs."""

from __future__ import annotations

from collections.abc import Mapping

from panel.cli.parser import EXITS, PROGRAM, Group, Verb, _help_width, _wrapped, columns, each

INTRODUCTION = (
    "Supervise several coding agents that work on one project: who is seated, what waits in whose"
    " queue, who needs you. Without a command it opens the panel."
)
SEATS = (
    "Whose seat: --as SEAT, else SUBLATION_SEAT. At a terminal of your own it is yours without"
    " either. Acting as the user seat needs a terminal."
)
COMMON = (
    ("--project DIR", "the project's folder; else SUBLATION_PROJECT, else the nearest one upward"),
    ("--as SEAT", "the seat that acts; else SUBLATION_SEAT, else you, at your own terminal"),
    ("--json", "the answer as one JSON object; errors too, on standard error"),
    ("--force-filesystem", "write even where locks and syncs can't be trusted (network drives)"),
    ("-h, --help", "this, or the help of the command before it"),
    ("--version", "the version"),
)
EXAMPLES = (
    f"{PROGRAM} init --seat codex --seat hermes:claude-code",
    f"{PROGRAM} post codex --kind task --title 'fix the flaky test'",
    f"SUBLATION_SEAT=codex {PROGRAM} inbox --json",
    f"{PROGRAM} status",
)


def overview(commands: Mapping[str, Mapping[str, tuple[str, str]]]) -> str:
    """The help of the program: its commands in groups, a sentence each."""
    size = _help_width()
    lines = [f"usage: {PROGRAM} [--project DIR] [--as SEAT] [--json] [COMMAND ...]", ""]
    lines += [_wrapped(INTRODUCTION, size)]
    for title, group in commands.items():
        lines += [f"{title}:", *columns((name, what) for name, (_, what) in group.items()), ""]
    lines += ["options, before or after the command:", *columns(COMMON), ""]
    lines += [_wrapped(SEATS, size), "examples:", *(f"  {line}" for line in EXAMPLES), ""]
    lines += [f"More of each: {PROGRAM} COMMAND --help", "", _wrapped(EXITS, size)]
    return "\n".join(lines)


def of_group(name: str, group: Group) -> str:
    """The help of one group of verbs."""
    prog = f"{PROGRAM} {name}"
    shown = [
        (_called(words, verb), verb.about)
        for words, verb in each((), group)
        if not words[0].startswith("-")
    ]
    lines = [f"usage: {prog} VERB ...", "", *columns(shown), ""]
    lines += [f"More of each: {prog} VERB --help", ""]
    return "\n".join(lines)


def _called(words: tuple[str, ...], verb: Verb) -> str:
    return " ".join([*words, *(names for names, _ in verb.names)])
