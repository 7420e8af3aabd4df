"""What each operation on policies, windows and intents means for the index (W1-W15)."""

from hashlib import sha256
from typing import Any

import orjson

from state.clock import Moment, offset_ms
from state.index.batch import Batch
from state.index.kept import Row
from state.journal.line import Line

Op = dict[str, Any]

# Intents that may still become something else, by anyone but the user.
OPEN = ("pending", "claimed", "failed")


def policy_set(batch: Batch, line: Line, op: Op) -> None:
    """W4: another text may be set at any time; whether it is enabled stays as it is."""
    seat = op["seat"]
    row = batch.kept.find("policy", seat)
    if row is None:
        batch.kept.put("policy", seat=seat, text=op["policy"], hash=op["hash"], enabled=0)
    else:
        row["text"], row["hash"] = op["policy"], op["hash"]
    _touch(batch, line, f"policy:{seat}")


def policy_enabled(batch: Batch, line: Line, op: Op) -> None:
    batch.kept.get("policy", op["seat"])["enabled"] = 1
    _touch(batch, line, f"policy:{op['seat']}")


def policy_disabled(batch: Batch, line: Line, op: Op) -> None:
    batch.kept.get("policy", op["seat"])["enabled"] = 0
    _touch(batch, line, f"policy:{op['seat']}")


def seat_restored(batch: Batch, line: Line, op: Op) -> None:
    """R8: its policy, if it ever had one, is disabled."""
    row = batch.kept.find("policy", op["seat"])
    if row is not None and row["enabled"]:
        policy_disabled(batch, line, op)


def window_armed(batch: Batch, line: Line, op: Op) -> None:
    """W8: nothing at or before the baseline is looked at; each window counts for itself."""
    policy = batch.kept.get("policy", op["seat"])
    policy["window"] = line.rev
    batch.kept.put(
        "window",
        number=line.rev,
        seat=op["seat"],
        state="active",
        policy=policy["text"],
        hash=op["policy_hash"],
        adapter=op["adapter"],
        fingerprint=op["fingerprint"],
        baseline=op["baseline"],
        through=op["baseline"],
        quiet=0,
        wakes=0,
        **moment("armed", op["at"]),
        **moment("counted", op["at"]),
    )
    see_clock(batch, op["at"])
    _note(batch, line, op["seat"], line.rev, "active", "")


def window_draining(batch: Batch, line: Line, op: Op) -> None:
    window = window_of(batch, op["seat"])
    window["state"], window["reason"] = "draining", op["reason"]
    _note(batch, line, op["seat"], window["number"], "draining", op["reason"])


def window_held(batch: Batch, line: Line, op: Op) -> None:
    """W13: where it came from is remembered, and why it drained if it did."""
    window = window_of(batch, op["seat"])
    window["state"], window["origin"], window["cause"] = "hold", op["origin"], op["reason"]
    _note(batch, line, op["seat"], window["number"], "hold", op["reason"])


def window_resumed(batch: Batch, line: Line, op: Op) -> None:
    window = window_of(batch, op["seat"])
    window["state"], window["origin"], window["cause"] = op["state"], None, None
    if op["state"] == "draining":
        window["reason"] = op["reason"]
    _note(batch, line, op["seat"], window["number"], op["state"], op["reason"])


def window_closed(batch: Batch, line: Line, op: Op) -> None:
    """W12: the receipt stands in its line; what it says is kept as it is."""
    window = window_of(batch, op["seat"])
    window["state"], window["reason"] = "closed", op["reason"]
    window["closed"], window["receipt"] = line.rev, orjson.dumps(op).decode()
    _note(batch, line, op["seat"], window["number"], "closed", op["reason"])


def seat_scanned(batch: Batch, line: Line, op: Op) -> None:
    """W11: one intent a message, and a reason for each that gave none."""
    seat, window = op["seat"], window_of(batch, op["seat"])
    window["through"], window["quiet"] = op["through"], op["quiet"]
    if op["counted"] is not None:
        window |= moment("counted", op["counted"])
        see_clock(batch, op["counted"])
    for message in op["created"]:
        batch.kept.put(
            "intent",
            id=intent_id(batch.meta["project"], seat, message),
            seat=seat,
            message=message,
            window=window["number"],
            state="pending",
            attempts=0,
            created=line.rev,
            rev=line.rev,
            at=line.ts,
        )
    for group in op["passed"]:
        known = (window["number"], group["reason"], line.rev)
        batch.rows["passed"] += [(seat, message, *known) for message in group["messages"]]


def intents_superseded(batch: Batch, line: Line, op: Op) -> None:
    for message in op["messages"]:
        set_intent(batch, line, op["seat"], message, "superseded", op["reason"])


def intents_lapsed(batch: Batch, line: Line, op: Op) -> None:
    for message in op["messages"]:
        set_intent(batch, line, op["seat"], message, "lapsed", op["reason"])


def intent_dismissed(batch: Batch, line: Line, op: Op) -> None:
    set_intent(batch, line, op["seat"], op["message"], "dismissed", op["reason"])


