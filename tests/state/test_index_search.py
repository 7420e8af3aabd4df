"""Searching finds what decoding everything finds: newest first, streaming, and nothing missed."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from threading import Event
from unicodedata import combining, normalize

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.generate import generate
from state.errors import BadInput
from state.importing.commands import ImportMessage
from state.journal.blobs import INLINE_LIMIT
from state.messages import listing, queries
from state.messages.folding import FOLDED_TO_ASCII, NORMALISED_TO_ASCII, fold, has_capital, needles
from state.messages.listing import Filter
from state.messages.operations import Origin
from state.messages.scan import Progress
from state.messages.search import search
from state.project import Project
from tests.state.world import World

MARKS = "\u0300\u0301\u0308\u0323\u0328\u0304\u0307\u030c\u0331\u0342\u0345\u0344\u0340\u0341\u0343"
LETTERS = (
    'abskiIfFlnhjtSKwya<>=;`"\\\n\r\t\x1b\x00/éÉßẞſKİıŉǰẖﬁﬂﬀﬃﬄﬅﬆẚΐΰᾳᾼᾷὐῶιΙσςΣαΩ\u212b\u2126'
    "пПйЙ日本가한ऱक़\u0958\u1100\u1161\u11a8\u037e\u1feféñ🙂ẛứǖʼʾ\u09c7\u09be\uf900\u2028"
)
TEXTS = st.text(st.sampled_from(LETTERS + MARKS), min_size=1, max_size=12)


def plainly(text: str, exact: bool) -> str:
    """What counts as the same, said directly."""
    text = normalize("NFC", text)
    return text if exact else normalize("NFC", text.casefold())


def part_of(chance: random.Random, text: str, exact: bool) -> str:
    """Some of what a text holds, as somebody may type it."""
    whole = plainly(text, exact)
    start = chance.randrange(len(whole))
    some = whole[start : chance.randrange(start, len(whole)) + 1]
    return chance.choice((some, normalize("NFD", some)))


@pytest.mark.rule("M10")
@settings(max_examples=600)
@given(TEXTS, st.booleans(), st.randoms(use_true_random=False))
def test_no_line_that_holds_a_text_lacks_all_its_needles(
    text: str, exact: bool, chance: random.Random
) -> None:
    some = part_of(chance, text, exact)
    if plainly(some, exact) not in plainly(text, exact):
        return
    stored = orjson.dumps(text) if exact else orjson.dumps(text).lower()
    found = needles(fold(some, exact), exact)
    assert not found or any(needle in stored for needle in found)


@pytest.mark.parametrize("exact", [True, False])
def test_every_character_that_becomes_ascii_is_known(exact: bool) -> None:
    found = {}
    for number in range(0x80, sys.maxunicode + 1):
        if not 0xD800 <= number < 0xE000:
            made = plainly(chr(number), exact)
            if any(character.isascii() for character in made):
                found[chr(number)] = made
    assert found == (NORMALISED_TO_ASCII if exact else FOLDED_TO_ASCII)


def test_every_character_is_found_by_itself_however_it_is_written() -> None:
    for number in (*range(0x20, 0x3000), *range(0xA640, 0xABC0), *range(0xF900, 0xFFE0)):
        character = chr(number)
        for exact in (True, False):
            for text in (f"x{character}y", normalize("NFD", f"x{character}y")):
                folded = plainly(character, exact)
                if combining(folded[0]) or folded not in plainly(text, exact):
                    continue
                stored = orjson.dumps(text) if exact else orjson.dumps(text).lower()
                found = needles(folded, exact)
                assert not found or any(needle in stored for needle in found), (hex(number), exact)


@pytest.mark.rule("M10")
@settings(max_examples=25)
@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
def test_search_finds_what_decoding_everything_finds(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[tuple[str, str]],
    chance: random.Random,
) -> None:
    world = World(tmp_path_factory.mktemp("search"), "codex")
    written = {}
    for title, body in texts:
        one_line = "".join(title.split()) or "x"
        written[world.post("user", "codex", title=one_line, body=body)] = (one_line, body)
    some = {
        part_of(chance, chance.choice(texts)[1], chance.choice((True, False))) for _ in range(8)
    }
    with world.look() as view:
        for query in sorted(some):
            if not query.strip():
                continue
            exact = has_capital(query)
            wanted = plainly(query, exact)
            holding = [
                number
                for number, pair in written.items()
                if any(wanted in plainly(text, exact) for text in pair)
            ]
            assert [hit.id for hit in search(view, query)] == holding[::-1], query
    world.close()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("straße", "STRASSE"),
        ("strasse", "große Straße"),
        ("kelvin", "300 \u212aelvin"),
        ("longs", "long\u017f"),
        ("i\u0307stanbul", "\u0130stanbul"),
        ("\u00e9", "e\u0301"),
        ("e\u0301", "caf\u00e9"),
        ("fi", "e\ufb01cient"),
        ('say "x\\y"', 'He: say "x\\y"!'),
        ("one\ntwo", "one\ntwo"),
        ("\x1b[31m", "red \x1b[31m text"),
        ("ΣΊΣΥΦΟΣ".casefold(), "Σίσυφος"),
        ("привет", "ПРИВЕТ"),
        ("日本", "日本語"),
        ("🙂", "fine 🙂"),
        ("한", "\u1112\u1161\u11ab"),
        ("Deploy", "Deploy"),
    ],
)
def test_spellings_that_are_the_same(world: World, query: str, text: str) -> None:
    number = world.post("user", "codex", title="t", body=f"before {text} after")
    world.post("user", "codex", title="t", body="nothing of the kind")
    with world.look() as view:
        (hit,) = search(view, query)
    assert (hit.id, hit.where) == (number, "body")
    shown = hit.excerpt[hit.start : hit.start + hit.length]
    assert plainly(shown, has_capital(query)) == plainly(query, has_capital(query))


def test_a_capital_makes_it_exact(world: World) -> None:
    lower, upper = (world.post("user", "codex", title=title) for title in ("deploy", "Deploy"))
    with world.look() as view:
        assert [hit.id for hit in search(view, "deploy")] == [upper, lower]
        assert [hit.id for hit in search(view, "Deploy")] == [upper]
        assert [hit.where for hit in search(view, "Deploy")] == ["title"]


def test_keys_names_and_hashes_are_no_text(world: World) -> None:
    number = world.post("user", "codex", title="plain", body="words")
    with world.look() as view:
        for query in ("message", "title", "note", "codex", "urgency", "reply_to", "sum", "prev"):
            assert list(search(view, query)) == []
    told = world.post("codex", "user", title="a message", body='"title":"x","reply_to":null')
    with world.look() as view:
        assert [hit.id for hit in search(view, "message")] == [told]
        assert [hit.id for hit in search(view, '"title":"x"')] == [told]
        assert [hit.id for hit in search(view, "reply_to")] == [told]
        assert [hit.id for hit in search(view, "words")] == [number]


def test_long_texts_are_looked_through_and_lost_ones_left_out(world: World) -> None:
    long = "padding " * (INLINE_LIMIT // 8) + "the needle is \u00e4t the end"
    number = world.post("user", "codex", title="long", body=long)
    with world.look() as view:
        (hit,) = search(view, "NEEDLE IS \u00c4T".lower())
        assert (hit.id, hit.where) == (number, "body")
        assert hit.excerpt.startswith("…")
        assert hit.excerpt.endswith("needle is \u00e4t the end")
        for blob in Path(view.paths.blob("x")).parent.iterdir():
            blob.write_bytes(b"another text with a needle is \xc3\xa4t")
        assert list(search(view, "needle")) == []
        assert [hit.id for hit in search(view, "long")] == [number]


def test_imported_messages_are_found(world: World) -> None:
    time = "2026-01-01T00:00:00.000000+00:00"
    origin = Origin("claude-team", "t", "lead", 0, "ann", "lead", time, True, "sum", "0" * 64)
    rev = world.run(ImportMessage("", (), "from elsewhere", "imported words", origin)).rev
    with world.look() as view:
        assert [hit.id for hit in search(view, "imported words")] == [rev]
        assert [hit.where for hit in search(view, "elsewhere")] == ["title"]
        assert list(search(view, "claude-team")) == []


def test_a_line_that_does_not_verify_is_left_out(world: World) -> None:
    first = world.post("user", "codex", title="first secret")
    world.post("user", "codex", title="other secret")
    log = Path(world.paths.segment(1))
    log.write_bytes(log.read_bytes().replace(b"other secret", b"OTHER secret"))
    with world.look() as view:
        assert [hit.id for hit in search(view, "secret")] == [first]


def test_nothing_is_no_query(world: World) -> None:
    with world.look() as view, pytest.raises(BadInput):
        search(view, " ")


@pytest.fixture(scope="module")
def long_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """10,000 messages among three agents and the user."""
    folder = tmp_path_factory.mktemp("long")
    return Project(generate(str(folder), 10_000, seed=3))


@pytest.mark.rule("M10")
def test_ten_thousand_messages_are_searched_newest_first_and_by_filter(
    long_project: Project,
) -> None:
    with long_project.view() as view:
        rows = listing.page(view, Filter(), 0, 10_000)
        assert len(rows) == 10_000
        texts = {}
        for row in rows[:1500]:
            texts[row.id] = (row.title, queries.get(view, row.id, {}).body or "")
        oldest = min(texts)
        for query in ("crawler", "flaky test", "e"):
            wanted = [
                number
                for number, pair in texts.items()
                if any(query in text.casefold() for text in pair)
            ]
            hits = []
            for hit in search(view, query):
                if hit.id < oldest:
                    break
                hits.append(hit.id)
            assert hits == wanted
        some = Filter(seat="codex", kind="question")
        among = {row.id for row in listing.page(view, some, 0, 10_000)}
        everywhere = [hit.id for hit in search(view, "crawler")]
        found = [hit.id for hit in search(view, "crawler", some)]
        assert found == [number for number in everywhere if number in among]
        assert 0 < len(found) < len(everywhere)


def test_hits_come_before_the_end_is_reached_and_a_search_can_be_called_off(
    long_project: Project,
) -> None:
    with long_project.view() as view:
        progress = Progress()
        hits = search(view, "crawler", progress=progress)
        next(hits)
        assert progress.share < 1
        for _ in hits:
            pass
        assert progress.share == 1
        stop = Event()
        found = 0
        for _ in search(view, "crawler", cancelled=stop.is_set):
            found += 1
            stop.set()
        assert found == 1
