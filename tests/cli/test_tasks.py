"""Tasks by the command (M7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Shop


def tasks(shop: Shop) -> dict[tuple[int, str], dict[str, Any]]:
    found = shop.agent("task", "list", "--json", seat=None).json["tasks"]
    return {(task["message"], task["holder"]): task for task in found}


@pytest.mark.rule("M7")
def test_the_way_of_a_task(shop: Shop) -> None:
    number = str(shop.post("codex", "hermes", kind="task", title="fix it", seat="user"))
    assert {task["state"] for task in tasks(shop).values()} == {"open"}
    before = shop.log()
    refused = [
        (["done", number, "--no-evidence"], "codex"),
        (["done", number], "codex"),
        (["accept", number], "user"),
        (["cancel", number, "--reason", "x"], "codex"),
        (["cancel", number], "codex"),
        (["decline", "99", "--reason", "x"], "codex"),
        (["decline", "99"], "codex"),
        (["accept", number], "ghost"),
    ]
    for words, seat in refused:
        said = (
            shop.user("task", *words, "--json")
            if seat == "user"
            else shop.agent("task", *words, "--json", seat=seat)
        )
        assert (said.code, said.error["rule"]) == (3, "M7"), words
    for words in (["decline", number], ["accept"], ["accept", "x"], ["accept", number, "x"]):
        assert shop.agent("task", *words).code == 2, words
    assert shop.log() == before
    said = shop.agent("task", "accept", number, "--json")
    assert (said.json["task"], said.json["seat"], said.json["result"]) == (2, "codex", None)
    assert shop.agent("task", "accept", number).code == 3
    assert shop.agent("task", "done", number).code == 2
    assert shop.agent("task", "done", number, "--no-evidence", "--evidence-message", "1").code == 2
    said = shop.agent("task", "done", number, "--no-evidence", "--json")
    assert said.json["result"] == said.json["rev"]
    found = tasks(shop)
    assert found[2, "codex"]["state"] == "done"
    assert found[2, "codex"]["evidence"] == {"kind": "none"}
    assert found[2, "hermes"]["state"] == "open"
    assert shop.agent("task", "decline", number, "--reason", "x").code == 3
    result = shop.user("inbox", "--json").json["messages"][0]
    assert (result["kind"], result["from"], result["reply_to"]) == ("result", "codex", 2)
    assert "evidence: none" in result["body"]
    assert shop.agent("task", "decline", number, "--reason", "no time", seat="hermes").code == 0
    assert tasks(shop)[2, "hermes"]["reason"] == "no time"
    assert shop.user("task", "cancel", number, "--reason", "x").code == 3


@pytest.mark.rule("M7")
def test_a_file_as_evidence_is_hashed_and_watched(shop: Shop) -> None:
    number = str(shop.post("codex", kind="task"))
    shop.agent("task", "accept", number)
    (shop.folder / "docs").mkdir()
    report = shop.folder / "docs" / "a report.md"
    report.write_text("done\n")
    (shop.folder / "link").symlink_to(report)
    before = shop.log()
    for path in (
        "missing",
        "docs",
        "link",
        "/etc/passwd",
        "../shop.txt",
        ".sublation-panel/FORMAT",
    ):
        said = shop.agent("task", "done", number, "--evidence", path)
        assert said.code == 2, path
    assert shop.log() == before
    said = shop.agent("task", "done", number, "--evidence", "a report.md", cwd=report.parent)
    assert said.code == 0, said.err
    evidence = tasks(shop)[2, "codex"]["evidence"]
    assert (evidence["kind"], evidence["path"]) == ("file", "docs/a report.md")
    assert (evidence["bytes"], evidence["now"]) == (5, "unchanged")
    assert "file docs/a report.md" in shop.agent("task", "list").out
    report.write_text("more\n")
    assert tasks(shop)[2, "codex"]["evidence"]["now"] == "changed"
    assert "CHANGED" in shop.agent("message", "show", number).out
    report.unlink()
    assert tasks(shop)[2, "codex"]["evidence"]["now"] == "gone"


@pytest.mark.rule("M7")
def test_a_message_as_evidence_is_ones_own_and_later(shop: Shop) -> None:
    early = shop.post("hermes", seat="codex")
    number = str(shop.post("codex", kind="task"))
    shop.agent("task", "accept", number)
    others = shop.post("codex", seat="hermes")
    before = shop.log()
    for message in (early, others, 99):
        said = shop.agent("task", "done", number, "--evidence-message", str(message), "--json")
        assert (said.code, said.error["rule"]) == (3, "M7")
    assert shop.log() == before
    own = shop.post("hermes", seat="codex")
    assert shop.agent("task", "done", number, "--evidence-message", str(own)).code == 0
    assert tasks(shop)[int(number), "codex"]["evidence"] == {"kind": "message", "message": own}


@pytest.mark.rule("M7")
def test_the_author_cancels_for_one_or_for_all(shop: Shop) -> None:
    number = str(shop.post("codex", "user", kind="task", seat="hermes"))
    assert shop.agent("task", "cancel", number, seat="hermes").code == 2
    said = shop.agent("task", "cancel", number, "--seat", "codex", "--reason", "x", seat="hermes")
    assert said.code == 0
    assert {key[1]: task["state"] for key, task in tasks(shop).items()} == {
        "codex": "cancelled",
        "user": "open",
    }
    assert shop.user("task", "cancel", number, "--reason", "y", "--json").json["rev"] == 4
    assert {task["state"] for task in tasks(shop).values()} == {"cancelled"}
    assert "nobody" not in shop.agent("task", "list").out


@pytest.mark.rule("M4")
def test_a_key_makes_done_safe_to_repeat(shop: Shop) -> None:
    number = str(shop.post("codex", kind="task"))
    shop.agent("task", "accept", number)
    words = ("task", "done", number, "--no-evidence", "--key", "k", "--json")
    first = shop.agent(*words).json
    before = shop.log()
    assert shop.agent(*words).json == first | {"repeated": True}
    assert shop.log() == before
