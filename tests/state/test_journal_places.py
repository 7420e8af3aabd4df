"""Where a project stands: how it comes to be, its names (fault 40), and its ref in git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from state.accept import accept
from state.command import Actor
from state.create import create
from state.doctor import diagnose
from state.errors import BadInput, NoProject, NotCommitted, Refused
from state.index.names import CODE
from state.journal import git
from state.journal.journal import Journal
from state.journal.verify import verify
from state.messages.commands import Post
from state.paths import FOLDER, Paths, shell_word, shown
from state.project import Project, find
from tests.state.journal_support import CLOCK, Disk, append, as_root, made, python
from tests.support import environment

USER = Actor("user", "cli")

# How it comes to be.


def test_a_new_project_is_for_its_user_alone(tmp_path: Path) -> None:
    os.umask(0)
    try:
        paths = made(tmp_path)
    finally:
        os.umask(0o022)
    for path in [Path(paths.root), *Path(paths.root).rglob("*")]:
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
    assert Path(paths.gitignore).read_bytes() == b"*\n"
    assert Path(paths.head).stat().st_size == 8192
    journal = Journal(paths)
    assert verify(journal, deep=True).findings == ()
    assert journal.head().rev == 1
    assert [path.name for path in tmp_path.iterdir()] == [FOLDER]


CREATE = """
import sys
from state.clock import SystemClock
from state.create import create
from state.errors import StateError
sys.stdin.readline()
try:
    create(sys.argv[1], name=sys.argv[2], clock=SystemClock(), via="cli")
    print("made")
except StateError as error:
    print(error.code, error.message)
"""


def test_of_eight_that_create_at_once_one_wins(tmp_path: Path) -> None:
    started = [python(CREATE, tmp_path, f"project {number}") for number in range(8)]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[0].strip() for process in started]
    assert sorted(said)[0] == "made"
    told = f"refused there is a project already: {tmp_path / FOLDER}"
    assert sorted(said)[1:] == [told] * 7
    assert [path.name for path in tmp_path.iterdir()] == [FOLDER]
    with Project(find(str(tmp_path))) as project, project.view() as view:
        assert view.meta("name") == f"project {said.index('made')}"
        assert verify(project.journal).ok


@pytest.mark.parametrize("there", ["a folder", "a file", "a link to nothing", "a project"])
def test_what_is_there_already_is_not_touched(tmp_path: Path, there: str) -> None:
    target = tmp_path / FOLDER
    if there == "a folder":
        target.mkdir()
    elif there == "a file":
        target.write_bytes(b"mine")
    elif there == "a project":
        made(tmp_path)
    else:
        target.symlink_to(tmp_path / "nothing")
    before = os.lstat(target).st_ino
    with pytest.raises(Refused, match="there is a project already"):
        made(tmp_path)
    assert os.lstat(target).st_ino == before
    assert [path.name for path in tmp_path.iterdir()] == [FOLDER]


def test_a_project_needs_a_folder_and_seats_that_differ(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a folder"):
        create(str(tmp_path / "nothing"), name="x", clock=CLOCK, via="cli")
    for seats in ([("codex", ""), ("codex", "")], [("user", "")], [("a b", "")]):
        with pytest.raises(BadInput):
            create(str(tmp_path), name="x", seats=seats, clock=CLOCK, via="cli")
    assert list(tmp_path.iterdir()) == []


# One project under any name.

NAMES = [
    b"with space",
    b"quote ' and \" and `",
    b"new\nline",
    b"tab\tand\rreturn",
    b"not utf-8 \xff\xfe",
    "日本語 ünï".encode(),
    b"-rf",
    b"100%?#&x=[1]",
    b"\x1b[31mred",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_folder_of_any_name_is_one_project(tmp_path: Path, name: bytes) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    paths = made(folder)
    inner = folder / "deep" / "er"
    inner.mkdir(parents=True)
    for start in (folder, inner):
        with Project(find(str(start))) as project:
            project.run(Post(("codex",), "hello"), USER)
    with Project(paths) as project, project.view() as view:
        assert view.rev == 3
        assert verify(project.journal, deep=True).findings == ()
    with pytest.raises(Refused) as refused:
        made(folder)
    assert refused.value.message.isprintable()


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_path_in_a_hint_is_one_printable_word_for_a_shell(tmp_path: Path, name: bytes) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    word = shell_word(path)
    assert word.isprintable()
    assert shown(path).isprintable()
    done = subprocess.run(
        ["bash", "-c", f"printf %s {word}"], capture_output=True, check=True, env={}
    )
    assert done.stdout == os.fsencode(path)


def deep(folder: Path, size: int) -> Path:
    """A folder below this one whose path has so many bytes."""
    while (left := size - len(os.fsencode(folder))) > 0:
        folder /= "d" * (left - 1 if left < 250 else 200)
        folder.mkdir(parents=True)
    return folder


def test_a_path_in_which_every_file_has_room_is_the_longest(tmp_path: Path) -> None:
    room = os.pathconf("/", "PC_PATH_MAX") - 200
    with pytest.raises(BadInput, match="longer than"):
        made(deep(tmp_path / "more", room + 1))
    disk = Disk(made(deep(tmp_path / "most", room)))
    with Project(disk.paths) as project:
        project.run(Post(("codex",), "long", "x" * 20_000), USER)
        disk.add(b"torn")
        project.run(Post(("codex",), "its text", "its text"), USER)
    assert disk.quarantine
    disk.log.write_bytes(disk.log.read_bytes().replace(b"its text", b"its next"))
    accept(disk.paths, Actor("user", "tty"), CLOCK)
    assert diagnose(disk.paths).state == "ok"
    with pytest.raises(NoProject, match="too long"):
        Journal(Paths(f"{disk.paths.project}/{'d' * 190}/{FOLDER}"))


def test_a_linked_folder_leads_to_the_one_project(tmp_path: Path) -> None:
    paths = made(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "sub").mkdir()
    (tmp_path / "sub").symlink_to(tmp_path / "real" / "sub")
    for name in ("real", "link", "sub"):
        found = find(str(tmp_path / name))
        assert found.root == paths.root
        with Project(found) as project:
            project.run(Post(("codex",), f"by {name}"), USER)
    assert len(Disk(paths).lines) == 4
    with pytest.raises(NoProject):
        find(str(tmp_path))


BOUND = """
import sys
from state.journal.journal import Journal
from state.journal.lock import exclusive
from state.errors import Busy
from state.paths import Paths
from tests.state.journal_support import append
one, two = (Paths(place + "/.sublation-panel") for place in sys.argv[1:3])
first, second = Journal(one), Journal(two)
assert first.root_inode == second.root_inode
append(first)
print(append(second).rev, first.head().rev)
with exclusive(one.mutex, seat="user", since=""):
    try:
        append(second, wait=0.05)
    except Busy:
        print("busy")
