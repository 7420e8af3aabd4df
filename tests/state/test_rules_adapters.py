"""W21: who registers adapters, what a registration says, and how long it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from state.adapters import queries
from state.adapters.check import Checked, check, take_for
from state.adapters.commands import FILES_BYTES, Register, Revoke
from state.adapters.fingerprint import take
from state.adapters.ids import BUILTIN
from state.errors import BadInput, NotFound, Refused, RevisionConflict
from state.wake.consumer_commands import DeclareConsumer, EndConsumer
from state.wake.consumers import every_consumer
from tests.state.adapter_support import adapter_folder, found, register
from tests.state.world import World

pytestmark = pytest.mark.rule("W21")


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    return adapter_folder(tmp_path)


def test_only_the_user_registers_and_revokes(world: World, mini: Path) -> None:
    command = Register("mini", take([str(mini)]))
    for seat in ("codex", "hermes"):
        assert "only the user" in world.refused("W21", command, seat).message
    world.run(command)
    world.refused("W21", Revoke("mini", "x"), "codex")
    assert found(world, "mini").registered_by == "user"
    assert found(world, "mini").is_registered


def test_a_registration_stands_until_it_is_revoked_or_replaced(world: World, mini: Path) -> None:
    first = register(world, "mini", mini, labels=("claims", "renews", "claims"))
    assert first.capabilities == ("claims", "renews")
    assert (first.revision, first.registered_rev) == (2, 2)
    again = Register("mini", take([str(mini)]), ("claims", "renews"))
    assert "already" in world.refused("W21", again).message
    # Other labels, another place, other bytes are each a new registration.
    assert register(world, "mini", mini).capabilities == ()
    (mini / "run.py").write_text("other")
    second = register(world, "mini", mini)
    assert second.fingerprint != first.fingerprint
    moved = mini.rename(mini.parent / "moved")
    third = register(world, "mini", moved)
    assert (third.fingerprint, third.base) == (second.fingerprint, str(moved))
    world.run(Revoke("mini", "not [/b] mine"))
    gone = found(world, "mini")
    assert gone.revoked is not None
    assert (gone.revoked.by, gone.revoked.reason) == ("user", "not [/b] mine")
    assert (gone.is_registered, gone.revision) == (False, 6)
    with world.look() as view:
        assert queries.registered(view, "mini") is None
    world.refused("W21", Revoke("mini", "again"))
    # The very same files may be registered again then.
    back = register(world, "mini", moved)
    assert (back.is_registered, back.revoked) == (True, None)
    with world.look() as view:
        assert [one.adapter for one in queries.adapters(view)] == ["mini"]
        assert queries.find(view, "other") is None
    world.fails(NotFound, Revoke("other", "x"))


def test_an_index_that_is_built_anew_says_the_same(world: World, mini: Path) -> None:
    def said() -> tuple[object, ...]:
        with world.look() as view:
            return queries.adapters(view), every_consumer(view, world.paths)

    register(world, "mini", mini)
    world.run(Revoke("mini", "x"))
    register(world, "mini", mini / "run.py")
    register(world, "other", mini)
    world.run(Revoke("other", "y"))
    for name in ("one", "two"):
        world.run(DeclareConsumer("codex", name))
        world.run(DeclareConsumer("hermes", name))
        world.run(EndConsumer("hermes"))
        if name == "one":
            world.run(EndConsumer("codex"))
    before = said()
    world.close()
    for path in Path(world.paths.cache).glob("index*"):
        path.unlink()
    assert said() == before
    assert [one.name for one in before[1]] == ["two"]  # type: ignore[attr-defined]


def test_what_was_seen_must_still_stand(world: World, mini: Path) -> None:
    world.run(Register("mini", take([str(mini)]), seen=0))
    (mini / "run.py").write_text("other")
    assert world.fails(RevisionConflict, Register("mini", take([str(mini)]), seen=0)).actual == 2
    world.run(Register("mini", take([str(mini)]), seen=2))
    with pytest.raises(BadInput):
        Register("mini", take([str(mini)]), seen=-1)


def test_a_key_makes_it_safe_to_repeat(world: World, mini: Path) -> None:
    command = Register("mini", take([str(mini)]), ("a",))
    assert world.run(command, key="k").rev == world.run(command, key="k").rev == 2
    with pytest.raises(Refused, match="says something else"):
        world.run(replace(command, capabilities=()), key="k")
    assert world.run(Revoke("mini", "x"), key="r").rev == 3
    assert world.run(Revoke("mini", "x"), key="r").repeated


@pytest.mark.parametrize(
    "adapter", ["", "Mini", "a b", "../x", "a" * 64, "all", "user", "builtin:other", "\ud800", "日"]
)
def test_an_id_is_like_a_seats(mini: Path, adapter: str) -> None:
    with pytest.raises(BadInput):
        Register(adapter, take([str(mini)]))


@pytest.mark.parametrize("label", ["", "a\nb", "x" * 41, "\u202e", "\ud800"])
def test_labels_are_plain(mini: Path, label: str) -> None:
    with pytest.raises(BadInput):
        Register("mini", take([str(mini)]), (label,))
    with pytest.raises(BadInput):
        Register("mini", take([str(mini)]), tuple(map(str, range(17))))


def test_many_files_are_one_line_all_the_same(world: World, mini: Path) -> None:
    for number in range(600):
        (mini / f"module-{number:04}.py").write_text(str(number))
    adapter = register(world, "mini", mini)
    assert (adapter.count, adapter.files) == (603, ())
    assert len(world.log().splitlines()[-1]) < FILES_BYTES
    assert check(adapter).is_same
    (mini / "module-0300.py").write_text("other")
    assert check(adapter) == Checked("mini", "drifted", take([str(mini)]).fingerprint)
    names = [str(path) for path in mini.glob("module-*")]
    with pytest.raises(BadInput, match="too many to name"):
        Register("mini", take([*names, *(str(path) for path in _long(mini))]))


def _long(mini: Path) -> Iterator[Path]:
    for number in range(100):
        path = mini / f"{number}-{'x' * 200}"
        path.write_text("")
        yield path


def test_the_programs_own_are_its_module_files(
    world: World, mini: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = "builtin:codex"
    monkeypatch.setitem(BUILTIN, own, "nowhere/hooks")
    with pytest.raises(BadInput, match="no hook readers"):
        take_for(own, ())
    monkeypatch.setitem(BUILTIN, own, "adapters")
    taken = take_for(own, ())
    names = [file.path for file in taken.files]
    assert "fingerprint.py" in names
    assert all(name.endswith(".py") for name in names)
    with pytest.raises(BadInput, match="own"):
        take_for(own, (str(mini),))
    world.run(Register(own, taken))
    adapter = found(world, own)
    assert (adapter.paths, check(adapter).is_same) == ((), True)
    monkeypatch.setitem(BUILTIN, own, "roster")
    assert "fingerprint.py" in check(adapter).gone
