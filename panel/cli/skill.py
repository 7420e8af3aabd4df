"""`skill`: which skills there are, what is odd about each, how its profile is (S3, S12, S13)."""

from __future__ import annotations

import os
from argparse import _ArgumentGroup
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from panel.cli import output, skill_roots
from panel.cli.call import Call
from panel.cli.parser import Verb
from state.errors import BadInput, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from state.routing.inventory import Hashes, Inventory, Skill
    from state.routing.roots import Root

MOST_COMPARED = 2_000


def _list(call: Call) -> int:
    from panel.cli import skill_shapes, skill_text

    found = _inventory(call)
    return call.answer(
        skill_shapes.inventory(found) | skill_roots.state(call), lambda: skill_text.inventory(found)
    )


def _show(call: Call) -> int:
    from panel.cli import skill_shapes, skill_text

    wanted = call.given(0, "NAME")
    place = os.path.realpath(wanted) if "/" in wanted or wanted == "." else None
    skills = _inventory(call).skills
    found = [one for one in skills if wanted == one.name or place in (one.path, one.folder)]
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

    return call.answer({"skills": shown} | skill_roots.state(call), lines)


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
    error = Refused("S3", f"{unfit:,} of {len(skills):,} don't pass", "each reason stands above")
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
    proposed = draft(found.name, description, body)
    if not proposed["features"]:
        from panel.cli.errors import note

        note("no feature was found in its text; a profile needs one at least")
    return _document(proposed)


def _inventory(call: Call) -> Inventory:
    from state.routing import inventory, roots

    named: list[str] | None = call.args.roots
    if named:
        wanted: Sequence[Root] = roots.given(named)
    else:
        with skill_roots.looking(call) as view:
            wanted = skill_roots.configured(call, view)
    return inventory.take(wanted, _progress(call), indexed=_indexed(call))


def _skills_in(folder: str) -> Sequence[Skill]:
    """The skill that the folder is, or those below it. NotFound without any."""
    from state.routing import inventory, roots

    found = inventory.one(folder)
    skills = (found,) if found is not None else inventory.take(roots.given([folder])).skills
    if not skills:
        raise NotFound(f"there is no skill in {folder}", "name a folder that holds SKILL.md")
    return skills


def _indexed(call: Call) -> Mapping[str, Hashes]:
    """The hashes that the router's index knows, by path; none without a project."""
    from state.routing.skill_index import hashes

    return hashes(call.paths) if skill_roots.has_project(call) else {}


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
        skill_roots.roots,
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
