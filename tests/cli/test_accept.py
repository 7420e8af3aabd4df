"""`doctor --accept`: what it shows, asks and does, at a real terminal."""

from __future__ import annotations

import os

from state.accept import accept
from state.clock import SystemClock
from state.command import Actor
from state.paths import Paths
from tests.cli.conftest import Shop


def damaged(shop: Shop) -> None:
    """Two messages of the user's, of which the first is no longer what was committed."""
    shop.post("codex", title="first")
    shop.post("codex", title="second")
    log = next((shop.root / "log").iterdir())
    log.write_bytes(log.read_bytes().replace(b'"title":"first"', b'"title":"fixed"'))


def test_the_report_says_how_to_go_on_and_yes_goes_on(shop: Shop) -> None:
    damaged(shop)
    report = shop.agent("doctor", "--json")
    assert report.code == 6
    assert "doctor --accept" in report.json["findings"][0]["next"]
    asked = shop.user("doctor", "--accept", "--json", typed="y\n")
    assert asked.code == 0, asked.err
    assert "go on from line 1" in asked.terminal
    assert "2 later lines" in asked.terminal
    assert asked.json["rev"] == 2
    assert asked.json["accepted"]["lost_revs"] == 2
    kept = shop.root.parent / asked.json["accepted"]["folder"]
    assert b'"title":"fixed"' in next((kept / "log").iterdir()).read_bytes()
    assert shop.agent("doctor").code == 0
    assert shop.agent("post", "hermes", "--title", "on").code == 0


def test_what_can_be_done_is_said_once_for_all_that_it_is_for(shop: Shop) -> None:
    damaged(shop)
    log = next((shop.root / "log").iterdir())
    log.write_bytes(log.read_bytes().replace(b'"title":"second"', b'"title":"2econd"'))
    os.chmod(shop.root / "blobs", 0o500)
    said = shop.agent("doctor")
    assert said.out.count("· damaged") > 1
    assert (said.out + said.err).count("doctor --accept") == 1
    assert said.out.count("as long as this lasts") == 1
    assert f"sublation-panel: {shop.agent('doctor', '--json').error['message']}\n" == said.err


def test_no_is_no_and_an_agent_may_not(shop: Shop) -> None:
    damaged(shop)
    before = shop.everything()
    assert shop.user("doctor", "--accept", typed="n\n").code == 3
    assert shop.agent("doctor", "--accept").code == 3
    assert shop.everything() == before
    assert [path.name for path in shop.folder.iterdir()] == [shop.root.name]


def test_what_was_cut_off_is_told_to_everyone_and_finished_by_the_user(shop: Shop) -> None:
    damaged(shop)
    paths = Paths(str(shop.root))
    accept(paths, Actor("user", "tty"), SystemClock())
    os.rename(paths.root, paths.successor.root)
    for words in (["inbox"], ["post", "hermes", "--title", "x"], ["doctor"], ["status"]):
        said = shop.agent(*words, "--json")
        assert (said.code, said.error["code"]) == (6, "replaced")
        assert "doctor --accept" in said.error["hint"]
    assert shop.agent("init").code == 3
    assert shop.agent("doctor", "--accept").code == 3
    finished = shop.user("doctor", "--accept")
    assert "goes on from line 1; line 2 says so" in finished.out
    assert "2 later lines and" in finished.out
    assert shop.agent("post", "hermes", "--title", "on").code == 0


def test_a_sound_project_has_nothing_to_go_on_from(shop: Shop) -> None:
    shop.post("codex")
    said = shop.user("doctor", "--accept", "--json", typed="y\n")
    assert (said.code, said.error["code"]) == (3, "refused")
