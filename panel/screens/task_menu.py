"""What can be done with a task now; what can't be is dimmed and says why."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from panel import keys, safe_text
from panel.asking import Asking
from panel.asks import messages as asks
from panel.asks.messages import TaskChoices
from panel.present import health
from panel.screens.dialog import Dialog
from panel.snapshot import Snapshot
from panel.widgets.columns import Column
from panel.widgets.item_list import Item, ItemList
from panel.widgets.key_footer import KeyFooter
from panel.words import signs, states
from panel.words import tasks as words
from state.command import Action
from state.errors import Refused

COLUMNS = (Column("", 1), Column("", 16, flex=1, most=28), Column("", 10, flex=2, priority=1))


class Chosen(NamedTuple):
    """Which action, and of which holder's task; None for one's own, or for every holder's."""

    name: str
    holder: str | None = None


class TaskMenu(Dialog[Chosen], Asking):
    """Dismissed with what was chosen."""

    CONTEXT = "task-menu"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("task-menu")]

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._found: TaskChoices | None = None
        self._pressed: str | None = None

    def heading(self) -> str:
        return words.heading(self._number, "" if self._found is None else self._found.title)

    def compose_body(self) -> ComposeResult:
        yield ItemList(COLUMNS, header=False, waiting=safe_text.line(words.LOOKING), id="choices")

    def on_mount(self) -> None:
        self.name_box()
        self.query_one(ItemList).focus()
        if self.seen is not None:
            self.show(self.seen)

    def show(self, snapshot: Snapshot) -> None:
        self.ask("task", asks.task(self._number), self._take, refresh=self._found is not None)

    def _take(self, found: TaskChoices) -> None:
        self._found = found
        self.name_box()
        items = [self._item(Chosen(name), found.actions[name]) for name in words.NAMES]
        if len(found.cancels) > 1:
            items += [
                self._item(
                    Chosen("cancel", holder), action, words.holder(signs.seat(holder), state)
                )
                for holder, state, action in found.cancels
            ]
        self.query_one(ItemList).show(items)
        self.query_one(KeyFooter).refresh_keys()
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            self.call_later(self.action_press, pressed)

    def _item(self, chosen: Chosen, action: Action, of: str = "") -> Item:
        reason = health.why_not_written(self.seen)
        if reason is None and action.refusal is not None:
            reason = action.refusal.message
        key = "" if of else self.panel.key(f"task-menu.{chosen.name}")
        label = words.only(of) if of else words.NAMES[chosen.name]
        return Item(
            chosen,
            (
                safe_text.line(key, "" if reason else "$text-accent bold"),
                safe_text.line(label, "$text-disabled" if reason else ""),
                safe_text.line(
                    reason or ("" if of else words.ABOUT[chosen.name]),
                    "$text-disabled" if reason else "$text-muted",
                ),
            ),
        )

    # What can be done.

    def why_not(self, needs: str) -> str | None:
        reason = health.why_not_written(self.seen)
        if reason is not None:
            return reason
        refusal = self._refusal(Chosen(needs.removeprefix("task.")))
        return None if refusal is None else refusal.message

    def _refusal(self, chosen: Chosen) -> Refused | None:
        if self._found is None:
            return None
        if chosen.holder is None:
            return self._found.actions[chosen.name].refusal
        return next(
            action.refusal for holder, _, action in self._found.cancels if holder == chosen.holder
        )

    async def action_press(self, binding_id: str) -> None:
        """Do it, or say in the box why it can't be done and what would have to be done before."""
        if self._found is None:
            # Typed ahead: what can be done isn't known yet.
            self._pressed = binding_id
        else:
            self._choose(Chosen(binding_id.removeprefix("task-menu.")))

    def action_choose(self, name: str) -> None:
        """Leave with what was chosen."""
        self._choose(Chosen(name))

    def _choose(self, chosen: Chosen) -> None:
        reason = health.why_not_written(self.seen)
        refusal = self._refusal(chosen)
        if reason is not None:
            self.say(reason, "warning")
        elif refusal is not None:
            self.say(states.with_hint(refusal.message, refusal.hint), "warning")
        else:
            self.leave(chosen)

    @on(ItemList.Opened)
    def _opened(self, event: ItemList.Opened) -> None:
        if isinstance(event.key, Chosen):
            self._choose(event.key)
