"""What is written of consumers: one that can't hold a lock is declared, and ended (W22)."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ConsumerDeclared:
    """Something called `name` claims for the seat, until it is said to have ended."""

    op: str = field(default="consumer_declared", init=False)
    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class ConsumerEnded:
    """What was declared for the seat under that name claims no longer."""

    op: str = field(default="consumer_ended", init=False)
    seat: str
    name: str
