"""What may stand in a line: text, whole numbers within ±(2^53-1), and not nested too deep."""

from state.errors import BadInput

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 32


def check_storable(value: object, field: str, depth: int) -> None:
    """BadInput, naming the field, for a value that JSON would bend or a reader could not take.

    `depth` counts the levels of JSON around it.
    """
    if depth > MAX_DEPTH:
        raise BadInput(f"{field} is nested deeper than {MAX_DEPTH} levels", field=field)
    kind = type(value)
    if value is None or kind is bool:
        return
    if kind is str:
        _check_text(value, field)
    elif kind is int:
        _check_integer(value, field)
    elif kind is tuple or kind is list:
        for item in value:  # type: ignore[attr-defined]
            check_storable(item, field, depth + 1)
    elif kind is dict:
        for key, item in value.items():  # type: ignore[attr-defined]
            _check_text(key, field)
            check_storable(item, f"{field}.{key}", depth + 1)
    elif hasattr(kind, "__dataclass_fields__"):
        for name in kind.__dataclass_fields__:
            check_storable(getattr(value, name), name, depth + 1)
    else:
        raise BadInput(f"{field} is a {kind.__name__}, which can't be stored", field=field)


def _check_text(value: object, field: str) -> None:
    if type(value) is not str:
        raise BadInput(f"{field} has a key that is no text", field=field)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise BadInput(
                f"{field} is not valid Unicode at position {error.start}",
                "give UTF-8 text",
                field=field,
            ) from error


def _check_integer(value: object, field: str) -> None:
    if not isinstance(value, int) or abs(value) > MAX_INTEGER:
        raise BadInput(f"{field} must be a whole number within ±(2^53-1)", field=field)
