"""The folders in which skills are looked for: those of hosts, and those of the user (S13)."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from state import files
from state.index.view import View

USER, PROJECT, ADDED, GIVEN = "user", "project", "added", "given"

# Host (empty: several hosts read it), and the folder below the home or project folder.
_OF_USER = (
    ("claude-code", ".claude/skills"),
    ("codex", ".codex/skills"),
    ("", ".agents/skills"),
    ("hermes", ".hermes/skills"),
)
_OF_PROJECT = (("claude-code", ".claude/skills"), ("", ".agents/skills"))
# How deep below its root a host looks for a skill's folder: Hermes has categories between.
_DEPTH = {"hermes": 2}


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that holds skills: its absolute path, whose it is, and who reads it.

    `scope` is `user`, `project`, `added` (by the user, to this project) or `given` (for one call).
    `reader` is that host, empty where no one host is known.
    """

    path: str
    scope: str
    reader: str = ""

    @property
    def depth(self) -> int:
        """How many folders below the root a skill of this host lies."""
        return _DEPTH.get(self.reader, 1)


def defaults(project: str | None) -> tuple[Root, ...]:
    """The folders that hosts are known to read, for this person and for a project, there or not."""
    home = os.path.expanduser("~")
    found = [Root(f"{home}/{folder}", USER, host) for host, folder in _OF_USER]
    if project is not None:
        found += [Root(f"{project}/{folder}", PROJECT, host) for host, folder in _OF_PROJECT]
    return tuple({root.path: root for root in reversed(found)}.values())[::-1]


def configured(view: View | None, project: str | None) -> tuple[Root, ...]:
    """The default roots but those that the user took away, then those that the user added."""
    found = {root.path: root for root in defaults(project)}
    if view is not None:
        for path, is_added in removed_or_added(view).items():
            if is_added:
                found.setdefault(path, Root(path, ADDED))
            else:
                found.pop(path, None)
    return tuple(found.values())


def removed_or_added(view: View) -> dict[str, bool]:
    """Of each folder that the user spoke of, whether it was added; in the order of the lines."""
    found = view.rows("SELECT path, state FROM skill_root ORDER BY rev, path")
    return {path: state == "added" for path, state in found}


def there(root: Root) -> str:
    """Whether a root can be read now: `read`, or why not, as an inventory would say it."""
    try:
        os.close(files.open_folder(os.path.realpath(root.path)))
    except OSError as error:
        return why_not(error)
    return "read"


def why_not(error: OSError) -> str:
    """Why a folder can't be read: `missing`, `not_a_folder` or `unreadable`."""
    if isinstance(error, FileNotFoundError):
        return "missing"
    return "not_a_folder" if isinstance(error, NotADirectoryError) else "unreadable"


def given(folders: Iterable[str]) -> tuple[Root, ...]:
    """Folders that one call names, each once; a relative one is meant from where it is called."""
    return tuple(Root(path, GIVEN) for path in dict.fromkeys(map(os.path.abspath, folders)))
