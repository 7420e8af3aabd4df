"""Text from outside reaches a widget through `panel/safe_text.py` and no other way (M9)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.arch.code import Module, assert_none, dotted, imports, modules, sample, within

# The door, and the fields in which a person types or pastes, which draw their value themselves.
DOORS = ("panel/safe_text.py", "panel/widgets/safe_input.py")
NO_SCREEN = ("panel/cli/", "panel/demo/")

MARKUP_MODULES = ("rich.markup", "textual.markup", "rich.print", "rich.console")
MARKUP_CALLS = {"from_markup", "from_text", "render_markup", "visualize", "append_markup"}
# What draws a string that it is given.
WIDGETS = {
    "Button",
    "Checkbox",
    "Collapsible",
    "Content",
    "Label",
    "Link",
    "ListItem",
    "Markdown",
    "Option",
    "Placeholder",
    "RadioButton",
    "Selection",
    "Static",
    "Tab",
    "TabPane",
    "Text",
}
METHODS = {
    "add_column",
    "add_option",
    "add_row",
    "append_text",
    "assemble",
    "set_label",
    "set_options",
    "styled",
    "update",
    "update_cell",
    "write",
    "write_line",
}
TITLES = {"border_title", "border_subtitle", "tooltip", "title", "sub_title", "placeholder"}


def built(node: ast.expr) -> bool:
    """Whether a string is put together on the spot, so that anything may have got into it."""
    match node:
        case ast.JoinedStr(values=parts):
            return any(isinstance(part, ast.FormattedValue) for part in parts)
        case ast.BinOp(left=left, op=ast.Mod()):
            return isinstance(left, ast.Constant) and isinstance(left.value, str)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return any(built(side) or isinstance(side, ast.Attribute) for side in (left, right))
        case ast.Call(func=ast.Attribute(attr="format")):
            return True
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Constant())):
            return True
        case ast.Call(func=ast.Name(id="str" | "repr" | "ascii")):
            return True
        case ast.IfExp(body=body, orelse=other):
            return built(body) or built(other)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return any(built(part) for part in parts)
        case ast.Starred(value=value):
            return built(value)
    return False


def bypassing(module: Module) -> Iterator[str]:
    """Ways in which text could reach the screen past the door."""
    if module.name in DOORS:
        return
    for node, name in imports(module):
        if within(name, *MARKUP_MODULES):
            yield module.at(node)
    for part in ast.walk(module.tree):
        if isinstance(part, ast.Call) and _bypasses(module, part):
            yield module.at(part)
        elif isinstance(part, ast.Assign | ast.AnnAssign):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            named = [
                target.attr
                for target in targets
                if isinstance(target, ast.Attribute) and target.attr in TITLES
            ]
            if named and not isinstance(part.value, ast.Constant | None):
                yield module.at(part)


def _bypasses(module: Module, call: ast.Call) -> bool:
    name = dotted(call.func).rpartition(".")[2]
    if name in MARKUP_CALLS or name == "notify":
        return True
    if name in {"Input", "TextArea"}:
        return True
    if any(
        keyword.arg == "markup" and getattr(keyword.value, "value", None) is not False
        for keyword in call.keywords
    ):
        return True
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg != "id")]
    sink = name in WIDGETS or (isinstance(call.func, ast.Attribute) and name in METHODS)
    return sink and any(built(value) for value in given)


@pytest.mark.parametrize(
    "code",
    [
        "Static(f'{seat.name} waits')",
        "self.query_one(Label).update('seat ' + seat.name)",
        "Label('%s' % name)",
        "Static('{}'.format(name))",
        "table.add_row(str(seat.name))",
        "options.add_options([f'{a}'])\nOption(f'{a}')",
        "Content.from_markup(text)",
        "Text.from_markup(text)",
        "Content.from_text(text)",
        "self.notify('saved')",
        "self.app.notify(text, markup=False)",
        "Static(text, markup=True)",
        "widget.border_title = seat.name",
        "self.tooltip = message.title",
        "self.app.title = project.name",
        "Input(value=text)",
        "yield TextArea(body)",
        "from rich.markup import escape",
        "from textual.markup import escape",
    ],
)
def test_a_way_past_the_door_is_found(code: str) -> None:
    assert list(bypassing(sample(code, "panel/screens/sample.py")))


@pytest.mark.parametrize(
    "code",
    [
        "Static(line(f'{seat.name} waits'))",
        "Static('Nobody needs you')",
        "toast(self, f'saved as r{rev}')",
        "self.border_title = 'Needs you'",
        "Static(id=f'row-{number}')",
        "Content(' ' * gap)",
    ],
)
def test_the_programs_own_words_and_the_door_are_no_fault(code: str) -> None:
    assert not list(bypassing(sample(code, "panel/screens/sample.py")))


@pytest.mark.rule("M9")
def test_text_reaches_widgets_through_the_door_alone() -> None:
    screen = [module for module in modules("panel") if not module.name.startswith(NO_SCREEN)]
    assert screen
    assert_none(found for module in screen for found in bypassing(module))
