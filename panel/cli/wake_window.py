"""`wake arm`, `drain`, `hold`, `resume`: a window by the user alone (W6-W8, W10, W13)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from panel.cli import wake_shapes as shapes
from panel.cli.call import Call
from panel.cli.parser import Verb
from panel.cli.wake_policy import user
from state.errors import BadInput

if TYPE_CHECKING:
    from state.command import Actor
    from state.project import Committed


def _arm(call: Call) -> int:
    return _agreed(call, resumes=False)


def _resume(call: Call) -> int:
    return _agreed(call, resumes=True)


def _agreed(call: Call, *, resumes: bool) -> int:
    """Shows what is agreed to, asks, and sends exactly what was shown (W6)."""
    from state.wake.window_commands import Arm, Resume

    actor = user(call, Resume.WHAT if resumes else Arm.WHAT)
    from panel.cli.ask import confirmed
    from panel.present import ages
    from panel.words import wake_policy as words
    from state.wake.arming import agreement

    seat = call.given(0, "SEAT")
    now = call.project.clock.moment()
    with call.looking() as view:
        if not call.is_sound:
            return 0
        found = agreement(view, call.paths, seat, now, resumes=resumes)
    if found.refusal is not None and call.args.key is None:
        raise found.refusal
    about = words.agreed_to(found, ages.parsed(now.utc))
    confirmed(words.RESUME if resumes else words.ARM, about=about)
    with call.project.view() as view:
        now = call.project.clock.moment()
        last = agreement(view, call.paths, seat, now, resumes=resumes)
    done = call.change(lambda: found.command(last), actor)
    return _answered(call, done, actor, seat, found.wake.policy_hash)


def _answered(call: Call, done: Committed, actor: Actor, seat: str, digest: str) -> int:
    from panel.cli.wake import looked_at

    one = looked_at(call, seat)
    about = {"seat": seat, "policy_hash": digest, "window": shapes.window(one)}

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import wake_show as words

        yield from map(plain, words.state(one, call.project.clock.now()))

    return shapes.changed(call, done, actor, about, lines)


def _drain(call: Call) -> int:
    from state.wake.window_commands import Drain

    actor, seat = _reducing(call, Drain.WHAT), call.given(0, "SEAT")
    done = call.change(lambda: Drain(seat, drifted=shapes.drifted(call, seat)), actor)
    return _reduced(call, done, actor, seat)


def _hold(call: Call) -> int:
    from state.wake.window_commands import Hold, HoldAll

    actor = _reducing(call, Hold.WHAT)
    if call.args.every:
        if call.args.given:
            raise BadInput("either one seat or --all", "leave one of them out")
        done = call.change(HoldAll, actor)
        held = [op["seat"] for op in done.ops if op["op"] == "window_held"]
        return shapes.changed(call, done, actor, {"seats": held})
    seat = call.given(0, "SEAT")
    done = call.change(lambda: Hold(seat, drifted=shapes.drifted(call, seat)), actor)
    return _reduced(call, done, actor, seat)


def _reduced(call: Call, done: Committed, actor: Actor, seat: str) -> int:
    from panel.cli.wake import looked_at

    one = looked_at(call, seat)
    closing = next((op for op in _closing(call, seat) if one.window is None), None)

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import wake_show as words

        yield from map(plain, words.state(one, call.project.clock.now()))
        if closing is not None:
            yield from map(plain, words.closing(closing))

    about = {"seat": seat, "window": shapes.window(one), "closing": closing}
    return shapes.changed(call, done, actor, about, lines)


def _closing(call: Call, seat: str) -> Sequence[Mapping[str, Any]]:
    from state.wake.queries import closing_receipts

    with call.looking() as view:
        return closing_receipts(view, seat, 1)


def _reducing(call: Call, what: str) -> Actor:
    """The user, at a terminal or named with `--as user`: what only reduces needs no terminal."""
    from state.command import Actor
    from state.wake import window

    seat = call.seat()
    window.by_user_only(seat, what)
    return Actor(seat, "tty" if call.at_terminal else "cli")


def _every(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--all", dest="every", action="store_true", help="every window that is active or draining"
    )


SEAT = (("SEAT", "the agent seat"),)
REDUCES = "Only the user may do it; it only reduces, so --as user needs no terminal."

ARM = Verb(
    _arm,
    "For a bounded time a new message may lead to a wake.",
    names=SEAT,
    changes=True,
    more="Only the user may do it, at a terminal. Shows the policy, its hash, the deadline, every"
    " limit and a check of adapter and consumers, and asks. Messages that came before are never"
    " replayed. Arming starts nothing: somebody scans (wake run), and who may claim claims.",
)
DRAIN = Verb(
    _drain,
    "No new intents; what is pending may still be claimed.",
    names=SEAT,
    changes=True,
    more=f"{REDUCES} To go on afterwards, arm again.",
)
HOLD = Verb(
    _hold,
    "Stop a window, or all, at once; a live lease runs on.",
    names=(("[SEAT]", "the agent seat"),),
    words="[--all]",
    arguments=_every,
    changes=True,
    more=REDUCES,
    examples=("sublation-panel wake hold codex", "sublation-panel --as user wake hold --all"),
)
RESUME = Verb(
    _resume,
    "Let a window on hold go on where it was.",
    names=SEAT,
    changes=True,
    more="Only the user may do it, at a terminal. Shows what it means, as `wake arm` does, and"
    " asks. What came during the hold is looked at then."
    " Refused while the cause of the hold stands.",
)
