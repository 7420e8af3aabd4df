"""What may import what, seen in the source and in fresh processes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arch.code import Module, assert_none, imports, modules, sample, uses, within
from tests.support import environment, program, run_cli

SCREEN = ("panel", "textual", "rich")
HEAVY = ("textual", "rich", "pydantic", "pydantic_core", "watchfiles", "mcp")
# Readers take no lock, and nothing on their way waits for anything.
WRITERS_ONLY = ("filelock", "asyncio")
# Many dataclasses, which take longer to make than the first screen to draw.
AFTER_THE_FIRST_FRAME = (
    *("state.messages.operations", "state.messages.commands", "state.roster.operations"),
    *("state.wake.operations", "state.wake.model", "state.wake.shown", "state.running"),
)
# Making one takes as long as making five named tuples: at the start there are only those that check
# their fields, are written to the journal or to an answer as they stand, or are altered.
DATACLASSES_AT_THE_START = {"Actor", "Away", "Keymap", "Moment", "Submission", "_Page"}

# What every mode or every dialog is made from; the screens themselves are told apart by messages.
BASES = {"panel.screens.mode", "panel.screens.dialog"}

PURE = re.compile(r"^state/(\w+/decide|needs)\.py$")
IMPURE = (
    "os",
    "io",
    "sys",
    "time",
    "random",
    "secrets",
    "uuid",
    "shutil",
    "pathlib",
    "sqlite3",
    "state.files",
    "state.paths",
    "state.journal",
    "state.project",
)


def crossing(module: Module) -> list[str]:
    return [module.at(node) for node, name in imports(module) if within(name, *SCREEN)]


def opening_screens(module: Module) -> list[str]:
    """Imports of one screen by another."""
    return [
        module.at(node)
        for node, name in imports(module)
        if within(name, "panel.screens") and not within(name, *BASES)
    ]


def impure(module: Module) -> list[str]:
    found = [module.at(node) for node, name in imports(module) if within(name, *IMPURE)]
    clocks = ("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today", "open")
    return found + [module.at(node) for node, name in uses(module) if name in clocks]


def test_state_imports_nothing_of_a_screen() -> None:
    assert crossing(sample("def f():\n    from rich.text import Text"))
    assert crossing(sample("import panel.keys"))
    assert_none(found for module in modules("state") for found in crossing(module))


def test_screens_do_not_import_screens() -> None:
    assert opening_screens(sample("from panel.screens.queue import Queue"))
    assert opening_screens(sample("from panel.screens import compose"))
    assert not opening_screens(sample("from panel.screens.dialog import Dialog"))
    screens = modules("panel/screens")
    assert len(screens) > 3
    assert_none(found for module in screens for found in opening_screens(module))


def test_decisions_read_no_clock_no_disk_and_no_environment() -> None:
    assert impure(sample("from os import environ"))
    assert impure(sample("from datetime import datetime as d\nnow = d.now()"))
    assert impure(sample("text = open('x')"))
    pure = [module for module in modules("state") if PURE.match(module.name)]
    assert len(pure) >= 3
    assert_none(found for module in pure for found in impure(module))


def printed(code: str) -> set[str]:
    """The words that a fresh process prints."""
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True)
    return set(ran.stdout.split())


def loaded(code: str) -> set[str]:
    """The modules that a fresh process has after the code."""
    return printed(f"{code}\nimport sys\nprint(*sys.modules)")


def test_a_fresh_process_with_the_state_has_no_screen() -> None:
    found = loaded("import state.project")
    assert "state" in found
    assert found.isdisjoint({*SCREEN, *HEAVY})


def test_the_first_frame_does_not_wait_for_what_comes_after_it() -> None:
    found = loaded("import panel.app, panel.screens.overview")
    assert {"panel.app", "state.overview"} <= found
    assert found.isdisjoint(AFTER_THE_FIRST_FRAME), sorted(found & set(AFTER_THE_FIRST_FRAME))


def test_values_that_the_first_frame_is_made_of_are_made_quickly() -> None:
    found = printed(
        "import gc, panel.app, panel.screens.overview, state.health\n"
        "made = [one for one in gc.get_objects() if isinstance(one, type)]\n"
        "made = [one for one in made if hasattr(one, '__dataclass_fields__')]\n"
        "print(*(one.__name__ for one in made if one.__module__.startswith(('panel', 'state'))))"
    )
    assert "Actor" in found
    assert found <= DATACLASSES_AT_THE_START, sorted(found - DATACLASSES_AT_THE_START)


@pytest.mark.parametrize(
    ("words", "never"),
    [
        (["post", "hermes", "--title", "hello"], HEAVY),
        (["inbox"], (*HEAVY, *WRITERS_ONLY)),
        (["status"], (*HEAVY, *WRITERS_ONLY)),
    ],
    ids=["post", "inbox", "status"],
)
def test_everyday_commands_import_nothing_heavy(
    tmp_path: Path, words: list[str], never: tuple[str, ...]
) -> None:
    made = run_cli("init", "--seat", "codex", "--seat", "hermes", cwd=tmp_path)
    assert made.code == 0, made.err
    command = [sys.executable, "-X", "importtime", *program(*words)[1:]]
    changes = {"SUBLATION_SEAT": "codex"}
    ran = subprocess.run(
        command, cwd=tmp_path, env=environment(changes), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    lines = [line for line in ran.stderr.splitlines() if line.startswith("import time:")]
    found = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
    assert {"panel", "state"} <= found
    assert found.isdisjoint(never), sorted(found & set(never))
