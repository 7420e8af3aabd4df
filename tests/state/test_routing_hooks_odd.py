"""Whatever stands where a host's fields should: no error, and no text that is no id or name."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from state.routing.evidence import KINDS
from state.routing.hooks.event import KNOWN, read
from state.routing.hooks.seen import HOSTS, Seen, ident, skill
from state.routing.shipped import shipped
from state.routing.transcripts import read as read_transcript

ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
PIECES = {
    via: [
        one
        for host in HOSTS
        for piece in shipped("hook_events")[host]
        if piece["via"] == via
        for one in piece["given"]
    ]
    for via in ("hook", "transcript")
}


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value within a value."""
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    for key, one in inner:
        yield (*way, key)
        yield from places(one, (*way, key))


@st.composite
def spoiled(draw: st.DrawFn, via: str) -> dict[str, Any]:
    """A sound piece with other things in some of its places."""
    piece = json.loads(json.dumps(draw(st.sampled_from(PIECES[via]))))
    for _ in range(draw(st.integers(1, 3))):
        way = draw(st.sampled_from(sorted(places(piece), key=str)))
        within: Any = piece
        for key in way[:-1]:
            within = within[key]
        within[way[-1]] = draw(ODD)
    found: dict[str, Any] = piece
    return found


def holds_no_text(seen: Seen) -> bool:
    ids = (seen.session, seen.agent, seen.tool_use, seen.prompt, seen.uuid)
    return (
        seen.kind in KINDS
        and all(one is None or ident(one) == one for one in ids)
        and (seen.skill is None or skill(seen.skill) == seen.skill)
    )


@given(host=st.sampled_from(HOSTS), event=spoiled("hook"))
def test_an_event_with_odd_fields(host: str, event: dict[str, Any]) -> None:
    found = read(host, json.dumps(event).encode(), "/home/me")
    assert found.event in KNOWN or found.event == ""
    assert found.seen is None or holds_no_text(found.seen)


@given(host=st.sampled_from(HOSTS), raw=st.binary(max_size=200))
def test_bytes_of_any_kind(host: str, raw: bytes) -> None:
    assert read(host, raw, "/home/me").seen is None


@given(lines=st.lists(spoiled("transcript") | st.sampled_from(PIECES["transcript"]), max_size=6))
def test_a_transcript_with_odd_lines(lines: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s1.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        found = read_transcript(str(path), "/home/me")
    assert found.lines == len(lines)
    assert all(holds_no_text(one.seen) for one in found.found)
