"""What a caller may hand over: other types, numbers without end, broken text (faults 35 to 38)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from state import checks
from state.clock import TIMESTAMP
from state.command import Actor
from state.errors import BadInput
from state.messages.commands import Acknowledge, Post
from state.messages.operations import MessageEvidence, NoEvidence
from state.messages.tasks import AcceptTask, CancelTask, DeclineTask, FinishTask
from state.roster.commands import (
    AddSeat,
    CloseQueue,
    DeactivateSeat,
    HideSeat,
    MarkAway,
    MarkBack,
    RenameSeat,
    RestoreSeat,
    SetLabels,
    ShowSeat,
)
from tests.state.world import World

Make = Callable[[Any], object]
NUMBERS: dict[str, tuple[str, Make]] = {
    "ack": ("message", Acknowledge),
    "through": ("message", lambda value: Acknowledge(value, through=True)),
    "reply_to": ("reply_to", lambda value: Post(("codex",), "t", reply_to=value)),
    "accept": ("task", AcceptTask),
    "done": ("task", lambda value: FinishTask(value, NoEvidence())),
    "evidence": ("evidence", lambda value: FinishTask(1, MessageEvidence(value))),
    "decline": ("task", lambda value: DeclineTask(value, "no")),
    "cancel": ("task", lambda value: CancelTask(value, "no")),
    "add": ("roster", lambda value: AddSeat("new", value)),
    "labels": ("roster", lambda value: SetLabels("codex", value)),
    "hide": ("roster", lambda value: HideSeat("codex", value)),
    "show": ("roster", lambda value: ShowSeat("codex", value)),
    "rename": ("roster", lambda value: RenameSeat("codex", value, "x")),
    "deactivate": ("roster", lambda value: DeactivateSeat("codex", value, "x")),
    "restore": ("roster", lambda value: RestoreSeat("codex", value)),
}
TEXTS: dict[str, tuple[str, Make]] = {
    "to": ("to", lambda value: Post((value,), "t")),
    "title": ("title", lambda value: Post(("codex",), value)),
    "body": ("body", lambda value: Post(("codex",), "t", value)),
    "kind": ("kind", lambda value: Post(("codex",), "t", kind=value)),
    "refs": ("refs", lambda value: Post(("codex",), "t", refs=(value,))),
    "seat": ("seat", lambda value: AddSeat(value, 1)),
    "name": ("name", lambda value: AddSeat("new", 1, value)),
    "host": ("host", lambda value: AddSeat("new", 1, host=value)),
    "roles": ("roles", lambda value: AddSeat("new", 1, roles=(value,))),
    "set-host": ("host", lambda value: SetLabels("codex", 1, host=value)),
    "set-roles": ("roles", lambda value: SetLabels("codex", 1, roles=(value,))),
    "rename": ("name", lambda value: RenameSeat("codex", 1, value)),
    "hide": ("seat", lambda value: HideSeat(value, 1)),
    "back": ("seat", MarkBack),
    "deactivate": ("reason", lambda value: DeactivateSeat("codex", 1, value)),
    "away": ("reason", lambda value: MarkAway("codex", "2026-12-01T00:00:00Z", value)),
    "until": ("until", lambda value: MarkAway("codex", value, "tea")),
    "close": ("reason", lambda value: CloseQueue("codex", value)),
    "decline": ("reason", lambda value: DeclineTask(1, value)),
    "cancel": ("reason", lambda value: CancelTask(1, value)),
    "cancel-seat": ("seat", lambda value: CancelTask(1, "no", value)),
    "actor": ("seat", lambda value: Actor(value, "cli")),
    "via": ("via", lambda value: Actor("codex", value)),
}
NO_NUMBERS = [True, False, 1.0, float("nan"), float("inf"), "1", b"1", -1, 2**53, 2**64, 2**70, [1]]
NO_TEXTS = [b"bytes", 1, 1.0, True, ["a"], {"a": "b"}, "lone \ud800 surrogate", "\udcff"]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_of_a_line_is_refused_with_its_field(name: str, value: object) -> None:
    field, make = NUMBERS[name]
    with pytest.raises(BadInput) as caught:
        make(value)
    assert (caught.value.field, caught.value.exit) == (field, 2)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_greatest_number_is_taken(name: str) -> None:
    assert NUMBERS[name][1](2**53 - 1)


@pytest.mark.parametrize("value", NO_TEXTS, ids=ascii)
@pytest.mark.parametrize("name", TEXTS)
def test_what_is_no_text_is_refused_with_its_field(name: str, value: object) -> None:
    field, make = TEXTS[name]
    with pytest.raises(BadInput) as caught:
        make(value)
    assert caught.value.field == field
    (caught.value.message + caught.value.hint).encode()
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    "name", ["seat", "name", "host", "roles", "set-host", "set-roles", "rename"]
)
@pytest.mark.parametrize(
    "mark", list("\n\r\t\0\x1b\x7f\x85\x9b\u2028\u202a\u202e\u2066\u200b\ufeff")
)
def test_invisible_characters_are_refused_where_they_could_deceive(name: str, mark: str) -> None:
    field, make = TEXTS[name]
    with pytest.raises(BadInput) as caught:
        make(f"co{mark}dex")
    assert caught.value.field == field
    assert mark not in caught.value.message


@pytest.mark.parametrize("value", ["user", b"user", 7, None, {"user": 1}])
def test_a_single_text_is_no_list_of_its_characters(value: Any) -> None:
    for field, make in (
        ("to", lambda: Post(value, "t")),
        ("refs", lambda: Post(("codex",), "t", refs=value)),
        ("roles", lambda: AddSeat("new", 1, roles=value)),
    ):
        with pytest.raises(BadInput) as caught:
            make()
        assert caught.value.field == field


@pytest.mark.parametrize("value", [1, 0, "yes", None, "true"])
def test_a_flag_is_true_or_false(value: Any) -> None:
    with pytest.raises(BadInput):
        Post(("codex",), "t", urgent=value)
    with pytest.raises(BadInput):
        Acknowledge(1, value)


def test_what_passes_a_limit_is_refused_with_the_limit() -> None:
    over: dict[str, Callable[[], object]] = {
        "200": lambda: Post(("codex",), "x" * 201),
        "1,048,576": lambda: Post(("codex",), "t", "x" * (1024 * 1024 + 1)),
        "1,000": lambda: Post(("codex",), "t", refs=("x" * 1001,)),
        "20 ": lambda: Post(("codex",), "t", refs=("x",) * 21),
        "16,384": lambda: Post(("codex",), "t", refs=("\x01" * 1000,) * 3),
        "80": lambda: AddSeat("new", 1, "x" * 81),
        "40": lambda: AddSeat("new", 1, host="x" * 41),
        "16 ": lambda: AddSeat("new", 1, roles=tuple("abcdefghijklmnopq")),
        " 1,000": lambda: CloseQueue("codex", "x" * 1001),
        "200 ": lambda: HideSeat("x" * 5_000_000, 1),
    }
    for limit, make in over.items():
        with pytest.raises(BadInput) as caught:
            make()
        assert limit.strip() in caught.value.message
        assert len(caught.value.message) < 400


@pytest.mark.parametrize(
    "text",
    [
        *("2026-11-30T10:00:00", "2026-11-30", "10:00", "2026-11-30 10:00:00+00:00", "1796083200"),
        *("2026-11-30T10:00:60+00:00", "2026-11-30T24:00:00+00:00", "2026-02-30T10:00:00+00:00"),
        *("2026-11-30T10:00:00.123456789+00:00", "2026-11-30T10:00:00,123456789+00:00"),
        *("2026-W49-1T10:00:00+00:00", "20261130T100000+0000", "2026-11-30T10:00:00+0000"),
        *("٢٠٢٦-11-30T10:00:00+00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-01:00"),
        *("2026-11-30T10:00:00+24:00", "2026-11-30T10:00:00Z\n", ""),
    ],
)
def test_times_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        checks.moment(text, "until")
    assert caught.value.field == "until"


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("2026-11-30T10:00:00Z", "2026-11-30T10:00:00.000000+00:00"),
        ("2026-11-30T10:00+02:00", "2026-11-30T08:00:00.000000+00:00"),
        ("2026-11-30T23:30:00.5-01:00", "2026-12-01T00:30:00.500000+00:00"),
    ],
)
def test_times_with_a_zone_are_stored_as_utc(text: str, stored: str) -> None:
    assert checks.moment(text, "until") == stored
    assert TIMESTAMP.fullmatch(stored)
    assert not TIMESTAMP.fullmatch(stored.replace("2026", "٢٠٢٦"))


def test_hostile_text_is_one_line_in_the_log_and_comes_back_as_it_was(world: World) -> None:
    hostile = "a\nb\rc\u2028d\0e\x1b]52;c;x\x07f\u202eg\x85h\u2029i"
    number = world.post("user", "codex", body=hostile, refs=(hostile,))
    world.run(CloseQueue("codex", hostile))
    assert world.log().count(b"\n") == len(world.lines()) == 3
    message = world.message(number)
    assert (message.body, message.refs) == (hostile, (hostile,))
    closed = message.recipients[0].closed_unread
    assert closed is not None
    assert closed.reason == hostile


def test_refused_input_touches_nothing(world: World) -> None:
    before = sorted(str(path) for path in world.folder.rglob("*"))
    log = world.log()
    for _, make in (*NUMBERS.values(), *TEXTS.values()):
        with pytest.raises(BadInput):
            make(True)
    with pytest.raises(BadInput) as caught:
        world.run(Post(("codex",), "t"), key="\ud800")
    assert caught.value.field == "key"
    for key in ("", "x" * 201):
        with pytest.raises(BadInput):
            world.run(Post(("codex",), "t"), key=key)
    assert world.log() == log
    assert sorted(str(path) for path in world.folder.rglob("*")) == before
