"""What the question "moved or copied?" says."""

from __future__ import annotations

from collections.abc import Mapping

TITLE = "Moved or copied?"
SAID: Mapping[str, str] = {
    "moved": "taken as moved: this is the project",
    "copy": "this copy is a project of its own now",
}


def question(moved: str, copied: str) -> str:
    """What is asked, and the two keys that answer it."""
    return (
        "This machine knows the project in another place, or as another folder. Nothing is written"
        " until you say which it is.\n"
        f"{moved}  It was moved, or put back: this is the project, and there is no other one.\n"
        f"{copied}  It is a copy: both go on. This one becomes a project of its own, which names"
        " the other as its parent."
    )


def found_in(folder: str) -> str:
    """Where it stands now."""
    return f"The project stands in {folder}."
