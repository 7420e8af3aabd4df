"""The help of the program, of its groups of verbs, and of each verb."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping

from panel.cli.parser import PROGRAM, Group, Parser, Verb, each

HARD_SPACE = "\xa0"
EXITS = (
    "exit: 0 done · 1 a bug · 2 bad input · 3 refused by a rule · 4 someone was faster · 5 busy ·"
    " 6 damaged, moved or newer · 7 read only · 8 no project · 9 not committed ·"
    " 10 not known: repeat with the same --key"
)
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
    size = _width()
    lines = [f"usage: {PROGRAM} [--project DIR] [--as SEAT] [--json] [COMMAND ...]", ""]
    lines += [_wrapped(INTRODUCTION, size)]
    for title, group in commands.items():
        lines += [f"{title}:", *_columns((name, what) for name, (_, what) in group.items()), ""]
    lines += ["options, before or after the command:", *_columns(COMMON), ""]
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
    lines = [f"usage: {prog} VERB ...", "", *_columns(shown), ""]
    lines += [f"More of each: {prog} VERB --help", ""]
    return "\n".join(lines)


def of_verb(prog: str, verb: Verb, parser: Parser) -> str:
    """Everything about one verb: usage, sentence, arguments, options, examples, exits."""
    size = _width()
    formatter = argparse.HelpFormatter(prog, width=size, max_help_position=26)
    names = " ".join(name for name, _ in verb.names)
    usage = " ".join(part for part in (names, verb.words) if part)
    formatter.add_text(verb.about)
    if verb.more:
        formatter.add_text(verb.more)
    if verb.names:
        formatter.start_section("arguments")
        for name, what in verb.names:
            formatter.add_argument(argparse.Action([], name, metavar=name, help=what))
        formatter.end_section()
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.option_strings]
        if actions:
            formatter.start_section(group.title)
            formatter.add_arguments(actions)
            formatter.end_section()
    shown = f"{_usage(prog, usage, size)}\n{formatter.format_help()}"
    if verb.examples:
        shown += "\nexamples:\n" + "".join(f"  {line}\n" for line in verb.examples)
    return shown + "\n" + _wrapped(EXITS, size)


def _usage(prog: str, words: str, size: int) -> str:
    """The usage line, broken between its parts only."""
    from textwrap import fill

    def held(found: re.Match[str]) -> str:
        return found[0].replace(" ", HARD_SPACE)

    parts = re.sub(r"\[[^][]*(\[[^]]*\][^][]*)*\]|--?\w\S* [A-Z]+", held, words)
    shown = fill(
        f"usage: {prog.replace(' ', HARD_SPACE)} {parts}",
        size,
        subsequent_indent="           ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return shown.replace(HARD_SPACE, " ") + "\n"


def _called(words: tuple[str, ...], verb: Verb) -> str:
    return " ".join([*words, *(names for names, _ in verb.names)])


def _width() -> int:
    from shutil import get_terminal_size

    return max(min(get_terminal_size().columns, 100), 20) - 2


def _wrapped(text: str, size: int) -> str:
    from textwrap import wrap

    return "".join(f"{line}\n" for line in wrap(text, size))


def _columns(rows: Iterable[tuple[str, str]], indent: str = "  ") -> list[str]:
    """Names and sentences under each other, for help; a sentence may take several lines."""
    from textwrap import wrap

    listed = list(rows)
    size = max(len(name) for name, _ in listed) + 2
    room = max(_width() - len(indent) - size, 20)
    return [
        f"{indent}{(name if place == 0 else '').ljust(size)}{line}"
        for name, what in listed
        for place, line in enumerate(wrap(what, room))
    ]
