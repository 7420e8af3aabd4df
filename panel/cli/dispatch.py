"""From words to the verb that they name; only the module of that verb is imported."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import NoReturn

from panel.cli.call import Call
from panel.cli.parser import PROGRAM, Group, HelpAsked, Verb, parse_verb, verb_parser, walker
from state.errors import BadInput

# Heading of the help -> command -> its module and its sentence there.
COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "to begin": {
        "init": ("init", "make a project in this folder"),
        "demo": ("demo", "try it: a scratch project with scripted agents, and the panel on it"),
        "import": ("imports", "take in the members and messages of a Claude Code team"),
    },
    "to see": {
        "status": ("status", "what the first screen says: who needs you, whose queue holds what"),
        "inbox": ("inbox", "the unread messages of a seat, oldest first"),
        "message": ("message", "list, show, search; a whole thread"),
        "task": ("task", "list tasks; accept, finish, decline, cancel one"),
    },
    "to take part": {
        "post": ("post", "write a message to seats"),
        "ack": ("ack", "acknowledge the next message due, or each one up to a number"),
    },
    "to govern": {
        "seat": ("seat", "list and show seats; the user adds, hides, retires, restores them"),
        "adapter": ("adapter", "programs that act for agents: list, register, check, revoke"),
        "wake": ("wake", "windows in which new messages may wake a seat: arm, scan, claim"),
        "consumer": ("consumer", "who claims for a seat: list, hold its lock, declare, end"),
        "journal": ("journal", "every line: log, show, check the chain, anchor, export"),
        "doctor": ("doctor", "is the project sound; go on from damage, a move, a copy"),
        "completion": ("completion", "completion for bash, zsh or fish"),
    },
    "skills": {
        "skill": ("skill", "which skills there are, what is odd about them, their profiles"),
        "route": ("route", "skills in four layers: suggestions, choices, receipts, figures"),
        "hook": ("hook", "one event of a host's hook; settings for it; what the host can prove"),
    },
}
HELP = "help"
MODULES = {name: found[0] for group in COMMANDS.values() for name, found in group.items()}


def run(argv: Sequence[str]) -> int:
    """Runs the verb that the words name, the panel without one; gives the exit status."""
    args = Namespace()
    walker(PROGRAM, _help).parse_args(list(argv), args)
    words = _without_mark(args.rest)
    if not words:
        return _panel(args)
    found, prog, words = _verb(words, args)
    parser = verb_parser(prog, found)
    parse_verb(parser, found, words, args)
    with Call(args, prog) as call:
        try:
            code = found.run(call)
        except BadInput as error:
            # Where the message alone says how it must be, the help says the rest.
            error.hint = error.hint or f"see: {prog} --help"
            raise
        return code or call.trouble()


def _verb(words: list[str], args: Namespace) -> tuple[Verb, str, list[str]]:
    name, *rest = words
    if name == HELP:
        # As people try it: `help`, `help post`, `help help`.
        about = [word for word in rest if word not in (HELP, "-h", "--help")]
        return _verb([*about, "--help"], args) if about else _verb_help()
    if name not in MODULES:
        raise _unknown(name, "command", MODULES, PROGRAM)
    found = verbs(name)
    while not isinstance(found, Verb):
        prog = f"{PROGRAM} {name}"
        walker(prog, partial(_group_help, name, found)).parse_args(rest, args)
        rest = _without_mark(args.rest)
        if not rest:
            raise BadInput(f"{name} needs a word after it", f"one of: {', '.join(_listed(found))}")
        word, *rest = rest
        if word not in found:
            raise _unknown(word, f"word after {name}", _listed(found), prog)
        found, name = found[word], f"{name} {word}"
    return found, f"{PROGRAM} {name}", rest


def verbs(name: str) -> Verb | Group:
    """The verb of a command, or the verbs of a group by their words."""
    module = import_module(f"panel.cli.{MODULES[name]}")
    found: Verb | Group = module.VERBS
    return found


def _listed(group: Group) -> list[str]:
    return [word for word in group if not word.startswith("-")]


def _unknown(word: str, what: str, known: Mapping[str, object] | list[str], prog: str) -> BadInput:
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), 1)
    hint = f"did you mean {near[0]}?" if near else f"see: {prog} --help"
    return BadInput(f"there is no {what} {word!r}", hint)


def _without_mark(words: list[str]) -> list[str]:
    return words[1:] if words[:1] == ["--"] else words


def _verb_help() -> NoReturn:
    raise HelpAsked(_help())


def _panel(args: Namespace) -> int:
    import gc
    import os

    if "json" in args or "seat" in args:
        raise BadInput("a command is needed with --json and --as", f"see: {PROGRAM} --help")
    if not (os.isatty(0) and os.isatty(1)):
        raise BadInput(
            "the panel needs a terminal",
            f"without one, for example: {PROGRAM} status, or {PROGRAM} --help",
        )
    # As `PanelApp.collect_later` says: loading the screen library makes most of what stays.
    gc.disable()
    from panel.memory import share_one_arena

    share_one_arena()
    from panel.app import run as open_panel
    from panel.cli.main import stay

    stay()
    return open_panel(getattr(args, "project", None) or os.environ.get("SUBLATION_PROJECT") or None)


def _help() -> str:
    from panel.cli.help import overview

    return overview(COMMANDS)


def _group_help(name: str, group: Group) -> str:
    from panel.cli.help import of_group

    return of_group(name, group)
