"""The command `sublation-panel`: finds the command that is meant, runs it, says what went wrong.

Every other module is imported where it is needed: a cold start is what an agent pays each time.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from types import TracebackType

INTERRUPTED = 130
DEBUG = "SUBLATION_DEBUG"
SCREEN = "textual"
HOSTS = (["claude-code"], ["codex"])
# Of the options that may stand before a command.
TAKE_A_VALUE = ("--project", "--as")
# A short command makes no garbage worth looking for while it imports what it needs.
OBJECTS = 100_000
USUAL = gc.get_threshold()


def entry() -> int:
    """What the installed command runs: the arguments of this process; gives the exit status."""
    if sys.platform == "win32":
        sys.stderr.write("sublation-panel needs Linux or macOS; on Windows run it inside WSL\n")
        return 2
    gc.set_threshold(OBJECTS)
    _load()
    _keep_standard_streams()
    if not os.environ.get(DEBUG):
        sys.excepthook = _bug
    code = main(sys.argv[1:])
    if SCREEN not in sys.modules:
        # Everything is written, flushed and closed, and no thread was started. Taking the
        # interpreter down in order would cost about a third of starting it, for nothing.
        os._exit(code)
    return code


def main(argv: Sequence[str]) -> int:
    """Runs one command line; gives its exit status (`docs/cli.md`).

    Whatever is expected to go wrong ends in one line and a hint on standard error, as an object
    with `--json`. Only a bug of the program leaves as an exception.
    """
    try:
        return _answered(argv)
    except BrokenPipeError:
        # Who read the answer has gone; what was asked for is done.
        _hush()
        return 0
    except KeyboardInterrupt:
        _hush()
        return INTERRUPTED


def stay() -> None:
    """Before something that lasts, a panel: garbage is collected as usual again."""
    gc.set_threshold(*USUAL)


def _answered(argv: Sequence[str]) -> int:
    from panel.cli import output
    from panel.cli.parser import HelpAsked
    from state.errors import StateError

    try:
        from panel.cli.dispatch import run

        try:
            code = run(argv)
        except HelpAsked as asked:
            output.write(asked.text)
            code = 0
        output.flush()
        return code
    except StateError as error:
        from panel.cli import errors

        errors.say(error, as_json="--json" in argv)
        return 0 if _is_called_by_host(argv) else error.exit


def _is_called_by_host(argv: Sequence[str]) -> bool:
    """Whether a host calls its hook: it takes exit 2 for a block, a mistyped option too."""
    words = [
        word
        for before, word in zip(("", *argv), argv, strict=False)
        if not word.startswith("-") and before not in TAKE_A_VALUE
    ]
    return words[:1] == ["hook"] and words[1:2] in HOSTS and not os.isatty(0)


def _load() -> None:
    """Imports what every command needs; ctrl-c ends it at once meanwhile, and says nothing.

    As an exception it would make orjson fall over (a segmentation fault) while that is loaded.
    """
    # What stands behind `signal`, which costs half a millisecond of each start.
    import _signal as signal  # type: ignore[import-not-found]

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    import panel.cli.dispatch  # noqa: F401

    signal.signal(signal.SIGINT, signal.default_int_handler)


def _keep_standard_streams() -> None:
    """Opens what was closed to nowhere, or the next file opened would get its number.

    A journal that is called standard output would be written over by the answer.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def _hush() -> None:
    """Nothing more goes to standard output, so that the end of the process finds nothing to say."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _bug(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    from panel.cli import errors

    errors.say_bug(error, as_json="--json" in sys.argv)
