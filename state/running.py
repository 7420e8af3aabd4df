"""Carrying out one command: lock, settle, catch up, decide, append."""

import os
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import orjson

from state import checks
from state.clock import Clock
from state.command import Actor, Command, OnTime
from state.errors import (
    BadInput,
    CommitUnknown,
    NotCommitted,
    Refused,
    RevisionConflict,
    StateError,
)
from state.index import store
from state.index.fold import request_key
from state.index.view import IndexFailed, View, broken
from state.index.writer import IndexWriter
from state.journal import blobs
from state.journal.journal import Journal
from state.journal.writer import SYSTEM, Author, Writer, writing
from state.project import Committed

if TYPE_CHECKING:
    from state.index.build import Progress

KEY_LIMIT = 200
# With the index file that there is, with a new one, with one of this process alone.
TRIES = 3


class Runner:
    """Runs commands on one journal, one after the other; keeps the index open in between."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._index: IndexWriter | None = None

    def run(
        self,
        command: Command,
        actor: Actor,
        key: str | None,
        wait: float,
        progress: "Progress | None",
    ) -> Committed:
        """What `Project.run` says."""
        journal, now = self._journal, self._clock.now
        author = Author(actor.seat, actor.via, request_id(actor.seat, key), command.guards())
        for attempt in range(TRIES):
            index = self._ready_index(attempt, wait, progress)
            with writing(journal, seat=actor.seat, now=now, wait=wait) as writer:
                try:
                    view = index.begin(writer.head)
                    if key is not None:
                        earlier = _earlier(view, author.req, command)
                        if earlier is not None:
                            return earlier
                    _check_guards(view, author.guards)
                    view = self._keep_time(view, writer, command, actor)
                    done = self._commit(view, writer, command, actor, author)
                    self._follow_up(view, writer, command, actor)
                    self._take_over(writer)
                    return done
                except IndexFailed as error:
                    # Nothing was written: the next try finds another index or none at all.
                    self._drop_index()
                    failed = error
                finally:
                    self._bring_up(writer)
        raise broken(failed)

    def close(self) -> None:
        """Lets the index go."""
        if self._index is not None:
            self._index.close()
        self._index = None

    def _commit(
        self, view: View, writer: Writer, command: Command, actor: Actor, author: Author
    ) -> Committed:
        now = self._clock.moment()
        texts: list[bytes] = []
        ops = [_without_long_texts(op, texts) for op in command.decide(view, actor, now)]
        if not ops:
            return Committed(writer.head.rev, (), False)
        line = writer.append(author, now.utc, ops, texts)
        return Committed(line.rev, line.ops, False, writer.unanchored)

    def _keep_time(self, view: View, writer: Writer, command: Command, actor: Actor) -> View:
        """W27: what is due by the time is written first, and once more after the command."""
        if not _keeps_time(command) or self._index is None:
            return view
        from state.wake.due import due_ops

        view = self._index.caught_up(writer.taken(), writer.head)
        now = self._clock.moment()
        seats = command.due_for(view, actor)
        # A line has its limit: where more is due than it takes, there are several.
        while ops := due_ops(view, seats, now, command.drifted):
            writer.append(Author(SYSTEM, actor.via, os.urandom(16).hex(), {}), now.utc, ops)
            view = self._index.caught_up(writer.taken(), writer.head)
        return view

    def _follow_up(self, view: View, writer: Writer, command: Command, actor: Actor) -> None:
        """What the command itself has made due; should that fail, whoever is next writes it."""
        try:
            self._keep_time(view, writer, command, actor)
        except IndexFailed:
            self._drop_index()
        except (NotCommitted, CommitUnknown, BadInput):
            # The command's own line stands, and that is what its caller is told.
            return

    def _take_over(self, writer: Writer) -> None:
        """Hook events that met a busy lock: whatever is wrong with them fails no command."""
        paths = self._journal.paths
        try:
            names = os.listdir(paths.spool)
        except OSError:
            return
        if not names or self._index is None:
            return
        from state.routing.spool import take_over

        try:
            take_over(paths, names, self._index, writer, self._clock)
        except IndexFailed:
            self._drop_index()
        except StateError:
            # They stay in the spool; the command's own line stands.
            return

    def _bring_up(self, writer: Writer) -> None:
        """What is committed is committed: an index that fails is dropped, and fails no command."""
        if self._index is None:
            return
        try:
            self._index.take(writer.taken())
            self._index.commit()
        except IndexFailed:
            self._drop_index()

    def _ready_index(self, attempt: int, wait: float, progress: "Progress | None") -> IndexWriter:
        """An index to decide on, built before the lock is taken where there is none."""
        if self._index is not None and self._index.is_same():
            return self._index
        self.close()
        if attempt + 1 < TRIES:
            self._index = self._open_index() or self._build_index(wait, progress)
        if self._index is None:
            self._index = IndexWriter.private(self._journal, self._journal.head())
        return self._index

    def _open_index(self) -> IndexWriter | None:
        try:
            return IndexWriter.open(self._journal)
        except IndexFailed:
            return None

    def _build_index(self, wait: float, progress: "Progress | None") -> IndexWriter | None:
        # What stands against writing is said before anyone waits; a blank HEAD is marked anew.
        with writing(self._journal, seat=SYSTEM, now=self._clock.now, wait=wait):
            pass
        from state.index.rebuild import ensure

        ensure(self._journal, self._clock, progress)
        return self._open_index()

    def _drop_index(self) -> None:
        self.close()
        store.drop(self._journal)


def _keeps_time(command: Command) -> TypeGuard[OnTime]:
    # `isinstance` on a protocol takes as long as most decisions.
    return hasattr(command, "due_for")


def _without_long_texts(op: object, texts: list[bytes]) -> object:
    """The operation with its long text named by hash; the text itself joins `texts`."""
    body = getattr(op, "body", None)
    if not isinstance(body, str) or len(orjson.dumps(body)) <= blobs.INLINE_LIMIT:
        return op
    from state.messages.operations import Blob

    text = body.encode()
    texts.append(text)
    return replace(cast(Any, op), body=Blob(sha256(text).hexdigest(), len(text)))


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
    for entity, expected in guards.items():
        actual = view.revision(entity)
        if expected > view.rev:
            raise BadInput(
                f"revision {expected} of {entity} doesn't exist yet; the journal is at {view.rev}",
                "give the revision that you saw",
                field=entity,
            )
        if expected != actual:
            raise RevisionConflict(entity, expected, actual, _since(view, entity, expected, actual))


def _since(view: View, entity: str, expected: int, actual: int) -> tuple[dict[str, Any], ...]:
    """What happened in between, where it is kept by what it is about."""
    kind, _, seat = entity.partition(":")
    if kind == "roster":
        from state.roster.queries import events

        return events(view, expected, actual)
    if kind in ("policy", "window"):
        from state.wake.changes import changes

        return changes(view, seat, {kind: expected})
    return ()
