"""The journal's commands: lines, chain, anchors, export, unsound projects.

Of the faults: 17, 20, 21, 26, 28, 39, 43.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Shop
from tests.support import Result, environment, program, run_cli


def test_log_and_show_say_what_a_line_did(shop: Shop) -> None:
    number = shop.post("codex", kind="question", title="ready?")
    out = shop.agent("journal", "log", seat=None).out
    assert "you posted question #2" in " ".join(out.split()) or "question #2" in out
    found = shop.agent("journal", "log", "--json").json
    assert [line["rev"] for line in found["lines"]] == [number, 1]
    assert found["more"] is False
    line = shop.agent("journal", "show", str(number), "--json").json
    stored = shop.log().splitlines(keepends=True)[number - 1]
    assert line["hash"] == hashlib.sha256(stored).hexdigest()
    assert (line["size"], line["segment"]) == (len(stored), 1)
    assert line["ops"] == json.loads(stored)["ops"]
    for bad in ("0", "99", "x"):
        assert shop.agent("journal", "show", bad).code == 2


def test_since_goes_forward_and_says_that_there_is_more(shop: Shop) -> None:
    for _ in range(4):
        shop.post("codex")

    def revs(*words: str) -> tuple[list[int], bool]:
        found = shop.agent("journal", "log", *words, "--json").json
        return [line["rev"] for line in found["lines"]], found["more"]

    assert revs("--since", "2") == ([3, 4, 5], False)
    assert revs("--since", "1", "--limit", "2") == ([2, 3], True)
    assert revs("--limit", "2") == ([5, 4], True)
    assert revs("--since", "5") == ([], False)
    assert revs("--since", "99") == ([], False)


@pytest.mark.rule("R10")
def test_what_is_exported_is_the_chain_itself(shop: Shop, tmp_path: Path) -> None:
    shop.post("codex", body="ü\u202e\x1b")
    said = subprocess.run(
        program("--project", shop.folder, "journal", "export"),
        env=environment(),
        capture_output=True,
        check=True,
    )
    assert said.stdout == shop.log()
    before = hashlib.sha256((shop.root / "FORMAT").read_bytes()).hexdigest()
    for raw in said.stdout.splitlines(keepends=True):
        assert json.loads(raw)["prev"] == before
        before = hashlib.sha256(raw).hexdigest()
    assert shop.agent("journal", "head", "--json").json["hash"] == before
    assert shop.user("journal", "export", screen=True).code == 2


def test_an_export_that_is_not_all_of_it_says_so(shop: Shop) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    words = program("--project", shop.folder, "journal", "export")
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(words, env=environment(), stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == 2
    assert b"not all of it" in ran.stderr
    assert b"is done" not in ran.stderr


def test_an_anchor_outside_and_in_git(shop: Shop) -> None:
    shop.post("codex")
    head = shop.agent("journal", "head", "--json").json
    said = shop.agent("journal", "anchor", "--json").json
    assert (said["rev"], said["hash"], said["written"]) == (head["rev"], head["hash"], True)
    assert shop.agent("journal", "anchor", "--git").code == 2
    git = ["git", "-C", str(shop.folder)]
    subprocess.run([*git, "init", "-q"], check=True)
    said = shop.agent("journal", "anchor", "--git", "--json").json
    assert said["ref"] == f"refs/sublation-panel/{head['project']}"

    def kept(commit: str) -> dict[str, object]:
        show = [*git, "cat-file", "blob", f"{commit}:anchor.json"]
        return dict(json.loads(subprocess.run(show, capture_output=True, check=True).stdout))

    assert kept(said["ref"]) == {
        "project": head["project"],
        "rev": head["rev"],
        "hash": head["hash"],
    }
    # The same again adds nothing; a later one follows.
    assert shop.agent("journal", "anchor", "--git", "--json").json["commit"] == said["commit"]
    shop.post("codex")
    later = shop.agent("journal", "anchor", "--git", "--json").json
    log = subprocess.run(
        [*git, "rev-list", later["ref"]], capture_output=True, text=True, check=True
    )
    assert log.stdout.split() == [later["commit"], said["commit"]]
    assert subprocess.run([*git, "status", "--porcelain"], capture_output=True).stdout == b""


def test_git_holds_against_another_history(shop: Shop) -> None:
    subprocess.run(["git", "-C", str(shop.folder), "init", "-q"], check=True)
    backup = shop.folder.parent / "backup"
    shutil.copytree(shop.root, backup)
    shop.post("codex", title="first history")
    assert shop.agent("journal", "anchor", "--git").code == 0
    # The whole folder comes back from a backup, file by file, and goes another way.
    for path in backup.rglob("*"):
        if path.is_file():
            shutil.copyfile(path, shop.root / path.relative_to(backup))
    forget_anchor()
    assert shop.agent("post", "hermes", "--title", "second history").code == 0
    said = shop.agent("journal", "anchor", "--git", "--json")
    assert (said.code, said.error["code"]) == (6, "rolled_back")


def forget_anchor() -> None:
    import os

    shutil.rmtree(Path(os.environ["XDG_STATE_HOME"]))


def readers(shop: Shop) -> dict[str, Result]:
    """Every reading command on a project that is not sound."""
    lines = [
        *("status", "inbox", "seat list", "seat show codex", "message list", "message show 2"),
        *("message thread 2", "message search hello", "task list", "journal log"),
        *("journal show 2", "journal head"),
    ]
    return {line: shop.agent(*line.split(), "--json") for line in lines}


def check_unsound(shop: Shop, code: str) -> None:
    """The last good state with its name, one line on standard error, exit 6; nothing is written."""
    before = shop.everything()
    for line, said in readers(shop).items():
        assert said.code == 6, (line, said)
        assert said.error["code"] == code, line
        assert said.json["state"] == code, line
    said = shop.agent("status")
    assert (said.code, said.err.count("\n")) == (6, 2)
    assert "the project" in said.out
    assert "Nobody needs you" not in said.out
    assert [need["kind"] for need in shop.agent("status", "--json").json["needs"]][:1] == [code]
    assert "hello" in shop.agent("message", "list").out
    for words in (["post", "hermes", "--title", "x"], ["ack", "2"]):
        said = shop.agent(*words, "--json")
        assert (said.code, said.error["code"]) == (6, code)
    said = shop.agent("doctor", "--json")
    assert (said.code, said.json["state"]) == (6, code)
    assert said.json["findings"][0]["code"] == code
    # Who has asked the doctor isn't sent to it.
    assert "`sublation-panel doctor`" not in said.err
    assert set(said.json["findings"][0]) >= {
        *("code", "rev", "segment", "offset", "what", "done", "next"),
    }
    assert shop.everything() == before
    assert not list((shop.root / "cache" / "looked").iterdir())


def test_a_damaged_project_is_still_read(shop: Shop) -> None:
    shop.post("codex")
    shop.post("codex")
    log = next((shop.root / "log").iterdir())
    raw = bytearray(log.read_bytes())
    raw[-60] ^= 1
    log.write_bytes(raw)
    check_unsound(shop, "damaged")
    said = shop.agent("journal", "verify", "--json")
    assert (said.code, said.json["ok"], said.json["lines"]) == (6, False, 2)
    assert said.json["findings"][0]["rev"] == 3


def test_one_damaged_line_is_one_bad_row(shop: Shop) -> None:
    for title in ("one", "two", "three"):
        shop.post("codex", title=title, body="needle")
    log = next((shop.root / "log").iterdir())
    raw = log.read_bytes()
    log.write_bytes(raw.replace(b'"title":"two"', b'"title":"TWO"'))
    for words in (["inbox"], ["message", "list"], ["message", "thread", "3"]):
        said = shop.agent(*words, "--json")
        assert (said.code, said.error["code"]) == (6, "damaged"), words
        bodies = {one["id"]: one["body"] for one in said.json["messages"]}
        assert bodies[3] is None
        if len(bodies) > 1:
            assert bodies == {2: "needle", 3: None, 4: "needle"}
        assert said.json["state"] == "damaged"
        said = shop.agent(*words)
        assert said.code == 6
        assert "three" in said.out or words[1:2] == ["thread"]
    assert "can't be shown: line 3" in shop.agent("inbox").out
    said = shop.agent("journal", "log", "--json")
    assert [line["rev"] for line in said.json["lines"]] == [4, 3, 2, 1]
    assert "line 3" in said.json["lines"][1]["error"]
    assert "can't be shown" in shop.agent("journal", "log").out


def test_a_rolled_back_project_is_still_read(shop: Shop) -> None:
    shop.post("codex")
    shop.post("codex")
    log = next((shop.root / "log").iterdir())
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
    check_unsound(shop, "rolled_back")


def test_a_copy_is_read_and_waits_for_an_answer(shop: Shop, tmp_path: Path) -> None:
    shop.post("codex")
    assert shop.agent("journal", "anchor").code == 0
    copy = tmp_path / "copy"
    shutil.copytree(shop.folder, copy)
    original, shop.folder, shop.root = shop.folder, copy, copy / shop.root.name
    project = run_cli("journal", "head", "--json", project=original).json["project"]
    check_unsound(shop, "moved_or_copied")
    for answer in ("--moved", "--copy"):
        assert shop.agent("doctor", answer).code == 3
        assert shop.agent("doctor", answer, seat="user").code == 3
    assert shop.user("doctor", "--moved", "--copy").code == 2
    said = shop.user("doctor", "--copy", "--json")
    assert (said.code, said.json["parent"]) == (0, project)
    assert said.json["project"] != project
    assert shop.agent("post", "hermes", "--title", "x").code == 0
    assert run_cli("post", "hermes", "--title", "x", project=original, seat="codex").code == 0
    assert shop.agent("status", "--json").json["project"] == said.json["project"]


def test_a_moved_project_goes_on(shop: Shop, tmp_path: Path) -> None:
    shop.post("codex")
    shop.agent("journal", "anchor")
    moved = tmp_path / "moved"
    shutil.copytree(shop.folder, moved)
    shutil.rmtree(shop.folder)
    shop.folder, shop.root = moved, moved / shop.root.name
    assert shop.agent("post", "hermes", "--title", "x").code == 6
    assert shop.user("doctor", "--moved").code == 0
    assert shop.agent("post", "hermes", "--title", "x").code == 0
    assert shop.agent("journal", "verify").code == 0


def test_a_newer_format_is_left_alone(shop: Shop) -> None:
    path = shop.root / "FORMAT"
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":9'))
    before = shop.everything()
    for words in (["status"], ["inbox"], ["post", "hermes", "--title", "x"], ["doctor"]):
        said = shop.agent(*words, "--json")
        assert (said.code, said.error["code"]) == (6, "newer_format")
        assert "a newer program is needed" in said.error["message"]
    assert shop.everything() == before


def test_a_torn_end_is_taken_care_of_by_the_next_change(shop: Shop) -> None:
    with next((shop.root / "log").iterdir()).open("ab") as log:
        log.write(b"hello\n")
    assert shop.agent("status").code == 0
    said = shop.agent("doctor", "--json")
    assert (said.code, [one["code"] for one in said.json["findings"]]) == (0, ["torn"])
    assert shop.agent("post", "hermes", "--title", "x").code == 0
    assert len(list((shop.root / "quarantine").iterdir())) == 1
    assert shop.agent("journal", "verify", "--deep").code == 0
