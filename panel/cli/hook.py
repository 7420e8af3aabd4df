"""`hook`: one event of a host from standard input; its settings; what it can prove."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb
from state.errors import BadInput, StateError

if TYPE_CHECKING:
    from state.hook_call import HookCall, Outcome

# A host waits for a second in all: from the start of the process until it is given up, the least
# that is left after it, and what giving up may take. Once the start alone has taken the second, the
# hook gets as long again and at most this: there is none left to keep, only the event to lose.
SECONDS = 0.85
LEAST_SECONDS = 0.25
LAST_SECONDS = 0.1
LATE_SECONDS = 2.0
DEBUG = "SUBLATION_DEBUG"
HOST = (("HOST", "claude-code or codex"),)


def _event(host: str, call: Call) -> int:
    """Whatever happens it ends with 0, and says nothing unless it is asked to."""
    if call.at_terminal:
        # No host has one there: it is a person who tries the command.
        raise BadInput(
            "a hook takes one event from standard input",
            f"a host calls it: hook settings {host}; to try it: hook check {host}",
        )
    from state.hook_call import HookCall

    try:
        taking = HookCall(call.project, host, call.named_seat())
    except StateError:
        return 0
    _end_in_time(taking)
    if not os.environ.get(DEBUG):
        sys.excepthook = partial(_bug, taking)
    from panel.cli import hook_input

    done = taking.take(hook_input.read, os.path.expanduser("~"))
    signal.setitimer(signal.ITIMER_REAL, 0)
    if call.json:
        output.write_json(_shape(host, done))
    return 0


def _shape(host: str, done: Outcome) -> dict[str, Any]:
    return {
        "host": host,
        "event": done.event,
        "outcome": done.word,
        "note": done.note,
        "rev": done.rev,
    }


def _end_in_time(taking: HookCall) -> None:
    """Once the time is up it is given up and the process ends, should that hang too."""

    def last(*_: object) -> None:
        os._exit(0)

    def end(*_: object) -> None:
        signal.signal(signal.SIGALRM, last)
        signal.setitimer(signal.ITIMER_REAL, LAST_SECONDS)
        taking.give_up("timeout")
        os._exit(0)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, left(_age()))


def left(age: float) -> float:
    """For how many seconds a process of that age may go on."""
    return max(SECONDS - age, LEAST_SECONDS) if age < SECONDS else min(age, LATE_SECONDS)


def _age() -> float:
    """How many seconds this process lives; 0 where the system doesn't tell."""
    try:
        with open("/proc/self/stat", "rb", buffering=0) as file:
            ticks = int(file.read(1024).rpartition(b")")[2].split()[19])
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
    return max(now - ticks / os.sysconf("SC_CLK_TCK"), 0.0)


def _bug(
    taking: HookCall, kind: type[BaseException], error: BaseException, at: TracebackType | None
) -> None:
    """A bug of this program is no reason to fail a host; it is noted without what it says."""
    taking.give_up("bug")
    os._exit(0)


def _settings(call: Call) -> int:
    from panel.words import hook_settings

    host = _host(call)
    options = {"--project": call.folder, "--as": call.named_seat()}
    found = hook_settings.of(host, {name: value for name, value in options.items() if value})
    return call.answer(found.as_dict(), found.lines)


def _check(call: Call) -> int:
    from panel.cli.hook_check import run

    return run(call, _host(call))


def _host(call: Call) -> str:
    from state.routing.hooks.seen import HOSTS

    host = call.given(0, "HOST")
    if host not in HOSTS:
        raise BadInput(f"{host!r} is no host with hooks here", f"one of: {', '.join(HOSTS)}")
    return host


NEVER_FAILS = (
    "Ends with 0 within a second whatever happens and writes nothing to standard output, but with"
    " --json. What it could not do stands in the panel under “Needs you”. The seat is --as or"
    " SUBLATION_SEAT."
)
OFF = "Off until the user registers the adapter"

VERBS: Mapping[str, Verb] = {
    "claude-code": Verb(
        partial(_event, "claude-code"),
        "Take one event of a Claude Code hook from standard input.",
        more=f"{NEVER_FAILS} {OFF}: adapter register builtin:claude-code. No prompt, file, argument"
        " or answer is kept.",
        examples=("sublation-panel hook settings claude-code",),
    ),
    "codex": Verb(
        partial(_event, "codex"),
        "Take one event of a Codex hook from standard input.",
        more=f"{NEVER_FAILS} {OFF}: adapter register builtin:codex. Codex has no tool for skills,"
        " so its uses never read as invoked.",
        examples=("sublation-panel hook settings codex",),
    ),
    "settings": Verb(
        _settings,
        "The exact lines to add to a host's settings, and to take out again. Writes nothing.",
        names=HOST,
        more="With --as and --project the lines name that seat and that project.",
        examples=("sublation-panel hook settings claude-code --as codex",),
    ),
    "check": Verb(
        _check,
        "Replay captured events and say what this host can prove and what it can't.",
        names=(*HOST, ("[DIR]", "a folder of captured events and transcripts")),
        more="Without a folder it replays events made for this program from the host's"
        " documentation. Records nothing and needs no project.",
        examples=("sublation-panel hook check claude-code ./captures",),
    ),
}
