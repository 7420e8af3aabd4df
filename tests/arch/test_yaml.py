"""YAML is read in one room alone, and nothing is ever constructed from it."""

from __future__ import annotations

from tests.arch.code import Module, assert_none, imports, modules, sample, uses, within

ROOM = "state/routing/"
# What makes objects from YAML, or would expand an alias.
CONSTRUCTING = ("load", "load_all", "full_load", "unsafe_load", "compose", "Loader", "UnsafeLoader")


def elsewhere(module: Module) -> list[str]:
    if module.name.startswith(ROOM):
        return []
    return [module.at(node) for node, name in imports(module) if within(name, "yaml")]


def constructing(module: Module) -> list[str]:
    banned = {f"yaml.{name}" for name in CONSTRUCTING}
    found = [module.at(node) for node, name in imports(module) if name in banned]
    found += [module.at(node) for node, name in uses(module) if name in banned]
    methods = (".get_data", ".get_single_data", ".get_single_node", ".construct_object")
    return found + [module.at(node) for node, name in uses(module) if name.endswith(methods)]


def test_yaml_is_imported_by_the_room_of_skills_alone() -> None:
    assert elsewhere(sample("def f():\n    from yaml import parse", "state/roster/x.py"))
    assert not elsewhere(sample("import yaml", "state/routing/x.py"))
    assert_none(found for module in modules("state", "panel") for found in elsewhere(module))


def test_nothing_is_constructed_from_yaml() -> None:
    assert constructing(sample("import yaml\nyaml.load(text, yaml.CSafeLoader)"))
    assert constructing(sample("from yaml import full_load"))
    assert constructing(sample("loader.get_single_data()"))
    assert_none(found for module in modules("state", "panel") for found in constructing(module))
