"""Rows that change more than once: read when first needed, written once a batch."""

import sqlite3
from typing import Any

from state.index.schema import TABLES

Row = dict[str, Any]


class Kept:
    """Rows of the tables named, by table and primary key, as they are after the lines so far."""

    def __init__(self, connection: sqlite3.Connection, tables: tuple[str, ...]) -> None:
        self._connection = connection
        self._rows: dict[str, dict[tuple[Any, ...], Row]] = {name: {} for name in tables}

    def put(self, table: str, **values: Any) -> None:
        """A new row, or another one in its place; columns that aren't given are NULL."""
        row = dict.fromkeys(TABLES[table].names()) | values
        self._rows[table][tuple(row[name] for name in TABLES[table].key)] = row

    def find(self, table: str, *key: Any) -> Row | None:
        """The row with that key, which the caller may change; None without one."""
        row = self._rows[table].get(key)
        return self._read(table, key) if row is None else row

    def get(self, table: str, *key: Any) -> Row:
        """The row with that key, which the caller may change. KeyError without one."""
        row = self.find(table, *key)
        if row is None:
            raise KeyError((table, *key))
        return row

    def write(self) -> None:
        """Everything that was asked for goes into the index, and is forgotten here."""
        for name, rows in self._rows.items():
            if rows:
                marks = ",".join("?" * len(TABLES[name].columns))
                self._connection.executemany(
                    f"INSERT OR REPLACE INTO {name} VALUES({marks})",
                    [tuple(row.values()) for row in rows.values()],
                )
                rows.clear()

    def _read(self, table: str, key: tuple[Any, ...]) -> Row | None:
        same = " AND ".join(f"{column}=?" for column in TABLES[table].key)
        found = self._connection.execute(f"SELECT * FROM {table} WHERE {same}", key).fetchone()
        if found is None:
            return None
        row = dict(zip(TABLES[table].names(), found, strict=True))
        self._rows[table][key] = row
        return row
