"""What the cursor of the skills mode stands on, in full, beside the list or in its place."""

from __future__ import annotations

from textual import on
from textual.content import Content

from panel import safe_text
from panel.asks import skills as asks
from panel.asks.skills import OpenedRequest
from panel.parts.skill_lists import SkillLists
from panel.parts.skill_requests import SkillRequests
from panel.present import skills_found, skills_request
from panel.widgets.paged_list import PagedList
from panel.widgets.reading_pane import ReadingPane
from panel.words import messages as said
from panel.words import skills_screen as words
from state.errors import StateError

READING = "-reading"


class SkillPane(SkillRequests, SkillLists):
    """Opened by enter; from then on it follows the cursor of `part` until it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.part = words.REQUESTS
        self._opened: OpenedRequest | None = None

    def compose_pane(self) -> ReadingPane:
        """The pane itself."""
        return ReadingPane(safe_text.line(words.NOTHING_OPEN, "$text-muted"), id="detail")

    @property
    def pane(self) -> ReadingPane:
        """The pane itself."""
        return self.query_one("#detail", ReadingPane)

    def show_titles(self) -> None:
        """Say over each part what it holds."""

    @on(PagedList.RowHighlighted)
    def _row_highlighted(self, event: PagedList.RowHighlighted) -> None:
        if self.has_class(READING) and event.paged_list.id == self.part:
            self._point()

    @on(PagedList.RowSelected)
    def _row_selected(self, event: PagedList.RowSelected) -> None:
        self.add_class(READING)
        self._point()
        self.pane.scroll_home(animate=False)
        self.set_focus(self.pane)
        self.show_titles()

    def _point(self) -> None:
        self.forget("request")
        self._opened = None
        if self.part == words.REQUESTS:
            request = self.request_in_hand
            if request is not None:
                self._ask_request(request.request)
        elif self.part == words.SKILLS:
            skill = self.skill_in_hand
            if skill is not None:
                key = ("skill", skill.skill)
                self.pane.show(key, lambda width: skills_found.skill(skill, self.now(), width))
        else:
            self._point_at_inventory()

    def _point_at_inventory(self) -> None:
        taken, one = self.taken, self.found_in_hand
        if taken is None:
            return
        if one is None:
            covers = skills_found.coverage
            self.pane.show("coverage", lambda width: covers(taken, self.now(), width))
        else:
            every, key = taken.inventory, ("file", one.path)
            self.pane.show(key, lambda width: skills_found.file(one, every, width))

    def _ask_request(self, request: str, *, refresh: bool = False) -> None:
        question = asks.opened(request, self.look)
        self.ask("request", question, self._show_request, self._failed, refresh=refresh)

    def _show_request(self, opened: OpenedRequest) -> None:
        self._opened = opened
        key = ("request", opened.layers.request)
        self.pane.show(key, lambda width: self._drawn(opened, width))

    def _drawn(self, opened: OpenedRequest, width: int) -> Content:
        return skills_request.whole(opened, self.now(), width)

    def _failed(self, error: StateError) -> None:
        self.pane.clear(safe_text.line(said.bad(error.message), "$text-error"))

    def refresh_pane(self) -> None:
        """The journal went on; a request that is read is read anew."""
        if self.has_class(READING) and self._opened is not None:
            self._ask_request(self._opened.layers.request, refresh=True)

    def close_pane(self) -> None:
        """Back to the list."""
        self.remove_class(READING)
        self.set_focus(self.query_one(f"#{self.part}"))
        self.show_titles()
