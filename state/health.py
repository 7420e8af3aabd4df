"""How a project is: whether its journal can be believed, whether it can be written, since when."""

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from state import files
from state.clock import TIMESTAMP
from state.errors import Damaged, Replaced, RolledBack, StateError, Unsound
from state.journal.settle import examine
from state.paths import Paths
from state.project import Project

if TYPE_CHECKING:
    from state.journal.verify import Report

OK = "ok"
READ_ONLY = "read_only"
LIMIT = 512


class Verified(NamedTuple):
    """A hint of when the chain was last checked up to line `to`; `whole`: from line 1 on."""

    to: int
    at: str
    whole: bool


class Health(NamedTuple):
    """`state`: `ok`, `read_only`, or the code of what is wrong with the journal (`trouble`).

    `writable` says whether permissions and mount allow a change; in trouble nothing is written
    all the same.
    """

    state: str
    trouble: StateError | None
    writable: bool
    last_verified: Verified | None

    @property
    def is_believed(self) -> bool:
        """Whether, as far as is seen without the check, the lines are those that were written."""
        return not isinstance(self.trouble, Damaged | RolledBack | Replaced)


def check(project: Project) -> Health:
    """How the project is now, without lock or change; only the last line's bytes are checked.

    Refused and the like, which are no state of the journal, come as errors.
    """
    journal = project.journal
    hint = last_verified(project.paths)
    trouble: Unsound | None = None
    try:
        journal.check_place()
        examine(journal)
    except Unsound as error:
        trouble = error
    writable = journal.is_writable() and not journal.failed
    if trouble is not None:
        return Health(trouble.code, trouble, writable, hint)
    return Health(OK if writable else READ_ONLY, None, writable, hint)


def remember(project: Project, report: "Report") -> None:
    """Leaves the hint that the whole chain was checked; none where the cache can't be written."""
    if not (report.ok and report.complete):
        return
    target = project.paths.verified
    scratch = f"{target}.{os.getpid()}.{os.urandom(4).hex()}"
    said = {"to": report.head.rev, "at": project.clock.now(), "whole": True}
    try:
        files.replace_file(target, orjson.dumps(said) + b"\n", scratch)
    except OSError:
        # A hint that is lost is shown as not known.
        return


def last_verified(paths: Paths) -> Verified | None:
    """The hint, None when there is none or it can't be read as one."""
    try:
        fields = orjson.loads(files.read_whole(paths.verified, LIMIT))
    except (OSError, orjson.JSONDecodeError):
        return None
    return Verified(**fields) if _is_sound(fields) else None


def _is_sound(fields: Any) -> bool:
    if not isinstance(fields, dict) or set(fields) != set(Verified._fields):
        return False
    timed = isinstance(fields["at"], str) and TIMESTAMP.fullmatch(fields["at"]) is not None
    return timed and type(fields["to"]) is int and type(fields["whole"]) is bool
