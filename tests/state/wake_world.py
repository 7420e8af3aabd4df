"""Short words for what tests of wakes do: set, arm, scan, claim, bring receipts, look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Any, TypeVar

import pytest

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.adapters.queries import get as adapter_of
from state.command import USER, Actor, Command
from state.errors import ClaimRefused, Refused, StateError
from state.index.fold_wake import intent_id
from state.messages.evidence import take_marked
from state.project import Committed
from state.wake import queries
from state.wake.due import by_time
from state.wake.lease_commands import Claim, granted
from state.wake.load import seat_wake
from state.wake.model import SeatWake, Window
from state.wake.policy import Policy, policy_of
from state.wake.receipt_commands import TakeReceipt, refusal
from state.wake.receipts import SeenFile
from state.wake.scanning import Scan
from state.wake.window_commands import Arm, EnablePolicy, Resume, SetPolicy
from tests.state.world import World

C = TypeVar("C", Arm, Resume)
_numbers = count(1)


def written(world: World, seat: str = "codex") -> SeatWake:
    """What the journal says of the seat's wakes."""
    with world.look() as view:
        return seat_wake(view, seat)


def worked_out(world: World, seat: str = "codex") -> SeatWake:
    """The same as the time has made it (W27)."""
    with world.look() as view:
        return by_time(view, seat, world.clock.moment()).wake


def window(world: World, seat: str = "codex") -> Window:
    found = written(world, seat).window
    assert found is not None
    return found


def state(world: World, seat: str = "codex") -> str:
    """The window's state as it is written."""
    return written(world, seat).state


def intents(world: World, seat: str = "codex") -> dict[int, str]:
    """The states of the last window's intents by message."""
    return {intent.message: intent.state for intent in written(world, seat).intents}


def policy(world: World, seat: str = "codex", **given: Any) -> Policy:
    with world.look() as view:
        return policy_of(given, view.head.project, seat)


def set_policy(world: World, seat: str = "codex", **given: Any) -> Committed:
    return world.run(SetPolicy(seat, policy=policy(world, seat, **given)))


def shown(world: World, kind: type[C], seat: str = "codex", **more: Any) -> C:
    """`Arm` or `Resume` with what the person was shown at this moment."""
    found = written(world, seat)
    return kind(
        seat,
        policy_hash=found.policy_hash,
        policy_revision=found.policy_revision,
        window_revision=found.window_revision,
        **more,
    )


def arm(world: World, seat: str = "codex", **more: Any) -> Committed:
    return world.run(shown(world, Arm, seat, **more))


def resume(world: World, seat: str = "codex", **more: Any) -> Committed:
    return world.run(shown(world, Resume, seat, **more))


def armed(world: World, seat: str = "codex", **given: Any) -> int:
    """A window under this policy; gives its number."""
    set_policy(world, seat, **given)
    if not written(world, seat).enabled:
        world.run(EnablePolicy(seat))
    return arm(world, seat).rev


def scan(world: World, seat: str = "codex", drifted: Sequence[str] = ()) -> Committed:
    return world.project.run(Scan(seat, frozenset(drifted)), Actor("system", "cli"))


def later_scan(world: World, seat: str = "codex", **by: float) -> Committed:
    """Time passes, then the seat is scanned."""
    world.clock.move(**by)
    return scan(world, seat)


def wanted(world: World, seat: str = "codex", **more: Any) -> int:
    """A question of the user that has become an intent; gives its number."""
    number = world.post(USER, seat, kind="question", **more)
    scan(world, seat)
    assert intents(world, seat)[number] == "pending"
    return number


def new_lease() -> str:
    return f"lease-{next(_numbers)}"


def claim(world: World, seat: str = "codex", **more: Any) -> str:
    """The id of a lease that the seat got."""
    done = world.run(Claim(new_lease(), **more), seat)
    return str(granted(done.ops, seat)["lease"])


def leased(world: World, seat: str = "codex") -> tuple[int, str]:
    """A message that is claimed, and its lease."""
    number = wanted(world, seat)
    return number, claim(world, seat)


