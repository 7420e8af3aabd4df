"""The one module that knows the names of files. Paths are strings: pathlib costs a cold start."""

import os
import re
from os.path import join

FOLDER = ".sublation-panel"
HEAD_SIZE = 8192

_INDEX = re.compile(r"index-[0-9]+\.sqlite3")
_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")


class Paths:
    """The files of one project. `root` is the `.sublation-panel` folder itself.

    Names that every commit asks for are put together without `join`, which takes ten times longer.
    """

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = root

    @property
    def project(self) -> str:
        """The folder that the project is about: the one that holds `.sublation-panel`."""
        return os.path.dirname(self.root)

    def new(self, mark: str) -> "Paths":
        """A project that is being built beside this one, to be renamed into its place."""
        return Paths(f"{self.root}.new.{mark}")

    def aside(self, mark: str) -> "Paths":
        """Where this folder lies, whole and unchanged, once the user went on without it."""
        return Paths(f"{self.root}.{mark}")

    @property
    def successor(self) -> "Paths":
        """What `doctor --accept` builds; when this folder is aside, it is whole and takes over."""
        return self.new("accepted")

    def is_there(self) -> bool:
        """Whether a project has this place, be it that its folder has not got its name yet."""
        return os.path.lexists(self.root) or os.path.lexists(self.successor.root)

    def left_over(self) -> list[str]:
        """Folders beside this one that the dead left half built, unless one is at work now."""
        start = os.path.basename(self.new("").root)
        try:
            names = os.listdir(self.project)
        except OSError:
            return []
        return sorted(join(self.project, name) for name in names if name.startswith(start))

    @property
    def format(self) -> str:
        return join(self.root, "FORMAT")

    @property
    def gitignore(self) -> str:
        return join(self.root, ".gitignore")

    @property
    def head_dir(self) -> str:
        """The only folder that is watched."""
        return f"{self.root}/head"

    @property
    def head(self) -> str:
        return f"{self.root}/head/HEAD"

    @property
    def log_dir(self) -> str:
        return f"{self.root}/log"

    def segment(self, number: int) -> str:
        return f"{self.root}/log/{number:08d}.jsonl"

    @property
    def mutex_dir(self) -> str:
        return join(self.root, "mutex")

    @property
    def mutex(self) -> str:
        return f"{self.root}/mutex/write.mutex"

    def carried(self) -> tuple[str, ...]:
        """The folders whose files stay true when a journal goes on from an earlier line."""
        return tuple(
            join(self.root, name) for name in ("blobs", "quarantine", "consumers", "spool")
        )

    def consumer(self, seat: str) -> str:
        """What `consumer hold` of a seat keeps locked while it lives."""
        return join(self.root, "consumers", f"{seat}.lock")

    def blob(self, sha256: str) -> str:
        return join(self.root, "blobs", sha256)

    @property
    def tmp(self) -> str:
        return f"{self.root}/tmp"

    def scratch(self, name: str) -> str:
        """A file that is on its way to another name."""
        return join(self.root, "tmp", name)

    @property
    def quarantine(self) -> str:
        return f"{self.root}/quarantine"

    def quarantined(self, name: str) -> str:
        return join(self.root, "quarantine", name)

    @property
    def cache(self) -> str:
        return join(self.root, "cache")

    def index(self, code: str) -> str:
        """The index that code of this version fills."""
        return f"{self.root}/cache/index-{code}.sqlite3"

    def indexes(self) -> list[str]:
        """The index files that there are, of whatever version."""
        try:
            names = os.listdir(self.cache)
        except OSError:
            return []
        return [join(self.cache, name) for name in names if _INDEX.fullmatch(name)]

    def looked(self, seat: str) -> str:
        return join(self.root, "cache", "looked", seat)

    def scanned(self, seat: str) -> str:
        return join(self.root, "cache", "scanned", seat)

    @property
    def verified(self) -> str:
        """The hint of when and to which revision the whole chain was last checked."""
        return join(self.root, "cache", "verified")

    @property
    def spool(self) -> str:
        """Hook events that met a busy lock."""
        return f"{self.root}/spool"

    def spooled(self, name: str) -> str:
        return join(self.root, "spool", name)

    def hook_calls(self, host: str) -> str:
        """A byte for each hook call of a host whose adapter isn't registered."""
        return join(self.root, "cache", f"hook-calls.{host}")

    @property
    def skill_index(self) -> str:
        """What the router knows of the skills' profiles."""
        return join(self.root, "cache", "skill-index.json")

    def folders(self) -> tuple[str, ...]:
        """Every folder that `init` makes, parents first."""
        names = ("head", "log", "mutex", "consumers", "blobs", "spool", "quarantine")
        cached = ("cache", join("cache", "looked"), join("cache", "scanned"), "tmp")
        return (self.root, *(join(self.root, name) for name in (*names, *cached)))


def state_home(project: str) -> str:
    """The folder outside the project that holds its anchor."""
    return join(_base("XDG_STATE_HOME", ".local", "state"), "sublation-panel", project)


def cache_home(project: str) -> str:
    """The folder for an index of a project that can't be written."""
    return join(_base("XDG_CACHE_HOME", ".cache"), "sublation-panel", project)


def anchor_file(project: str) -> str:
    """The anchor of a project."""
    return join(state_home(project), "anchor")


def outside_index(project: str, code: str) -> str:
    """The index of a project that can't be written, filled by code of this version."""
    return join(cache_home(project), f"index-{code}.sqlite3")


def skill_in(folder: str) -> str:
    """What makes a folder a skill."""
    return join(folder, "SKILL.md")


def may_name_skill(text: str) -> bool:
    """Whether a text could name a file of a skill at all; asked before it is looked at closely."""
    return "SKILL.md" in text or "scripts/" in text


def skill_of_file(path: str) -> str | None:
    """The folder of the skill that a SKILL.md, or a script of a skill, would belong to."""
    folder, _, name = path.rpartition("/")
    if name == "SKILL.md":
        return folder
    found, mark, _ = path.rpartition("/scripts/")
    return found if mark else None


def profile_beside(skill_file: str) -> str:
    """The routing profile that travels with a SKILL.md."""
    return join(os.path.dirname(skill_file), "routing.json")


def shown(path: str) -> str:
    """A path as one line of visible text, for messages."""
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in path
    )


def shell_word(path: str) -> str:
    """A path as one word for a shell, in one line of visible text."""
    if _PLAIN.fullmatch(path):
        return path
    if path.isprintable():
        return "'" + path.replace("'", "'\\''") + "'"
    return "$'" + "".join(map(_shell_byte, os.fsencode(path))) + "'"


def _shell_byte(byte: int) -> str:
    visible = 32 <= byte < 127 and byte not in b"'\\"
    return chr(byte) if visible else f"\\x{byte:02x}"


def _base(variable: str, *default: str) -> str:
    """A base folder as the environment names it; a relative one is ignored, as is usual."""
    named = os.environ.get(variable, "")
    return named if os.path.isabs(named) else join(os.path.expanduser("~"), *default)
