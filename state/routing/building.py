"""From profiles to entries of an index: valid ones only, with the hashes of their files (S4)."""

import os

from state import files
from state.errors import BadInput
from state.routing import profiles
from state.routing.inventory import Inventory
from state.routing.profiles import Profile
from state.routing.router import Entry

BROKEN = "broken"


def of_inventory(inventory: Inventory) -> tuple[Entry, ...]:
    """An entry for each skill whose profile is valid and whose SKILL.md isn't broken."""
    return tuple(
        _entry(skill.profile, skill.path, skill.sha256, skill.profile_sha256)
        for skill in inventory.skills
        if skill.status != BROKEN
        and skill.profile is not None
        and skill.sha256 is not None
        and skill.profile_sha256 is not None
    )


def of_folder(folder: str) -> tuple[Entry, ...]:
    """Entries of profiles without skills, each a `.json` file of a folder, to try the router on.

    BadInput for a folder that can't be read or has none, and for a profile that is refused.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError as error:
        raise _unfit(f"the folder can't be read: {error.strerror}") from error
    if not names:
        raise _unfit("the folder holds no profile: no file that ends in .json")
    return tuple(_read(f"{folder}/{name}", name) for name in names)


def _read(path: str, name: str) -> Entry:
    try:
        raw = files.read_whole(path, profiles.LIMIT + 1)
    except OSError as error:
        raise _unfit(f"{name!r} can't be read: {error.strerror}") from error
    found = profiles.check(raw)
    if isinstance(found, Profile):
        return _entry(found, path, "", "")
    first = found[0]
    place = f"{first.field}: " if first.field else ""
    raise _unfit(f"{name!r} is refused: {place}{first.what}", first.hint)


def _entry(profile: Profile, path: str, skill_sha256: str, profile_sha256: str) -> Entry:
    return Entry(
        profile.skill,
        profile.weights(),
        profile.excludes,
        profile.platforms,
        profile.requires,
        profile.profile_version,
        profile.is_promoted,
        path,
        skill_sha256,
        profile_sha256,
    )


def _unfit(what: str, hint: str = "") -> BadInput:
    return BadInput(what, hint or "give a folder of routing profiles", field="profiles")
