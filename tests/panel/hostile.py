"""Strings from outside that have broken terminals, layouts and markup readers (fault 41, 37).

`STRINGS` names each; `titles`, `names`, `bodies` and `paths` give those that can stand in such a
place at all by the rules, so that they can be posted and created for real. `unseen` says what of a
text a terminal must not be given.
"""

from __future__ import annotations

import re
import unicodedata

ESC = "\x1b"

STRINGS: dict[str, str] = {
    # Markup of Textual and Rich.
    "closing tag": "[/a]",
    "bare closing": "[/]",
    "opening bracket": "[",
    "bad action": "[type=x, v={'a[0]'}]",
    "subscript": "list[bold]",
    "click": "[@click=app.quit]x[/]",
    "click bell": "[@click='app.bell']press me[/]",
    "rich link": "[link=https://example.org]here[/link]",
    "escaped bracket": r"\[x",
    "trailing backslash": "[bold]x\\",
    "variable": "$other $primary [$error]red[/]",
    "braces": "{0} {x!r} %s %(a)s ${HOME} `id`",
    "emoji code": ":warning: :smile:",
    # Escape sequences.
    "clipboard": f"{ESC}]52;c;aGk=\x07",
    "title": f"{ESC}]0;owned\x07",
    "title st": f"{ESC}]2;owned{ESC}\\",
    "link": f"{ESC}]8;;https://example.org{ESC}\\here{ESC}]8;;{ESC}\\",
    "clear": f"{ESC}[2J{ESC}[H",
    "colour": f"{ESC}[31mred{ESC}[0m",
    "main screen": f"{ESC}[?1049l",
    "mouse off": f"{ESC}[?1000l{ESC}[?25h",
    "device report": f"{ESC}[6n{ESC}[c{ESC}[>0q",
    "device control": f"{ESC}P$q m{ESC}\\",
    "application command": f"{ESC}_Gf=100;AAAA{ESC}\\",
    "reset": f"{ESC}c",
    "half a sequence": f"end{ESC}[",
    "c1 csi": "\x9b2J",
    "c1 osc": "\x9d0;owned\x9c",
    "c1 all": "".join(map(chr, range(0x80, 0xA0))),
    "c0 all": "".join(map(chr, range(0x20))),
    "bell": "ring\x07",
    "backspace": "safe\x08\x08\x08\x08evil",
    "delete": "a\x7fb",
    "nul": "a\x00b",
    # Line ends and tabs.
    "newline": "first\nsecond",
    "carriage return": "good\rbad ",
    "crlf": "first\r\nsecond",
    "next line": "a\x85b",
    "separators": "a\u2028b\u2029c",
    "vertical": "a\x0bb\x0cc",
    "tab": "a\tb\t\tc",
    # Direction and what is not drawn.
    "override": "abc\u202edcba\u202c",
    "isolates": "a\u2066b\u2067c\u2068d\u2069e",
    "marks": "a\u200eb\u200fc\u061cd",
    "tags": "x" + "".join(chr(0xE0000 + ord(sign)) for sign in "hidden"),
    "zero width": "pay\u200bpal\u2060\ufeff",
    "joiners": "a\u200db\u200cc",
    "soft hyphen": "hy\u00adphen",
    "fillers": "a\u3164b\uffa0c\u115fd\u1160e",
    "grapheme joiner": "a\u034fb",
    "annotation": "a\ufff9b\ufffac\ufffb",
    "selectors": "a\ufe00\ufe0f\U000e0100b",
    "noncharacter": "a\ufffeb\uffffc\ufdd0d",
    "private": "a\ue000b\U000f0000c",
    # Widths.
    "vs16": "❤\ufe0f ⚠\ufe0f \u2139\ufe0f",
    "vs16 twice": "⚠\ufe0f\ufe0f x\ufe0f",
    "vs15": "⌚\ufe0e",
    "keycap": "1\ufe0f\u20e3",
    "family": "👨\u200d👩\u200d👧\u200d👦",
    "rainbow": "🏳\ufe0f\u200d🌈",
    "tones": "👍🏽👋🏿",
    "flags": "🇩🇪🇫🇷🇺",
    "english flag": "🏴" + "".join(chr(0xE0000 + ord(sign)) for sign in "gbeng") + "\U000e007f",
    "japanese": "日本語",
    "halfwidth": "ｱｲｳﾞ",
    "thai": "ภาษาไทย ที่นี่ น้ำ",
    "arabic": "مرحبا بالعالم",
    "hebrew": "שלום עולם",
    "hindi": "हिन्दी में",
    "korean apart": "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "jamo alone": "\u1161\u11ab",
    "accents": "e\u0301a\u0308o\u0302\u0323",
    "stack": "Z" + "\u0300\u0301\u0334\u0489" * 25,
    "mark alone": "\u0301\u0302x",
    "changed widths": "☰䷀𝌆",
    "mathematical": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "ideographic space": "a\u3000b\u2003c\u00a0d",
    # What can't be written at all, and what is too long.
    "surrogate": "a\ud800b",
    "surrogate byte": "caf\udce9",
    "long line": "x" * 5_000_000,
    "long wide line": "語" * 2_000,
    "long marks": "a" + "\u0301" * 50_000,
    "many lines": "line\n" * 20_000,
    "blank": "   ",
    "empty": "",
}

_UNSEEN_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
_UNSEEN_NAMES = re.compile(
    r"VARIATION SELECTOR|^TAG |HANGUL .*FILLER|KHITAN .*FILLER|ZERO WIDTH|(WORD|GRAPHEME) JOINER"
    r"|INVISIBLE|REGIONAL INDICATOR|FITZPATRICK"
)


def unseen(text: str, allowed: str = "") -> set[str]:
    """What in the text is no visible character of a known width, by Unicode's own names."""
    return {
        f"{ord(sign):04x}"
        for sign in set(text) - set(allowed)
        if unicodedata.category(sign) in _UNSEEN_CATEGORIES
        or _UNSEEN_NAMES.search(unicodedata.name(sign, ""))
        or ord(sign) & 0xFFFE == 0xFFFE
    }


def bodies() -> dict[str, str]:
    """Those that can be the body of a message: UTF-8, at most 1 MiB."""
    return {name: text for name, text in STRINGS.items() if _utf8(text) and len(text) < 1 << 20}


def titles() -> dict[str, str]:
    """Those that can be a title: one line, at most 200 characters, not empty."""
    return {
        name: text
        for name, text in bodies().items()
        if text.strip() and len(text) <= 200 and len(text.splitlines()) == 1
    }


def names() -> dict[str, str]:
    """Those that can be a display name: printable, at most 80 characters."""
    return {name: text for name, text in titles().items() if text.isprintable() and len(text) <= 80}


def paths() -> dict[str, str]:
    """Those that can be a file's name."""
    return {
        name: text
        for name, text in STRINGS.items()
        if text.strip()
        and not set(text) & {"/", "\0"}
        and (_utf8(text) or "\udc80" <= max(text) <= "\udcff")
        and len(text.encode("utf-8", "surrogateescape")) <= 255
    }


def _utf8(text: str) -> bool:
    return not any(0xD800 <= ord(sign) <= 0xDFFF for sign in text)
