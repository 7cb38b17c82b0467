"""The parts of hand-drawn SVG: elements, text that any XML may hold, and how wide it will be."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from xml.sax.saxutils import escape

from ensue.reports.pictures.theme import PAPER

FONT = "Arial, Liberation Sans, Helvetica, sans-serif"

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, section 2.2: most control characters, and half characters."""

# fmt: off
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)
# fmt: on
"""From the space to the tilde, in thousandths of the type size, as in Helvetica and Arial."""
_UNKNOWN_WIDTH = 600
_WIDE = 1000
_JOINED = re.compile("\u200d.|[\U0001f3fb-\U0001f3ff]")
_END_OF_LATIN = "\u0250"


def readable(string: str) -> str:
    r"""The string without the characters that no XML may hold.

    >>> readable("a\0b\ud800")
    'ab'
    """
    return _FORBIDDEN.sub("", string)


def escaped(string: str) -> str:
    """The string as content or as an attribute of XML."""
    return escape(readable(string), {'"': "&quot;"})


def text_width(string: str, size: float) -> float:
    """About how wide a text is in the common sans-serif type.

    >>> text_width("mm", 10)
    16.66
    """
    whole = _JOINED.sub("", string)  # several characters that are drawn as one
    return sum(map(_character_width, whole)) * size / 1000


def is_latin(string: str) -> bool:
    """Whether the width of a text is known well enough to be forced upon its type."""
    return all(character < _END_OF_LATIN for character in string)


@cache
def _character_width(character: str) -> int:
    if " " <= character <= "~":
        return _WIDTHS[ord(character) - 32]
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc", "Cs"):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    letter = unicodedata.normalize("NFD", character)[0]
    return _WIDTHS[ord(letter) - 32] if " " <= letter <= "~" else _UNKNOWN_WIDTH


Attributes = dict[str, str | float | None]
"""Of an element, with `_` for what SVG writes `-`."""


def element(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """An element around content that is XML already; attributes that are None are left out.

    >>> element("rect", x=1.25, fill_opacity=0.5, rx=None)
    '<rect x="1.2" fill-opacity="0.5"/>'
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{shown}>{content}</{name}>" if content else f"<{name}{shown}/>"


def _attribute(value: str | float) -> str:
    return escaped(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def whole_picture(title: str, description: str, width: float, height: float, body: str) -> str:
    """A picture that says in words what it shows."""
    content = (
        element("title", escaped(title))
        + element("desc", escaped(description))
        + element("rect", width=width, height=height, fill=PAPER)
        + body
    )
    return element(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_label=title,
        width=width,
        height=height,
        viewBox=f"0 0 {_attribute(width)} {_attribute(height)}",
        font_family=FONT,
    )
