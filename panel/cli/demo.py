"""`demo`: a scratch project with scripted agents at work, and the panel on it."""

from __future__ import annotations

import os
from argparse import _ArgumentGroup

from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from state.errors import BadInput

SEED = 1


def _run(call: Call) -> int:
    if not (os.isatty(0) and os.isatty(1)):
        raise BadInput("the demo's panel needs a terminal", "run it at your own terminal")
    from panel.cli.main import stay
    from panel.demo import main

    stay()
    return main(call.args.seed)


def _arguments(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--seed", metavar="N", type=whole, default=SEED, help=f"what the agents do; else {SEED}"
    )


VERBS = Verb(
    _run,
    "Try it: a scratch project with scripted agents, and the panel on it.",
    words="[--seed N]",
    arguments=_arguments,
    more="Each agent is a process of its own. Everything it makes is removed at the end.",
)
