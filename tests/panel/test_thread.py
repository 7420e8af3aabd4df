"""Threads as trees, and looking for text in all messages (M10)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import pytest

from panel.asks import messages as asks
from panel.widgets.paged_list import PagedList
from state.errors import NotFound
from state.index.view import View
from state.messages import listing
from state.messages.listing import Filter
from state.messages.search import Hit, Progress
from state.messages.threads import Branch, tree
from tests.panel.big import Big
from tests.panel.desk import Desk, opened
from tests.panel.screen import lines
from tests.panel.test_queue import cursor, queue, shown, type_filter, type_line
from tests.state.world import World


def talk(world: World) -> list[int]:
    """A question, two answers, an answer to the first of these, and something else between."""
    question = world.post("user", "codex", "hermes", title="which one?", kind="question")
    first = world.post("codex", "user", title="the first", reply_to=question)
    world.post("gemini", "user", title="something else")
    second = world.post("hermes", "user", title="the second", reply_to=question)
    again = world.post("user", "codex", title="why the first?", reply_to=first)
    return [question, first, again, second]


def everything(big: Big) -> Sequence[int]:
    """The numbers of all messages, newest first."""
    with big.look() as view:
        return [row.id for row in listing.page(view, Filter(), 0, 10_000)]


async def find(desk: Desk, text: str) -> None:
    await type_line(desk, "f", text)
    await desk.press("enter")


@pytest.mark.rule("M10")
def test_a_thread_is_the_same_tree_from_any_of_its_messages(world: World) -> None:
    numbers = talk(world)
    wanted = tuple(map(Branch, numbers, (0, 1, 2, 1)))
    with world.look() as view:
        assert {tree(view, number) for number in numbers} == {wanted}
        assert tree(view, numbers[1] + 1) == (Branch(numbers[1] + 1, 0),)
        with pytest.raises(NotFound):
            tree(view, 1)


@pytest.mark.rule("M10")
def test_a_long_thread_takes_no_deep_stack(world: World) -> None:
    number = world.post("codex", "user", title="0")
    for depth in range(1, 1200):
        sender, to = ("user", "codex") if depth % 2 else ("codex", "user")
        number = world.post(sender, to, title=str(depth), reply_to=number)
    with world.look() as view:
        found = tree(view, number)
    assert [branch.depth for branch in found] == list(range(1200))


@pytest.mark.rule("M10")
async def test_the_whole_thread_is_listed_as_a_tree_and_left_again(world: World) -> None:
    numbers = talk(world)
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees("thread: 4 messages")
        await desk.press("T")
        await desk.sees(f"thread of #{numbers[2]}", "4 messages")
        await desk.until(lambda: shown(desk) == numbers, "before each its question")
        assert f"#{numbers[2]}" in cursor(desk)
        listed = [line.split("│")[0] for line in lines(desk.app)]
        places = [line.index("└") for line in listed if "└" in line]
        assert places == [places[0], places[0] + 2, places[0]]
        world.post("hermes", "user", title="one more", reply_to=numbers[3])
        await desk.sees(f"thread of #{numbers[2]}", "5 messages")
        await desk.sees("└ ↩ one more")
        await desk.press("escape")
        await desk.sees("All messages: 6")
        await desk.until(lambda: f"#{numbers[2]}" in cursor(desk), "where it was left")


async def test_the_pane_shows_what_stands_around_a_message_in_its_thread(world: World) -> None:
    numbers = talk(world)
    async with opened(world) as desk:
        await queue(desk)
        await desk.press("down", "down", "down")
        await desk.until(lambda: f"#{numbers[1]}" in cursor(desk), "the first answer")
        await desk.sees("answers", f"#{numbers[0]}")
        await desk.sees("answered by", f"#{numbers[2]}")
        await desk.sees("? which one?", f"#{numbers[0]}", "you")
        await desk.sees("▸ └ ↩ the first", f"#{numbers[1]}", "codex")
        await desk.sees("  └ ↩ why the first?", f"#{numbers[2]}")


@pytest.mark.rule("M10")
async def test_words_are_found_in_titles_and_texts_newest_first(world: World) -> None:
    old = world.post("codex", "user", title="about the Crawler")
    body = world.post("hermes", "user", title="a note", body="some text\nand a crawler in it")
    world.post("gemini", "user", title="nothing")
    async with opened(world) as desk:
        await queue(desk)
        await find(desk, "crawler")
        await desk.sees("2 found, everything looked through: “crawler”")
        await desk.until(lambda: shown(desk) == [body, old], "the newest first")
        await desk.sees(f"#{body}", "text", "crawler in")
        await desk.sees(f"#{old}", "about the Crawler")
        await desk.press("down")
        await desk.until(lambda: f"#{old}" in cursor(desk), "the second hit")
        await desk.press("escape")
        await desk.sees("All messages: 3")
        await find(desk, "Crawler")
        await desk.until(lambda: shown(desk) == [old], "a capital makes capitals count")
        await find(desk, "no such words")
        await desk.sees("Nothing found.")
        await find(desk, "")
        await desk.sees("type the words to look for")


@pytest.mark.rule("M10")
async def test_a_search_keeps_to_the_filter(world: World) -> None:
    world.post("codex", "user", title="crawler")
    wanted = world.post("hermes", "user", title="crawler")
    async with opened(world) as desk:
        await queue(desk)
        await type_filter(desk, "from:hermes")
        await desk.sees("1 message")
        await find(desk, "crawler")
        await desk.until(lambda: shown(desk) == [wanted], "only what the filter lets through")


async def test_the_newest_hits_need_no_second_question(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [world.post("codex", "user", title=f"crawler {number}") for number in range(30)]
    asked: list[object] = []
    monkeypatch.setattr(asks, "rows", asked.append)
    async with opened(world) as desk:
        await queue(desk)
        await find(desk, "crawler")
        await desk.sees("30 found, everything looked through")
        await desk.until(lambda: shown(desk)[:3] == numbers[:-4:-1], "the newest first")
    assert not asked


async def test_new_messages_leave_the_hits_alone(world: World) -> None:
    first = world.post("codex", "user", title="crawler")
    async with opened(world) as desk:
        await queue(desk)
        await find(desk, "crawler")
        await desk.until(lambda: shown(desk) == [first], "the hit")
        world.post("codex", "user", title="crawler again")
        await desk.sees("3 lines verified")
        assert shown(desk) == [first]
        assert desk.mode.query_one("#hits", PagedList).count == 1


@pytest.mark.rule("M10")
async def test_ten_thousand_messages_are_opened_paged_and_filtered(big: Big) -> None:
    numbers = everything(big)
    async with opened(big) as desk:
        paged = await queue(desk)
        await desk.sees("All messages: 10,000")
        await desk.until(lambda: f"#{numbers[0]}" in cursor(desk), "the newest")
        await desk.press("end")
        await desk.until(lambda: f"#{numbers[-1]} " in cursor(desk), "the oldest")
        await desk.press("pageup", "home")
        await desk.until(lambda: f"#{numbers[0]} " in cursor(desk), "the newest again")
        await desk.press(*["pagedown"] * 30)
        await desk.until(lambda: paged.row is not None, "thirty screens down")
        page = shown(desk)
        at = numbers.index(page[0])
        assert page == list(numbers[at : at + len(page)])
        await type_filter(desk, "from:hermes kind:question")
        with big.look() as view:
            wanted = Filter(sender="hermes", kind="question")
            count = listing.count(view, wanted)
            (last,) = listing.page(view, wanted, count - 1, 1)
        await desk.sees(f"{count:,} messages", "filter from:hermes kind:question")
        await desk.press("end")
        await desk.until(lambda: f"#{last.id} " in cursor(desk), "the first of them")
        await desk.press("escape")
        await desk.sees("All messages: 10,000")
        await type_line(desk, "g", str(numbers[5000]))
        await desk.press("enter")
        await desk.until(lambda: f"#{numbers[5000]} " in cursor(desk), "one in the middle")


@pytest.mark.rule("M10")
async def test_ten_thousand_messages_are_searched(big: Big) -> None:
    number = everything(big)[5000]
    words = str(big.message(number).body)[:80].rsplit(" ", 1)[0]
    async with opened(big) as desk:
        await queue(desk)
        await find(desk, words)
        await desk.sees("1 found, everything looked through")
        await desk.until(lambda: shown(desk) == [number], "the one message")
        await find(desk, "e")
        await desk.sees("10,000 found, looking ended there: “e”")
        hits = desk.mode.query_one("#hits", PagedList)
        await desk.until(lambda: hits.count == 10_000, "all are in the list")
        await desk.press("end")
        await desk.until(lambda: hits.row is not None and hits.position == 9_999, "the last hit")


async def test_leaving_a_search_ends_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    number = world.post("codex", "user", title="crawler")
    ended = threading.Event()

    def endless(
        view: View, query: str, wanted: Filter, is_off: Callable[[], bool], progress: Progress
    ) -> Iterator[Hit]:
        while not is_off():
            progress.share = 0.345
            yield Hit(number, "title", query, 0, len(query))
            time.sleep(0.01)
        ended.set()

    monkeypatch.setattr("panel.parts.finding.search", endless)
    async with opened(world) as desk:
        await queue(desk)
        await find(desk, "crawler")
        await desk.sees("found, 34 % looked through: “crawler”")
        await desk.press("down")
        assert not ended.is_set()
        await desk.press("escape")
        await desk.until(ended.is_set, "nobody looks any more")
        await desk.sees("All messages: 1")
