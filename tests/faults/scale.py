"""How far the campaigns go: a short form with every test run, the long one by `make faults`."""

import os

LONG = os.environ.get("FAULTS") == "long"


def scaled(short: int, long: int) -> int:
    """The number for this run."""
    return long if LONG else short
