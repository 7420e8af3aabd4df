"""How a program that stays open all day takes its memory from the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress

# From glibc's malloc.h.
M_ARENA_MAX = -8


def share_one_arena() -> None:
    """Lets all threads take memory from one place, before any of them has begun.

    Else glibc gives each its own, and what one thread has freed no other can use: a panel whose
    workers come and go with each picture grows all day without anything being kept. Where the C
    library knows no such places nothing is done.
    """
    with suppress(AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
