"""Texts above 16 KiB: in a file of their own, on the disk before the line that names them."""

import os
from hashlib import sha256

from state import files
from state.errors import NotCommitted, Unsound
from state.journal.line import is_hash
from state.journal.place import CAN_BE_DONE, forbids_writing, open_plain
from state.paths import Paths

INLINE_LIMIT = 16 * 1024
# No text that is taken is nearly so long; a file that is, is none of ours.
LONGEST = 16 * 1024 * 1024
SUFFIX_BYTES = 4


def put(paths: Paths, text: bytes) -> str:
    """The sha256 of `text`, which is in `blobs/` and on the disk afterwards. NotCommitted else.

    Only for the holder of the lock: what a dead writer left half-way is swept by the next one.
    """
    digest = sha256(text).hexdigest()
    target = paths.blob(digest)
    folder = os.path.dirname(target)
    scratch = paths.scratch(f"blob-{digest[:16]}-{os.urandom(SUFFIX_BYTES).hex()}")
    try:
        files.make_folder(folder)
        if get(paths, digest) is None:
            files.replace_file(target, text, scratch)
        # Also where it was there: who stored it may have died before its name was on the disk.
        files.sync_folder(folder)
    except OSError as error:
        then = CAN_BE_DONE if forbids_writing(error) else "make room on the disk"
        raise NotCommitted(
            f"nothing was written: a long text could not be stored ({error.strerror})",
            f"{then}, then repeat the command",
        ) from error
    return digest


def get(paths: Paths, digest: str) -> bytes | None:
    """The text of that hash, None when the file is missing, a link, or holds anything else."""
    if not is_hash(digest):
        return None
    try:
        fd = open_plain(paths.blob(digest))
    except (OSError, Unsound):
        return None
    try:
        text = files.pread_exact(fd, min(os.fstat(fd).st_size, LONGEST), 0)
    except OSError:
        return None
    finally:
        os.close(fd)
    return text if sha256(text).hexdigest() == digest else None
