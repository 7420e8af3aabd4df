"""The closing receipt of a window: what it came to, from what is known of the seat (W12)."""

from collections import Counter
from collections.abc import Iterable

from state.wake.model import SeatWake, Window
from state.wake.operations import Tally, WindowClosed

# So many ranges of each kind fit into one line beside everything else.
RANGES_LIMIT = 500

Ranges = tuple[tuple[int, int], ...]


def closing_receipt(wake: SeatWake, window: Window, rev: int) -> WindowClosed:
    """W12: wakes, outcomes, reasons, first and last line, and each intent that came to nothing."""
    lapsed, whole = _ranges(wake, "lapsed")
    dismissed, all_dismissed = _ranges(wake, "dismissed")
    held, all_held = _ranges(wake, "terminal_hold")
    return WindowClosed(
        seat=wake.seat,
        reason=window.reason,
        first=window.number,
        last=rev,
        wakes=window.wakes,
        outcomes=_tallies(intent.state for intent in wake.intents),
        passed=tuple(Tally(reason, count) for reason, count in wake.passed),
        lapses=_tallies(intent.reason for intent in wake.intents if intent.state == "lapsed"),
        lapsed=lapsed,
        dismissed=dismissed,
        terminal_hold=held,
        named=whole and all_dismissed and all_held,
    )


def _tallies(words: Iterable[str]) -> tuple[Tally, ...]:
    return tuple(Tally(name, count) for name, count in sorted(Counter(words).items()))


def _ranges(wake: SeatWake, state: str) -> tuple[Ranges, bool]:
    """The intents in one state as ranges of messages, and whether no range holds another one."""
    found: list[tuple[int, int]] = []
    follows = False
    for intent in wake.intents:
        if intent.state != state:
            follows = False
        elif follows:
            found[-1] = (found[-1][0], intent.message)
        else:
            found.append((intent.message, intent.message))
            follows = True
    if len(found) <= RANGES_LIMIT:
        return tuple(found), True
    kept = found[: RANGES_LIMIT - 1]
    return (*kept, (found[RANGES_LIMIT - 1][0], found[-1][1])), False
