"""Counts what the campaigns did, in whichever process, and prints it at the end with the date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.faults.scale import LONG

PREFIX = "campaign: "

Tally = Callable[[str, int], None]


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """Call it with what was done and how often, once a test at its end."""

    def add(what: str, count: int) -> None:
        record_property(PREFIX + what, count)

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    done: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, count in getattr(report, "user_properties", ()):
                if name.startswith(PREFIX) and report.when == "call":
                    done[name.removeprefix(PREFIX)] += count
    if done:
        form = "long" if LONG else "short"
        date = datetime.now(UTC).strftime("%Y-%m-%d")
        terminalreporter.write_line("")
        terminalreporter.write_line(f"fault campaign of {date}, {form} form:")
        for what, count in sorted(done.items()):
            terminalreporter.write_line(f"- {count:,} {what}")
