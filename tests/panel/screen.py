"""What stands on the screen of a running app, as lines of text."""

from __future__ import annotations

from typing import Any

from textual.app import App


def lines(app: App[Any]) -> list[str]:
    """The whole screen, one string for each line, as it would be drawn now."""
    return [strip.text for strip in app.screen._compositor.render_strips()]
