"""`hook check`: what replayed events of a host prove, and what the host can't prove at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from panel.cli import output
from panel.cli.call import Call
from panel.neutral import plain
from panel.words import hook_check as words
from panel.words import routing
from state.routing.hook_check import HookCheck, Piece, of_folder, of_shipped


def run(call: Call, host: str) -> int:
    """Replays and answers; ends with 3 when a shipped event proves what it is not to."""
    home = os.path.expanduser("~")
    folder = call.given(1, "DIR") if len(call.args.given) > 1 else None
    found = of_shipped(host, home) if folder is None else of_folder(host, folder, home)
    code = call.answer(_shape(found), lambda: _lines(found))
    if found.is_sound:
        return code
    from panel.cli import errors
    from state.errors import Refused

    told = Refused("S2", "an event proves something else than it is to", "please report it")
    errors.say(told, as_json=call.json)
    return told.exit


def _shape(found: HookCheck) -> dict[str, Any]:
    return {
        "host": found.host,
        "folder": found.folder,
        "seen_on": words.FROM[found.host],
        "files": found.files,
        "events": found.events,
        "lines": found.lines,
        "unreadable": found.unreadable,
        "notes": found.notes,
        "versions": found.versions,
        "pieces": [_piece(piece) for piece in found.pieces],
        "can": words.CAN[found.host],
        "cannot": words.CANNOT[found.host],
        "ok": found.is_sound,
    }


def _piece(piece: Piece) -> dict[str, Any]:
    return {
        "what": piece.what,
        "via": piece.via,
        "kind": piece.kind,
        "skill": piece.skill,
        "count": piece.count,
        "chosen_by": piece.fills.chosen_by,
        "level": piece.fills.level,
        "as_expected": piece.as_expected,
    }


def _lines(found: HookCheck) -> Iterator[str]:
    yield output.heading(f"{found.host}: {words.FROM[found.host]}")
    if found.folder is None:
        yield f"replayed: {found.events} events and {found.lines} lines, {words.MADE}"
    else:
        counted = f"{found.events:,} events and {found.lines:,} lines of transcripts"
        yield plain(f"replayed: {counted} in {found.files:,} files of {found.folder}")
        named = ", ".join(found.versions) or "none"
        yield plain(f"versions of the host that they name: {named}")
        if found.unreadable:
            yield f"could not be read: {found.unreadable:,}"
        for note, count in found.notes.items():
            yield f"{count:,} events: {routing.note(note)}"
    yield ""
    heads = ("by", "evidence", "times", "layer 3", "layer 4", "")
    yield from output.table(heads, map(_row, found.pieces), right=(2,), keep=(0, 3, 4))
    yield ""
    yield output.heading("this host can prove")
    yield from (f"  {line}" for line in words.CAN[found.host])
    yield output.heading("it can't prove")
    yield from (f"  {line}" for line in words.CANNOT[found.host])


def _row(piece: Piece) -> tuple[str, ...]:
    what = piece.what or (piece.kind or words.NO_PIECE).replace("_", " ")
    return (
        piece.via,
        what,
        f"{piece.count:,}",
        words.layer_3(piece.fills),
        words.layer_4(piece.fills),
        "not as expected" if piece.as_expected is False else "",
    )
