"""Pairs in XML: the dialects of RTE, and FraCaS.

RTE-1 has `value="TRUE|FALSE"`, RTE-2 and RTE-3 `entailment="YES|NO"`, later ones `ENTAILMENT`,
`CONTRADICTION` and `UNKNOWN`. Attributes beside id, task and the label go to `meta`, and so do
further elements inside a pair.

A FraCaS problem has one or more premises, a question and its declarative hypothesis. The premises
are `meta.premises`, and the text is them joined with a space. The task is the section that a problem
stands in. Problems without a hypothesis and answers that are `undef` are findings: the pair is given
all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, BinaryIO
from xml.sax.saxutils import escape, quoteattr

from ensue.errors import DataError, OutputError
from ensue.files import OnFinding, looks_like_xml, parse
from ensue.pairs.formats.model import (
    Format,
    LocatedPairs,
    ReadOptions,
    cleaned_text,
    report_blanks,
    report_no_gold,
    report_unknown_labels,
)
from ensue.pairs.model import Label, LabelMapper, LabelTable, Pair
from ensue.pairs.runs import CHALLENGE_LABELS

# RTE.

_GOLD_ATTRIBUTES = ("value", "entailment")
_OWN_ATTRIBUTES = ("id", "task", *_GOLD_ATTRIBUTES)
_ROOT = "entailment-corpus"
_SHAPE = "each <pair> needs one <t> and one <h>"
_WRITTEN = {
    Label.ENTAILMENT: "YES",
    Label.NOT_ENTAILMENT: "NO",
    Label.CONTRADICTION: "CONTRADICTION",
    Label.UNKNOWN: "UNKNOWN",
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_rte(
    file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding
) -> LocatedPairs:
    """Yield the pairs of an RTE file with their lines."""
    mapper = LabelMapper(CHALLENGE_LABELS, options.labels, needed=options.needs_gold)
    builder = _PairBuilder(name, mapper, on_finding)
    yield from parse(file, name, options.encoding, builder)
    report_unknown_labels(mapper, name, on_finding)
    if builder.n_pairs == 0 and builder.root != _ROOT:
        raise DataError(
            "no-pair-file-root",
            f"no <pair> in this file, whose root is <{builder.root}>",
            place=name,
            hint="is it RTE XML? name its format with --read format=FORMAT where it is another one",
        )


def write_rte(pairs: Iterable[Pair], file: BinaryIO) -> None:
    """Write pairs as RTE-2 and RTE-3 do: `entailment="YES|NO|CONTRADICTION|UNKNOWN"`."""
    file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{_ROOT}>\n'.encode())
    for pair in pairs:
        file.write(_element(pair).encode())
    file.write(f"</{_ROOT}>\n".encode())


class _PairBuilder:
    """Gathers the elements of one pair at a time."""

    def __init__(self, name: str, mapper: LabelMapper, on_finding: OnFinding) -> None:
        self.root: str | None = None
        self.n_pairs = 0
        self._name = name
        self._mapper = mapper
        self._on_finding = on_finding
        self._done: list[tuple[int, Pair]] = []
        self._line = 0
        self._attributes: dict[str, str] = {}
        self._children: dict[str, list[str]] = {}
        self._path: list[str] = []
        """The open elements from `<pair>` inwards; empty outside of pairs."""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.root = self.root or tag
        if self._path:
            self._path.append(tag)
            if tag == "pair":
                self._fail("another <pair> begins inside of it", "close it with </pair>", line)
            if len(self._path) == 2 and tag in self._children:
                self._fail(f"has a second <{tag}>", _SHAPE, line)
            if len(self._path) == 2:
                self._children[tag] = []
        elif tag == "pair":
            self._path = [tag]
            self._line, self._attributes, self._children = line, attributes, {}

    def data(self, text: str) -> None:
        if len(self._path) >= 2:
            self._children[self._path[1]].append(text)

    def end(self, tag: str) -> None:  # noqa: ARG002 - expat has checked the nesting
        if len(self._path) == 1:
            self._done.append((self._line, self._pair()))
            self.n_pairs += 1
        if self._path:
            self._path.pop()

    def take(self) -> list[tuple[int, Pair]]:
        done, self._done = self._done, []
        return done

    def _pair(self) -> Pair:
        place = f"{self._name}:{self._line}"
        attributes = dict(self._attributes)
        pair_id = attributes.pop("id", "").strip()
        if not pair_id:
            raise DataError(
                "pair-no-id", "a pair has no id", place=place, hint='write <pair id="…">'
            )
        for tag, side in (("t", "text"), ("h", "hypothesis")):
            if tag not in self._children:
                self._fail(f"has no {side}", _SHAPE, self._line)
        children = {tag: cleaned_text("".join(parts)) for tag, parts in self._children.items()}
        gold = self._gold(attributes, pair_id, place)
        task = attributes.pop("task", "").strip() or None
        text, hypothesis = children.pop("t"), children.pop("h")
        pair = Pair(pair_id, text, hypothesis, gold, task, {**attributes, **children})
        report_blanks(pair, place, self._on_finding)
        return pair

    def _gold(self, attributes: dict[str, str], pair_id: str, place: str) -> Label | None:
        given = [attributes.pop(key).strip() for key in _GOLD_ATTRIBUTES if key in attributes]
        labels = {self._mapper(name, place=place) for name in given if name}
        if len(labels) > 1 and not self._mapper.needed:
            return None
        if len(labels) > 1:
            self._fail(f"has two labels: {' and '.join(map(repr, given))}", None, self._line)
        if labels == {None} and given[0].lower() in self._mapper.table:
            report_no_gold(given[0], pair_id, place, self._on_finding)
        return labels.pop() if labels else None

    def _fail(self, message: str, hint: str | None, line: int) -> None:
        pair_id = self._attributes.get("id", "?")
        raise DataError(
            "bad-pair", f"pair {pair_id!r} {message}", place=f"{self._name}:{line}", hint=hint
        )


def _element(pair: Pair) -> str:
    attributes = {"id": pair.id}
    if pair.gold is not None:
        attributes["entailment"] = _WRITTEN[pair.gold]
    if pair.task is not None:
        attributes["task"] = pair.task
    for key, value in pair.meta.items():
        name = _attribute_name(key)
        if name in attributes:
            raise OutputError(
                "pair-two-attributes-called",
                f"pair {pair.id!r} has two attributes called {name!r} in XML;"
                f" the second is meta {key!r}",
                hint="rename one of them, or write it as JSONL",
            )
        attributes[name] = _attribute_value(value)
    shown = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    element = f"<pair{shown}>\n\t<t>{escape(pair.text)}</t>\n\t<h>{escape(pair.hypothesis)}</h>\n</pair>\n"
    if found := _NOT_XML.search(element):
        raise OutputError(
            "pair-holds-character-xml",
            f"pair {pair.id!r} holds the character {found[0]!r}, which XML cannot hold",
            hint="write it as JSONL",
        )
    return element


def _attribute_name(key: str) -> str:
    """The key with everything that XML does not take in names made an underscore.

    An underscore also goes before the names of what a pair says of itself.

    >>> _attribute_name("#1 ID"), _attribute_name("task")
    ('_1_ID', '_task')
    """
    name = re.sub(r"[^\w.-]", "_", key, flags=re.ASCII)
    if name in _OWN_ATTRIBUTES or not re.match("[A-Za-z_]", name):
        return f"_{name}"
    return name


def _attribute_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _sniff_rte(head: bytes) -> bool:
    return looks_like_xml(head) and b"<fracas-problems" not in head.replace(b"\0", b"")


RTE = Format(
    name="rte",
    summary="RTE XML: value=TRUE|FALSE, entailment=YES|NO|ENTAILMENT|CONTRADICTION|UNKNOWN",
    suffixes=(".xml",),
    sniff=_sniff_rte,
    read=read_rte,
    write=write_rte,
)

# FraCaS.

FRACAS_LABELS: LabelTable = {
    "yes": Label.ENTAILMENT,
    "no": Label.CONTRADICTION,
    "unknown": Label.UNKNOWN,
    "undef": None,
}
"""A FraCaS "no" means that the hypothesis is false."""

_ANSWER = "fracas_answer"
_NONSTANDARD = "fracas_nonstandard"
_NAMES = {"q": "question", "a": "answer", "why": "why", "note": "note"}


def read_fracas(
    file: BinaryIO, name: str, options: ReadOptions, on_finding: OnFinding
) -> LocatedPairs:
    """Yield the problems of a FraCaS file with their lines."""
    mapper = LabelMapper(FRACAS_LABELS, options.labels, needed=options.needs_gold)
    builder = _ProblemBuilder(name, mapper, on_finding)
    yield from parse(file, name, options.encoding, builder)
    report_unknown_labels(mapper, name, on_finding)
    if builder.n_problems == 0:
        raise DataError(
            "no-problem-file",
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
            raise DataError(
                "problem-no-id", "a problem has no id", place=place, hint='write <problem id="…">'
            )
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
        if gold is None and answer.strip().lower() in self._mapper.table:
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


def _sniff_fracas(head: bytes) -> bool:
    return looks_like_xml(head) and b"<fracas-problems" in head.replace(b"\0", b"")


FRACAS = Format(
    name="fracas",
    summary="FraCaS XML: several premises, fracas_answer=yes|no|unknown|undef (read only)",
    suffixes=(".xml",),
    sniff=_sniff_fracas,
    read=read_fracas,
)
