"""What stands in another tool's fields, brought into the forms of this project. Pure."""

import re
import unicodedata
from datetime import datetime
from typing import Any

import orjson

from state import checks
from state.clock import stamp
from state.errors import BadInput

NAME_LIMIT = 200
NO_TEXT = "(no text)"
# What says best what a structured text is about, by the names that are in use.
_TELLING = ("subject", "reason", "idleReason", "summary", "title", "message", "content", "feedback")
_NOT_IN_IDS = re.compile(r"[^a-z0-9._-]+")


def moment(value: object) -> str:
    """A time as it is stored. BadInput for what is none or has no zone."""
    try:
        parsed = datetime.fromisoformat(value) if isinstance(value, str) else None
        if parsed is not None and parsed.tzinfo is not None:
            return stamp(parsed)
    except (ValueError, OverflowError):
        pass
    raise BadInput("no time that can be read", field="timestamp")


def short(value: object) -> str:
    """A name that can be kept as it stands, empty for anything else."""
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LIMIT:
        return ""
    try:
        return checks.text(value, "name")
    except BadInput:
        return ""


def title_of(text: str, summary: str) -> str:
    """One line for a text: its summary, what a structured text says it is, or how it begins."""
    said = summary.strip() or _structured(text) or text
    line = next((line for line in said.splitlines() if line.strip()), NO_TEXT)
    words = " ".join(line.split())
    if len(words) > checks.TITLE_LIMIT:
        return words[: checks.TITLE_LIMIT - 1] + "…"
    return words


def label(name: str, limit: int) -> str:
    """A name as a display name or label may be, empty when nothing of it can be seen."""
    shown = "".join(
        sign for sign in name if unicodedata.category(sign)[0] not in "CZ" or sign == " "
    )
    shown = shown.strip()[:limit].strip()
    try:
        return checks.display_name(shown, limit=limit)
    except BadInput:
        return ""


def slug(name: str) -> str:
    """The nearest id that a seat may have; `agent` when nothing of the name is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _NOT_IN_IDS.sub("-", plain).strip("-._")[:63] or "agent"


def _structured(text: str) -> str:
    """A title for a text that is a JSON object with a type; empty for any other."""
    if not text.lstrip().startswith("{"):
        return ""
    try:
        found: Any = orjson.loads(text)
    except orjson.JSONDecodeError:
        return ""
    kind = found.get("type") if isinstance(found, dict) else None
    if not isinstance(kind, str) or not kind.strip():
        return ""
    told = (found.get(name) for name in _TELLING)
    about = next((value for value in told if isinstance(value, str) and value.strip()), "")
    return f"{kind.strip()}: {about.strip()}" if about else kind
