"""`hook` as the real command: never fails its host, says nothing, and keeps no text (S6, S15)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from panel.cli.hook import LAST_SECONDS, LATE_SECONDS, SECONDS, left
from state.adapters.check import take_for
from state.adapters.commands import Register
from state.journal.lock import exclusive
from state.routing.hooks.event import LIMIT
from state.routing.shipped import shipped
from tests.cli.conftest import Shop
from tests.cli.test_route import run_in_process
from tests.state.hook_support import event, skill_tool
from tests.support import Result, environment, program, run_cli

# A machine that is too busy to let a hook read its registration in time leaves nothing to see.
MOST_TRIES = 6
HEAVY = {"textual", "rich", "pydantic", "pydantic_core", "watchfiles", "mcp", "yaml", "asyncio"}


@pytest.fixture
def hooked(shop: Shop) -> Shop:
    """The shop, with both of the program's own adapters registered."""
    for host in ("claude-code", "codex"):
        register(shop, host)
    return shop


def register(shop: Shop, host: str) -> None:
    adapter = f"builtin:{host}"
    shop.run(Register(adapter, take_for(adapter, ())))


def call(shop: Shop, raw: bytes, *words: str, host: str = "claude-code", **more: Any) -> Result:
    return shop.agent("hook", host, *words, stdin=raw, **more)


def everywhere(shop: Shop) -> Iterator[tuple[str, bytes]]:
    """Every file that the program could have written."""
    for place in (shop.root, Path(os.environ["HOME"]), Path(os.environ["XDG_STATE_HOME"])):
        for path in place.rglob("*"):
            if path.is_file():
                yield str(path), path.read_bytes()


@pytest.mark.rule("S2", "S10", "S16")
def test_a_hook_records_and_says_nothing(hooked: Shop) -> None:
    asked = call(hooked, skill_tool())
    assert (asked.code, asked.out, asked.err) == (0, "", "")
    done = call(hooked, skill_tool("PostToolUse", tool_response={"success": True}), "--json").json
    assert (done["outcome"], done["event"], done["note"]) == ("recorded", "PostToolUse", None)
    shown = hooked.agent("route", "show", "claude-code:s1:toolu_1", "--json").json
    assert (shown["suggestion"]["state"], shown["choice"]["state"]) == ("none", "chosen")
    assert shown["choice"]["source"] == "hook"
    assert shown["invocation"]["state"] == "invoked"


@pytest.mark.rule("S15")
def test_an_unregistered_host_leaves_a_count(shop: Shop) -> None:
    before = shop.everything()
    for raw in (skill_tool(), b"{"):
        found = call(shop, raw)
        assert (found.code, found.out, found.err) == (0, "", "")
    assert shop.everything() == before
    assert (shop.root / "cache" / "hook-calls.claude-code").read_bytes() == b".."


@pytest.mark.rule("S15")
def test_trouble_is_never_the_hosts(hooked: Shop, tmp_path: Path) -> None:
    """Each of these ends with 0, silent, and what it could not do needs the person."""
    for raw in (b"", b"{", event("SomethingNew"), b"x" * (LIMIT + 1)):
        found = call(hooked, raw)
        assert (found.code, found.out, found.err) == (0, "", "")
    assert call(hooked, skill_tool(), seat=None).code == 0
    assert hooked.user("hook", "claude-code").code == 2
    mistyped = run_cli("hook", "claude-code", "--no-such", cwd=tmp_path, stdin=skill_tool())
    assert (mistyped.code, mistyped.out) == (0, "")
    assert "--no-such" in mistyped.err
    assert run_cli("hook", "settings", "codex", "--no-such", cwd=tmp_path).code == 2
    nowhere = run_cli("hook", "claude-code", cwd=tmp_path, stdin=skill_tool())
    assert (nowhere.code, nowhere.out, nowhere.err) == (0, "", "")
    # A note that had no time left waits for the next command, so their order is not told.
    hooked.agent("post", "hermes", "--title", "x")
    needs = hooked.agent("status", "--json").json["needs"]
    assert {need["kind"] for need in needs} == {"hook"}
    assert sorted(need["seat"] or "" for need in needs) == ["", "codex", "codex", "codex"]
    assert "claude-code, what the host sent could not be read" in [need["text"] for need in needs]
    assert "hook did not record" in hooked.agent("status").out


def test_a_hook_keeps_the_second_that_it_has_and_loses_no_event_for_one_that_is_gone() -> None:
    assert left(0.1) + 0.1 == pytest.approx(SECONDS)
    assert left(0.8) + 0.8 + LAST_SECONDS < 1.2
    assert (left(1.4), left(60)) == (1.4, LATE_SECONDS)


