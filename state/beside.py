"""What stands beside the journal and is wrong with it: rights, room, file system, left-overs."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from state.journal import filesystem, place
from state.journal.line import MAX_LINE
from state.journal.settle import Examined
from state.paths import Paths, anchor_file, shell_word, shown
from state.project import Project


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing: what it is, what the program did about it, and what can be done next."""

    code: str
    rev: int | None
    segment: int | None
    offset: int | None
    what: str
    done: str
    next: str


def unwritable(project: Project, found: Examined | None) -> str | None:
    """What each change writes and this process may not, the last segment included."""
    path = project.journal.unwritable()
    if path is None and found is not None:
        last = project.paths.segment(found.head.seg)
        if not os.access(last, os.W_OK) and not os.path.lexists(
            project.paths.segment(found.head.seg + 1)
        ):
            path = last
    return path


def _folders(paths: Paths) -> Iterator[Finding]:
    """Folders that some changes need and this process can't use; one that is gone is made anew."""
    for folder in paths.folders():
        if os.path.lexists(folder) and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            called = os.path.relpath(folder, paths.root)
            what = f"the folder {called} can't be read and written by this process"
            yield _plain("folder", what, f"chmod u+rwx {shell_word(folder)}")


def _kept(paths: Paths) -> Iterator[Finding]:
    """What recovery has set aside."""
    try:
        names = os.listdir(paths.quarantine)
        size = sum(os.lstat(paths.quarantined(name)).st_size for name in names)
    except OSError:
        # Missing, or not to be read: that is said of the folder.
        return
    if names:
        what = f"recovery has set {size:,} bytes aside in {len(names)} files"
        yield _plain("quarantine", what, f"they are kept in {shown(paths.quarantine)}")


def beside(project: Project, found: Examined | None = None) -> Iterator[Finding]:
    """What stands beside the journal."""
    paths, journal = project.paths, project.journal
    yield from _kept(paths)
    closed = unwritable(project, found)
    if closed is not None:
        error = place.unwritable(closed)
        yield _plain(error.code, error.message, error.hint)
    else:
        yield from _folders(paths)
    system = os.statvfs(paths.root)
    if (room := system.f_bavail * system.f_frsize) < MAX_LINE:
        what = f"the disk has room for {room:,} bytes; a line may take {MAX_LINE:,}"
        yield _plain("no_room", what, "make room on the disk")
    kind = filesystem.kind_of(paths.root)
    if filesystem.is_refused(kind):
        what = f"the project lies on {kind}, whose locks and syncs can't be trusted"
        yield _plain("file_system", what, "keep it on a local disk")
    anchor = anchor_file(journal.original)
    if not _may_write(anchor):
        what = f"the anchor can't be written: {shown(anchor)}"
        yield _plain("anchor", what, "a rolled-back folder will not be noticed by itself")
    if not os.path.lexists(paths.gitignore):
        what = "the folder's .gitignore is missing: git could track the journal and roll it back"
        yield _plain("gitignore", what, f"echo '*' > {shell_word(paths.gitignore)}")
    for left in paths.left_over():
        what = f"a project that was never finished lies in {shown(left)}"
        yield _plain("left_over", what, f"rm -r {shell_word(left)}")


def _plain(code: str, what: str, then: str) -> Finding:
    return Finding(code, None, None, None, what, "", then)


def _may_write(path: str) -> bool:
    """Whether a file could be made there, as far as what exists on the way says."""
    folder = os.path.dirname(path)
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)
