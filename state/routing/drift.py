"""Whether the files of an entry of the index are still those that it was made from (S4, S8)."""

import os
import stat
from hashlib import file_digest

from state import files
from state.paths import profile_beside
from state.routing.router import Entry

# A file with more bytes is not hashed: as a skill it is too large, and a hook has no time for it.
LIMIT = 16 * 1024 * 1024
# Of so many entries more than one drifted makes the whole index outdated.
PART = 5


def has_drifted(entry: Entry) -> bool:
    """S4: whether SKILL.md or routing.json holds other bytes than when the index was built.

    A file that is gone, or that can't be read, is not the one that it was.
    """
    expected = (entry.skill_sha256, entry.profile_sha256)
    return (sha256_of(entry.path), sha256_of(profile_beside(entry.path))) != expected


def is_outdated(entries: int, drifted: int) -> bool:
    """S8: whether more than one in five entries drifted."""
    return drifted * PART > entries


def sha256_of(path: str) -> str | None:
    """The hash of a regular file of somebody else's, read through no link; None without one, and
    for one with more bytes than a skill may have.
    """
    try:
        fd = files.open_foreign(path)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LIMIT:
            return None
        with open(fd, "rb", closefd=False) as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
    finally:
        os.close(fd)
