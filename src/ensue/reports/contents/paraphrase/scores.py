"""EP, EPR and DIMPLE of lists and methods, as tables, a picture and one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ensue import __version__
from ensue.pairs import Finding
from ensue.paraphrase.scores.curves import curves_over_k
from ensue.paraphrase.scores.intervals import ScoreIntervals
from ensue.paraphrase.scores.scoring import ScoredLists
from ensue.reports.contents.entries import (
    Lack,
    Row,
    interval_notes,
    lack_of,
    shown_estimate,
)
from ensue.reports.contents.findings import findings_table
from ensue.reports.contents.paraphrase.curves import curve_table, score_picture
from ensue.reports.contents.paraphrase.cutting import called, cut, dash_notes, why_undefined
from ensue.reports.contents.paraphrase.means import (
    WHY,
    Scores,
    differences_table,
    judge_notes,
    measure_columns,
    methodless,
    methods_table,
    places,
)
from ensue.reports.contents.paraphrase.patterns import by_list, patterns_table
from ensue.reports.model import Column, PagePart, Report, Section, Table

_MOST_PATTERNS = 100
"""Patterns that people see who ask for them."""


def score_tables(
    scores: Scores, curves: Scores | None = None, *, every: bool = True, patterns: bool = True
) -> list[Table]:
    """The methods, their differences, the lists, the curves over k and, if so wanted, the patterns.

    Args:
        scores: The same lists scored by some qualities, one or more, at the same ks.
        curves: The same at every k, as `curves_over_k` gives them; made here where they are None.
        every: Whether all rows and columns are there, for programs.
        patterns: Whether there is a table of why lists have their scores.
    """
    curves = curves_over_k(scores) if curves is None else curves
    tables = [*_mean_tables(scores, every), lists_table(scores, every=every)]
    tables.append(curve_table(curves, every=every))
    if patterns:
        tables.append(patterns_table(_scored(scores), every=every, most=_MOST_PATTERNS))
    return tables


def score_report(
    scores: Scores, curves: Scores | None = None, judges: Sequence[Table] = (), *, name: str = ""
) -> Report:
    """The page of the scores.

    Args:
        scores: The same lists scored by some qualities, one or more, at the same ks.
        curves: The same at every k, as `curves_over_k` gives them; made here where they are None.
        judges: What `judge_tables` gives, where there are judges.
        name: What the lists are called; as they call themselves where it is empty.
    """
    curves = curves_over_k(scores) if curves is None else curves
    over_k: list[PagePart] = [score_picture(curves), curve_table(curves, every=False)]
    sections = [
        Section("Methods", "", _mean_tables(scores, every=False)),
        Section("How much hangs on k", "", over_k),
        Section("Lists", "", [lists_table(scores, every=False)]),
        Section("Patterns", "", [patterns_table(_scored(scores), every=False)]),
    ]
    if judges:
        sections.append(Section("Judges", "", judges))
    findings = _findings(scores)
    if findings:
        sections.append(Section("Findings", "", [findings_table(findings)]))
    name = name or next(iter(scores.values())).scored.lists.name or "lists"
    return Report(f"Scores of {name}", sections, _signature(list(scores.values()), name))


def _scored(scores: Scores) -> dict[str, ScoredLists]:
    return {quality: each.scored for quality, each in scores.items()}


def _mean_tables(scores: Scores, every: bool) -> list[Table]:
    tables = [methods_table(scores, every=every)]
    if any(each.differences for each in scores.values()):
        tables.append(differences_table(scores, every=every))
    return tables


def _signature(found: Sequence[ScoreIntervals], name: str) -> str:
    first = found[0]
    made = [
        f"ensue {__version__}",
        f"lists: {name}",
        *(each.scored.signature for each in found),
        f"k: {', '.join(map(str, first.scored.settings.ks))}, seed: {first.seed},"
        f" draws: {first.draws}, level: {first.level:g}",
    ]
    return "\n".join(made)


def lists_table(scores: Scores, *, every: bool = True) -> Table:
    """The scores of each list."""
    columns = [
        Column("quality"),
        Column("term"),
        Column("method"),
        Column("patterns"),
        *measure_columns(scores),
    ]
    lacks: list[Lack] = []
    n = sum(len(each.scored.lists) for each in scores.values())
    rows, cut_notes = cut(_list_rows(scores, lacks, every), n, every=every, what="lists")
    notes = [
        *_list_notes(scores),
        *judge_notes(scores),
        *dash_notes(lacks, every=every),
        *methodless(scores),
        *cut_notes,
    ]
    columns += [WHY] if every else []
    return Table("lists", "Scores of lists", columns, rows, notes)


def _list_rows(scores: Scores, lacks: list[Lack], every: bool) -> Iterator[Row]:
    for i, key, quality in by_list(_scored(scores)):
        each = scores[quality]
        found = [each.of_list(i, *place) for place in places(scores)]
        lacks += [lack for one in found for lack in lack_of(called(key), one)]
        start, end = each.scored.lists.offsets[i : i + 2].tolist()
        names: Row = [quality, key.term, key.method or None, end - start]
        why: Row = [why_undefined(found)] if every else []
        yield [*names, *map(shown_estimate, found), *why]


def _list_notes(scores: Scores) -> Iterator[str]:
    first = next(iter(scores.values()))
    if any(each.lists_reason is None for each in scores.values()):
        yield from interval_notes(first.draws, first.level, first.seed, over="judges")
    for quality, each in scores.items():
        if each.lists_reason:
            yield f"{quality}: no intervals: {each.lists_reason}"


def _findings(scores: Scores) -> list[Finding]:
    """Of all qualities, each once."""
    found: list[Finding] = []
    for each in scores.values():
        found += [finding for finding in each.scored.findings if finding not in found]
    return found
