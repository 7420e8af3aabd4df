"""The one place that starts git: an anchor as a commit on a ref of its own, when the user asks.

The ref is `refs/sublation-panel/<project>`; each commit holds one file, and follows the one before
it. Pushed, it is evidence that others hold. Nothing is pushed or fetched here.
"""

import os
import subprocess
from dataclasses import dataclass

import orjson

from state.errors import BadInput, NotCommitted
from state.journal.line import is_hash
from state.paths import shown

FILE = "anchor.json"
WHO = "sublation-panel"


@dataclass(frozen=True, slots=True)
class Kept:
    """What the ref holds: `commit` and the revision and hash that it names."""

    ref: str
    commit: str
    rev: int
    hash: str


def read(folder: str, project: str) -> Kept | None:
    """The newest anchor that the repository around a folder holds, None without one.

    BadInput where there is no git or no repository, or where the ref holds something else.
    """
    ref = f"refs/{WHO}/{project}"
    found = _git(folder, "rev-parse", "--git-dir")
    if found.returncode:
        raise BadInput(
            f"there is no git repository at or above {shown(folder)}: {_reason(found)}",
            "make one, or leave --git out: the anchor outside the project is kept without it",
        )
    named = _git(folder, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    if named.returncode:
        return None
    commit = _text(named.stdout)
    held = _git(folder, "cat-file", "blob", f"{commit}:{FILE}").stdout
    try:
        fields = orjson.loads(held)
        rev, line_hash = fields["rev"], fields["hash"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        rev = line_hash = None
    if type(rev) is not int or not is_hash(line_hash):
        raise BadInput(f"{ref} holds no anchor", f"look at it: git show {ref}")
    return Kept(ref, commit, rev, line_hash)


def keep(folder: str, project: str, rev: int, line_hash: str, before: Kept | None) -> Kept:
    """Adds an anchor after `before`, unless that is the same one.

    NotCommitted when git refuses, so also when the ref is no longer at `before`.
    """
    if before is not None and (before.rev, before.hash) == (rev, line_hash):
        return before
    ref = f"refs/{WHO}/{project}"
    held = orjson.dumps({"project": project, "rev": rev, "hash": line_hash}) + b"\n"
    blob = _made(folder, held, "hash-object", "-w", "--stdin")
    tree = _made(folder, f"100644 blob {blob}\t{FILE}\n".encode(), "mktree")
    parents = () if before is None else ("-p", before.commit)
    said = f"Line {rev} of {project}\n\n{line_hash}\n".encode()
    commit = _made(folder, said, "commit-tree", tree, *parents)
    # An empty old value says that the ref must not exist yet.
    _made(folder, b"", "update-ref", ref, commit, "" if before is None else before.commit)
    return Kept(ref, commit, rev, line_hash)


def _made(folder: str, given: bytes, *words: str) -> str:
    ran = _git(folder, *words, given=given)
    if ran.returncode:
        raise NotCommitted(
            f"git {words[0]} refused, the ref is as it was: {_reason(ran)}",
            "look at the repository, then repeat",
        )
    return _text(ran.stdout)


def _git(folder: str, *words: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    names = {
        f"GIT_{who}_{what}": WHO for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    try:
        return subprocess.run(
            ["git", "-C", folder, *words],
            input=given,
            capture_output=True,
            env={**os.environ, **names},
            check=False,
        )
    except OSError as error:
        raise BadInput(
            f"git can't be started: {error.strerror}", "install git, or leave --git out"
        ) from error


def _reason(ran: "subprocess.CompletedProcess[bytes]") -> str:
    """The last line of what git said against it."""
    return shown((_text(ran.stderr).splitlines() or ["no reason given"])[-1])


def _text(said: bytes) -> str:
    return said.decode("utf-8", "replace").strip()
