"""The data that travels inside the package: vocabulary, samples, keywords. Read, never written."""

import os
from typing import Any

import orjson

_FOLDER = f"{os.path.dirname(os.path.abspath(__file__))}/data"


def shipped(name: str) -> Any:
    """The content of one JSON file of the package, by its bare name."""
    with open(f"{_FOLDER}/{name}.json", "rb") as file:
        return orjson.loads(file.read())
