"""W21: the user registers adapters, by a fingerprint that any change of a file moves."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from state.adapters import queries, walk
from state.adapters.check import Checked, check, take_for
from state.adapters.commands import FILES_BYTES, Register, Revoke
from state.adapters.fingerprint import Taken, take
from state.adapters.ids import BUILTIN
from state.adapters.names import from_stored, stored
from state.adapters.queries import Adapter
from state.errors import BadInput, NotFound, Refused, RevisionConflict
from state.wake.consumer_commands import DeclareConsumer, EndConsumer
from state.wake.consumers import every_consumer
from tests.state.world import World

pytestmark = pytest.mark.rule("W21")

NOBODY = 65534


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    """An adapter's folder: two modules and a link to one of them."""
    folder = tmp_path / "adapters" / "mini"
    (folder / "lib").mkdir(parents=True)
    (folder / "run.py").write_text("print('run')")
    (folder / "lib" / "act.py").write_text("act = 1")
    (folder / "again.py").symlink_to("lib/act.py")
    return folder


def by_hand(**files: bytes) -> str:
    """The fingerprint of files with plain names, without the program."""
    lines = [f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    return sha256("".join(lines).encode()).hexdigest()


def register(world: World, adapter: str, *given: Path, labels: tuple[str, ...] = ()) -> Adapter:
    world.run(Register(adapter, take([str(path) for path in given]), labels))
    return found(world, adapter)


def found(world: World, adapter: str) -> Adapter:
    with world.look() as view:
        return queries.get(view, adapter)


def refusal(*given: Path | str) -> BadInput:
    """Why these files can't be an adapter's: one line, with something to do."""
    with pytest.raises(BadInput) as caught:
        take([str(path) for path in given])
    assert caught.value.field == "files"
    assert caught.value.hint
    assert "\n" not in caught.value.message
    return caught.value


def test_the_fingerprint_is_over_paths_and_bytes_from_the_common_parent(mini: Path) -> None:
    act, run = b"act = 1", b"print('run')"
    whole = by_hand(**{"run.py": run, "lib/act.py": act, "again.py": act})
    assert take([str(mini)]).fingerprint == whole
    # The same files in another place, in another order, named twice or through a link.
    moved = shutil.copytree(mini, mini.parent.parent / "moved" / "other", symlinks=True)
    link = mini.parent / "link"
    link.symlink_to(mini)
    for given in ([moved], [mini, mini / "run.py"], [mini / "lib", mini], [link], [mini, mini]):
        assert take([str(path) for path in given]).fingerprint == whole
    # Files that are named start at the folder that holds them all.
    assert take([str(mini / "run.py")]).fingerprint == by_hand(**{"run.py": run})
    both = take([str(mini / "run.py"), str(mini / "lib")])
    assert both.fingerprint == by_hand(**{"run.py": run, "lib/act.py": act})
    assert (both.base, both.paths) == (str(mini), ("lib", "run.py"))
    assert [(file.path, file.bytes) for file in both.files] == [("lib/act.py", 7), ("run.py", 12)]
    assert both.bytes == 19


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no sha256sum here")
def test_the_page_says_how_to_get_it_without_the_program(mini: Path) -> None:
    (mini / "a b;'c").write_bytes(b"\0\n")
    (mini / "again.py").unlink()
    ask = "find . -type f -print0 | sort -z | xargs -0 sha256sum | sed 's,  ./,  ,' | sha256sum"
    env = {"LC_ALL": "C", "PATH": os.environ["PATH"]}
    ran = subprocess.run(ask, shell=True, cwd=mini, env=env, capture_output=True, check=True)
    assert ran.stdout.split()[0].decode() == take([str(mini)]).fingerprint


def test_one_changed_byte_shows(world: World, mini: Path) -> None:
    adapter = register(world, "mini", mini)
    assert check(adapter) == Checked("mini", "same", adapter.fingerprint)
    (mini / "lib" / "act.py").write_text("act = 2")
    (mini / "new").write_text("")
    (mini / "run.py").unlink()
    now = check(adapter)
    assert (now.became, now.on_disk) == ("drifted", take([str(mini)]).fingerprint)
    # The link shows what it leads to.
    assert now.changed == ("again.py", "lib/act.py")
    assert (now.gone, now.new) == (("run.py",), ("new",))
    assert not now.is_same


def test_names_count_as_much_as_bytes(mini: Path) -> None:
    before = take([str(mini)]).fingerprint
    (mini / "run.py").rename(mini / "ran.py")
    assert take([str(mini)]).fingerprint != before


def test_a_name_cannot_be_made_to_look_like_two_files(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    for folder in (one, two, three):
        folder.mkdir()
    (one / f"a\n{sha256(b'').hexdigest()}  b").touch()
    (two / "a").touch()
    (two / "b").touch()
    (three / f"a\\n{sha256(b'').hexdigest()}  b").touch()
    assert len({take([str(folder)]).fingerprint for folder in (one, two, three)}) == 3


def test_what_was_registered_is_gone_or_another_thing(world: World, mini: Path) -> None:
    adapter = register(world, "mini", mini / "run.py", mini / "lib")
    shutil.rmtree(mini / "lib")
    now = check(adapter)
    assert (now.became, now.gone, now.changed) == ("drifted", ("lib/act.py",), ())
    shutil.rmtree(mini)
    assert check(adapter).gone == ("lib/act.py", "run.py")
    mini.mkdir()
    (mini / "run.py").symlink_to("/etc/hostname")
    now = check(adapter)
    assert (now.became, now.on_disk, now.changed) == ("unreadable", None, ())
    assert "run.py" in now.why


def test_a_link_is_followed_only_inside_the_folder(mini: Path) -> None:
    outside = mini.parent / "outside.py"
    outside.write_text("x")
    for target in (outside, Path("../outside.py"), mini.parent, Path("/")):
        (mini / "out").symlink_to(target)
        assert "leads out" in refusal(mini).message
        (mini / "out").unlink()
    # A folder beside it whose name begins alike is outside too.
    twin = mini.parent / "mini2"
    twin.mkdir()
    (mini / "out").symlink_to(twin)
    assert "leads out" in refusal(mini).message
    (mini / "out").unlink()
    (mini / "inside").symlink_to(mini / "lib")
    names = [file.path for file in take([str(mini)]).files]
    assert names == ["again.py", "inside/act.py", "lib/act.py", "run.py"]


@pytest.mark.parametrize("target", [".", "..", "loop", "lib"])
def test_a_circle_ends(mini: Path, target: str) -> None:
    (mini / "lib" / "loop").symlink_to(target)
    if target == "lib":
        (mini / "lib" / "lib").symlink_to("../lib")
    refusal(mini)


def test_a_circle_of_two_folders_ends(mini: Path) -> None:
    (mini / "one").mkdir()
    (mini / "two").mkdir()
    (mini / "one" / "to").symlink_to("../two")
    (mini / "two" / "to").symlink_to("../one")
    assert "circle" in refusal(mini).message


def test_what_is_no_plain_file_is_refused(world: World, mini: Path) -> None:
    empty = mini.parent / "empty"
    (empty / "deeper").mkdir(parents=True)
    refusal()
    refusal(empty)
    refusal("")
    refusal("a\0b")
    refusal("\ud800")
    assert "can't be read" in refusal(mini / "missing").message
    os.mkfifo(mini / "pipe")
    for given in (mini, mini / "pipe"):
        assert "pipe" in refusal(given).message
    (mini / "pipe").unlink()
    (mini / "dangling").symlink_to("nowhere")
    assert "dangling" in refusal(mini).message


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights that root has everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_cannot_be_read_is_said(world: World) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        folder = Path(place) / "open"
        (folder / "closed").mkdir(parents=True)
        (folder / "run.py").write_text("x")
        adapter = register(world, "mini", folder)
        for closed, mode in ((folder / "run.py", 0o644), (folder / "closed", 0o755)):
            closed.chmod(0)
            with as_nobody():
                assert closed.name in refusal(folder).message
                now = check(adapter)
            assert (now.became, now.on_disk) == ("unreadable", None)
            assert closed.name in now.why
            closed.chmod(mode)
        assert check(adapter).is_same


def test_work_is_bounded(mini: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "ENTRIES_LIMIT", 5)
    take([str(mini)])
    (mini / "one").write_text("")
    take([str(mini)])
    (mini / "more").mkdir()
    assert "more than 5" in refusal(mini).message
    monkeypatch.undo()
    monkeypatch.setattr(walk, "BYTES_LIMIT", 26)
    assert take([str(mini)]).bytes == 26
    (mini / "one").write_text("1")
    assert "in all" in refusal(mini).message
    monkeypatch.undo()
    with (mini / "huge").open("wb") as file:
        file.truncate(walk.BYTES_LIMIT + 1)
    assert "1 GiB" in refusal(mini).message


def test_links_that_double_at_each_step_stop_at_the_limit(mini: Path) -> None:
    for step in range(20):
        (mini / f"d{step}").mkdir()
        for side in "ab":
            (mini / f"d{step}" / side).symlink_to(f"../d{step + 1}")
    (mini / "d20").mkdir()
    assert "more than 10,000" in refusal(mini).message


def test_names_that_are_no_text_are_kept_apart(world: World, mini: Path) -> None:
    odd = [b"new\nline", b"\xff\xfe", b"back\\xff", b"back\\\\", "日本\u202e[b]".encode(), b"\\n"]
    for number, name in enumerate(odd):
        (mini / os.fsdecode(name)).write_bytes(bytes([number]))
    adapter = register(world, "mini", mini)
    shown = {file.path for file in adapter.files}
    assert len(shown) == 3 + len(odd)
    assert {os.fsencode(from_stored(path)) for path in shown} >= set(odd)
    assert check(adapter).is_same
    (mini / os.fsdecode(b"\xff\xfe")).write_bytes(b"other")
    assert check(adapter).changed == ("\\xff\\xfe",)
    # A base of such bytes, too.
    strange = mini.parent / os.fsdecode(b"\xe9\\")
    mini.rename(strange)
    moved = register(world, "moved", strange)
    assert from_stored(moved.base) == str(strange)
    assert check(moved).is_same
    assert not check(adapter).is_same
    assert stored("plain/x.py") == "plain/x.py"


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


def test_looking_at_files_changes_nothing_of_them(world: World, mini: Path) -> None:
    def facts() -> list[tuple[str, int, int, int]]:
        found = [(path, path.lstat()) for path in sorted(mini.rglob("*"))]
        return [(str(path), of.st_mtime_ns, of.st_ctime_ns, of.st_mode) for path, of in found]

    before = facts()
    check(register(world, "mini", mini))
    assert facts() == before
    assert isinstance(take([str(mini)]), Taken)
