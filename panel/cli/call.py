"""One call of the command: its options, its seat, its terminal, and the project it is about."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from panel.cli import output
from state.errors import BadInput, Refused, StateError

if TYPE_CHECKING:
    from state.command import Actor, Command
    from state.index.view import View
    from state.paths import Paths
    from state.project import Committed, Project

USER = "user"
DOCTOR = "`sublation-panel doctor` says what can be done"
# A program that drives an agent sets one of these; what it runs is not the person's own hand.
AGENT_HOSTS = (
    "CLAUDECODE",
    "GEMINI_CLI",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "OPENCODE",
    "CURSOR_AGENT",
)


class Call:
    """What a verb is given. Leaving it closes the project."""

    def __init__(self, args: Namespace, prog: str) -> None:
        self.args = args
        self.prog = prog
        self.json: bool = getattr(args, "json", False)
        self.at_terminal = os.isatty(0)
        self._paths: Paths | None = None
        self._project: Project | None = None
        self._trouble: StateError | None = None
        self.damaged: dict[int, str] = {}

    def __enter__(self) -> Call:
        return self

    def __exit__(self, *_: object) -> None:
        if self._project is not None:
            self._project.close()

    @property
    def folder(self) -> str | None:
        """The project's folder as it was named, None when it is to be found upward."""
        named: str | None = getattr(self.args, "project", None)
        return named if named is not None else os.environ.get("SUBLATION_PROJECT") or None

    @property
    def project(self) -> Project:
        """The project, opened once. NoProject and the errors of opening."""
        if self._project is None:
            from state.project import Project

            self._project = Project(self.paths, force_filesystem=self.force_filesystem)
        return self._project

    @property
    def paths(self) -> Paths:
        """Where the project is. NoProject when it is to be found upward and isn't."""
        if self._paths is None:
            from state.paths import FOLDER, Paths
            from state.project import find

            folder = self.folder
            if folder is None:
                self._paths = find()
            else:
                self._paths = Paths(os.path.join(os.path.realpath(folder), FOLDER))
        return self._paths

    @property
    def force_filesystem(self) -> bool:
        """Whether to write where locks and syncs can't be trusted."""
        return getattr(self.args, "force_filesystem", False)

    @property
    def state(self) -> str:
        """`ok`, `read_only`, or the code of what is wrong with the project that was looked at."""
        if self._trouble is not None:
            return self._trouble.code
        return "ok" if self.project.journal.is_writable() else "read_only"

    @contextmanager
    def looking(self) -> Iterator[View]:
        """The project as it stands, or its last good state where it is not sound."""
        view, self._trouble = self.project.last_good(self.progress("lines"))
        with view:
            yield view

    def found_damage(self, number: int, error: StateError) -> None:
        """One record of the answer is damaged: the rest is answered, the exit tells."""
        self.damaged[number] = error.message
        self._trouble = self._trouble or error

    @property
    def trouble_need(self) -> dict[str, Any] | None:
        """What is wrong with the project as one of the things that need the person, or None."""
        if self._trouble is None:
            return None
        need = {"kind": self._trouble.code, "seat": None, "id": None, "since": None}
        return need | {"text": self._trouble.message, "hidden": False}

    @property
    def is_sound(self) -> bool:
        """Whether what was looked at is the present state and nothing is wrong with it."""
        return self._trouble is None

    def verified(self) -> dict[str, Any]:
        """When, and up to which line, the whole chain was last checked; None where not known."""
        from state.health import last_verified

        found = last_verified(self.paths)
        if found is None:
            return {"to": None, "at": None, "whole": False}
        return {"to": found.to, "at": found.at, "whole": found.whole}

    def note_trouble(self, code: str, what: str, hint: str = DOCTOR) -> None:
        """What a check found: said on standard error at the end, with the exit of that code."""
        from state.errors import Unsound

        kinds = {kind.code: kind for kind in Unsound.__subclasses__()}
        kind = kinds.get(code)
        self._trouble = Refused(None, what, hint) if kind is None else kind(what, hint)

    def progress(self, what: str) -> Callable[[int, int], None] | None:
        """Says how far something is, where a person waits for it."""
        import sys

        if self.json or sys.stderr is None or not sys.stderr.isatty():
            return None

        def show(done: int, of: int) -> None:
            from panel.cli.errors import note

            note(f"{done:,} of {of:,} {what}")

        return show

    def trouble(self) -> int:
        """Says on standard error what is wrong with the project; the exit status of that, or 0."""
        if self._trouble is None:
            return 0
        from panel.cli import errors

        errors.say(self._trouble, as_json=self.json)
        return self._trouble.exit

    def named_seat(self) -> str | None:
        """The seat that was named, by option or environment."""
        return getattr(self.args, "seat", None) or os.environ.get("SUBLATION_SEAT") or None

    def seat(self) -> str:
        """The seat that this call is for. BadInput when it can't be known."""
        named = self.named_seat()
        if named is not None:
            return named
        if not self.at_terminal or any(name in os.environ for name in AGENT_HOSTS):
            raise BadInput(
                "no seat: set SUBLATION_SEAT or give --as",
                "for example: --as codex; at your own terminal, with a body from a pipe: --as user",
            )
        return USER

    def actor(self, *, body_is_piped: bool = False) -> Actor:
        """Who acts, and by which way. Refused for the user seat without a terminal.

        Standard input that is taken by a body is no terminal; then there must be another one.
        """
        from state.command import Actor

        seat = self.seat()
        at_terminal = self.at_terminal or (body_is_piped and seat == USER and _has_terminal())
        if seat == USER and not at_terminal:
            raise Refused(
                None,
                "acting as the user needs a terminal",
                "run it at your own terminal, or act for an agent: --as SEAT",
            )
        return Actor(seat, "tty" if at_terminal else "cli")

    def user(self) -> Actor:
        """The user at a terminal, for what nobody else may do. R11."""
        from state.roster import decide

        named = self.named_seat()
        if named is not None:
            decide.by_user_only(named)
        if not self.at_terminal:
            raise Refused(
                "R11",
                "only the user may do this, at a terminal",
                "run it at your own terminal; an agent asks with: post user --kind question",
            )
        return self.actor()

    def change(
        self,
        make: Callable[[], Command],
        actor: Actor,
        *,
        may: Callable[[View], object] | None = None,
    ) -> Committed:
        """Runs the command that `make` gives from the arguments.

        Where the arguments are not what they must be, `may` is asked first: whether this seat may
        do it at all is answered before what is missing.
        """
        try:
            command = make()
        except BadInput:
            if may is not None:
                with self.project.view() as view:
                    may(view)
            raise
        return self.project.run(command, actor, key=self.args.key)

    def answer(self, data: Mapping[str, Any], lines: Callable[[], Iterable[str]]) -> int:
        """Writes the answer, as JSON or as text for a person."""
        if self.json:
            output.write_json(data)
        else:
            output.write_lines(lines())
        return 0

    def given(self, place: int, name: str) -> str:
        """A positional argument. BadInput when it is missing."""
        given: list[str] = self.args.given
        if place >= len(given):
            raise BadInput(f"{name} is missing", f"see: {self.prog} --help", field=name.lower())
        return given[place]

    def number(self, place: int, name: str = "N") -> int:
        """A positional argument that is a number of a line or message."""
        from argparse import ArgumentTypeError

        from panel.cli.parser import whole

        try:
            return whole(self.given(place, name))
        except ArgumentTypeError as error:
            raise BadInput(f"{name}: {error}", f"see: {self.prog} --help", field=name) from error


def _has_terminal() -> bool:
    """Whether this process has a terminal of its own, whatever its standard input is."""
    try:
        with open("/dev/tty", "rb", buffering=0):
            return True
    except OSError:
        return False
