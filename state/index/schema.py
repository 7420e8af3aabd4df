"""The tables of the index. It is a view: any of it can be deleted and is built again.

A change of what stands in them needs another `CODE`.
"""

from typing import NamedTuple

from state.index.names import KINDS


class Table(NamedTuple):
    """Columns with their types, the primary key, and whether that key is SQLite's own row id.

    `grows`: a row that is there is never changed.
    """

    columns: tuple[str, ...]
    key: tuple[str, ...]
    rowid: bool = False
    grows: bool = False

    def names(self) -> tuple[str, ...]:
        return tuple(column.split()[0] for column in self.columns)


TABLES: dict[str, Table] = {
    # One row: where the index stands, what the project is called, how many messages there are in
    # all and of each kind. `earliest` and `latest` belong to the messages after the last milestone.
    "meta": Table(
        (
            *("id INTEGER", "code TEXT", "project TEXT", "name TEXT", "created TEXT"),
            *("rev INTEGER", "hash TEXT", "segment INTEGER", "off INTEGER", "at TEXT"),
            *("seats INTEGER", "last_message INTEGER", "messages INTEGER"),
            *(f"{kind} INTEGER" for kind in KINDS),
            *("earliest TEXT", "latest TEXT"),
        ),
        ("id",),
        rowid=True,
    ),
    "line": Table(
        ("rev INTEGER", "seg INTEGER", "off INTEGER", "len INTEGER", "req INTEGER"),
        ("rev",),
        rowid=True,
        grows=True,
    ),
    "entity": Table(("name TEXT", "rev INTEGER"), ("name",)),
    # `number` counts seats in the order in which they first joined. `queued` counts the messages
    # that ever stood in the seat's queue, `passed` those of them that its cursor has passed, `sent`
    # those that it sent, `listed` all that it has to do with.
    "seat": Table(
        (
            *("id TEXT", "number INTEGER", "kind TEXT", "name TEXT", "host TEXT", "roles TEXT"),
            *("status TEXT", "visibility TEXT", "joined INTEGER", "cursor INTEGER"),
            *("queued INTEGER", "passed INTEGER", "sent INTEGER", "listed INTEGER"),
            *("live_tasks INTEGER", "away_until TEXT", "away_reason TEXT", "away_by TEXT"),
        ),
        ("id",),
    ),
    "roster_event": Table(
        ("rev INTEGER", "n INTEGER", "seat TEXT", "at TEXT", "by TEXT", "via TEXT", "op TEXT"),
        ("rev", "n"),
        grows=True,
    ),
    # `sender` is empty where an imported name has no seat; `recipients` (JSON) are as shown.
    "message": Table(
        (
            *("id INTEGER", "sender TEXT", "recipients TEXT", "addressing TEXT", "kind TEXT"),
            *("at TEXT", "title TEXT", "reply_to INTEGER", "hops INTEGER", "urgent INTEGER"),
            "imported INTEGER",
        ),
        ("id",),
        rowid=True,
        grows=True,
    ),
    # What a seat, by its number, has to do with messages that it didn't post: they stood in its
    # queue (QUEUED), or were imported with it as sender or recipient (FILED), once each.
    "involved": Table(
        ("seat INTEGER", "role INTEGER", "message INTEGER", "kind TEXT", "hops INTEGER"),
        ("seat", "role", "message"),
        grows=True,
    ),
    # Where long lists have got to: message `message` is number `n` * STEP of the list. Those of
    # ALL also say between which times the STEP messages up to there lie.
    "milestone": Table(
        ("list TEXT", "n INTEGER", "message INTEGER", "earliest TEXT", "latest TEXT"),
        ("list", "n"),
        grows=True,
    ),
    "reply": Table(
        ("parent INTEGER", "child INTEGER", "sender TEXT"), ("parent", "child"), grows=True
    ),
    "ack": Table(
        ("seat TEXT", "through INTEGER", "first INTEGER", "rev INTEGER", "at TEXT"),
        ("seat", "through"),
        grows=True,
    ),
    "closed": Table(
        (
            *("seat TEXT", "last INTEGER", "first INTEGER", "rev INTEGER", "at TEXT"),
            *("by TEXT", "reason TEXT"),
        ),
        ("seat", "last"),
        grows=True,
    ),
    # `proof` is the kind of `evidence` (JSON); `by` is the seat that got the task into its state.
    "task": Table(
        (
            *("message INTEGER", "holder TEXT", "author TEXT", "title TEXT", "state TEXT"),
            *("rev INTEGER", "since TEXT", "proof TEXT", "evidence TEXT", "reason TEXT"),
            *("accepted INTEGER", "by TEXT"),
        ),
        ("message", "holder"),
    ),
    # Questions and results that need the user; `open` is 0 once answered or acknowledged.
    "waiting": Table(
        (
            *("message INTEGER", "kind TEXT", "seat TEXT", "at TEXT", "title TEXT"),
            "open INTEGER",
        ),
        ("message",),
        rowid=True,
    ),
    # Requests to use a skill. `known` is 0 as long as there is nothing but refused receipts. What
    # a host's request shows are revisions: its last suggestion that is not offline, the last of
    # those made before a choice was known (`counted`), its first choice and its last one.
    "route_request": Table(
        (
            *("id TEXT", "known INTEGER", "host TEXT", "seat TEXT", "first INTEGER", "at TEXT"),
            *("last INTEGER", "last_at TEXT", "suggestion INTEGER", "counted INTEGER"),
            *("first_choice INTEGER", "choice INTEGER"),
        ),
        ("id",),
    ),
    # Each suggestion, choice and receipt of a request (`kind`), never merged. `state` is what kind
    # of suggestion, the source of a choice, or whether a receipt was accepted.
    "route_event": Table(
        (
            *("rev INTEGER", "n INTEGER", "request TEXT", "kind TEXT", "at TEXT", "by TEXT"),
            *("host TEXT", "seat TEXT", "skill TEXT", "state TEXT", "level TEXT"),
            *("router TEXT", "op TEXT"),
        ),
        ("rev", "n"),
        grows=True,
    ),
    # The skills that a suggestion names, from place 1 on; none of offline ones and fallbacks.
    "route_candidate": Table(
        ("rev INTEGER", "n INTEGER", "place INTEGER", "skill TEXT"),
        ("rev", "n", "place"),
        grows=True,
    ),
    "hook_note": Table(
        (
            *("rev INTEGER", "n INTEGER", "at TEXT", "host TEXT", "seat TEXT", "note TEXT"),
            "event TEXT",
        ),
        ("rev", "n"),
        grows=True,
    ),
    # The policy of a seat, its text as it was set, and the number of its last window.
    "policy": Table(
        ("seat TEXT", "text TEXT", "hash TEXT", "enabled INTEGER", "window INTEGER"), ("seat",)
    ),
    # A window's number is the line in which it was armed. `reason` is why it drained or closed,
    # `origin` and `cause` where a hold came from and why; `receipt` (JSON) closes it.
    "window": Table(
        (
            *("number INTEGER", "seat TEXT", "state TEXT", "reason TEXT", "origin TEXT"),
            *("cause TEXT", "policy TEXT", "hash TEXT", "adapter TEXT", "fingerprint TEXT"),
            *("baseline INTEGER", "through INTEGER", "quiet INTEGER", "wakes INTEGER"),
            *("armed_utc TEXT", "armed_boot TEXT", "armed_ms INTEGER"),
            *("counted_utc TEXT", "counted_boot TEXT", "counted_ms INTEGER"),
            *("closed INTEGER", "receipt TEXT"),
        ),
        ("number",),
        rowid=True,
    ),
    "window_change": Table(
        (
            *("seat TEXT", "rev INTEGER", "number INTEGER", "state TEXT", "reason TEXT"),
            *("at TEXT", "by TEXT"),
        ),
        ("seat", "rev", "state"),
        grows=True,
    ),
    # `attempts` counts the leases since it was made or last retried.
    "intent": Table(
        (
            *("id TEXT", "seat TEXT", "message INTEGER", "window INTEGER", "state TEXT"),
            *("reason TEXT", "attempts INTEGER", "created INTEGER", "rev INTEGER", "at TEXT"),
        ),
        ("seat", "message"),
    ),
    # Messages that a scan passed over, and why.
    "passed": Table(
        (*("seat TEXT", "message INTEGER", "number INTEGER", "reason TEXT", "rev INTEGER"),),
        ("seat", "message"),
        grows=True,
    ),
    # It runs `run_ms` from the moment `since`. `over` is how it ended, NULL until that is written.
    "lease": Table(
        (
            *("id TEXT", "seat TEXT", "intent TEXT", "message INTEGER", "window INTEGER"),
            *("attempt INTEGER", "consumer TEXT", "fingerprint TEXT", "rev INTEGER"),
            "run_ms INTEGER",
            *("granted_utc TEXT", "granted_boot TEXT", "granted_ms INTEGER"),
            *("since_utc TEXT", "since_boot TEXT", "since_ms INTEGER"),
            *("over TEXT", "reason TEXT", "over_rev INTEGER"),
            *("over_utc TEXT", "over_boot TEXT", "over_ms INTEGER"),
        ),
        ("id",),
    ),
    # `code` and `reason` are NULL for one that was taken; `evidence` is JSON.
    "receipt": Table(
        (
            *("rev INTEGER", "lease TEXT", "seat TEXT", "message INTEGER", "outcome TEXT"),
            *("exit_code INTEGER", "evidence TEXT", "code TEXT", "reason TEXT"),
            *("at TEXT", "by TEXT", "via TEXT"),
        ),
        ("rev",),
        rowid=True,
        grows=True,
    ),
    # One row: how far the hands of the clock stood from the time since that boot.
    "clock": Table(("id INTEGER", "boot TEXT", "offset_ms INTEGER"), ("id",), rowid=True),
    "clock_jump": Table(
        ("rev INTEGER", "at TEXT", "by_ms INTEGER"), ("rev",), rowid=True, grows=True
    ),
    # Imported messages: where they stood, and who sent them as it was said there.
    "origin": Table(
        ("message INTEGER", "place TEXT", "sha256 TEXT", "sender TEXT"),
        ("message",),
        rowid=True,
        grows=True,
    ),
    # Adapters as last registered; `capabilities`, `paths` and `files` are JSON. Revoked is
    # one whose row in `adapter_revoked` is the later one.
    "adapter": Table(
        (
            *("id TEXT", "capabilities TEXT", "paths TEXT", "files TEXT", "fingerprint TEXT"),
            *("base TEXT", "count INTEGER", "bytes INTEGER", "rev INTEGER", "at TEXT", "by TEXT"),
        ),
        ("id",),
    ),
    "adapter_revoked": Table(
        ("id TEXT", "rev INTEGER", "at TEXT", "by TEXT", "reason TEXT"), ("id",)
    ),
    # What the user last said of a folder in which skills may be looked for: `added` or `removed`.
    "skill_root": Table(
        ("path TEXT", "state TEXT", "rev INTEGER", "at TEXT", "by TEXT"), ("path",)
    ),
    # The consumer last declared for a seat, and whether it ended since.
    "consumer": Table(
        ("seat TEXT", "name TEXT", "rev INTEGER", "at TEXT", "by TEXT", "ended INTEGER"),
        ("seat",),
    ),
}

