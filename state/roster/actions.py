"""What may be done with a seat now, and if not, why: the answer for keys, menus and commands."""

from collections.abc import Callable, Mapping

from state.clock import Moment
from state.command import USER, Action, asked
from state.index.view import View
from state.roster import decide, queries


def seat_actions(
    view: View, seat: str, now: Moment, actor: str = USER, window: str | None = None
) -> tuple[Action, ...]:
    """Each change of the roster that has a seat as its object, in the order of a menu.

    Names: add, labels, hide, show, rename, away, back, close, deactivate, restore. `add` is about
    a new seat, and the same for every one. `window` is the state of the seat's window as the time
    has made it, else the one that is written counts. NotFound for an id that never was.
    """
    found = queries.get(view, seat)
    if window is not None:
        found = found._replace(window=window)
    tasks = queries.live_tasks(view, seat)
    leased = queries.leased_message(view, seat, now)
    rules: Mapping[str, tuple[Callable[[], None], ...]] = {
        "add": (),
        "labels": (),
        "hide": (lambda: decide.may_hide(found),),
        "show": (lambda: decide.may_show(found),),
        "rename": (lambda: decide.may_rename(found),),
        "away": (lambda: decide.may_leave(found),),
        "back": (lambda: decide.may_return(found),),
        "close": (lambda: decide.may_close_queue(found, tasks, leased),),
        "deactivate": (lambda: decide.may_deactivate(found, tasks),),
        "restore": (lambda: decide.may_restore(found),),
    }
    return tuple(
        asked(name, lambda: decide.by_user_only(actor), *rule) for name, rule in rules.items()
    )
