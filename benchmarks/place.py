"""Where figures are taken: the installed program, a disk that is one, and what machine this is."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".bench" / "env"
TOOLS = ROOT / ".bench" / "tools"


def python() -> str:
    """The interpreter of the environment that the program is installed in."""
    return str(ENVIRONMENT / "bin" / "python")


def program() -> str:
    """The installed command."""
    return str(ENVIRONMENT / "bin" / "sublation-panel")


def script(name: str) -> str:
    """A program of this folder, to be run by path: what it imports is what is installed."""
    return str(ROOT / "benchmarks" / f"{name}.py")


def toolong() -> str | None:
    """The installed toolong, None without `make bench-tools`."""
    path = TOOLS / "bin" / "tl"
    return str(path) if path.exists() else None


def install() -> None:
    """Installs this tree as a user would get it: compiled, in an environment of its own."""
    if not (ENVIRONMENT / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        pip = [python(), "-m", "pip", "install", "-q"]
        locked = ["--require-hashes", "-r", str(ROOT / "requirements.lock")]
        subprocess.run([*pip, *locked], check=True)
    again = ["--no-build-isolation", "--no-deps", "--force-reinstall", str(ROOT)]
    subprocess.run([python(), "-m", "pip", "install", "-q", *again], check=True)


def child_environment(home: str) -> dict[str, str]:
    """A pinned environment: a home of its own, compiled modules, no seat and no agent host."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    homes = {name: f"{home}/{name.lower()}" for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME")}
    return {
        **kept,
        **homes,
        "HOME": home,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TZ": "UTC",
    }


@contextmanager
def scratch() -> Iterator[str]:
    """A folder on a real disk (beside this tree, not in memory), removed afterwards."""
    (ROOT / ".bench").mkdir(exist_ok=True)
    folder = tempfile.mkdtemp(prefix="run-", dir=ROOT / ".bench")
    try:
        if file_system(folder) in ("tmpfs", "ramfs"):
            raise SystemExit("durable figures are refused on tmpfs: nothing is durable there")
        yield folder
    finally:
        shutil.rmtree(folder)


def file_system(folder: str) -> str:
    """The type of the file system that a folder lies on, `unknown` where it can't be read."""
    found = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def machine(folder: str) -> str:
    """One line for the report: date, machine, Python, file system."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"{now} · {platform.system()} {platform.machine()}, {os.cpu_count()} cores · "
        f"Python {platform.python_version()} · {file_system(folder)}"
    )
