"""Posting by the command: recipients, kinds, bodies, keys (M1-M4; faults 3, 37, 38)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Shop

MIB = 1024 * 1024


def newest(shop: Shop, seat: str = "hermes") -> dict[str, object]:
    found: dict[str, object] = shop.agent("inbox", "--json", seat=seat).json["messages"][-1]
    return found


def test_a_message_arrives_as_it_was_given(shop: Shop) -> None:
    first = shop.post("codex", seat="hermes")
    said = shop.agent(
        *("post", "hermes", "--kind", "reply", "--title", "t", "--body", "b\n b", "--json"),
        *("--reply-to", f"#{first}", "--ref", "a b.txt", "--ref", "https://x", "--urgent"),
    )
    number = said.json["message"]
    assert said.json == {
        "message": number,
        "rev": number,
        "recipients": ["hermes"],
        "repeated": False,
    }
    found = newest(shop)
    assert found["id"] == number
    assert (found["kind"], found["title"], found["body"]) == ("reply", "t", "b\n b")
    assert (found["reply_to"], found["urgent"], found["hops"]) == (first, True, 2)
    assert found["refs"] == ["a b.txt", "https://x"]


def test_without_json_one_line_says_the_number(shop: Shop) -> None:
    said = shop.agent("post", "hermes", "user", "--title", "t")
    assert (said.code, said.out, said.err) == (0, "#2 posted to hermes, user\n", "")


@pytest.mark.rule("M1")
def test_what_a_message_may_be(shop: Shop, tmp_path: Path) -> None:
    before = shop.everything()
    bad = [
        ["--kind", "memo", "--title", "x"],
        [],
        ["--title", ""],
        ["--kind", "reply", "--title", "x"],
        ["--title", "x" * 201],
        ["--title", "two\nlines"],
        ["--title", "x", "--reply-to", "99"],
        ["--title", "x", "--ref", ""],
        ["--title", "x", "--body", "a", "--body-file", "b"],
        ["--title", "x", "--body", "a", "-"],
        ["--title", "x", "--body-file", str(tmp_path / "missing")],
        ["--title", "x", "--body-file", str(tmp_path)],
    ]
    for words in bad:
        said = shop.agent("post", "hermes", *words)
        assert (said.code, said.out) == (2, ""), words
        assert said.err.startswith("sublation-panel: ")
        assert said.err.count("\n") <= 2
    assert shop.everything() == before
    # Nothing but a title, and a reply with nothing at all, are messages.
    assert shop.agent("post", "hermes", "--title", "x").code == 0
    assert shop.agent("post", "codex", "--reply-to", "2", seat="hermes").code == 0
    assert newest(shop, "codex")["kind"] == "reply"


@pytest.mark.rule("M1")
def test_a_body_from_a_file_or_pipe(shop: Shop, tmp_path: Path) -> None:
    text = "first\n\tsecond \U0001f600\r\n"
    (tmp_path / "a body.txt").write_bytes(text.encode())
    for words, stdin in (
        (["--body-file", str(tmp_path / "a body.txt")], None),
        (["-"], text),
        (["--body-file", "-"], text),
        (["--body", text], None),
    ):
        assert shop.agent("post", "hermes", "--title", "x", *words, stdin=stdin).code == 0
        assert newest(shop)["body"] == text
    assert shop.agent("post", "-", "hermes", "--title", "x", stdin="").code == 0
    assert newest(shop)["body"] == ""


@pytest.mark.rule("M1")
def test_a_body_that_is_no_utf8_is_refused_with_its_offset(shop: Shop, tmp_path: Path) -> None:
    before = shop.everything()
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    tries = [
        shop.agent("post", "hermes", "--title", "x", "-", stdin=b"abcd\xff"),
        shop.agent("post", "hermes", "--title", "x", "--body-file", str(tmp_path / "latin")),
        shop.agent(
            "post", "hermes", "--title", "x", "--body", b"ab\xff".decode("utf-8", "surrogateescape")
        ),
        shop.agent("post", "hermes", "--title", b"a\xff".decode("utf-8", "surrogateescape")),
    ]
    assert [said.code for said in tries] == [2, 2, 2, 2]
    offsets = [
        "body is not UTF-8 at offset 4",
        "offset 3",
        "offset 2",
        "title is not UTF-8 at offset 1",
    ]
    for said, expected in zip(tries, offsets, strict=True):
        assert expected in said.err
    assert shop.everything() == before


@pytest.mark.rule("M1")
def test_the_limit_is_named_before_gigabytes_are_read(shop: Shop, tmp_path: Path) -> None:
    before = shop.everything()
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(4 * 1024 * MIB)
    said = shop.agent("post", "hermes", "--title", "x", "--body-file", str(huge))
    assert said.code == 2
    assert "4,294,967,296 bytes; the limit is 1,048,576" in said.err
    said = shop.agent("post", "hermes", "--title", "x", "-", stdin=b"x" * (MIB + 1))
    assert said.code == 2
    assert "the limit is 1,048,576" in said.err
    assert shop.everything() == before
    assert shop.agent("post", "hermes", "--title", "x", "-", stdin=b"x" * MIB).code == 0
    body = newest(shop)["body"]
    assert isinstance(body, str)
    assert len(body) == MIB


@pytest.mark.rule("M2")
def test_all_are_the_active_seats_but_the_sender(shop: Shop) -> None:
    assert shop.user("seat", "hide", "hermes", "--roster", "1").code == 0
    assert shop.user("seat", "add", "gemini", "--roster", "2").code == 0
    assert shop.user("seat", "deactivate", "gemini", "--reason", "x", "--roster", "3").code == 0
    said = shop.agent("post", "all", "--title", "x", "--json")
    assert said.json["recipients"] == ["user", "hermes"]
    before = shop.log()
    assert shop.agent("post", "codex", "--title", "x").code == 3
    assert shop.agent("post", "hermes", "codex", "--title", "x").code == 3
    assert shop.agent("post", "--title", "x", "--json").error["rule"] == "M2"
    assert shop.log() == before


@pytest.mark.rule("M3")
def test_a_seat_that_is_unknown_or_inactive_gets_nothing(shop: Shop) -> None:
    assert shop.user("seat", "deactivate", "hermes", "--reason", "x", "--roster", "1").code == 0
    before = shop.log()
    for to in (["hermes"], ["user", "hermes"], ["user", "nobody"], ["user", "No Body"]):
        said = shop.agent("post", *to, "--title", "x", "--json")
        assert (said.code, said.error["rule"]) == (3, "M3")
    assert shop.agent("post", "user", "--title", "x", seat="hermes").code == 3
    assert shop.log() == before


@pytest.mark.rule("M4")
def test_a_key_makes_a_retry_safe(shop: Shop) -> None:
    first = shop.agent("post", "hermes", "--title", "x", "--key", "k", "--json").json
    before = shop.log()
    again = shop.agent("post", "hermes", "--title", "x", "--key", "k", "--json").json
    assert again == first | {"repeated": True}
    assert "nothing was written" in shop.agent("post", "hermes", "--title", "x", "--key", "k").out
    said = shop.agent("post", "hermes", "--title", "y", "--key", "k", "--json")
    assert (said.code, said.error["code"], said.error["rule"]) == (3, "refused", "M4")
    assert shop.agent("post", "hermes", "--title", "x", "--key", "").code == 2
    assert shop.log() == before
    other = shop.agent("post", "codex", "--title", "x", "--key", "k", "--json", seat="hermes")
    assert other.json["repeated"] is False
