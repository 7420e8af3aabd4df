"""What text from outside may be: each check gives the value back or says which field is wrong."""

import re
import unicodedata
from datetime import datetime

from state.clock import stamp
from state.errors import BadInput

SEAT_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
RESERVED = frozenset({"all", "none", "system", "user", "you"})
NAME_LIMIT = 80
LABEL_LIMIT = 40
ROLES_LIMIT = 16
TITLE_LIMIT = 200
REASON_LIMIT = 1000
BODY_LIMIT = 1024 * 1024
REF_LIMIT = 1000
REFS_LIMIT = 20
MAX_INTEGER = 2**53 - 1

# Unicode categories: control, format (bidi overrides, zero-width), surrogate, line and paragraph
# separators. A title or name that holds one could look like another.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def seat_id(text: str) -> str:
    """An id that a new seat may have (R2)."""
    if not SEAT_ID.fullmatch(text):
        raise BadInput(
            f"{text!r} can't be a seat id",
            "use a-z, 0-9, '.', '_' and '-', at most 63, starting with a letter or digit",
            field="seat",
        )
    if text in RESERVED:
        raise BadInput(f"the id {text!r} is reserved", "choose another id", field="seat")
    return text


def display_name(text: str, field: str = "name", limit: int = NAME_LIMIT) -> str:
    """Printable Unicode up to 80 characters, no control and no bidi-override characters (R2)."""
    if not text.strip() or len(text) > limit:
        raise BadInput(f"{field} needs 1 to {limit} characters, not {len(text)}", field=field)
    for place, character in enumerate(text):
        # Joiners are part of ordinary names and emoji; all other format characters are refused.
        if unicodedata.category(character) in _INVISIBLE and character not in "\u200c\u200d":
            raise BadInput(
                f"{field} holds U+{ord(character):04X} at position {place}",
                "leave out control, bidi-override and other invisible characters",
                field=field,
            )
    return text


def label(text: str, field: str) -> str:
    """A host or role: like a display name, at most 40 characters, or empty."""
    return display_name(text, field, LABEL_LIMIT) if text else text


def roles(given: tuple[str, ...]) -> tuple[str, ...]:
    """At most 16 roles, each once."""
    if len(given) > ROLES_LIMIT:
        raise BadInput(f"at most {ROLES_LIMIT} roles, not {len(given)}", field="roles")
    return tuple(dict.fromkeys(display_name(role, "role", LABEL_LIMIT) for role in given))


def text(value: str, field: str) -> str:
    """Text that can be stored as UTF-8: no lone surrogate."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadInput(
            f"{field} is not valid Unicode at position {error.start}",
            "give UTF-8 text",
            field=field,
        ) from error
    return value


def title(value: str) -> str:
    """One line, at most 200 characters; may be empty here (M1)."""
    text(value, "title")
    if len(value) > TITLE_LIMIT:
        raise BadInput(
            f"the title has {len(value)} characters; the limit is {TITLE_LIMIT}",
            "put the rest into the body",
            field="title",
        )
    if any(mark in value for mark in "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"):
        raise BadInput("a title is one line", "put the rest into the body", field="title")
    return value


def body(value: str) -> str:
    """Any text up to 1 MiB of UTF-8 (M1)."""
    size = len(text(value, "body").encode())
    if size > BODY_LIMIT:
        raise BadInput(
            f"the body has {size:,} bytes; the limit is {BODY_LIMIT:,}",
            "write it to a file of the project and name that with --ref",
            field="body",
        )
    return value


def decoded(raw: bytes, field: str) -> str:
    """Bytes from a pipe or file as text; what isn't UTF-8 is refused with its offset (M1)."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{field} is not UTF-8 at offset {error.start}",
            "convert it, or name the file with --ref",
            field=field,
        ) from error


def refs(given: tuple[str, ...]) -> tuple[str, ...]:
    """At most 20 paths or URLs of at most 1,000 characters."""
    if len(given) > REFS_LIMIT:
        raise BadInput(f"at most {REFS_LIMIT} references, not {len(given)}", field="refs")
    for ref in given:
        text(ref, "ref")
        if not 0 < len(ref) <= REF_LIMIT:
            raise BadInput(f"a reference needs 1 to {REF_LIMIT} characters", field="refs")
    return given


def reason(value: str) -> str:
    """Why something was done: 1 to 1,000 characters."""
    text(value, "reason")
    if not value.strip():
        raise BadInput("a reason is needed", "say why with --reason TEXT", field="reason")
    if len(value) > REASON_LIMIT:
        raise BadInput(
            f"the reason has {len(value)} characters; the limit is {REASON_LIMIT}", field="reason"
        )
    return value


def revision(value: int, field: str) -> int:
    """A number of a line, message or roster: 0 to 2^53-1, and no truth value."""
    if type(value) is not int or not 0 <= value <= MAX_INTEGER:
        raise BadInput(f"{field} must be a whole number from 0 to 2^53-1", field=field)
    return value


def moment(value: str, field: str) -> str:
    """A time with its zone as it is stored; naive times, numbers and second 60 are refused."""
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        parsed = None
    too_fine = re.search(r"\.\d{7,}", value) is not None
    if parsed is None or parsed.tzinfo is None or too_fine or "T" not in value:
        raise BadInput(
            f"{value!r} is not a time with a zone",
            "give it like 2026-11-30T17:30:00+01:00",
            field=field,
        )
    return stamp(parsed)
