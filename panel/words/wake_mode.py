"""What the wake mode and its forms say; never more than is proved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from panel.words import signs, windows
from panel.words import wake as words
from panel.words.signs import Sign

WINDOWS = "Wake windows"
WHY = "Why it was woken, or not"
SEAT, WINDOW, LEFT, QUIET, WAKES, LEASE = "seat", "window", "left", "quiet", "wakes", "lease"
COOLDOWN, QUOTA, SCANNED = "cooldown", "quota", "last scan"
NONE = "—"
NO_POLICY = "no policy"
DISABLED = "policy disabled"
NOBODY_SCANS = "nobody scans"
NOBODY = "nobody"
NOT_KNOWN = "not known"
NO_MESSAGES = "No message to this seat yet, so nothing could have woken it."
NOT_ADDRESSED = "imported, filed without being addressed to it"
READING = "reading…"
NO_SEAT = "choose an agent's seat"
NOBODY_SEATED = "No agent is seated yet, so there is nobody to wake."
NOTHING_OPEN = "The seat under the cursor is shown here: its window, intents, leases and receipts."
NO_INTENT = "choose a message that became an intent"
NO_LEASE = "no lease is live, so there is none to end"
NO_POLICY_YET = "no policy is set, so there is none to enable"

# By the state of an intent or the other outcomes of a message: only a verified one is good.
OUTCOMES: Mapping[str, Sign] = {
    "pending": Sign("◌", "pending", "$text-accent"),
    "claimed": Sign("◧", "claimed", "$text-accent"),
    "failed": Sign("☒", "failed", "$text-warning"),
    "terminal_hold": Sign("■", "held", "$text-error"),
    "sent_and_verified": Sign("☑", "verified", "$text-success"),
    "superseded": Sign("⊘", "superseded", "$text-muted"),
    "lapsed": Sign("⊘", "lapsed", "$text-warning"),
    "dismissed": Sign("⊘", "dismissed", "$text-muted"),
    "not_scanned": Sign("◌", "not scanned", ""),
    "hold": Sign("■", "on hold", "$text-warning"),
}
PASSED_BY = Sign("·", "not woken", "$text-muted")

STATE = "window"
INTENTS, PASSED, LEASES, RECEIPTS = "Intents", "passed over", "Leases", "Receipts"
CLOSINGS, CONSUMERS, POLICY, JUMPS = "Closed windows", "Consumers", "Policy", "Clock"
DEADLINE, ARMED, LOOKS, ADAPTER, SCANS = "deadline", "armed", "looks at", "claims", "scans"
LIMITS, REST, HASH, TRIGGERS = "used", "rest", "hash", "wakes for"
NO_INTENTS = "none in this window"
NEVER_ARMED = "never armed"
NO_LEASES = "none was ever granted"
NO_RECEIPTS = "none was ever brought"
NO_CLOSINGS = "none was closed yet"
NO_CONSUMER = "nobody is declared or holds the seat's lock"
SCANNED_NOW = "within the last minute"
EXPIRED = "expired"
SCAN_TROUBLE = "this panel can't scan"
BECAME = {
    "unchanged": ("as it was", "$text-success"),
    "changed": ("changed since", "$text-error"),
    "gone": ("gone since", "$text-error"),
    "unreadable": ("can't be read now", "$text-warning"),
}

END, END_INTRO = "End the lease", "It counts as an attempt. No program is stopped by it."
RETRY = "Let it be tried again"
RETRY_INTRO = "Its attempts count from 0 again. The window stays on hold until you resume it."
DISMISS = "Dismiss the intent"
DISMISS_INTRO = "No wake is wanted for it any more. The message stays unread in the queue."
REASON, REASON_HINT = "reason", "stays in the journal"


def no_agents(menu: str, add: str) -> str:
    """The table without an agent, and the two keys that fill it."""
    return (
        "Only you are seated. An agent's seat can be woken once you set a policy for it and arm a"
        f" window: press {menu}, then {add}, to take an agent in."
    )


def no_policy(key: str) -> str:
    """Why nothing can wake a seat, and the key that sets its policy."""
    return f"No policy is set: nothing can wake this seat. Press {key} to set one."


def title(seats: int, opened: int) -> str:
    """Over the table of windows."""
    return f"{WINDOWS} ({opened:,} open of {seats:,} with a policy)"


def why_of(seat: str, count: int | None) -> str:
    """Over the list of messages."""
    counted = "" if count is None else f" ({count:,})"
    return f"{WHY} · {signs.seat(seat)}{counted}"


def of(used: int, most: int) -> str:
    """So many of at most so many."""
    return f"{used}/{most}"


def lease(message: int, left_ms: int) -> str:
    """Which message a live lease is for, and how long it runs."""
    return f"#{message} {windows.countdown(left_ms)}"


def scan_trouble(why: str) -> str:
    """Why this panel doesn't scan, though it would."""
    return f"{SCAN_TROUBLE}: {why}"


def intent(message: int, state: str, reason: str, age: str, title: str) -> str:
    """One intent of the window that isn't final."""
    said = words.INTENT.get(state, state)
    lost = words.LOST.get(reason, "")
    return f"#{message} {said}{f' ({lost})' if lost else ''}, {age}: {title}"


def attempt(number: int, most: int | None) -> str:
    """Which of the attempts it is, of as many as the policy allows where that is known."""
    return f"attempt {number}" if most is None else f"attempt {number} of {most}"


def held_by(consumer: str, lease: str, *, live: bool) -> str:
    """Who holds a lease or held it, and the beginning of its id."""
    return f"{'held' if live else 'was held'} by {consumer} ({lease[:8]})"


def deadline(when: str, *, passed: bool) -> str:
    """When the window ends, or ended."""
    return f"{when}, passed" if passed else when


