"""A descriptor that is kept for as long as its file is the one of that name."""

import os

from state import files
from state.journal.place import check_plain


class HeldFile:
    """Opens a file once; again when the name has come to mean another file."""

    __slots__ = ("_appends", "_fd", "_path")

    def __init__(self, *, appends: bool) -> None:
        self._appends = appends
        self._fd = -1
        self._path = ""

    def get(self, path: str) -> int:
        """A descriptor of the plain file of that name; Damaged for a link, OSError as it comes."""
        named = os.lstat(path)
        check_plain(named, path)
        if self._fd >= 0 and self._path == path:
            mine = os.fstat(self._fd)
            if (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino):
                return self._fd
        self.close()
        self._fd = files.open_append(path) if self._appends else files.open_update(path)
        self._path = path
        return self._fd

    def close(self) -> None:
        """Lets the descriptor go; the next question opens the file again."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1
