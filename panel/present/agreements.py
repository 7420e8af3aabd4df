"""What arming or resuming agrees to, and what changed since the person looked (W6). Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from textual.content import Content

from panel import neutral, safe_text
from panel.present import events as happened
from panel.present.layout import heading, indented, joined
from panel.words import arming as words
from panel.words import states, wake_policy
from state.wake.arming import Agreement

_HANGING = 4
_GAPS = re.compile(r"(?<=\S) {2,}")


def whole(
    found: Agreement,
    changes: Sequence[Mapping[str, Any]],
    own: Collection[int],
    now: datetime,
    width: int,
    key: str,
) -> Content:
    """Everything that is agreed to, after what changed meanwhile and why it can't be done.

    `key` is the one that agrees.
    """
    parts: list[Content] = []
    if changes:
        parts.append(_wrapped(safe_text.line(words.CHANGED, "$text-warning bold"), width))
        parts += [
            _wrapped(happened.in_words(event, event["rev"] in own, now), width) for event in changes
        ]
        parts.append(heading(words.NOW, width))
    if found.refusal is not None:
        refused = states.with_hint(found.refusal.message, found.refusal.hint)
        parts.append(safe_text.line(words.CANNOT, "$text-warning bold"))
        parts.append(_wrapped(safe_text.line(refused, "$text-warning"), width))
    parts += [_line(text, width) for text in wake_policy.agreed_to(found, now)]
    if found.refusal is None:
        able = words.can_agree(key, resumes=found.resumes)
        parts.append(_wrapped(safe_text.line(able, "bold"), width))
    return joined(parts)


def _line(text: str, width: int) -> Content:
    """One line as the command shows it; where it is too long, what stands in columns moves up."""
    if neutral.cells(neutral.line(text)) <= width:
        return safe_text.line(text)
    inset = len(text) - len(text.lstrip())
    first, *rest = safe_text.line(_GAPS.sub("  ", text.lstrip())).wrap(max(width - _HANGING, 1))
    lines = [indented(first, inset, width)]
    return joined([*lines, *(indented(line, _HANGING, width) for line in rest)])


def _wrapped(content: Content, width: int) -> Content:
    return joined(content.wrap(max(width, 1)))
