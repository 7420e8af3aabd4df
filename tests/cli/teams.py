"""Team folders as another tool writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TIME = "2026-02-09T15:08:{:02}.039Z"


def entry(sender: str, text: str, second: int = 0, **more: Any) -> dict[str, Any]:
    return {"from": sender, "text": text, "timestamp": TIME.format(second), "read": True, **more}


def team(folder: Path, name: str, members: list[str], inboxes: dict[str, Any]) -> Path:
    """A team folder as the host writes it."""
    (folder / "inboxes").mkdir(parents=True)
    listed = [{"name": one, "agentType": "general-purpose", "color": "blue"} for one in members]
    (folder / "config.json").write_text(json.dumps({"name": name, "members": listed}, indent=2))
    for inbox, entries in inboxes.items():
        (folder / "inboxes" / f"{inbox}.json").write_text(json.dumps(entries, indent=2))
    return folder


def alpha(folder: Path) -> Path:
    assignment = {"type": "task_assignment", "taskId": "3", "subject": "Look at the inbox"}
    return team(
        folder,
        "alpha",
        ["lead", "worker", "idle"],
        {
            "lead": [
                entry("worker", "done\nall of it", 30, summary="Task done", read=False),
                entry("worker", '{"type":"idle_notification","idleReason":"interrupted"}', 31),
            ],
            "worker": [
                entry("lead", json.dumps(assignment), 10),
                entry("worker", "a note to myself", 20),
                entry("stranger", "who am I?", 5),
            ],
        },
    )
