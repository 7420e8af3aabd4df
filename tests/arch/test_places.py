"""What may be done in one place only: locks, file names, disk, processes, and never a network."""

from __future__ import annotations

import ast
import re

import pytest

from tests.arch.code import Module, assert_none, dotted, imports, modules, sample, uses, within

LOCK = "state/journal/lock.py"
NAMES = "state/paths.py"
DISK = "state/files.py"
PROCESSES = re.compile(r"^(panel/demo(\.py|_\w+\.py|/.*)|state/journal/git\.py)$")

LOCKS = ("filelock", "fcntl.flock", "fcntl.lockf", "fcntl.LOCK_EX", "os.lockf", "msvcrt")
OWN_NAMES = re.compile(
    r"^(HEAD|FORMAT|\.sublation-panel|XDG_\w+_HOME)$|\.(jsonl|sqlite3|mutex|lock)$"
)
DISK_CALLS = {
    f"os.{call}"
    for call in (
        "open",
        "write",
        "writev",
        "pwrite",
        "pwritev",
        "read",
        "pread",
        "truncate",
        "ftruncate",
        "fsync",
        "fdatasync",
        "sendfile",
    )
}
STARTS = (
    "subprocess",
    "_posixsubprocess",
    "multiprocessing",
    "concurrent.futures.process",
    "pty",
    "webbrowser",
    "asyncio.subprocess",
    "posix",
    "cffi",
)
# With this anything could be called, past the names that are looked for here. One module asks the
# system with it what a file system is called, one tells the C library how to keep memory.
BY_ADDRESS = "ctypes"
ASKS_BY_ADDRESS = "state/journal/filesystem.py"
KEEPS_MEMORY = "panel/memory.py"
# What starts another process, and what ends or stops one.
START_CALLS = re.compile(
    r"^os\.(fork|forkpty|system|popen|exec\w+|spawn\w+|posix_spawnp?|startfile|kill|killpg)$"
    r"|^signal\.pidfd_send_signal$"
    r"|\.(create_subprocess_\w+|subprocess_(exec|shell)|ProcessPoolExecutor|open_url)$"
)
NETWORK = (
    "socket",
    "_socket",
    "socketserver",
    "ssl",
    "http",
    "urllib.request",
    "urllib3",
    "requests",
    "httpx",
    "aiohttp",
    "ftplib",
    "smtplib",
    "poplib",
    "imaplib",
    "xmlrpc",
    "wsgiref",
    "asyncio.open_connection",
    "asyncio.start_server",
    "asyncio.open_unix_connection",
    "asyncio.start_unix_server",
    "asyncio.streams",
)
CONNECTS = re.compile(
    r"\.(create_(unix_)?(connection|server)|create_datagram_endpoint|sock_connect|sock_accept)$"
)


def locking(module: Module) -> list[str]:
    """Makes of a file lock, whoever provides it."""
    if module.name == LOCK:
        return []
    found = [module.at(node) for node, name in imports(module) if within(name, *LOCKS)]
    return found + [module.at(node) for node, name in uses(module) if within(name, *LOCKS)]


def naming(module: Module) -> list[str]:
    """Names of the project's files outside the module that knows them."""
    if module.name == NAMES:
        return []
    found = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if OWN_NAMES.search(node.value) and " " not in node.value:
                found.append(module.at(node))
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("path.join"):
            parts = [arg for arg in node.args if isinstance(arg, ast.Constant)]
            found += [module.at(node)] if parts else []
    return found


def touching_disk(module: Module) -> list[str]:
    """Calls that move bytes, past the seam in which tests put faults."""
    if module.name == DISK:
        return []
    return [module.at(node) for node, name in uses(module) if name in DISK_CALLS]


def starting(module: Module) -> list[str]:
    """Starts of another process."""
    if PROCESSES.match(module.name):
        return []
    may = module.name in (ASKS_BY_ADDRESS, KEEPS_MEMORY)
    banned = STARTS if may else (*STARTS, BY_ADDRESS)
    found = [module.at(node) for node, name in imports(module) if within(name, *banned)]
    return found + [module.at(node) for node, name in uses(module) if START_CALLS.search(name)]


