"""Which files a shell command reads or runs, as far as that can be told without running it (S2).

What is not certain is left out: a text that is echoed, a file that is written, a here-document.
"""

import os
import shlex
from collections.abc import Iterator

from state.paths import may_name_skill, skill_of_file

# Nothing longer is taken apart.
LIMIT = 16 * 1024
READERS = frozenset({"cat", "sed", "head", "tail", "less", "more", "bat", "awk"})
SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
RUNNERS = SHELLS | {"python", "python3", "node", "ruby", "perl", "deno", "bun"}
_SIGNS = "();<>|&\n"
# What stands in or behind these is run once, often, or not at all; that is not reckoned out.
_COMPOUND = frozenset(
    ["if", "then", "elif", "else", "while", "until", "for", "select", "case", "do", "function", "{"]
)
_LEAVES = frozenset({"exit", "return", "exec", "break", "continue"})
# A command within a command is looked into so often.
DEEP = 3


def files_of(command: object, cwd: object, home: str) -> tuple[str, ...]:
    """Absolute paths of what a command reads or runs; it is a text, or a list of words.

    Only paths that could belong to a skill are given, each once.
    """
    given = command if isinstance(command, list) else [command]
    words = [word for word in given if isinstance(word, str)]
    if not words or len(words) != len(given) or sum(map(len, words)) > LIMIT:
        return ()
    if not any(map(may_name_skill, words)):
        return ()
    at = cwd if isinstance(cwd, str) and os.path.isabs(cwd) else None
    as_text = not isinstance(command, list)
    found = _of_text(words[0], at, home, DEEP) if as_text else _of_words(words, at, home, DEEP)
    return tuple(dict.fromkeys(path for path in found if skill_of_file(path)))


def _of_text(text: str, cwd: str | None, home: str, deep: int) -> Iterator[str]:
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=_SIGNS)
        lexer.whitespace = " \t\r"
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return
    part: list[str] = []
    # `waits`: what ran only if all before it succeeded, which is known where it ends the whole.
    waits: list[str] = []
    before, sure, perhaps, strayed = ";", True, False, False
    for word in [*words, ";"]:
        is_sign = bool(word) and not word.strip(_SIGNS)
        if is_sign and "<<" in word:
            return
        if not is_sign or "<" in word or ">" in word:
            part.append(word)
            continue
        if not part:
            continue
        if before == ";":
            cwd = None if strayed else cwd
            sure, perhaps, strayed = True, False, False
            waits.clear()
        elif before == "||":
            perhaps = True
            waits.clear()
        if part[0] in _COMPOUND or "()" in word or (part[0] in _LEAVES and not perhaps):
            return
        if part[0] == "cd":
            strayed = strayed or perhaps or not sure
            cwd = _absolute(part[1], cwd, home) if len(part) == 2 and not perhaps else None
        elif not perhaps:
            waits += _of_words(part, cwd, home, deep)
            if sure:
                yield from waits
            if sure or word == "&":
                waits.clear()
        before = _joins(word)
        sure = sure and (before != "&&" or part[0] == "cd")
        part = []
    yield from waits


def _joins(sign: str) -> str:
    """How what follows a sign hangs on what stands before it: `&&`, `||`, `|`, or not at all."""
    for known in ("||", "&&"):
        if known in sign:
            return known
    return "|" if sign in ("|", "|&") else ";"


def _of_words(words: list[str], cwd: str | None, home: str, deep: int) -> Iterator[str]:
    """Of one command without any sign of the shell's own, but for what it writes to."""
    words = _without_writes(words)
    while words and "=" in words[0] and words[0].split("=")[0].isidentifier():
        words = words[1:]
    if not words:
        return
    name, rest = os.path.basename(words[0]), words[1:]
    if name in SHELLS and len(rest) > 1 and rest[0].startswith("-") and "c" in rest[0]:
        if deep:
            yield from _of_text(rest[1], cwd, home, deep - 1)
        return
    if name in READERS:
        if not any(word.startswith(("-i", "--in-place")) for word in rest):
            given = [word for word in rest if not word.startswith("-")]
            yield from _all_absolute(given, cwd, home)
        return
    run = next((word for word in rest if not word.startswith("-")), "") if name in RUNNERS else ""
    yield from _all_absolute([run or words[0]], cwd, home)


def _without_writes(words: list[str]) -> list[str]:
    """The words without the files that output goes to."""
    kept: list[str] = []
    after = ""
    for word in words:
        is_sign = bool(word) and not word.strip(_SIGNS)
        if not is_sign and ">" not in after:
            kept.append(word)
        after = word if is_sign else ""
    return kept


def _all_absolute(words: list[str], cwd: str | None, home: str) -> Iterator[str]:
    for word in words:
        path = _absolute(word, cwd, home)
        if path is not None:
            yield path


def _absolute(word: str, cwd: str | None, home: str) -> str | None:
    """The path that a word means; None where that isn't known."""
    for mark in ("~/", "$HOME/", "${HOME}/"):
        if word.startswith(mark):
            word = f"{home}/{word[len(mark) :]}"
    if not word or "\0" in word or word.startswith("~") or "$" in word:
        return None
    if not word.startswith("/") and cwd is None:
        return None
    return os.path.normpath(f"{cwd}/{word}" if not word.startswith("/") else word)
