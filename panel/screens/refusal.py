"""What stands against deactivating a seat, and the way there (R4)."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from panel import keys, safe_text
from panel.asks.overview import SeatDetail
from panel.messages import Place
from panel.screens.dialog import Dialog
from panel.widgets.columns import Column
from panel.widgets.item_list import Item, ItemList
from panel.words import seat_menu as words
from panel.words import signs
from state.errors import Refused

COLUMNS = (Column("", 20, flex=1), Column("", 12, priority=1, align="right"))


class Refusal(Dialog[Place | str]):
    """Dismissed with the place to go to, or with the name of another action."""

    CONTEXT = "refusal"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("refusal")]

    def __init__(self, detail: SeatDetail, refused: Refused) -> None:
        super().__init__()
        self._detail = detail
        self._refused = refused

    def heading(self) -> str:
        return words.refused(signs.seat(self._detail.seat.seat))

    def compose_body(self) -> ComposeResult:
        yield Static(safe_text.line(self._refused.message))
        yield ItemList(COLUMNS, header=False, id="against")
        yield Static(safe_text.line(self._refused.hint, "$text-muted"))

    def on_mount(self) -> None:
        shown = self.query_one(ItemList)
        shown.show([self._item(*blocking) for blocking in self._refused.blocking])
        shown.focus()

    def _item(self, kind: str, count: int, first: int | None) -> Item:
        queue = Place("queue", self._detail.seat.seat)
        cells = (
            safe_text.line(words.against(kind, count, first)),
            safe_text.line(words.goes_there(self.panel.key("list.open")), "$text-muted"),
        )
        return Item(queue if first is None else Place("message", first), cells)

    def why_not(self, needs: str) -> str | None:
        refusal = self._detail.actions[needs.removeprefix("seat.")].refusal
        return None if refusal is None else refusal.message

    def action_choose(self, name: str) -> None:
        """Leave with another action instead."""
        self.leave(name)

    @on(ItemList.Opened)
    def _opened(self, event: ItemList.Opened) -> None:
        if isinstance(event.key, Place):
            self.leave(event.key)