def no_claim(world: World, code: str, seat: str = "codex", **more: Any) -> ClaimRefused:
    """The gate's refusal by that code; nothing is written by it."""
    before = world.log()
    with pytest.raises(ClaimRefused) as caught:
        granted(world.run(Claim(new_lease(), **more), seat).ops, seat)
    assert (caught.value.code, caught.value.rule, caught.value.exit) == (code, "W16", 3)
    assert caught.value.message
    assert caught.value.hint
    assert world.log() == before
    return caught.value


def receipt(
    world: World, lease: str, outcome: str, seat: str = "codex", **more: Any
) -> Refused | None:
    """Brings a receipt; gives why it was refused, None when it was taken."""
    return refusal(world.run(TakeReceipt(lease, outcome, **more), seat).ops)


def answer(world: World, number: int, seat: str = "codex", **more: Any) -> int:
    """A reply of the seat to a message."""
    return world.post(seat, USER, title="", reply_to=number, **more)


def verified(world: World, number: int, lease: str, seat: str = "codex") -> int:
    """The seat answers, and the receipt for it is taken; gives the reply's number."""
    reply = answer(world, number, seat)
    assert receipt(world, lease, "sent_and_verified", seat, reply=reply) is None
    return reply


def seen(world: World, path: str, lease: str) -> SeenFile:
    """What the command line would see of a file named as evidence."""
    return SeenFile(*take_marked(str(world.folder), str(world.folder / path), lease))


def is_in(world: World) -> str:
    """The state, for a hold with the one it came from."""
    found = written(world).window
    if found is None:
        return "never armed"
    return f"hold of {found.origin}" if found.state == "hold" else found.state


def kept(
    world: World, code: str, lease: str, outcome: str, seat: str = "codex", **more: Any
) -> None:
    """The receipt is refused by that code: the line says so, and everything else is as before."""
    before = facts(world)
    refused = receipt(world, lease, outcome, seat, **more)
    assert refused is not None
    assert (refused.rule, refused.exit) == ("W19", 3)
    assert code in refused.message
    (op,) = last_ops(world)
    assert (op["op"], op["lease"], op["outcome"], op["code"]) == (
        *("receipt_refused", lease, outcome),
        code,
    )
    assert world.lines()[-1]["seat"] == seat
    with world.look() as view:
        row = queries.receipts(view, limit=1)[0]
    assert (row.lease, row.code, row.reason) == (lease, code, op["reason"])
    assert facts(world) == before


def facts(world: World) -> tuple[object, ...]:
    """Everything that a receipt could change."""
    with world.look() as view:
        tables = ("seat", "window", "intent", "lease", "ack")
        return tuple(view.rows(f"SELECT * FROM {table}") for table in tables)


def drained_with(world: World, reason: str) -> None:
    """The window drains, and that is written with this reason."""
    found = window(world)
    assert (found.state, found.reason) == ("draining", reason)


def id_of(world: World, number: int, seat: str = "codex") -> str:
    with world.look() as view:
        return intent_id(view.head.project, seat, number)


def reasons(world: World, seat: str = "codex") -> dict[int, str]:
    """Why each intent is in its state, by message."""
    return {intent.message: intent.reason for intent in written(world, seat).intents}


def operations(world: World, since: int = 0) -> list[dict[str, Any]]:
    """The operations of all lines after one, in order."""
    return [op for line in world.lines() if line["rev"] > since for op in line["ops"]]


def names(world: World, since: int = 0) -> Counter[str]:
    return Counter(op["op"] for op in operations(world, since))


def last_ops(world: World) -> list[dict[str, Any]]:
    ops: list[dict[str, Any]] = world.lines()[-1]["ops"]
    return ops


def closing(world: World, seat: str = "codex") -> dict[str, Any]:
    """The newest closing receipt of the seat."""
    with world.look() as view:
        return dict(queries.closing_receipts(view, seat, 1)[0])


def unwritten(world: World, command: Command, seat: str = USER) -> StateError:
    """The error with which a command ends; nothing at all is written by that."""
    return world.fails(StateError, command, seat)


def adapter(world: World, name: str = "echo", text: str = "run") -> str:
    """Registers a file of the project as an adapter; gives its fingerprint."""
    file = world.folder / f"{name}.py"
    file.write_text(text)
    world.run(Register(name, take([str(file)])))
    with world.look() as view:
        return adapter_of(view, name).fingerprint
