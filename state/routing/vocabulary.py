"""The closed vocabulary of feature ids, the only words that the router takes (S3, S6).

An id is `group.name`; the list is closed: a feature that isn't in it is refused everywhere. A
change of the list is a new version, and an index built with another version is outdated (S8).
"""

from collections.abc import Mapping
from typing import Final

from state.routing.shipped import shipped

_DATA = shipped("vocabulary")

VOCABULARY_VERSION: Final[str] = _DATA["version"]
# What each group of ids speaks of, and what each id means, in one line.
GROUPS: Final[Mapping[str, str]] = _DATA["groups"]
FEATURES: Final[Mapping[str, str]] = _DATA["features"]
