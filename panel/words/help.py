"""What the help says besides the table of keys."""

from __future__ import annotations

from collections.abc import Mapping

from panel.words.signs import KINDS, TASK_STATES, UNREAD, URGENT, Sign


def _words(of: Mapping[str, Sign]) -> str:
    return ", ".join(sign.word for sign in of.values())


FIXED = "Always"
SIGNS = "What is shown"
MEANINGS = (
    (" ".join(sign.sign for sign in KINDS.values()), f"a message: {_words(KINDS)}"),
    (" ".join(sign.sign for sign in TASK_STATES.values()), f"a task: {_words(TASK_STATES)}"),
    (f"{UNREAD.sign} {URGENT.sign}", "before a message: unread by you; urgent"),
    ("re #12 “…”", "a reply without a title: what it answers, and how its text begins"),
    ("unread", "after the seat's cursor, and nothing more: not whether anybody looked at it"),
    ("looked", "when the seat last read its own queue; a hint, lost with the cache"),
    ("due", "the oldest unread message is old (15 min, urgent 5), and no look is known since"),
    ("verified", "lines whose sum and chain this panel has checked since it was opened"),
    ("watching ●", "changes are told by the system; polling ◌: looked for each second"),
    ("r1285", "line 1285 of the journal; #1284: the message that line 1284 holds"),
    ("◐ active (armed)", "new messages may wake the seat within its policy; nothing more is known"),
    ("◌ draining", "no new wakes; ■ hold: nothing at all until you resume; ○ closed: not armed"),
    ("verified", "of an intent: the program itself found the answer, or the file with the lease"),
    ("not invoked", "no receipt proves that a skill was used; what stands behind it is proved"),
    ("◌ docx", "an offline suggestion: no host's adapter asked for it, and it enters no rate"),
    ("hidden", "a seat that is left out of tables; what needs you is shown all the same"),
)
MODES: Mapping[str, str] = {
    "overview": "Overview",
    "queue": "Queue",
    "wake": "Wake",
    "skills": "Skills",
    "journal": "Journal",
}


def title(mode: str) -> str:
    """Over the help."""
    return f"Keys · {MODES.get(mode, mode)}"
