"""How the text of a message without a title begins, as lists show it."""

from pathlib import Path

import pytest

from state.index.view import View
from state.messages import listing
from state.messages.commands import Post
from state.messages.filters import Filter
from state.messages.openings import WORDS, begins, with_openings
from tests.state.world import World


def openings(view: View) -> list[str]:
    """Of all messages, the newest first."""
    return [row.opening for row in with_openings(view, listing.page(view, Filter(), 0, 50))]


@pytest.fixture
def asked(world: World) -> int:
    return world.post("user", "codex", kind="question", title="Which?", body="Say which.")


def reply(world: World, asked: int, body: str) -> None:
    world.run(Post(("user",), "", body, "reply", reply_to=asked), "codex")


def test_only_what_has_no_title_says_how_it_begins(world: World, asked: int) -> None:
    reply(world, asked, "  The first,\n\n\tsince it is faster. ")
    with world.look() as view:
        assert openings(view) == ["The first, since it is faster.", ""]


def test_a_long_text_is_cut_and_one_in_a_blob_is_left_alone(world: World, asked: int) -> None:
    reply(world, asked, "word " * 100)
    reply(world, asked, "x" * 100_000)
    with world.look() as view:
        blob, cut, _ = openings(view)
    assert blob == ""
    assert cut == f"{('word ' * 100)[:WORDS]}…"
    assert begins("a" + " " * 1000 + "b") == "a…"


def test_a_line_that_cannot_be_read_has_no_opening(world: World, asked: int) -> None:
    reply(world, asked, "The first.")
    with world.look() as view:
        segment = Path(world.paths.segment(1))
        segment.write_bytes(segment.read_bytes().replace(b"The first.", b"The other."))
        assert openings(view) == ["", ""]
