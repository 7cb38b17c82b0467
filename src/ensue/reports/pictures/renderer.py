"""Pictures become files: SVG, PNG, or the specification itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape, unescape

from ensue.errors import OutputError, UnknownNameError
from ensue.files import open_output
from ensue.reports.model import Picture
from ensue.reports.pictures.theme import is_latin, text_width, whole_names

PICTURE_SUFFIXES = (".json", ".png", ".svg")
"""The files that a picture can become."""

_VEGA_LITE = "v5.20"
_PNG_SCALE = 2.0
_TEXT = re.compile(r'<text ([^>]*font-size="([0-9.]+)px"[^>]*)>([^<]*)</text>')


def render(picture: Picture, format: str, *, titled: bool = True) -> bytes:
    """The picture as `svg` or `png`, or as `json`: its specification.

    Nothing is fetched: the renderer is in the package and the data are in the specification.

    Args:
        picture: What to render.
        format: `svg`, `png` or `json`.
        titled: Whether the title stands above the picture.

    Raises:
        UnknownNameError: there is no such format.
    """
    if format not in ("json", "png", "svg"):
        raise UnknownNameError.of("picture format", format, ("json", "png", "svg"))
    spec = {**picture.spec, **({"title": picture.title} if titled else {})}
    if format == "json":
        return (json.dumps(spec, ensure_ascii=False, indent=1) + "\n").encode()
    import vl_convert

    if format == "png":
        png: bytes = vl_convert.vegalite_to_png(
            spec, vl_version=_VEGA_LITE, scale=_PNG_SCALE, allowed_base_urls=[]
        )
        return png
    svg: str = vl_convert.vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[])
    return _TEXT.sub(partial(_measured, whole_names(spec)), svg).encode()


def _measured(names: Mapping[str, str], found: re.Match[str]) -> str:
    """A text that is as wide as it was measured to be, with its whole name where it is shortened.

    A reader's type may be wider than the one that the picture was laid out with: names would be
    cut off at the picture's edge, and numbers would touch.
    """
    attributes, size, content = found.groups()
    string = unescape(content, {"&quot;": '"'})
    title = f"<title>{escape(names[string])}</title>" if string in names else ""
    width = ""
    if "bold" not in attributes and is_latin(string):
        length = text_width(string, float(size))
        width = f'textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs" '
    return f"<text {width}{attributes}>{title}{content}</text>"


def write_picture(path: str | Path, picture: Picture) -> None:
    """Write the picture as what the file's suffix says: `.svg`, `.png` or `.json`.

    Raises:
        OutputError: the suffix is none of these, or the file cannot be written.
    """
    suffix = check_picture_path(path)
    content = render(picture, suffix.removeprefix("."))
    with open_output(path) as file:
        file.write(content)


def check_picture_path(path: str | Path) -> str:
    """The suffix of the path, in lower case, if a picture can be written there.

    Raises:
        OutputError: it is none that a picture can become.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in PICTURE_SUFFIXES:
        raise OutputError(
            "cannot-write-picture-no",
            f"cannot write a picture to {str(path)!r}: no picture ends in {suffix!r}",
            hint=f"name a file that ends in {', '.join(PICTURE_SUFFIXES)}",
        )
    return suffix
