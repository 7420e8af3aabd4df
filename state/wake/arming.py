"""What a person is shown before agreeing to arm or resume, and the command that carries it (W6)."""

from collections.abc import Sequence
from dataclasses import dataclass

from state.adapters import queries as adapters
from state.adapters.check import Checked, check
from state.clock import Moment, after
from state.errors import Refused
from state.index.view import View
from state.paths import Paths
from state.wake import window
from state.wake.consumers import Consumer, consumers_of
from state.wake.due import by_time
from state.wake.model import SeatWake
from state.wake.policy import Policy
from state.wake.window_commands import Arm, Resume


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """What would be agreed to, as it stood `at`; everything about it was only read.

    `policy` is the one that would be in force and `deadline` when the window would end, None for a
    policy that isn't there. `adapter` is what has become of the adapter's files, None where the
    policy names none or it isn't registered. `refusal` is why it can't be done now.
    """

    resumes: bool
    wake: SeatWake
    policy: Policy | None
    deadline: str | None
    adapter: Checked | None
    consumers: Sequence[Consumer]
    refusal: Refused | None
    at: str

    def command(self, last: "Agreement | None" = None) -> Arm | Resume:
        """The command that means exactly what was shown.

        `last` is a look taken once it was agreed to: no revision tells of files and locks that
        changed since they were shown (W7, W22).
        """
        seen = (self.wake.policy_hash, self.wake.policy_revision, self.wake.window_revision)
        last = last or self
        held = tuple(one for one in last.consumers if one.kind == "held")
        drifted = _drifted(last.adapter)
        if self.resumes:
            return Resume(self.wake.seat, *seen, held, drifted=drifted)
        return Arm(self.wake.seat, *seen, held, checked=self.at, drifted=drifted)


def agreement(
    view: View, paths: Paths, seat: str, now: Moment, *, resumes: bool = False
) -> Agreement:
    """W6: the read-only check of project binding, adapter, consumers and exclusivity.

    The seat is as the time has made it (W27): what is due is written before arming.
    """
    wake = by_time(view, seat, now).wake
    opened = wake.open_window
    policy = opened.policy if resumes and opened is not None else wake.policy
    checked = _checked(view, policy)
    consumers = consumers_of(view, paths, seat)
    drifted = _drifted(checked)
    refusal = None
    try:
        if resumes:
            window.may_resume(wake, drifted, consumers)
        else:
            window.may_arm(wake, drifted, consumers)
    except Refused as error:
        refusal = error.with_traceback(None)
    deadline = None
    if resumes and opened is not None:
        deadline = after(now, opened.left_ms(now))
    elif policy is not None:
        deadline = after(now, policy.window_seconds * 1000)
    return Agreement(resumes, wake, policy, deadline, checked, consumers, refusal, now.utc)


def _checked(view: View, policy: Policy | None) -> Checked | None:
    if policy is None or policy.adapter_id is None:
        return None
    found = adapters.registered(view, policy.adapter_id)
    return None if found is None else check(found)


def _drifted(checked: Checked | None) -> frozenset[str]:
    return frozenset() if checked is None or checked.is_same else frozenset({checked.adapter})
