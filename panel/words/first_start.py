"""What the first start says, in a folder that holds no project."""

from __future__ import annotations

TITLE = "No project here yet"
NAME = "name"
SEATS = "agents"
SEATS_HINT = "ids with spaces between, as in: codex hermes; can be added later"
AGENTS = (
    "An agent takes its seat by command line, from any folder below this one:\n"
    "  export SUBLATION_SEAT=codex\n"
    "  sublation-panel inbox                        what waits for it\n"
    "  sublation-panel post user --title 'hello'    a message to you"
)


def writes(outside: str) -> str:
    """What a project is, and what is written; `outside` is the folder of its anchor."""
    return (
        "A project is a folder .sublation-panel/ in it, which only you can read. It holds a journal"
        " that is only ever added to; the program never changes or deletes what is written there,"
        " and sends nothing anywhere. Outside the folder it keeps one small file, under"
        f" {outside}/, which shows a rolled-back or copied project.\n"
        "It begins with one line: the project's name, your seat, and those of the agents that you"
        " name."
    )


def how(create: str) -> str:
    """How to go on from here."""
    return f"tab goes to the fields; enter, or {create} outside them, creates it"


def none_in(folder: str) -> str:
    """Where there is none."""
    return f"There is no project in {folder} or in a folder above it."
