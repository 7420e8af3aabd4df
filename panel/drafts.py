"""Messages written and not sent: kept as long as the panel is open, one a reply."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from textual.app import App

from panel.words import compose as words
from panel.words import signs
from state.command import USER
from state.errors import BadInput

if TYPE_CHECKING:
    from state.messages.commands import Post


class Draft(NamedTuple):
    """What stands in the fields. `reply_to` is the message that is answered."""

    to: str = ""
    kind: str = "note"
    title: str = ""
    body: str = ""
    refs: str = ""
    urgent: bool = False
    reply_to: int | None = None


class Drafts:
    """The drafts of one panel, by what they answer; None for what answers nothing."""

    def __init__(self) -> None:
        self._kept: dict[int | None, Draft] = {}

    def get(self, pristine: Draft) -> Draft:
        """What was kept of the same message, else what a fresh start holds."""
        return self._kept.get(pristine.reply_to, pristine)

    def put(self, pristine: Draft, draft: Draft | None) -> None:
        """Keep what is written for the next time, or with None nothing any more."""
        self._kept.pop(pristine.reply_to, None)
        if draft is not None:
            self._kept[pristine.reply_to] = draft

    def __len__(self) -> int:
        return len(self._kept)


_OF: WeakKeyDictionary[App[Any], Drafts] = WeakKeyDictionary()


def of(app: App[Any]) -> Drafts:
    """The drafts of this panel."""
    return _OF.setdefault(app, Drafts())


def command(draft: Draft) -> Post:
    """The command that the fields make. BadInput with the field's name."""
    from state.messages.commands import Post

    try:
        refs = tuple(shlex.split(draft.refs))
    except ValueError as error:
        raise BadInput(words.QUOTES, field="refs") from error
    return Post(
        to=recipients(draft.to),
        title=draft.title,
        body=draft.body,
        kind=draft.kind,
        reply_to=draft.reply_to,
        refs=refs,
        urgent=draft.urgent,
    )


def recipients(text: str) -> tuple[str, ...]:
    """The seats that are named, each once; the user seat may be called by what is shown."""
    named = text.replace(",", " ").split()
    return tuple(dict.fromkeys(USER if seat == signs.USER_SHOWN else seat for seat in named))


def last_word(text: str) -> tuple[str, str]:
    """What stands before the last word, and that word."""
    at = max(text.rfind(" "), text.rfind(",")) + 1
    return text[:at], text[at:]
