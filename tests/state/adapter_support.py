"""An adapter's folder as tests use it, registered without the command line."""

from __future__ import annotations

from pathlib import Path

from state.adapters import queries
from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.adapters.queries import Adapter
from tests.state.world import World


def adapter_folder(place: Path) -> Path:
    """Two modules, and a link to one of them."""
    folder = place / "adapters" / "mini"
    (folder / "lib").mkdir(parents=True)
    (folder / "run.py").write_text("print('run')")
    (folder / "lib" / "act.py").write_text("act = 1")
    (folder / "again.py").symlink_to("lib/act.py")
    return folder


def register(world: World, adapter: str, *given: Path, labels: tuple[str, ...] = ()) -> Adapter:
    world.run(Register(adapter, take([str(path) for path in given]), labels))
    return found(world, adapter)


def found(world: World, adapter: str) -> Adapter:
    with world.look() as view:
        return queries.get(view, adapter)
