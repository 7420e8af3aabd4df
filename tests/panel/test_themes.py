"""The themes can be read, also by those who see no red or green, and without any colour."""

from __future__ import annotations

import itertools

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from panel import themes

GROUNDS = ("background", "surface", "panel", "block-cursor-blurred-background")
TEXTS = (
    "foreground",
    "text-muted",
    "text-primary",
    "text-accent",
    "text-success",
    "text-warning",
    "text-error",
    "footer-key-foreground",
    "footer-description-foreground",
)
MEANINGS = ("text-success", "text-warning", "text-error", "text-primary")
COLOURED = pytest.mark.parametrize("theme", [themes.DARK, themes.LIGHT], ids=lambda it: it.name)

# How the three kinds of colour blindness see linear RGB (Viénot, Brettel and Mollon 1999).
BLIND = {
    "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
}


def linear(colour: Color) -> tuple[float, ...]:
    return tuple(
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    )


def contrast(one: Color, two: Color) -> float:
    """The contrast ratio of WCAG 2."""
    weights = (0.2126, 0.7152, 0.0722)
    dark, light = sorted(
        sum(w * part for w, part in zip(weights, linear(it), strict=True)) for it in (one, two)
    )
    return (light + 0.05) / (dark + 0.05)


def colours(theme: Theme) -> dict[str, Color]:
    return {
        name: Color.parse(value)
        for name, value in theme.to_color_system().generate().items()
        if name in (*GROUNDS, *TEXTS, "block-cursor-foreground", "block-cursor-background")
        or name == "text-disabled"
    }


@COLOURED
def test_text_can_be_read_on_every_ground(theme: Theme) -> None:
    found = colours(theme)
    for ground, text in itertools.product(GROUNDS, TEXTS):
        assert contrast(found[ground], found[text]) >= 4.5, (ground, text)
    cursor = contrast(found["block-cursor-background"], found["block-cursor-foreground"])
    assert cursor >= 4.5


@COLOURED
def test_meanings_read_on_the_cursors_line_too(theme: Theme) -> None:
    found = colours(theme)
    for text in MEANINGS:
        assert contrast(found["block-cursor-background"], found[text]) >= 3, text


@COLOURED
def test_what_is_dimmed_can_still_be_read(theme: Theme) -> None:
    found = colours(theme)
    for ground in ("background", "surface", "panel"):
        ratio = contrast(found[ground], found["text-disabled"])
        assert 3 <= ratio < contrast(found[ground], found["text-muted"])


@COLOURED
@pytest.mark.parametrize("kind", BLIND)
def test_success_and_error_are_told_apart_by_those_who_see_no_red_or_green(
    theme: Theme, kind: str
) -> None:
    found = colours(theme)

    def seen(name: str) -> tuple[float, ...]:
        rgb = linear(found[name])
        parts = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in BLIND[kind])
        return tuple(max(part, 0.0) ** (1 / 2.2) for part in parts)

    for one, two in (("text-success", "text-error"), ("text-success", "text-warning")):
        apart = max(abs(a - b) for a, b in zip(seen(one), seen(two), strict=True))
        assert apart > 0.2, (one, two, apart)


@pytest.mark.parametrize("no_color", [False, True])
async def test_dressing_an_app(monkeypatch: pytest.MonkeyPatch, no_color: bool) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    app: App[None] = App()
    async with app.run_test():
        themes.dress(app, themes.LIGHT)
        assert app.theme == (themes.PLAIN.name if no_color else themes.LIGHT.name)
        assert {theme.name for theme in themes.THEMES} <= set(app.available_themes)
