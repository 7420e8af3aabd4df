"""`completion`: what a shell needs to complete this command, made from the parsers themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb
from state.errors import BadInput

if TYPE_CHECKING:
    from panel.cli.shells import Shell

# Asked by the scripts themselves while a person types.
SEATS = "seats"
ADAPTERS = "adapters"


def _run(call: Call) -> int:
    wanted = call.given(0, "SHELL")
    if wanted == SEATS:
        output.write_lines(_seats(call))
        return 0
    if wanted == ADAPTERS:
        output.write_lines(_adapters(call))
        return 0
    from panel.cli.shells import SHELLS, places

    shell: Shell | None = SHELLS.get(wanted)
    if shell is None:
        raise BadInput(f"{wanted!r} is no shell known here", "one of: bash, zsh, fish")
    output.write(shell(list(places())))
    return 0


def _seats(call: Call) -> Iterator[str]:
    from state.roster import queries

    with call.project.view() as view:
        yield from queries.statuses(view)


def _adapters(call: Call) -> Iterator[str]:
    from state.adapters import queries

    with call.project.view() as view:
        yield from (one.adapter for one in queries.adapters(view))


VERBS = Verb(
    _run,
    "The completion script for a shell, to standard output.",
    names=(("SHELL", "bash, zsh or fish"),),
    more="Put it where your shell looks for it. Seats are asked of the project while you type.",
    examples=(
        "source <(sublation-panel completion bash)",
        "sublation-panel completion fish > ~/.config/fish/completions/sublation-panel.fish",
        'eval "$(sublation-panel completion zsh)"',
    ),
)
