"""The skills that journal and index know, and those that the inventory finds on the disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from textual import on, work
from textual.message import Message
from textual.timer import Timer

from panel.asking import Asking
from panel.asks import skill_inventory as reading
from panel.asks import skills as asks
from panel.asks.skill_inventory import Reading, Taken
from panel.asks.skills import ProfileLook, Skills
from panel.present import skills_rows as present
from panel.safe_text import block, line
from panel.screens.mode import ModeScreen
from panel.widgets.paged_list import Column, PagedList, Row
from panel.words import skills_screen as words
from state.errors import StateError
from state.routing.inventory import Skill
from state.routing.skills import SkillLayers

if TYPE_CHECKING:
    from panel.bridge import Bridge

T = TypeVar("T")
TOLD_SECONDS = 0.1


class InventoryTaken(Message, bubble=False):
    """A reading of the roots has ended: with an inventory, or with why there is none."""

    def __init__(self, read: Reading, taken: Taken | None, error: StateError | None) -> None:
        super().__init__()
        self.read = read
        self.taken = taken
        self.error = error


class SkillLists(ModeScreen, Asking):
    """Both lists are held in memory; rows are made as they come into sight."""

    look: ProfileLook

    def __init__(self) -> None:
        super().__init__()
        self.known: Skills | None = None
        self.taken: Taken | None = None
        self.filters = {words.SKILLS: "", words.INVENTORY: ""}
        self._listed: Sequence[SkillLayers] = ()
        self._numbers: dict[str, int] = {}
        self._found: Sequence[tuple[int, Skill]] = ()
        self._reading: Reading | None = None
        self._telling: Timer | None = None

    def compose_skills(self) -> PagedList:
        """The list of skills."""
        return _list(words.SKILLS, present.SKILL_COLUMNS, words.NO_SKILLS)

    def compose_inventory(self) -> PagedList:
        """The list of what the roots hold."""
        return _list(
            words.INVENTORY,
            present.INVENTORY_COLUMNS,
            "",
            words.reading_roots(self.panel.key("go.back")),
        )

    def lists_changed(self) -> None:
        """What stands over the lists reads otherwise; the mode knows where."""

    def _paged(self, part: str) -> PagedList:
        return self.query_one(f"#{part}", PagedList)

    # Skills by the journal and the index.

    def ask_skills(self, *, refresh: bool = False) -> None:
        """Ask for every skill with its counts."""
        self.ask("skills", asks.skills(self.look), self._take_skills, refresh=refresh)

    def _take_skills(self, found: Skills) -> None:
        self.known = found
        self.list_skills()

    def list_skills(self) -> None:
        """Show those that the filter lets through; the cursor stays on its skill."""
        if self.known is None:
            return
        before = self.skill_in_hand
        wanted = self.filters[words.SKILLS]
        self._listed = _matching(self.known.skills, wanted, present.skill_text)
        names = [one.skill for one in self._listed]
        place = names.index(before.skill) if before and before.skill in names else None
        paged = self._paged(words.SKILLS)
        none_left = words.none_left(self.panel.key("go.back"))
        paged.say_empty(block(none_left if wanted else words.NO_SKILLS))
        paged.refresh_source(len(names), place)
        self.lists_changed()

    @property
    def skill_in_hand(self) -> SkillLayers | None:
        """The skill under the cursor."""
        at = self._paged(words.SKILLS).position
        return self._listed[at] if 0 <= at < len(self._listed) else None

    @on(PagedList.PageWanted, f"#{words.SKILLS}")
    def _skills_wanted(self, event: PagedList.PageWanted) -> None:
        rows = [
            present.skill(one, self._numbers.setdefault(one.skill, len(self._numbers)))
            for one in self._listed[event.first : event.first + event.count]
        ]
        self._paged(words.SKILLS).put_page(event.first, rows, event.generation)

    def skills_title(self) -> str:
        """How many there are, and the index that layer 1 is looked up in."""
        if self.known is None:
            return ""
        whole = len(self.known.skills)
        if self.filters[words.SKILLS]:
            return words.filtered(len(self._listed), whole, self.filters[words.SKILLS])
        return words.skills(whole, present.index_said(self.known.index))

    # The inventory, from the disk.

    @property
    def is_reading(self) -> bool:
        """Whether the roots are being read now."""
        return self._reading is not None

    def take_inventory(self) -> None:
        """Let a worker read the roots; one that is at it is stopped."""
        bridge = self.panel.bridge
        if bridge is None:
            return
        if self._reading is not None:
            self._reading.stop()
        self._reading = Reading(self.panel.stopping)
        self._read(bridge, self._reading)
        self._telling = self.set_interval(TOLD_SECONDS, self.lists_changed)
        self.lists_changed()

    def stop_reading(self) -> bool:
        """Look into no further folder; whether there was anything to stop."""
        if self._reading is None:
            return False
        self._reading.stop()
        self._over()
        if self.taken is None:
            stopped = words.stopped(self.panel.key("skills.read"))
            self._paged(words.INVENTORY).say_empty(line(stopped))
            self._paged(words.INVENTORY).set_source(0)
        return True

    def _over(self) -> None:
        self._reading = None
        if self._telling is not None:
            self._telling.stop()
            self._telling = None
        self.lists_changed()

    @work(thread=True, group="inventory", exit_on_error=False, description="read the skill roots")
    def _read(self, bridge: Bridge, read: Reading) -> None:
        try:
            self.post_message(InventoryTaken(read, reading.take(bridge, read), None))
        except StateError as error:
            self.post_message(InventoryTaken(read, None, error))

    @on(InventoryTaken)
    def _inventory_taken(self, event: InventoryTaken) -> None:
        if event.read is not self._reading:
            return
        if event.taken is not None:
            self.taken = event.taken
            self.list_inventory()
        elif event.error is not None:
            self.panel.say(event.error.message, "error")
        self._over()

    def list_inventory(self) -> None:
        """Show those that the filter lets through, after the row that says what is covered."""
        if self.taken is None:
            return
        before = self.found_in_hand
        wanted = self.filters[words.INVENTORY]
        numbered = list(enumerate(self.taken.inventory.skills, 1))
        self._found = _matching(numbered, wanted, lambda one: present.found_text(one[1]))
        paths = [one.path for _, one in self._found]
        place = paths.index(before.path) + 1 if before and before.path in paths else 0
        paged = self._paged(words.INVENTORY)
        paged.say_empty(present.none_found(self.taken.inventory))
        paged.set_source(len(paths) + 1 if numbered else 0, place)
        self.lists_changed()

    @property
    def found_in_hand(self) -> Skill | None:
        """What the cursor stands on in the inventory; None on the row before the first."""
        at = self._paged(words.INVENTORY).position - 1
        return self._found[at][1] if 0 <= at < len(self._found) else None

    @on(PagedList.PageWanted, f"#{words.INVENTORY}")
    def _inventory_wanted(self, event: PagedList.PageWanted) -> None:
        taken = self.taken
        if taken is None:
            return
        first, last = event.first, event.first + event.count
        rows: list[Row] = [present.coverage(taken)] if first == 0 else []
        rows += [
            present.found(one, number) for number, one in self._found[max(first - 1, 0) : last - 1]
        ]
        self._paged(words.INVENTORY).put_page(first, rows, event.generation)

    def inventory_title(self) -> str:
        """How far reading has come, else what is listed and what it covers (S13)."""
        if self._reading is not None:
            return words.reading(self._reading.folders)
        if self.taken is None:
            return ""
        wanted = self.filters[words.INVENTORY]
        if wanted:
            return words.filtered(len(self._found), len(self.taken.inventory.skills), wanted)
        return present.covered(self.taken.inventory)

    def on_unmount(self) -> None:
        if self._reading is not None:
            self._reading.stop()


def _list(
    part: str, columns: Sequence[Column], empty: str, waiting: str = words.READING
) -> PagedList:
    return PagedList(
        columns,
        empty=block(empty),
        waiting=line(waiting),
        id=part,
        classes="part",
    )


def _matching(rows: Sequence[T], text: str, said: Callable[[T], str]) -> Sequence[T]:
    """The rows in which all these words stand."""
    wanted = text.casefold().split()
    if not wanted:
        return rows
    return [one for one in rows if all(word in said(one).casefold() for word in wanted)]
