"""What each operation of the journal did, in words that continue "you …" or "codex …".

The words hold text from outside; they reach a widget through `panel.safe_text` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from panel.present import ages
from panel.words import routing, signs, wake_operations

Operation = Mapping[str, Any]


def in_words(op: Operation, rev: int) -> str:
    """One operation of line `rev`. One that misses a field it must have says so."""
    words = _WORDS.get(op["op"])
    if words is None:
        return f"did {op['op']}, which this program has no words for"
    try:
        return words(op, rev)
    except (KeyError, TypeError, ValueError, AttributeError):
        return f"wrote {op['op']} without what it must hold"


def all_in_words(ops: Sequence[Operation], rev: int) -> str:
    """All operations of a line as one row: the first two, and how many more there are."""
    said = [in_words(op, rev) for op in ops[:2]]
    rest = len(ops) - len(said)
    return " · ".join(said) + (f" · {rest} more" if rest else "")


def evidence(given: Mapping[str, Any] | None) -> str:
    """What a done task names, told apart: a file, a message, or in so many words none (M7)."""
    if given is None:
        return ""
    if given["kind"] == "file":
        return f"evidence: file {given['path']} ({ages.size(given['bytes'])})"
    if given["kind"] == "message":
        return f"evidence: message #{given['message']}"
    return "evidence: none"


def _project_created(op: Operation, rev: int) -> str:
    return f"created the project {op['name']}"


def _recovered(op: Operation, rev: int) -> str:
    return (
        f"set {ages.size(op['bytes'])} aside that were no line, at offset {op['offset']:,} of"
        f" segment {op['segment']}: quarantine/{op['file']}"
    )


def _segment(op: Operation, rev: int) -> str:
    return f"began segment {op['number']}; the one before has {ages.size(op['size'])}"


def _accepted(op: Operation, rev: int) -> str:
    return (
        f"went on after line {op['rev']:,}: {op['lost_revs']:,} lines and"
        f" {ages.size(op['lost_bytes'])} are no longer part of the journal and lie in"
        f" {op['folder']}: {op['reason']}"
    )


def _project_forked(op: Operation, rev: int) -> str:
    return f"made this copy a project of its own, branched off at line {op['rev']:,}"


def _seat_added(op: Operation, rev: int) -> str:
    labels = _labels(op)
    called = "" if op["name"] == op["seat"] else f", called {op['name']}"
    if op["kind"] == "user":
        return "took the user seat"
    return f"added {signs.seat(op['seat'])}{called}" + (f" ({labels})" if labels else "")


def _seat_changed(op: Operation, rev: int) -> str:
    return f"labelled {signs.seat(op['seat'])}: {_labels(op) or 'no host, no roles'}"


def _seat_hidden(op: Operation, rev: int) -> str:
    return f"hid {signs.seat(op['seat'])}"


def _seat_shown(op: Operation, rev: int) -> str:
    return f"showed {signs.seat(op['seat'])} again"


def _seat_renamed(op: Operation, rev: int) -> str:
    return f"renamed {signs.seat(op['seat'])} to {op['name']}"


def _seat_deactivated(op: Operation, rev: int) -> str:
    return f"deactivated {signs.seat(op['seat'])}: {op['reason']}"


def _seat_restored(op: Operation, rev: int) -> str:
    return f"restored {signs.seat(op['seat'])}"


def _seat_away(op: Operation, rev: int) -> str:
    until = f"{ages.parsed(op['until']).astimezone():%Y-%m-%d %H:%M}"
    return f"marked {signs.seat(op['seat'])} away until {until}: {op['reason']}"


def _seat_back(op: Operation, rev: int) -> str:
    return f"marked {signs.seat(op['seat'])} back"


def _queue_closed(op: Operation, rev: int) -> str:
    closed = f"{signs.count(op['unread_count'], 'message')} closed unread"
    cancelled = f"{signs.count(op['task_count'], 'task')} cancelled"
    return f"closed {signs.seat(op['seat'])}'s queue, {closed}, {cancelled}: {op['reason']}"


def _message_posted(op: Operation, rev: int) -> str:
    to = "all" if op["addressing"] == "all" else signs.seats(tuple(op["to"]), 3)
    answers = "" if op["reply_to"] is None else f", answering #{op['reply_to']}"
    urgent = "urgent " if op["urgency"] == "high" else ""
    title = f": {op['title']}" if op["title"] else ""
    return f"posted {urgent}{op['kind']} #{rev} to {to}{answers}{title}"


def _message_imported(op: Operation, rev: int) -> str:
    origin = op["origin"]
    sender = op["sender"] or origin["sender"]
    to = signs.seats(tuple(op["to"]), 3) or origin["recipient"]
    again = "" if op["first"] is None else f", other bytes where #{op['first']} stood"
    return f"imported #{rev} from {origin['tool']}, {sender} → {to}{again}: {op['title']}"


def _acknowledged(op: Operation, rev: int) -> str:
    if op["first"] == op["through"]:
        return f"acknowledged #{op['through']}"
    count = signs.count(op["count"], "message")
    return f"acknowledged {count}, #{op['first']} to #{op['through']}"


def _task_accepted(op: Operation, rev: int) -> str:
    return f"accepted task #{op['message']}"


def _task_done(op: Operation, rev: int) -> str:
    return f"finished task #{op['message']}, {evidence(op['evidence'])}"


def _task_declined(op: Operation, rev: int) -> str:
    return f"declined task #{op['message']}: {op['reason']}"


def _task_cancelled(op: Operation, rev: int) -> str:
    holders = signs.seats(tuple(op["holders"]), 3)
    return f"cancelled task #{op['message']} of {holders}: {op['reason']}"


def _adapter_registered(op: Operation, rev: int) -> str:
    able = f", capabilities {', '.join(op['capabilities'])}" if op["capabilities"] else ""
    files = f"{signs.count(op['count'], 'file')}, {ages.size(op['bytes'])}"
    return f"registered adapter {op['adapter']} ({files}{able}): {op['fingerprint'][:12]}"


def _adapter_revoked(op: Operation, rev: int) -> str:
    return f"revoked adapter {op['adapter']}: {op['reason']}"


def _consumer_declared(op: Operation, rev: int) -> str:
    return f"declared {op['name']} as what claims for {signs.seat(op['seat'])}"


def _consumer_ended(op: Operation, rev: int) -> str:
    return f"said that {op['name']} claims for {signs.seat(op['seat'])} no longer"


def _suggestion_made(op: Operation, rev: int) -> str:
    offline = "an offline suggestion" if op["offline"] else "a suggestion"
    if op["fallback_used"]:
        said = f"none, {routing.fallback(op['fallback_reason'])}"
    else:
        said = op["candidates"][0]["skill"]
    return f"got {offline} for {op['request']}: {said} (shadow)"


def _choice_recorded(op: Operation, rev: int) -> str:
    said = "no skill" if op["skill"] is None else f"the skill {op['skill']}"
    source = routing.source(op["source"])
    return f"recorded that {op['host']} chose {said} for {op['request']} ({source})"


def _receipt_recorded(op: Operation, rev: int) -> str:
    skill = "" if op["skill"] is None else f" of {op['skill']}"
    if op["state"] == "refused":
        why = routing.refused(op["reason"])
        return f"brought a receipt{skill} for {op['request']}, refused: {why}"
    return f"brought a receipt{skill} for {op['request']}: {routing.level(op['level'])}"


def _hook_noted(op: Operation, rev: int) -> str:
    return f"had a {op['host']} hook that did not record: {routing.note(op['note'])}"


def _skill_root_added(op: Operation, rev: int) -> str:
    return f"added the skill root {op['path']}"


def _skill_root_removed(op: Operation, rev: int) -> str:
    return f"took the skill root {op['path']} away"


def _labels(op: Operation) -> str:
    parts = [f"host {op['host']}"] if op["host"] else []
    if op["roles"]:
        parts.append(f"roles {', '.join(op['roles'])}")
    return ", ".join(parts)


_WORDS: Mapping[str, Callable[[Operation, int], str]] = {
    "project_created": _project_created,
    "recovered": _recovered,
    "segment": _segment,
    "accepted": _accepted,
    "project_forked": _project_forked,
    "seat_added": _seat_added,
    "seat_changed": _seat_changed,
    "seat_hidden": _seat_hidden,
    "seat_shown": _seat_shown,
    "seat_renamed": _seat_renamed,
    "seat_deactivated": _seat_deactivated,
    "seat_restored": _seat_restored,
    "seat_away": _seat_away,
    "seat_back": _seat_back,
    "queue_closed": _queue_closed,
    "message_posted": _message_posted,
    "message_imported": _message_imported,
    "acknowledged": _acknowledged,
    "task_accepted": _task_accepted,
    "task_done": _task_done,
    "task_declined": _task_declined,
    "task_cancelled": _task_cancelled,
    "adapter_registered": _adapter_registered,
    "adapter_revoked": _adapter_revoked,
    "consumer_declared": _consumer_declared,
    "consumer_ended": _consumer_ended,
    "suggestion_made": _suggestion_made,
    "choice_recorded": _choice_recorded,
    "receipt_recorded": _receipt_recorded,
    "hook_noted": _hook_noted,
    **wake_operations.WORDS,
    "skill_root_added": _skill_root_added,
    "skill_root_removed": _skill_root_removed,
}
