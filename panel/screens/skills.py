"""Mode 4: requests in four layers, skills, what the roots hold, router and hosts compared."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.events import DescendantFocus

from panel import keys, safe_text
from panel.asks import skills as asks
from panel.asks.skills import Figures
from panel.parts.message_actions import MessageActions
from panel.parts.skill_pane import READING, SkillPane
from panel.present import skills_figures, skills_rows
from panel.snapshot import Snapshot
from panel.widgets.line_bar import LineBar
from panel.widgets.reading_pane import ReadingPane
from panel.words import filters
from panel.words import skills_screen as words
from state.routing.notes import shown_path

PARTS = tuple(words.PARTS)


class SkillsScreen(MessageActions, SkillPane):
    """Four parts, all at once where there is room, else one of them; `part` has the keys."""

    MODE = "skills"
    CSS_PATH = "skills.tcss"
    AUTO_FOCUS = f"#{words.REQUESTS}"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("skills")]

    def __init__(self) -> None:
        super().__init__()
        self._rev = 0
        self._asked: set[str] = set()

    def compose_body(self) -> ComposeResult:
        yield LineBar()
        with Horizontal(id="body"):
            with Vertical(id="parts"):
                yield self.compose_requests()
                with Container(id="beside"):
                    yield self.compose_skills()
                    yield self.compose_inventory()
                yield ReadingPane(
                    safe_text.line(words.READING, "$text-muted"),
                    id=words.FIGURES,
                    classes="part",
                )
            yield self.compose_pane()

    def on_mount(self) -> None:
        self._show_part(words.REQUESTS)

    # The parts.

    @property
    def is_whole(self) -> bool:
        """Whether all parts are on the screen at once."""
        return self.has_class("-wide") and self.has_class("-tall") and not self.has_class(READING)

    def _is_seen(self, part: str) -> bool:
        return self.is_whole or part == self.part

    def _show_part(self, part: str) -> None:
        self.part = part
        for name in PARTS:
            self.query_one(f"#{name}").set_class(name == part, "-shown")
            self.set_class(name == part, f"-{name}")
        self._ask_for_what_is_seen()
        self.show_titles()

    def action_part(self) -> None:
        """Go to the next part."""
        self._show_part(PARTS[(PARTS.index(self.part) + 1) % len(PARTS)])
        self.close_pane()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        if event.widget.id in PARTS and event.widget.id != self.part:
            self._show_part(event.widget.id)

    def on_resize(self) -> None:
        # What is seen goes by classes that the screen gets after this.
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        if self.seen is not None:
            self._ask_for_what_is_seen()
            self.show_titles()

    def show_titles(self) -> None:
        """Say over each part what it holds, and where only one is seen, which is next."""
        told = {
            words.REQUESTS: self.request_title(),
            words.SKILLS: self.skills_title(),
            words.INVENTORY: self.inventory_title(),
            words.FIGURES: "",
        }
        after = PARTS[(PARTS.index(self.part) + 1) % len(PARTS)]
        key = self.panel.key("skills.part")
        following = "" if self.is_whole else words.following(key, after)
        for part, text in told.items():
            safe_text.border_title(self.query_one(f"#{part}"), words.title(part, text, following))

    requests_changed = lists_changed = show_titles

    # The picture.

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        if snapshot.rev == self._rev:
            return
        first, self._rev = self._rev == 0, snapshot.rev
        self.count_requests(refresh=not first)

    def requests_written(self) -> None:
        # What counts them all is asked for only then: it takes longer the more there are.
        self._asked.discard(words.SKILLS)
        self._asked.discard(words.FIGURES)
        self.after_frame(self._ask_for_what_is_seen)
        self.refresh_pane()

    def _ask_for_what_is_seen(self) -> None:
        """Parts that nobody looks at cost nothing."""
        if self.seen is None or not self.is_mounted:
            return
        for part in PARTS:
            if part in self._asked or not self._is_seen(part):
                continue
            self._asked.add(part)
            if part == words.SKILLS:
                self.ask_skills(refresh=True)
            elif part == words.FIGURES:
                self.ask(words.FIGURES, asks.figures, self._take_figures, refresh=True)
            elif part == words.INVENTORY:
                self.take_inventory()

    def _take_figures(self, found: Figures) -> None:
        pane = self.query_one(f"#{words.FIGURES}", ReadingPane)
        pane.show(words.FIGURES, lambda width: skills_figures.figures(found, self.now(), width))

    def tick(self) -> None:
        super().tick()
        if self.is_mounted:
            self.requests.tick()
            for pane in self.query(ReadingPane):
                pane.draw()

    def action_read_again(self) -> None:
        """Look at the disk again: the skill roots, and the files that the index was made from."""
        self.look_again()
        self._asked.add(words.INVENTORY)
        self.take_inventory()
        self.count_requests(refresh=True)
        self.panel.say(words.read_again(self.panel.key("go.back")))

    # What is typed in the line above.

    def action_filter(self) -> None:
        """Type words that must stand in a row."""
        if self.part == words.FIGURES:
            self.panel.say(words.NOTHING_TO_FILTER, "warning")
            return
        self.query_one(LineBar).open(
            self.part, filters.FILTER, words.FILTER_HELP, self._filter_of(self.part)
        )

    def _filter_of(self, part: str) -> str:
        return self.wanted_words if part == words.REQUESTS else self.filters.get(part, "")

    @on(LineBar.Submitted)
    def _submitted(self, event: LineBar.Submitted) -> None:
        event.stop()
        self._narrow(event.purpose, event.text)
        self.query_one(LineBar).close(self.query_one(f"#{event.purpose}"))

    def _narrow(self, part: str, text: str) -> None:
        wanted = " ".join(text.split())
        if part == words.REQUESTS:
            self.narrow_requests(wanted)
        else:
            self.filters[part] = wanted
            self.list_skills() if part == words.SKILLS else self.list_inventory()
        self.show_titles()

    # Keys.

    @property
    def seat_in_hand(self) -> str | None:
        """The seat of the request under the cursor."""
        found = self.request_in_hand if self.part == words.REQUESTS else None
        seats = () if self.seen is None else self.seen.overview.seats
        return found.seat if found and any(one.seat == found.seat for one in seats) else None

    def copied(self) -> str | None:
        if self.part == words.REQUESTS:
            request = self.request_in_hand
            return None if request is None else request.request
        if self.part == words.SKILLS:
            skill = self.skill_in_hand
            return None if skill is None else skill.skill
        if self.part != words.INVENTORY or self.taken is None:
            return None
        one = self.found_in_hand
        return skills_rows.covered(self.taken.inventory) if one is None else shown_path(one.path)

    def leave_open(self) -> bool:
        """One step back: what is typed, what is read, the reading of the roots, the filter."""
        bar = self.query_one(LineBar)
        if bar.is_open:
            bar.close(self.query_one(f"#{self.part}"))
        elif self.has_class(READING):
            self.close_pane()
        elif self.stop_reading():
            self.panel.say(words.STOPPED_LISTED if self.taken else words.STOPPED_SAID)
        elif self._filter_of(self.part):
            self._narrow(self.part, "")
        else:
            return False
        return True
