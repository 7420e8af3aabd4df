"""A Claude Code team by the command, and odd ones by the reader alone (M16)."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from state.importing.claude_team import read_team
from state.importing.run import import_team
from state.project import open_project
from tests.cli.conftest import Shop
from tests.cli.teams import alpha, entry, team
from tests.support import until


def snapshot(folder: Path) -> list[tuple[str, int, int, int, bytes]]:
    """Names, sizes, times and bytes; times of access are left to the end, as reading moves them."""
    found = []
    for path in sorted([folder, *folder.rglob("*")]):
        stat = path.lstat()
        data = path.read_bytes() if path.is_file() else b""
        found.append((str(path), stat.st_mtime_ns, stat.st_ctime_ns, stat.st_mode, data))
    return found


@pytest.mark.rule("M16")
def test_members_become_seats_and_messages_keep_where_they_stood(
    shop: Shop, tmp_path: Path
) -> None:
    folder = alpha(tmp_path / "alpha")
    said = shop.user("import", "claude-team", folder, "--json")
    assert said.code == 0, said.err
    assert said.json["added"] == ["lead", "worker", "idle"]
    assert said.json["messages"] == {"new": 5, "known": 0, "changed": 0, "skipped": 0}
    seats = {one["seat"]: one for one in shop.agent("seat", "list", "--json").json["seats"]}
    assert (seats["lead"]["host"], seats["lead"]["roles"]) == ("claude-code", ["general-purpose"])
    found = shop.agent("message", "list", "--json", "--limit", "100").json["messages"][::-1]
    # In the order of their time, dated by it, whatever the order of files.
    assert [message["at"][17:19] for message in found] == ["05", "10", "20", "30", "31"]
    assert [message["title"] for message in found] == [
        "who am I?",
        "task_assignment: Look at the inbox",
        "a note to myself",
        "Task done",
        "idle_notification: interrupted",
    ]
    assert [(one["from"], one["to"]) for one in found] == [
        ("stranger", ["worker"]),
        ("lead", ["worker"]),
        ("worker", ["worker"]),
        ("worker", ["lead"]),
        ("worker", ["lead"]),
    ]
    origin = found[3]["origin"]
    assert (origin["tool"], origin["team"]) == ("claude-code", "alpha")
    assert (origin["inbox"], origin["position"], origin["sender"]) == ("lead", 0, "worker")
    assert (origin["read"], origin["summary"], origin["first"]) == (False, "Task done", None)
    assert found[3]["body"] == "done\nall of it"
    # Nobody's queue, nobody's task, no hint of anything.
    assert {one["unread"] for one in seats.values()} == {0}
    assert shop.agent("task", "list", "--json").json["tasks"] == []
    assert shop.agent("status", "--json").json["needs"] == []
    line = shop.agent("journal", "show", str(found[0]["id"]), "--json").json
    assert (line["seat"], line["via"]) == ("user", "import")
    shown = shop.agent("message", "show", str(found[1]["id"])).out
    assert "subject: Look at the inbox" in shown
    assert "read: true (its word, no evidence)" in shown


@pytest.mark.rule("M16")
def test_importing_again_adds_nothing_and_a_change_names_the_first(
    shop: Shop, tmp_path: Path
) -> None:
    folder = alpha(tmp_path / "alpha")
    assert shop.user("import", "claude-team", folder).code == 0
    before = shop.log()
    again = shop.user("import", "claude-team", folder, "--json").json
    assert again["messages"] == {"new": 0, "known": 5, "changed": 0, "skipped": 0}
    assert (again["added"], again["rev"]) == ([], None)
    assert shop.log() == before
    inbox = folder / "inboxes" / "lead.json"
    entries = json.loads(inbox.read_text())
    entries[0]["read"] = True
    entries.append(entry("worker", "one more", 40))
    inbox.write_text(json.dumps(entries, indent=2))
    said = shop.user("import", "claude-team", folder, "--json").json
    assert said["messages"] == {"new": 1, "known": 4, "changed": 1, "skipped": 0}
    found = shop.agent("message", "list", "--json").json["messages"]
    changed = next(one for one in found if one["origin"]["first"] is not None)
    first = shop.agent("message", "show", str(changed["origin"]["first"]), "--json").json
    assert (first["origin"]["read"], changed["origin"]["read"]) == (False, True)
    assert first["body"] == changed["body"]
    before = shop.log()
    assert shop.user("import", "claude-team", folder).code == 0
    assert shop.log() == before


@pytest.mark.rule("M16", "R11")
def test_only_the_user_imports(shop: Shop, tmp_path: Path) -> None:
    folder = alpha(tmp_path / "alpha")
    before = shop.log()
    for seat in ("codex", "user", None):
        assert shop.agent("import", "claude-team", folder, seat=seat).code == 3
        assert shop.agent("import", "claude-team", seat=seat).code == 3
    assert shop.user("import", "claude-team").code == 2
    assert shop.user("import", "claude-team", tmp_path / "missing").code == 2
    assert shop.user("import", "claude-team", folder / "inboxes").code == 2
    assert shop.user("import", "claude-team", folder, "--prefix", "Ä!").code == 2
    assert shop.log() == before


@pytest.mark.rule("M16")
def test_the_source_is_never_touched(shop: Shop, tmp_path: Path) -> None:
    folder = alpha(tmp_path / "alpha")
    long_ago = time.time_ns() - 10**15
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, ns=(long_ago, long_ago))
    before = snapshot(folder)
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, ns=(long_ago, path.lstat().st_mtime_ns))
    read_team(str(folder))
    accessed = [
        path for path in (folder / "inboxes").iterdir() if path.lstat().st_atime_ns != long_ago
    ]
    assert accessed == []
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    assert shop.user("import", "claude-team", folder).code == 0
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    after = snapshot(folder)
    assert [one[0] for one in after] == [one[0] for one in before]
    assert [one[1] for one in after] == [one[1] for one in before]
    assert [one[4] for one in after] == [one[4] for one in before]


@pytest.mark.rule("M16", "R2")
def test_an_id_that_another_team_has_gets_the_teams_name(shop: Shop, tmp_path: Path) -> None:
    # One who never wrote and was never written to is a member like any other.
    first = team(
        tmp_path / "a", "alpha", ["lead", "same", "silent"], {"lead": [entry("same", "x")]}
    )
    second = team(
        tmp_path / "b",
        "Béta Team",
        ["lead", "same", "own", "silent"],
        {"lead": [entry("own", "y")]},
    )
    third = team(tmp_path / "c", "gamma", ["lead"], {})

    def seats(folder: Path, *words: str) -> dict[str, str]:
        said = shop.user("import", "claude-team", folder, "--json", *words)
        assert said.code == 0, said.err
        found: dict[str, str] = said.json["seats"]
        return found

    alpha_seats = {"lead": "lead", "same": "same", "silent": "silent"}
    assert seats(first) == alpha_seats
    beta = {name: f"beta-team.{name}" for name in alpha_seats} | {"own": "own"}
    assert seats(second) == beta
    assert seats(third) == {"lead": "gamma.lead"}
    # The same teams again, in another order, are who they were.
    before = shop.log()
    assert seats(third) == {"lead": "gamma.lead"}
    assert seats(second) == beta
    assert seats(first) == alpha_seats
    assert seats(first, "--prefix", "other-") == alpha_seats
    assert shop.log() == before


@pytest.mark.rule("R2")
def test_names_that_are_no_ids_and_seats_added_by_hand(shop: Shop, tmp_path: Path) -> None:
    names = ["codex", "user", "Große Ärztin", "日本", "a\x1b[2Jb", "x" * 150, "a b", "a-b", "..."]
    folder = team(tmp_path / "odd", "odd", names, {})
    with open_project(str(shop.folder)) as project:
        done = import_team(project, str(folder), prefix="")
    # One that was added by hand is that member; a reserved id, or one in use, is not taken.
    assert done.seats == {
        "codex": "codex",
        "user": "odd.user",
        "Große Ärztin": "groe-arztin",
        "日本": "agent",
        "a\x1b[2Jb": "a-2jb",
        "x" * 150: "x" * 63,
        "a b": "a-b",
        "a-b": "odd.a-b",
        "...": "odd.agent",
    }
    listed = {
        one["seat"]: one["name"] for one in shop.agent("seat", "list", "--json").json["seats"]
    }
    assert listed["groe-arztin"] == "Große Ärztin"
    assert listed["agent"] == "日本"
    assert "\x1b" not in listed["a-2jb"]
    other = team(tmp_path / "p", "p", ["one"], {})
    with open_project(str(shop.folder)) as project:
        assert import_team(project, str(other), prefix="old.").seats == {"one": "old.one"}
        again = import_team(project, str(folder), prefix="")
    assert (again.seats, again.added) == (done.seats, ())


@pytest.mark.rule("R9")
def test_the_seats_of_a_team_are_one_change_of_the_roster(shop: Shop, tmp_path: Path) -> None:
    folder = alpha(tmp_path / "alpha")
    assert shop.user("import", "claude-team", folder).code == 0
    line = shop.agent("journal", "show", "2", "--json").json
    assert [op["op"] for op in line["ops"]] == ["seat_added"] * 3
    assert line["guards"] == {"roster": 1}


def test_a_team_that_goes_on_writing_is_read_as_it_was(shop: Shop, tmp_path: Path) -> None:
    """The host appends by writing the whole file anew; each import adds what is new."""
    folder = team(tmp_path / "t", "t", ["a"], {"a": [entry("a", "0", 0)]})
    entries = [entry("a", "0", 0)]
    for place in range(1, 4):
        assert shop.user("import", "claude-team", folder).code == 0
        entries.append(entry("a", str(place), place))
        (folder / "inboxes" / "a.json").write_text(json.dumps(entries, indent=2))
    said = until(lambda: shop.user("import", "claude-team", folder, "--json").json)
    assert said["messages"] == {"new": 1, "known": 3, "changed": 0, "skipped": 0}