def networking(module: Module) -> list[str]:
    """Whatever could open a connection."""
    found = [module.at(node) for node, name in imports(module) if within(name, *NETWORK)]
    # A whole module can't be used without its import; a variable may be called `requests`.
    parts = [name for name in NETWORK if "." in name]
    return found + [
        module.at(node)
        for node, name in uses(module)
        if within(name, *parts) or CONNECTS.search(name)
    ]


def test_file_locks_are_made_in_one_place() -> None:
    assert locking(sample("from filelock import SoftFileLock"))
    assert locking(sample("import fcntl\nfcntl.flock(3, 2)"))
    assert not locking(sample("from filelock import UnixFileLock", LOCK))
    assert_none(found for module in modules("state", "panel") for found in locking(module))


def test_the_lock_is_the_one_kind_that_is_meant() -> None:
    (lock,) = (module for module in modules("state") if module.name == LOCK)
    taken = {name for _, name in imports(lock) if within(name, "filelock")}
    assert taken <= {"filelock.UnixFileLock", "filelock.Timeout"}
    (made,) = (
        node
        for node in ast.walk(lock.tree)
        if isinstance(node, ast.Call) and dotted(node.func).endswith("UnixFileLock")
    )
    options = {keyword.arg: ast.unparse(keyword.value) for keyword in made.keywords}
    assert options["fallback_to_soft"] == "False"
    assert options["mode"] == "384" or options["mode"] == "0o600"
    assert "poll_interval" in options


def test_one_module_knows_the_names_of_files() -> None:
    assert naming(sample("import os\nos.path.join(root, 'anchor')"))
    assert naming(sample("path = root + 'HEAD'"))
    assert naming(sample("path = f'{number}.jsonl'"))
    assert not naming(sample("'HEAD is behind'"))
    assert_none(found for module in modules("state") for found in naming(module))


def test_bytes_reach_the_disk_through_one_seam() -> None:
    assert touching_disk(sample("from os import fdatasync as sync\nsync(3)"))
    assert touching_disk(sample("import os\nos.write(3, b'')"))
    assert_none(found for module in modules("state") for found in touching_disk(module))


@pytest.mark.rule("W30")
def test_processes_are_started_only_where_that_is_the_purpose() -> None:
    assert starting(sample("import subprocess as sp"))
    assert starting(sample("from os import posix_spawn as go\ngo('a', [], {})"))
    assert starting(sample("import os\npid = os.fork()"))
    assert starting(sample("import os\nos.kill(1, 9)"))
    assert starting(sample("import asyncio\nasyncio.create_subprocess_exec('a')"))
    assert starting(sample("from concurrent.futures import ProcessPoolExecutor as P\nP()"))
    assert starting(sample("import ctypes"))
    assert not starting(sample("import ctypes", ASKS_BY_ADDRESS))
    assert starting(sample("import subprocess", ASKS_BY_ADDRESS))
    assert not starting(sample("import os\nos.getpid()"))
    assert starting(sample("import os\nos.execvp('a', [])"))
    assert starting(sample("self.app.open_url(url)"))
    assert not starting(sample("import subprocess", "panel/demo/agents.py"))
    assert not starting(sample("import subprocess", "panel/demo_agents.py"))
    assert starting(sample("import subprocess", "panel/demography.py"))
    assert_none(found for module in modules("state", "panel") for found in starting(module))


@pytest.mark.rule("W30")
def test_nothing_opens_a_connection() -> None:
    assert networking(sample("import socket"))
    assert networking(sample("loop.create_connection(f, 'a', 1)"))
    assert networking(sample("import asyncio\nasyncio.open_connection('a', 1)"))
    assert networking(sample("from urllib import request"))
    assert networking(sample("import http.client"))
    assert not networking(sample("from urllib.parse import quote"))
    assert not networking(sample("requests = 3"))
    assert_none(found for module in modules("state", "panel") for found in networking(module))
