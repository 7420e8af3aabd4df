"""The part of the fixed morning in which seats are woken: verified, claimed, held, passed over."""

from collections.abc import Callable

from state.command import Command
from state.messages.commands import Post
from state.project import Project
from state.scanner import Scanner
from state.wake.lease_commands import Claim
from state.wake.load import seat_wake
from state.wake.policy import policy_of
from state.wake.receipt_commands import TakeReceipt
from state.wake.window_commands import Arm, EnablePolicy, SetPolicy

Act = Callable[[str, Command, float], int]

CALM = {"window_seconds": 3_600, "cooldown_seconds": 300, "lease_seconds": 600}
STRICT = {"window_seconds": 1_800, "maximum_attempts": 1}


def arm(project: Project, act: Act) -> None:
    """Two windows, armed by the user, and a policy that could be armed."""
    for seat, limits in (("claude-code", CALM), ("codex", STRICT), ("hermes", CALM)):
        with project.view() as view:
            policy = policy_of(limits, view.head.project, seat)
        act("user", SetPolicy(seat, policy=policy), 0.5)
        act("user", EnablePolicy(seat), 0.1)
        if seat == "hermes":
            continue
        with project.view() as view:
            wake = seat_wake(view, seat)
        seen = (wake.policy_hash, wake.policy_revision, wake.window_revision)
        act("user", Arm(seat, *seen), 0.1)


def wake(project: Project, act: Act, task: int) -> None:
    """One message is answered and proved; another's only attempt fails, and its window stops."""
    scan(project)
    act("claude-code", Claim("7f3c21a9d04b8e65"), 0.2)
    reply = Post(("codex",), "", "Yes: it is small, and I have the fixtures.", "reply", task)
    answered = act("claude-code", reply, 0.5)
    act("claude-code", TakeReceipt("7f3c21a9d04b8e65", "sent_and_verified", reply=answered), 0.1)
    act("user", Post(("claude-code",), "Lunch at one", ""), 0.2)
    act("user", Post(("claude-code",), "Which tests still fail?", "", "question"), 0.3)
    act("user", Post(("codex",), "Is the new index used?", "", "question"), 0.3)
    scan(project)
    act("codex", Claim("b82e90c4417d3af6"), 0.2)
    act("codex", TakeReceipt("b82e90c4417d3af6", "timeout"), 0.8)


def claim_next(project: Project, act: Act) -> None:
    """A lease that is live when the pictures are taken; nothing is due by the time."""
    act("claude-code", Claim("c5d1f80b6e29a347"), 0.0)
    scan(project)


def scan(project: Project) -> None:
    """Every open window once, as the panel would."""
    Scanner(project, "tui").scan()
