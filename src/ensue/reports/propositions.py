"""Propositions of a text: as text, as JSON, as a picture and in a notebook."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import IO, Any

from ensue.claims import Construction, Embedder, Proposition, Propositions
from ensue.files import open_text_output
from ensue.reports.model import Picture, on_a_line
from ensue.reports.page import environment
from ensue.reports.pictures.theme import FAINT, GRID, INK, PALETTE, specification, text_width
from ensue.reports.text import output_width, wrapped

Located = tuple[str, str, Proposition]
"""What a text is called, the text, and one of its propositions."""

# As text and as JSON: written one by one, so that a long text needs no more memory than a short one.


def write_propositions(
    found: Iterable[Located], *, output: str = "-", format: str = "table"
) -> int:
    """Write propositions to a file or to standard output, whole or not at all; how many there were.

    Args:
        found: In the order of their texts.
        output: A file's name, or `-`.
        format: `table` is text for people; `json` is one object, `jsonl` a proposition a line.
    """
    n = 0

    def counted() -> Iterator[Located]:
        nonlocal n
        for each in found:
            n += 1
            yield each

    with open_text_output(output) as file:
        if format == "table":
            width = output_width(file)
            file.writelines(f"{line}\n" for line in _lines(counted(), width))
            file.write(f"{n:,} {'proposition' if n == 1 else 'propositions'}\n" if n else "")
        elif format == "json":
            _write_json(counted(), file)
        else:
            for each in counted():
                file.write(f"{_dumped(_to_json(each))}\n")
    return n


def _write_json(found: Iterator[Located], file: IO[str]) -> None:
    """One object, with its rows as they come."""
    file.write('{"propositions": [')
    n = 0
    for n, each in enumerate(found, 1):
        file.write(f"{',' if n > 1 else ''}\n {_dumped(_to_json(each))}")
    file.write(f'\n], "n_propositions": {n}}}\n')


def _to_json(located: Located) -> dict[str, Any]:
    file, _, proposition = located
    return {"file": file or None, **proposition.to_json()}


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _lines(found: Iterator[Located], width: int) -> Iterator[str]:
    """Each sentence with its statements, and where they stand."""
    for (file, place), group in groupby(found, key=lambda each: (each[0], each[2].sentence)):
        some = list(group)
        text = some[0][1]
        where = f"{on_a_line(file)} {place[0]}–{place[1]}".strip()
        yield from wrapped(f"{where}: {_flat(text[slice(*place)])}", width, then="   ")
        for number, (_, _, each) in enumerate(some, 1):
            how = "; ".join([each.construction.value, *map(_how, each.embedding)])
            yield from wrapped(f"{_flat(each.statement)} ({how})", width, first=f"   {number}. ")
        yield ""


def _how(embedder: Embedder) -> str:
    return f"{embedder.attitude.value}: {_flat(embedder.word)} {embedder.start}–{embedder.end}"


def _flat(text: str) -> str:
    return " ".join(on_a_line(text).split())


# In a notebook.


def propositions_fragment(found: Propositions) -> str:
    """The propositions as a piece of HTML with its own ground, for light and dark notebooks."""
    sentences = [
        (found.text[slice(*place)], list(some))
        for place, some in groupby(found, key=lambda each: each.sentence)
    ]
    return environment().get_template("propositions_fragment.html").render(sentences=sentences)


# As a picture: each statement with a track that shows which stretches of its sentence it has.

_WIDTH = 760.0
_TYPE = 12.0
_LINE = 16.0
_TRACK = 5.0
_COLORS = dict(zip(Construction, PALETTE, strict=False))
_EMBEDDING = INK
_SAMPLE = 18.0
_MOST_DRAWN = 60
"""Statements in a picture; more make one that nobody can look at."""


class _Sheet:
    """Texts and bars at their places, in pixels from the top left."""

    def __init__(self) -> None:
        self.texts: list[dict[str, Any]] = []
        self.bars: list[dict[str, Any]] = []
        self.height = 0.0

    def write(self, string: str, *, color: str = INK, left: float = 0.0) -> None:
        """Write lines of text below what is there."""
        for line in _broken(_flat(string), _WIDTH - left):
            self.texts.append({"x": left, "y": self.height + _LINE / 2, "text": line, "c": color})
            self.height += _LINE

    def draw(self, first: float, last: float, color: str, tall: float = _TRACK) -> None:
        """Draw a bar on the track that is here."""
        middle = self.height + _TRACK / 2
        ends = {"x": first, "x2": max(last, first + 1.5)}
        self.bars.append({**ends, "y": middle - tall / 2, "y2": middle + tall / 2, "c": color})


def propositions_picture(text: str, found: Sequence[Proposition]) -> Picture:
    """A text with its propositions, and the stretches that each of them is made of.

    Args:
        text: What they are cut from.
        found: Its propositions; of many, the first.
    """
    sheet = _Sheet()
    left = 0.0
    for construction, color in _COLORS.items():
        if any(each.construction is construction for each in found):
            sheet.texts.append({"x": left, "y": _LINE / 2, "text": construction.value, "c": color})
            left += text_width(construction.value, _TYPE) + 18
    sheet.height = _LINE / 2 - _TRACK / 2
    sheet.draw(left, left + _SAMPLE, _EMBEDDING, 2)
    label = {"x": left + _SAMPLE + 5, "y": _LINE / 2, "text": "embedding word", "c": _EMBEDDING}
    sheet.texts.append(label)
    sheet.height = 1.5 * _LINE
    for place, some in groupby(found[:_MOST_DRAWN], key=lambda each: each.sentence):
        sheet.write(text[slice(*place)], color=FAINT)
        sheet.height += 4
        for each in some:
            _draw(sheet, each)
        sheet.height += _LINE / 2
    if len(found) > _MOST_DRAWN:
        sheet.write(f"… and {len(found) - _MOST_DRAWN:,} more", color=FAINT)
    body = {"width": _WIDTH, "height": sheet.height, "layer": _layers(sheet)}
    caption = "Each statement, with the stretches of its sentence that it is made of."
    return Picture("propositions", "Propositions", specification(body), caption)


def _draw(sheet: _Sheet, proposition: Proposition) -> None:
    start, end = proposition.sentence
    scale = _WIDTH / max(end - start, 1)
    color = _COLORS[proposition.construction]
    how = " · ".join(f"{each.attitude.value} “{each.word}”" for each in proposition.embedding)
    sheet.write(proposition.statement + (f"   [{how}]" if how else ""))
    sheet.draw(0, _WIDTH, GRID, 2)
    for first, last in proposition.spans:
        sheet.draw((first - start) * scale, (last - start) * scale, color)
    for each in proposition.embedding:
        sheet.draw((each.start - start) * scale, (each.end - start) * scale, _EMBEDDING, 2)
    sheet.height += _TRACK + 6


def _layers(sheet: _Sheet) -> list[dict[str, Any]]:
    place = {"axis": None, "scale": {"domain": [0, _WIDTH], "nice": False}}
    down = {"axis": None, "scale": {"domain": [sheet.height, 0], "nice": False}}
    across = {"field": "x", "type": "quantitative", **place}
    below = {"field": "y", "type": "quantitative", **down}
    color = {"field": "c", "type": "nominal", "scale": None, "legend": None}
    ends = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    return [
        {
            "data": {"values": sheet.bars},
            "mark": {"type": "rect"},
            "encoding": {"x": across, "y": below, **ends, "color": color},
        },
        {
            "data": {"values": sheet.texts},
            "mark": {"type": "text", "align": "left", "baseline": "middle", "fontSize": _TYPE},
            "encoding": {
                "x": across,
                "y": below,
                "text": {"field": "text"},
                "color": color,
            },
        },
    ]


def _broken(string: str, width: float) -> Iterator[str]:
    """Lines that are as wide as there is room, broken between words."""
    line = ""
    for word in string.split():
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, _TYPE) > width:
            yield line
            longer = word
        line = longer
    yield line
