"""Completes what is typed by asking at each key, since what can be meant changes."""

from __future__ import annotations

from collections.abc import Callable

from textual.suggester import Suggester

Suggest = Callable[[str], str | None]


class Completion(Suggester):
    """The function gives the whole text completed, or None."""

    def __init__(self, suggest: Suggest) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._suggest = suggest

    async def get_suggestion(self, value: str) -> str | None:
        return self._suggest(value)
