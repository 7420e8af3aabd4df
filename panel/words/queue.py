"""What the queue mode says about its lists and about looking for text."""

from __future__ import annotations

EMPTY_QUEUE = "Nothing is unread here: this seat's cursor has passed all that was addressed to it."
LOOKING = "Looking through all titles and texts, the newest first…"
NO_HITS = "Nothing found."
IN_TEXT = "text"
IN_TITLE = "title"
NOTHING_OPEN = "The message under the cursor is shown here."
READING = "reading…"
NEWEST_FIRST = "newest first"
OLDEST_FIRST = "oldest first"
ALL_MESSAGES = "All messages"
LOOKING_CHANGES_NOTHING = "looking changes nothing"


def empty(write: str) -> str:
    """The list without a message, and the key and command that fill it."""
    return (
        f"No message yet. Press {write} to write one; an agent writes with"
        " `sublation-panel post SEAT --title TEXT`."
    )


def none_left(back: str) -> str:
    """The list that a filter has emptied, and the key that fills it again."""
    return f"No message is let through by this filter. Press {back} to take the filter away."


def messages(count: int) -> str:
    """How many there are."""
    return f"{count:,} message{'' if count == 1 else 's'}"


def filtered(text: str) -> str:
    """Which filter is on."""
    return f"filter {text}"


def queue_of(whose: str, count: int) -> str:
    """What stands in the queue of a seat."""
    return f"{whose} queue: {count:,} unread"


def thread_of(number: int) -> str:
    """The list shows one thread."""
    return f"thread of #{number}"


def finding(query: str, hits: int, share: str | None) -> str:
    """How far a search has come; without a share it is at its end."""
    so_far = "everything looked through" if share is None else f"{share} looked through"
    return f"{hits:,} found, {so_far}: “{query}”"


def stopped(query: str, hits: int, why: str) -> str:
    """A search that did not come to its end."""
    return f"{hits:,} found, {why}: “{query}”"


STOPPED_BY_HAND = "stopped by you"
ENOUGH = "looking ended there"


def no_message(number: int) -> str:
    """There is no message of this number."""
    return f"there is no message #{number}"


def copied_text(number: int) -> str:
    """The text of a message was put into the clipboard."""
    return f"copied: the text of #{number}"


NO_TEXT_TO_COPY = "this message has no text"
