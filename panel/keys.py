"""The one table of keys: bindings, footer, help, command palette and `docs/keys.md` come from it.

`python -m panel.keys` prints the documentation. A key belongs to contexts: modes (screens one
switches between), dialogs (screens on top, which hide the keys of the modes), `app` (bound by the
app, acts in all modes) and `list` (bound by every list). To add a key, add a line here and an
action to whatever binds that context with `bindings(context)`.

Why `f` finds and `/` filters: a filter narrows the list by what a message is (seat, sender, kind,
state, time) and every list has one; finding looks through the text of all messages, which only the
queue has, and takes longer. Why compose sends with `f2`: where text is typed all letters are taken,
`ctrl+enter` reaches the program in few terminals, and what else one might press is never bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding

from panel.key_names import all_shown, names, shown

__all__ = [
    "DIALOGS",
    "FIXED",
    "MODES",
    "TABLE",
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

Group = Literal["global", "list", "message", "seat", "wake", "queue", "skill", "journal", "dialog"]

# Numbers stay what they are; those between belong to modes that do not exist yet.
MODES: Mapping[str, int] = {"overview": 1, "queue": 2, "wake": 3, "skills": 4, "journal": 8}
DIALOGS = (
    "arming",
    "compose",
    "confirm",
    "conflict",
    "draft",
    "earlier",
    "first-start",
    "form",
    "help",
    "moved",
    "refusal",
    "seat-menu",
    "task-menu",
    "verify",
)
# Where text is typed, no character can be a command.
TYPED = ("compose", "form")
ALL = tuple(MODES)
APP = ("app",)
LIST = ("list",)

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


@dataclass(frozen=True, slots=True)
class Key:
    """One binding.

    `keys` are Textual's names, separated by commas, the first is the one shown. `needs` names what
    must hold for it to act: the screen answers `why_not(needs)`. `rank` says how soon the footer
    leaves it out (0 never, None always); `short` is its label where there is little room.
    """

    id: str
    keys: str
    action: str
    label: str
    help: str
    group: Group
    where: tuple[str, ...] = ALL
    needs: str = ""
    rank: int | None = None
    short: str | None = None
    priority: bool = False


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
        "narrow the list by seat, sender, kind, state or time", "list", rank=1),
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
        "requests, skills, inventory, or router and hosts compared",
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
        "leave what is open, or take the filter away", "global", APP),
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

    Key("arming.agree", "y", "agree", "yes, exactly this",
        "arm or resume the window as shown", "dialog", ("arming",), needs="wake.agree", rank=0,
        short="yes"),
    Key("arming.leave", "n,escape", "cancel", "no",
        "leave it as it is", "dialog", ("arming",), rank=0),
    Key("compose.send", "f2,ctrl+enter", "send", "send",
        "send what is written", "dialog", ("compose",), needs="send", rank=0),
    Key("compose.leave", "escape", "cancel", "back",
        "leave; asks when something is written", "dialog", ("compose",), rank=0),
    Key("draft.keep", "k", "answer('keep')", "keep as a draft",
        "leave, and find it again the next time", "dialog", ("draft",), rank=0, short="keep"),
    Key("draft.drop", "x", "answer('drop')", "throw away",
        "leave, and forget what is written", "dialog", ("draft",), rank=0, short="drop"),
    Key("draft.write", "escape", "answer('write')", "go on writing",
        "stay where you were", "dialog", ("draft",), rank=0, short="write"),
    Key("earlier.leave", "escape,q", "cancel", "back to now",
        "leave the past", "dialog", ("earlier",), rank=0),
    Key("verify.stop", "escape,q", "cancel", "stop or close",
        "stop the check; when it is over, close", "dialog", ("verify",), rank=0, short="stop"),
    Key("form.send", "f2,ctrl+enter", "send", "save",
        "save what is written; enter in the last field does the same", "dialog", ("form",), rank=0),
    Key("form.leave", "escape", "cancel", "back",
        "leave, and change nothing", "dialog", ("form",), rank=0),
    Key("confirm.yes", "y", "answer(True)", "yes", "do it", "dialog", ("confirm",), rank=0),
    Key("confirm.no", "n,escape", "answer(False)", "no",
        "leave it as it is", "dialog", ("confirm",), rank=0),
    Key("conflict.apply", "a", "apply", "apply to the new revision",
        "make the same change to what is there now",
        "dialog", ("conflict",), needs="write", rank=0, short="apply"),
    Key("conflict.drop", "x,escape", "cancel", "drop it",
        "leave what is there now", "dialog", ("conflict",), rank=0, short="drop"),
    Key("first-start.create", "c", "create", "create",
        "make a project in this folder; enter does the same", "dialog", ("first-start",), rank=0),
    Key("first-start.quit", "q,escape", "app.leave", "quit",
        "leave without writing anything", "dialog", ("first-start",), rank=0),
    Key("help.close", "escape,question_mark,q", "cancel", "close",
        "close the help", "dialog", ("help",), rank=0),
    Key("moved.moved", "m", "answer('moved')", "moved",
        "this is the project, in another place", "dialog", ("moved",), rank=0),
    Key("moved.copied", "c", "answer('copy')", "copied",
        "this is a copy, a project of its own", "dialog", ("moved",), rank=0),
    Key("moved.later", "escape", "cancel", "only look",
        "decide later and only read until then", "dialog", ("moved",), rank=0),
    Key("refusal.close", "c", "choose('close')", "close queue",
        "close what is unread and open, with a reason", "dialog", ("refusal",),
        needs="seat.close", rank=0),
    Key("refusal.leave", "escape", "cancel", "back",
        "change nothing", "dialog", ("refusal",), rank=0),
    Key("seat-menu.add", "a", "choose('add')", "add",
        "take a new agent seat in", "dialog", ("seat-menu",), needs="seat.add", rank=0),
    Key("seat-menu.labels", "l", "choose('labels')", "host and roles",
        "change the seat's labels", "dialog", ("seat-menu",), needs="seat.labels", rank=0),
    Key("seat-menu.hide", "h", "choose('hide')", "hide or show",
        "take the seat out of lists, or put it back", "dialog", ("seat-menu",),
        needs="seat.hide", rank=0),
    Key("seat-menu.rename", "n", "choose('rename')", "rename",
        "change the seat's display name", "dialog", ("seat-menu",), needs="seat.rename", rank=0),
    Key("seat-menu.away", "w", "choose('away')", "away or back",
        "mark the seat away until a time, or back", "dialog", ("seat-menu",),
        needs="seat.away", rank=0),
    Key("seat-menu.close", "c", "choose('close')", "close queue",
        "close what is unread and open, with a reason", "dialog", ("seat-menu",),
        needs="seat.close", rank=0),
    Key("seat-menu.deactivate", "x", "choose('deactivate')", "deactivate",
        "take the seat out; asks first", "dialog", ("seat-menu",),
        needs="seat.deactivate", rank=0),
    Key("seat-menu.restore", "u", "choose('restore')", "restore",
        "take a deactivated seat in again", "dialog", ("seat-menu",),
        needs="seat.restore", rank=0),
    Key("seat-menu.leave", "escape", "cancel", "back",
        "change nothing", "dialog", ("seat-menu",), rank=0),
    Key("task-menu.accept", "a", "choose('accept')", "accept",
        "take the task on", "dialog", ("task-menu",), needs="task.accept", rank=0),
    Key("task-menu.done", "d", "choose('done')", "done",
        "finish it, naming the evidence or that there is none", "dialog", ("task-menu",),
        needs="task.done", rank=0),
    Key("task-menu.decline", "x", "choose('decline')", "decline",
        "say no, with a reason", "dialog", ("task-menu",), needs="task.decline", rank=0),
    Key("task-menu.cancel", "c", "choose('cancel')", "cancel the task",
        "take a task back that you gave, with a reason", "dialog", ("task-menu",),
        needs="task.cancel", rank=0),
    Key("task-menu.leave", "escape", "cancel", "back",
        "change nothing", "dialog", ("task-menu",), rank=0),
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
    """All that acts in a mode or dialog, in the order of the table."""
    contexts = {context, "list"} | ({"app"} if context in MODES else set())
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
