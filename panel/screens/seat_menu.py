"""What can be done with one seat now; what can't be is dimmed and says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from panel import keys, safe_text
from panel.asking import Asking
from panel.asks.overview import SeatDetail, seat_detail
from panel.present import health
from panel.screens.dialog import Dialog
from panel.snapshot import Snapshot
from panel.widgets.columns import Column
from panel.widgets.item_list import Item, ItemList
from panel.widgets.key_footer import KeyFooter
from panel.words import seat_menu as words
from panel.words import signs, states
from state.command import Action
from state.errors import Refused

# What each key of the menu may mean: the first that can act is meant, else the last of all.
MEANS: Mapping[str, Sequence[str]] = {
    "add": ("add",),
    "labels": ("labels",),
    "hide": ("show", "hide"),
    "rename": ("rename",),
    "away": ("back", "away"),
    "close": ("close",),
    "deactivate": ("deactivate",),
    "restore": ("restore",),
}
COLUMNS = (Column("", 2), Column("", 14), Column("", 10, flex=1, priority=1))


class SeatMenu(Dialog[tuple[str, SeatDetail]], Asking):
    """Dismissed with the name of the action that was chosen, and the seat as it was shown."""

    CONTEXT = "seat-menu"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("seat-menu")]

    def __init__(self, seat: str) -> None:
        super().__init__()
        self._seat = seat
        self._detail: SeatDetail | None = None
        self._pressed: str | None = None

    def heading(self) -> str:
        return words.menu(signs.seat(self._seat))

    def compose_body(self) -> ComposeResult:
        yield ItemList(COLUMNS, header=False, waiting=safe_text.line(states.OPENING), id="choices")

    def on_mount(self) -> None:
        self.query_one(ItemList).focus()
        if self.seen is not None:
            self.show(self.seen)

    def show(self, snapshot: Snapshot) -> None:
        seat = self._seat
        self.ask("seat", lambda view, now: seat_detail(view, seat, now), self._take, refresh=True)

    def _take(self, found: SeatDetail | None) -> None:
        self._detail = found
        self.query_one(ItemList).show([self._item(name) for name in MEANS])
        self.query_one(KeyFooter).refresh_keys()
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            self.call_later(self.action_press, pressed)

    def _item(self, name: str) -> Item:
        key = keys.by_id(f"seat-menu.{name}")
        sign = self.panel.key(key.id)
        reason = self.why_not(key.needs)
        label, about = words.ACTIONS[self._meant(name)]
        return Item(
            name,
            (
                safe_text.line(f"{sign}·", "$text-disabled")
                if reason
                else safe_text.line(sign, "$text-accent bold"),
                safe_text.line(label, "$text-disabled" if reason else ""),
                safe_text.line(reason or about, "$text-disabled" if reason else "$text-muted"),
            ),
        )

    # What can be done.

    def why_not(self, needs: str) -> str | None:
        reason = health.why_not_written(self.seen)
        if reason is not None:
            return reason
        if self._detail is None:
            return words.NO_SEAT
        refusal = self._refusal(needs.removeprefix("seat."))
        return None if refusal is None else refusal.message

    def _meant(self, name: str) -> str:
        """Which of the actions of one key is meant now."""
        names = MEANS[name]
        able = [meant for meant in names if self._action(meant).refusal is None]
        return able[0] if able else names[-1]

    def _refusal(self, name: str) -> Refused | None:
        return self._action(self._meant(name)).refusal

    def _action(self, name: str) -> Action:
        assert self._detail is not None
        return self._detail.actions[name]

    async def action_press(self, binding_id: str) -> None:
        """Do it, say in the box why it can't be done, or show what stands against it (R4)."""
        if self._detail is None:
            # Typed ahead: what can be done isn't known yet.
            self._pressed = binding_id
            return
        name = binding_id.removeprefix("seat-menu.")
        if health.why_not_written(self.seen) is None:
            refusal = self._refusal(name)
            if refusal is not None and refusal.blocking:
                self.action_choose(name)
                return
            if refusal is not None:
                self.say(states.with_hint(refusal.message, refusal.hint), "warning")
                return
        await super().action_press(binding_id)

    def action_choose(self, name: str) -> None:
        """Leave with what was chosen."""
        if self._detail is not None:
            self.leave((self._meant(name), self._detail))

    @on(ItemList.Opened)
    async def _opened(self, event: ItemList.Opened) -> None:
        await self.action_press(f"seat-menu.{event.key}")