def granted(when: str) -> str:
    """When a lease was given."""
    return f"granted {when}"


def runs(left: str) -> str:
    """A lease that is live."""
    return f"runs {left} more unless it is renewed"


def lease_over(over: str, reason: str) -> str:
    """How a lease ended; only a verified receipt says more than that it did."""
    said = {**words.LOST, "sent_and_verified": "ended by a verified receipt"}.get(over, over)
    return f"{said}: {reason}" if reason else said


def refused_receipt(outcome: str, reason: str, unknown: str | None) -> str:
    """A receipt that proved nothing; `unknown` is what it named, if that is no lease here."""
    said = reason if unknown is None else words.names_no_lease(unknown)
    return f"refused ({outcome}): {said}"


def checked(evidence: Mapping[str, Any], message: int | None, seat: str) -> str:
    """What the program itself looked at before it took a receipt (W20)."""
    if evidence["kind"] == "message":
        return (
            f"checked: #{evidence['message']} is by {seat}, replies to #{message}"
            " and came after the claim"
        )
    return (
        f"checked: {evidence['path']} changed after the claim and held the lease's id;"
        f" {evidence['bytes']:,} bytes, sha256 {evidence['sha256'][:16]}…"
    )


def became(word: str) -> tuple[str, str]:
    """What has become of a file since then, and its style."""
    return BECAME.get(word, (word, "$text-warning"))


def closed(op: Mapping[str, Any]) -> str:
    """A closing receipt's first line."""
    wakes = f"{op['wakes']:,} wake{'' if op['wakes'] == 1 else 's'}"
    return (
        f"r{op['first']}–r{op['last']}, {wakes}: {words.DRAINING.get(op['reason'], op['reason'])}"
    )


def tallies(op: Mapping[str, Any]) -> list[str]:
    """What a closing receipt counts and names, a line each."""
    found = []
    if op["outcomes"]:
        found.append(_counted("intents", op["outcomes"], windows.INTENTS))
    if op["passed"]:
        found.append(_counted("passed over", op["passed"], words.PASSED))
    if op["lapses"]:
        found.append(_counted("lapsed", op["lapses"], words.LAPSED))
    found += [
        f"{windows.INTENTS[name]}: {_ranges(op[name])}"
        for name in ("lapsed", "dismissed", "terminal_hold")
        if op[name]
    ]
    if not op["named"]:
        found.append(words.NOT_ALL_NAMED)
    return found


def _counted(what: str, tallied: Any, names: Mapping[str, str]) -> str:
    said = ", ".join(f"{one['count']:,} {names.get(one['name'], one['name'])}" for one in tallied)
    return f"{what}: {said}"


def _ranges(ranges: Any) -> str:
    return " ".join(f"#{a}" if a == b else f"#{a}–#{b}" for a, b in ranges)


def passed_over(counts: Any) -> str:
    """W11: how many messages gave no intent, by reason."""
    return ", ".join(f"{count:,} {words.PASSED.get(reason, reason)}" for reason, count in counts)


def jump(by_ms: int, rev: int, age: str) -> str:
    """W14: the hands were turned."""
    way = "ahead" if by_ms > 0 else "back"
    return f"set {way} by {abs(by_ms) / 1000:,.0f} s (r{rev}, {age})"


def armed(when: str, number: int) -> str:
    """When a window was armed, and by which line."""
    return f"{when}, r{number}"


def looks(baseline: int) -> str:
    """W8: what it looks at."""
    return f"what came after #{baseline}; nothing before it is ever replayed"


def form_of(what: str, message: int, seat: str) -> str:
    """Over a form about one message of a seat."""
    return f"{what}: {seat}, #{message}"


def enabled(is_enabled: bool, key: str) -> str:
    """Whether a policy is in force; with the key that enables it."""
    if is_enabled:
        return "enabled"
    return f"disabled: no window can be armed with it. Press {key} to enable it."


# The form of a policy.
def policy_of(seat: str) -> str:
    """Over the form."""
    return f"Wake policy of {seat}"


def wanted_to_arm(key: str) -> str:
    """Why the form came in place of the confirmation that was asked for."""
    return f"No policy is set yet, and arming needs one: set it here, enabled, then press {key}."


POLICY_INTRO = (
    "When a new message may lead to a wake, and how often at most. Nothing wakes until you arm a"
    " window; a change puts an open window on hold."
)
IN_FORCE, IN_FORCE_HINT = "policy", "while it is disabled, no window can be armed with it"
CHOICES: Mapping[bool, str] = {False: "disabled", True: "enabled"}
KINDS_HINT = "with commas: note, question, task, reply, result"
SENDERS_HINT = "seats with commas between; empty: any"
URGENCY_HINT = "normal, high; empty: any"
ADDRESSING_HINT = "direct: a message to all wakes nobody"
ADAPTER_HINT = "empty: only the seat itself may claim"
NOTHING_CHANGED = "nothing is changed"
NO_SUCH_ADAPTER = "is not registered"
REGISTER_HINT = "register it: adapter register ID FILE…"


def adapters_hint(known: str) -> str:
    """Which adapters there are to name."""
    return f"{ADAPTER_HINT}; registered: {known}" if known else ADAPTER_HINT


def limit_hint(meaning: str, least: int, most: int, default: int) -> str:
    """What a limit means, its range and its default."""
    return f"{meaning}; {least:,} to {most:,}, default {default:,}"


def not_whole(name: str, least: int, most: int) -> str:
    """What was typed is no number."""
    return f"{name} must be a whole number from {least:,} to {most:,}"


def overtaken(rev: int) -> str:
    """Someone else changed the policy while this form was open."""
    return (
        f"The policy was changed meanwhile, by r{rev}. What you typed is kept; sending it puts it"
        " in place of that."
    )
