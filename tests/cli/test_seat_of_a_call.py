"""Whose seat a call is for, and what needs a terminal."""

from __future__ import annotations

import os
import subprocess

import pytest

from panel.cli.call import AGENT_HOSTS
from tests.cli.conftest import Shop
from tests.conftest import AGENT_HOSTS as KNOWN_HOSTS
from tests.support import environment, program


def test_the_list_of_agent_hosts_is_the_one_that_is_meant() -> None:
    assert set(AGENT_HOSTS) == set(KNOWN_HOSTS)


def test_the_option_comes_before_the_environment(shop: Shop) -> None:
    said = shop.agent("inbox", "--json", env={"SUBLATION_SEAT": "hermes"})
    assert said.json["seat"] == "codex"
    said = shop.agent("inbox", "--json", seat=None, env={"SUBLATION_SEAT": "hermes"})
    assert said.json["seat"] == "hermes"


def test_without_a_terminal_there_is_no_default_seat(shop: Shop) -> None:
    for words in (["inbox"], ["post", "hermes", "--title", "x"], ["ack", "2"]):
        said = shop.agent(*words, seat=None)
        assert (said.code, said.out) == (2, "")
        assert "no seat: set SUBLATION_SEAT or give --as" in said.err
        assert "--as user" in said.err


def test_at_a_terminal_it_is_the_users_unless_an_agent_host_runs_it(shop: Shop) -> None:
    assert shop.user("inbox", "--json").json["seat"] == "user"
    said = shop.user("inbox", env={"CLAUDECODE": "1"})
    assert said.code == 2
    assert "no seat" in said.err
    assert shop.user("inbox", "--json", env={"CLAUDECODE": "1"}, seat="user").code == 0


@pytest.mark.parametrize("host", AGENT_HOSTS)
def test_each_agent_host_is_known(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from argparse import Namespace

    from panel.cli.call import Call
    from state.errors import BadInput

    call = Call(Namespace(), "x")
    call.at_terminal = True
    assert call.seat() == "user"
    monkeypatch.setenv(host, "1")
    with pytest.raises(BadInput):
        call.seat()


@pytest.mark.rule("M8")
def test_acting_as_the_user_needs_a_terminal(shop: Shop) -> None:
    before = shop.log()
    for words in (["post", "hermes", "--title", "x"], ["ack", "2"], ["task", "accept", "2"]):
        said = shop.agent(*words, seat="user")
        assert said.code == 3
        assert "needs a terminal" in said.err
    assert shop.log() == before
    said = shop.user("post", "hermes", "--title", "x", "--json")
    assert said.code == 0
    assert shop.agent("inbox", "--json", seat="hermes").json["messages"][0]["hops"] == 0


def test_a_body_from_a_pipe_leaves_the_terminal_to_ask(shop: Shop) -> None:
    said = shop.user("post", "hermes", "--title", "x", "-", seat="user", stdin="from a pipe\n")
    assert said.code == 0, said.err
    found = shop.agent("inbox", "--json", seat="hermes").json["messages"][0]
    assert (found["body"], found["from"]) == ("from a pipe\n", "user")
    # The same without a body from the pipe: standard input is no terminal.
    said = shop.user("post", "hermes", "--title", "x", seat="user", stdin="")
    assert said.code == 3
    said = shop.agent("post", "hermes", "--title", "x", "-", seat="user", stdin="x")
    assert said.code == 3


def test_a_terminal_that_is_not_the_process_own_asks_nothing(shop: Shop) -> None:
    """As under setsid, or in a service with a terminal as standard input: /dev/tty is none."""
    before = shop.log()
    master, slave = os.openpty()
    try:
        ran = subprocess.run(
            program("--project", shop.folder, "seat", "hide", "codex"),
            stdin=slave,
            capture_output=True,
            text=True,
            env=environment(),
            start_new_session=True,
            check=False,
        )
    finally:
        os.close(slave)
        os.close(master)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "can't be asked: this process has no terminal" in ran.stderr.split("\n")[0]
    assert shop.log() == before


def test_the_line_says_by_which_way_it_came(shop: Shop) -> None:
    def via(number: int) -> str:
        return str(shop.agent("journal", "show", str(number), "--json").json["via"])

    assert via(shop.agent("post", "hermes", "--title", "x", "--json").json["rev"]) == "cli"
    assert via(shop.user("post", "hermes", "--title", "x", "--json").json["rev"]) == "tty"
    piped = shop.user("post", "codex", "--title", "x", "-", "--json", seat="user", stdin="x")
    assert via(piped.json["rev"]) == "tty"


@pytest.mark.rule("R11")
@pytest.mark.parametrize(
    "words",
    [
        ["add", "x"],
        ["add"],
        ["set", "hermes", "--host", "h"],
        ["hide", "hermes"],
        ["unhide", "hermes"],
        ["rename", "hermes"],
        ["deactivate", "hermes"],
        ["restore", "hermes"],
        ["away", "hermes"],
        ["back", "hermes"],
        ["close-queue", "hermes"],
    ],
)
def test_only_the_user_changes_the_roster_and_that_comes_first(
    shop: Shop, words: list[str]
) -> None:
    """Who may do it (3) is answered before what is missing (2)."""
    before = shop.log()
    said = shop.agent("seat", *words, "--json")
    assert (said.code, said.error["code"], said.error["rule"]) == (3, "refused", "R11")
    for seat in ("user", None):
        said = shop.agent("seat", *words, "--json", seat=seat)
        assert (said.code, said.error["code"]) == (3, "refused")
        assert "terminal" in said.error["message"]
    assert shop.log() == before


@pytest.mark.rule("R13")
def test_a_label_grants_nothing(shop: Shop) -> None:
    said = shop.user("seat", "set", "codex", "--role", "user", "--host", "user", "--roster", "1")
    assert said.code == 0, said.err
    assert shop.agent("seat", "hide", "hermes").code == 3


@pytest.mark.rule("M3")
def test_a_seat_that_is_none_can_do_nothing(shop: Shop) -> None:
    before = shop.log()
    assert shop.agent("post", "hermes", "--title", "x", seat="ghost").code == 3
    # Whether it may at all is answered before that the title is missing.
    assert shop.agent("post", "hermes", seat="ghost").code == 3
    assert shop.agent("ack", "2", seat="ghost").code == 3
    assert shop.agent("inbox", seat="ghost").code == 2
    assert shop.agent("inbox", seat="../../x").code == 2
    assert shop.agent("post", "ghost", "--title", "x").code == 3
    assert shop.log() == before
    assert sorted(path.name for path in (shop.root / "cache" / "looked").iterdir()) == []
