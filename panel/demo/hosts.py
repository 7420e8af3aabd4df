"""A demo host at work: it asks the router in shadow, and its hooks report what it then did."""

import os

import orjson

from panel.demo.occasions import Occasion
from panel.demo.skills import roots_of
from state.adapters.check import take_for
from state.command import Actor
from state.hook_call import HookCall
from state.project import Project
from state.routing import building, inventory, requests, skill_index
from state.routing.ask import ask
from state.routing.commands import Suggest
from state.routing.skill_index import Unusable

SESSION = "demo"


def bring(project: Project, seat: str, occasion: Occasion, turn: int) -> None:
    """What a host of the seat's name does on this occasion. Refused or Busy as commands are."""
    ids = {"session_id": SESSION, "cwd": project.paths.project, "prompt_id": f"prompt-{turn}"}
    tool = f"tool-{turn}"
    if occasion.features:
        _suggest(project, seat, occasion, requests.of_event(seat, SESSION, tool) or "")
    for event in occasion.events:
        called = {"tool_use_id": tool} if "tool_name" in event else {}
        raw = orjson.dumps({**ids, **called, **event})
        _hook(project, seat, raw)


def _hook(project: Project, seat: str, raw: bytes) -> None:
    """As the command `hook` takes it, but for a process of its own."""
    HookCall(project, seat, seat).take(lambda: raw, os.path.expanduser("~"))


def _suggest(project: Project, seat: str, occasion: Occasion, request: str) -> None:
    adapter = f"builtin:{seat}"
    if isinstance(skill_index.load(project.paths), Unusable):
        build_index(project)
    asked = ask(project.paths, occasion.features)
    by = (seat, adapter, take_for(adapter, ()).fingerprint)
    project.run(Suggest(request, asked, *by), Actor(seat, "demo"))


def build_index(project: Project) -> None:
    """The router's index of the demo's own skills; those of the person are not looked at."""
    found = inventory.take(roots_of(project))
    index = skill_index.make(building.of_inventory(found))
    skill_index.write(project.paths, index, project.clock.now())
