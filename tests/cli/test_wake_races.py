"""Several scanners and claimers at once are as good as one (W11, W17, fault 46)."""

from __future__ import annotations

import json
import signal
from contextlib import ExitStack

import pytest

from tests.cli.conftest import Shop
from tests.cli.wake_support import Desk, arm, command, started
from tests.support import until


@pytest.mark.rule("W9", "W11", "W17", "W22")
def test_three_scanners_and_four_claimers(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    with ExitStack() as stack:
        run = command(shop, "wake", "run", "--json", seat=None)
        scanners = [stack.enter_context(started(run)) for _ in range(3)]
        for scanner in scanners:
            assert scanner.stdout is not None
            assert json.loads(scanner.stdout.readline())["window"] == "active"
        number = shop.post("codex", kind="task", title="one")
        until(lambda: desk.json("wake", "intent", "list", seat=None)["intents"])
        claim = command(shop, "wake", "claim", "--json")
        claimers = [stack.enter_context(started(claim)) for _ in range(4)]
        answers = [claimer.communicate(timeout=60) for claimer in claimers]
        ends = [claimer.returncode for claimer in claimers]
        assert sorted(ends) == [0, 3, 3, 3], answers
        scanners[0].send_signal(signal.SIGINT)
        scanners[1].send_signal(signal.SIGTERM)
        scanners[2].send_signal(signal.SIGHUP)
        left = [scanner.communicate(timeout=30) for scanner in scanners]
    refused = [json.loads(err)["error"] for _, err in answers if err]
    assert [one["code"] for one in refused] == ["seat_busy"] * 3
    assert all(0 < one["retry_after"] <= 300 for one in refused)
    (won,) = (json.loads(out) for out, _ in answers if out)
    assert won["message"] == number
    log = desk.json("journal", "log", "--limit", "1000", seat=None)["lines"]
    ops = [op["op"] for line in log for op in line["ops"]]
    assert (ops.count("lease_granted"), ops.count("seat_scanned")) == (1, 1), log
    assert [
        (scanner.returncode, err) for scanner, (_, err) in zip(scanners, left, strict=True)
    ] == [(0, "")] * 3
