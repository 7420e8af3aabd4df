"""What the demo's agents do, as a pure choice: from what stands in a queue to the next command."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from state.command import Command
from state.messages.commands import Acknowledge, Post
from state.messages.queries import Message
from state.messages.tasks import Task

CAST = (
    ("claude-code", "claude-code"),
    ("codex", "codex"),
    ("hermes", "hermes"),
    ("gemini", "gemini-cli"),
)

OPENING: Sequence[Command] = (
    Post(("all",), "This is the demo shop", "Say what you take on, and prove what you did."),
    Post(("claude-code",), "Is the checkout branch ready to merge?", "", "question"),
    Post(("claude-code",), "Fix the flaky checkout test", "It fails once in ten runs.", "task"),
    Post(("codex",), "Which payment adapter do we keep?", "", "question", urgent=True),
    Post(("hermes",), "Merge the two crawler skills", "Propose it first.", "task"),
)

_NOTES = (
    "Cart totals are rounded in two places",
    "The search page loads all images at once",
    "Two migrations touch the orders table",
    "The error page shows a stack trace",
    "README says 3.10, CI runs 3.11",
)
_QUESTIONS = (
    "May I drop the unused currency table?",
    "Keep the old coupon endpoint until Friday?",
    "Merge the two crawler skills?",
    "Is a 200 ms budget for the cart right?",
)
_TASKS = (
    "Review the cart rounding fix",
    "Add a test for empty baskets",
    "Look at the slow product query",
    "Write down how to rotate the keys",
)
ANSWERS = (
    "Yes, and there is a test for it.",
    "Not yet: the list in the body is what is left.",
    "I would keep both until the migration is through.",
    "Done on a branch; see the evidence.",
)
_REASONS = ("It collides with the migration under way", "This needs the user's decision first")


@dataclass(frozen=True, slots=True)
class Finish:
    """The agent writes a file, names it as evidence and calls the task done."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next: a command, or a task to finish with a file; `pause` is in seconds."""

    act: Command | Finish | None
    pause: float


def next_step(
    random: Random, others: Sequence[str], unread: Sequence[Message], held: Sequence[Task]
) -> Step:
    """The next step of one agent, from its unread messages (oldest first) and its tasks."""
    from state.messages.tasks import AcceptTask, DeclineTask

    pause = random.uniform(0.8, 3.5)
    opened = [task for task in held if task.state == "open"]
    taken = [task for task in held if task.state == "accepted"]
    if opened and random.random() < 0.5:
        if random.random() < 0.2:
            return Step(DeclineTask(opened[0].message, random.choice(_REASONS)), pause)
        return Step(AcceptTask(opened[0].message), pause)
    if taken and random.random() < 0.3:
        return Step(Finish(taken[0].message, f"{taken[0].title}: {random.choice(ANSWERS)}"), pause)
    if unread and random.random() < 0.7:
        due = unread[0]
        answered = random.random() < 0.5 and due.kind in ("question", "note") and due.hops < 3
        if answered and due.sender != "system":
            return Step(
                Post((due.sender,), "", random.choice(ANSWERS), "reply", reply_to=due.id), 0.2
            )
        return Step(Acknowledge(due.id), pause)
    return Step(_something_new(random, others) if random.random() < 0.35 else None, pause)


def _something_new(random: Random, others: Sequence[str]) -> Command:
    chance = random.random()
    if chance < 0.3:
        return Post(("user",), random.choice(_QUESTIONS), "", "question")
    if chance < 0.6:
        return Post((random.choice(others),), random.choice(_TASKS), "", "task")
    return Post((random.choice(others),), random.choice(_NOTES), "Seen while working on something.")
