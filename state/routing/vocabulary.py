"""The closed vocabulary of feature ids, the only words that the router takes (S3, S6).

An id is `group.name`; the list is closed: a feature that isn't in it is refused everywhere. A
change of the list is a new version, and an index built with another version is outdated (S8).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from state.routing.shipped import shipped

_DATA = shipped("vocabulary")

FEATURE_ID: Final = re.compile(r"[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*")
VOCABULARY_VERSION: Final[str] = _DATA["version"]
# What each group of ids speaks of, and what each id means, in one line.
GROUPS: Final[Mapping[str, str]] = _DATA["groups"]
FEATURES: Final[Mapping[str, str]] = _DATA["features"]


def unknown_features(features: Iterable[str]) -> list[str]:
    """Those of the names that are no id of the vocabulary, in their order."""
    return [feature for feature in features if feature not in FEATURES]
