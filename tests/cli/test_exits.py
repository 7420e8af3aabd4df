"""Every exit status and code, errors as lines and objects, how outputs end (faults 7, 10, 13)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from state.journal.lock import exclusive
from tests.cli.conftest import Shop
from tests.support import Terminal, environment, program, run_cli, until


def test_one_line_and_a_hint_or_an_object(shop: Shop) -> None:
    said = shop.agent("ack", "9")
    assert (said.code, said.out) == (3, "")
    first, second = said.err.splitlines()
    assert first.startswith("sublation-panel: ")
    assert first.endswith(" [M5]")
    assert second.startswith("hint: ")
    said = shop.agent("ack", "9", "--json")
    assert list(json.loads(said.err)) == ["error"]
    assert list(said.error)[:4] == ["code", "rule", "message", "hint"]
    assert said.err.count("\n") == 1
    # The parser's own errors take the same form.
    said = shop.agent("inbox", "--bogus", "--json")
    assert (said.code, said.error["code"]) == (2, "bad_input")
    assert "--bogus" in said.error["message"]
    said = shop.agent("inbox", "--bogus")
    assert said.err.count("\n") == 2
    assert "usage" not in said.err
    # What says by itself how it must be has the command's help as its hint.
    said = shop.agent("post", "hermes", "--title", "x", "--body-file", "nowhere")
    assert said.err.splitlines()[1] == "hint: see: sublation-panel post --help"


def test_of_a_huge_argument_both_ends_of_the_line_are_said(shop: Shop) -> None:
    said = shop.agent("inbox", f"--limit={'x' * 100_000}")
    line = said.err.splitlines()[0]
    assert len(line) < 3_000
    assert line.startswith("sublation-panel: argument --limit: 'xxx")
    assert line.endswith("xxx' is not a whole number from 0 to 2^53-1")
    said = shop.agent("inbox", f"--limit={'x' * 100_000}", "--json")
    assert len(said.error["message"]) < 3_000


@pytest.mark.parametrize(
    "words",
    [
        ["nothing"],
        ["inbx"],
        ["seat"],
        ["seat", "nothing"],
        ["--bogus"],
        ["--bogus", "inbox"],
        ["inbox", "extra"],
        ["inbox", "--limit"],
        ["inbox", "--lim", "3"],
        ["post", "hermes", "--title"],
        ["status", "--project"],
        ["--project", "", "status"],
        ["inbox", "--as", ""],
        ["--json"],
        [],
        ["completion", "tcsh"],
        ["import"],
    ],
)
def test_bad_usage_is_2(shop: Shop, words: list[str]) -> None:
    said = run_cli(*words, cwd=shop.folder, env={"SUBLATION_SEAT": "codex"})
    assert (said.code, said.out) == (2, ""), said
    assert said.err
    assert "Traceback" not in said.err


def test_a_title_that_reads_like_a_hook_is_refused_as_any_other(shop: Shop) -> None:
    """A host's hook alone ends with 0 whatever happens."""
    assert shop.agent("post", "--title", "hook", "codex").code == 3
    assert shop.agent("hook", "codex", "--no-such").code == 0


def test_a_word_that_is_nearly_right_is_guessed(shop: Shop) -> None:
    assert "did you mean inbox?" in shop.agent("inbx").err
    assert "did you mean hide?" in shop.agent("seat", "hid").err


def test_no_project_is_8(tmp_path: Path) -> None:
    for words in (["status"], ["inbox"], ["post", "x", "--title", "y"], ["journal", "head"]):
        said = run_cli(*words, "--json", cwd=tmp_path, env={"SUBLATION_SEAT": "codex"})
        assert (said.code, said.error["code"]) == (8, "no_project")
        assert "init" in said.error["hint"]
    assert run_cli("status", project=tmp_path / "missing", cwd=tmp_path).code == 8
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "loop").symlink_to("loop")
    said = run_cli("status", "--json", project=tmp_path / "loop", cwd=tmp_path)
    assert (said.code, said.error["code"]) == (8, "no_project")
    assert said.error["hint"]


def test_busy_is_5_and_names_the_holder(shop: Shop) -> None:
    mutex = str(shop.root / "mutex" / "write.mutex")
    before = shop.log()
    with exclusive(mutex, seat="hermes", since="2026-11-30T10:00:00.000000+00:00"):
        said = shop.agent("post", "hermes", "--title", "x", "--json")
        assert (said.code, said.error["code"]) == (5, "busy")
        assert said.error["holder"]["pid"] == os.getpid()
        assert str(os.getpid()) in said.error["message"]
        # Reading waits for nobody.
        assert shop.agent("status").code == 0
    assert shop.log() == before


def test_read_only_is_7_and_reading_goes_on(shop: Shop) -> None:
    shop.post("codex", title="still read")
    places = [shop.root, *shop.root.rglob("*")]
    for path in places:
        path.chmod(0o500 if path.is_dir() else 0o400)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [*bound(), *program("--project", shop.folder, "--as", "codex", *words, "--json")]
        return subprocess.run(command, env=environment(), capture_output=True, text=True)

    try:
        ran = run("post", "hermes", "--title", "x")
        assert (ran.returncode, json.loads(ran.stderr)["error"]["code"]) == (7, "read_only")
        ran = run("inbox")
        assert (ran.returncode, ran.stderr) == (0, "")
        assert json.loads(ran.stdout)["messages"][0]["title"] == "still read"
        ran = run("status")
        assert (ran.returncode, json.loads(ran.stdout)["state"]) == (0, "read_only")
    finally:
        for path in places:
            path.chmod(0o700 if path.is_dir() else 0o600)