def intents_dismissed(batch: Batch, line: Line, op: Op) -> None:
    """R14: those of the range that can still be dismissed."""
    batch.kept.write()
    for (message,) in batch.connection.execute(
        "SELECT message FROM intent WHERE seat=? AND message BETWEEN ? AND ?"
        " AND state IN ('pending', 'failed', 'terminal_hold')",
        (op["seat"], op["first"], op["last"]),
    ).fetchall():
        set_intent(batch, line, op["seat"], message, "dismissed", op["reason"])


def intent_retried(batch: Batch, line: Line, op: Op) -> None:
    set_intent(batch, line, op["seat"], op["message"], "pending", op["reason"])
    batch.kept.get("intent", op["seat"], op["message"])["attempts"] = 0


def clock_jumped(batch: Batch, line: Line, op: Op) -> None:
    see_clock(batch, op["at"])
    batch.rows["clock_jump"].append((line.rev, line.ts, op["by_ms"]))


def accepted(batch: Batch, line: Line, op: Op) -> None:
    """W13: whoever goes on from damage finds each open window on hold."""
    batch.kept.write()
    for seat, number in batch.connection.execute(
        "SELECT w.seat, w.number FROM policy p JOIN window w ON w.number=p.window"
        " WHERE w.state IN ('active', 'draining')"
    ).fetchall():
        window = batch.kept.get("window", number)
        window["state"], window["origin"], window["cause"] = "hold", window["state"], "accepted"
        _note(batch, line, seat, number, "hold", "accepted")


def project_forked(batch: Batch, line: Line, op: Op) -> None:
    """W5, W12: in a copy every window is closed, what was open has lapsed, no policy is enabled."""
    batch.kept.write()
    for row in batch.connection.execute("SELECT seat, window FROM policy").fetchall():
        policy = batch.kept.get("policy", row[0])
        if policy["enabled"]:
            policy["enabled"] = 0
            _touch(batch, line, f"policy:{row[0]}")
        if row[1] is not None and batch.kept.get("window", row[1])["state"] != "closed":
            _close_forked(batch, line, row[0], row[1])


def _close_forked(batch: Batch, line: Line, seat: str, number: int) -> None:
    window = batch.kept.get("window", number)
    window["state"], window["reason"], window["closed"] = "closed", "forked", line.rev
    marks = ",".join("?" * len(OPEN))
    for (message,) in batch.connection.execute(
        f"SELECT message FROM intent WHERE seat=? AND state IN ({marks})", (seat, *OPEN)
    ).fetchall():
        set_intent(batch, line, seat, message, "lapsed", "forked")
    for (lease,) in batch.connection.execute(
        "SELECT id FROM lease WHERE seat=? AND over IS NULL", (seat,)
    ).fetchall():
        row = batch.kept.get("lease", lease)
        row["over"], row["reason"], row["over_rev"] = "forked", "", line.rev
        row |= moment("over", {"utc": line.ts, "boot": None, "ms": None})
    _note(batch, line, seat, number, "closed", "forked")


HANDLERS = {
    "accepted": accepted,
    "policy_set": policy_set,
    "policy_enabled": policy_enabled,
    "policy_disabled": policy_disabled,
    "window_armed": window_armed,
    "window_draining": window_draining,
    "window_held": window_held,
    "window_resumed": window_resumed,
    "window_closed": window_closed,
    "seat_scanned": seat_scanned,
    "intents_superseded": intents_superseded,
    "intents_lapsed": intents_lapsed,
    "intent_dismissed": intent_dismissed,
    "intents_dismissed": intents_dismissed,
    "intent_retried": intent_retried,
    "clock_jumped": clock_jumped,
}


def intent_id(project: str, seat: str, message: int) -> str:
    """W11: the same for every scanner and after every start."""
    return sha256(f"{project}\n{seat}\n{message}".encode()).hexdigest()[:16]


def window_of(batch: Batch, seat: str) -> Row:
    return batch.kept.get("window", batch.kept.get("policy", seat)["window"])


def set_intent(batch: Batch, line: Line, seat: str, message: int, state: str, reason: str) -> Row:
    intent = batch.kept.get("intent", seat, message)
    intent["state"], intent["reason"] = state, reason
    intent["rev"], intent["at"] = line.rev, line.ts
    return intent


def moment(name: str, at: Op) -> Op:
    return {f"{name}_utc": at["utc"], f"{name}_boot": at["boot"], f"{name}_ms": at["ms"]}


def see_clock(batch: Batch, at: Op) -> None:
    """W14: how far the hands stood from the time since boot when that was written last."""
    offset = offset_ms(Moment(at["utc"], at["boot"], at["ms"]))
    if offset is not None:
        batch.kept.put("clock", id=1, boot=at["boot"], offset_ms=offset)


def _touch(batch: Batch, line: Line, entity: str) -> None:
    batch.rows["entity"].append((entity, line.rev))


def _note(batch: Batch, line: Line, seat: str, number: int, state: str, reason: str) -> None:
    _touch(batch, line, f"window:{seat}")
    batch.rows["window_change"].append((seat, line.rev, number, state, reason, line.ts, line.seat))
