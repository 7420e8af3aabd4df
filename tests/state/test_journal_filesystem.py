"""File systems whose locks and syncs can not be trusted (fault 15)."""

from __future__ import annotations

import os
from errno import EACCES, EIO, ENOSPC, EROFS
from pathlib import Path

import pytest

from state import files
from state.errors import NotCommitted, Refused
from state.journal import filesystem
from state.journal.journal import Journal
from tests.state.journal_support import Disk, append, broken, made

TABLE = b"""\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 27 0:55 / /mnt/with\\040space rw,relatime shared:1 - nfs4 server:/x rw
41 27 0:56 / /mnt/c rw,noatime - 9p drvfs rw
42 27 0:57 / /home/me/remote rw - fuse.sshfs me@there: rw
43 27 0:58 / /data rw - btrfs /dev/vdb rw
"""


@pytest.mark.parametrize(
    ("device", "path", "kind"),
    [
        ((254, 0), "/anything", "ext4"),
        ((0, 55), "/anything", "nfs4"),
        ((9, 9), "/mnt/with space/project", "nfs4"),
        ((9, 9), "/mnt/with spaces", "ext4"),
        ((9, 9), "/mnt/c", "9p"),
        ((9, 9), "/home/me/remote/deep/er", "fuse.sshfs"),
        ((9, 9), "/data/x", "btrfs"),
        ((9, 9), "/", "ext4"),
    ],
)
def test_the_mount_table_tells_the_kind(device: tuple[int, int], path: str, kind: str) -> None:
    assert filesystem.kind_in(TABLE, os.makedev(*device), path) == kind


def test_without_a_mount_table_nothing_is_refused(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "mount_table", lambda: b"")
    assert filesystem.kind_of(disk.paths.root) == ""
    append(Journal(disk.paths))
    broken(monkeypatch, "mount_table", EACCES)
    append(Journal(disk.paths))


@pytest.mark.parametrize(
    "kind",
    ["nfs", "nfs4", "9p", "drvfs", "fuse", "fuse.sshfs", "fuseblk", "cifs", "smb3", "virtiofs"],
)
def test_file_systems_that_cannot_be_trusted_are_refused(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    device = os.stat(disk.paths.root).st_dev
    entry = b"40 27 %d:%d / / rw - %b x rw" % (os.major(device), os.minor(device), kind.encode())
    monkeypatch.setattr(files, "mount_table", lambda: entry)
    before = disk.everything()
    with pytest.raises(Refused, match=f"lies on {kind}") as found:
        append(Journal(disk.paths))
    assert "--force-filesystem" in found.value.hint
    with pytest.raises(Refused):
        made(disk.log.parents[3] / "other")
    assert disk.everything() == before
    # Reading goes on, and whoever takes the risk may write.
    assert Journal(disk.paths).head().rev == 6
    assert append(Journal(disk.paths, force_filesystem=True)).rev == 7


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "apfs", "tmpfs", "overlay", "zfs"])
def test_local_file_systems_are_taken(kind: str) -> None:
    assert not filesystem.is_refused(kind)


def test_a_project_is_not_left_behind_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for call, error in (("rename", ENOSPC), ("sync_data", EIO), ("write", EROFS)):
        with monkeypatch.context() as patch:
            broken(patch, call, error)
            with pytest.raises(NotCommitted):
                made(tmp_path)
        assert list(tmp_path.iterdir()) == []
    assert Path(made(tmp_path).root).is_dir()
