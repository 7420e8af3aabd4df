"""`adapter`: registered by the person who saw the files, checked against the disk (W21, W30)."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Shop
from tests.cli.test_completion import complete
from tests.support import Result, run_cli

pytestmark = pytest.mark.rule("W21")


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    folder = tmp_path / "mini"
    (folder / "lib").mkdir(parents=True)
    (folder / "run.py").write_text("x" * 2000)
    (folder / "lib" / "[b]act.py").write_text("act")
    return folder


def register(shop: Shop, *words: str | Path, typed: str = "y\n") -> Result:
    return shop.user("adapter", "register", *words, typed=typed)


def listed(shop: Shop) -> dict[str, dict[str, Any]]:
    said = shop.agent("adapter", "list", "--json", seat=None)
    assert said.code == 0
    return {one["id"]: one for one in said.json["adapters"]}


def test_the_person_sees_what_is_registered_and_says_yes(shop: Shop, mini: Path) -> None:
    lines = [
        f"{sha256((mini / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("lib/[b]act.py", "run.py")
    ]
    fingerprint = sha256("".join(lines).encode()).hexdigest()
    before = shop.log()
    said = register(shop, "mini", mini, "--capability", "claims", typed="n\n")
    assert (said.code, shop.log()) == (3, before)
    for shown in ("adapter mini", "2 files", str(mini), "3 B", "lib/[b]act.py", "2.0 KiB"):
        assert shown in said.terminal
    for shown in (fingerprint, "registering starts nothing", "[y/N]"):
        assert shown in said.terminal
    said = register(shop, "mini", mini, "--capability", "claims", "--json")
    assert said.code == 0
    assert said.json == {
        "rev": 2,
        "adapter": "mini",
        "repeated": False,
        "fingerprint": fingerprint,
    }
    one = listed(shop)["mini"]
    assert (one["fingerprint"], one["on_disk"], one["drifted"]) == (fingerprint, fingerprint, False)
    assert (one["capabilities"], one["registered"], one["revoked"]) == (["claims"], True, None)
    # Again it isn't even asked; with other files the person sees that something stood there.
    said = register(shop, "mini", mini, "--capability", "claims", typed="")
    assert said.code == 3
    assert "already" in said.err
    assert "[y/N]" not in said.terminal
    said = register(shop, "mini", mini / "run.py")
    assert said.code == 0
    assert "mini was registered before, r2, with other files" in said.terminal
    assert "registered adapter mini (1 file" in said.out


@pytest.mark.parametrize("seat", ["codex", "hermes", "user", None])
def test_no_agent_registers_or_revokes(shop: Shop, mini: Path, seat: str | None) -> None:
    before = shop.log()
    for words in (
        ["register", "mini", mini],
        ["register"],
        ["revoke", "mini", "--reason", "x"],
        ["revoke"],
    ):
        said = shop.agent("adapter", *words, "--json", seat=seat, stdin="y\n")
        assert said.code == 3
        if seat in ("codex", "hermes"):
            assert said.error["rule"] == "W21"
    at_a_terminal = shop.user("--as", "codex", "adapter", "register", "mini", mini, typed="y\n")
    assert at_a_terminal.code == 3
    driven = shop.user("adapter", "register", "mini", mini, typed="y\n", env={"CLAUDECODE": "1"})
    assert driven.code != 0
    assert shop.log() == before


def test_a_check_says_which_file_was_touched(shop: Shop, mini: Path) -> None:
    assert shop.agent("adapter", "check").code == 0
    assert register(shop, "mini", mini).code == 0
    assert register(shop, "other", mini / "lib").code == 0
    said = shop.agent("adapter", "check", seat=None)
    assert (said.code, said.err) == (0, "")
    assert said.out == "mini: = as registered\nother: = as registered\n"
    with (mini / "run.py").open("r+b") as file:
        file.write(b"y")
    said = shop.agent("adapter", "check")
    assert said.code == 3
    assert "mini: ≠ drifted" in said.out
    assert "changed  run.py" in said.out
    assert said.err.startswith("sublation-panel: not as registered: mini [W21]\n")
    assert shop.agent("adapter", "check", "other").code == 0
    said = shop.agent("adapter", "check", "mini", "--json")
    assert (said.code, said.error["rule"]) == (3, "W21")
    (one,) = said.json["adapters"]
    assert (one["result"], one["changed"], one["gone"], one["new"]) == (
        "drifted",
        ["run.py"],
        [],
        [],
    )
    assert one["on_disk"] != one["fingerprint"]
    assert listed(shop)["mini"]["drifted"] is True
    (mini / "out").symlink_to("/")
    said = shop.agent("adapter", "check", "mini")
    assert said.code == 3
    assert "leads out" in said.out
    assert (listed(shop)["mini"]["on_disk"], listed(shop)["mini"]["drifted"]) == (None, True)
    assert shop.agent("adapter", "check", "ghost").code == 2


def test_a_registration_is_taken_back(shop: Shop, mini: Path) -> None:
    register(shop, "mini", mini)
    assert shop.user("adapter", "revoke", "mini").code == 2
    assert shop.user("adapter", "revoke", "ghost", "--reason", "x").code == 2
    said = shop.user("adapter", "revoke", "mini", "--reason", "\x1b]0;x\x07 [/b]", "--json")
    assert (said.code, said.json["rev"], said.json["fingerprint"]) == (0, 3, None)
    one = listed(shop)["mini"]
    assert (one["registered"], one["on_disk"], one["drifted"]) == (False, None, None)
    assert one["revoked"]["reason"] == "\x1b]0;x\x07 [/b]"
    for words in (["adapter", "list"], ["adapter", "check", "mini"], ["journal", "log"]):
        said = shop.agent(*words)
        assert "[/b]" in said.out + said.err
        assert "\x1b" not in said.out + said.err
    assert shop.agent("adapter", "check", "mini").code == 3
    assert shop.agent("adapter", "check").out == (
        "no adapter is registered, so there is nothing to check\n"
    )


def test_hostile_names_are_shown_and_stored(shop: Shop, mini: Path) -> None:
    (mini / os.fsdecode(b"\xff\n\x1b[2J")).write_text("x")
    said = register(shop, "mini", mini)
    assert said.code == 0
    assert "\\xff↵" in said.terminal
    assert "\x1b" not in said.terminal.replace("\r\n", "")
    (mini / os.fsdecode(b"\xff\n\x1b[2J")).write_text("y")
    said = shop.agent("adapter", "check")
    assert said.code == 3
    assert "changed  \\xff↵" in said.out
    (changed,) = shop.agent("adapter", "check", "--json").json["adapters"][0]["changed"]
    assert changed == "\\xff\n\x1b[2J"
    (mini / os.fsdecode(b"out\xfe\n")).symlink_to("/")
    said = register(shop, "second", mini)
    assert said.code == 2
    assert len(said.err.splitlines()) == 2


@pytest.mark.parametrize(
    "words",
    [
        ["register"],
        ["register", "mini"],
        ["register", "mini", "missing"],
        ["register", "Mini", "."],
        ["register", "builtin:other"],
        ["register", "builtin:codex", "."],
        ["register", "mini", ".", "--capability", "a\nb"],
        ["check", "a", "b"],
    ],
)
def test_what_cannot_be_is_said_before_anything_is_asked(shop: Shop, words: list[str]) -> None:
    said = shop.user("adapter", *words, typed="y\n", cwd=shop.folder)
    assert said.code == 2
    assert "[y/N]" not in said.terminal
    assert len(said.err.splitlines()) == 2


def test_a_key_repeats_the_answer(shop: Shop, mini: Path) -> None:
    first = register(shop, "mini", mini, "--key", "k", "--json")
    again = register(shop, "mini", mini, "--key", "k", "--json")
    assert (first.json["rev"], again.json["rev"], again.json["repeated"]) == (2, 2, True)


def test_completion_knows_adapters(shop: Shop, mini: Path, tmp_path: Path) -> None:
    register(shop, "mini", mini)
    script = run_cli("completion", "bash").out

    def offered(line: str) -> set[str]:
        return complete(shop, script, f"sublation-panel {line}", tmp_path)

    assert offered("adapter ") >= {"list", "register", "check", "revoke"}
    assert offered("adapter revoke m") == {"mini"}
    assert offered("adapter check m") == {"mini"}
    (shop.folder / "run.py").write_text("")
    assert offered("adapter register mini ru") == {"run.py"}
    assert offered("consumer hold co") == {"codex"}
    assert offered("consumer hold codex --na") == {"--name"}


@pytest.mark.rule("W30")
def test_nothing_beside_the_projects_own_folders_is_written(
    shop: Shop, mini: Path, tmp_path: Path
) -> None:
    """An adapter that would leave a mark if anything ran it is registered, checked, revoked."""
    (mini / "run.py").write_text("import pathlib; pathlib.Path('ran').touch()")
    (mini / "run.sh").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    for script in ("run.py", "run.sh"):
        (mini / script).chmod(0o755)

    def outside() -> dict[str, tuple[int, int]]:
        own = (str(shop.root), os.environ["XDG_STATE_HOME"], os.environ["XDG_CACHE_HOME"])
        found = [*tmp_path.rglob("*"), *Path(os.environ["HOME"]).rglob("*")]
        kept = (path for path in found if not str(path).startswith(own))
        return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_ctime_ns) for path in kept}

    before = outside()
    assert register(shop, "mini", mini).code == 0
    assert shop.agent("adapter", "check").code == 0
    assert shop.agent("consumer", "declare", "codex", "--name", "cron").code == 0
    assert shop.agent("consumer", "end", "codex").code == 0
    assert shop.user("adapter", "revoke", "mini", "--reason", "x").code == 0
    assert outside() == before
