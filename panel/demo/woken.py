"""The demo's wake window: armed when the demo starts, and one agent that claims and answers."""

import os
from collections.abc import Callable
from random import Random

from panel.demo.script import ANSWERS
from state.command import Actor
from state.errors import ClaimRefused
from state.messages import queries
from state.messages.commands import Post
from state.project import Project
from state.wake.lease_commands import Claim, granted
from state.wake.load import seat_wake
from state.wake.policy import policy_of
from state.wake.receipt_commands import TakeReceipt
from state.wake.window_commands import Arm, EnablePolicy, SetPolicy

# The seat whose window is armed; nothing but the seat itself may claim for it.
WOKEN = "claude-code"
LIMITS = {
    "window_seconds": 3_600,
    "maximum_quiet_cycles": 100,
    "maximum_wakes": 100,
    "scan_interval_seconds": 30,
    "cooldown_seconds": 10,
    "hourly_quota": 60,
    "lease_seconds": 60,
    # As wide as it goes: agents that work on and on come over more hops with each hour's messages.
    "maximum_hops": 16,
}
_FAILS = 0.1


def arm(project: Project) -> None:
    """What the person would do by hand: a policy, enabled, and a window armed with it."""
    user = Actor("user", "demo")
    with project.view() as view:
        policy = policy_of(LIMITS, view.head.project, WOKEN)
    project.run(SetPolicy(WOKEN, policy=policy), user)
    project.run(EnablePolicy(WOKEN), user)
    with project.view() as view:
        wake = seat_wake(view, WOKEN)
    project.run(
        Arm(
            WOKEN,
            policy_hash=wake.policy_hash,
            policy_revision=wake.policy_revision,
            window_revision=wake.window_revision,
        ),
        user,
    )


def answer_one(
    project: Project, seat: str, random: Random, wait: Callable[[float], object]
) -> bool:
    """Claims the oldest intent, answers its message and proves it; False where nothing was got."""
    actor = Actor(seat, "demo")
    try:
        done = project.run(Claim(os.urandom(16).hex()), actor)
        lease = granted(done.ops, seat)
    except ClaimRefused:
        return False
    wait(random.uniform(2.0, 6.0))
    if random.random() < _FAILS:
        project.run(TakeReceipt(lease["lease"], "failed", exit_code=1), actor)
        return True
    with project.view() as view:
        message = queries.get(view, lease["message"], {})
    text = random.choice(ANSWERS)
    reply = Post((message.sender,), "", text, "reply", reply_to=message.id)
    written = project.run(reply, actor).rev
    project.run(TakeReceipt(lease["lease"], "sent_and_verified", reply=written), actor)
    return True
