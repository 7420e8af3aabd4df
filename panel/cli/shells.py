"""Completion scripts for bash, zsh and fish. Pure: from places to text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from panel.cli.dispatch import COMMANDS, verbs
from panel.cli.parser import PROGRAM, Group, Verb, verb_parser, walker

FUNCTION = "_sublation_panel"
ASK = f"{PROGRAM} completion seats 2>/dev/null"
ASK_ADAPTERS = f"{PROGRAM} completion adapters 2>/dev/null"
KINDS = "note question task reply result"
HOSTS = "claude-code codex"
# By the name that an argument has in help: what may stand there.
VALUES: Mapping[str, str] = {
    "SEAT": "seats",
    "[SEAT]": "seats",
    "S": "seats",
    "ID": "seats",
    "ADAPTER": "adapters",
    "[ADAPTER]": "adapters",
    "FILE...": "files",
    "TO...": "recipients",
    "FILE": "files",
    "DIR": "folders",
    "K": "kinds",
    "SHELL": "shells",
    "HOST": "hosts",
}
FISH: Mapping[str, str] = {
    "seats": f"({ASK})",
    "recipients": f"({ASK}) all",
    "adapters": f"({ASK_ADAPTERS})",
    "files": "(__fish_complete_path)",
    "folders": "(__fish_complete_directories)",
    "kinds": KINDS,
    "shells": "bash zsh fish",
    "hosts": HOSTS,
}


class Option(NamedTuple):
    """An option: its flags, what its value may be (None: it takes none), its help."""

    flags: tuple[str, ...]
    value: str | None
    help: str


class Place(NamedTuple):
    """What may follow after some words: words with their sentences, options, an argument."""

    words: tuple[str, ...]
    next: tuple[tuple[str, str], ...]
    options: tuple[Option, ...]
    value: str


Shell = Callable[[Sequence[Place]], str]


def places() -> Iterator[Place]:
    """Each place in a command line, from the parsers that will read it."""
    sentences = {name: what for group in COMMANDS.values() for name, (_, what) in group.items()}
    common = tuple(_options(walker(PROGRAM, str).options()))
    yield Place((), tuple(sentences.items()), common, "")
    for name in sentences:
        yield from _places((name,), verbs(name), common)


def _places(
    words: tuple[str, ...], found: Verb | Group, common: tuple[Option, ...]
) -> Iterator[Place]:
    if isinstance(found, Verb):
        yield _place(words, found)
        return
    yield Place(words, tuple((word, _about(inner)) for word, inner in found.items()), common, "")
    for word, inner in found.items():
        yield from _places((*words, word), inner, common)


def _about(found: Verb | Group) -> str:
    return found.about if isinstance(found, Verb) else f"one of: {', '.join(found)}"


def _place(words: tuple[str, ...], verb: Verb) -> Place:
    options = tuple(_options(verb_parser(PROGRAM, verb).options()))
    return Place(words, (), options, _value([name for name, _ in verb.names]))


def _value(names: Sequence[str]) -> str:
    """What is offered for arguments: of what may be repeated, else of the first."""
    if not names:
        return ""
    return VALUES.get(names[-1] if names[-1].endswith("...") else names[0], "")


def _options(actions: Sequence[object]) -> Iterator[Option]:
    for action in actions:
        flags = tuple(getattr(action, "option_strings", ()))
        takes = getattr(action, "nargs", None) != 0
        value = VALUES.get(str(getattr(action, "metavar", "")), "") if takes else None
        yield Option(flags, value, str(getattr(action, "help", "")))


def bash(found: Sequence[Place]) -> str:
    """A function for bash; zsh can run it too."""
    paths = " ".join(_quoted(" ".join(place.words)) for place in found if place.words)
    lines = [
        f"# Completion of {PROGRAM} for bash, printed by: {PROGRAM} completion bash",
        f"{FUNCTION}() {{",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
        '    local at="" word next known words="" values="" i',
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        '        word="${COMP_WORDS[i]}"',
        '        case "$word" in --project | --as) ((i++)); continue ;; -*) continue ;; esac',
        '        next="${at:+$at }$word"',
        f"        for known in {paths}; do",
        '            if [ "$known" = "$next" ]; then at="$next"; break; fi',
        "        done",
        "    done",
        '    case "$at" in',
        *(line for place in found for line in _bash_place(place)),
        "    esac",
        '    case "$values" in',
        f'        seats) words="$words $({ASK})" ;;',
        f'        recipients) words="$words all $({ASK})" ;;',
        f'        adapters) words="$words $({ASK_ADAPTERS})" ;;',
        f'        kinds) words="{KINDS}" ;;',
        '        shells) words="$words bash zsh fish" ;;',
        f'        hosts) words="$words {HOSTS}" ;;',
        # A name with a blank is one name: the lines of the answer are split, not its words.
        "        files) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;",
        "        folders) local IFS=$'\\n'; COMPREPLY=($(compgen -d -- \"$cur\")); return ;;",
        '        any) words="" ;;',
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
        "}",
        f"complete -o filenames -F {FUNCTION} {PROGRAM}",
    ]
    return "\n".join(lines) + "\n"


def _bash_place(place: Place) -> Iterator[str]:
    flags = [flag for option in place.options for flag in option.flags]
    words = " ".join([*(word for word, _ in place.next), *flags])
    yield f"        {_quoted(' '.join(place.words))})"
    yield f'            words="{words}" values="{place.value}"'
    yield '            case "$before" in'
    for option in place.options:
        if option.value is not None:
            shown = " | ".join(option.flags)
            yield f'                {shown}) words="" values="{option.value or "any"}" ;;'
    yield "            esac ;;"


def zsh(found: Sequence[Place]) -> str:
    """The same function, by zsh's own way of running completions for bash."""
    script = bash(found).partition("\n")[2]
    return (
        f"# Completion of {PROGRAM} for zsh, printed by: {PROGRAM} completion zsh\n"
        "autoload -U +X compinit && compinit\n"
        f"autoload -U +X bashcompinit && bashcompinit\n{script}"
    )


