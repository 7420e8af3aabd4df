"""The one place that starts git: an anchor as a commit on a ref of its own, when the user asks.

The ref is `refs/sublation-panel/<project>`; each commit holds one file, and follows the one before
it. Pushed, it is evidence that others hold. Nothing is pushed or fetched here.
"""

import os
import subprocess
from dataclasses import dataclass

import orjson

from state.errors import BadInput, NotCommitted

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
    if _git(folder, "rev-parse", "--git-dir") is None:
        raise BadInput(
            f"there is no git repository at or above {folder}",
            "make one, or leave --git out: the anchor outside the project is kept without it",
        )
    commit = _git(folder, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    if commit is None:
        return None
    raw = _git(folder, "cat-file", "blob", f"{commit}:{FILE}")
    try:
        fields = orjson.loads(raw or "")
        return Kept(ref, commit, int(fields["rev"]), str(fields["hash"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{ref} holds no anchor", f"look at it: git show {ref}") from error


def keep(folder: str, project: str, rev: int, line_hash: str, before: Kept | None) -> Kept:
    """Adds an anchor after `before`, unless that is the same one. NotCommitted when git refuses."""
    if before is not None and (before.rev, before.hash) == (rev, line_hash):
        return before
    ref = f"refs/{WHO}/{project}"
    held = orjson.dumps({"project": project, "rev": rev, "hash": line_hash}).decode() + "\n"
    blob = _made(folder, held, "hash-object", "-w", "--stdin")
    tree = _made(folder, f"100644 blob {blob}\t{FILE}\n", "mktree")
    parents = () if before is None else ("-p", before.commit)
    said = f"Line {rev} of {project}\n\n{line_hash}\n"
    commit = _made(folder, said, "commit-tree", tree, *parents)
    _made(folder, "", "update-ref", ref, commit, "" if before is None else before.commit)
    return Kept(ref, commit, rev, line_hash)


def _made(folder: str, given: str, *words: str) -> str:
    found = _git(folder, *words, given=given)
    if found is None:
        raise NotCommitted(
            f"git {words[0]} refused; the ref is as it was", "look at the repository, then repeat"
        )
    return found


def _git(folder: str, *words: str, given: str = "") -> str | None:
    """What git answers, None when it refuses."""
    names = {
        f"GIT_{who}_{what}": WHO for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    try:
        ran = subprocess.run(
            ["git", "-C", folder, *words],
            input=given.encode(),
            capture_output=True,
            env={**os.environ, **names},
            check=False,
        )
    except FileNotFoundError as error:
        raise BadInput("git is not installed", "install git, or leave --git out") from error
    return ran.stdout.decode("utf-8", "replace").strip() if ran.returncode == 0 else None
