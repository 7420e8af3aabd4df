"""Receipts by command: who may bring one, what proves it, what is refused and kept (W19, W20)."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.cli.conftest import Shop
from tests.cli.wake_support import Desk, arm


@pytest.fixture
def lease(shop: Shop, desk: Desk) -> dict[str, Any]:
    """A lease of codex on a task by the user."""
    arm(shop.folder)
    shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    found: dict[str, Any] = desk.json("wake", "claim")
    return found


def refused(desk: Desk, lease: str, why: str, *words: str, seat: str = "codex") -> None:
    """The receipt changes nothing, and is kept with its reason."""
    before = desk.json("wake", "show", "codex", seat=None)
    error = desk.refused("wake", "receipt", lease, "--outcome", *words, seat=seat)
    assert (error["code"], error["rule"], error["why"]) == ("refused", "W19", why)
    after = desk.json("wake", "show", "codex", seat=None)
    assert after["intents"] == before["intents"]
    (line,) = desk.json("journal", "log", "--limit", "1", seat=None)["lines"]
    (op,) = line["ops"]
    assert (op["op"], op["code"], line["seat"]) == ("receipt_refused", why, seat)
    assert op["reason"] in error["message"]
    if lease in {one["lease"] for one in after["leases"]}:
        newest = after["receipts"][0]
        assert (newest["lease"], newest["code"], newest["reason"]) == (lease, why, op["reason"])


def file_with(shop: Shop, name: str, text: str) -> str:
    path = shop.folder / name
    path.write_text(text)
    return name


@pytest.mark.rule("W19", "W20")
def test_what_proves_nothing_is_refused_and_kept(
    shop: Shop, desk: Desk, lease: dict[str, Any]
) -> None:
    id_, message = lease["lease"], str(lease["message"])
    early = file_with(shop, "early.md", f"lease {id_}")
    os.utime(shop.folder / early, (1, 1))
    other = shop.post("user", seat="codex", title="no reply")
    foreign = shop.post("user", seat="hermes", title="x", reply_to=lease["message"])
    verified = "sent_and_verified"
    refused(desk, id_, "no_evidence", verified)
    refused(desk, id_, "no_such_message", verified, "--reply", "999")
    refused(desk, id_, "not_by_the_seat", verified, "--reply", message)
    refused(desk, id_, "not_by_the_seat", verified, "--reply", str(foreign))
    refused(desk, id_, "no_reply", verified, "--reply", str(other))
    refused(desk, id_, "before_the_claim", verified, "--evidence", str(shop.folder / early))
    for exit_code in ("1", "255"):
        refused(desk, id_, "exit_code", verified, "--reply", message, "--exit-code", exit_code)
        refused(desk, id_, "exit_code", "watcher_only", "--exit-code", exit_code)
    before = shop.log()
    for odd in (["verified"], [], [verified, "--exit-code", "256"], [verified, "--reply", "x"]):
        words = () if not odd else ("--outcome", *odd)
        assert desk.say("wake", "receipt", id_, *words).code == 2
    both = (verified, "--reply", message, "--evidence", early)
    assert desk.say("wake", "receipt", id_, "--outcome", *both).code == 2
    assert shop.log() == before


@pytest.mark.rule("W19", "W20")
def test_a_file_must_be_one_of_the_project_that_holds_the_lease(
    shop: Shop, desk: Desk, lease: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = lease["lease"]
    monkeypatch.chdir(shop.folder)
    outside = shop.folder.parent / "outside.md"
    outside.write_text(f"lease {id_}")
    (shop.folder / "link.md").symlink_to(outside)
    file_with(shop, "real.md", f"lease {id_}")
    (shop.folder / "near.md").symlink_to(shop.folder / "real.md")
    os.mkfifo(shop.folder / "pipe")
    file_with(shop, "hash.md", "of something else")
    (shop.root / "mine").write_text(id_)
    names = ("missing.md", str(outside), "../outside.md", "link.md", "near.md", "pipe", ".", "a\0b")
    for name in (*names, ".sublation-panel/mine", "hash.md/x"):
        words = ("sent_and_verified", "--evidence", name)
        refused(desk, id_, "unfit_file", *words)
    refused(desk, id_, "no_lease_id", "sent_and_verified", "--evidence", "hash.md")
    said = desk.json(
        "wake", "receipt", id_, "--outcome", "sent_and_verified", "--evidence", "real.md"
    )
    assert (said["evidence"]["path"], said["intent_state"]) == ("real.md", "sent_and_verified")

    def shown() -> tuple[str, str]:
        (receipt,) = (
            one
            for one in desk.json("wake", "show", "codex", seat=None)["receipts"]
            if one["code"] is None
        )
        return receipt["evidence"]["now"], desk.say("wake", "show", "codex").out

    assert shown()[0] == "unchanged"
    file_with(shop, "real.md", f"lease {id_}!")
    became, text = shown()
    assert (became, "the file is changed since" in text) == ("changed", True)
    (shop.folder / "real.md").unlink()
    assert shown()[0] == "gone"


@pytest.mark.rule("W19")
def test_only_the_holder_once_and_in_time(shop: Shop, desk: Desk, lease: dict[str, Any]) -> None:
    id_, message = lease["lease"], lease["message"]
    reply = shop.post("user", seat="codex", title="done", reply_to=message)
    proof = ("sent_and_verified", "--reply", str(reply))
    refused(desk, id_, "not_the_holder", *proof, seat="hermes")
    refused(desk, id_, "not_the_holder", *proof, "--adapter", "mini", "--fingerprint", "0" * 64)
    refused(desk, "0" * 32, "unknown_lease", *proof)
    refused(desk, "[/b] \x1b[31m", "unknown_lease", *proof)
    assert desk.refused("wake", "renew", id_, seat="hermes")["rule"] == "W29"
    assert desk.say("wake", "renew", "0" * 32).code == 2
    taken = desk.json("wake", "receipt", id_, "--outcome", "watcher_only")
    assert taken["intent_state"] == "claimed"
    assert "no agent answered" in desk.say("wake", "show", "codex").out
    key = ("--key", "once")
    first = desk.json("wake", "receipt", id_, "--outcome", *proof, *key)
    assert (first["repeated"], first["intent_state"]) == (False, "sent_and_verified")
    again = desk.json("wake", "receipt", id_, "--outcome", *proof, *key)
    assert (again["repeated"], again["rev"]) == (True, first["rev"])
    refused(desk, id_, "lease_over", *proof)
    refused(desk, id_, "lease_over", "failed")


@pytest.mark.rule("W19", "W27", "W29")
def test_a_late_receipt_and_a_renewed_lease(shop: Shop, desk: Desk) -> None:
    desk.clock.stop()
    arm(shop.folder, lease_seconds=60, maximum_lease_seconds=100, maximum_attempts=3)
    message = shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    lease = desk.json("wake", "claim")["lease"]
    desk.clock.move(seconds=50)
    assert desk.json("wake", "renew", lease)["lease_seconds"] == 50
    error = desk.refused("wake", "renew", lease)
    assert (error["rule"], "100 s" in error["message"]) == ("W29", True)
    desk.clock.move(seconds=51)
    assert desk.refused("wake", "renew", lease)["rule"] == "W29"
    reply = shop.post("user", seat="codex", title="late", reply_to=message)
    (shown,) = desk.json("wake", "show", "codex", seat=None)["leases"]
    assert (shown["over"], shown["left_seconds"]) == ("expired", 0)
    refused(desk, lease, "lease_over", "sent_and_verified", "--reply", str(reply))


@pytest.mark.rule("W20")
def test_a_verified_message_waits_for_those_before_it(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    first = shop.post("codex", kind="note", title="wakes nobody")
    second = shop.post("codex", kind="task", title="wakes")
    desk.json("wake", "scan", seat=None)
    lease = desk.json("wake", "claim")
    assert lease["message"] == second
    reply = shop.post("user", seat="codex", title="done", reply_to=second)
    words = ("--outcome", "sent_and_verified", "--reply", str(reply))
    said = desk.say("wake", "receipt", lease["lease"], *words)
    assert (said.code, f"waits for #{first}" in said.out) == (0, True)
    found = desk.json("wake", "explain", "codex", seat=None)["messages"]
    assert [one["waits_for"] for one in found if one["message"] == second] == [first]
    assert desk.json("inbox", "--peek")["cursor"] == 0
    assert desk.json("ack", str(first))["cursor"] == second
    found = desk.json("wake", "explain", "codex", seat=None)["messages"]
    assert [one["waits_for"] for one in found if one["message"] == second] == [None]
