"""Texts above 16 KiB: in a file of their own, on the disk before the line that names them."""

import os
from hashlib import sha256

from state import files
from state.errors import NotCommitted
from state.paths import Paths

INLINE_LIMIT = 16 * 1024
SUFFIX_BYTES = 4


def put(paths: Paths, text: bytes) -> str:
    """The sha256 of `text`, which is in `blobs/` and on the disk afterwards. NotCommitted else."""
    digest = sha256(text).hexdigest()
    target = paths.blob(digest)
    if get(paths, digest) is not None:
        return digest
    scratch = os.path.join(paths.tmp, f"blob-{digest[:16]}.{os.urandom(SUFFIX_BYTES).hex()}")
    try:
        files.replace_file(target, text, scratch)
        files.sync_folder(os.path.dirname(target))
    except OSError as error:
        raise NotCommitted(
            f"nothing was written: a long text could not be stored ({error.strerror})",
            "make room on the disk, then repeat the command",
        ) from error
    return digest


def get(paths: Paths, digest: str) -> bytes | None:
    """The text of that hash, None when the file is missing or holds anything else."""
    try:
        path = paths.blob(digest)
        text = files.read_whole(path, os.lstat(path).st_size)
    except OSError:
        return None
    return text if sha256(text).hexdigest() == digest else None