@pytest.mark.rule("S15")
def test_a_hook_that_meets_a_busy_lock_ends_and_its_event_waits(hooked: Shop) -> None:
    mutex = str(hooked.root / "mutex" / "write.mutex")
    with exclusive(mutex, seat="hermes", since="2026-11-30T10:00:00.000000+00:00"):
        found = call(hooked, skill_tool())
    assert (found.code, found.out, found.err) == (0, "", "")
    assert len(list((hooked.root / "spool").iterdir())) == 1
    assert hooked.agent("route", "list", "--json").json["requests"] == []
    assert len(list((hooked.root / "spool").iterdir())) == 1
    hooked.agent("post", "hermes", "--title", "x")
    assert list((hooked.root / "spool").iterdir()) == []
    rows = hooked.agent("route", "list", "--json").json["requests"]
    late = [need["text"] for need in hooked.agent("status", "--json").json["needs"]]
    # On a machine that is too busy even to read the event in time, that is what is said.
    assert [row["request"] for row in rows] == ["claude-code:s1:toolu_1"] or late == [
        "claude-code, it ran out of time"
    ]


@pytest.mark.rule("S15")
def test_a_host_that_never_ends_its_event_is_not_waited_for(hooked: Shop) -> None:
    words = program("--project", str(hooked.folder), "--as", "codex", "hook", "claude-code")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    needs: list[dict[str, Any]] = []
    for _ in range(MOST_TRIES):
        with subprocess.Popen(words, env=environment(), **pipes) as hook:  # type: ignore[call-overload]
            hook.stdin.write(b'{"hook_event_name":')
            hook.stdin.flush()
            assert hook.wait(timeout=30) == 0
            assert (hook.stdout.read(), hook.stderr.read()) == (b"", b"")
        # Where even the note had no time left, it waits for the next command that writes.
        hooked.agent("post", "hermes", "--title", "x")
        needs = hooked.agent("status", "--json").json["needs"]
        if needs:
            break
    assert [need["text"] for need in needs] == ["claude-code, it ran out of time"]


# The call itself, with all the time that it wants: a busy machine proves nothing here.
TAKES = """
import sys
from state.hook_call import HookCall
from state.project import open_project
taking = HookCall(open_project(sys.argv[1]), "claude-code", "codex")
taking.take(sys.stdin.buffer.read, "/home/me")
"""


@pytest.mark.rule("S16")
def test_four_hooks_at_once_lose_nothing(hooked: Shop) -> None:
    words = [sys.executable, "-c", TAKES, str(hooked.folder)]
    events = [skill_tool(tool=f"toolu_{number}") for number in range(3)]
    # Two of the four say the same.
    running = []
    for raw in (*events, events[0]):
        hook = subprocess.Popen(words, env=environment(), stdin=subprocess.PIPE)
        assert hook.stdin is not None
        running.append((hook, raw))
    for hook, raw in running:
        assert hook.stdin is not None
        hook.stdin.write(raw)
        hook.stdin.close()
    assert [hook.wait(timeout=60) for hook, _ in running] == [0] * 4
    hooked.agent("post", "hermes", "--title", "x")
    rows = hooked.agent("route", "list", "--json").json["requests"]
    assert {row["request"] for row in rows} == {f"claude-code:s1:toolu_{n}" for n in range(3)}
    assert hooked.log().count(b'"op":"receipt_recorded"') == 3
    assert hooked.agent("status", "--json").json["needs"] == []


@pytest.mark.rule("S6", "S14")
@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_no_text_of_a_host_is_kept_anywhere(hooked: Shop, tmp_path: Path, host: str) -> None:
    """A different word in each text field of each shipped piece, and in fields nobody knows."""
    said: list[str] = []

    def canary() -> str:
        said.append(f"canary{len(said):04d}x")
        return said[-1]

    def marked(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: marked(one) for key, one in value.items()} | {"more_text": canary()}
        if isinstance(value, list):
            return [marked(one) for one in value]
        if isinstance(value, str) and value.startswith("{"):
            return value.replace("{", f'{{"more":"{canary()}",', 1)
        if isinstance(value, str) and "a text" in value:
            return value.replace("a text", canary())
        return value

    outputs = []
    transcripts = tmp_path / "transcripts"
    transcripts.mkdir()
    for number, piece in enumerate(shipped("hook_events")[host]):
        given = [marked(one) for one in piece["given"]]
        if piece["via"] == "hook":
            outputs += [in_process(hooked, host, json.dumps(one).encode()) for one in given]
        else:
            path = transcripts / f"{number}.jsonl"
            path.write_text("".join(json.dumps(line) + "\n" for line in given))
            outputs.append(run_in_process(hooked, "route", "receipt", "--transcript", path))
    cut, unknown = f'{{"prompt":"{canary()}', f'{{"hook_event_name":"{canary()}"}}'
    bad = event("PreToolUse", tool_name="Skill", tool_input={"skill": f"do {canary()} now"})
    for raw in (cut.encode(), unknown.encode(), bad):
        outputs += [call(hooked, raw, "--json", host=host)]
    outputs += [
        hooked.agent("route", "list"),
        hooked.agent("journal", "log"),
        hooked.agent("status"),
    ]
    assert len(said) > 20
    assert any(result.out for result in outputs)
    everything = [result.out + result.err for result in outputs]
    everything += [name + held.decode("utf-8", "replace") for name, held in everywhere(hooked)]
    assert not [word for word in said for text in everything if word in text]


