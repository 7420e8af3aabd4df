"""Discovery and gate decide and do nothing else: no disk, no process, no connection (W30)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.arch.code import Module, assert_none, imports, modules, sample, within
from tests.arch.test_imports import impure
from tests.arch.test_places import networking, starting, touching_disk
from tests.support import environment

pytestmark = pytest.mark.rule("W30")

DISCOVERY, GATE, RECEIPTS = (f"state.wake.{name}" for name in ("discovery", "gate", "receipts"))
# It holds the system's clock too; what others take from it are moments.
CLOCK = "state/clock.py"
NEVER = ("subprocess", "multiprocessing", "socket", "asyncio", "sqlite3", "filelock", "fcntl")


def acting(module: Module) -> list[str]:
    """Whatever in a module could reach beyond its arguments."""
    return [
        *impure(module),
        *starting(module),
        *networking(module),
        *touching_disk(module),
        *(module.at(node) for node, name in imports(module) if within(name, *NEVER)),
    ]


def named(*names: str) -> list[Module]:
    wanted = {f"{name.replace('.', '/')}.py" for name in names}
    found = [module for module in modules("state") if module.name in wanted]
    assert {module.name for module in found} == wanted
    return found


def loaded(*names: str) -> list[str]:
    """The modules that a fresh process has after it imported these."""
    code = f"import sys, {', '.join(names)}\nprint(*sys.modules)"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True)
    return ran.stdout.split()


def test_discovery_and_gate_reach_nothing_beyond_their_arguments() -> None:
    assert acting(sample("import os"))
    assert acting(sample("from socket import create_connection"))
    assert acting(sample("def f():\n    import subprocess"))
    assert acting(sample("from state.journal import lock"))
    assert not acting(sample("from state.clock import Moment"))
    assert_none(found for module in named(DISCOVERY, GATE) for found in acting(module))


def test_nothing_that_they_import_does_either() -> None:
    """The packages above them are empty, so what a fresh process has is what they need."""
    found = loaded(DISCOVERY, GATE)
    assert [name for name in found if within(name, *NEVER)] == []
    own = {f"{name.replace('.', '/')}.py" for name in found if within(name, "state")}
    assert len(own) > 4
    on_the_way = [one for one in modules("state") if one.name in own - {CLOCK}]
    assert_none(each for module in on_the_way for each in acting(module))


def test_the_three_layers_stand_in_their_order() -> None:
    (discovery, gate) = named(DISCOVERY, GATE)
    later = {discovery.name: (GATE, RECEIPTS), gate.name: (DISCOVERY, RECEIPTS)}
    for module in (discovery, gate):
        above = later[module.name]
        assert_none(module.at(node) for node, name in imports(module) if within(name, *above))
