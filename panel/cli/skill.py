"""`skill`: which skills there are, what is odd about each, how its profile is (S3, S12, S13)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb
from state.errors import BadInput, NoProject, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from state.index.view import View
    from state.routing.inventory import Hashes, Inventory, Skill
    from state.routing.roots import Root

MOST_COMPARED = 2_000


def _list(call: Call) -> int:
    from panel.cli import skill_shapes, skill_text

    found = _inventory(call)
    return call.answer(
        skill_shapes.inventory(found) | _state(call), lambda: skill_text.inventory(found)
    )


def _show(call: Call) -> int:
    from panel.cli import skill_shapes, skill_text

    wanted = call.given(0, "NAME")
    skills = _inventory(call).skills
    found = [one for one in skills if wanted in (one.name, one.path, one.folder)]
    if not found:
        raise NotFound(f"there is no skill {wanted!r}", _near(wanted, skills))
    shown = [
        skill_shapes.skill(one)
        | {"description": one.description, "profile": skill_shapes.profile(one)}
        for one in found
    ]

    def lines() -> Iterator[str]:
        for one in found:
            yield from skill_text.skill(one)

    return call.answer({"skills": shown} | _state(call), lines)


def _check(call: Call) -> int:
    if call.args.schema:
        from state.routing.profile_shape import json_schema

        return _document(json_schema())
    folder = call.args.given[0] if call.args.given else "."
    if call.args.draft:
        return _draft(folder)
    from panel.cli import errors, skill_shapes, skill_text

    skills = _skills_in(folder)
    unfit = sum(one.is_unfit for one in skills)
    shown = {"skills": [skill_shapes.skill(one) for one in skills], "unfit": unfit}
    call.answer(shown, lambda: skill_text.checked(skills))
    if not unfit:
        return 0
    error = Refused("S3", f"{unfit:,} of {len(skills):,} don't pass", "what it is stands above")
    errors.say(error, as_json=call.json)
    return error.exit


def _draft(folder: str) -> int:
    from state.routing import skill_file
    from state.routing.draft import draft
    from state.routing.inventory import one

    found = one(folder)
    if found is None:
        raise NotFound(f"{folder} is no skill", "name the folder that holds SKILL.md")
    if found.profile is not None or found.profile_problems:
        raise BadInput(f"{found.name} has a routing.json already", "skill check DIR says how it is")
    _, description, body = skill_file.body(found.folder)
    return _document(draft(found.name, description, body))


def _roots(call: Call) -> int:
    from state.routing import roots

    given: list[str] = call.args.given
    if given:
        return _change_root(call)
    with _looking(call) as view:
        listed = [(root, roots.there(root)) for root in _configured(call, view)]

    def lines() -> Iterator[str]:
        from panel.cli.skill_text import roots_table

        return roots_table(listed)

    from panel.cli import skill_shapes

    shown = [skill_shapes.root(root, state) for root, state in listed]
    return call.answer({"roots": shown} | _state(call), lines)


def _change_root(call: Call) -> int:
    import os

    from state.routing import root_rules, roots
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
    known = tuple(root.path for root in roots.defaults(call.paths.project))
    done = call.change(lambda: make(path, known), actor)

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import operations

        again = ", before with this key; nothing was written now" if done.repeated else ""
        yield plain(f"r{done.rev}: you {operations.all_in_words(done.ops, done.rev)}{again}")

    return call.answer({"rev": done.rev, "path": path, "repeated": done.repeated}, lines)


def _inventory(call: Call) -> Inventory:
    from state.routing import inventory, roots

    named: list[str] | None = call.args.roots
    if named:
        wanted: Sequence[Root] = roots.given(named)
    else:
        with _looking(call) as view:
            wanted = _configured(call, view)
    return inventory.take(wanted, _progress(call), indexed=_indexed(call))


def _skills_in(folder: str) -> Sequence[Skill]:
    """The skill that the folder is, or those below it. NotFound without any."""
    from state.routing import inventory, roots

    found = inventory.one(folder)
    skills = (found,) if found is not None else inventory.take(roots.given([folder])).skills
    if not skills:
        raise NotFound(f"there is no skill in {folder}", "name a folder that holds SKILL.md")
    return skills


def _looking(call: Call) -> AbstractContextManager[View | None]:
    """The project, or None where there is none here: hosts' own roots are read all the same."""
    return call.looking() if _has_project(call) else nullcontext(None)


