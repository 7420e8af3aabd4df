"""The roster as tests ask for it and change it."""

from __future__ import annotations

from typing import Any

from state.project import open_project
from state.roster import queries
from tests.cli.conftest import Shop
from tests.support import Result


def seats(shop: Shop) -> dict[str, dict[str, Any]]:
    found = shop.agent("seat", "list", "--json", seat=None).json["seats"]
    return {seat["seat"]: seat for seat in found}


def revision(shop: Shop) -> int:
    """Without a process: `seat list` says the same, which another test sees."""
    with open_project(str(shop.folder)) as project, project.view() as view:
        return queries.revision(view)


def change(shop: Shop, *words: str) -> Result:
    return shop.user("seat", *words, "--roster", str(revision(shop)), "--json")
