"""Full-text search over titles and bodies, newest first, as they are found (M10).

Needs no index: bytes of the log are looked through for lines that may hold the text, and what
these say is compared. See `state.messages.folding` for what counts as the same text.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from state import checks
from state.errors import BadInput
from state.index.view import View
from state.journal.line import is_sealed
from state.messages import listing
from state.messages.folding import IN_BLOB, fold, has_capital, needles
from state.messages.listing import Filter
from state.messages.scan import Progress, candidates

__all__ = ["Hit", "Progress", "search"]

AROUND = 40
NO_FILTER = Filter()
MESSAGES = frozenset({"message_posted", "message_imported"})


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that holds the text in its title or body (`where`), and what stands around it.

    The first place counts. In `excerpt`, in normal form C, it is at `start` and `length` long.
    """

    id: int
    where: str
    excerpt: str
    start: int
    length: int


def search(
    view: View,
    query: str,
    wanted: Filter = NO_FILTER,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress | None = None,
) -> Iterator[Hit]:
    """The messages that hold `query`, newest first, each as soon as it is found.

    Case matters if the query has a capital; composed and decomposed letters are the same. Texts of
    lines that don't verify, and of blobs that are missing or changed, are left out. BadInput for
    a query that is empty or no text; Damaged when a part of the log can't be read.
    """
    looked_for = _Query(query)
    return _hits(view, looked_for, wanted, cancelled, progress or Progress())


class _Query:
    def __init__(self, query: str) -> None:
        self.exact = has_capital(checks.text(query, "query"))
        self.folded = fold(query, self.exact)
        if not self.folded.strip():
            raise BadInput("there is nothing to look for", "give a text", field="query")

    def needles(self, blobs: bool) -> tuple[bytes, ...]:
        found = needles(self.folded, self.exact)
        return (*found, IN_BLOB) if found and blobs else found

    def find(self, text: str) -> int:
        """Where a text holds the query, in its folded form; -1 when it doesn't."""
        return fold(text, self.exact).find(self.folded)


class _Texts(NamedTuple):
    number: int
    title: str
    body: str | Mapping[str, Any]


def _hits(
    view: View,
    query: _Query,
    wanted: Filter,
    cancelled: Callable[[], bool],
    progress: Progress,
) -> Iterator[Hit]:
    sought = query.needles(_has_blobs(view))
    lowered = not query.exact
    for raw in candidates(view.paths, view.head, sought, lowered, cancelled, progress):
        if cancelled():
            return
        texts = _texts(raw)
        if texts is None:
            continue
        hit = _hit(view, query, texts)
        if hit is None or not is_sealed(raw):
            continue
        if wanted == NO_FILTER or listing.lets_through(view, wanted, hit.id):
            yield hit


def _has_blobs(view: View) -> bool:
    try:
        return bool(os.listdir(os.path.dirname(view.paths.blob("x"))))
    except OSError:
        return True


def _texts(raw: bytes) -> _Texts | None:
    """The texts of the message that a line posts or imports, None when it does neither."""
    try:
        fields = orjson.loads(raw)
        for op in fields["ops"]:
            if op["op"] in MESSAGES:
                return _Texts(fields["rev"], op["title"], op["body"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        # No line of this journal: what it says doesn't count.
        return None
    return None


def _hit(view: View, query: _Query, texts: _Texts) -> Hit | None:
    at = query.find(texts.title)
    if at >= 0:
        return Hit(texts.number, "title", *_excerpt(texts.title, query, at))
    body = texts.body
    if not isinstance(body, str):
        stored = view.blob(body["sha256"])
        body = "" if stored is None else stored.decode("utf-8", "replace")
    at = query.find(body)
    return Hit(texts.number, "body", *_excerpt(body, query, at)) if at >= 0 else None


def _excerpt(text: str, query: _Query, at: int) -> tuple[str, int, int]:
    """What stands around a place that is given in the folded form: text, start, length."""
    shown = fold(text, True)
    first = _unfolded(shown, query.exact, at)
    last = max(_unfolded(shown, query.exact, at + len(query.folded)), first + 1)
    start, stop = max(first - AROUND, 0), min(last + AROUND, len(shown))
    before = "…" if start else ""
    after = "…" if stop < len(shown) else ""
    return before + shown[start:stop] + after, first - start + len(before), last - first


def _unfolded(shown: str, exact: bool, at: int) -> int:
    """The place in a text that has become the place `at` when it was folded."""
    if exact or len(fold(shown, exact)) == len(shown):
        return at
    made = 0
    for place, character in enumerate(shown):
        if made >= at:
            return place
        made += len(character.casefold())
    return len(shown)
