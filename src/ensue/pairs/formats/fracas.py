"""FraCaS problems in XML: one or more premises, a question and its declarative hypothesis.

The premises are `meta.premises`, and the text is them joined with a space. The task is the
section that a problem stands in. Problems without a hypothesis and answers that are `undef` are
findings: the pair is given all the same.
"""

from __future__ import annotations

import re
from typing import Any, BinaryIO

from ensue.errors import DataError
from ensue.files import looks_like_xml, parse
from ensue.pairs.formats.model import (
    Format,
    LocatedPairs,
    OnFinding,
    ReadOptions,
    cleaned_text,
    report_blanks,
    report_no_gold,
)
from ensue.pairs.labels import Label, LabelMapper, LabelTable
from ensue.pairs.model import Pair

LABELS: LabelTable = {
    "yes": Label.ENTAILMENT,
    "no": Label.CONTRADICTION,
    "unknown": Label.UNKNOWN,
    "undef": None,
}
"""A FraCaS "no" means that the hypothesis is false."""

_ANSWER = "fracas_answer"
_NONSTANDARD = "fracas_nonstandard"
_NAMES = {"q": "question", "a": "answer", "why": "why", "note": "note"}


def read(file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding) -> LocatedPairs:
    """Yield the problems of a FraCaS file with their lines."""
    builder = _ProblemBuilder(name, LabelMapper(LABELS, options.labels), on_finding)
    yield from parse(file, name, options.encoding, builder)
    if builder.n_problems == 0:
        raise DataError(
            "no <problem> in this file",
            place=name,
            hint="is it FraCaS XML? name its format: --read format=FORMAT",
        )


class _ProblemBuilder:
    """Gathers one problem at a time, under the headings that precede it."""

    def __init__(self, name: str, mapper: LabelMapper, on_finding: OnFinding) -> None:
        self.n_problems = 0
        self._name = name
        self._mapper = mapper
        self._on_finding = on_finding
        self._done: list[tuple[int, Pair]] = []
        self._headings: dict[str, str] = {}
        self._line = 0
        self._attributes: dict[str, str] = {}
        self._children: list[tuple[str, list[str]]] = []
        self._heading: str | None = None
        self._path: list[str] = []
        """The open elements from a `<problem>` or a heading inwards."""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        if self._path:
            self._path.append(tag)
            if len(self._path) == 2:
                self._children.append((tag, []))
        elif tag in ("problem", "comment"):
            self._path = [tag]
            self._heading = attributes.get("class") if tag == "comment" else None
            self._line, self._attributes = line, attributes
            self._children = [("", [])] if tag == "comment" else []

    def data(self, text: str) -> None:
        if len(self._path) > 1 or self._heading:
            self._children[-1][1].append(text)

    def end(self, tag: str) -> None:  # noqa: ARG002 - expat has checked the nesting
        if self._path == ["problem"]:
            self._done.append((self._line, self._pair()))
            self.n_problems += 1
        elif self._path == ["comment"]:
            self._turn_page()
        if self._path:
            self._path.pop()

    def take(self) -> list[tuple[int, Pair]]:
        done, self._done = self._done, []
        return done

    def _turn_page(self) -> None:
        heading = cleaned_text("".join(self._children[0][1]))
        if self._heading == "section":
            self._headings = {"section": heading}
        elif self._heading == "subsection":
            self._headings = {**self._headings, "subsection": heading}

    def _pair(self) -> Pair:
        place = f"{self._name}:{self._line}"
        attributes = dict(self._attributes)
        pair_id = attributes.pop("id", "").strip()
        if not pair_id:
            raise DataError("a problem has no id", place=place, hint='write <problem id="…">')
        gold = self._gold(attributes.pop(_ANSWER, ""), pair_id, place)
        children = [(tag, cleaned_text("".join(parts))) for tag, parts in self._children]
        premises = [text for tag, text in children if tag == "p"]
        hypothesis = next((text for tag, text in children if tag == "h"), "")
        meta = {"premises": premises, **self._headings, **_rest(attributes, children)}
        pair = Pair(pair_id, " ".join(premises), hypothesis, gold, self._task(), meta)
        report_blanks(pair, place, self._on_finding)
        return pair

    def _task(self) -> str | None:
        """The section without its number, in lower case."""
        return re.sub(r"^[\d.\s]+", "", self._headings.get("section", "")).lower() or None

    def _gold(self, answer: str, pair_id: str, place: str) -> Label | None:
        if not answer.strip():
            return None
        gold = self._mapper(answer, place=place)
        if gold is None:
            report_no_gold(answer, pair_id, place, self._on_finding)
        return gold


def _rest(attributes: dict[str, str], children: list[tuple[str, str]]) -> dict[str, Any]:
    rest: dict[str, Any] = dict(attributes)
    if _NONSTANDARD in rest:
        rest[_NONSTANDARD] = rest[_NONSTANDARD] == "true"
    for tag, text in children:
        if tag not in ("p", "h") and text:
            name = _NAMES.get(tag, tag)
            rest[name] = f"{rest[name]} {text}" if name in rest else text
    return rest


def _sniff(head: bytes) -> bool:
    return looks_like_xml(head) and b"<fracas-problems" in head.replace(b"\0", b"")


FORMAT = Format(
    name="fracas",
    summary="FraCaS XML: several premises, fracas_answer=yes|no|unknown|undef (read only)",
    suffixes=(".xml",),
    sniff=_sniff,
    read=read,
)
