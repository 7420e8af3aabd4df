"""A project as everyone uses it: find it, open it, ask it (`view`), change it (`run`)."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import orjson

from state import checks
from state.clock import Clock, SystemClock
from state.command import Actor, Command
from state.errors import (
    BadInput,
    Damaged,
    NoProject,
    NotCommitted,
    Refused,
    RevisionConflict,
    StateError,
)
from state.index import store
from state.index.build import Progress
from state.index.fold import request_key
from state.index.view import IndexFailed, View, broken
from state.index.writer import IndexWriter
from state.journal import blobs
from state.journal.journal import Journal
from state.journal.lock import WAIT_SECONDS
from state.paths import FOLDER, Paths

# Readers pass here too: what only a change needs is imported by the change, since the classes of
# operations alone cost a cold start half of what starting Python does.
if TYPE_CHECKING:
    from state.journal.writer import Author, Writer

KEY_LIMIT = 200
# With the index file that there is, with a new one, with one of this process alone.
TRIES = 3


@dataclass(frozen=True, slots=True)
class Committed:
    """What became of a command: its line's revision and operations as they are stored.

    `repeated`: an earlier line had the same request id and content; nothing was written now.
    """

    rev: int
    ops: Sequence[Mapping[str, Any]]
    repeated: bool
    unanchored: bool = False


class Project:
    """One opened project, for one thread at a time and not for a forked process."""

    def __init__(
        self, paths: Paths, clock: Clock | None = None, *, force_filesystem: bool = False
    ) -> None:
        self.paths = paths
        self.clock = clock or SystemClock()
        self.journal = Journal(paths, force_filesystem=force_filesystem)
        self._index: IndexWriter | None = None

    def view(self, progress: Progress | None = None) -> View:
        """The project as it stands now; close it after use. Needs no lock and changes nothing.

        Damaged and its kin where the journal can't be read as it should be: see `last_good`.
        """
        self.journal.check_place()
        try:
            return store.open_view(self.journal, self.clock, progress)
        except Damaged:
            if self.journal.head_or_none() is not None:
                raise
        # Whoever writes next marks the last whole line again.
        from state.journal.heal import last_whole

        return store.open_view(self.journal, self.clock, progress, last_whole(self.journal))

    def last_good(self, progress: Progress | None = None) -> tuple[View, StateError | None]:
        """The project as it stands, or its last good state and what is wrong with the journal.

        The trouble itself is raised where no line can be read, and Replaced where another folder
        stands in the project's place.
        """
        from state.index.last_good import last_good

        return last_good(self.journal, self.clock, progress)

    def run(
        self,
        command: Command,
        actor: Actor,
        *,
        key: str | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Committed:
        """Decides and commits one command: lock, settle, catch up, decide, append.

        With a key a retry is safe: the same key and content of the same seat gives the first
        answer. Every error of `state.errors` may come; unless it is CommitUnknown, nothing was
        written.
        """
        from state.journal.writer import Author, writing

        req = request_id(actor.seat, key)
        author = Author(actor.seat, actor.via, req, command.guards())
        for attempt in range(TRIES):
            index = self._ready_index(attempt)
            with writing(self.journal, seat=actor.seat, now=self.clock.now, wait=wait) as writer:
                try:
                    view = index.begin(writer.head)
                    return self._decide(index, view, writer, command, author, key is not None)
                except IndexFailed as error:
                    # Nothing was written: the next try finds another index or none at all.
                    self._drop_index()
                    failed = error
        raise broken(failed)

    def close(self) -> None:
        """Lets files go; the project can be used again afterwards."""
        self._forget_index()
        self.journal.close()

    def __enter__(self) -> "Project":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _decide(
        self,
        index: IndexWriter,
        view: View,
        writer: "Writer",
        command: Command,
        author: "Author",
        keyed: bool,
    ) -> Committed:
        try:
            earlier = _earlier(view, author.req, command) if keyed else None
            if earlier is not None:
                return earlier
            _check_guards(view, author.guards)
            now = self.clock.now()
            actor = Actor(author.seat, author.via)
            ops = [self._without_long_texts(op) for op in command.decide(view, actor, now)]
            line = writer.append(author, now, ops)
            return Committed(line.rev, line.ops, False, writer.unanchored)
        finally:
            try:
                index.take(writer.appended)
                index.commit()
            except IndexFailed:
                # What is committed is committed: a failing index never fails the command.
                self._drop_index()

    def _ready_index(self, attempt: int) -> IndexWriter:
        """An index to decide on, built before the lock is taken where there is none."""
        if self._index is not None and self._index.is_same():
            return self._index
        self._forget_index()
        if attempt + 1 < TRIES:
            self._index = self._open_index() or self._build_index()
        if self._index is None:
            self._index = IndexWriter.private(self.journal, self.journal.head())
        return self._index

    def _open_index(self) -> IndexWriter | None:
        try:
            return IndexWriter.open(self.journal)
        except IndexFailed:
            return None

    def _build_index(self) -> IndexWriter | None:
        from state.journal.writer import SYSTEM, writing

        if self.journal.head_or_none() is None:
            # Who settles the journal rebuilds HEAD, and is asked for it by whoever needs it.
            with writing(self.journal, seat=SYSTEM, now=self.clock.now):
                pass
        store.ensure(self.journal, self.clock)
        return self._open_index()

    def _drop_index(self) -> None:
        self._forget_index()
        store.drop(self.journal)

    def _forget_index(self) -> None:
        if self._index is not None:
            self._index.close()
        self._index = None

    def _without_long_texts(self, op: object) -> object:
        from state.messages.operations import Blob, MessageImported, MessagePosted

        if (
            isinstance(op, MessagePosted | MessageImported)
            and isinstance(op.body, str)
            and len(orjson.dumps(op.body)) > blobs.INLINE_LIMIT
        ):
            text = op.body.encode()
            return replace(op, body=Blob(blobs.put(self.paths, text), len(text)))
        return op


def find(start: str | None = None) -> Paths:
    """The project of a folder: the nearest one upward that holds `.sublation-panel`. NoProject."""
    folder = os.path.realpath(start or os.getcwd())
    while True:
        if os.path.lexists(os.path.join(folder, FOLDER)):
            return Paths(os.path.join(folder, FOLDER))
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NoProject(
                "no project here or in a folder above",
                "create one with `sublation-panel init`, or name one with --project DIR",
            )
        folder = parent


def open_project(folder: str | None = None, clock: Clock | None = None) -> Project:
    """The project of a folder given by name: exactly that one, or else the nearest upward."""
    if folder is None:
        return Project(find(), clock)
    return Project(Paths(os.path.join(os.path.realpath(folder), FOLDER)), clock)


def request_id(seat: str, key: str | None) -> str:
    """The id that makes a retry safe: from seat and key, random without a key."""
    if key is None:
        return os.urandom(16).hex()
    checks.text(key, "key")
    if not 0 < len(key) <= KEY_LIMIT:
        raise BadInput(f"a key needs 1 to {KEY_LIMIT} characters", field="key")
    return sha256(f"{seat}\n{key}".encode()).hexdigest()[:32]


def _earlier(view: View, req: str, command: Command) -> Committed | None:
    for (rev,) in view.rows("SELECT rev FROM line WHERE req=? ORDER BY rev", request_key(req)):
        line = view.line(rev)
        if line is None or line.req != req:
            continue
        if not command.is_repeated_by(line.ops):
            raise Refused(
                "M4",
                f"this key was used for line {rev}, which says something else",
                "use another key for another command",
            )
        return Committed(rev, line.ops, True)
    return None


def _check_guards(view: View, guards: Mapping[str, int]) -> None:
    from state.roster.queries import events

    for entity, expected in guards.items():
        actual = view.revision(entity)
        if expected > view.rev:
            raise BadInput(
                f"revision {expected} of {entity} doesn't exist yet; the journal is at {view.rev}",
                "give the revision that you saw",
                field=entity,
            )
        if expected != actual:
            since = events(view, expected, actual) if entity == "roster" else ()
            raise RevisionConflict(entity, expected, actual, since)


__all__ = ["Committed", "NotCommitted", "Project", "find", "open_project", "request_id"]
