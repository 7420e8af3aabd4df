"""What the panel says where a message is written."""

from __future__ import annotations

WRITE = "Write a message"
REPLY = "Reply"
TO = "to"
KIND = "kind"
TITLE = "title"
REFS = "refs"
URGENT = "urgency"
URGENCIES = ("normal", "high")
TITLE_HINT = "one line; a reply may do without"
REFS_HINT = "paths or addresses"
TEXT_HINT = "the text, which may stay empty"
REFS_HELP = "paths or addresses, with spaces between; quotes keep one together"
NOBODY = "nobody else is seated yet"
DRAFT_IS_BACK = "here is what you had written"
DRAFT_KEPT = "kept as a draft until you leave the panel"
LEAVE = "Leave what you have written?"
SAVING = "saving…"
QUOTES = "a quote is open and never closed"
NOT_SENT = "not sent"
SENT_ALREADY = "it is being saved just now"


def seats_to_choose(names: str) -> str:
    """Whom a message can go to."""
    return f"{names} or all"


def reaches(names: str, count: int) -> str:
    """Whom the message would go to, all resolved."""
    return f"goes to {names}" if count < 2 else f"goes to {count:,} seats: {names}"


def answering(number: int, title: str) -> str:
    """What is being answered."""
    return f"#{number} {title}"


def characters(count: int, limit: int) -> str:
    """How long the title is."""
    return f"{count} of {limit} characters"


def hint(text: str) -> str:
    """A hint, unless it speaks of the command line's options."""
    return "" if "--" in text else text
