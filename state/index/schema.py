"""The tables of the index. It is a view: any of it can be deleted and is built again.

`CODE` names the code that fills the tables; an index of another `CODE` is built anew.
"""

from typing import NamedTuple

CODE = "1"


class Table(NamedTuple):
    """Columns with their types, the primary key, and whether that key is SQLite's own row id."""

    columns: tuple[str, ...]
    key: tuple[str, ...]
    rowid: bool = False

    def names(self) -> tuple[str, ...]:
        return tuple(column.split()[0] for column in self.columns)


TABLES: dict[str, Table] = {
    "meta": Table(("key TEXT", "value"), ("key",)),
    "line": Table(
        ("rev INTEGER", "seg INTEGER", "off INTEGER", "len INTEGER", "req INTEGER"),
        ("rev",),
        rowid=True,
    ),
    "entity": Table(("name TEXT", "rev INTEGER"), ("name",)),
    "seat": Table(
        (
            *("id TEXT", "kind TEXT", "name TEXT", "host TEXT", "roles TEXT", "status TEXT"),
            *("visibility TEXT", "joined INTEGER", "cursor INTEGER", "passed INTEGER"),
            *("queued INTEGER", "away_until TEXT", "away_reason TEXT", "away_by TEXT"),
        ),
        ("id",),
    ),
    "roster_event": Table(
        ("rev INTEGER", "n INTEGER", "seat TEXT", "at TEXT", "by TEXT", "via TEXT", "op TEXT"),
        ("rev", "n"),
    ),
    "message": Table(
        (
            *("id INTEGER", "sender TEXT", "kind TEXT", "at TEXT", "title TEXT"),
            *("reply_to INTEGER", "hops INTEGER", "urgent INTEGER", "imported INTEGER"),
        ),
        ("id",),
        rowid=True,
    ),
    # A seat's messages: `n` is the place in the seat's queue, null for what the seat sent itself
    # and for imported messages, which never stand in a queue.
    "involved": Table(("seat TEXT", "message INTEGER", "n INTEGER"), ("seat", "message")),
    "reply": Table(("parent INTEGER", "child INTEGER"), ("parent", "child")),
    "ack": Table(
        ("seat TEXT", "through INTEGER", "first INTEGER", "rev INTEGER", "at TEXT"),
        ("seat", "through"),
    ),
    "closed": Table(
        (
            *("seat TEXT", "last INTEGER", "first INTEGER", "rev INTEGER", "at TEXT"),
            *("by TEXT", "reason TEXT"),
        ),
        ("seat", "last"),
    ),
    "task": Table(
        (
            *("message INTEGER", "holder TEXT", "author TEXT", "state TEXT", "rev INTEGER"),
            *("since TEXT", "evidence TEXT", "reason TEXT", "accepted INTEGER"),
        ),
        ("message", "holder"),
    ),
    "origin": Table(("place TEXT", "sha256 TEXT", "message INTEGER"), ("place", "sha256")),
}

INDEXES = """
CREATE INDEX line_req ON line(req);
CREATE INDEX message_kind ON message(kind);
CREATE INDEX task_live ON task(holder, state) WHERE state IN ('open', 'accepted');
CREATE INDEX task_author ON task(author, message);
"""


def tables() -> str:
    """The statements that create the empty tables, without their secondary indexes."""
    made = []
    for name, table in TABLES.items():
        columns = ", ".join((*table.columns, f"PRIMARY KEY({', '.join(table.key)})"))
        made.append(f"CREATE TABLE {name}({columns}){'' if table.rowid else ' WITHOUT ROWID'};")
    return "\n".join(made)
