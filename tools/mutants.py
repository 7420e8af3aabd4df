"""Breaks each rule in a scratch copy and sees the tests that prove it fail.

`tests/mutants.toml` lists the changes. A mutant counts as killed when a test marked with its rule
fails on it and passes again without it; an error in collecting or in a fixture proves nothing.
"""

from __future__ import annotations

import argparse
import ast
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from xml.etree import ElementTree

from tools.scratch import Scratch, imports_from

AT_ONCE = 2
LONGEST = 300.0  # seconds for one run of one rule's tests
# What a broken rule no longer does is waited for less long than on a machine that is merely slow.
PATIENCE_SECONDS = "20"


class BadList(Exception):
    """`tests/mutants.toml` has not the form that it must have."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change of one file that breaks one rule."""

    rule: str
    file: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: `killed`, or a word for why it was not."""

    mutant: Mutant
    word: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """How pytest ended: its exit code (None when it was stopped) and which tests failed."""

    code: int | None
    failed: tuple[str, ...]


def load(path: Path) -> list[Mutant]:
    """The mutants of a list, in its order; `BadList` names the entry that is wrong."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadList(f"{path.name}: {error}") from error
    mutants = []
    for number, entry in enumerate(table.get("mutant", ()), 1):
        if set(entry) != {"rule", "file", "old", "new"} or not all(
            isinstance(value, str) for value in entry.values()
        ):
            raise BadList(f"{path.name}: entry {number} needs rule, file, old and new as strings")
        if entry["old"] == entry["new"] or not entry["old"]:
            raise BadList(f"{path.name}: entry {number} changes nothing")
        mutants.append(Mutant(**entry))
    return mutants


def stale(root: Path, mutant: Mutant) -> str:
    """Why the change can't be applied to the tree, or an empty string."""
    path = root / mutant.file
    if not path.is_file():
        return "there is no such file"
    count = path.read_bytes().count(mutant.old.encode())
    return "" if count == 1 else f"the old text occurs {count} times"


def files_by_rule(tests: Path) -> dict[str, list[Path]]:
    """For each rule the test modules that name it in a mark, those without a screen first."""
    found: dict[str, list[Path]] = {}
    paths = sorted(tests.rglob("test_*.py"))
    for path in sorted(paths, key=lambda path: tests / "state" not in path.parents):
        rules = {
            arg.value
            for node in ast.walk(ast.parse(path.read_bytes()))
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "rule"
            for arg in node.args
            if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        }
        for rule in rules:
            found.setdefault(rule, []).append(path)
    return found


def prove(scratch: Scratch, mutant: Mutant) -> Verdict:
    """Run the tests of the mutant's rule with and, where they failed, without it."""
    files = files_by_rule(scratch.place / "tests").get(mutant.rule, [])
    if not files:
        return Verdict(mutant, "untested", "no test is marked with the rule")
    with tempfile.TemporaryDirectory(prefix="mutant-") as cache:
        with scratch.changed(mutant.file, mutant.old, mutant.new):
            run = _pytest(scratch, mutant.rule, files, Path(cache))
        if run.code is None:
            return Verdict(mutant, "hung", f"no end after {LONGEST:.0f} s")
        if run.code == 0:
            return Verdict(mutant, "survived")
        if run.code != 1 or not run.failed:
            return Verdict(mutant, "broken", "errors, but no test that failed")
        again = _pytest(scratch, mutant.rule, files, Path(cache), "--last-failed", "--lfnf=none")
        if again.code != 0:
            return Verdict(mutant, "red", f"{run.failed[0]} fails without the mutant too")
    return Verdict(mutant, "killed", run.failed[0])


def _pytest(scratch: Scratch, rule: str, files: Iterable[Path], cache: Path, *more: str) -> Run:
    report = cache / "report.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "--rule", rule]
    command += ["-o", f"cache_dir={cache / 'pytest'}", f"--junitxml={report}", *more]
    command += [str(file.relative_to(scratch.place)) for file in files]
    process = subprocess.Popen(
        command,
        cwd=scratch.place,
        env={**scratch.environment, "TESTS_PATIENCE": PATIENCE_SECONDS},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        code: int | None = process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        _end(process)
    if not report.exists():
        return Run(code, ())
    cases = ElementTree.parse(report).iter("testcase")
    failed = [case for case in cases if case.find("failure") is not None]
    return Run(code, tuple(f"{case.get('classname')}::{case.get('name')}" for case in failed))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a pytest that is still at work, in the way in which it ends its own children first."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def prove_all(root: Path, mutants: Sequence[Mutant], at_once: int = AT_ONCE) -> Iterable[Verdict]:
    """The verdict of each mutant, as they come; so many copies of the tree are at work at once."""
    fresh = []
    for mutant in mutants:
        why = stale(root, mutant)
        if why:
            yield Verdict(mutant, "stale", why)
        else:
            fresh.append(mutant)
    if not fresh:
        return
    with tempfile.TemporaryDirectory(prefix="mutants-") as base:
        idle: SimpleQueue[Scratch] = SimpleQueue()
        for number in range(min(at_once, len(fresh))):
            place = Path(base).resolve() / str(number)
            scratch = Scratch(root, place)
            for package in {Path(mutant.file).parts[0] for mutant in fresh}:
                if imports_from(scratch.environment, package) != place / package:
                    raise RuntimeError(f"{package} is not imported from the scratch copy")
            idle.put(scratch)

        def work(mutant: Mutant) -> Verdict:
            scratch = idle.get()
            try:
                return prove(scratch, mutant)
            finally:
                idle.put(scratch)

        with ThreadPoolExecutor(at_once) as pool:
            for done in as_completed([pool.submit(work, mutant) for mutant in fresh]):
                yield done.result()


def missing(tests: Path, mutants: Iterable[Mutant]) -> list[str]:
    """Rules that a test names and no mutant breaks, in their order."""
    without = set(files_by_rule(tests)) - {mutant.rule for mutant in mutants}
    return sorted(without, key=lambda rule: (rule[0], int(rule[1:])))


def main(arguments: Sequence[str] | None = None, root: Path | None = None) -> int:
    """The command; exit 1 unless every mutant was killed, 2 when the list can't be used."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--rule", action="append", metavar="ID", help="only mutants of this rule")
    parser.add_argument(
        "--list-missing", action="store_true", help="only list rules with a test but no mutant"
    )
    options = parser.parse_args(arguments)
    root = root or Path(__file__).resolve().parent.parent
    try:
        mutants = load(root / "tests" / "mutants.toml")
    except BadList as error:
        print(error, file=sys.stderr)
        return 2
    if options.list_missing:
        without = missing(root / "tests", mutants)
        print("\n".join([*without, f"{len(without)} rules have a test but no mutant"]))
        return 1 if without else 0
    chosen = [mutant for mutant in mutants if not options.rule or mutant.rule in options.rule]
    words: Counter[str] = Counter()
    for verdict in prove_all(root, chosen):
        words[verdict.word] += 1
        mutant = verdict.mutant
        print(f"{verdict.word:8} {mutant.rule:4} {mutant.file}  {verdict.detail}", flush=True)
    counts = ", ".join(f"{count} {word}" for word, count in words.most_common())
    print(f"{len(chosen)} mutants: {counts or 'nothing to do'}")
    return 0 if words["killed"] == len(chosen) else 1


if __name__ == "__main__":
    raise SystemExit(main())
