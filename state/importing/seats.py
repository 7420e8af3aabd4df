"""Which seat each member of a team gets: always the same one for the same team. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count

from state import checks
from state.importing.fields import slug

ID_LIMIT = 63


def assign(
    team: str,
    names: Iterable[str],
    *,
    prefix: str,
    ours: Mapping[str, str],
    is_free: Callable[[str], bool],
) -> dict[str, str]:
    """Member -> seat. `ours` are the seats that the team's members have from an earlier time.

    A member that has none gets its own name as id (with the prefix), and where that one is not
    free for this team, `<team>.<name>`. `is_free` says of an id whether another has taken it.
    """
    found: dict[str, str] = {}
    used = set(ours.values())
    for name in names:
        seat = ours.get(name)
        if seat is None:
            ids = _candidates(team, slug(prefix + name))
            seat = next(one for one in ids if one not in used and _is_allowed(one, is_free))
            used.add(seat)
        found[name] = seat
    return found


def _candidates(team: str, name: str) -> Iterator[str]:
    """Ids in the order in which they are tried."""
    yield name
    longer = f"{slug(team)}.{name}"
    yield longer[:ID_LIMIT].rstrip("-._")
    for number in count(2):
        end = f"-{number}"
        yield longer[: ID_LIMIT - len(end)].rstrip("-._") + end


def _is_allowed(seat: str, is_free: Callable[[str], bool]) -> bool:
    return seat not in checks.RESERVED and is_free(seat)
