"""A fixed morning in a shop: what the pictures show, with a clock of its own."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from state import looked
from state.clock import Moment, stamp
from state.command import Actor, Command
from state.create import create
from state.looked import Look
from state.messages.commands import Acknowledge, Post
from state.messages.evidence import take_file
from state.messages.operations import NoEvidence
from state.messages.tasks import AcceptTask, DeclineTask, FinishTask
from state.paths import Paths
from state.project import Project
from state.roster.commands import AddSeat, HideSeat, MarkAway
from tools import scenario_skills, scenario_wakes

START = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)
SEATS = (("claude-code", "claude-code"), ("codex", "codex"), ("hermes", "hermes"))
BODY = """Both crawl the same shops and differ in three selectors.

  crawl-shop        used 14 times
  crawl-shop-fast   used 3 times, breaks on redirects

I would keep the first and move the selectors over. Yes or no?"""


class ScenarioClock:
    """Stands still until the scenario goes on."""

    def __init__(self) -> None:
        self._moment = START

    def now(self) -> str:
        return stamp(self._moment)

    def moment(self) -> Moment:
        return Moment(self.now())

    def pass_minutes(self, minutes: float) -> None:
        self._moment += timedelta(minutes=minutes)


def play(folder: str, clock: ScenarioClock) -> Paths:
    """A morning in a shop: questions, tasks, evidence and none, a hidden seat, windows, skills."""
    paths = create(folder, name="shop", seats=SEATS, clock=clock, via="tui")
    report = Path(folder) / "checkout-report.md"
    report.write_text("40 runs, no failure\n", encoding="utf-8")
    with Project(paths, clock) as project:

        def act(seat: str, command: Command, minutes: float = 1.0) -> int:
            clock.pass_minutes(minutes)
            way = "tui" if seat == "user" else "cli"
            return project.run(command, Actor(seat, way)).rev

        roster = act("user", AddSeat("gemini", 1, host="gemini-cli", roles=("reviewer",)))
        note = Post(("all",), "Freeze on Friday", "Nothing is merged after 16:00.")
        act("user", note, 4)
        fix = act(
            "user",
            Post(
                ("claude-code",),
                "Fix the flaky checkout test",
                "It fails once in ten runs.",
                "task",
            ),
        )
        look = Post(("codex",), "Look at the slow product query", "", "task")
        query = act("user", look)
        act("claude-code", AcceptTask(fix), 2)
        act("claude-code", Acknowledge(fix, through=True))
        slow = "The query scans all variants. An index on (product, locale) is enough."
        answered = Post(("claude-code",), "Which branch has the fixtures?", slow, "question")
        act("codex", answered, 3)
        act("codex", AcceptTask(query))
        evidence = take_file(folder, str(report))
        act("claude-code", FinishTask(fix, evidence), 11)
        act("codex", FinishTask(query, NoEvidence()), 2)
        act("hermes", Post(("user",), "Merge the two crawler skills?", BODY, "question"), 6)
        migrate = Post(("gemini",), "Write the orders migration", "", "task", urgent=True)
        number = act("user", migrate)
        act("gemini", DeclineTask(number, "It collides with the payment freeze"), 4)
        roster = act("user", HideSeat("gemini", roster))
        act("codex", Post(("gemini",), "Your index is on the branch", ""), 2)
        until = stamp(START + timedelta(hours=8))
        act("user", MarkAway("hermes", until, "Its quota is used up"))
        scenario_wakes.arm(project, act)
        over = Post(("claude-code",), "Take over the rounding fix?", "", "task")
        scenario_wakes.wake(project, act, act("codex", over, 3))
        scenario_skills.play(project, act, folder)
        for seat, ago in (("claude-code", 0), ("codex", 0), ("gemini", 3)):
            with project.view() as view:
                looked.leave(paths, seat, Look(clock.now(), view.rev - ago))
        clock.pass_minutes(6)
        scenario_wakes.claim_next(project, act)
    return paths
