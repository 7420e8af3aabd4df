"""Every call of a commit that reaches the disk fails in turn, in rotation too (faults 10-12).

A write may also be short and only then fail. Whatever is refused was not written, whatever is
answered was; of what can't be known either is right, and the next process settles it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from state import files
from state.command import Actor
from state.errors import CommitUnknown, NotCommitted, ReadOnly
from state.journal import writer as writers
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from tests.faults.conftest import Tally
from tests.faults.project import SMALL_SEGMENT, check_whole, made
from tests.faults.scale import scaled

CALLS = (
    *("write", "pwrite", "truncate", "sync_data", "sync_folder", "rename", "chmod", "unlink"),
    *("create", "write_new", "replace_file"),
)
ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG)
# Posts by one process: enough for a segment of the small size to be started among them.
POSTS = 8
LAST_CALL = scaled(40, 90)
USER = Actor("user", "cli")


class Faulty:
    """The seam, with one call that fails; `broken`: so does each call of the kind after it."""

    def __init__(self, at: int, error: int, short: bool, lasting: bool) -> None:
        self.made = 0
        self.failed = 0
        self._at = at
        self._error = error
        self._short = short
        self._lasting = lasting

    def put_in(self, patch: pytest.MonkeyPatch) -> None:
        for name in CALLS:
            patch.setattr(files, name, self._wrapped(name, getattr(files, name)))

    def _wrapped(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            self.made += 1
            fails = self.made >= self._at if self._lasting else self.made == self._at
            if not fails:
                return original(*given)
            self.failed += 1
            if name in ("write", "pwrite") and self._short and self.failed == 1:
                target, data, *rest = given
                part = max(len(data) // 2, 1)
                original(target, data[:part], *rest)
                return part
            raise OSError(self._error, os.strerror(self._error))

        return call


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from-then-on"])
def test_each_call_that_fails_leaves_what_was_answered_and_nothing_else(
    real_disk: Path, monkeypatch: pytest.MonkeyPatch, tally: Tally, lasting: bool
) -> None:
    paths = made(real_disk / "project")
    monkeypatch.setattr(writers, "SEGMENT_BYTES", SMALL_SEGMENT)
    said: list[tuple[int, str]] = []
    refused: list[str] = []
    injected = 0
    for at, error, short in product(range(1, LAST_CALL, scaled(3, 1)), ERRORS, (False, True)):
        fault = Faulty(at, error, short, lasting)
        label = f"{at}-{error}-{short}"
        with monkeypatch.context() as patch:
            fault.put_in(patch)
            _post(paths, label, said, refused)
        injected += fault.failed
        if at % 10 == 1:
            check_whole(paths, said)
    check_whole(paths, said)
    with Project(paths) as project, project.view() as view:
        titles = {title for (title,) in view.rows("SELECT title FROM message")}
    assert titles.isdisjoint(refused)
    assert injected > 0
    tally("calls of the disk that failed, or wrote a part and then failed", injected)


def _post(paths: Paths, label: str, said: list[tuple[int, str]], refused: list[str]) -> None:
    with Project(paths) as project:
        for number in range(POSTS):
            title = f"{label}-{number}"
            try:
                done = project.run(Post(("agent-0",), title, "x" * 300), USER)
            except (NotCommitted, ReadOnly):
                refused.append(title)
            except CommitUnknown:
                # Written or not: what comes after it may be refused, or settles it.
                continue
            else:
                said.append((done.rev, title))
