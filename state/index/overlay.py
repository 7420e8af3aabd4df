"""Lines that an index file doesn't hold yet, folded in memory over it.

Each table gets a twin in SQLite's temporary schema and a view of the same name that shows the
rows of both, the twin's where both have one; so folding and asking work as they do on the file.
"""

import sqlite3

from state.index.schema import TABLES, Table


def lay_over(connection: sqlite3.Connection) -> None:
    """Makes every later change of this connection stay in memory, in front of the file's rows.

    The connection must have been opened with `temp_store=MEMORY`.
    """
    for name, table in TABLES.items():
        for statement in _twin(name, table):
            connection.execute(statement)


def _twin(name: str, table: Table) -> tuple[str, ...]:
    columns = ", ".join((*table.columns, f"PRIMARY KEY({', '.join(table.key)})"))
    same = " AND ".join(f"o.{column}=m.{column}" for column in table.key)
    # Only a row that can change may stand in both; without the condition SQLite asks both
    # tables by their keys, as it asks one.
    newer = "" if table.grows else f" WHERE NOT EXISTS (SELECT 1 FROM over_{name} o WHERE {same})"
    new = ", ".join(f"NEW.{column}" for column in table.names())
    both = f"SELECT * FROM main.{name} m{newer} UNION ALL SELECT * FROM over_{name}"
    put = f"BEGIN INSERT OR REPLACE INTO over_{name} VALUES({new}); END"
    return (
        f"CREATE TEMP TABLE over_{name}({columns}){'' if table.rowid else ' WITHOUT ROWID'}",
        f"CREATE TEMP VIEW {name} AS {both}",
        f"CREATE TEMP TRIGGER put_{name} INSTEAD OF INSERT ON {name} {put}",
        f"CREATE TEMP TRIGGER set_{name} INSTEAD OF UPDATE ON {name} {put}",
    )
