"""What is said around the beginning and the end of the panel."""

from __future__ import annotations

TITLE = "Leave now?"
WRITING = (
    "A command is on its way to the journal. Leaving now does not undo it: it may still be written."
)
UNSENT = "A message is written and not sent: it is lost with the panel."
KEYS = "keys.json"
