"""A message as a row of the first screen, which has little room for it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from panel import safe_text
from panel.present import ages, messages
from panel.widgets.columns import Column
from panel.widgets.item_list import Item
from panel.words import signs

if TYPE_CHECKING:
    from state.messages.listing import MessageRow

Now = Callable[[], datetime]

COLUMNS: Sequence[Column] = (
    Column("", 3),
    Column("", 5, flex=1, most=16, priority=3, since=80),
    Column("", 14, flex=4, most=28, priority=2, cut="pair"),
    Column("", 14, flex=12),
    Column("", 5, priority=1, align="right"),
)


def item(shown: MessageRow, now: Now) -> Item:
    """Number, time, from whom to whom, kind and title, age; the user's unread ones in bold."""
    to = messages.recipients(shown)
    return Item(
        shown.id,
        (
            safe_text.line(f"#{shown.id}"),
            safe_text.line(ages.clock(shown.at, now()), "$text-muted"),
            safe_text.line(f"{signs.seat(shown.sender)}{signs.TO}{to}"),
            messages.title(shown),
            lambda: safe_text.line(ages.age(shown.at, now()), "$text-muted"),
        ),
        "bold" if signs.USER_SEAT in shown.unread_by else "",
    )
