"""Pins the environment before anything of the product is imported, and selects tests by rule."""

from __future__ import annotations

import os
import signal
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.processes import MARK, left_behind
from tests.support import ROOT, file_system, until

AGENT_HOSTS = (
    "CLAUDECODE",
    "GEMINI_CLI",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "OPENCODE",
    "CURSOR_AGENT",
)
REMOVED = (
    *AGENT_HOSTS,
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "LINES",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "TMUX",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONSAFEPATH",
    "PYTHONWARNINGS",
)
REMOVED_PREFIXES = ("TEXTUAL", "SUBLATION_", "GIT_", "LC_")
PINNED = {
    "TZ": "<+02>-2",
    "LANG": "C.UTF-8",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PYTHONPATH": str(ROOT),
    MARK: uuid.uuid4().hex,
}


def _pin(base: Path) -> dict[str, str]:
    """The variables that keep the product inside `base`, whose folders exist afterwards."""
    places = {
        "HOME": base / "home",
        "XDG_STATE_HOME": base / "state",
        "XDG_CACHE_HOME": base / "cache",
        "XDG_CONFIG_HOME": base / "config",
        "XDG_DATA_HOME": base / "data",
    }
    for place in places.values():
        place.mkdir()
    return {name: str(place) for name, place in places.items()}


for _name in list(os.environ):
    if _name in REMOVED or _name.startswith(REMOVED_PREFIXES):
        del os.environ[_name]
# Fixtures of a wider scope than one test see this home; a test has one of its own.
_SESSION_HOME = tempfile.TemporaryDirectory(prefix="panel-tests-")
os.environ.update(PINNED, **_pin(Path(_SESSION_HOME.name)))
os.umask(0o022)
time.tzset()
# A shell has them ignored in what it runs in the background, and so would be all that starts here.
for _number, _usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGTERM, signal.SIG_DFL),
):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)

# Always the same examples, from the name of the test; slow machines are no failure.
hypothesis.settings.register_profile(
    "fixed", derandomize=True, database=None, deadline=None, print_blob=True
)
hypothesis.settings.load_profile("fixed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rule", action="append", metavar="ID", help="run only the tests that prove this rule"
    )


def pytest_report_header(config: pytest.Config) -> list[str]:
    wanted = config.getoption("--rule")
    rules = f"rules: {', '.join(wanted)}" if wanted else "rules: all"
    return [rules, "hypothesis: examples are derived from the test's name, no other seed"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = set(config.getoption("--rule") or ())
    if not wanted:
        return
    kept: list[pytest.Item] = []
    dropped: list[pytest.Item] = []
    for item in items:
        proves = {rule for mark in item.iter_markers("rule") for rule in mark.args}
        (kept if proves & wanted else dropped).append(item)
    config.hook.pytest_deselected(items=dropped)
    items[:] = kept


def pytest_unconfigure() -> None:
    _SESSION_HOME.cleanup()


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Home and XDG folders of this test alone."""
    with tempfile.TemporaryDirectory(prefix="home-", dir=_SESSION_HOME.name) as base:
        for name, place in _pin(Path(base)).items():
            monkeypatch.setenv(name, place)
        yield


@pytest.fixture
def real_disk() -> Iterator[Path]:
    """A fresh folder on a file system that keeps its bytes on a disk, never in memory alone."""
    for base in (Path(tempfile.gettempdir()), Path("/var/tmp"), ROOT):
        if base.is_dir() and file_system(base) not in {"tmpfs", "ramfs"}:
            with tempfile.TemporaryDirectory(prefix=".panel-disk-", dir=base) as place:
                yield Path(place)
            return
    pytest.skip("every place for temporary files is in memory")


@pytest.fixture(scope="session", autouse=True)
def _nothing_left_running() -> Iterator[None]:
    """At the end no process of this run is alive: each is ended and named as a failure."""
    yield
    mark = PINNED[MARK]
    try:
        until(lambda: not left_behind(mark), timeout=20.0)
    except AssertionError:
        left = left_behind(mark)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        pytest.fail(f"processes left behind by the tests: {left}")
