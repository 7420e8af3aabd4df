"""Commands on their way: run in a worker, answered, and saved once the journal says so."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual import on, work
from textual.message import Message
from textual.message_pump import MessagePump

from panel.bridge import Bridge
from panel.live import LiveApp
from panel.messages import CommandCommitted, CommandRefused, CommandSaved, Place
from panel.words import states
from state.clock import Clock
from state.command import Command
from state.errors import Busy, NoProject, RevisionConflict, StateError
from state.paths import Paths
from state.project import Committed


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """A command, who is to be told what became of it, and the key that makes a retry safe.

    `what` is said beside "saved", where that can't be seen otherwise.
    """

    command: Command
    sender: MessagePump
    key: str | None = None
    what: str = ""


class _Waiting(Message, bubble=False):
    def __init__(self, busy: Busy) -> None:
        super().__init__()
        self.busy = busy


class _Answered(Message, bubble=False):
    """What became of a command; None when the program itself failed, which is said elsewhere."""

    def __init__(self, submission: Submission, answer: Committed | StateError | None) -> None:
        super().__init__()
        self.submission = submission
        self.answer = answer


class SubmittingApp(LiveApp):
    """An app that carries out commands. Nothing it shows changes before the follower brings it."""

    def __init__(self, paths: Paths, clock: Clock | None = None) -> None:
        super().__init__(paths, clock)
        self._under_way: list[Submission] = []
        self._awaited: dict[int, list[tuple[Submission, bool]]] = {}
        self._own: list[int] = []

    @property
    def is_saving(self) -> bool:
        """Whether something is being written, or was and hasn't come back yet."""
        return bool(self._under_way or self._awaited)

    @property
    def own_revisions(self) -> frozenset[int]:
        """The lines that this panel wrote."""
        return frozenset(self._own)

    @property
    def is_writing(self) -> bool:
        """Whether a command is running whose outcome isn't known yet."""
        return bool(self._under_way)

    def submit(
        self,
        command: Command,
        *,
        key: str | None = None,
        sender: MessagePump | None = None,
        what: str = "",
    ) -> None:
        """Runs a command of the user in a worker; the sender, else the present screen, is answered.

        The answers are those of `panel.messages`. Making the command may raise BadInput; that is
        the caller's to show. A conflict of roster revisions is put before the person first.
        """
        self._submit(Submission(command, sender or self.screen, key, what))

    def _submit(self, submission: Submission) -> None:
        if self.bridge is None:
            error = NoProject(states.OPENING, "try again in a moment")
            submission.sender.post_message(CommandRefused(submission.command, error))
            return
        self._under_way.append(submission)
        self.say(states.SAVING, lasting=True)
        self._run(self.bridge, submission)

    @work(thread=True, group="write", exit_on_error=False, description="run a command")
    def _run(self, bridge: Bridge, submission: Submission) -> None:
        def waiting(busy: Busy) -> None:
            self.post_message(_Waiting(busy))

        answer: Committed | StateError | None = None
        try:
            answer = bridge.run(submission.command, submission.key, waiting)
        except StateError as error:
            answer = error
        finally:
            self.post_message(_Answered(submission, answer))

    @on(_Waiting)
    def _waits(self, event: _Waiting) -> None:
        if self._under_way:
            self.say(states.waiting(event.busy.message), lasting=True)

    @on(_Answered)
    def _answered(self, event: _Answered) -> None:
        submission, answer = event.submission, event.answer
        self._under_way.remove(submission)
        if isinstance(answer, Committed):
            self._committed(submission, answer)
            return
        if not self.is_saving:
            self.say("")
        # What can be asked again is asked; whether it may be was decided in `state`.
        if isinstance(answer, RevisionConflict):
            self.ask_about_conflict(submission, answer)
        else:
            self.refuse(submission, answer or StateError(states.FAILED, states.FAILED_HINT))

    def refuse(self, submission: Submission, error: StateError) -> None:
        """Tells the sender that the command was not carried out."""
        submission.sender.post_message(CommandRefused(submission.command, error))

    def ask_about_conflict(self, submission: Submission, conflict: RevisionConflict) -> None:
        """R9: what happened in between is for the person to see; the app with screens asks."""
        self.refuse(submission, conflict)

    def apply_again(self, submission: Submission, roster: int) -> None:
        """The same change to the roster as it is now."""
        changed = replace(submission.command, roster=roster)  # type: ignore[type-var]
        self._submit(replace(submission, command=changed))

    def _committed(self, submission: Submission, committed: Committed) -> None:
        told = CommandCommitted(submission.command, committed.rev, committed.repeated)
        submission.sender.post_message(told)
        self._own.append(committed.rev)
        self._awaited.setdefault(committed.rev, []).append((submission, committed.repeated))
        # An earlier line that said the same may have come back long ago.
        self._tell_saved()

    def notice_polling(self) -> None:
        # That something is being saved is said until it is.
        if not self.is_saving:
            super().notice_polling()

    def show_snapshot(self) -> None:
        super().show_snapshot()
        self._tell_saved()

    def _tell_saved(self) -> None:
        if self.snapshot is None:
            return
        for rev in sorted(rev for rev in self._awaited if rev <= self.snapshot.rev):
            for submission, repeated in self._awaited.pop(rev):
                submission.sender.post_message(CommandSaved(submission.command, rev))
                said = states.saved(rev, submission.what)
                self.say(states.repeated(rev) if repeated else said)

    async def go(self, place: Place) -> None:
        """Shows something where it can be dealt with, in the mode that can."""
