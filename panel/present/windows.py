"""A seat's wake window in few lines: for the first screen and `wake show`. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from panel import safe_text
from panel.words import windows as words

if TYPE_CHECKING:
    from state.wake.shown import Shown, ShownWindow

MUTED = "$text-muted"
STYLES = {"active": "$text-success", "draining": "$text-accent", "hold": "$text-warning"}


def cell(state: str | None) -> Content:
    """The state of a window in a table; a seat that can't have one has a dash."""
    if state is None:
        return safe_text.line(words.NONE, MUTED)
    return safe_text.line(words.WINDOWS.get(state, state), STYLES.get(state, MUTED))


def window(one: Shown) -> Content:
    """Everything about the window at this moment, each line by itself (W24, W26)."""
    if one.window is None:
        return cell(one.state)
    parts = [
        safe_text.row([(words.IN_FULL[one.state], STYLES[one.state]), (words.left(one.window), "")])
    ]
    parts += [safe_text.line(line, style) for line, style in _more(one, one.window)]
    return Content("\n").join(parts)


def _more(one: Shown, window: ShownWindow) -> Sequence[tuple[str, str]]:
    found = []
    why = words.why(window)
    if why:
        found.append((why, "$text-warning"))
    if window.nobody_scans:
        found.append((words.NOBODY_SCANS, "$text-warning"))
    elif window.nobody_scans is None:
        found.append((words.SCAN_NOT_KNOWN, MUTED))
    found.append((words.used(window), ""))
    found.append((words.rest(one, window), ""))
    return found


def intents(one: Shown) -> Content | None:
    """The window's intents by state, None without any."""
    if not one.intents:
        return None
    return safe_text.line(words.intents(one.intents))