def in_process(shop: Shop, host: str, raw: bytes) -> Result:
    """A call without a process of its own."""
    from state.hook_call import HookCall
    from state.project import open_project

    with open_project(str(shop.folder)) as project:
        done = HookCall(project, host, "codex").take(lambda: raw, os.environ["HOME"])
    return Result(0, repr(done), "")


def test_a_hook_imports_nothing_heavy(hooked: Shop) -> None:
    words = program("--project", str(hooked.folder), "--as", "codex", "hook", "claude-code")
    command = [sys.executable, "-X", "importtime", *words[1:]]
    for raw, more in ((event("Stop"), {"filelock"}), (skill_tool(), set())):
        ran = subprocess.run(command, env=environment(), input=raw, capture_output=True)
        assert (ran.returncode, ran.stdout) == (0, b"")
        lines = ran.stderr.decode().splitlines()
        found = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
        assert {"panel", "state"} <= found
        assert found.isdisjoint(HEAVY | more), sorted(found & (HEAVY | more))


def test_the_lines_for_a_hosts_settings(hooked: Shop) -> None:
    found = hooked.agent("hook", "settings", "claude-code", "--json").json
    hooks = json.loads(found["add"])["hooks"]
    assert set(hooks) == {"PreToolUse", "PostToolUse", "UserPromptExpansion"}
    command = f"sublation-panel --project {hooked.folder} --as codex hook claude-code"
    assert {one["hooks"][0]["command"] for (one,) in hooks.values()} == {command}
    assert found["remove"] == found["add"]
    shown = run_cli("hook", "settings", "codex")
    assert 'command = "sublation-panel hook codex"' in shown.out
    assert "adapter register builtin:codex" in shown.out
    assert run_cli("hook", "settings", "vim").code == 2


@pytest.mark.rule("S2")
def test_what_a_host_can_prove(tmp_path: Path) -> None:
    shown = run_cli("hook", "check", "codex")
    assert shown.code == 0
    assert "not seen on a real host" in shown.out
    assert "it never reads as invoked" in shown.out
    assert "  invoked" not in shown.out
    found = run_cli("hook", "check", "claude-code", "--json").json
    assert found["ok"] is True
    assert all(piece["as_expected"] for piece in found["pieces"])
    captures = tmp_path / "captures"
    captures.mkdir()
    (captures / "one.json").write_bytes(skill_tool())
    lines = [skill_tool("PostToolUse", tool_response={"success": True}), b"{", event("New")]
    (captures / "two.jsonl").write_bytes(b"\n".join(lines))
    typed = {"message": {"content": "<command-name>/docx</command-name>"}, "uuid": "u1"}
    (captures / "s1.jsonl").write_text(json.dumps({"type": "user", "version": "9.9.9", **typed}))
    given = run_cli("hook", "check", "claude-code", captures, "--json").json
    assert [(piece["via"], piece["kind"], piece["count"]) for piece in given["pieces"]] == [
        ("hook", "post_tool_use", 1),
        ("hook", "pre_tool_use", 1),
        ("transcript", "command_line", 1),
    ]
    assert (given["versions"], given["unreadable"]) == (["9.9.9"], 1)
    assert given["notes"] == {"unknown_event": 1}
    assert run_cli("hook", "check", "claude-code", tmp_path / "missing").code == 2


def test_the_shell_completes_hosts() -> None:
    from panel.cli.shells import bash, places

    found = {place.words: place.value for place in places()}
    assert found["hook", "check"] == found["hook", "settings"] == "hosts"
    assert 'hosts) words="$words claude-code codex"' in bash(list(places()))
