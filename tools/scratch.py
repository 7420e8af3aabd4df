"""A scratch copy of the working tree, in which one file at a time can be changed and put back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


class Scratch:
    """A copy of what git knows or would take, as it lies on disk now, in a new folder `place`.

    Programs that run in it import the copy, whatever is installed.
    """

    def __init__(self, root: Path, place: Path) -> None:
        self.place = place
        self._stamp = 0
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            check=True,
            capture_output=True,
        )
        for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
            source, target = root / name, place / name
            if source.is_file():  # a deleted file is still listed until it is committed
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)

    @property
    def environment(self) -> dict[str, str]:
        """Variables for a program that runs in the copy."""
        kept = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
        return {**kept, "PYTHONPATH": str(self.place)}

    @contextmanager
    def changed(self, file: str, old: str, new: str) -> Iterator[None]:
        """The copy with `old`, which occurs once in the file, replaced by `new`."""
        path = self.place / file
        before = path.read_bytes()
        self._write(path, before.replace(old.encode(), new.encode(), 1))
        try:
            yield
        finally:
            self._write(path, before)

    def _write(self, path: Path, data: bytes) -> None:
        # Python takes a compiled module as current when second and size agree, so that two
        # versions within one second could be mistaken for each other.
        self._stamp += 2
        second = int(path.stat().st_mtime) + self._stamp
        path.write_bytes(data)
        os.utime(path, (second, second))


_UNWANTED = frozenset({"PYTHONDONTWRITEBYTECODE", "PYTHONSAFEPATH", "PYTEST_ADDOPTS"})


def imports_from(environment: Mapping[str, str], package: str) -> Path:
    """The folder from which a program with this environment imports the package."""
    code = f"import {package}; print({package}.__path__[0])"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(
        command, env=environment, cwd="/", check=True, capture_output=True, text=True
    )
    return Path(ran.stdout.removesuffix("\n"))
