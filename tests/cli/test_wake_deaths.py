"""Adapters and scanners killed at any point: expiry, another try, then the person (fault 47)."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from state.journal.doorbell import Doorbell
from tests.cli.conftest import Shop
from tests.cli.wake_support import (
    Desk,
    adapter,
    arm,
    command,
    end,
    one_step,
    stands_before,
    started,
)
from tests.support import until


def said_of(said: list[dict[str, Any]], what: str) -> list[dict[str, Any]]:
    return [one for one in said if one["what"] == what]


def outcome(desk: Desk, number: int) -> tuple[str, str | None]:
    """What has become of a message, and why, as `wake explain` says it."""
    found = desk.json("wake", "explain", "codex", seat=None)["messages"]
    return next((one["outcome"], one["reason"]) for one in found if one["message"] == number)


@pytest.mark.rule("W17", "W20", "W25")
def test_the_example_adapter_answers_and_proves_it(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    first = shop.post("codex", kind="task", title="one [/b]")
    second = shop.post("codex", kind="question", title="two")
    desk.json("wake", "scan", seat=None)
    with adapter(shop) as process:
        code, said = end(process)
    assert code == 0
    assert [one["message"] for one in said_of(said, "claimed")] == [first, second]
    assert [one["code"] for one in said_of(said, "receipt")] == [None, None]
    assert [one["code"] for one in said_of(said, "refused")] == ["nothing_pending"]
    assert desk.json("wake", "show", "codex")["intents"] == {"sent_and_verified": 2}
    replies = [one["message"] for one in said_of(said, "answered")]
    explained = desk.say("wake", "explain", "codex").out
    assert all(f"answered with #{reply}" in explained for reply in replies)


@pytest.mark.rule("W18")
@pytest.mark.parametrize("step", ["claim", "answer", "receipt"])
def test_an_adapter_killed_at_any_point_loses_nothing(shop: Shop, desk: Desk, step: str) -> None:
    arm(shop.folder, lease_seconds=120)
    number = shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    with adapter(shop, steps=True) as process:
        stands_before(process, step)
        process.kill()
        process.wait()
    if step == "claim":
        assert outcome(desk, number) == ("pending", None)
        return
    assert outcome(desk, number) == ("claimed", None)
    assert desk.refused("wake", "claim")["code"] == "seat_busy"
    desk.clock.move(seconds=121)
    # Worked out by whoever reads, written by whoever scans next (W27).
    before = shop.log()
    assert outcome(desk, number)[0] == "failed"
    if step == "answer":
        assert desk.json("wake", "claim", "--dry-run")["attempt"] == 2
    assert shop.log() == before
    desk.json("wake", "scan", seat=None)
    if step == "receipt":
        # It had answered before it died: that is seen, and nobody is woken again for it.
        assert outcome(desk, number) == ("superseded", "answered")
        assert desk.refused("wake", "claim")["code"] == "nothing_pending"
        return
    assert outcome(desk, number) == ("failed", "expired")
    assert desk.json("wake", "claim")["attempt"] == 2
    desk.clock.move(seconds=121)
    desk.json("wake", "scan", seat=None)
    assert outcome(desk, number) == ("terminal_hold", "expired")
    (window,) = desk.json("wake", "list", seat=None)["windows"]
    assert (window["state"], window["reason"]) == ("hold", "terminal_hold")
    assert desk.refused("wake", "claim")["code"] == "window_hold"
    (intent,) = desk.json("wake", "intent", "list", seat=None)["intents"]
    for seat in ("codex", "user"):
        for verb in ("retry", "dismiss"):
            error = desk.refused("wake", "intent", verb, intent["intent"], seat=seat)
            assert error["rule"] == "W6"
    said = desk.user("wake", "intent", "retry", intent["intent"], "--reason", "up [/b] again")
    assert (said.code, "up [/b] again" in said.out) == (0, True)
    assert outcome(desk, number)[0] == "pending"


@pytest.mark.rule("W18", "W29")
def test_the_user_ends_the_lease_of_one_that_hangs(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    number = shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    with adapter(shop, steps=True) as process:
        stands_before(process, "answer")
        (lease,) = desk.json("wake", "show", "codex", seat=None)["leases"]
        assert desk.refused("wake", "end", lease["lease"], "--reason", "x")["rule"] == "W6"
        assert desk.user("wake", "end", lease["lease"]).code == 2
        assert desk.user("wake", "end", lease["lease"], "--reason", "it hangs").code == 0
        code, said = end(process)
    # The answer stands; what came too late is kept, and changes nothing.
    (receipt,) = said_of(said, "receipt")
    assert (code, receipt["why"]) == (3, "lease_over")
    shown = desk.say("wake", "show", "codex").out
    assert "you ended it" in shown
    assert "a receipt was refused: the lease is over" in shown
    desk.json("wake", "scan", seat=None)
    assert outcome(desk, number) == ("superseded", "answered")


@pytest.mark.rule("W9", "W11")
def test_scanners_killed_while_messages_come_double_and_lose_nothing(
    shop: Shop, desk: Desk
) -> None:
    arm(shop.folder, hourly_quota=60)
    numbers = []
    for _ in range(4):
        with started(command(shop, "wake", "run", "--json", seat=None)) as scanner:
            assert scanner.stdout is not None
            scanner.stdout.readline()
            numbers += [shop.post("codex", kind="task", title="x") for _ in range(3)]
            scanner.kill()
            scanner.wait()
    desk.json("wake", "scan", seat=None)
    made = [
        message
        for line in desk.json("journal", "log", "--limit", "1000", seat=None)["lines"]
        for op in line["ops"]
        if op["op"] == "seat_scanned"
        for message in op["created"]
    ]
    assert sorted(made) == numbers
    assert desk.json("journal", "verify", seat=None)["ok"]


@pytest.mark.rule("W31")
def test_an_adapter_and_a_scanner_work_side_by_side(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    with started(command(shop, "wake", "run", seat=None)) as scanner:
        assert scanner.stdout is not None
        assert "codex: nothing new" in scanner.stdout.readline()
        with adapter(shop, steps=True) as process:
            stands_before(process, "claim")
            shop.post("codex", kind="task", title="one")
            assert "1 new intent" in scanner.stdout.readline()
            one_step(process)
            code, said = end(process)
        assert (code, len(said_of(said, "claimed"))) == (0, 1)
        assert desk.say("wake", "drain", "codex", seat="user").code == 0
        # With the last window it ends by itself.
        out, err = scanner.communicate(timeout=30)
    assert (scanner.returncode, err) == (0, "")
    assert "every window is closed" in out
    until(lambda: desk.json("wake", "list", seat=None)["windows"][0]["state"] == "closed")


def test_a_blank_head_ends_no_run(shop: Shop, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []

    class Bell(Doorbell):
        def wait(self, seconds: float) -> bool:
            steps.append("asked")
            (shop.root / "head" / "HEAD").write_bytes(bytes(8192))
            if len(steps) == 2:
                os.kill(os.getpid(), signal.SIGTERM)
            return False

    monkeypatch.setattr("state.journal.doorbell.Doorbell", Bell)
    arm(shop.folder)
    said = desk.say("wake", "run", seat=None)
    assert (said.code, steps) == (0, ["asked", "asked"])


def test_a_run_ends_when_the_folder_is_gone(
    shop: Shop, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bell(Doorbell):
        def wait(self, seconds: float) -> bool:
            assert shop.folder.exists()
            shop.folder.rename(shop.folder.with_name("elsewhere"))
            return False

    monkeypatch.setattr("state.journal.doorbell.Doorbell", Bell)
    arm(shop.folder)
    said = desk.say("wake", "run", seat=None)
    assert (said.code, "the project's folder is gone" in said.err) == (6, True)
    assert not shop.folder.exists()
