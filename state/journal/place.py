"""What must be true of the project's folder and files before they are believed or locked."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, EROFS

from state import files
from state.errors import Damaged, NoProject, ReadOnly, Refused, Replaced, StateError, Unsound
from state.paths import Paths, shell_word, shown

CAN_BE_DONE = "`sublation-panel doctor` says what can be done"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def open_root(paths: Paths) -> int:
    """A descriptor of the project's folder, which must be a real one that is ours alone to write.

    NoProject where there is none, Refused with the command that mends it.
    """
    try:
        root = files.open_folder(paths.root)
    except OSError as error:
        raise _no_root(paths, error) from error
    try:
        _check_owned(os.fstat(root), paths.root)
        for folder in (paths.head_dir, paths.log_dir, paths.mutex_dir):
            # What stands in the others can be made anew.
            _check_folder(folder, lost_for_good=folder == paths.log_dir)
    except BaseException:
        os.close(root)
        raise
    return root


def check_same(paths: Paths, root: tuple[int, int]) -> None:
    """The folder of that name is still the one with this device and inode; Replaced else."""
    try:
        found = os.lstat(paths.root)
    except (FileNotFoundError, NotADirectoryError):
        raise Replaced("the project's folder is gone", "nothing is created in its place") from None
    except OSError as error:
        raise unreadable(error, paths.root) from error
    if (found.st_dev, found.st_ino) != root:
        raise replaced()


def replaced() -> Replaced:
    """The one sentence about another folder of that name."""
    return Replaced("another folder stands in the project's place", "open it again")


def check_plain(found: os.stat_result, path: str) -> None:
    """Refuses a file that is a link or has a second name: two names would be two truths."""
    if not stat.S_ISREG(found.st_mode):
        raise not_plain(path)
    if found.st_nlink > 1:
        name, place = os.path.basename(path), shell_word(path)
        copy = shell_word(f"{path}.copy")
        raise Damaged(
            f"{name} is a link: the file has a second name; the project's files must be plain",
            f"when no process uses the project: cp -p {place} {copy} && mv {copy} {place}",
        )
    if found.st_nlink == 0:
        raise Replaced(f"{os.path.basename(path)} was taken away meanwhile", CAN_BE_DONE)


def not_plain(path: str) -> Damaged:
    """The one sentence about a link where a file of the project must stand."""
    return Damaged(
        f"{os.path.basename(path)} is a link or no file; the project's files must be plain files",
        f"put a plain file back in place of {shown(path)}",
    )


def open_plain(path: str) -> int:
    """A descriptor that reads a plain file; Damaged for a link, OSError as it comes."""
    try:
        fd = files.open_read(path)
    except OSError as error:
        if error.errno == ELOOP:
            raise not_plain(path) from error
        raise
    try:
        check_plain(os.fstat(fd), path)
    except BaseException:
        os.close(fd)
        raise
    return fd


@contextmanager
def reading(path: str, *, segment: int | None = None, offset: int | None = None) -> Iterator[None]:
    """Turns what the disk refuses to give into an error of this program, with its place."""
    try:
        yield
    except Unsound as error:
        if error.segment is None:
            error.segment, error.offset = segment, offset
        raise
    except OSError as error:
        raise unreadable(error, path, segment=segment, offset=offset) from error


def unreadable(
    error: OSError, path: str, *, segment: int | None = None, offset: int | None = None
) -> StateError:
    """Refused for missing rights, Damaged for a file that is missing or whose bytes don't come."""
    name = os.path.basename(path)
    if error.errno in (EACCES, EPERM):
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        mends = f"u+r {shell_word(path)}"
        if folder == path or not os.access(folder, os.X_OK):
            mends = f"u+rwx {shell_word(folder)}"
        return Refused(None, f"{name} can't be read: {error.strerror}", f"chmod {mends}")
    if error.errno in (ENOENT, ENOTDIR):
        return Damaged(f"{name} is missing", CAN_BE_DONE, segment=segment, offset=offset)
    if error.errno == ELOOP:
        return not_plain(path)
    return Damaged(
        f"{name} can't be read: {error.strerror}", CAN_BE_DONE, segment=segment, offset=offset
    )


