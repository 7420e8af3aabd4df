"""`init`: a project in a folder, with the user seat and the agent seats that are named."""

from __future__ import annotations

import os
from argparse import _ArgumentGroup
from collections.abc import Iterator

from panel.cli.call import Call
from panel.cli.parser import Verb
from panel.neutral import plain
from state import checks
from state.clock import SystemClock
from state.create import create
from state.errors import BadInput, NoProject, Refused
from state.overview import overview
from state.project import Project, find


def _arguments(group: _ArgumentGroup) -> None:
    group.add_argument("--name", help="the project's name; else the folder's")
    group.add_argument(
        "--seat",
        dest="seats",
        metavar="ID[:HOST]",
        action="append",
        default=[],
        help="an agent seat, with the host it runs in; may be given several times",
    )


def _run(call: Call) -> int:
    folder = call.folder or os.getcwd()
    if call.folder is None:
        _none_above(folder)
    name = call.args.name
    paths = create(
        folder,
        name=_name_of(folder) if name is None else name,
        seats=[_seat(given) for given in call.args.seats],
        clock=SystemClock(),
        via="tty" if call.at_terminal else "cli",
        force_filesystem=call.force_filesystem,
    )
    # Looking at it once builds the index here, where a person expects to wait.
    force = call.force_filesystem
    with Project(paths, force_filesystem=force) as project, project.view() as view:
        seen = overview(view, project.clock.moment())
    seats = [seat.seat for seat in seen.seats]

    def lines() -> Iterator[str]:
        yield f"made the project {plain(seen.name)} in {plain(paths.root)}"
        yield f"seats: {', '.join(seats)}"
        yield ""
        yield "An agent takes its seat with two variables in its environment:"
        seat = seats[1] if len(seats) > 1 else "codex"
        yield f"  SUBLATION_PROJECT={plain(paths.project)} SUBLATION_SEAT={seat}"
        if len(seats) == 1:
            yield "and you add the seat with: sublation-panel seat add codex"

    shown = {"project": seen.project, "name": seen.name, "rev": seen.rev, "seats": seats}
    return call.answer(shown | {"folder": _utf8(paths.project)}, lines)


def _none_above(folder: str) -> None:
    """A project inside of a project splits it in two silent halves, unless that is meant."""
    try:
        above = find(folder)
    except NoProject:
        return
    if above.project != os.path.realpath(folder):
        raise Refused(
            "R1",
            f"there is a project above: {above.project}",
            "use that one, or name this folder: init --project .",
        )


def _name_of(folder: str) -> str:
    shown = plain(os.path.basename(os.path.realpath(folder)))[: checks.NAME_LIMIT]
    return shown if shown.strip() else "project"


def _seat(given: str) -> tuple[str, str]:
    seat, colon, host = given.partition(":")
    if colon and not host:
        raise BadInput(f"{given!r} names no host", "as in --seat codex:codex-cli", field="seat")
    return seat, host


def _utf8(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")


VERBS = Verb(
    _run,
    "Make a project in this folder (or in --project DIR): .sublation-panel/ with the journal.",
    words="[--name NAME] [--seat ID[:HOST]]...",
    arguments=_arguments,
    more="Makes your seat, `user`, and the agent seats that are named, in one line of the journal."
    " Needs no terminal. Refused where a project already is.",
    examples=(
        "sublation-panel init --seat codex --seat hermes:claude-code",
        "sublation-panel init --name shop --project ~/src/shop",
    ),
)
