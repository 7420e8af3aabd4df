"""The seat menu's commands: those made at once, and the forms that ask for what others need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from panel import safe_text
from panel.present import until
from panel.screens.form import Asked, FormSpec, Texts
from panel.words import seat_menu as words
from panel.words import signs
from state.command import Command
from state.roster.commands import (
    AddSeat,
    CloseQueue,
    DeactivateSeat,
    HideSeat,
    MarkAway,
    MarkBack,
    RenameSeat,
    RestoreSeat,
    SetLabels,
    ShowSeat,
)
from state.roster.queries import Seat

# What needs no more said, by the names of the actions.
AT_ONCE: Mapping[str, Callable[[str, int], Command]] = {
    "hide": HideSeat,
    "show": ShowSeat,
    "restore": RestoreSeat,
    "back": lambda seat, roster: MarkBack(seat),
}


def add(roster: int) -> FormSpec:
    """R2: a new seat, on the roster as the person sees it."""

    def make(texts: Texts) -> Command:
        return AddSeat(
            texts["seat"].strip(),
            roster,
            texts["name"].strip(),
            texts["host"].strip(),
            _roles(texts["roles"]),
        )

    asks = (
        Asked("seat", words.ID, hint=words.ID_HINT),
        Asked("name", words.NAME, hint=words.NAME_HINT),
        Asked("host", words.HOST, hint=words.LABEL_HINT),
        Asked("roles", words.ROLES, hint=words.ROLES_HINT),
    )
    return FormSpec(words.ADD, safe_text.block(words.ADD_INTRO), asks, make)


def labels(seat: Seat, roster: int) -> FormSpec:
    """R13: host and roles."""

    def make(texts: Texts) -> Command:
        return SetLabels(seat.seat, roster, texts["host"].strip(), _roles(texts["roles"]))

    asks = (
        Asked("host", words.HOST, seat.host, words.LABEL_HINT),
        Asked("roles", words.ROLES, ", ".join(seat.roles), words.ROLES_HINT),
    )
    title = words.labels(signs.seat(seat.seat))
    return FormSpec(title, safe_text.block(words.LABELS_INTRO), asks, make)


def rename(seat: Seat, roster: int) -> FormSpec:
    """R2: another display name."""

    def make(texts: Texts) -> Command:
        return RenameSeat(seat.seat, roster, texts["name"].strip())

    asks = (Asked("name", words.NAME, seat.name),)
    return FormSpec(words.rename(seat.seat), safe_text.block(words.RENAME_INTRO), asks, make)


def away(seat: Seat, now: Callable[[], datetime]) -> FormSpec:
    """M15: until when, and why."""

    def make(texts: Texts) -> Command:
        moment = until.parsed(texts["until"], now())
        return MarkAway(seat.seat, moment, texts["reason"].strip())

    asks = (
        Asked("until", words.UNTIL, hint=until.HINT),
        Asked("reason", words.REASON, hint=words.REASON_HINT),
    )
    return FormSpec(words.away(seat.seat), safe_text.block(words.AWAY_INTRO), asks, make)


def close(seat: Seat) -> FormSpec:
    """R14: closes what is unread and open, with a reason."""

    def make(texts: Texts) -> Command:
        return CloseQueue(seat.seat, texts["reason"].strip())

    intro = words.close_intro(seat.seat, seat.unread, seat.open_tasks)
    return FormSpec(words.close(seat.seat), safe_text.block(intro), (_reason(),), make)


def deactivate(seat: Seat, roster: int) -> FormSpec:
    """R4, R5: takes a seat out, with a reason."""

    def make(texts: Texts) -> Command:
        return DeactivateSeat(seat.seat, roster, texts["reason"].strip())

    intro = safe_text.block(words.deactivate_intro(seat.seat))
    return FormSpec(words.deactivate(seat.seat), intro, (_reason(),), make)


def by_name(
    seat: Seat, roster: int, now: Callable[[], datetime]
) -> Mapping[str, Callable[[], FormSpec]]:
    """The forms by the names of the actions that need one."""
    return {
        "add": lambda: add(roster),
        "labels": lambda: labels(seat, roster),
        "rename": lambda: rename(seat, roster),
        "away": lambda: away(seat, now),
        "close": lambda: close(seat),
        "deactivate": lambda: deactivate(seat, roster),
    }


def _reason() -> Asked:
    return Asked("reason", words.REASON, hint=words.REASON_HINT)


def _roles(text: str) -> tuple[str, ...]:
    return tuple(role for role in (part.strip() for part in text.split(",")) if role)
