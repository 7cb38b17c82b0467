"""What a verdict of the logical recognizer rests on, in the schema of all explanations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from ensue.logic.formulas import to_text
from ensue.logic.proving import Budget, Prover
from ensue.logic.reasoning import Argument, Outcome
from ensue.logic.reasons import Reasons, problem_of, reasons_of
from ensue.logic.reasons.places import Places
from ensue.recognizers.explanation import Evidence, Link, Section, Side, Span, Step

TPTP = "tptp"
"""The section that holds the problem as provers read it."""
_UNALIGNED = "unaligned"
_CORES = {
    Outcome.YES: ("proof", "What the proof needs"),
    Outcome.NO: ("against", "What the hypothesis stands against"),
    Outcome.FAILED: ("contradiction", "What contradicts itself"),
}
_MISSING = {
    Outcome.UNKNOWN: "What is missing for a proof",
    Outcome.EXHAUSTED: "What was neither proved nor shown to be missing",
}
_GROUNDS = ("part of the hypothesis", "from the text", "by what is known of words")


def evidence_of(argument: Argument, prover: Prover, budget: Budget) -> Evidence:
    """The words that answer each other, the proof or what is missing, and the way to it."""
    reasons = reasons_of(argument, prover, budget)
    spans, links = _linked(argument, reasons)
    sections = [*_sections(argument, reasons), *_trace(argument)]
    return Evidence(spans, links, list(_steps(argument, prover)), sections=sections)


def _linked(argument: Argument, reasons: Reasons) -> tuple[list[Span], list[Link]]:
    text, hypothesis = Places(argument.text), Places(argument.hypothesis)
    spans: list[Span] = []
    links: list[Link] = []
    for joint in reasons.joints:
        spans.append(Span(Side.HYPOTHESIS, *hypothesis.span(joint.hypothesis), joint.kind, 1.0))
        spans.append(Span(Side.TEXT, *text.span(joint.text), joint.kind, 1.0))
        links.append(Link(len(spans) - 2, len(spans) - 1, joint.kind))
    spans += [
        Span(Side.HYPOTHESIS, *hypothesis.span(token), _UNALIGNED, 0.0) for token in reasons.lost
    ]
    return spans, links


def _sections(argument: Argument, reasons: Reasons) -> Iterator[Section]:
    """What is meant, and why it follows or does not."""
    meanings = list(zip_longest(reasons.text, reasons.hypothesis, fillvalue=""))
    yield Section("meanings", "What each side says", ("text", "hypothesis"), meanings)
    if reasons.grounds:
        proved = argument.outcome is Outcome.YES
        title = "How the hypothesis follows" if proved else "What follows of the hypothesis"
        yield Section("proof" if proved else "follows", title, *_grounds(reasons))
    if reasons.core:
        name, title = _CORES[argument.outcome]
        yield Section(name, title, ("from", "what"), reasons.core)
    if reasons.missing:
        yield Section("missing", _MISSING[argument.outcome], ("",), _lines(reasons.missing))
    if reasons.world and argument.outcome is Outcome.UNKNOWN:
        title = "A world in which the text is true and the hypothesis is not"
        lines = [*reasons.world, f"but not: {'; '.join(reasons.missing)}"]
        yield Section("countermodel", title, ("",), _lines(lines))


def _grounds(reasons: Reasons) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """What each part rests on; facts about words only where there are any."""
    rows: list[tuple[str, ...]] = [
        (each.part, "; ".join(each.sources), "; ".join(each.facts)) for each in reasons.grounds
    ]
    if any(each.facts for each in reasons.grounds):
        return _GROUNDS, rows
    return _GROUNDS[:2], [row[:2] for row in rows]


def _lines(lines: Iterable[str]) -> list[tuple[str, ...]]:
    return [(line,) for line in lines]


def _steps(argument: Argument, prover: Prover) -> Iterator[Step]:
    finding = argument.finding
    version = f" {prover.version}" if prover.version else ""
    cost = f"{finding.steps:,} steps of {prover.name}{version}"
    if not finding.steps:
        cost = f"{prover.name}{version}" if prover.name != "z3" else "by building a world"
    yield Step("outcome", f"{argument.outcome.value} ({cost})")
    if argument.outcome in (Outcome.YES, Outcome.NO):
        used = [name for name in finding.core if name.startswith("w")]
        yield Step("word facts used", f"{len(used)} of {len(argument.facts)}")


def _trace(argument: Argument) -> Iterator[Section]:
    """How the meanings came about, folded away."""
    sides = (("text", argument.text), ("hypothesis", argument.hypothesis))
    changes = [(side, *change) for side, meaning in sides for change in meaning.parsed.changes]
    if changes:
        columns = ("side", "by", "change")
        yield Section("parsing", "What was changed in the parse", columns, changes, folded=True)
    steps = [
        (side, step.rule, step.what) for side, meaning in sides for step in meaning.graph.steps
    ]
    if steps:
        columns = ("side", "rule", "what it did")
        yield Section("rewriting", "How it was rewritten", columns, steps, folded=True)
    yield Section(
        "formulas", "Formulas", ("name", "formula"), list(_formulas(argument)), folded=True
    )
    lines = _lines(problem_of(argument).splitlines())
    yield Section(TPTP, "The problem for other provers (TPTP)", ("",), lines, folded=True)


def _formulas(argument: Argument) -> Iterator[tuple[str, str]]:
    for i, condition in enumerate(argument.text.conditions):
        yield f"t{i}", to_text(condition)
    for i, fact in enumerate(argument.facts):
        yield f"w{i}", f"{to_text(fact.formula)}  ({fact.words})"
    yield "hypothesis", to_text(argument.hypothesis.formula)