"""


@pytest.mark.skipif(not as_root(), reason="only root may mount")
def test_a_bind_mount_is_the_same_project(tmp_path: Path) -> None:
    made(tmp_path / "real")
    (tmp_path / "bound").mkdir()
    mount = 'mount --bind "$1" "$2" && exec "$3" -c "$4" "$1" "$2"'
    command = ["unshare", "-m", "sh", "-c", mount, "sh", str(tmp_path / "real")]
    command += [str(tmp_path / "bound"), sys.executable, BOUND]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("no mount of its own here")
    assert done.stdout.splitlines() == ["3 3", "busy"], done.stderr


# A ref in git.


def repository(folder: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def said_by_git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_an_anchor_in_git_is_a_commit_on_a_ref_of_its_own(tmp_path: Path) -> None:
    disk = Disk(made(repository(tmp_path / "with space")))
    journal = Journal(disk.paths)
    folder = disk.paths.project
    project = journal.original
    assert git.read(folder, project) is None
    kept = None
    for _ in range(3):
        line = append(journal)
        kept = git.keep(folder, project, line.rev, line.hash, kept)
        assert git.read(folder, project) == kept
        assert (kept.rev, kept.hash) == (line.rev, line.hash)
    assert kept is not None
    ref = f"refs/sublation-panel/{project}"
    assert said_by_git(Path(folder), "rev-list", "--count", ref).strip() == "3"
    held = f'{{"project":"{project}","rev":{kept.rev},"hash":"{kept.hash}"}}\n'
    assert said_by_git(Path(folder), "show", f"{ref}:anchor.json") == held
    # Neither branch nor working tree has heard of it.
    assert said_by_git(Path(folder), "status", "--porcelain") == ""
    assert said_by_git(Path(folder), "branch", "--all") == ""


def test_the_same_anchor_again_adds_nothing_and_an_old_base_is_refused(tmp_path: Path) -> None:
    folder = str(repository(tmp_path))
    first = git.keep(folder, "a" * 32, 5, "1" * 64, None)
    assert git.keep(folder, "a" * 32, 5, "1" * 64, first) == first
    second = git.keep(folder, "a" * 32, 6, "2" * 64, first)
    for before in (None, first):
        with pytest.raises(NotCommitted, match="git update-ref refused"):
            git.keep(folder, "a" * 32, 7, "3" * 64, before)
    assert git.read(folder, "a" * 32) == second


def test_what_git_can_not_do_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(BadInput, match="there is no git repository") as found:
        git.read(str(tmp_path), "a" * 32)
    assert found.value.message.isprintable()
    repository(tmp_path)
    blob = said_by_git(tmp_path, "hash-object", "-w", "--stdin").strip()
    tree = said_by_git(tmp_path, "write-tree").strip()
    names = ["-c", "user.name=x", "-c", "user.email=x"]
    commit = said_by_git(tmp_path, *names, "commit-tree", "-m", "other", tree).strip()
    said_by_git(tmp_path, "update-ref", f"refs/sublation-panel/{'a' * 32}", commit)
    with pytest.raises(BadInput, match="holds no anchor"):
        git.read(str(tmp_path), "a" * 32)
    assert blob
    shutil.rmtree(tmp_path / ".git" / "objects")
    (tmp_path / ".git" / "objects").mkdir()
    with pytest.raises((BadInput, NotCommitted)):
        git.keep(str(tmp_path), "b" * 32, 1, "1" * 64, git.Kept("r", commit, 1, "0" * 64))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="git can't be started"):
        git.read(str(tmp_path), "a" * 32)


def test_paths_of_one_project_lie_in_its_folder() -> None:
    paths = Paths("/some/where/.sublation-panel")
    assert paths.project == "/some/where"
    for name in (paths.head, paths.segment(12), paths.blob("a"), paths.index(CODE), paths.mutex):
        assert name.startswith(paths.root + "/")
    assert paths.segment(12).endswith("/00000012.jsonl")
