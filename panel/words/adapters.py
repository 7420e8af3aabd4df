"""What is said of adapters and consumers: what the files are now, who claims for a seat.

The words hold text from outside; they reach a terminal or widget through its door alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from panel.present import ages
from panel.words import signs
from panel.words.signs import Sign

if TYPE_CHECKING:
    from state.adapters.check import Checked
    from state.adapters.commands import Register
    from state.adapters.fingerprint import Taken
    from state.adapters.queries import Adapter
    from state.wake.consumers import Consumer

# What has become of the files since they were registered, and a registration that was taken back.
BECAME: Mapping[str, Sign] = {
    "same": Sign("=", "as registered", "$text-success"),
    "drifted": Sign("≠", "drifted", "$text-error"),
    "unreadable": Sign("?", "can't be read", "$text-error"),
    "revoked": Sign("⊘", "revoked", "$text-muted"),
}
KINDS: Mapping[str, Sign] = {
    "held": Sign("■", "holds the seat's lock", "$text-success"),
    "declared": Sign("□", "declared", "$text-warning"),
}
NO_ADAPTER = "no adapter is registered; the user does it with: adapter register ID FILE…"
NOTHING_TO_CHECK = "no adapter is registered, so there is nothing to check"
NO_CONSUMER = "no consumer is declared, and no seat's lock is held"
NOT_SAID = "(doesn't say its name)"
REGISTER = "Register it?"
STARTS_NOTHING = "registering starts nothing: a program of yours starts an adapter, or nobody does"
HINT_HEX = 12
MOST_FILES = 20


def about_to_register(command: Register, before: Adapter | None) -> Iterator[str]:
    """What the person agrees to: id, files, fingerprint, capabilities, and what it replaces."""
    taken, count = command.taken, len(command.taken.files)
    yield f"adapter {command.adapter}: {_files(count)}, {ages.size(taken.bytes)}, in {taken.base}"
    for file in taken.files[:MOST_FILES]:
        yield f"  {ages.size(file.bytes):>9}  {file.path}"
    if count > MOST_FILES:
        yield f"  and {count - MOST_FILES:,} more"
    yield f"fingerprint {taken.fingerprint}"
    if command.capabilities:
        yield f"capabilities {', '.join(command.capabilities)}"
    if before is not None:
        yield _replaced(before, taken)
    yield STARTS_NOTHING


def _replaced(before: Adapter, taken: Taken) -> str:
    files = "the same files" if before.fingerprint == taken.fingerprint else "other files"
    state = "registered" if before.is_registered else "registered and revoked"
    return (
        f"{before.adapter} was {state} before, r{before.registered_rev}, with {files}"
        f" ({before.fingerprint[:HINT_HEX]}); this takes its place"
    )


def what_became(found: Checked, registered: str) -> Iterator[str]:
    """One adapter's files as they are now, and which of them are not as they were."""
    yield f"{found.adapter}: {BECAME[found.became]}"
    if found.why:
        yield f"  {found.why}"
    if found.on_disk is not None and not found.is_same:
        yield f"  registered {registered}"
        yield f"  on disk    {found.on_disk}"
    for what, paths in (("changed", found.changed), ("gone", found.gone), ("new", found.new)):
        yield from (f"  {what:<7}  {path}" for path in paths)


def not_as_registered(names: tuple[str, ...]) -> str:
    """The line that goes with a check that failed."""
    return f"not as registered: {', '.join(names)}"


CHECK_HINT = "look at what changed; if you want it so, register it again"


def holds(consumer_seat: str, name: str) -> str:
    """What `consumer hold` says while it lives."""
    return (
        f"{name} holds {signs.seat(consumer_seat)} as long as this command lives; Ctrl-C lets it go"
    )


def who(consumer: Consumer) -> str:
    """A consumer's name, where it says one."""
    return consumer.name or NOT_SAID


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"