INDEXES = """
CREATE INDEX line_req ON line(req);
CREATE INDEX message_kind ON message(kind);
CREATE INDEX message_sender ON message(sender, id, kind, imported);
CREATE INDEX task_state ON task(state, message);
CREATE INDEX task_holder ON task(holder, state, message);
CREATE INDEX origin_place ON origin(place, sha256);
CREATE INDEX route_request_seat ON route_request(seat, last, id);
CREATE INDEX route_request_last ON route_request(last, id);
CREATE INDEX route_event_request ON route_event(request, rev, n);
CREATE INDEX route_event_skill ON route_event(skill, kind);
CREATE INDEX route_candidate_skill ON route_candidate(skill, place);
CREATE INDEX hook_note_at ON hook_note(at);
CREATE INDEX window_seat ON window(seat, number);
CREATE INDEX intent_id ON intent(id);
CREATE INDEX intent_state ON intent(seat, state, message);
CREATE INDEX intent_stuck ON intent(message) WHERE state='terminal_hold';
CREATE INDEX intent_window ON intent(window, state);
CREATE INDEX passed_window ON passed(number, reason);
CREATE INDEX lease_seat ON lease(seat, rev);
CREATE INDEX receipt_lease ON receipt(lease);
CREATE INDEX waiting_open ON waiting(message) WHERE open=1;
"""


def tables() -> str:
    """The statements that create the empty tables, without their secondary indexes."""
    made = []
    for name, table in TABLES.items():
        columns = ", ".join((*table.columns, f"PRIMARY KEY({', '.join(table.key)})"))
        made.append(f"CREATE TABLE {name}({columns}){'' if table.rowid else ' WITHOUT ROWID'};")
    return "\n".join(made)
