"""What comes from outside may be this and nothing else: each check gives the value, or BadInput.

Types are checked as well as values: a caller may hand over what a file or an agent made up.
"""

import re
import unicodedata
from datetime import datetime

import orjson

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
REFS_BYTES = 16 * 1024
GIVEN_LIMIT = 200
MAX_INTEGER = 2**53 - 1

LINE_ENDS = frozenset("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
# Unicode categories: control, format (bidi overrides, zero-width), surrogate, line and paragraph
# separators. A name that holds one could look like another.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Joiners are part of ordinary names and emoji; all other format characters are refused.
_JOINERS = "\u200c\u200d"
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]"
    r"(?::[0-5][0-9](?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)


def text(value: object, field: str) -> str:
    """Text that can be stored as UTF-8: a string without a lone surrogate."""
    if not isinstance(value, str):
        raise BadInput(f"{field} must be text, not {_kind(value)}", "give a text", field=field)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadInput(
            f"{field} is not valid Unicode at position {error.start}",
            "give UTF-8 text",
            field=field,
        ) from error
    return value


def flag(value: object, field: str) -> bool:
    """True or false, and nothing that merely counts as such."""
    if not isinstance(value, bool):
        raise BadInput(f"{field} must be true or false, not {_kind(value)}", field=field)
    return value


def texts(value: object, field: str) -> tuple[str, ...]:
    """Several texts. A single text is no list of its characters."""
    if not isinstance(value, list | tuple):
        raise BadInput(f"{field} must be a list of texts, not {_kind(value)}", field=field)
    return tuple(text(one, field) for one in value)


def named(value: object, field: str) -> str:
    """The id of something that may or may not exist: a text of at most 200 characters."""
    name = text(value, field)
    if len(name) > GIVEN_LIMIT:
        raise BadInput(
            f"{field} has {len(name):,} characters; no id is longer than {GIVEN_LIMIT}",
            "name what there is",
            field=field,
        )
    return name


def seat_id(value: object) -> str:
    """An id that a new seat may have (R2)."""
    name = named(value, "seat")
    if not SEAT_ID.fullmatch(name):
        raise BadInput(
            f"{name!r} can't be a seat id",
            "use a-z, 0-9, '.', '_' and '-', at most 63, starting with a letter or digit",
            field="seat",
        )
    if name in RESERVED:
        raise BadInput(f"the id {name!r} is reserved", "choose another id", field="seat")
    return name


def display_name(value: object, field: str = "name", limit: int = NAME_LIMIT) -> str:
    """Printable Unicode up to 80 characters, no control and no bidi-override characters (R2)."""
    name = text(value, field)
    if len(name) > limit:
        raise BadInput(
            f"{field} has {len(name):,} characters; the limit is {limit}",
            "give a shorter one",
            field=field,
        )
    for place, character in enumerate(name):
        if unicodedata.category(character) in _INVISIBLE and character not in _JOINERS:
            raise BadInput(
                f"{field} holds U+{ord(character):04X} at position {place}",
                "leave out control, bidi-override and other invisible characters",
                field=field,
            )
    if not any(unicodedata.category(character)[0] not in "ZCM" for character in name):
        raise BadInput(f"{field} needs a character that can be seen", "give one", field=field)
    return name


def label(value: object, field: str) -> str:
    """A host: like a display name, at most 40 characters, or empty."""
    return display_name(value, field, LABEL_LIMIT) if value != "" else ""


def roles(value: object) -> tuple[str, ...]:
    """At most 16 roles, each like a display name of at most 40 characters, each once."""
    given = texts(value, "roles")
    if len(given) > ROLES_LIMIT:
        raise BadInput(f"at most {ROLES_LIMIT} roles, not {len(given)}", field="roles")
    return tuple(dict.fromkeys(display_name(role, "roles", LABEL_LIMIT) for role in given))


def title(value: object) -> str:
    """One line, at most 200 characters; may be empty here (M1)."""
    line = text(value, "title")
    if len(line) > TITLE_LIMIT:
        raise BadInput(
            f"the title has {len(line):,} characters; the limit is {TITLE_LIMIT}",
            "put the rest into the body",
            field="title",
        )
    if not LINE_ENDS.isdisjoint(line):
        raise BadInput("a title is one line", "put the rest into the body", field="title")
    return line


def body(value: object) -> str:
    """Any text up to 1 MiB of UTF-8 (M1)."""
    given = text(value, "body")
    size = len(given.encode())
    if size > BODY_LIMIT:
        raise BadInput(
            f"the body has {size:,} bytes; the limit is {BODY_LIMIT:,}",
            "write it to a file of the project and name that with --ref",
            field="body",
        )
    return given


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


def refs(value: object) -> tuple[str, ...]:
    """At most 20 paths or URLs of at most 1,000 characters, together 16 KiB in a line."""
    given = texts(value, "refs")
    if len(given) > REFS_LIMIT:
        raise BadInput(f"at most {REFS_LIMIT} references, not {len(given)}", field="refs")
    for ref in given:
        if not 0 < len(ref) <= REF_LIMIT:
            raise BadInput(
                f"a reference needs 1 to {REF_LIMIT:,} characters, not {len(ref):,}", field="refs"
            )
    size = len(orjson.dumps(given))
    if size > REFS_BYTES:
        raise BadInput(
            f"the references have {size:,} bytes; the limit is {REFS_BYTES:,}",
            "name fewer, or name them in the body",
            field="refs",
        )
    return given


def reason(value: object) -> str:
    """Why something was done: 1 to 1,000 characters."""
    why = text(value, "reason")
    if not why.strip():
        raise BadInput("a reason is needed", "say why with --reason TEXT", field="reason")
    if len(why) > REASON_LIMIT:
        raise BadInput(
            f"the reason has {len(why):,} characters; the limit is {REASON_LIMIT:,}",
            "say it in fewer words",
            field="reason",
        )
    return why


def revision(value: object, field: str) -> int:
    """A number of a line, message or roster: 0 to 2^53-1, and no truth value."""
    if type(value) is not int or not 0 <= value <= MAX_INTEGER:
        raise BadInput(
            f"{field} must be a whole number from 0 to 2^53-1", "give its number", field=field
        )
    return value


def moment(value: object, field: str) -> str:
    """A time with its zone as it is stored: UTC, six digits of a second.

    Refused are naive times, numbers, second 60, more than six digits, and what is no date.
    """
    given = text(value, field)
    if _MOMENT.fullmatch(given):
        try:
            return stamp(datetime.fromisoformat(given))
        except (ValueError, OverflowError):
            pass
    raise BadInput(
        f"{given[:GIVEN_LIMIT]!r} is not a time with a zone",
        "give it like 2026-11-30T17:30:00+01:00",
        field=field,
    )


def _kind(value: object) -> str:
    return type(value).__name__