def fish(found: Sequence[Place]) -> str:
    """One rule for each word and option."""
    paths = " ".join(_quoted(" ".join(place.words)) for place in found if place.words)
    lines = [
        f"# Completion of {PROGRAM} for fish, printed by: {PROGRAM} completion fish",
        f"function _{FUNCTION}_at",
        "    set -l at",
        "    set -l skip no",
        "    for word in (commandline -opc)[2..-1]",
        "        if test $skip = yes",
        "            set skip no",
        "            continue",
        "        end",
        "        switch $word",
        "            case --project --as",
        "                set skip yes",
        "            case '-*'",
        "            case '*'",
        f"                if contains -- \"$at$word\" (string replace -a ' ' '' -- {paths})",
        '                    set at "$at$word"',
        "                end",
        "        end",
        "    end",
        '    test "$at" = "$argv"',
        "end",
        f"complete -c {PROGRAM} -f",
        *(line for place in found for line in _fish_place(place)),
    ]
    return "\n".join(lines) + "\n"


def _fish_place(place: Place) -> Iterator[str]:
    at = f"complete -c {PROGRAM} -n '_{FUNCTION}_at {''.join(place.words)}'"
    for word, what in place.next:
        yield f"{at} -a {word} -d {_quoted(what)}"
    if place.value:
        yield f"{at} -a {_quoted(FISH[place.value])}"
    for option in place.options:
        flags = " ".join(
            f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
        )
        value = "" if option.value is None else " -x"
        given = FISH.get(option.value or "")
        value += f" -a {_quoted(given)}" if given else ""
        yield f"{at} {flags}{value} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    """One word for all three shells."""
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


SHELLS: Mapping[str, Shell] = {"bash": bash, "zsh": zsh, "fish": fish}
