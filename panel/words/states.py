"""What the panel says about the project as a whole and about its own work."""

from __future__ import annotations

BUG = "a fault of the program"
FAILED = "the program itself failed while saving; it is not known whether anything was written"
FAILED_HINT = "look at the journal before you try again, and report it"
ENDING = "the panel is ending: nothing was written"
POLLING = "no watcher is to be had: changes are looked for each second"
SAVING = "saving…"
NOTHING_THERE = "there is nothing under the cursor"
OPENING = "opening the project…"
NOT_OPEN = "no project is open"
READ_ONLY = "read only: this process may not write the project"
LAST_GOOD = "what is shown is the last good state"

# Where those words are all there is to say, since the panel itself asks what is to be done.
IN_FULL = frozenset({"moved_or_copied"})
OTHER_TROUBLE = f"■ {LAST_GOOD}, nothing is written"
# By the state of a project's health; a sound project has none.
TROUBLES = {
    "damaged": f"■ damaged: {LAST_GOOD}, nothing is written",
    "rolled_back": f"■ rolled back: {LAST_GOOD}, nothing is written",
    "replaced": f"■ replaced: {LAST_GOOD}, nothing is written",
    "moved_or_copied": (
        "■ moved or copied: nothing is written until you say which it is; open it under"
        " “Needs you” to answer"
    ),
    "newer_format": "■ written by a newer program: nothing is written by this one",
    "read_only": "■ read only: keys that write are dimmed",
}


def bug(error: BaseException | None) -> str:
    """A fault that nobody expected, so that it can be reported."""
    return f"{type(error).__name__}: {error}"


def not_opened(why: str) -> str:
    """The project was never seen."""
    return f"■ the project can't be opened: {why}"


def building(done: int, of: int) -> str:
    """How much of the index is built; the whole journal is read once for it."""
    return f"building the index: {done * 100 // max(of, 1)} % of {of:,} lines"


def wrong(what: str) -> str:
    """The check of the whole chain found something that the last lines don't show."""
    return f"■ damaged: {what}"


def waiting(why: str) -> str:
    """Saving takes longer than usual."""
    return f"{SAVING} {why}"


def saved(rev: int, what: str = "") -> str:
    """The journal came back with what was written."""
    return f"saved as r{rev} · {what}" if what else f"saved as r{rev}"


def copied(text: str) -> str:
    """What the terminal was asked to put into its clipboard."""
    return f"copied: {text}"


def repeated(rev: int) -> str:
    """The same had been written before under the same key."""
    return f"already there as r{rev}, nothing was written"


def with_hint(message: str, hint: str) -> str:
    """An error as one line."""
    return f"{message} — {hint}" if hint else message
