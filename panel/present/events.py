"""What happened to seats, in words with who did it, where and when (R9). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from textual.content import Content

from panel import safe_text
from panel.present import ages
from panel.words import conflict as words
from panel.words import operations, signs


def in_words(event: Mapping[str, Any], here: bool, now: datetime) -> Content:
    """One event, as in "you hid gemini in another panel, 3 s ago"; `here`: this panel wrote it."""
    did = operations.in_words(event["op"], event["rev"])
    where = words.HERE if here else words.WAYS.get(event["via"], event["via"])
    said = words.happened(signs.seat(event["by"]), did, where, ages.age(event["at"], now))
    return safe_text.row([(f"r{event['rev']}", "$text-muted"), (said, "")])