def _has_project(call: Call) -> bool:
    try:
        return bool(call.paths)
    except NoProject:
        return False


def _configured(call: Call, view: View | None) -> Sequence[Root]:
    from state.routing import roots

    return roots.configured(view, None if view is None else call.paths.project)


def _indexed(call: Call) -> Mapping[str, Hashes]:
    """The hashes that the router's index knows, by path; none without a sound index."""
    from state.routing.skill_index import SkillIndex, load

    found = load(call.paths) if _has_project(call) else None
    if not isinstance(found, SkillIndex):
        return {}
    return {one.path: (one.skill_sha256, one.profile_sha256) for one in found.entries}


def _state(call: Call) -> dict[str, Any]:
    looked = _has_project(call) and not getattr(call.args, "roots", None)
    return {"state": call.state if looked else None}


def _progress(call: Call) -> Callable[[int], None] | None:
    show = call.progress("skills")
    if show is None:
        return None

    def said(count: int) -> None:
        from panel.cli.errors import note

        note(f"{count:,} skills so far")

    return said


def _near(wanted: str, skills: Sequence[Skill]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(wanted, [one.name for one in skills[:MOST_COMPARED]], 1)
    return f"did you mean {near[0]}?" if near else "see: sublation-panel skill list"


def _document(data: Mapping[str, Any]) -> int:
    output.write(output.encoded(data, indent=True) + "\n")
    return 0


def _one_call(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--root",
        metavar="DIR",
        dest="roots",
        action="append",
        help="read this folder instead; may be given several times",
    )


def _how(group: _ArgumentGroup) -> None:
    one = group.add_mutually_exclusive_group()
    one.add_argument(
        "--schema", action="store_true", help="the JSON Schema of a routing.json, and nothing else"
    )
    one.add_argument(
        "--draft", action="store_true", help="propose a profile for the skill; writes no file"
    )


READS = "Needs neither a seat nor a terminal. Skill folders are read only."

VERBS: Mapping[str, Verb] = {
    "roots": Verb(
        _roots,
        "The folders in which skills are looked for; the user adds and removes some.",
        names=(("[add|remove]", "what to do; without it they are listed"), ("[DIR]", "a folder")),
        changes=True,
        more="Without a word after it, it lists them. Those of hosts are there from the start, this"
        " project's own among them. Only the user may add and remove, at a terminal; the folder"
        " itself is never touched.",
        examples=("sublation-panel skill roots add ~/skills",),
    ),
    "list": Verb(
        _list,
        "Every skill in the roots, what is odd about it, and which are alike.",
        words="[--root DIR]...",
        arguments=_one_call,
        more=f"{READS} What is odd is a note and hides nothing; links are listed and not followed."
        " At the end stands which roots it covers, and what was left out and why.",
        examples=("sublation-panel skill list --root ~/.claude/skills",),
    ),
    "show": Verb(
        _show,
        "All skills of a name, or the one in a folder, with everything about them.",
        names=(("NAME", "its name, or the path of its folder or file"),),
        words="[--root DIR]...",
        arguments=_one_call,
        more=READS,
    ),
    "check": Verb(
        _check,
        "Whether the skill in a folder, or each skill below it, and its routing.json are in order.",
        names=(("DIR", "a skill's folder, or one that holds several; else this folder"),),
        words="[--schema | --draft]",
        arguments=_how,
        more=f"{READS} Exit 3 when one is broken or its profile is refused; each reason is said. A"
        " draft goes to standard output only, to be read and corrected by a person.",
        examples=(
            "sublation-panel skill check my-skill",
            "sublation-panel skill check --draft my-skill > draft.json",
        ),
    ),
}
