"""A message as a whole: what was written, who did what with it, the thread around it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from textual.content import Content

from panel import safe_text
from panel.asks.opened import Opened
from panel.present import ages
from panel.present import messages as rows
from panel.present.facts import FEW, facts, numbers_of
from panel.present.layout import MUTED, heading, joined, labelled
from panel.present.readable import readable
from panel.words import messages as words
from panel.words import signs
from state.messages.listing import MessageRow
from state.messages.queries import Message

# So many recipients are named at the head of a message.
_NAMED = 6


def whole(opened: Opened, now: datetime, width: int, thread_key: str) -> Content:
    """Everything about a message for a pane of this width."""
    who = [heading(words.WHO, width), facts(opened, now, width)]
    said = [text(opened.message, width)]
    # Of many recipients the facts are long: then what was written comes first.
    parts = [head(opened, now, width)]
    parts += [*who, *said] if len(opened.message.recipients) <= FEW else [*said, *who]
    if opened.thread_size > 1:
        parts.append(thread(opened, now, width, thread_key))
    return joined(parts)


def head(opened: Opened, now: datetime, width: int) -> Content:
    """Number, kind, title, and the lines of what was written when by whom to whom."""
    message = opened.message
    sign = signs.kind(message.kind)
    named = [(f"#{message.id}", "bold"), (str(sign), sign.style)]
    if message.urgent:
        named.append((str(signs.URGENT), signs.URGENT.style))
    lines = [safe_text.row(named, "  ")]
    if message.title:
        lines += safe_text.line(message.title, "bold").wrap(max(width, 1))
    lines += [labelled(name, safe_text.line(said), width) for name, said in _head(opened, now)]
    return joined(lines)


def _head(opened: Opened, now: datetime) -> list[tuple[str, str]]:
    message = opened.message
    # Every one of them stands below, with what is known of it.
    to = signs.seats(message.to, None if message.origin else _NAMED)
    found = [
        (words.FROM, signs.seat(message.sender)),
        (words.TO, words.to_all(to) if message.addressing == "all" else to),
        (words.WRITTEN, f"r{message.id}, {ages.when(message.written_at, now)}"),
    ]
    if message.reply_to is not None:
        found.append((words.ANSWERS, f"#{message.reply_to}"))
    if opened.answers:
        found.append((words.ANSWERED_BY, numbers_of(opened.answers)))
    found += [(words.REFERENCE, ref) for ref in message.refs]
    if message.origin is None:
        found.append((words.HOPS, str(message.hops)))
    else:
        found += _origin(message.origin, now)
    return found


def _origin(origin: Mapping[str, Any], now: datetime) -> list[tuple[str, str]]:
    stood = words.came_from(origin["tool"], origin["team"], origin["inbox"], origin["position"])
    found = [
        (words.IMPORTED, stood),
        (words.THERE, f"{origin['sender']} → {origin['recipient']}"),
        (words.DATED_THERE, ages.when(origin["time"], now)),
        (words.CLAIM, words.claims(origin["read"])),
    ]
    if origin["summary"]:
        found.append((words.SUMMARY, origin["summary"]))
    if origin["first"] is not None:
        found.append((words.BEFORE, words.other_bytes(origin["first"])))
    return found


def text(message: Message, width: int) -> Content:
    """The text under a line that says how long it is; one that is missing says so."""
    if message.body is None:
        missing = safe_text.line(words.MISSING_TEXT, "$text-error")
        return joined([heading(words.TEXT, width), missing])
    if not message.body:
        return joined([heading(words.TEXT, width), safe_text.line(words.EMPTY_TEXT, MUTED)])
    size = ages.size(len(message.body.encode("utf-8", "surrogatepass")))
    said = words.text_of(message.body.count("\n") + 1, size)
    return joined([heading(said, width), safe_text.block(readable(message.body))])


def thread(opened: Opened, now: datetime, width: int, key: str) -> Content:
    """The messages around this one, set in by who answers whom; this one is marked."""
    lines = [heading(words.whole_thread(opened.thread_size), width)]
    least = min(depth for _, depth in opened.thread)
    for shown, depth in opened.thread:
        here = shown.id == opened.message.id
        lines.append(safe_text.fit_content(_branch(shown, depth - least, here, now), width))
    left_out = opened.thread_size - len(opened.thread)
    if left_out:
        lines.append(safe_text.line(words.more_in_thread(left_out, key), MUTED))
    return joined(lines)


def _branch(shown: MessageRow, depth: int, here: bool, now: datetime) -> Content:
    style = "bold" if here else ""
    return safe_text.row(
        [
            ("▸" if here else " ", style),
            rows.title(shown, depth),
            (f"#{shown.id}", MUTED),
            (signs.seat(shown.sender), style),
            (ages.age(shown.at, now), MUTED),
        ]
    )
