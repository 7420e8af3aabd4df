"""The last good state of a project whose journal can't be read as it should be."""

from typing import TYPE_CHECKING

from state.clock import Clock
from state.errors import StateError, Unsound
from state.index.store import existing_view, open_view
from state.index.view import View
from state.journal.journal import Journal
from state.journal.settle import examine

if TYPE_CHECKING:
    from state.index.build import Progress


def last_good(
    journal: Journal, clock: Clock, progress: "Progress | None" = None
) -> tuple[View, StateError | None]:
    """The project as it stands, or else its last good state and what is wrong.

    That is what HEAD and an index agree on, where the log is at fault; else what an index holds
    whose last line still stands in the log, and the whole lines after it; else what whole lines
    there are from the first on, as far as HEAD goes. The trouble itself where there is none.
    """
    journal.check_place()
    trouble: Unsound
    try:
        found = examine(journal)
        # A blank HEAD is no trouble: whoever writes next marks the last whole line again.
        blank = found.head if found.marked is None else None
        return open_view(journal, clock, progress, blank), None
    except Unsound as error:
        trouble = error
    try:
        view = existing_view(journal, clock)
    except Unsound:
        view = None
    if view is None:
        from state.index.whole import whole_part

        view = whole_part(journal, progress, trouble)
    return view, trouble
