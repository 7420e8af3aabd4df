"""Which project is meant, and odd names of folders (fault 40)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Shop
from tests.support import run_cli

ODD = [
    b"a b",
    b'it\'s "quoted" $HOME `x`',
    b"two\nlines",
    b"caf\xe9",
    "日本語".encode(),
    b"-x",
    b"%s?#&",
    b"\x1b[2J",
]


def test_option_then_environment_then_upward(shop: Shop, tmp_path: Path) -> None:
    deep = shop.folder / "src" / "deep"
    deep.mkdir(parents=True)
    other = tmp_path / "other"
    other.mkdir()
    made = run_cli("init", "--name", "other", cwd=other)
    assert made.code == 0

    def name(*words: str, cwd: Path = deep, **env: str) -> str:
        said = run_cli("status", "--json", *words, cwd=cwd, env=env)
        return str(said.json["name"]) if said.code == 0 else str(said.error["code"])

    assert name() == "shop"
    assert name(SUBLATION_PROJECT=str(other)) == "other"
    assert name("--project", str(shop.folder), SUBLATION_PROJECT=str(other)) == "shop"
    assert name("--project", "../..") == "shop"
    # A folder that is named is meant exactly.
    assert name("--project", str(deep)) == "no_project"
    assert name(SUBLATION_PROJECT="", cwd=other) == "other"


@pytest.mark.parametrize("odd", ODD, ids=[repr(name) for name in ODD])
def test_odd_names_of_folders_are_one_project(tmp_path: Path, odd: bytes) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + odd))
    folder.mkdir()
    made = run_cli("init", "--seat", "codex", "--json", cwd=folder)
    assert made.code == 0, made.err
    assert made.json["name"]
    assert run_cli("post", "user", "--title", "x", cwd=folder, seat="codex").code == 0
    (tmp_path / "link").symlink_to(folder)
    for place in (folder, tmp_path / "link"):
        said = run_cli("status", "--json", project=place, cwd=tmp_path)
        assert said.json["rev"] == 2
    said = run_cli("post", "user", "--title", "x", cwd=tmp_path / "link", seat="codex")
    assert said.code == 0
    assert run_cli("journal", "verify", "--json", cwd=folder).json["lines"] == 3
    shown = run_cli("init", cwd=folder)
    assert shown.code == 3
    assert "\x1b" not in shown.err
    assert shown.err.count("\n") <= 2


def test_a_folder_that_others_may_write_is_refused_with_what_mends_it(shop: Shop) -> None:
    shop.root.chmod(0o770)
    for words in (["status"], ["post", "hermes", "--title", "x"]):
        said = shop.agent(*words, "--json")
        assert (said.code, said.error["code"]) == (3, "refused")
        assert "chmod" in said.error["hint"]
    shop.root.chmod(0o700)
    assert shop.agent("status").code == 0
