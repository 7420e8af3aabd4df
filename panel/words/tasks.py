"""What the panel says where a task is accepted, finished, declined or cancelled."""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    "accept": "accept",
    "done": "done",
    "decline": "decline",
    "cancel": "cancel",
}
ABOUT: Mapping[str, str] = {
    "accept": "take it on",
    "done": "finish it, and name what proves it or say that nothing does",
    "decline": "say no, with a reason",
    "cancel": "take it back, with a reason",
}
EVIDENCE = "evidence"
EVIDENCES: Mapping[str, str] = {
    "file": "a file",
    "message": "a message",
    "none": "none",
}
FILE = "file"
FILE_HELP = "a path from the project's folder; the program takes its sha256 when you save"
PLAIN_FILE = "a plain file of the project is needed, reached through no link"
FILE_NEEDED = "name the file, or choose that there is none"
HASHING = "taking the file's sha256…"
MESSAGE = "message"
MESSAGE_HELP = "the number of a message of yours, written after you accepted"
NONE_HELP = "Everyone will see “evidence: none” on this task."
REASON = "reason"
REASON_HELP = "why, in one line; the author reads it"
LOOKING = "asking what may be done…"


def heading(number: int, title: str) -> str:
    """Which task it is."""
    return f"Task #{number} {title}"


def holder(name: str, state: str) -> str:
    """Whose task is in which state."""
    return f"{name}: {state}"


def only(holder: str) -> str:
    """One holder's task among several."""
    return f"  cancel only {holder}"


def form(name: str, number: int) -> str:
    """Over the form that asks for a reason."""
    return f"{name.capitalize()} task #{number}"


def declines() -> str:
    """What declining does."""
    return "The task is declined for good; its author gets a result with your reason."


def cancels(whose: str | None) -> str:
    """What cancelling does."""
    of = "Every holder's task" if whose is None else f"{whose.capitalize()} task"
    return f"{of} that is open or accepted is cancelled for good; the message stays as it is."


def asks_first(number: int) -> str:
    """The heading of the question before something open is acknowledged."""
    return f"Acknowledge #{number}?"


STILL_OPEN = (
    "It is still open: a question that you did not answer, or a task that you neither accepted nor"
    " ended. Acknowledging only moves your cursor past it; it stays readable and stays open."
)


def still_open(sender: str, title: str) -> str:
    """The question before something open is acknowledged: whose it is, and what that means."""
    return f"{sender}: {title}\n{STILL_OPEN}"


def acknowledged(number: int, sender: str) -> str:
    """What the key for the next message due has passed, wherever the cursor was."""
    return f"#{number} from {sender} acknowledged"


NO_MESSAGE = "no message is under the cursor"
ASKING = "what may be done is being asked"
