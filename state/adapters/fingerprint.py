"""The fingerprint over an adapter's files (W21), and nothing about what is registered.

It is the sha256 of what `sha256sum` prints for the files, sorted by the bytes of their relative
paths: a line each, the digest, two spaces, the path, in which a line end or `\\` is escaped.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from errno import ENOENT, ENOTDIR
from hashlib import sha256

from state import files
from state.adapters.names import from_stored, stored
from state.adapters.operations import AdapterFile
from state.adapters.walk import Budget, below, unfit, unreadable
from state.paths import shown


@dataclass(frozen=True, slots=True)
class Taken:
    """What stood in an adapter's files at one moment; paths as `AdapterRegistered` has them."""

    fingerprint: str
    base: str
    paths: tuple[str, ...]
    bytes: int
    files: tuple[AdapterFile, ...]


def take(given: Sequence[str]) -> Taken:
    """The files and folders that were named, as they are here and now.

    Relative paths start at their common parent, which is a folder itself when it alone was named.
    BadInput for what can't be read whole: a file that is missing, no regular one or being written,
    a link that leads out of its folder or in a circle, too many or too large files.
    """
    roots = sorted({_real(path) for path in given})
    if not roots:
        raise unfit("no file is named", "name the adapter's files, or its folder")
    try:
        base = os.path.commonpath([_parent(root) for root in roots])
    except OSError as error:
        raise unreadable(roots[0], error) from error
    taken = _taken(base, roots)
    if not taken.files:
        raise unfit("there is no file below what was named", "name the adapter's files")
    return taken


def take_again(base: str, paths: Sequence[str]) -> Taken:
    """What was registered, as it is now; what is gone has no files. BadInput as `take` raises it.

    `base` and `paths` are as they were stored.
    """
    start = from_stored(base)
    roots = [os.path.normpath(os.path.join(start, from_stored(path))) for path in paths]
    return _taken(start, [root for root in roots if _stands(root)])


def _taken(base: str, roots: Sequence[str]) -> Taken:
    budget = Budget()
    found: dict[bytes, tuple[str, int]] = {}
    for root in roots:
        for path, folder, parts in _files(root, budget):
            name = os.fsencode(os.path.relpath(path, base))
            if name not in found:
                found[name] = _digest(folder, parts, budget)
    listed = sorted(found.items())
    whole = sha256(b"".join(_line(name, digest) for name, (digest, _) in listed)).hexdigest()
    return Taken(
        fingerprint=whole,
        base=stored(base),
        paths=tuple(stored(os.path.relpath(root, base)) for root in roots),
        bytes=budget.bytes,
        files=tuple(AdapterFile(stored(os.fsdecode(name)), *facts) for name, facts in listed),
    )


def _line(name: bytes, digest: str) -> bytes:
    """As `sha256sum` writes it: a leading `\\` says that the name is escaped."""
    spelt = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    mark = b"" if spelt == name else b"\\"
    return mark + digest.encode() + b"  " + spelt + b"\n"


def _files(root: str, budget: Budget) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each file as it is called, and the names without a link by which it is opened."""
    try:
        found = os.lstat(root)
    except OSError as error:
        raise unreadable(root, error) from error
    if stat.S_ISDIR(found.st_mode):
        for names, parts in below(root, budget):
            yield os.path.join(root, *names), root, parts
    else:
        budget.one_more()
        yield root, os.path.dirname(root), (os.path.basename(root),)


def _digest(folder: str, parts: tuple[str, ...], budget: Budget) -> tuple[str, int]:
    """The sha256 and the size of one file."""
    path = os.path.join(folder, *parts)
    try:
        fd = files.open_below(folder, parts)
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        before = os.fstat(fd)
        if not stat.S_ISREG(before.st_mode):
            raise unfit(f"{shown(path)} is no regular file", "leave it out")
        budget.fits(before.st_size)
        digest, at = sha256(), 0
        while size := files.read_into(fd, memoryview(budget.buffer), at):
            budget.read(size)
            digest.update(memoryview(budget.buffer)[:size])
            at += size
        after = os.fstat(fd)
    except OSError as error:
        raise unreadable(path, error) from error
    finally:
        os.close(fd)
    if (before.st_size, before.st_mtime_ns) != (at, after.st_mtime_ns):
        raise unfit(f"{shown(path)} is being written just now", "try again")
    return digest.hexdigest(), at


def _real(given: str) -> str:
    if "\0" in given or not given:
        raise unfit(f"{given!r} can't be the name of a file", "name a file or a folder")
    try:
        return os.path.realpath(given, strict=True)
    except UnicodeEncodeError as error:
        raise unfit(f"{given!r} can't be the name of a file", "name a file or a folder") from error
    except OSError as error:
        raise unreadable(given, error) from error


def _parent(root: str) -> str:
    return root if stat.S_ISDIR(os.lstat(root).st_mode) else os.path.dirname(root)


def _stands(root: str) -> bool:
    try:
        os.lstat(root)
    except OSError as error:
        if error.errno in (ENOENT, ENOTDIR):
            return False
        raise unreadable(root, error) from error
    return True