def bound() -> list[str]:
    """What runs a command so that permissions bind it, also where the tests run as root."""
    if os.geteuid() != 0:
        return []
    drop = shutil.which("setpriv")
    if drop is None:
        pytest.skip("nothing here takes root's rights away")
    return [drop, "--bounding-set=-all", "--inh-caps=-all", "--"]


@pytest.mark.rule("M4")
def test_a_disk_that_refuses_is_9_and_nothing_was_written(shop: Shop) -> None:
    before = shop.log()
    limit = f'ulimit -f {len(before) // 1024 + 1}; exec "$@"'
    words = program("--project", shop.folder, "--as", "codex", "post", "hermes", "--title", "x")
    ran = subprocess.run(
        ["bash", "-c", f"trap '' XFSZ; {limit}", "x", *words, "--body", "y" * 9000, "--json"],
        # Compiled modules cut off by the limit would break every later start.
        env=environment({"PYTHONDONTWRITEBYTECODE": "1"}),
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, json.loads(ran.stderr)["error"]["code"]) == (9, "not_committed")
    assert shop.log() == before
    assert shop.agent("post", "hermes", "--title", "x").code == 0


def test_a_bug_is_1_and_asks_to_be_reported(shop: Shop, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import state.overview\n"
        "def overview(*_, **__): raise ZeroDivisionError('a\\x1b[2Jb')\n"
        "state.overview.overview = overview\n"
    )
    path = f"{broken}{os.pathsep}{os.environ['PYTHONPATH']}"
    command = program("--project", shop.folder, "status")

    def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
        changed = {**environment(), "PYTHONPATH": path, **env}
        return subprocess.run([*command, *words], env=changed, capture_output=True, text=True)

    ran = run()
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert "a bug in this program: ZeroDivisionError" in ran.stderr
    assert "report it" in ran.stderr
    assert "\x1b" not in ran.stderr
    assert json.loads(run("--json").stderr)["error"]["code"] == "bug"
    assert "Traceback" in run(SUBLATION_DEBUG="1").stderr


def test_a_reader_that_goes_away_is_no_error(shop: Shop) -> None:
    shop.post("codex", body="x" * 500_000)
    words = program("--project", shop.folder, "--as", "codex", "inbox", "--peek")
    process = subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.read(10)
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_never_lead_into_the_journal(shop: Shop, closed: str) -> None:
    """The journal's file must not get the number of an output."""
    before = shop.log()
    words = program("--project", shop.folder, "--as", "codex", "post", "hermes", "--title", "x")
    ran = subprocess.run(["bash", "-c", f'"$@" {closed}', "x", *words], env=environment())
    assert ran.returncode == 0
    after = shop.log()
    assert after.startswith(before)
    assert after.count(b"\n") == before.count(b"\n") + 1
    assert shop.agent("journal", "head", "--json").json["rev"] == 2


def test_an_answer_that_cannot_be_written_is_said(shop: Shop) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    for word in ("status", "--help"):
        words = program("--project", shop.folder, word)
        with open("/dev/full", "wb") as full:
            ran = subprocess.run(words, env=environment(), stdout=full, stderr=subprocess.PIPE)
        assert ran.returncode == 2
        assert b"can't be written" in ran.stderr


def test_ctrl_c_is_quiet_and_130(shop: Shop) -> None:
    before = shop.log()
    with Terminal() as terminal:
        process = terminal.start(
            program("--project", shop.folder, "post", "codex", "--title", "x", "-"),
            cwd=shop.folder,
            env=environment(),
        )
        until(lambda: b"write the body" in terminal.shown())
        terminal.write(b"\x03")
        assert process.wait(30) == 130
        assert b"Traceback" not in terminal.rest()
    assert shop.log() == before


def test_ctrl_c_while_it_loads_is_quiet_too(shop: Shop, tmp_path: Path) -> None:
    """As an exception it would make orjson crash in the middle of its import."""
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "orjson.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    )
    path = f"{tmp_path / 'slow'}{os.pathsep}{os.environ['PYTHONPATH']}"
    ran = subprocess.run(
        program("--project", shop.folder, "status"),
        env={**environment(), "PYTHONPATH": path},
        capture_output=True,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, b"", b"")


def test_a_signal_that_ends_it_leaves_the_journal_sound(shop: Shop) -> None:
    words = program("--project", shop.folder, "--as", "codex", "post", "hermes", "--title", "x")
    process = subprocess.Popen(words, env=environment(), stdout=subprocess.DEVNULL)
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    assert shop.agent("post", "hermes", "--title", "after").code == 0
    assert shop.agent("journal", "verify").code == 0


def test_common_options_stand_before_and_after(shop: Shop) -> None:
    for words in (
        ["--project", str(shop.folder), "--as", "codex", "--json", "inbox"],
        ["inbox", "--project", str(shop.folder), "--as", "codex", "--json"],
        ["--json", "inbox", f"--project={shop.folder}", "--as=codex"],
        ["--as", "ghost", "inbox", "--as", "codex", "--project", str(shop.folder), "--json"],
    ):
        assert run_cli(*words).json["seat"] == "codex"
    for words in (
        ["--json", "seat", "list"],
        ["seat", "--json", "list"],
        ["seat", "list", "--json"],
    ):
        assert run_cli(*words, project=shop.folder).json["revision"] == 1
    assert run_cli("--version").out.startswith("sublation-panel ")


def test_the_installed_command_is_the_same(shop: Shop) -> None:
    code = "import sys; from panel.cli.main import entry; sys.exit(entry())"
    import sys

    ran = subprocess.run(
        [sys.executable, "-c", code, "--project", str(shop.folder), "status", "--json"],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, json.loads(ran.stdout)["rev"]) == (0, 1)
