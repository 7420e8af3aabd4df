"""Completion scripts are made from the parsers, and ask the project for its seats."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shop
from tests.support import environment, run_cli


@pytest.fixture(scope="module")
def script() -> str:
    said = run_cli("completion", "bash")
    assert (said.code, said.err) == (0, "")
    return said.out


def complete(shop: Shop, script: str, line: str, tmp_path: Path) -> set[str]:
    """What bash offers at the end of a line."""
    command = tmp_path / "bin" / "sublation-panel"
    if not command.exists():
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m panel "$@"\n')
        command.chmod(0o700)
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    ask = (
        f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
        "_sublation_panel; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    env = environment({"PATH": f"{command.parent}:/usr/bin:/bin"})
    ran = subprocess.run(
        ["bash", "-c", ask], cwd=shop.folder, env=env, capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    return set(ran.stdout.split("\n")) - {""}


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_offers_words_options_and_seats(shop: Shop, script: str, tmp_path: Path) -> None:
    def offered(line: str) -> set[str]:
        return complete(shop, script, f"sublation-panel {line}", tmp_path)

    assert {"init", "seat", "post", "--project"} <= offered("")
    assert offered("se") == {"seat"}
    assert {"list", "add", "close-queue"} <= offered("seat ")
    assert offered("--project x seat clo") == {"close-queue"}
    assert {"codex", "hermes", "user", "--roster"} <= offered("seat hide ")
    assert offered("seat hide co") == {"codex"}
    assert offered("post --title x --ki") == {"--kind"}
    assert offered("post codex --kind ta") == {"task"}
    assert offered("post --title ") == set()
    assert offered("--as he") == {"hermes"}
    assert offered("completion z") == {"zsh"}
    assert {"all", "codex", "--title"} <= offered("post ")
    (shop.folder / "notes.md").write_text("")
    (shop.folder / "nots of a day.md").write_text("")
    assert offered("post codex --body-file not") == {"notes.md", "nots of a day.md"}
    (shop.folder / "a folder").mkdir()
    assert offered("--project a") == {"a folder"}


def test_each_shell_gets_every_command_and_option(script: str) -> None:
    from tests.cli.test_words import ALL

    zsh, fish = run_cli("completion", "zsh").out, run_cli("completion", "fish").out
    assert "bashcompinit" in zsh
    for words, verb in ALL:
        at = " ".join(words)
        assert f"'{at}')" in script
        assert f"'{at}')" in zsh
        assert f"_at {''.join(words)}'" in fish
        if verb.changes:
            assert f"_at {''.join(words)}' -l key -x" in fish


def test_seats_are_asked_quietly(shop: Shop, tmp_path: Path) -> None:
    assert shop.agent("completion", "seats").out == "user\ncodex\nhermes\n"
    said = run_cli("completion", "seats", cwd=tmp_path)
    assert (said.code, said.out) == (8, "")
