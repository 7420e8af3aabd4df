"""Questions to the person at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from panel.neutral import plain
from state.errors import Refused


def confirmed(question: str, *, about: Iterable[str] = ()) -> None:
    """Goes on when the person says yes, else Refused; anything but `y` or `yes` is a no.

    The lines of `about` are shown first: what the person agrees to.
    """
    shown = "".join(f"{plain(line)}\n" for line in about)
    _ask(f"{shown}{plain(question)} [y/N] ")
    # As bytes: what is typed need not be text in the terminal's encoding.
    answer = sys.stdin.buffer.readline() if sys.stdin is not None else b""
    if answer.strip().lower() not in (b"y", b"yes"):
        raise Refused(None, "you said no; nothing was written", "say y to go on")


def _ask(text: str) -> None:
    """To the terminal itself, so that the question is seen where both outputs lead elsewhere."""
    try:
        with open("/dev/tty", "w", encoding="utf-8", errors="backslashreplace") as terminal:
            terminal.write(text)
    except OSError as error:
        raise Refused(
            None,
            f"the question can't be asked: this process has no terminal ({error.strerror})",
            "run it at your own terminal, not through setsid or a service",
        ) from error