def read_only(error: OSError) -> ReadOnly:
    """The one sentence for a folder that this process may not write."""
    where = f" ({shown(error.filename)})" if isinstance(error.filename, str) else ""
    return ReadOnly(
        f"the project can't be written: {error.strerror}{where}",
        "this process may read it; run where the folder is writable to change anything",
    )


def unwritable(path: str) -> ReadOnly:
    """The one sentence for what each change needs and this process may not write or list."""
    hint = "run where the folder is writable"
    mounted_so = os.statvfs(os.path.dirname(path)).f_flag & os.ST_RDONLY
    if not mounted_so and os.lstat(path).st_uid == os.geteuid():
        hint += f", or: chmod u+rwX {shell_word(path)}"
    return ReadOnly(f"the project can't be written by this process: {shown(path)}", hint)


def forbids_writing(error: OSError) -> bool:
    """Whether it is permission or mount that stands against a write, and no fault."""
    return error.errno in (EACCES, EPERM, EROFS)


def _no_root(paths: Paths, error: OSError) -> StateError:
    if error.errno == ENOENT:
        if paths.is_there():
            return Replaced(
                "`doctor --accept` is at its last step or was cut off there: the folder that goes"
                f" on lies in {shown(paths.successor.root)}, the one that it replaces beside it",
                "if it does not end by itself, finish it: sublation-panel doctor --accept",
            )
        return NoProject(
            f"no project here: {shown(paths.root)} does not exist",
            "create one with `sublation-panel init`, or name one with --project DIR",
        )
    if error.errno in (ELOOP, ENOTDIR) and os.path.lexists(paths.root):
        return _no_folder(paths.root)
    if error.errno in (ELOOP, ENOTDIR):
        return NoProject(
            f"no project here: {shown(paths.project)} is not a folder",
            "name the project's folder with --project DIR",
        )
    if error.errno == ENAMETOOLONG:
        return NoProject(
            "no project here: the path is too long", "name a folder that lies less deep"
        )
    if error.errno in (EACCES, EPERM):
        return _no_right(paths)
    return Damaged(f"the project's folder can't be opened: {error.strerror}", CAN_BE_DONE)


def _no_right(paths: Paths) -> Refused:
    hint = f"chmod u+rwx {shell_word(paths.root)}"
    try:
        _check_owned(os.lstat(paths.root), paths.root)
    except PermissionError:
        hint = f"chmod u+x {shell_word(paths.project)}"
    except Refused as refused:
        return refused
    return Refused(None, "the project's folder can't be read: no permission", hint)


def _check_folder(path: str, *, lost_for_good: bool) -> None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        anew = f"put it back, or make it anew: mkdir -m 700 {shell_word(path)}"
        raise Damaged(
            f"the folder {os.path.basename(path)} is missing",
            CAN_BE_DONE if lost_for_good else anew,
        ) from None
    except PermissionError as error:
        raise unreadable(error, path) from error
    if not stat.S_ISDIR(found.st_mode):
        raise _no_folder(path)
    _check_owned(found, path)


def _no_folder(path: str) -> Refused:
    name = os.path.basename(path)
    return Refused(None, f"{name} is a link or no folder", f"put the real folder at {shown(path)}")


def _check_owned(found: os.stat_result, path: str) -> None:
    place, mine = shell_word(path), os.geteuid()
    if found.st_uid != mine:
        raise Refused(
            None,
            f"the project's folder belongs to another user (uid {found.st_uid}, you are {mine})",
            f"use it as that user, or make it yours: chown -R {mine} {place}",
        )
    if found.st_mode & OTHERS_WRITE:
        raise Refused(
            None,
            "group or others may write the project's folder",
            f"chmod -R go-w {place}",
        )
