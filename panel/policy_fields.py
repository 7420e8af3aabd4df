"""The fields of the form of a wake policy, and the policy that their texts make (W2). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from panel.asks.wake import PolicyNow
from panel.words import signs, wake_policy
from panel.words import wake_mode as words
from state.command import USER
from state.errors import BadInput
from state.wake.policy import LIMITS, Limit, Policy, Triggers, policy_of

ADAPTER, ADDRESSING, IN_FORCE = "adapter_id", "addressing", "in_force"
_LISTS = ("kinds", "senders", "urgency")
_TO = ("direct", "any")
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to fill in: a text, or one of the `options`."""

    name: str
    label: str
    value: str
    hint: str
    options: tuple[str, ...] = ()


def fields(known: PolicyNow) -> Iterator[Field]:
    """What the form asks, filled with the policy that is set, else with the defaults."""
    policy = known.wake.policy
    triggers = Triggers() if policy is None else policy.triggers
    yield Field(
        IN_FORCE,
        words.IN_FORCE,
        words.CHOICES[known.wake.enabled],
        words.IN_FORCE_HINT,
        tuple(words.CHOICES.values()),
    )
    for limit in LIMITS:
        value = limit.default if policy is None else getattr(policy, limit.name)
        yield Field(limit.name, limit.name, str(value), _limit_hint(limit))
    senders = ", ".join(map(signs.seat, triggers.senders))
    yield Field("kinds", "kinds", ", ".join(triggers.kinds), words.KINDS_HINT)
    yield Field("senders", "senders", senders, words.SENDERS_HINT)
    yield Field("urgency", "urgency", ", ".join(triggers.urgency), words.URGENCY_HINT)
    yield Field(ADDRESSING, ADDRESSING, triggers.addressing, words.ADDRESSING_HINT, _TO)
    adapter = "" if policy is None else policy.adapter_id or ""
    yield Field(ADAPTER, "adapter", adapter, words.adapters_hint(", ".join(known.adapters)))


def policy_from(texts: Mapping[str, str], known: PolicyNow) -> Policy:
    """The policy that was typed. BadInput names the field that is wrong."""
    given: dict[str, object] = {limit.name: _whole(limit, texts[limit.name]) for limit in LIMITS}
    listed = {name: _listed(texts[name]) for name in _LISTS}
    listed["senders"] = [USER if one == signs.USER_SHOWN else one for one in listed["senders"]]
    given["triggers"] = {**listed, ADDRESSING: texts[ADDRESSING]}
    adapter = texts[ADAPTER].strip()
    if adapter:
        given[ADAPTER] = adapter
        given["fingerprint"] = _fingerprint(adapter, known)
    return policy_of(given, known.wake.project, known.wake.seat)


def _fingerprint(adapter: str, known: PolicyNow) -> str:
    """The one by which the adapter is registered now."""
    registered = known.adapters.get(adapter)
    if registered is None:
        raise BadInput(f"{adapter!r} {words.NO_SUCH_ADAPTER}", words.REGISTER_HINT, field=ADAPTER)
    return registered


def _whole(limit: Limit, text: str) -> int:
    digits = text.strip().replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        raise BadInput(words.not_whole(limit.name, limit.least, limit.most), field=limit.name)
    return int(digits)


def _listed(text: str) -> list[str]:
    return [part for part in (one.strip() for one in text.split(",")) if part]


def _limit_hint(limit: Limit) -> str:
    meaning = wake_policy.MEANING[limit.name]
    return words.limit_hint(meaning, limit.least, limit.most, limit.default)
