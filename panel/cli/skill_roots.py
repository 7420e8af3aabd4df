"""The folders in which skills are looked for, listed, and changed by the user (S13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from panel.cli.call import Call
from state.errors import BadInput, NoProject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from state.index.view import View
    from state.routing.roots import Root


def roots(call: Call) -> int:
    """The verb: lists the roots, or adds or removes one."""
    from state.routing import roots as known_roots

    given: list[str] = call.args.given
    if given:
        return _change_root(call)
    with looking(call) as view:
        listed = [(root, known_roots.there(root)) for root in configured(call, view)]

    def lines() -> Iterator[str]:
        from panel.cli.skill_text import roots_table

        return roots_table(listed)

    from panel.cli import skill_shapes

    shown = [skill_shapes.root(root, is_there) for root, is_there in listed]
    return call.answer({"roots": shown} | state(call), lines)


def _change_root(call: Call) -> int:
    import os

    from state.routing import root_rules
    from state.routing import roots as known_roots
    from state.routing.root_commands import AddSkillRoot, RemoveSkillRoot

    commands: Mapping[str, Callable[..., AddSkillRoot | RemoveSkillRoot]] = {
        "add": AddSkillRoot,
        "remove": RemoveSkillRoot,
    }
    word = call.given(0, "add")
    make = commands.get(word)
    if make is None:
        raise BadInput(f"there is no {word!r} of skill roots", "one of: add DIR, remove DIR")
    named = call.named_seat()
    if named is not None:
        root_rules.by_user_only(named)
    actor = call.user()
    path = os.path.abspath(call.given(1, "DIR"))
    known = tuple(root.path for root in known_roots.defaults(call.paths.project))
    done = call.change(lambda: make(path, known), actor)

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import operations

        again = ", before with this key; nothing was written now" if done.repeated else ""
        yield plain(f"r{done.rev}: you {operations.all_in_words(done.ops, done.rev)}{again}")

    return call.answer({"rev": done.rev, "path": path, "repeated": done.repeated}, lines)


def looking(call: Call) -> AbstractContextManager[View | None]:
    """The project, or None where there is none here: hosts' own roots are read all the same."""
    return call.looking() if has_project(call) else nullcontext(None)


def has_project(call: Call) -> bool:
    """Whether a project was named or is to be found here."""
    try:
        return bool(call.paths)
    except NoProject:
        return False


def configured(call: Call, view: View | None) -> Sequence[Root]:
    """The roots of this project, or without one those that hosts read for this person."""
    from state.routing import roots as known_roots

    return known_roots.configured(view, None if view is None else call.paths.project)


def state(call: Call) -> dict[str, Any]:
    """The field `state` of an answer: that of the project, null where none was looked at."""
    looked = has_project(call) and not getattr(call.args, "roots", None)
    return {"state": call.state if looked else None}
