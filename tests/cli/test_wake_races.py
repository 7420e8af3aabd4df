"""Several scanners and claimers at once are as good as one (W11, W17, fault 46)."""

from __future__ import annotations

import json
import signal
import time
from contextlib import ExitStack

import pytest

from tests.cli.conftest import Shop
from tests.cli.wake_support import Desk, arm, command, started


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
        while not desk.json("wake", "intent", "list", seat=None)["intents"]:
            time.sleep(0.02)
        claim = command(shop, "wake", "claim", "--json")
        claimers = [stack.enter_context(started(claim)) for _ in range(4)]
        answers = [claimer.communicate(timeout=60) for claimer in claimers]
        ends = [claimer.returncode for claimer in claimers]
        scanners[0].send_signal(signal.SIGINT)
        scanners[1].send_signal(signal.SIGTERM)
        scanners[2].send_signal(signal.SIGHUP)
        left = [scanner.communicate(timeout=30) for scanner in scanners]
    assert sorted(ends) == [0, 3, 3, 3]
    refused = [json.loads(err)["error"] for _, err in answers if err]
    assert [one["code"] for one in refused] == ["seat_busy"] * 3
    assert all(0 < one["retry_after"] <= 300 for one in refused)
    (won,) = (json.loads(out) for out, _ in answers if out)
    assert won["message"] == number
    ops = [
        op["op"]
        for line in desk.json("journal", "log", "--limit", "1000", seat=None)["lines"]
        for op in line["ops"]
    ]
    assert (ops.count("lease_granted"), ops.count("seat_scanned")) == (1, 1)
    assert [
        (scanner.returncode, err) for scanner, (_, err) in zip(scanners, left, strict=True)
    ] == [(0, "")] * 3


def test_a_scanner_that_has_nothing_to_do_is_still(shop: Shop) -> None:
    """Pending work that nobody claims gives it none either."""
    arm(shop.folder, scan_interval_seconds=5)
    shop.post("codex", kind="task", title="one")
    with started(command(shop, "wake", "run", "--json", seat=None)) as scanner:
        assert scanner.stdout is not None
        assert json.loads(scanner.stdout.readline())["created"] == 1
        before = shop.log()
        used = ticks(scanner.pid)
        time.sleep(2.5)
        used = ticks(scanner.pid) - used
        assert (shop.log(), scanner.poll()) == (before, None)
    # Hundredths of a second: it looks at a file each second, and that is all.
    assert used <= 20


def ticks(pid: int) -> int:
    """The processor time of a process."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
