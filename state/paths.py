"""The one module that knows the names of files. Paths are strings: pathlib costs a cold start."""

import os
from os.path import join

FOLDER = ".sublation-panel"
HEAD_SIZE = 8192


class Paths:
    """The files of one project. `root` is the `.sublation-panel` folder itself."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = root

    @property
    def project(self) -> str:
        """The folder that the project is about: the one that holds `.sublation-panel`."""
        return os.path.dirname(self.root)

    @property
    def format(self) -> str:
        return join(self.root, "FORMAT")

    @property
    def gitignore(self) -> str:
        return join(self.root, ".gitignore")

    @property
    def head_dir(self) -> str:
        """The only folder that is watched."""
        return join(self.root, "head")

    @property
    def head(self) -> str:
        return join(self.root, "head", "HEAD")

    @property
    def log_dir(self) -> str:
        return join(self.root, "log")

    def segment(self, number: int) -> str:
        return join(self.root, "log", f"{number:08d}.jsonl")

    @property
    def mutex(self) -> str:
        return join(self.root, "mutex", "write.mutex")

    def blob(self, sha256: str) -> str:
        return join(self.root, "blobs", sha256)

    @property
    def tmp(self) -> str:
        return join(self.root, "tmp")

    @property
    def quarantine(self) -> str:
        return join(self.root, "quarantine")

    @property
    def cache(self) -> str:
        return join(self.root, "cache")

    @property
    def index(self) -> str:
        return join(self.root, "cache", "index.sqlite3")

    def looked(self, seat: str) -> str:
        return join(self.root, "cache", "looked", seat)

    @property
    def verified(self) -> str:
        """The hint of when and to which revision the whole chain was last checked."""
        return join(self.root, "cache", "verified")

    def folders(self) -> tuple[str, ...]:
        """Every folder that `init` makes, parents first."""
        names = ("head", "log", "mutex", "consumers", "blobs", "spool", "quarantine")
        cached = ("cache", join("cache", "looked"), join("cache", "scanned"), "tmp")
        return (self.root, *(join(self.root, name) for name in (*names, *cached)))


def state_home(project: str) -> str:
    """The folder outside the project that holds its anchor."""
    base = os.environ.get("XDG_STATE_HOME") or join(_home(), ".local", "state")
    return join(base, "sublation-panel", project)


def cache_home(project: str) -> str:
    """The folder for an index of a project that can't be written."""
    base = os.environ.get("XDG_CACHE_HOME") or join(_home(), ".cache")
    return join(base, "sublation-panel", project)


def anchor_file(project: str) -> str:
    """The anchor of a project."""
    return join(state_home(project), "anchor")


def outside_index(project: str) -> str:
    """The index of a project that can't be written."""
    return join(cache_home(project), "index.sqlite3")


def config_home() -> str:
    """The folder of the person's own settings (remapped keys)."""
    base = os.environ.get("XDG_CONFIG_HOME") or join(_home(), ".config")
    return join(base, "sublation-panel")


def _home() -> str:
    return os.path.expanduser("~")
