"""Arming, holding, draining, resuming: by the person alone, on what was shown (W6, W7, W13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.paths import Paths
from state.roster.commands import DeactivateSeat, MarkAway
from state.wake.consumers import holding
from state.wake.policy import LIMITS
from tests.cli.conftest import Shop
from tests.cli.wake_support import Desk, arm
from tests.support import Result, Terminal, environment, program, until

ADAPTER = "mini"


def asked(
    shop: Shop, *words: str, meanwhile: Callable[[], object] = lambda: None
) -> tuple[int, str, str]:
    """The exit and what stood on the terminal; the question is answered with yes.

    `meanwhile` is done while the question stands.
    """
    with Terminal() as terminal:
        line = program("--project", shop.folder, *words)
        process = terminal.start(line, cwd=shop.folder, env=environment())
        until(lambda: b"[y/N]" in terminal.shown(), "the question")
        question = terminal.shown().decode()
        meanwhile()
        terminal.write(b"y\n")
        code = process.wait(60)
        shown = terminal.rest().decode()
    return code, question, shown


def window(desk: Desk, seat: str = "codex") -> str:
    state: str = desk.json("wake", "show", seat, seat=None)["window"]["state"]
    return state


def limited(desk: Desk, *words: str) -> None:
    assert desk.user("wake", "policy", "set", "codex", *words).code == 0
    assert desk.user("wake", "policy", "enable", "codex").code == 0


@pytest.mark.rule("W6", "W8")
def test_arming_shows_everything_first_and_asks(shop: Shop, desk: Desk) -> None:
    file = shop.folder / "mini.py"
    file.write_text("run")
    shop.run(Register(ADAPTER, take((str(file),))))
    last = shop.post("codex", kind="task", title="before")
    limited(desk, "--adapter", ADAPTER)
    found = desk.json("wake", "policy", "show", "codex", seat=None)
    before = shop.log()
    said = shop.user("wake", "arm", "codex", typed="n\n")
    assert (said.code, shop.log()) == (3, before)
    code, question, shown = asked(shop, "wake", "arm", "codex")
    assert code == 0
    assert max(map(len, shown.replace("\r", "").split("\n"))) <= 80
    fingerprint = found["policy"]["fingerprint"][:12]
    zone = "UTC+2 (in 30 m)"
    parts = (
        found["hash"],
        zone,
        f"adapter mini, fingerprint {fingerprint}",
        "mini: as registered",
    )
    for part in (
        *parts,
        "bound to this project",
        "exclusive",
        "the check only read",
        "never replayed",
    ):
        assert part in question, part
    for limit in LIMITS:
        assert limit.name in question
    armed = desk.json("wake", "show", "codex", seat=None)["window"]
    assert (armed["state"], armed["policy_hash"], armed["baseline"]) == (
        "active",
        found["hash"],
        last,
    )
    # Nothing that came before is ever replayed.
    assert desk.json("wake", "scan", seat=None)["seats"][0]["created"] == 0
    assert shop.user("wake", "arm", "codex", typed="y\n").code == 3


@pytest.mark.rule("W6")
@pytest.mark.parametrize(
    "meanwhile",
    [
        ["wake", "policy", "set", "codex", "--maximum-wakes", "100"],
        ["wake", "policy", "disable", "codex"],
    ],
)
def test_another_policy_meanwhile_is_a_conflict(
    shop: Shop, desk: Desk, meanwhile: list[str]
) -> None:
    limited(desk, "--maximum-wakes", "1")
    code, question, shown = asked(
        shop, "wake", "arm", "codex", meanwhile=lambda: shop.user(*meanwhile)
    )
    assert (code, "maximum_wakes                 1" in question) == (4, True)
    assert "you had seen" in shown
    assert window(desk) == "closed"


@pytest.mark.rule("W6")
def test_another_window_meanwhile_is_a_conflict(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    assert desk.say("wake", "hold", "codex", seat="user").code == 0
    code, _, _ = asked(
        shop, "wake", "resume", "codex", meanwhile=lambda: shop.user("wake", "drain", "codex")
    )
    assert (code, window(desk)) == (4, "closed")


@pytest.mark.rule("W6", "W7")
def test_one_byte_that_changes_while_the_question_stands(shop: Shop, desk: Desk) -> None:
    file = shop.folder / "mini.py"
    file.write_text("run")
    shop.run(Register(ADAPTER, take((str(file),))))
    limited(desk, "--adapter", ADAPTER)
    code, question, shown = asked(
        shop, "wake", "arm", "codex", meanwhile=lambda: file.write_text("ruN")
    )
    assert (code, "mini: as registered" in question) == (3, True)
    assert "adapter check mini" in shown
    assert window(desk) == "closed"


@pytest.mark.rule("W6", "W13")
def test_no_agent_arms_holds_drains_or_resumes(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    before = shop.log()
    for seat in ("codex", "hermes"):
        for verb in ("arm", "drain", "hold", "resume"):
            error = desk.refused("wake", verb, "codex", seat=seat)
            assert (error["rule"], "only the user" in error["message"]) == ("W6", True)
            # Who may do it is answered before what is missing.
            assert desk.refused("wake", verb, seat=seat)["rule"] == "W6"
        assert desk.refused("wake", "hold", "--all", seat=seat)["rule"] == "W6"
        assert desk.refused("adapter", "register", "mine", "x", seat=seat)["rule"] == "W21"
    # The user seat without a terminal: what widens is refused, what reduces is not.
    for verb in ("arm", "resume"):
        error = desk.refused("wake", verb, "codex", seat="user")
        assert (error["rule"], "terminal" in error["message"]) == ("W6", True)
    for verb in ("drain", "hold"):
        assert desk.say("wake", verb, "codex", seat=None).code == 2
    assert shop.log() == before


@pytest.mark.rule("W13")
def test_holding_needs_no_terminal_and_resuming_asks(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    arm(shop.folder, "hermes")
    said = desk.json("wake", "hold", "codex", seat="user")
    assert (said["window"]["state"], said["window"]["reason"]) == ("hold", "user")
    line = desk.json("journal", "show", str(said["rev"]), seat=None)
    assert (line["seat"], line["via"]) == ("user", "cli")
    assert desk.refused("wake", "hold", "codex", seat="user")["rule"] == "W13"
    held = desk.json("wake", "hold", "--all", seat="user")
    assert held["seats"] == ["hermes"]
    assert desk.refused("wake", "hold", "--all", seat="user")["rule"] == "W13"
    assert desk.say("wake", "hold", "codex", "--all", seat="user").code == 2
    number = shop.post("codex", kind="task", title="while on hold")
    assert desk.json("wake", "scan", seat=None)["seats"][0]["created"] == 0
    code, question, _ = asked(shop, "wake", "resume", "codex")
    assert (code, window(desk)) == (0, "active")
    assert "on hold: you held it" in question
    assert "goes back to: active" in question
    desk.json("wake", "scan", seat=None)
    assert desk.json("wake", "claim")["message"] == number
    said = desk.json("wake", "drain", "hermes", seat="user")
    assert said["window"]["state"] == "closed"
    assert desk.refused("wake", "drain", "hermes", seat="user")["rule"] == "W13"


@pytest.mark.rule("W4", "W13")
def test_a_policy_that_is_changed_holds_the_window(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    assert desk.user("wake", "policy", "set", "codex", "--maximum-wakes", "9").code == 0
    assert window(desk) == "hold"
    assert desk.refused("wake", "claim")["code"] == "window_hold"
    said = shop.user("wake", "resume", "codex", typed="y\n")
    assert (said.code, "the cause of the hold stands" in said.err) == (3, True)


@pytest.mark.rule("W7", "W13", "W21")
def test_one_byte_of_an_adapters_file(shop: Shop, desk: Desk) -> None:
    """Noticed while the window is open, at claiming, at arming and at resuming."""
    file = shop.folder / "mini.py"
    file.write_text("run")
    taken = take((str(file),))
    shop.run(Register(ADAPTER, taken))
    arm(shop.folder, adapter_id=ADAPTER, fingerprint=taken.fingerprint)
    shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    who = ("--adapter", ADAPTER, "--fingerprint", taken.fingerprint)
    assert desk.refused("wake", "claim")["code"] == "not_your_seat"
    wrong = ("--adapter", ADAPTER, "--fingerprint", "0" * 64)
    assert desk.refused("wake", "claim", *wrong)["code"] == "fingerprint_mismatch"
    assert desk.json("wake", "claim", *who, "--dry-run")["attempt"] == 1
    file.write_text("ruN")
    before = shop.log()
    assert desk.refused("wake", "claim", *who, "--dry-run")["code"] == "window_hold"
    (plan,) = desk.json("wake", "scan", "--dry-run", seat=None)["seats"]
    assert (plan["window"], plan["would_write"]) == ("hold", ["window_held"])
    assert shop.log() == before
    assert desk.refused("wake", "claim", *who)["code"] == "window_hold"
    shown = desk.json("wake", "show", "codex", seat=None)["window"]
    assert (shown["state"], shown["reason"]) == ("hold", "adapter_drift")

    def refused(verb: str) -> Result:
        said = shop.user("wake", verb, "codex", "--json", typed="y\n")
        assert (said.code, "mini" in said.err or "adapter" in said.err) == (3, True)
        return said

    assert refused("resume").error["rule"] == "W13"
    assert desk.say("wake", "drain", "codex", seat="user").code == 0
    desk.clock.move(hours=1)
    desk.json("wake", "scan", seat=None)
    assert window(desk) == "closed"
    error = refused("arm").error
    assert (error["rule"], "adapter check mini" in error["hint"]) == ("W7", True)


@pytest.mark.rule("W7", "W22")
def test_another_consumer_is_named(shop: Shop, desk: Desk) -> None:
    limited(desk)
    assert desk.say("consumer", "declare", "codex", "--name", "old [/b] cron").code == 0
    said = shop.user("wake", "arm", "codex", "--json", typed="y\n")
    assert (said.code, said.error["rule"]) == (3, "W22")
    assert "old [/b] cron" in said.error["message"]
    assert desk.say("consumer", "end", "codex").code == 0
    assert shop.user("wake", "arm", "codex", typed="y\n").code == 0
    shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    assert desk.say("consumer", "declare", "codex", "--name", "other").code == 0
    error = desk.refused("wake", "claim")
    assert error["code"] == "other_consumer"
    assert "other" in error["message"]
    assert "consumer end codex" in error["hint"]
    assert desk.refused("wake", "claim", "--dry-run")["code"] == "other_consumer"
    assert desk.say("consumer", "end", "codex").code == 0
    paths = Paths(str(shop.root))
    with holding(paths, "codex", "third", desk.clock.now()):
        error = desk.refused("wake", "claim")
        assert (error["code"], "third" in error["message"]) == ("other_consumer", True)
        assert desk.json("wake", "scan", "--dry-run", seat=None)["seats"][0]["claim"] == {
            "code": "other_consumer",
            "retry_after": None,
            "message": None,
            "attempt": None,
            "why": error["message"],
        }
    with holding(paths, "codex", "codex", desk.clock.now()):
        assert desk.json("wake", "claim")["attempt"] == 1


@pytest.mark.rule("W16")
def test_a_seat_that_may_not_claim_is_told_so_by_the_gates_code(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    assert desk.refused("wake", "claim", seat="hermes")["code"] == "window_closed"
    shop.run(MarkAway("codex", until="2099-01-01T00:00:00Z", reason="lunch"))
    away = desk.refused("wake", "claim")
    assert (away["code"], away["retry_after"] > 3600) == ("seat_away", True)
    shop.run(DeactivateSeat("hermes", 1, "gone"))
    for more in ((), ("--dry-run",)):
        inactive = desk.refused("wake", "claim", *more, seat="hermes")
        assert (inactive["code"], inactive["retry_after"]) == ("seat_inactive", None)
    unknown = desk.refused("wake", "claim", seat="nobody")
    assert (unknown["rule"], unknown["code"]) == ("W16", "refused")
