"""Texts and values that programs rarely meet."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

PLAIN = (
    "The ferry left the harbor at noon.",
    "Three of the miners were rescued on 4 May 2004.",
    "The bank denied that it had lost $5 million.",
    "No student who failed was invited.",
    "Mary, who owns a car, may sell it to John.",
)

SHORT = {
    "empty": "",
    "blanks": " \t \n ",
    "unseen blanks": "\u200b\u00a0\u2028\u2029\ufeff",
    "one letter": "a",
    "one sign": "?",
    "signs": "?!… -- ((( ]]] «» %%% #@$^&*",
    "NUL": "The ferry\x00left.",
    "control characters": "The\x01 ferry\x1b[31m left\x07 \x7f\x85 at\x0b noon\x0c.",
    "lone surrogate": "The ferry \ud800 left \udfff.",
    "emoji": "👨‍👩‍👧‍👦 bought a 🚗 in 🇳🇴, 👍🏽!",
    "right to left": "\u202eThe ferry left\u202c עזבה את הנמל في الظهر.",
    "combining": "Z" + "\u0301\u0323" * 40 + "algo e\u0301te\u0301 naïve ﬁne Ⅻ",
    "Chinese": "渡轮于中午离开港口。三名矿工获救。",
    "Turkish": "İstanbul'da ıssız IŞIK ß ẞ ŉ ǰ",
    "digits of others": "² ³½ ٣٤ ೩ Ⅳ ½ ¾ 〇 零 ①",
    "many digits": f"The mine lost {'9' * 5000} dollars in {'1' * 400}.5 days.",
    "large number": f"It cost 1{',000' * 120} dollars and 1e{'9' * 30}.",
    "odd numbers": "It costs -0, NaN, inf, 1e999, 0x1F, 1/0, ½%, 3.4.5, 1,2,3,,4 and $-.5 million.",
    "odd dates": "On 31 February 99999, 00/00/0000, 13:99, May 32nd and 2004-13-45 it rained.",
    "markup": "<pair id='1'><t>&lt;&amp;&nbsp;&#0;&eacute;</t> ]]> <!-- x -->",
    "formula": "=cmd|'/c calc'!A0",
    "quotes": '"\'“”‘’""\'\' said he, "she"""',
    "JSON": '{"text": null, "hypothesis": [1, 2, {"a": NaN}]}',
    "format signs": "{0} {} %s %d %(x)s {text!r} \\n \\u0000 \\x00 C:\\new",
    "path": "../../../../etc/passwd",
    "line ends": "The ferry\rleft\r\nat\u2028noon\u0085today.",
    "shouting": "THE FERRY LEFT THE HARBOR AT NOON!!!!!!!!",
    "negations": "Nobody never did not say that nothing is not impossible, nor didn't he.",
    "no verb": "The of and to in, which that.",
    "same word": "buffalo " * 60,
}
"""Texts by what is odd in them."""

LONG = {
    "long word": "a" * 20_000,
    "long word with signs": "-a" * 3_000,
    "many words": "The ferry left the harbor at noon " * 300 + ".",
    "many sentences": "The ferry left. " * 400,
    "open brackets": "(" * 3_000 + "a" + ")" * 10,
    "almost a number": "1." * 3_000 + "x",
    "almost a date": "4 May " * 500,
    "almost an address": "a" * 3_000 + "@" * 50 + "!",
    "blanks between": "a" + " " * 10_000 + "b",
    "commas": "A, " * 800 + "and B left.",
    "of": "the lid of " * 200 + "the box.",
    "that": "Mary said that " * 80 + "it rains.",
    "not": "It is not true that " * 60 + "it rains.",
    "many marks": "e" + "\u0301" * 5_000,
}
"""Texts by what makes them long."""


def text(rng: Random, *, with_long: bool = True, with_surrogates: bool = True) -> str:
    """A text: odd, long, made of parts of others, or plain."""
    drawn = rng.random()
    if drawn < 0.08 and with_long:
        return rng.choice(list(LONG.values()))
    if drawn < 0.7:
        found = rng.choice(list(SHORT.values()))
    else:
        found = " ".join(rng.choice([*SHORT.values(), *PLAIN]) for _ in range(rng.randint(2, 4)))
    return found if with_surrogates else found.encode("utf-8", "replace").decode("utf-8")


def deep(levels: int) -> Any:
    """A list in a list in a list."""
    found: Any = []
    for _ in range(levels):
        found = [found]
    return found


def cell(rng: Random) -> Any:
    """What a cell or a field of JSON may hold, and mostly should not."""
    return rng.choice(
        [
            None,
            True,
            False,
            0,
            -1,
            1.5,
            10**30,
            -(10**400),
            1e308,
            math.nan,
            math.inf,
            -math.inf,
            "",
            " ",
            "null",
            "NaN",
            "1e400",
            [],
            {},
            ["a", 1],
            {"a": {"b": None}},
            deep(50),
            text(rng, with_long=False, with_surrogates=False),
            "x" * 5000,
        ]
    )


def _generator() -> Iterator[str]:
    yield "The ferry left."


def argument(rng: Random) -> Any:
    """What a program may hand to a function by mistake; the name of its kind first."""
    return rng.choice(
        [
            None,
            True,
            0,
            -1,
            2.5,
            math.nan,
            10**40,
            1j,
            b"The ferry left.",
            bytearray(b"x"),
            (),
            [],
            ["The ferry left."],
            [["The ferry left."]],
            [None],
            {},
            {"text": "a"},
            {1, 2},
            _generator(),
            iter([]),
            object(),
            object,
            len,
            Path("nowhere"),
            Path(),
            Ellipsis,
            range(3),
            memoryview(b"ab"),
            deep(300),
        ]
    )


def shown(value: Any) -> str:
    """A value in a few characters."""
    written = repr(value)
    return written if len(written) < 60 else f"{written[:40]}… ({len(written):,} characters)"


def json_line(row: dict[str, Any]) -> str:
    """A row as a line, with NaN and Infinity as Python writes them."""
    return json.dumps(row, ensure_ascii=False)
