"""The colours: a dark and a light theme, and one without any colour for `NO_COLOR`.

Text on each ground has a contrast of at least 4.5 to 1 (WCAG AA). Colours that carry a meaning are
told apart by people who see no red or green (blue, orange, sky blue, magenta); and each meaning
always has a sign and a word besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import App
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import Theme

DARK = Theme(
    name="sublation-dark",
    dark=True,
    primary="#6cb6ff",
    secondary="#8ea8c3",
    accent="#e9a23b",
    success="#4fc3d9",
    warning="#f2b134",
    error="#ff8a70",
    foreground="#e3e7ed",
    background="#12161c",
    surface="#181d25",
    panel="#212833",
    variables={
        "block-cursor-background": "#2b4a6f",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#262e3a",
        "block-cursor-blurred-foreground": "#e3e7ed",
        "block-cursor-blurred-text-style": "none",
        "border": "#6cb6ff",
        "border-blurred": "#3a4553",
        "footer-background": "#212833",
        "footer-foreground": "#e3e7ed",
        "footer-description-foreground": "#c3cbd6",
        "footer-key-foreground": "#f2b134",
        "text-muted": "#a3afbf",
        "text-disabled": "#7f8b9b",
        "text-primary": "#6cb6ff",
        "text-accent": "#e9a23b",
        "text-success": "#4fc3d9",
        "text-warning": "#f2b134",
        "text-error": "#ff8a70",
    },
)

LIGHT = Theme(
    name="sublation-light",
    dark=False,
    primary="#0b5cad",
    secondary="#44586e",
    accent="#8a4b00",
    success="#00647a",
    warning="#8a5a00",
    error="#b3261e",
    foreground="#1b2530",
    background="#f6f7f9",
    surface="#ffffff",
    panel="#e7ebf0",
    variables={
        "block-cursor-background": "#c4dcf5",
        "block-cursor-foreground": "#0c1620",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#e2e7ed",
        "block-cursor-blurred-foreground": "#1b2530",
        "block-cursor-blurred-text-style": "none",
        "border": "#0b5cad",
        "border-blurred": "#aab4c0",
        "footer-background": "#e7ebf0",
        "footer-foreground": "#1b2530",
        "footer-description-foreground": "#33404e",
        "footer-key-foreground": "#8a4b00",
        "text-muted": "#4d5a68",
        "text-disabled": "#6b7785",
        "text-primary": "#0b5cad",
        "text-accent": "#8a4b00",
        "text-success": "#00647a",
        "text-warning": "#8a5a00",
        "text-error": "#b3261e",
    },
)

PLAIN = Theme(
    name="sublation-plain",
    ansi=True,
    primary="ansi_default",
    foreground="ansi_default",
    background="ansi_default",
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "block-cursor-background": "ansi_default",
        "block-cursor-foreground": "ansi_default",
        "block-cursor-text-style": "reverse",
        "block-cursor-blurred-text-style": "bold",
        "footer-key-foreground": "ansi_default",
    },
)

THEMES = (DARK, LIGHT, PLAIN)
DEFAULT = DARK


def dress(app: App[Any], theme: Theme = DEFAULT) -> None:
    """Make our themes known and wear one of them; under `NO_COLOR` always the plain one."""
    for one in THEMES:
        app.register_theme(one)
    wanted = PLAIN if app.no_color else theme
    if app.is_running or wanted.ansi or wanted.dark is not app.current_theme.dark:
        app.theme = wanted.name
        return
    # Before an app runs, a change that is watched would have all rules read twice more.
    app.set_reactive(App.theme, wanted.name)
    app.stylesheet.set_variables(app.get_css_variables())


def without_color(filters: Sequence[LineFilter]) -> list[LineFilter]:
    """What an app's `get_line_filters` should give so that `NO_COLOR` means no colour at all.

    Textual itself turns colours into greys, which are colours too.
    """
    return [NoColor() if isinstance(one, Monochrome) else one for one in filters]
