"""One SKILL.md and the routing.json beside it, read through an open folder and no link (S12)."""

import errno
import os
import stat
from hashlib import sha256
from typing import NamedTuple

from state import files
from state.errors import NotFound
from state.routing import front_matter, profiles
from state.routing.drift import LIMIT
from state.routing.notes import Problem, problem, shown_path
from state.routing.profiles import Profile, ProfileProblem
from state.routing.walk import PROFILE, SKILL, Place

# Of a file that is too large, and of a body, the beginning counts.
BEGINNING = 1024 * 1024


class Read(NamedTuple):
    """What a skill's folder says: `folder` is its name, `name` empty where the file gives none."""

    folder: str
    name: str
    description: str
    sha256: str | None
    size: int
    problems: list[Problem]
    profile: Profile | None
    profile_sha256: str | None
    profile_problems: tuple[ProfileProblem, ...]


def read(place: Place) -> Read:
    """Everything about the skill in one folder. Raises nothing for what the files may be."""
    folder = shown_path(place.path.rpartition("/")[2])
    problems: list[Problem] = []
    name = description = ""
    digest: str | None = None
    size = 0
    try:
        fd = files.open_inside(place.fd, place.files[0])
    except OSError as error:
        problems.append(_unopened(place, error))
    else:
        try:
            name, description, digest, size = _file(fd, folder, problems)
        except OSError as error:
            problems.append(problem("unreadable", error.strerror or ""))
        finally:
            os.close(fd)
    if place.files[0] != SKILL:
        problems.append(problem("file_name", shown_path(place.files[0])))
    if len(place.files) > 1:
        problems.append(problem("two_files", ", ".join(map(shown_path, place.files))))
    if place.nested:
        problems.append(problem("nested"))
    if not place.has_profile:
        return Read(folder, name, description, digest, size, problems, None, None, ())
    told, profile_digest = _profile(place.fd, name or None)
    refused = () if isinstance(told, Profile) else told
    profile = told if isinstance(told, Profile) else None
    return Read(folder, name, description, digest, size, problems, profile, profile_digest, refused)


def body(folder: str) -> tuple[str, str, str]:
    """Name, description and text after the front matter of the skill in a folder.

    NotFound when SKILL.md can't be read; of more than 1 MiB the beginning is given.
    """
    try:
        fd = files.open_below(folder, (SKILL,))
        try:
            raw = files.pread_exact(fd, BEGINNING, 0)
        finally:
            os.close(fd)
    except OSError as error:
        raise NotFound(
            f"the {SKILL} in {folder} can't be read: {error.strerror}", "name a skill's folder"
        ) from error
    front = front_matter.read(raw)
    return front.name, front.description, raw[front.body :].decode("utf-8", "replace")


def _file(fd: int, folder: str, problems: list[Problem]) -> tuple[str, str, str | None, int]:
    """Name, description, sha256 (None when there is too much to hash) and size of an open file."""
    found = os.fstat(fd)
    size = found.st_size
    if not stat.S_ISREG(found.st_mode):
        problems.append(problem("not_a_file"))
        return "", "", None, 0
    is_whole = size <= LIMIT
    raw = files.pread_exact(fd, size if is_whole else BEGINNING, 0)
    front = front_matter.read(raw)
    problems += front.problems
    if front.name and front.name != folder:
        problems.append(problem("name_unlike_folder", folder))
    if not is_whole:
        problems.append(problem("too_large", f"{size:,} bytes; the limit is {LIMIT:,}"))
        return front.name, front.description, None, size
    # Looking for one byte is many times quicker than for two.
    if b"\r" in raw and b"\r\n" in raw:
        problems.append(problem("crlf"))
    if b"\0" in raw:
        problems.append(problem("nul"))
    if not (raw.isascii() or _is_utf8(raw)):
        problems.append(problem("not_utf8"))
    return front.name, front.description, sha256(raw).hexdigest(), size


def _profile(
    folder: int, skill: str | None
) -> tuple[Profile | tuple[ProfileProblem, ...], str | None]:
    """The profile beside a SKILL.md, or why it is refused, and the sha256 of its bytes."""
    try:
        fd = files.open_inside(folder, PROFILE)
    except OSError as error:
        return _unread(error), None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return (ProfileProblem("", "it is no regular file", "write a file"),), None
        raw = files.pread_exact(fd, profiles.LIMIT + 1, 0)
    except OSError as error:
        return _unread(error), None
    finally:
        os.close(fd)
    # What was cut off here is refused for its size; the hash of a part would be no hash.
    digest = sha256(raw).hexdigest() if len(raw) <= profiles.LIMIT else None
    return profiles.check(raw, skill), digest


def _unread(error: OSError) -> tuple[ProfileProblem, ...]:
    if error.errno == errno.ELOOP:
        return (ProfileProblem("", "it is a link, which is not followed", "write a file"),)
    what = f"it can't be read: {error.strerror}"
    return (ProfileProblem("", what, "make it readable"),)


def _unopened(place: Place, error: OSError) -> Problem:
    if error.errno == errno.ELOOP:
        target = os.readlink(place.files[0], dir_fd=place.fd)
        return problem("link", shown_path(target))
    return problem("unreadable", error.strerror or "")


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
