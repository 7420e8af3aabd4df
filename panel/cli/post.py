"""`post`: one message into the queues of seats (M1-M4)."""

from __future__ import annotations

import os
from argparse import _ArgumentGroup
from collections.abc import Iterator
from typing import TYPE_CHECKING

from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from state import checks
from state.errors import BadInput
from state.messages.commands import KINDS, Post

if TYPE_CHECKING:
    from state.index.view import View

PIPE = "-"


def _arguments(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--kind", metavar="K", default="", help=f"{', '.join(KINDS)}; else note, or reply"
    )
    group.add_argument(
        "--title", metavar="T", default="", help="one line; only a reply may go without"
    )
    group.add_argument("--body", metavar="TEXT", help="the text, at most 1 MiB")
    group.add_argument(
        "--body-file", metavar="FILE", help="the text from a file; - alone is standard input"
    )
    group.add_argument(
        "--reply-to", metavar="N", type=whole, help="the number of the message it answers"
    )
    group.add_argument(
        "--ref",
        metavar="R",
        dest="refs",
        action="append",
        default=[],
        help="a path or URL it is about; may be given several times",
    )
    group.add_argument("--urgent", action="store_true", help="urgency high")


def _run(call: Call) -> int:
    args = call.args
    to = tuple(seat for seat in args.given if seat != PIPE)
    piped = PIPE in args.given or args.body_file == PIPE
    actor = call.actor(body_is_piped=piped)

    def make() -> Post:
        return Post(
            to=to,
            title=_text(args.title, "title"),
            body=_body(call, piped),
            kind=args.kind,
            reply_to=args.reply_to,
            refs=tuple(args.refs),
            urgent=args.urgent,
        )

    done = call.change(make, actor, may=lambda view: _may_post(view, actor.seat))
    posted = next(op for op in done.ops if op["op"] == "message_posted")
    recipients = list(posted["to"])

    def lines() -> Iterator[str]:
        again = ", posted before with this key; nothing was written now" if done.repeated else ""
        yield f"#{done.rev} posted to {', '.join(recipients)}{again}"

    shown = {"message": done.rev, "rev": done.rev, "recipients": recipients}
    return call.answer(shown | {"repeated": done.repeated}, lines)


def _may_post(view: View, seat: str) -> None:
    from state.roster import decide, queries

    decide.may_act("M3", seat, queries.find(view, seat))


def _body(call: Call, piped: bool) -> str:
    args = call.args
    ways = [args.body is not None, args.body_file not in (None, PIPE), piped]
    if sum(ways) > 1:
        raise BadInput("the body is given twice", "--body, --body-file or -", field="body")
    if args.body is not None:
        return _text(args.body, "body")
    if piped:
        if call.at_terminal:
            from panel.cli.errors import note

            note("write the body; ctrl+d on an empty line ends it")
        return checks.decoded(_read(0, "standard input"), "body")
    if args.body_file is not None:
        return checks.decoded(_read(args.body_file, args.body_file), "body")
    return ""


def _read(source: str | int, name: str) -> bytes:
    """A body's bytes; one that is too long is refused before it is read."""
    try:
        with open(source, "rb", closefd=isinstance(source, str)) as file:
            size = os.fstat(file.fileno()).st_size
            data = b"" if size > checks.BODY_LIMIT else file.read(checks.BODY_LIMIT + 1)
    except OSError as error:
        raise BadInput(f"{name} can't be read: {error.strerror}", field="body") from error
    except ValueError as error:
        raise BadInput(f"{name!r} is no name of a file", field="body") from error
    if size > checks.BODY_LIMIT or len(data) > checks.BODY_LIMIT:
        # How long a pipe's is nobody knows: no more of it is read.
        had = f"{size:,} bytes" if size > checks.BODY_LIMIT else "too many bytes"
        raise BadInput(
            f"the body has {had}; the limit is {checks.BODY_LIMIT:,}",
            "leave it in a file of the project and name that with --ref",
            field="body",
        )
    return data


def _text(given: str, field: str) -> str:
    """An argument as the bytes that the shell gave, so that what isn't UTF-8 has an offset."""
    return checks.decoded(os.fsencode(given), field)


VERBS = Verb(
    _run,
    "Write one message to seats.",
    names=(("TO...", "seats, or `all` for every active one but the sender; - : body from a pipe"),),
    words="[--kind K] [--title T] [--body TEXT | --body-file FILE | -] [--reply-to N] [--ref R]..."
    " [--urgent]",
    arguments=_arguments,
    changes=True,
    more="It is written to the journal and stands in each recipient's queue; whether anybody looked"
    " at it, acknowledged or answered it, `message show` tells. Its number is the line's.",
    examples=(
        "sublation-panel post hermes --title 'the build is green'",
        "sublation-panel post codex hermes --kind task --title 'look' --body-file a.md",
        "git diff | sublation-panel --as codex post all --title 'what I changed' -",
        "sublation-panel post codex --reply-to 12 --body 'yes, merge it' --key answer-12",
    ),
)
