"""The first screen: who needs you, who is seated, what waits where."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from panel import keys
from panel.screens.mode import ModeScreen


class OverviewScreen(ModeScreen):
    """Mode 1."""

    MODE = "overview"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("overview")]

    def compose_body(self) -> ComposeResult:
        yield Static("", id="needs")
