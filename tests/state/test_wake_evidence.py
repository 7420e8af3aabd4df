"""W20: what proves that an agent did something, and what proves nothing."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Any

import pytest

from state.clock import parse
from state.errors import BadInput
from state.messages import evidence
from state.wake.receipts import SeenFile, SeenReply, Unfit, checked
from tests.state.wake_world import (
    answer,
    armed,
    claim,
    intents,
    kept,
    last_ops,
    leased,
    receipt,
    seen,
    wanted,
    written,
)
from tests.state.world import World

LIMITS: dict[str, Any] = {"cooldown_seconds": 0, "lease_seconds": 60}


def file(world: World, text: str, after: float = 1.0, name: str = "proof.txt") -> str:
    """A file of the project that was changed so many seconds after now, by the world's clock."""
    path = world.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    at = parse(world.clock.now()).timestamp() + after
    os.utime(path, (at, at))
    return name


@pytest.fixture
def held(world: World) -> tuple[int, str]:
    armed(world, **LIMITS)
    return leased(world)


@pytest.mark.rule("W20")
def test_a_reply_of_the_seat_after_the_claim_is_evidence(
    world: World, held: tuple[int, str]
) -> None:
    number, lease = held
    kept(world, "no_evidence", lease, "sent_and_verified")
    reply = answer(world, number)
    world.clock.move(seconds=3)
    at = world.clock.moment()
    assert receipt(world, lease, "sent_and_verified", reply=reply) is None
    assert last_ops(world) == [
        {
            "op": "receipt_taken",
            "lease": lease,
            "seat": "codex",
            "message": number,
            "outcome": "sent_and_verified",
            "exit_code": None,
            "evidence": {"kind": "message", "message": reply},
            "state": "sent_and_verified",
            "at": {"utc": at.utc, "boot": at.boot, "ms": at.ms},
        },
        {"op": "acknowledged", "seat": "codex", "first": number, "through": number}
        | {name: last_ops(world)[1][name] for name in ("count", "cursor")},
    ]
    assert world.seat("codex").cursor == number


@pytest.mark.rule("W20")
def test_any_other_message_proves_nothing(world: World) -> None:
    armed(world, **LIMITS)
    number, other = wanted(world), wanted(world)
    later = world.post("user", "codex", kind="question")
    lease = claim(world)
    for code, wrong in (
        ("no_such_message", 999),
        ("no_such_message", world.lines()[-1]["rev"]),
        ("not_by_the_seat", later),
        ("not_by_the_seat", world.post("gemini", "codex", title="", reply_to=number)),
        ("no_reply", answer(world, other)),
        ("no_reply", world.post("codex", "user", title="done, I promise")),
    ):
        kept(world, code, lease, "sent_and_verified", reply=wrong)
    held = written(world).lease
    assert held is not None
    # A message that was answered before the claim isn't claimed; were it, it would prove nothing.
    early = checked(held, "codex", "", SeenReply(held.rev - 1, "codex", number))
    assert isinstance(early, Unfit)
    assert early.code == "before_the_claim"
    assert receipt(world, lease, "sent_and_verified", reply=answer(world, number)) is None


@pytest.mark.rule("W20")
def test_a_file_that_holds_the_lease_and_changed_since_is_evidence(
    world: World, held: tuple[int, str]
) -> None:
    number, lease = held
    text = f"did it under {lease}\n"
    found = seen(world, file(world, text, name="out/proof.txt"), lease)
    assert receipt(world, lease, "sent_and_verified", file=found) is None
    assert last_ops(world)[0]["evidence"] == {
        "kind": "file",
        "path": "out/proof.txt",
        "sha256": sha256(text.encode()).hexdigest(),
        "bytes": len(text),
    }
    assert world.seat("codex").cursor == number
    # What becomes of it later is seen, and changes nothing of what was proved.
    stored = last_ops(world)[0]["evidence"]
    assert evidence.now(str(world.folder), stored) == "unchanged"
    file(world, text.upper(), name="out/proof.txt")
    assert evidence.now(str(world.folder), stored) == "changed"
    assert intents(world) == {number: "sent_and_verified"}


@pytest.mark.rule("W20")
def test_any_other_file_proves_nothing(world: World, held: tuple[int, str]) -> None:
    number, lease = held
    for code, text, after in (
        ("no_lease_id", "done", 1.0),
        ("no_lease_id", lease.upper(), 1.0),
        ("no_lease_id", lease[:-1], 1.0),
        ("before_the_claim", lease, 0.0),
        ("before_the_claim", lease, -1.0),
    ):
        found = seen(world, file(world, text, after), lease)
        kept(world, code, lease, "sent_and_verified", file=found)
    kept(world, "unfit_file", lease, "sent_and_verified", file=SeenFile(None, unfit="it is a link"))
    assert intents(world) == {number: "claimed"}


@pytest.mark.rule("W20")
@pytest.mark.parametrize("what", ["missing", "outside", "link", "folder", "link above", "our own"])
def test_a_file_is_plain_and_inside_the_project(
    world: World, held: tuple[int, str], what: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, lease = held
    outside = tmp_path_factory.mktemp("outside")
    (outside / "proof.txt").write_text(lease)
    file(world, lease, name="real/proof.txt")
    (world.folder / "link.txt").symlink_to(world.folder / "real" / "proof.txt")
    (world.folder / "above").symlink_to(outside)
    name = {
        "missing": "gone.txt",
        "outside": str(outside / "proof.txt"),
        "link": "link.txt",
        "folder": "real",
        "link above": "above/proof.txt",
        "our own": ".sublation-panel/FORMAT",
    }[what]
    with pytest.raises(BadInput):
        evidence.take_marked(str(world.folder), str(world.folder / name), lease)


@pytest.mark.rule("W20", "W14")
@pytest.mark.parametrize("turn", [{"hours": -1}, {"days": 1}])
def test_a_file_is_judged_by_the_hands_as_they_stand_now(
    world: World, held: tuple[int, str], turn: dict[str, float]
) -> None:
    _, lease = held
    world.clock.move(seconds=20)
    world.clock.set(**turn)
    old = seen(world, file(world, lease, -21.0), lease)
    kept_after_jump = receipt(world, lease, "sent_and_verified", file=old)
    assert kept_after_jump is not None
    assert "not changed after the claim" in kept_after_jump.message
    new = seen(world, file(world, lease, -19.0), lease)
    assert receipt(world, lease, "sent_and_verified", file=new) is None


@pytest.mark.rule("W20")
def test_a_lease_id_is_found_wherever_it_stands_in_a_large_file(
    world: World, held: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, lease = held
    monkeypatch.setattr(evidence, "PART", 8)
    for before in range(12):
        text = "." * before + lease + "." * 20
        assert seen(world, file(world, text), lease).holds
    assert not seen(world, file(world, lease[:4] + "." + lease[4:]), lease).holds
