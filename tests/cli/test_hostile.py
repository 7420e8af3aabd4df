"""No string from outside reaches the terminal as anything but visible text (M9)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from panel.cli.main import main
from state.messages.commands import Post
from state.roster.commands import AddSeat, MarkAway
from tests.cli.conftest import Shop
from tests.panel import hostile

# What the program itself writes: bold, faint, and the end of both.
OWN = re.compile(r"\x1b\[[012]m")
BODIES = [text for text in hostile.bodies().values() if len(text) < 20_000]


def is_harmless(shown: str) -> bool:
    """Whether a terminal finds nothing in it but text and the program's own colours."""
    return hostile.unseen(OWN.sub("", shown).replace("\r\n", "\n"), "\n") == set()


@pytest.fixture
def evil(shop: Shop) -> Shop:
    """A project in which everything that can be hostile is."""
    for place, (name, text) in enumerate(hostile.names().items()):
        label = text.strip()[:40].strip()
        roles = (label,) if label and name != "long" else ()
        shop.run(AddSeat(f"seat-{place}", place + 1, text, label, roles))
    reason = "".join(BODIES)[:900]
    shop.run(MarkAway("hermes", "2999-01-01T00:00:00Z", reason))
    for title in hostile.titles().values():
        shop.run(Post(("codex", "user"), title, kind="question"), "hermes")
    for body in BODIES:
        shop.run(Post(("codex",), "a body", body, refs=(body[:200] or "x",)))
    return shop


@pytest.mark.rule("M9")
def test_nothing_hostile_reaches_the_terminal(evil: Shop) -> None:
    last = evil.agent("journal", "head", "--json").json["rev"]
    for words in (
        ["inbox", "--limit", "1000", "--as", "codex"],
        ["status"],
        ["seat", "list"],
        ["seat", "show", "hermes"],
        ["message", "list", "--limit", "1000"],
        ["message", "show", str(last)],
        ["message", "search", "a body", "--limit", "1000"],
        ["journal", "log", "--limit", "1000"],
        ["journal", "show", str(last)],
        ["doctor"],
    ):
        said = evil.user(*words, screen=True)
        assert said.code == 0, (words, said.out[-500:])
        assert is_harmless(said.out), words
        said = evil.user(*words, "--json", screen=True)
        assert is_harmless(said.out), words
        json.loads(said.out)


@pytest.mark.rule("M9")
def test_the_stored_bytes_stay_what_they_were(evil: Shop) -> None:
    found = evil.agent("inbox", "--json", "--limit", "1000").json["messages"]
    titles = list(hostile.titles().values())
    assert [message["title"] for message in found[: len(titles)]] == titles
    assert [message["body"] for message in found[len(titles) :]] == BODIES


def words_of(text: str) -> Iterator[list[str]]:
    yield [text]
    yield ["seat", text]
    yield ["seat", "show", "--", text]
    yield ["--as", text, "inbox"]
    yield ["post", text, "--title", "x", "--as", "codex"]
    yield ["post", "hermes", "--as", "codex", f"--title={text}\n"]
    yield ["post", "hermes", "--as", "codex", "--title", "x", f"--kind={text}!"]
    yield ["post", "hermes", "--as", "codex", "--title", "x", f"--body-file={text}!"]
    yield ["post", "hermes", "--as", "codex", "--title", "x", f"--key={text}" + "x" * 201]
    yield ["task", "done", "2", "--as", "codex", f"--evidence={text}!"]
    yield ["message", "list", f"--since={text}"]
    yield ["message", "show", "--", text]
    yield ["inbox", f"--limit={text}"]
    yield ["status", f"--project={text}!"]
    yield ["import", "claude-team", "--", text]
    yield ["completion", "--", text]


@pytest.mark.rule("M9")
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_errors_say_hostile_arguments_harmlessly(
    shop: Shop,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    form: list[str],
) -> None:
    monkeypatch.chdir(shop.folder)
    monkeypatch.setattr("os.isatty", lambda _: False)
    before = shop.log()
    # What can be an argument at all: no NUL, and of surrogates only those that stand for a byte.
    texts = [text for text in hostile.STRINGS.values() if len(text) < 1000]
    texts = [text for text in texts if not {"\0", "\ud800"} & set(text)]
    for text in texts:
        for words in words_of(text):
            code = main([*form, *words])
            said = capsys.readouterr()
            assert code in (2, 3, 8), words
            assert said.out == ""
            assert is_harmless(said.err), words
            assert said.err.count("\n") <= 2
            if form:
                assert json.loads(said.err)["error"]["message"]
    assert shop.log() == before


def test_a_lone_surrogate_in_an_argument_is_refused_by_its_offset(shop: Shop) -> None:
    odd = b"caf\xe9".decode("utf-8", "surrogateescape")
    for words in (
        ["post", "hermes", "--title", "x", "--ref", odd],
        ["post", odd, "--title", "x"],
        ["task", "decline", "2", "--reason", odd],
        ["message", "search", odd],
        ["route", "show", odd],
        ["adapter", "check", odd],
        ["wake", "claim", "--fingerprint", "f", "--adapter", odd],
    ):
        said = shop.agent(*words, "--json")
        assert said.code in (2, 3)
        assert said.error["message"]


def test_lines_are_cut_where_the_terminal_ends(shop: Shop) -> None:
    shop.post("codex", title="日本語 " * 40)
    said = shop.user("message", "list", screen=True)
    shown = OWN.sub("", said.out).replace("\r\n", "\n")
    from panel.neutral import cells

    assert max(cells(line) for line in shown.split("\n")) <= 80
    assert "…" in shown
    # Where no terminal is, nothing is cut, and nothing is coloured.
    said = shop.agent("message", "list")
    assert ("日本語 " * 40).strip() in said.out
    assert "\x1b" not in said.out


def test_colour_is_left_out_where_it_is_not_wanted(shop: Shop) -> None:
    assert "\x1b[" in shop.user("status", screen=True).out
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in shop.user("status", screen=True, env=env).out
