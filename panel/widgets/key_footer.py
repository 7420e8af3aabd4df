"""One line at the bottom that says which keys act here, from the table and what is bound now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from panel import keys, neutral, safe_text
from panel.widgets.keyed import why_not

_BETWEEN = "  "
_CLOSER = " "
_MODE = "go."
_MODES = "modes"


class Item(NamedTuple):
    """One key in the footer: `name` is what Textual calls it, `sign` what a person reads.

    `mode` is which mode it goes to, if any.
    """

    name: str
    sign: str
    label: str
    short: str
    rank: int
    acts: bool = True
    mode: str = ""


class Placed(NamedTuple):
    """An item and the text for it, from cell `start` until before `stop`."""

    item: Item
    start: int
    stop: int
    text: str


def placed(items: Sequence[Item], width: int) -> list[Placed]:
    """What fits into `width` cells, in order.

    Where not all modes have room, all of them are one item. The most important items come first,
    and of the others what still has room, with shorter words where those let more in. Where not
    even the most important have room, they stand closer, their words become shorter, then only the
    signs are left; of those as many as fit. A key that can't act has a dot before its word.
    """
    row = _row(items, _BETWEEN, "label")
    if _width(row) <= width:
        return row
    items = _with_modes_as_one(items)
    kept = [item for item in items if item.rank == 0]
    full, brief = (_filled(items, width, words) for words in ("label", "brief"))
    if _weight(brief) > max(_weight(full), len(kept)):
        return brief
    if full:
        return full
    acting = [item for item in kept if item.name]
    for some, words in ((kept, "label"), (kept, "short"), (acting, "short"), (kept, "")):
        row = _row(some, _CLOSER, words)
        if _width(row) <= width:
            return row
    return [one for one in row if one.stop <= width]


def _filled(items: Sequence[Item], width: int, words: str) -> list[Placed]:
    """The most important items and as many others as have room; nothing where they have none."""
    kept = [item for item in items if item.rank == 0]
    row = _row(kept, _BETWEEN, words)
    if _width(row) > width:
        return []
    for more in sorted((item for item in items if item.rank), key=lambda item: item.rank):
        wider = _row([one for one in items if one in (*kept, more)], _BETWEEN, words)
        if _width(wider) <= width:
            kept, row = [*kept, more], wider
    return row


def _weight(row: Sequence[Placed]) -> int:
    """How many items of a row matter most in one mode."""
    return sum(one.item.rank <= 1 for one in row)


def _with_modes_as_one(items: Sequence[Item]) -> list[Item]:
    modes = [item for item in items if item.mode]
    if len(modes) < 2:
        return list(items)
    first, last = modes[0], modes[-1]
    digits = all(len(item.sign) == 1 for item in modes)
    sign = f"{first.sign}–{last.sign}" if digits else " ".join(item.sign for item in modes)
    one = Item("", sign, _MODES, _MODES, 0)
    return [one if item is first else item for item in items if item not in modes[1:]]


class KeyFooter(Widget):
    """The keys of the present screen. `refresh_keys` when what they need may have changed."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyFooter {
        dock: bottom;
        width: 100%;
        height: 1;
        padding: 0 1;
        color: $footer-description-foreground;
        background: $footer-background;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._drawn: list[Item] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_updated)

    def refresh_keys(self) -> None:
        """Look again which keys can act."""
        # Without any screen the panel ends; modes that aren't seen still take their last answers.
        if self.app.screen_stack and self.items() != self._drawn:
            self.refresh()

    def _bindings_updated(self, screen: Screen[object]) -> None:
        if screen is self.screen:
            self.refresh()

    def items(self) -> list[Item]:
        """The keys that are bound where the focus is, in the order of the table."""
        first: dict[str, str] = {}
        for name, active in self.screen.active_bindings.items():
            if active.binding.id is not None and not self._is_typed(name):
                first.setdefault(active.binding.id, name)
        return [
            Item(
                name=first[key.id],
                sign=neutral.line(keys.shown(first[key.id])),
                label=key.label,
                short=key.label if key.short is None else key.short,
                rank=key.rank,
                acts=why_not(self.screen, key.id) is None,
                mode=key.id.removeprefix(_MODE) if key.id.startswith(_MODE) else "",
            )
            for key in keys.TABLE
            if key.id in first and key.rank is not None
        ]

    def _is_typed(self, name: str) -> bool:
        """Whether the key writes a character where the focus is; Textual misses the slash."""
        field, sign = self.screen.focused, keys.shown(name)
        character = sign if len(sign) == 1 and sign.isascii() else None
        return field is not None and field.check_consume_key(name, character)

    def render(self) -> Content:
        width = self.content_size.width
        parts: list[Content] = []
        at = 0
        self._drawn = self.items()
        for one in placed(self._drawn, width):
            sign = len(one.item.sign)
            on, word = (
                ("$footer-key-foreground bold", "")
                if one.item.acts
                else ("$text-disabled", "$text-disabled")
            )
            parts.append(
                Content.assemble(
                    " " * (one.start - at),
                    safe_text.line(one.text[:sign], on),
                    safe_text.line(one.text[sign:], word),
                )
            )
            at = one.stop
        return Content("").join(parts)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        for one in placed(self.items(), self.content_size.width):
            if one.start <= offset.x < one.stop:
                # As if pressed, so that a key that can't act says why.
                self.app.simulate_key(one.item.name or self._next_mode())

    def _next_mode(self) -> str:
        """The key of the mode after the one that is seen."""
        modes = [item for item in self.items() if item.mode]
        here = [item.mode == getattr(self.screen, "MODE", "") for item in modes]
        return modes[(here.index(True) + 1) % len(modes) if any(here) else 0].name


def _row(items: Iterable[Item], between: str, words: str) -> list[Placed]:
    row: list[Placed] = []
    at = 0
    for item in items:
        word = {
            "label": item.label,
            "brief": item.short or item.label,
            "short": item.short,
        }.get(words, "")
        text = f"{item.sign}{' ' if item.acts else '·'}{word}" if word else item.sign
        start = at + (len(between) if row else 0)
        at = start + neutral.cells(text)
        row.append(Placed(item, start, at, text))
    return row


def _width(row: Sequence[Placed]) -> int:
    return row[-1].stop if row else 0
