"""argparse in the way of this program: errors are errors of the tree, help is text to learn from.

A verb's own parser is the only one that is built, and nothing in it is required: who may do a
thing is answered before what is missing.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from state.errors import BadInput

PROGRAM = "sublation-panel"
NUMBER = re.compile(r"#?([0-9]{1,16})")
MAX_INTEGER = 2**53 - 1


# Errors are English wherever they are read, by scripts too; and looking for a translation would
# import `locale` and ask the disk at each start.
argparse._ = str  # type: ignore[attr-defined]


class HelpAsked(Exception):
    """`--help` or `--version` was among the arguments: `text` is the answer."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Verb:
    """One command: how it is called, what it does, and the function that does it.

    `names` are the positional arguments in order, the last one may end in `...`. `words` is what
    stands in the usage line after them. `run` is given the call; it gives the exit status.
    """

    __slots__ = ("about", "arguments", "changes", "examples", "more", "names", "run", "words")

    def __init__(
        self,
        run: Callable[[Any], int],
        about: str,
        *,
        names: tuple[tuple[str, str], ...] = (),
        words: str = "",
        arguments: Callable[[argparse._ArgumentGroup], None] | None = None,
        changes: bool = False,
        examples: tuple[str, ...] = (),
        more: str = "",
    ) -> None:
        self.run = run
        self.about = about
        self.names = names
        self.words = words
        self.arguments = arguments
        self.changes = changes
        self.examples = examples
        self.more = more


# The verbs of a group by their words; a word may stand for a group of its own.
Group = Mapping[str, "Verb | Group"]


class Parser(argparse.ArgumentParser):
    """Raises BadInput for what it doesn't understand and HelpAsked where help is wanted."""

    def __init__(self, prog: str, *, help_text: Callable[[], str]) -> None:
        super().__init__(
            prog=prog,
            add_help=False,
            allow_abbrev=False,
            usage=argparse.SUPPRESS,
            formatter_class=_Formatter,
        )
        self._help_text = help_text

    def error(self, message: str) -> NoReturn:
        hint = f"see: {self.prog} --help"
        if message.endswith("expected one argument"):
            hint = "a value that begins with '-' is given with '=', as in --title=-x; " + hint
        raise BadInput(" ".join(message.split()), hint)

    def print_help(self, file: object = None) -> None:
        raise HelpAsked(self._help_text())

    def options(self) -> list[argparse.Action]:
        """Every option, for help and completion."""
        return [action for action in self._actions if action.option_strings]


class _Formatter(argparse.HelpFormatter):
    """Knows its width: else each option that is added would import `shutil` to ask for it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=80)


class _Version(argparse.Action):
    def __call__(self, *_: object) -> None:
        from state import __version__

        raise HelpAsked(f"{PROGRAM} {__version__}\n")


class _Help(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.print_help()


def walker(prog: str, help_text: Callable[[], str]) -> Parser:
    """The parser of a level that only takes the common options and leaves the rest in `rest`."""
    parser = Parser(prog, help_text=help_text)
    add_common(parser.add_argument_group("common"))
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    return parser


def add_common(group: argparse._ArgumentGroup) -> None:
    """The options of every command; what isn't given stands in no namespace."""
    missing = argparse.SUPPRESS
    group.add_argument(
        "--project",
        metavar="DIR",
        type=_named,
        default=missing,
        help="the project's folder; else SUBLATION_PROJECT, else the nearest one upward",
    )
    group.add_argument(
        "--as",
        metavar="SEAT",
        dest="seat",
        type=_named,
        default=missing,
        help="the seat that acts; else SUBLATION_SEAT, else you, at your own terminal",
    )
    group.add_argument(
        "--json", action="store_true", default=missing, help="the answer as one JSON object"
    )
    group.add_argument(
        "--force-filesystem",
        action="store_true",
        default=missing,
        help="write even on a file system whose locks and syncs can't be trusted",
    )
    group.add_argument("-h", "--help", action=_Help, nargs=0, help="show this and do nothing")
    group.add_argument("--version", action=_Version, nargs=0, help="show the version")


def _named(text: str) -> str:
    """A folder or seat; an empty one is a variable that was not set, and must not mean another."""
    if not text:
        raise argparse.ArgumentTypeError("is empty: name one, or leave the option out")
    return text


def verb_parser(prog: str, verb: Verb) -> Parser:
    """The parser of one verb; positional arguments are gathered in `given`."""

    def shown() -> str:
        from panel.cli.help import of_verb

        return of_verb(prog, verb, parser)

    parser = Parser(prog, help_text=shown)
    own = parser.add_argument_group("options")
    if verb.arguments is not None:
        verb.arguments(own)
    if verb.changes:
        own.add_argument(
            "--key", help="makes a repeated call safe: the same key gives the first answer"
        )
    add_common(parser.add_argument_group("options of every command"))
    parser.add_argument("given", nargs="*")
    return parser


def parse_verb(
    parser: Parser, verb: Verb, words: Sequence[str], into: argparse.Namespace
) -> argparse.Namespace:
    """All arguments of one verb; positional ones may stand before, between and after options."""
    args, extras = parser.parse_known_args(list(words), into)
    literal = False
    for word in extras:
        if word == "--" and not literal:
            literal = True
        elif word.startswith("-") and word != "-" and not literal:
            parser.error(f"unrecognized argument: {word.partition('=')[0]}")
        else:
            args.given.append(word)
    variadic = bool(verb.names) and verb.names[-1][0].endswith("...")
    if not variadic and len(args.given) > len(verb.names):
        # Not the argument itself: where none is taken it may be a prompt (S6).
        taken = f"at most {len(verb.names)}" if verb.names else "none"
        parser.error(f"too many arguments: {len(args.given)} given, {taken} taken")
    return args


def whole(text: str) -> int:
    """A number of a line, message or roster as an option's value."""
    found = NUMBER.fullmatch(text)
    if found is None or int(found[1]) > MAX_INTEGER:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2^53-1")
    return int(found[1])


def each(words: tuple[str, ...], found: Verb | Group) -> Iterator[tuple[tuple[str, ...], Verb]]:
    """Each verb of a group and of the groups in it, with all its words."""
    if isinstance(found, Verb):
        yield words, found
        return
    for word, inner in found.items():
        yield from each((*words, word), inner)
