"""Whether an operation has exactly the fields and types of its dataclass: pydantic, built late."""

from dataclasses import Field, fields, is_dataclass
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from state.journal.catalogue import OPERATIONS
from state.journal.storable import MAX_INTEGER


def misfit(operation: dict[str, Any]) -> str:
    """What is wrong with an operation of a known name, as the rest of a sentence, or nothing."""
    from pydantic import ValidationError

    name = operation["op"]
    try:
        _model(operation_class(name)).model_validate(operation)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"has an operation {name} whose field {place!r} is not of its type: {first['msg']}"
    return ""


def operation_class(name: str) -> type:
    """The dataclass of an operation."""
    module, class_name = OPERATIONS[name]
    found: type = getattr(import_module(module), class_name)
    return found


@cache
def _model(shape: type) -> Any:
    from pydantic import ConfigDict, create_model

    hints = get_type_hints(shape)
    members: dict[str, Any] = {
        field.name: (_stated(field, hints[field.name]), ...) for field in fields(shape)
    }
    exactly = ConfigDict(strict=True, extra="forbid")
    return create_model(shape.__name__, __config__=exactly, **members)


def _stated(field: Field[Any], kind: Any) -> Any:
    # A field that no caller gives has one value only: the name of the operation or its kind.
    return _as_json(kind) if field.init else Literal[field.default]


def _as_json(kind: Any) -> Any:
    """The type that a field has in JSON, where a tuple is a list."""
    import pydantic

    if kind is int:
        return Annotated[int, pydantic.Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
    if kind in (str, bool, NoneType):
        return kind
    if is_dataclass(kind):
        return _model(kind)  # type: ignore[arg-type]
    parts = get_args(kind)
    if isinstance(kind, UnionType) or get_origin(kind) is Union:
        return Union[tuple(_as_json(part) for part in parts)]  # noqa: UP007
    if get_origin(kind) is tuple and parts[1] is Ellipsis:
        return list[_as_json(parts[0])]  # type: ignore[misc]
    if get_origin(kind) is tuple and len(set(parts)) == 1:
        size = pydantic.Field(min_length=len(parts), max_length=len(parts))
        return Annotated[list[_as_json(parts[0])], size]  # type: ignore[misc]
    raise TypeError(f"no JSON type for {kind}")
