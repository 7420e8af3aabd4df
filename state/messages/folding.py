"""What counts as the same text when searching, and which bytes a line that holds it must have.

Texts are compared in normal form C and, unless the query has a capital, folded to one case.
The needles are only there to find lines worth decoding: they may be in lines that don't hold the
text, but no line that holds it lacks all of them.
"""

from functools import cache
from itertools import product
from unicodedata import combining, normalize

import orjson

# More ways of writing a piece than this are not worth looking for one by one.
VARIANTS = 8
LONG_ENOUGH = 3
# A body in a file of its own may say anything.
IN_BLOB = b'"body":{"sha256":"'

# Every character outside ASCII that becomes ASCII when folded, and when only normalised.
FOLDED_TO_ASCII = {
    "\u00df": "ss",
    "\u0130": "i\u0307",
    "\u0149": "\u02bcn",
    "\u017f": "s",
    "\u037e": ";",
    "\u1e9a": "a\u02be",
    "\u1e9e": "ss",
    "\u1fef": "`",
    "\u212a": "k",
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
NORMALISED_TO_ASCII = {"\u037e": ";", "\u1fef": "`", "\u212a": "K"}
# Beyond these no character changes when it is folded or normalised.
CHANGING = (range(0x80, 0xD800), range(0xE000, 0x20000), range(0x2F800, 0x2FA20))


def has_capital(query: str) -> bool:
    """Whether a query is to be taken exactly."""
    return any(character.isupper() or character.istitle() for character in query)


def fold(text: str, exact: bool) -> str:
    """The form in which texts are compared."""
    if text.isascii():
        return text if exact else text.lower()
    text = normalize("NFC", text)
    return text if exact else normalize("NFC", text.casefold())


def needles(query: str, exact: bool) -> tuple[bytes, ...]:
    """For a folded query: bytes of which each line that holds it has at least one.

    They stand for the stored bytes, ASCII in lower case unless `exact`. Empty when nothing can be
    said: then each line is worth decoding.
    """
    best: tuple[bytes, ...] = ()
    pieces = _pieces(query)
    for piece in sorted(pieces, key=len, reverse=True):
        if piece.isascii() and len(piece) >= LONG_ENOUGH:
            return _ascii_needles(piece, exact)
    for piece in pieces:
        found = _ascii_needles(piece, exact) if piece.isascii() else _other_needles(piece, exact)
        if found and (not best or len(min(found, key=len)) > len(min(best, key=len))):
            best = found
    return best


def _pieces(query: str) -> list[str]:
    """The longest stretches of a query that are ASCII, or that are not."""
    pieces: list[str] = []
    for character in query:
        if pieces and pieces[-1].isascii() == character.isascii():
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _ascii_needles(piece: str, exact: bool) -> tuple[bytes, ...]:
    """The piece as JSON writes it, and each character that could have become a part of it."""
    written = orjson.dumps(piece)[1:-1]
    sources = NORMALISED_TO_ASCII if exact else FOLDED_TO_ASCII
    strange = [source.encode() for source, made in sources.items() if _overlap(made, piece)]
    return (written if exact else written.lower(), *strange)


def _overlap(made: str, piece: str) -> bool:
    """Whether some place of one text can be laid over the other so that they agree there."""
    for shift in range(1 - len(made), len(piece)):
        start, stop = max(shift, 0), min(shift + len(made), len(piece))
        if made[start - shift : stop - shift] == piece[start:stop]:
            return True
    return False


def _other_needles(piece: str, exact: bool) -> tuple[bytes, ...]:
    """All ways of writing the longest stretch that has few, else those of one character."""
    best: tuple[bytes, ...] = ()
    for start in range(len(piece)):
        ways: list[tuple[str, ...]] = []
        for character in piece[start:]:
            single = _sources(character, exact)
            count = len(single)
            for way in ways:
                count *= len(way)
            if not _is_simple(character, exact) or count > VARIANTS:
                break
            ways.append(single)
        if ways:
            found = tuple("".join(way).encode() for way in product(*ways))
            if not best or len(found[0]) > len(best[0]):
                best = found
    if best:
        return best
    for character in piece:
        if not combining(character):
            parts = _parts(normalize("NFD", character)[1:])
            return tuple(each.encode() for each in (*_sources(character, exact), *parts))
    return ()


def _is_simple(character: str, exact: bool) -> bool:
    """Whether it is always written as one character that stands for it and nothing more."""
    return (
        not combining(character)
        and normalize("NFD", character) == character
        and all(fold(source, exact) == character for source in _sources(character, exact))
    )


@cache
def _sources(character: str, exact: bool) -> tuple[str, ...]:
    """The single characters that a folded character can come from, itself included."""
    found = (source for source, made in _changing(exact) if character in made)
    return (character, *(source for source in found if source != character))


@cache
def _parts(marks: str) -> tuple[str, ...]:
    """The single characters that bring one of these marks along, and no base of their own."""
    wanted = set(marks)
    found = []
    for single in (chr(number) for numbers in CHANGING for number in numbers):
        made = normalize("NFD", single)
        if not wanted.isdisjoint(made) and (made[0] in wanted or combining(made[0])):
            found.append(single)
    return tuple(found)


@cache
def _changing(exact: bool) -> tuple[tuple[str, str], ...]:
    """Every character outside ASCII that is another one, or several, when folded."""
    singles = (chr(number) for numbers in CHANGING for number in numbers)
    return tuple((single, made) for single in singles if (made := fold(single, exact)) != single)
