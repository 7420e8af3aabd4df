"""The folder that goes on after damage: the verified beginning of another, and one line more."""

import os
from hashlib import sha256

from state import files
from state.create import IGNORED
from state.journal import head as heads
from state.journal.head import Head
from state.journal.heal import finish
from state.paths import Paths
from state.prospect import Prospect


def build(old: Paths, new: Paths, found: Prospect, raw: bytes) -> Head:
    """Makes the folder `new`, complete and on the disk; gives its HEAD. `raw` is its last line.

    Nothing of the old folder is changed. OSError as the disk gives it.
    """
    last = found.last
    for place in new.folders():
        os.mkdir(place, 0o700)
    for source, target in zip(old.carried(), new.carried(), strict=True):
        if os.path.isdir(source):
            _carry(source, target)
    files.write_new(new.format, files.read_whole(old.format, os.stat(old.format).st_size))
    files.write_new(new.gitignore, IGNORED)
    files.write_new(new.mutex, b"")
    for number in range(1, last.segment):
        path = old.segment(number)
        files.write_new(new.segment(number), files.read_whole(path, os.stat(path).st_size))
        finish(new, number)
    start = last.offset + last.size
    files.write_new(
        new.segment(last.segment), files.read_whole(old.segment(last.segment), start) + raw
    )
    head = Head(
        found.project,
        1,
        last.rev + 1,
        last.segment,
        start,
        start + len(raw),
        sha256(raw).hexdigest(),
    )
    files.write_new(new.head, heads.whole(head))
    for place in reversed(new.folders()):
        files.sync_folder(place)
    return head


def _carry(source: str, target: str) -> None:
    """Every file of a folder, on the disk afterwards; what is no file, or can't be read, is left.

    It still lies in the old folder, and a text that is missing is one damaged attachment.
    """
    for entry in os.scandir(source):
        if entry.is_file(follow_symlinks=False):
            copy = os.path.join(target, entry.name)
            try:
                held = files.read_whole(entry.path, entry.stat().st_size)
            except PermissionError:
                continue
            files.write_new(copy, held)
