"""Help that a person can learn from, and words that promise no more than is known (M11, M13)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from panel.cli.dispatch import COMMANDS, verbs
from panel.cli.main import main
from panel.cli.parser import Verb, each
from tests.cli.conftest import Shop
from tests.support import ROOT

# What nobody can know of a message, an agent or a person.
PROMISES = re.compile(r"\b(delivered|online|running|seen by|has read|was read|read by)\b|read ✓")


def commands() -> Iterator[tuple[tuple[str, ...], Verb]]:
    for group in COMMANDS.values():
        for name in group:
            yield from each((name,), verbs(name))


ALL = list(commands())


@pytest.mark.parametrize(("words", "verb"), ALL, ids=[" ".join(words) for words, _ in ALL])
def test_each_command_explains_itself(
    words: tuple[str, ...], verb: Verb, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in ([*words, "--help"], [*words, "-h"]):
        assert main(line) == 0
        shown = capsys.readouterr()
        assert shown.err == ""
        assert shown.out.startswith(f"usage: sublation-panel {' '.join(words)}")
    text = " ".join(shown.out.split())
    assert verb.about in text
    assert "exit: 0 done" in text
    for name, _ in verb.names:
        assert name in shown.out
    if verb.changes:
        assert "--key" in shown.out
    for option in re.findall(r"--[a-z-]+", verb.words):
        assert shown.out.count(option) >= 2, option
    assert max(len(line) for line in shown.out.splitlines()) <= 100


def test_each_change_takes_a_key() -> None:
    changing = {" ".join(words) for words, verb in ALL if verb.changes}
    assert changing == {
        *("post", "ack", "task accept", "task done", "task decline", "task cancel"),
        *(f"seat {word}" for word in ("add", "set", "hide", "unhide", "rename", "deactivate")),
        *(f"seat {word}" for word in ("restore", "away", "back", "close-queue")),
        *("route suggest", "route choose", "route receipt"),
        "skill roots",
        *("adapter register", "adapter revoke", "consumer declare", "consumer end"),
        *(f"wake {word}" for word in ("arm", "drain", "hold", "resume", "claim", "renew", "end")),
        *("wake receipt", "wake intent retry", "wake intent dismiss"),
        *(f"wake policy {word}" for word in ("set", "enable", "disable")),
    }


def test_the_first_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for group, listed in COMMANDS.items():
        assert f"{group}:\n" in shown
        for name, (_, what) in listed.items():
            said = r"\s+".join(re.escape(word) for word in what.split())
            assert re.search(rf"^  {name} +{said}$", shown, re.M)
    for words in (["help"], ["help", "--help"], ["help", "help"]):
        assert main(words) == 0
        assert capsys.readouterr().out == shown
    assert main(["help", "seat", "add"]) == 0
    assert capsys.readouterr().out.startswith("usage: sublation-panel seat add ")
    for name in ("seat", "task", "message", "journal", "import", "wake"):
        assert main([name, "--help"]) == 0
        found = verbs(name)
        assert not isinstance(found, Verb)
        shown = capsys.readouterr().out
        assert all(re.search(rf"^  {word}\b", shown, re.M) for word in found)


def test_every_sentence_of_the_help_fits_into_80_cells(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    groups = {words[:place] for words, _ in ALL for place in range(len(words))}
    for words in sorted(groups | {words for words, _ in ALL}):
        main([*words, "--help"])
        shown = capsys.readouterr().out.partition("\nexamples:")
        assert [line for line in shown[0].split("\n") if len(line) > 80] == [], words


def test_nothing_of_later_steps_is_offered(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    main(["doctor", "--help"])
    shown = capsys.readouterr().out
    assert not re.search(r"\b(handoff|delivery|candidate)\b", shown)
    assert main(["delivery", "plan"]) == 2


@pytest.mark.rule("M11", "M13")
def test_no_output_promises_what_nobody_knows(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.post("codex", "hermes", kind="task", title="a", body="b")
    shop.post("user", seat="codex", kind="question", title="c")
    said = [
        shop.agent("inbox"),
        shop.agent("ack", "2"),
        shop.agent("task", "accept", "2"),
        shop.agent("task", "done", "2", "--no-evidence"),
        shop.agent("task", "done", "2", "--no-evidence"),
        shop.agent("post", "hermes", "--title", "x"),
        shop.agent("post", "ghost", "--title", "x"),
        shop.user("seat", "hide", "hermes", "--roster", "1"),
        shop.user("seat", "away", "hermes", "--until", "1h", "--reason", "x"),
        shop.user("seat", "deactivate", "hermes", "--reason", "x", "--roster", "1"),
        shop.user("seat", "close-queue", "hermes", "--reason", "x"),
        shop.user("inbox"),
        *(
            shop.agent(*words, *form)
            for words in (
                ["status"],
                ["seat", "list"],
                ["seat", "show", "hermes"],
                ["message", "list"],
                ["message", "show", "2"],
                ["message", "thread", "2"],
                ["task", "list"],
                ["journal", "log"],
                ["journal", "show", "3"],
                ["doctor"],
            )
            for form in ([], ["--json"])
        ),
    ]
    texts = [text for one in said for text in (one.out, one.err)]
    for words, _ in ALL:
        main([*words, "--help"])
        texts.append(capsys.readouterr().out)
    found = [(match[0], text[:80]) for text in texts for match in PROMISES.finditer(text.lower())]
    assert found == []
    # And the program itself posted nothing: each message is by a seat of the roster.
    lines = shop.agent("journal", "log", "--json", "--limit", "1000").json["lines"]
    posted = [line for line in lines for op in line["ops"] if op["op"] == "message_posted"]
    assert {line["seat"] for line in posted} <= {"user", "codex", "hermes"}
    assert all(
        op["sender"] == line["seat"] for line in posted for op in line["ops"] if "sender" in op
    )


def test_the_documentation_names_every_command_and_field(shop: Shop) -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    usage = text.partition("```")[2].partition("```")[0]
    for words, verb in ALL:
        assert re.search(rf"\b{words[-1]}\b", usage), words
        for option in re.findall(r"--[a-z-]+", verb.words):
            assert option in text, (words, option)
    number = shop.post("codex", title="x")
    for asked in (
        ["status"],
        ["inbox"],
        ["seat", "list"],
        ["seat", "show", "codex"],
        ["message", "show", str(number)],
        ["task", "list"],
        ["journal", "log"],
        ["journal", "head"],
        ["journal", "verify"],
        ["journal", "anchor"],
        ["doctor"],
        ["ack", str(number)],
        ["post", "hermes", "--title", "x"],
    ):
        said = shop.agent(*asked, "--json").json
        for one in (said, *(part for part in said.values() if isinstance(part, list))):
            fields = one if isinstance(one, dict) else (one[0] if one else {})
            if isinstance(fields, dict):
                assert [name for name in fields if f"`{name}`" not in text] == [], asked
