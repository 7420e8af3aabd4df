"""The one tree of errors that leaves `state`: each has a stable code, an exit status and a hint.

A foreign exception (OSError, sqlite3.Error, orjson's, pydantic's) never crosses the border of
`state`; it is turned into one of these where it happens. Codes and exits: `docs/cli.md`.
"""

from typing import Any, ClassVar


class StateError(Exception):
    """`message` is one line that says what is wrong, `hint` one line that says what to do."""

    code: str = "error"
    exit: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_dict(self) -> dict[str, Any]:
        """The fields of the JSON error object, `code`, `rule`, `message` and `hint` first."""
        return {"code": self.code, "rule": None, "message": self.message, "hint": self.hint}


class BadInput(StateError):
    """Input that can't be taken as it is; nothing was touched."""

    code = "bad_input"
    exit = 2

    def __init__(self, message: str, hint: str = "", *, field: str | None = None) -> None:
        super().__init__(message, hint)
        self.field = field

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {"field": self.field}


class NotFound(StateError):
    """A seat, message, task or revision that doesn't exist was named."""

    code = "not_found"
    exit = 2


class Refused(StateError):
    """A rule forbids it. `blocking` names each thing in the way: (kind, count, first number)."""

    code = "refused"
    exit = 3

    def __init__(
        self,
        rule: str | None,
        message: str,
        hint: str = "",
        *,
        blocking: tuple[tuple[str, int, int | None], ...] = (),
    ) -> None:
        super().__init__(message, hint)
        self.rule = rule
        self.blocking = blocking

    def as_dict(self) -> dict[str, Any]:
        shown = super().as_dict() | {"rule": self.rule}
        if self.blocking:
            shown["blocking"] = [
                {"kind": kind, "count": count, "first": first}
                for kind, count, first in self.blocking
            ]
        return shown


class ClaimRefused(Refused):
    """The gate's answer to a claim (W16): `code` is one of its own, `retry_after` in seconds.

    `retry_after` is None where waiting alone doesn't help.
    """

    def __init__(self, code: str, message: str, hint: str, retry_after: int | None = None) -> None:
        super().__init__("W16", message, hint)
        self.code = code
        self.retry_after = retry_after

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {"retry_after": self.retry_after}


class ReceiptUnfit(Refused):
    """A receipt that was refused and is kept (W19); `why` is one word."""

    def __init__(self, why: str, message: str, hint: str) -> None:
        super().__init__("W19", message, hint)
        self.why = why

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {"why": self.why}


class RevisionConflict(StateError):
    """Someone was faster (R9): `entity` stands at `actual`, the author had seen `expected`.

    `since` holds what happened in between, oldest first, each as a mapping with `rev`, `at`,
    `by`, `via`, `seat` and `op`.
    """

    code = "revision_conflict"
    exit = 4

    def __init__(
        self, entity: str, expected: int, actual: int, since: tuple[dict[str, Any], ...]
    ) -> None:
        # Only the roster's revision is given by whoever repeats it; the others are looked at anew.
        again = f" with revision {actual}" if entity == "roster" else ""
        super().__init__(
            f"{entity} is at revision {actual}, you had seen {expected}",
            f"look at what changed, then repeat{again}",
        )
        self.entity = entity
        self.expected = expected
        self.actual = actual
        self.since = since

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {
            "rule": "R9",
            "entity": self.entity,
            "expected": self.expected,
            "actual": self.actual,
            "since": list(self.since),
        }


class Busy(StateError):
    """The project's lock could not be had in time; `holder` is a hint, not a proof."""

    code = "busy"
    exit = 5

    def __init__(self, holder: dict[str, Any] | None, waited: float) -> None:
        who = "another process"
        if holder is not None:
            who = f"process {holder.get('pid')} (seat {holder.get('seat')})"
        super().__init__(
            f"the project's lock is held by {who}; waited {waited:.0f} s",
            "try again; if that process hangs, end it: a lock is let go when its holder ends",
        )
        self.holder = holder

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {"holder": self.holder}


class Unsound(StateError):
    """The journal on disk is not what it should be: nothing is written, reading goes on."""

    exit = 6

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        rev: int | None = None,
        segment: int | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.rev = rev
        self.segment = segment
        self.offset = offset

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {
            "rev": self.rev,
            "segment": self.segment,
            "offset": self.offset,
        }


class Damaged(Unsound):
    """Bytes that were acknowledged don't verify, at `rev` and `offset` of `segment`."""

    code = "damaged"


class RolledBack(Unsound):
    """The journal is older than what this machine has already seen of it."""

    code = "rolled_back"


class Replaced(Unsound):
    """The folder, HEAD or mutex is not the one that was opened."""

    code = "replaced"


class MovedOrCopied(Unsound):
    """The project stands in another folder than its anchor says; the user must say which it is."""

    code = "moved_or_copied"


class NewerFormat(Unsound):
    """A newer program wrote this; nothing is skipped, nothing is written."""

    code = "newer_format"


class ReadOnly(StateError):
    """The folder can't be written by this process."""

    code = "read_only"
    exit = 7


class NoProject(StateError):
    """There is no `.sublation-panel` here or above."""

    code = "no_project"
    exit = 8


class NotCommitted(StateError):
    """The disk refused; the journal is as it was before."""

    code = "not_committed"
    exit = 9


class CommitUnknown(StateError):
    """Whether the line is durable can't be known; a retry with the same key is safe."""

    code = "commit_unknown"
    exit = 10
