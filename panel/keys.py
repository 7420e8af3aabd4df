"""The one table of keys: bindings, footer, help, command palette and `docs/keys.md` come from it.

`python -m panel.keys` prints the documentation. A key belongs to contexts: modes (screens one
switches between), dialogs (screens on top, which hide the keys of the modes), `app` (bound by the
app, acts in all modes) and `list` (bound by every list). To add a key, add a line here (for a
dialog, in `panel/key_dialogs.py`) and an action to whatever binds that context with
`bindings(context)`.

Why `f` finds and `/` filters: a filter narrows the list by what a message is (seat, sender, kind,
state, time) and every list has one; finding looks through the text of all messages, which only the
queue has, and takes longer. Why compose sends with `f2`: where text is typed all letters are taken,
`ctrl+enter` reaches the program in few terminals, and what else one might press is never bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from textual.binding import Binding

from panel import key_dialogs
from panel.key import ALL, APP, LIST, MODES, Group, Key
from panel.key_dialogs import DIALOGS, TYPED
from panel.key_names import all_shown, names, shown

__all__ = [
    "ALL",
    "APP",
    "DIALOGS",
    "FIXED",
    "LIST",
    "MODES",
    "TABLE",
    "TYPED",
    "Key",
    "acting_in",
    "all_shown",
    "bindings",
    "by_id",
    "grouped",
    "names",
    "of",
    "shown",
]

GROUPS: Mapping[Group, str] = {
    "message": "Messages",
    "seat": "Seats",
    "wake": "Wake windows",
    "queue": "Queue",
    "skill": "Skills",
    "journal": "Journal",
    "list": "Lists",
    "global": "Everywhere",
    "dialog": "Dialogs and menus",
}
# Bound by Textual itself, not by this table: (key, what it does).
FIXED = (
    ("tab", "go to the next part of the screen; shift+tab to the one before"),
    ("ctrl+q", "quit, where terminal and multiplexer let it through"),
)


# fmt: off
TABLE: tuple[Key, ...] = (
    Key("message.acknowledge", "k", "acknowledge", "ack",
        "acknowledge the next message due to you; it stays readable",
        "message", needs="acknowledge", rank=0),
    Key("message.reply", "r", "reply", "reply",
        "reply to the message under the cursor", "message", needs="reply", rank=0),
    Key("message.task", "t", "task_menu", "task…",
        "accept, finish, decline or cancel the task under the cursor",
        "message", needs="task", rank=0, short="task"),
    Key("message.write", "m", "write", "message",
        "write a message", "message", needs="write", rank=0, short="msg"),
    Key("seat.menu", "s", "seat_menu", "seat…",
        "add, label, hide, rename, mark away, close, deactivate or restore a seat",
        "seat", needs="seats", rank=0, short="seat"),
    Key("wake.arm", "a", "arm", "arm",
        "show what arming the seat's wake window agrees to, and ask", "wake",
        ("overview", "wake"), needs="wake.arm", rank=0),
    Key("wake.drain", "d", "drain", "drain",
        "no new intents: let the seat's window drain, at once", "wake",
        ("overview", "wake"), needs="wake.drain", rank=0),
    Key("wake.hold", "o", "hold", "hold",
        "put the seat's window on hold, at once; resume one that is on hold, after asking",
        "wake", ("overview", "wake"), needs="wake.hold", rank=0),
    Key("wake.hold-all", "O", "hold_all", "hold all",
        "put every open window on hold, at once", "wake",
        ("overview", "wake"), needs="wake.hold-all", rank=0, short="all"),
    Key("wake.policy", "p", "policy", "policy…",
        "the form of the seat's wake policy, with every limit", "wake",
        ("wake",), needs="wake.policy", rank=1),
    Key("wake.switch", "P", "switch", "policy on/off",
        "enable the seat's wake policy, or disable it; that arms nothing", "wake",
        ("wake",), needs="wake.switch", rank=1, short="on/off"),
    Key("wake.end", "e", "end_lease", "end lease",
        "end the seat's live lease, with a reason", "wake",
        ("wake",), needs="wake.end", rank=2),
    Key("wake.retry", "u", "retry", "retry",
        "let an intent that used up its attempts be tried again, with a reason", "wake",
        ("wake",), needs="wake.retry", rank=1),
    Key("wake.dismiss", "x", "dismiss_intent", "dismiss",
        "want no wake for a message any more, with a reason; it stays unread", "wake",
        ("wake",), needs="wake.dismiss", rank=1),
    Key("seat.hidden", "H", "show_hidden", "hidden",
        "show or leave out hidden seats", "seat", ("overview",), rank=3),
    Key("list.filter", "slash", "filter", "filter",
        "narrow the list by seat, sender, kind, state, time or words", "list", rank=1),
    Key("queue.find", "f", "find", "find",
        "look through titles and bodies of all messages", "queue", ("queue",), rank=1),
    Key("queue.thread", "T", "thread", "thread",
        "list the whole thread of the message under the cursor",
        "queue", ("queue",), needs="message", rank=2),
    Key("queue.order", "i", "order", "order",
        "newest first or oldest first", "queue", ("queue",), rank=3),
    Key("list.goto", "g", "goto", "go to #",
        "go to a number: a message or a line", "list", ("queue", "journal"), rank=2),
    Key("journal.verify", "v", "verify", "verify",
        "check the whole chain again", "journal", ("journal",), rank=1),
    Key("journal.earlier", "e", "earlier", "state here",
        "show the state as it was at the line under the cursor",
        "journal", ("journal",), needs="line", rank=1),
    Key("skills.part", "p", "part", "next part",
        "go on to requests, skills, inventory, router and hosts",
        "skill", ("skills",), rank=1, short="part"),
    Key("skills.read", "u", "read_again", "read again",
        "read the skill roots and the files of the index again",
        "skill", ("skills",), rank=1, short="read"),
    Key("list.copy", "y", "copy", "copy",
        "copy what is under the cursor", "list", needs="row", rank=3),
    Key("list.copy-whole", "Y", "copy_whole", "copy all",
        "copy the whole text of what is under the cursor",
        "list", ("queue", "journal"), needs="row"),
    Key("list.open", "enter", "open", "open",
        "open what is under the cursor", "list", LIST, rank=3),
    Key("list.up", "up", "move(-1)", "up", "one row up", "list", LIST),
    Key("list.down", "down", "move(1)", "down", "one row down", "list", LIST),
    Key("list.page-up", "pageup", "page(-1)", "page up", "one screen up", "list", LIST),
    Key("list.page-down", "pagedown", "page(1)", "page down", "one screen down", "list", LIST),
    Key("list.top", "home", "top", "top", "to the first row", "list", LIST),
    Key("list.bottom", "end", "bottom", "bottom", "to the last row", "list", LIST),
    Key("go.back", "escape", "screen.back", "back",
        "leave what is open or filtered; go back to where it was opened from", "global", APP),
    Key("go.overview", "1", "app.switch_mode('overview')", "overview",
        "who needs you, who is doing what", "global", APP, rank=2),
    Key("go.queue", "2", "app.switch_mode('queue')", "queue",
        "all messages and threads", "global", APP, rank=2),
    Key("go.wake", "3", "app.switch_mode('wake')", "wake",
        "wake windows, and why a seat was woken or not", "global", APP, rank=2),
    Key("go.skills", "4", "app.switch_mode('skills')", "skills",
        "which skill was suggested, which was chosen, and whether it was used",
        "global", APP, rank=2),
    Key("go.journal", "8", "app.switch_mode('journal')", "journal",
        "every line, and whether it is whole", "global", APP, rank=2),
    Key("panel.palette", "ctrl+p", "app.command_palette", "commands",
        "find a command by its name", "global", APP, rank=3, priority=True),
    Key("panel.quit", "q", "app.leave", "quit",
        "leave; asks only while something is being written", "global", APP, rank=0, short=""),
    Key("panel.help", "question_mark", "app.help", "help",
        "what the keys do here", "global", APP, rank=0, short=""),

    *key_dialogs.KEYS,
)
# fmt: on

_BY_ID = {key.id: key for key in TABLE}


def by_id(binding_id: str) -> Key:
    """The binding with this id. KeyError when there is none."""
    return _BY_ID[binding_id]


def of(context: str) -> Iterator[Key]:
    """What a context binds itself, in the order of the table."""
    return (key for key in TABLE if context in key.where)


def acting_in(context: str) -> tuple[Key, ...]:
    """All that acts in a mode or dialog, in the order of the table; no list where one types."""
    contexts = {context, *({"app"} if context in MODES else ())}
    contexts |= set() if context in TYPED else {"list"}
    return tuple(key for key in TABLE if contexts.intersection(key.where))


def bindings(context: str) -> list[Binding]:
    """What to put into `BINDINGS` of whatever binds this context.

    A key that needs something goes through `action_press`, which says why when it can't act.
    """
    return [
        Binding(
            key.keys,
            f"press({key.id!r})" if key.needs else key.action,
            key.label,
            show=key.rank is not None,
            priority=key.priority,
            tooltip=key.help,
            id=key.id,
        )
        for key in of(context)
    ]


def grouped(keys: Iterable[Key]) -> Iterator[tuple[str, list[Key]]]:
    """The keys by their groups, each with its title, for help and documentation."""
    listed = list(keys)
    for group, title in GROUPS.items():
        if members := [key for key in listed if key.group == group]:
            yield title, members


if __name__ == "__main__":
    from panel.present.key_docs import as_markdown

    print(as_markdown(), end="")
