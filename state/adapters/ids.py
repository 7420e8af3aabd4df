"""What an adapter may be called, and which are the program's own (W21, S15)."""

from state import checks
from state.errors import BadInput

# Id -> the folder of its modules, from the package `state` on.
BUILTIN = {
    "builtin:claude-code": "routing/hooks",
    "builtin:codex": "routing/hooks",
}


def adapter_id(value: object) -> str:
    """An id like a seat's, or one of the program's own."""
    name = checks.named(value, "adapter")
    if name in BUILTIN:
        return name
    if name.startswith("builtin:"):
        raise BadInput(
            f"{name!r} is none of the program's own adapters",
            f"there are: {', '.join(BUILTIN)}",
            field="adapter",
        )
    if not checks.SEAT_ID.fullmatch(name) or name in checks.RESERVED:
        raise BadInput(
            f"{name!r} can't be an adapter's id",
            "use a-z, 0-9, '.', '_' and '-', at most 63, starting with a letter or digit",
            field="adapter",
        )
    return name
