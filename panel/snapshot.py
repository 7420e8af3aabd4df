"""The one picture of the project that all screens share: read from the disk, never altered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from state.overview import Overview

if TYPE_CHECKING:
    from state.health import Health
    from state.messages.listing import MessageRow


# So many of the newest messages are in a picture.
RECENT = 40


class Verified(NamedTuple):
    """How far this process has checked sums and chain since it started.

    `upto` is the revision up to which every line was checked, `of` the newest one known.
    `wrong` says in one line what the check found, None as long as it found nothing, and `wrong_rev`
    in which line, where it is about one.
    """

    upto: int = 0
    of: int = 0
    wrong: str | None = None
    wrong_rev: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether each line that is known was checked; there always is a first one."""
        return self.wrong is None and self.upto >= max(self.of, 1)


class Snapshot(NamedTuple):
    """`overview` is the last good state; `health` says whether it is also the present one.

    `watching`: changes are told by the system at once; else the folder is looked at each second.
    `recent` are the newest messages, none in the first picture, which is wanted soonest.
    """

    overview: Overview
    health: Health
    verified: Verified
    watching: bool
    recent: tuple[MessageRow, ...] = ()

    @property
    def rev(self) -> int:
        """The revision of everything in `overview`."""
        return self.overview.rev

    def says_the_same(self, other: Snapshot) -> bool:
        """Whether nothing would be drawn otherwise than from the other."""
        return (
            self.overview == other.overview
            and self.verified == other.verified
            and self.watching == other.watching
            and self.recent == other.recent
            and (self.health.state, self.health.writable, str(self.health.trouble))
            == (other.health.state, other.health.writable, str(other.health.trouble))
        )
