"""Suggestions, choices and receipts as commands (S5-S11, S15, S17)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from state import checks
from state.adapters import queries as adapters
from state.clock import Moment
from state.command import Actor
from state.errors import BadInput
from state.index.view import View
from state.roster import queries as roster
from state.roster.decide import may_act
from state.routing import decide, fields, requests
from state.routing.ask import Asked, check_features
from state.routing.documents import Receipt
from state.routing.operations import ChoiceRecorded, ReceiptRecorded, SuggestionMade
from state.routing.queries import is_known
from state.routing.router import LEGACY, ROUTER_VERSION, THRESHOLD
from state.routing.vocabulary import VOCABULARY_VERSION

if TYPE_CHECKING:
    from state.routing.receipts import Looked

# So much of an answer is kept that a line can hold it whatever the profiles are.
EXCLUDED_LIMIT = 2
NAMES_LIMIT = 20
BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Suggest:
    """S7, S17: keeps what the router answered; offline unless a registered adapter asked."""

    request: str
    asked: Asked
    host: str = ""
    adapter: str | None = None
    fingerprint: str | None = None
    mode: str = decide.SHADOW

    def __post_init__(self) -> None:
        requests.check(self.request)
        checks.text(self.mode, "mode")
        check_features(self.asked.features)
        _check_adapter(self.adapter, self.fingerprint)
        if self.adapter is None and self.host == "":
            return
        fields.label(self.host, "host")
        if self.adapter is None or self.asked.sample is not None:
            raise BadInput(
                "a host's adapter asks by feature ids, with its id and fingerprint",
                "--feature F --host H --adapter ID --fingerprint F",
                field="adapter",
            )

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.in_shadow(self.mode)
        may_act("S14", actor.seat, roster.find(view, actor.seat))
        if self.adapter is not None:
            found = adapters.registered(view, self.adapter)
            decide.may_report(self.adapter, self.fingerprint, self.host, found)
        return [self._made()]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        asked = (self.request, list(self.asked.features), self.asked.sample, self.adapter)
        return any(
            (op["request"], op["features"], op["sample"], op["adapter"]) == asked
            for op in ops
            if op["op"] == "suggestion_made"
        )

    def _made(self) -> SuggestionMade:
        asked, answer = self.asked, self.asked.answer
        fell_back = answer.fallback is not None
        return SuggestionMade(
            request=self.request,
            mode=decide.SHADOW,
            offline=self.adapter is None,
            host=self.host,
            adapter=self.adapter,
            fingerprint=self.fingerprint,
            features=asked.features,
            sample=asked.sample,
            router=ROUTER_VERSION,
            vocabulary=VOCABULARY_VERSION,
            index=asked.index,
            threshold=THRESHOLD,
            considered=answer.considered,
            candidates=answer.candidates,
            excluded=answer.excluded[:EXCLUDED_LIMIT],
            drifted=answer.drifted[:NAMES_LIMIT],
            drifted_count=len(answer.drifted),
            fallback_used=fell_back,
            fallback_target=LEGACY if fell_back else None,
            fallback_reason=answer.fallback,
        )


@dataclass(frozen=True, slots=True)
class Choose:
    """S10: what a host chose, by its adapter's report or by the user's hand; None: no skill.

    Without a seat it is about that of the one who acts.
    """

    request: str
    host: str
    skill: str | None = None
    seat: str | None = None
    adapter: str | None = None
    fingerprint: str | None = None

    def __post_init__(self) -> None:
        requests.check(self.request)
        fields.label(self.host, "host")
        fields.label_or_none(self.skill, "skill")
        if self.seat is not None:
            checks.named(self.seat, "seat")
        _check_adapter(self.adapter, self.fingerprint)

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        may_act("S10", actor.seat, roster.find(view, actor.seat))
        seat = actor.seat if self.seat is None else roster.get(view, self.seat).seat
        decide.for_seat(actor.seat, seat)
        if self.adapter is None:
            decide.by_hand(actor.seat)
        else:
            found = adapters.registered(view, self.adapter)
            decide.may_report(self.adapter, self.fingerprint, self.host, found)
        return [
            ChoiceRecorded(
                request=self.request,
                host=self.host,
                seat=seat,
                skill=self.skill,
                source=self._source,
                chosen_by="unknown",
                adapter=self.adapter,
                fingerprint=self.fingerprint,
                locator=None,
            )
        ]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return any(
            (op["request"], op["host"], op["skill"], op["source"])
            == (self.request, self.host, self.skill, self._source)
            and self.seat in (None, op["seat"])
            for op in ops
            if op["op"] == "choice_recorded"
        )

    @property
    def _source(self) -> str:
        return BY_HAND if self.adapter is None else f"adapter:{self.adapter}"


@dataclass(frozen=True, slots=True)
class RecordReceipt:
    """S11: a receipt by an adapter's document; what fails a check is kept as refused.

    `looked` is what `receipts.look` found of what it names.
    """

    receipt: Receipt
    looked: "Looked"

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        given, evidence = self.receipt, self.receipt.evidence
        may_act("S11", actor.seat, roster.find(view, actor.seat))
        decide.for_seat(actor.seat, roster.get(view, given.seat).seat)
        found = adapters.registered(view, given.adapter)
        reason = decide.receipt_problem(
            known=is_known(view, given.request),
            adapter=decide.adapter_problem(given.adapter, given.fingerprint, given.host, found),
            host=given.host,
            kind=evidence.kind,
            level=given.level,
            evidence=self.looked.problem,
        )
        return [
            ReceiptRecorded(
                request=given.request,
                host=given.host,
                seat=given.seat,
                adapter=given.adapter,
                fingerprint=given.fingerprint,
                source=f"adapter:{given.adapter}",
                skill=given.skill,
                skill_sha256=given.skill_sha256,
                skill_sha256_by=decide.who_found(given.skill_sha256, self.looked.skill_sha256),
                kind=evidence.kind,
                level=given.level,
                at=given.at,
                locator=evidence.locator,
                file_sha256=getattr(evidence, "sha256", None),
                state="accepted" if reason is None else "refused",
                reason=reason,
            )
        ]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        given = self.receipt
        said = (given.request, given.adapter, given.skill, given.level, given.at)
        return any(
            (op["request"], op["adapter"], op["skill"], op["level"], op["at"]) == said
            for op in ops
            if op["op"] == "receipt_recorded"
        )


def _check_adapter(adapter: str | None, fingerprint: str | None) -> None:
    if (adapter is None) != (fingerprint is None):
        raise BadInput(
            "an adapter is named by its id and its fingerprint",
            "--adapter ID --fingerprint F",
            field="adapter",
        )
    if adapter is not None:
        fields.label(adapter, "adapter")
        fields.sha256(fingerprint, "fingerprint")
