"""What the panel says about one message, its recipients and their tasks."""

from __future__ import annotations

from collections.abc import Mapping

FACTS = ("written", "looked", "acknowledged", "answered")
RECIPIENT = "recipient"
NO = "no"
NOT_KNOWN = "not known"
# The panel leaves no hint of the person's own looking, so there is none to show.
NOT_KEPT = "not kept"
NO_TITLE = "no title"

FROM = "from"
TO = "to"
WRITTEN = "written"
ANSWERS = "answers"
ANSWERED_BY = "answered by"
REFERENCE = "reference"
HOPS = "hops"
IMPORTED = "imported"
THERE = "there"
DATED_THERE = "dated there"
CLAIM = "its claim"
SUMMARY = "its summary"
BEFORE = "before it"
TEXT = "text"
EMPTY_TEXT = "There is no text; the title says it all."
MISSING_TEXT = (
    "The text is missing or changed on disk: this one attachment is damaged. The journal holds its"
    " hash and is not damaged by that."
)
WHO = "who did what"
FILE_BECAME: Mapping[str, str] = {
    "unchanged": "the file is the same now",
    "changed": "the file has CHANGED since: it is no longer what was named",
    "gone": "the file is GONE: there is nothing to look at now",
    "unreadable": "the file can't be looked at by this process now",
}
FILE_NOT_LOOKED_AT = "the file was not looked at"
IN_NO_QUEUE = "An imported message stands in no queue here: nobody has it to acknowledge."


def answering(number: int) -> str:
    """The title of a reply that has none."""
    return f"re #{number}"


def quoted(begins: str) -> str:
    """How a text begins, told from a title."""
    return f"“{begins}”"


def called(title: str, reply_to: int | None, begins: str) -> str:
    """What a message is called; without a title what it answers, and how its text begins."""
    if title:
        return title
    instead = NO_TITLE if reply_to is None else answering(reply_to)
    return f"{instead} {quoted(begins)}" if begins else instead


def bad(why: str) -> str:
    """A record that can't be shown."""
    return f"can't be shown: {why}"


def to_all(names: str) -> str:
    """The recipients of what was addressed to all, as that was resolved."""
    return f"all who were active: {names}"


def claims(read: object) -> str:
    """What another tool claims of an imported message."""
    said = {True: "true", False: "false"}.get(bool(read)) if isinstance(read, bool) else None
    return f"read: {said or 'not given'} (its word, no evidence)"


def came_from(tool: str, team: str, inbox: str, position: int) -> str:
    """Where an imported message stood; positions are stored from 0 on and said from 1 on."""
    return f"from {tool}, team {team}, inbox {inbox}, position {position + 1}"


def other_bytes(first: int) -> str:
    """The position had been imported before, with another content."""
    return f"#{first} was imported from the same position, with other bytes"


def closed_unread(by: str, when: str, reason: str) -> str:
    """R14, in the place of the time of an acknowledgement."""
    return f"no: closed unread by {by}, {when}: {reason}"


def text_of(lines: int, size: str) -> str:
    """How long the text is."""
    return f"text: {lines:,} line{'' if lines == 1 else 's'}, {size}"


def reason(text: str) -> str:
    """Why a task was declined or cancelled."""
    return f"reason: {text}"


def since(when: str, by: str) -> str:
    """How long a task has been in its state, and who got it there."""
    return f"since {when}, by {by}"


def said_none(evidence: str) -> str:
    """M7: no evidence, in so many words."""
    return f"{evidence} (the holder said so)"


def whose_task(whose: str, state: str) -> str:
    """Whose task is in which state."""
    return f"{whose} task {state}"


def whole_thread(count: int) -> str:
    """How many messages hang together."""
    return f"thread: {count:,} messages"


def more_in_thread(count: int, key: str) -> str:
    """Messages of the thread that are not listed in the pane; the key lists them all."""
    return f"{count:,} more: {key} lists the whole thread"
