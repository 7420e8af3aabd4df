"""Files as evidence (M7): inside the project, through no link, and what became of them since."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from state import files
from state.errors import BadInput
from state.messages import evidence
from state.messages.evidence import take_file
from tests.state.world import World

pytestmark = pytest.mark.rule("M7")


@pytest.fixture
def report(world: World) -> Path:
    """A file of the project."""
    path = world.folder / "out" / "report.txt"
    path.parent.mkdir()
    path.write_text("all green")
    return path


def take(world: World, path: str | Path) -> str:
    return take_file(str(world.folder), str(path)).path


def refused(world: World, path: str | Path) -> BadInput:
    with pytest.raises(BadInput) as caught:
        take(world, path)
    assert caught.value.field == "evidence"
    assert str(world.folder) in caught.value.hint or "UTF-8" in caught.value.hint
    return caught.value


def test_a_file_is_found_by_every_honest_way_to_it(
    world: World,
    report: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "shop").symlink_to(world.folder)
    ways: list[str | Path] = [
        report,
        f"{world.folder}/./out//report.txt",
        f"{world.folder}/out/../out/report.txt",
    ]
    assert {take(world, way) for way in ways} == {"out/report.txt"}
    # A project that is reached through a link is the same project.
    assert take(world, elsewhere / "shop" / "out" / "report.txt") == "out/report.txt"
    assert take_file(str(elsewhere / "shop"), str(report)).path == "out/report.txt"
    monkeypatch.chdir(world.folder / "out")
    assert [take(world, way) for way in ("report.txt", "../out/report.txt")] == [
        "out/report.txt"
    ] * 2
    odd = world.folder / "a 'b'\n\u202e[c].txt"
    odd.write_text("x")
    assert take(world, odd) == odd.name


def test_what_lies_elsewhere_or_belongs_to_the_program_is_refused(
    world: World, report: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("elsewhere") / "out.txt"
    outside.write_text("x")
    (world.folder.parent / f"{world.folder.name}-2").mkdir()
    twin = world.folder.parent / f"{world.folder.name}-2" / "a.txt"
    twin.write_text("x")
    for path in (outside, twin, world.folder / ".." / twin.parent.name / "a.txt", "/etc/passwd"):
        assert "outside" in refused(world, path).message
    for path in (world.folder, f"{world.folder}/", world.folder / "out"):
        refused(world, path)
    head = Path(world.paths.head)
    assert "no file of the project" in refused(world, head).message
    refused(world, world.folder / "out" / ".." / ".sublation-panel" / "FORMAT")


def test_no_link_leads_to_evidence(world: World, report: Path) -> None:
    link, folder, chain = (world.folder / name for name in ("link.txt", "folder", "chain"))
    link.symlink_to(report)
    folder.symlink_to(report.parent)
    chain.symlink_to("/etc")
    for path in (
        link,
        folder / "report.txt",
        chain / "passwd",
        folder / ".." / "out" / "report.txt",
    ):
        assert "link" in refused(world, path).message


def test_a_link_that_is_put_there_meanwhile_is_not_followed(world: World, report: Path) -> None:
    (world.folder / "later").symlink_to(report.parent)
    for parts in (("later", "report.txt"), ("out", "link.txt")):
        (report.parent / "link.txt").unlink(missing_ok=True)
        (report.parent / "link.txt").symlink_to("/etc/passwd")
        with pytest.raises(OSError, match=r"link|directory"):
            os.close(files.open_below(str(world.folder), parts))


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_only_a_regular_file_counts_and_nothing_waits(
    world: World, make: Callable[[Path], None]
) -> None:
    make(world.folder / "thing")
    refused(world, world.folder / "thing")


@pytest.mark.parametrize("path", ["missing.txt", "out/report.txt/x", "a\0b", "\udcff.txt", ""])
def test_what_is_no_file_is_refused_in_one_line(world: World, report: Path, path: str) -> None:
    error = refused(world, world.folder / path if path else world.folder)
    assert "\n" not in error.message
    error.message.encode()


def test_a_later_change_is_shown(world: World, report: Path) -> None:
    taken = asdict(take_file(str(world.folder), str(report)))

    def became() -> str:
        return evidence.now(str(world.folder), taken)

    assert became() == "unchanged"
    report.write_text("all greex")
    assert became() == "changed"
    report.write_text("all green and more")
    assert became() == "changed"
    report.write_text("all green")
    assert became() == "unchanged"
    report.rename(report.with_name("moved.txt"))
    assert became() == "gone"
    report.symlink_to("moved.txt")
    assert became() == "changed"
    report.unlink()
    report.mkdir()
    assert became() == "changed"
    report.rmdir()
    os.mkfifo(report)
    assert became() == "changed"
    report.unlink()
    report.parent.joinpath("moved.txt").unlink()
    report.parent.rmdir()
    assert became() == "gone"


def test_a_file_that_may_not_be_read_is_not_called_changed(
    world: World, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = asdict(take_file(str(world.folder), str(report)))

    def denied(folder: str, parts: tuple[str, ...]) -> int:
        raise PermissionError(13, "Permission denied")

    # Root may read everything, so the refusal of the system is played.
    monkeypatch.setattr(files, "open_below", denied)
    assert evidence.now(str(world.folder), taken) == "unreadable"
    assert "Permission denied" in refused(world, report).message
