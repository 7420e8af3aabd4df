"""Which of the program's module files each of its own adapters is made of (S15)."""

import os

import state
from state.adapters.ids import BUILTIN
from state.adapters.walk import unfit


def module_files(adapter: str) -> list[str]:
    """The module files of one of the program's own adapters. BadInput where this program has none.

    What Python compiles from them beside them is left out.
    """
    folder = os.path.join(os.path.dirname(state.__file__), *BUILTIN[adapter].split("/"))
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise unfit(
            f"this program has no hook readers for {adapter}", "use a version that has them"
        ) from error
    return [os.path.join(folder, name) for name in names if name.endswith(".py")]
