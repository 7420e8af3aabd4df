"""A line that says less of a choice or a receipt than it has to: damage that is named, no fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, make_dataclass
from pathlib import Path
from typing import Any

import pytest

from state.clock import Moment
from state.command import Actor
from state.errors import Damaged
from state.index.view import View
from state.routing import queries
from tests.state.routing_support import Desk
from tests.state.world import World

Read = Callable[[View, str], Sequence[object]]


@dataclass(frozen=True)
class Write:
    """Writes an operation as it is given, whatever its kind would have to say."""

    op: object

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        return [self.op]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return False


@pytest.mark.parametrize(
    ("read", "lacks"),
    [(queries.choices, "chosen_by"), (queries.receipts, "skill_sha256_by")],
)
def test_what_a_line_lacks_is_damage(world: World, tmp_path: Path, read: Read, lacks: str) -> None:
    desk = Desk(world, tmp_path)
    desk.register()
    said = desk.choose("r1", "docx") if read is queries.choices else desk.receipt("r1")
    less = {name: value for name, value in said.items() if name != lacks}
    assert len(less) == len(said) - 1
    op = make_dataclass("Less", less)(**less)
    assert asdict(op) == less
    world.run(Write(op))
    with world.look() as view:
        line = view.rev
        with pytest.raises(Damaged, match=rf"line {line} .*{lacks}"):
            read(view, "r1")
