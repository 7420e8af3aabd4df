"""W21: which files are an adapter's, and that the fingerprint is over each of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from state.adapters import walk
from state.adapters.check import Checked, check
from state.adapters.fingerprint import take
from state.adapters.names import from_stored, stored
from state.errors import BadInput
from tests.state.adapter_support import adapter_folder, register
from tests.state.world import World

pytestmark = pytest.mark.rule("W21")

NOBODY = 65534


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    return adapter_folder(tmp_path)


def by_hand(**files: bytes) -> str:
    """The fingerprint of files with plain names, without the program."""
    lines = [f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    return sha256("".join(lines).encode()).hexdigest()


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
    assert "holds a project" in refusal(world.folder).message
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


def test_looking_at_files_changes_nothing_of_them(world: World, mini: Path) -> None:
    def facts() -> list[tuple[str, int, int, int]]:
        found = [(path, path.lstat()) for path in sorted(mini.rglob("*"))]
        return [(str(path), of.st_mtime_ns, of.st_ctime_ns, of.st_mode) for path, of in found]

    before = facts()
    check(register(world, "mini", mini))
    assert facts() == before
