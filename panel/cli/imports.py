"""`import`: members and messages of another tool's team, by the user (M16)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping

from panel.cli.call import Call
from panel.cli.parser import Verb
from panel.neutral import plain
from state.importing.claude_team import Problem
from state.importing.run import import_team

MOST_PROBLEMS = 20


def _claude_team(call: Call) -> int:
    call.user()
    folder = call.given(0, "DIR")
    done = import_team(
        call.project, folder, prefix=call.args.prefix or "", progress=call.progress("messages")
    )
    shown = {
        "rev": done.rev,
        "team": done.team,
        "seats": done.seats,
        "added": done.added,
        "messages": {
            "new": done.new,
            "known": done.known,
            "changed": done.changed,
            "skipped": sum(problem.position is not None for problem in done.problems),
        },
        "skipped": done.problems,
    }

    def lines() -> Iterator[str]:
        yield f"team {plain(done.team)}"
        if done.added:
            yield f"  {len(done.added)} new seats: {', '.join(done.added)}"
        for name, seat in done.seats.items():
            if name != seat:
                yield f"  {plain(name)} is seated as {seat}"
        yield (
            f"  messages: {done.new:,} new, {done.known:,} known already, {done.changed:,} changed"
            f" since, {len(done.problems):,} things left out"
        )
        for problem in done.problems[:MOST_PROBLEMS]:
            yield f"  left out: {plain(_place(problem))}: {plain(problem.why)}"
        rest = len(done.problems) - MOST_PROBLEMS
        if rest > 0:
            yield f"  and {rest:,} more (--json lists all)"

    return call.answer(shown, lines)


def _place(problem: Problem) -> str:
    if problem.position is None:
        return problem.file
    return f"{problem.file}, entry {problem.position + 1}"


def _arguments(group: _ArgumentGroup) -> None:
    group.add_argument("--prefix", metavar="P", help="what the ids of new seats begin with")


VERBS: Mapping[str, Verb] = {
    "claude-team": Verb(
        _claude_team,
        "Take in the members and messages of a Claude Code team folder.",
        names=(("DIR", "the team's folder, as ~/.claude/teams/NAME"),),
        words="[--prefix P]",
        arguments=_arguments,
        more="Only the user may do it, at a terminal. Members become seats; an id that another team"
        " has taken gets TEAM.NAME. Messages keep where they stood, their time, and the claim"
        " whether they were read; they stand in no queue. What was imported before is not written"
        " again. The folder is never written, locked or touched.",
        examples=("sublation-panel import claude-team ~/.claude/teams/analysis-team",),
    ),
}
