"""Adds the commands given to both model and project to the tally of the campaigns."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.faults.conftest import PREFIX
from tests.model.pair import Pair


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    before = Pair.commands
    result = yield
    # Here and not in a fixture, which would end only after the report of the test was made.
    item.user_properties.append(
        (f"{PREFIX}random commands compared with a model", Pair.commands - before)
    )
    return result
