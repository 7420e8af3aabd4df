"""Text from outside becomes visible characters of a known width, whatever it is (M9)."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, get_character_cell_size
from textual.content import Content, Span
from textual.fuzzy import Matcher

from panel import neutral, safe_text
from tests.panel import hostile
from tests.support import ROOT

pytestmark = pytest.mark.rule("M9")

HANGUL_INSIDE = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
PLANE = 0x10000
BY_NAME = pytest.mark.parametrize("text", hostile.STRINGS.values(), ids=hostile.STRINGS.keys())
ANY_TEXT = st.text(
    st.one_of(
        st.characters(codec=None),
        st.sampled_from("".join(text[:200] for text in hostile.STRINGS.values())),
    )
)


def width(shown: str) -> int:
    """The cells it takes, on which Rich, wcwidth and the oldest rule of all agree."""
    rich = sum(map(get_character_cell_size, shown))
    oldest = sum(map(_oldest, shown))
    assert rich == cell_len(shown) == wcwidth.wcswidth(shown) == oldest, ascii(shown)
    return rich


def _oldest(sign: str) -> int:
    """As the C library and by it tmux and many terminals have it: nothing for marks alone."""
    if unicodedata.category(sign) in ("Mn", "Me") or HANGUL_INSIDE.match(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


@BY_NAME
def test_a_line_is_one_line_of_visible_characters(text: str) -> None:
    shown = neutral.line(text)
    assert hostile.unseen(shown) == set()
    assert len(shown.splitlines()) <= 1
    assert neutral.cells(shown) == width(shown)
    assert len(shown) < 20_000


@BY_NAME
def test_a_block_keeps_its_lines_and_nothing_else_unseen(text: str) -> None:
    shown = neutral.block(text, limit=3_000)
    assert hostile.unseen(shown, allowed="\n") == set()
    lines = text[:3_000].replace("\r\n", "\n").count("\n") + (len(text) > 3_000)
    assert shown.count("\n") == lines
    for line in shown.split("\n"):
        assert neutral.cells(line) == width(line)


@given(ANY_TEXT)
def test_any_text_is_made_visible(text: str) -> None:
    for shown in (neutral.line(text), neutral.plain(text), neutral.masked(text)):
        assert hostile.unseen(shown) == set()
        assert neutral.cells(shown) == width(shown)
    shown = neutral.block(text)
    assert hostile.unseen(shown, allowed="\n") == set()
    assert neutral.line(shown.replace("\n", "")) == shown.replace("\n", "")
    assert len(neutral.masked(text)) == len(text)


@given(ANY_TEXT, st.integers(0, 40), st.sampled_from(["left", "right"]))
def test_any_text_fits_exactly(text: str, cells: int, align: str) -> None:
    shown = neutral.fit(text, cells, "right" if align == "right" else "left")
    assert width(shown) == cells
    assert hostile.unseen(shown) == set()
    whole = neutral.line(text)
    assert shown.strip() == whole.strip() or neutral.cells(whole) > cells


def every_character() -> Iterator[int]:
    """All numbers of planes that hold characters; of the others both ends."""
    for plane in range(0, sys.maxunicode + 1, PLANE):
        named = any(unicodedata.name(chr(plane + at), "") for at in range(0, PLANE, 16))
        parts = [range(PLANE)] if named else [range(256), range(PLANE - 256, PLANE)]
        yield from (plane + at for part in parts for at in part)


def test_every_character_has_the_width_that_textual_takes_it_to_have() -> None:
    for number in every_character():
        shown = neutral.line(chr(number))
        assert neutral.cells(shown) == sum(map(get_character_cell_size, shown)), hex(number)
        assert hostile.unseen(shown) == set(), hex(number)


def test_what_is_harmless_stays_as_it_is() -> None:
    harmless = "list[bold] is Ünïcode, 日本語 and ภาษาไทย → “done” ✅ 🎉 naïve ½ € Ж ع ם 한글"
    assert neutral.line(harmless) == harmless
    assert neutral.block(f"{harmless}\n\n{harmless}") == f"{harmless}\n\n{harmless}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb", "a␛[2Jb"),
        ("a\nb\tc\rd", "a↵b⇥c␍d"),
        ("a\x00\x07\x7f", "a␀␇␡"),
        ("\x9b\x85", "⟨U+009B⟩⟨U+0085⟩"),
        ("\u2028\u202e", "⟨U+2028⟩⟨U+202E⟩"),
        ("\ud800\udc80", "⟨U+D800⟩⟨U+DC80⟩"),
        ("👨\u200d👩", "👨⁀👩"),
        ("می\u200cخواهم", "می¦خواهم"),
        ("🇩🇪🇫🇷🇺", "⟨DE⟩⟨FR⟩⟨U⟩"),
        ("⚠\ufe0f1\ufe0f\u20e3", "⚠1\u20e3"),
        ("⚠\ufe0f\ufe0fx\ufe0f", "⚠⟨U+FE0F⟩x⟨U+FE0F⟩"),
        ("👍🏽", "👍⟨U+1F3FD⟩"),
        ("हिन्दी", "ह⟨U+093F⟩न⟨U+094D⟩द⟨U+0940⟩"),
        ("語\u0489 ☰", "語\u0489 ⟨U+2630⟩"),
        ("\u0301x\u202e\u0301", "◌\u0301x⟨U+202E⟩◌\u0301"),
        ("a" + "\u0301" * 5, "a" + "\u0301" * 4 + "◌\u0301"),
    ],
)
def test_signs_and_numbers_stand_for_what_is_unseen(text: str, shown: str) -> None:
    assert neutral.line(text) == shown


def test_a_block_brings_tabs_to_stops_whatever_stands_before() -> None:
    assert neutral.block("a\tb\n語\tb\n\t\x1b\tb") == "a   b\n語  b\n    ␛   b"
    assert neutral.block("first\r\nsecond\rx") == "first\nsecond␍x"


def test_what_is_left_out_is_counted() -> None:
    assert neutral.line("x" * 12_000, limit=2_000) == "x" * 2_000 + " … 10,000 more characters"
    assert neutral.block("ab\ncd", limit=3) == "ab\n\n… 2 more characters"
    assert neutral.line("x" * 10, limit=10) == "x" * 10


@pytest.mark.parametrize(
    "work",
    [
        neutral.line,
        lambda text: neutral.fit(text, 40),
        safe_text.line,
        safe_text.block,
        lambda text: safe_text.fit(text, 40),
        safe_text.safe,
    ],
)
def test_the_cost_of_a_long_text_is_bounded(work: Callable[[str], object]) -> None:
    class Counted(str):
        """Tells how much of it was taken out."""

        taken = 0

        def __getitem__(self, index: object) -> str:
            assert isinstance(index, slice)
            part = super().__getitem__(index)
            self.taken += len(part)
            return part

        def isascii(self) -> bool:
            raise AssertionError("all of it was looked at")

    text = Counted("ที่\t\n" * 1_000_000)
    work(text)
    assert 0 < text.taken <= 100_000


@BY_NAME
def test_content_is_what_neutral_says_and_has_only_the_programs_spans(text: str) -> None:
    made = [
        (safe_text.line(text, "bold"), neutral.line(text)),
        (safe_text.block(text, "bold"), neutral.block(text)),
        (safe_text.safe(text, style="bold"), neutral.line(text)),
        (safe_text.safe(text, width=9, style="bold"), neutral.fit(text, 9)),
        (safe_text.fit(text, 9, style="bold", align="right"), neutral.fit(text, 9, "right")),
        (safe_text.row([(text, "bold")]), neutral.line(text)),
    ]
    for content, shown in made:
        assert content.plain == shown
        assert [(span.start, span.end, span.style) for span in content.spans] in (
            [(0, len(shown), "bold")],
            [],
        )


@BY_NAME
@pytest.mark.parametrize("cells", [0, 1, 2, 3, 8, 60])
def test_columns_stay_aligned(text: str, cells: int) -> None:
    for align in ("left", "right"):
        whole = safe_text.row([(text, "bold"), ("x", "")])
        for content in (
            safe_text.fit(text, cells, align=align),
            safe_text.fit_content(whole, cells, align),
        ):
            assert content.cell_length == width(content.plain) == cells


def test_a_row_keeps_each_parts_style() -> None:
    content = safe_text.row([("a\n", "bold"), Content("b"), ("c", "")], between="|")
    assert content.plain == "a↵|b|c"
    assert content.spans == [Span(0, 2, "bold")]


def test_a_cut_row_keeps_its_styles() -> None:
    content = safe_text.fit_content(safe_text.row([("日本語", "bold"), ("tail", "dim")]), 6)
    assert content.plain == "日本 …"
    assert content.spans[0] == Span(0, 3, "bold")


@BY_NAME
def test_what_the_palette_found_is_marked_and_nothing_else(text: str) -> None:
    shown = neutral.line(text[:500])
    query = next((sign for sign in shown if sign.isalnum()), "zzz")
    content = safe_text.highlight(Matcher(query), text[:500])
    assert content.plain == shown
    marked = {shown[span.start : span.end].lower() for span in content.spans}
    assert marked <= {query.lower()}


def test_the_command_line_needs_no_screen_for_it() -> None:
    code = "import sys, panel.neutral as n; n.line('é\\u202e'); print(sorted(sys.modules))"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    for heavy in ("textual", "rich", "pydantic", "asyncio", "inspect", "wcwidth"):
        assert f"'{heavy}'" not in ran.stdout


def test_the_table_of_hostile_strings_is_as_hostile_as_it_says() -> None:
    everything = "".join(text[:1_000] for text in hostile.STRINGS.values())
    assert {unicodedata.category(sign) for sign in everything} >= {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
        "Co",
    }
    assert len(hostile.unseen(everything)) > 100
    assert hostile.names()
    assert set(hostile.names()) < set(hostile.titles()) < set(hostile.bodies())
    assert "surrogate byte" in hostile.paths()
