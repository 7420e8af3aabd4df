"""What another tool's inboxes can be and should not: named, left out, no crash (M16; fault 35)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from state.errors import BadInput
from state.importing.claude_team import read_team
from tests.cli.conftest import Shop
from tests.cli.teams import TIME, entry, team


def odd_inboxes(folder: Path) -> Path:
    """Everything that an inbox can be and should not."""
    team(folder, "odd", ["a"], {"good": [entry("a", "kept", 1)]})
    inboxes = folder / "inboxes"
    good = entry("a", "x", 2)
    odd: list[Any] = [
        "not an object",
        None,
        17,
        [],
        {"from": "a", "timestamp": TIME.format(3)},
        {"text": "no sender", "timestamp": TIME.format(3)},
        entry("a", "x") | {"text": 5},
        entry("a", "x") | {"text": {"a": 1}},
        entry("a", "x") | {"from": ""},
        entry("a", "x") | {"from": "y" * 5000},
        *(
            entry("a", "x") | {"timestamp": when}
            for when in (None, 5, 1770649635547, "", "yesterday", "2026-02-30T00:00:00Z")
        ),
        *(
            entry("a", "x") | {"timestamp": when}
            for when in ("2026-02-09T15:08:60Z", "2026-02-09T15:08:11", "0001-01-01T00:00:00+23:59")
        ),
        entry("a", "y" * (1024 * 1024 + 1)),
        entry("a", "lone \ud800 surrogate"),
        entry("\udfff", "x"),
    ]
    (inboxes / "entries.json").write_text(json.dumps([*odd, good]))
    (inboxes / "object.json").write_text(json.dumps(good))
    (inboxes / "number.json").write_text("5")
    (inboxes / "empty.json").write_text("")
    (inboxes / "nothing.json").write_text(" [] ")
    (inboxes / "cut.json").write_text(json.dumps([good, good])[:-20])
    (inboxes / "tail.json").write_text(json.dumps([good]) + "x")
    (inboxes / "nul.json").write_bytes(b'[{"from":"a","text":"a\0b"}]')
    (inboxes / "latin.json").write_bytes(b'[{"from":"a","text":"caf\xe9"}]')
    (inboxes / "bom.json").write_bytes(b"\xef\xbb\xbf" + json.dumps([good]).encode())
    (inboxes / "deep.json").write_text("[" * 100_000)
    (inboxes / "digits.json").write_text("[" + "9" * 100_000 + "]")
    (inboxes / "many.json").write_text("[" + ",".join(["{}"] * 1_000_000) + "]")
    (inboxes / "link.json").symlink_to(inboxes / "good.json")
    (inboxes / "folder.json").mkdir()
    os.mkfifo(inboxes / "pipe.json")
    (inboxes / "good.json.lock").mkdir()
    Path(os.fsdecode(os.fsencode(inboxes) + b"/caf\xe9\n.json")).write_text(json.dumps([good]))
    with (inboxes / "huge.json").open("wb") as file:
        file.truncate(1 << 32)
    return folder


@pytest.mark.rule("M16")
def test_what_is_odd_is_named_and_left_out(shop: Shop, tmp_path: Path) -> None:
    folder = odd_inboxes(tmp_path / "odd")
    found = read_team(str(folder))
    inboxes = [each.inbox for each in found.entries]
    assert sorted(inboxes) == sorted(["good", "entries", "cut", "tail", "bom", "caf\\xe9\n"])
    whole = {one.file.removeprefix("inboxes/") for one in found.problems if one.position is None}
    assert whole == {
        *("object.json", "number.json", "empty.json", "nul.json", "latin.json", "deep.json"),
        *("link.json", "folder.json", "pipe.json", "huge.json"),
    }
    entries = [one for one in found.problems if one.file == "inboxes/entries.json"]
    assert [one.position for one in entries] == list(range(22))
    assert all(one.why and "\n" not in one.why for one in found.problems)
    many = [one for one in found.problems if one.file == "inboxes/many.json"]
    assert many[-1].why == "more than 10,000 entries; the rest is left out"
    said = shop.user("import", "claude-team", folder)
    assert said.code == 0, said.err
    assert "6 new" in said.out
    assert "left out: inboxes/" in said.out
    assert "and " in said.out
    assert "more (--json lists all)" in said.out


@pytest.mark.parametrize(
    ("config", "members"),
    [
        ("", []),
        ("[]", []),
        ("{", []),
        ('{"members":5}', []),
        ('{"members":[5,{},{"name":5},{"name":""},{"name":"ok"},{"name":"ok"}]}', ["ok"]),
        ('{"name":7,"members":[{"name":"ok","agentType":["x"]}]}', ["ok"]),
        ('{"name":"' + "x" * 999 + '"}', []),
    ],
)
def test_an_odd_config_leaves_the_messages(tmp_path: Path, config: str, members: list[str]) -> None:
    folder = team(tmp_path / "team", "t", [], {"a": [entry("b", "x")]})
    (folder / "config.json").write_text(config)
    found = read_team(str(folder))
    assert [member.name for member in found.members] == members
    assert len(found.entries) == 1
    assert found.name == "team"


def test_a_folder_without_a_team_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(BadInput):
            read_team(str(folder))
