"""What stands beside published figures: a recognizer on diagnostic sets, and a paper reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from pathlib import PurePosixPath

from ensue import __version__
from ensue.diagnosis import Accuracies, Diagnosis, PublishedComparison, SetResult
from ensue.reports.model import (
    DASHES,
    Column,
    Interval,
    PagePart,
    Picture,
    Report,
    Section,
    Table,
    findings_table,
    interval_notes,
    names_in_words,
    number_in_words,
    share,
    shown_estimate,
)
from ensue.reports.pictures.curves import Line, cutoff_picture
from ensue.reports.pictures.dots import accuracy_picture, group_picture
from ensue.reproduce import Listing, PublishedFigure, Reproduction
from ensue.statistics import Estimate

_PhenomenonRow = tuple[SetResult, str, str, Accuracies, float | None]
_MOST_PICTURED = 24
"""Phenomena of one facet in a picture; of more, a table says more."""


_GROUP_NOTES = (
    "all right: groups of which every pair is right, in the finest view of gold and answers",
)
_PUBLISHED_NOTES = (
    "published: the highest figure on a whole set that is recorded; where it is on another number"
    " of pairs, it is not to be compared",
)


def diagnosis_tables(
    diagnosis: Diagnosis, *, phenomena: bool = True, every: bool = True
) -> list[Table]:
    """The tables of a diagnosis: all sets, phenomena where they are wanted, and published figures.

    Args:
        diagnosis: What to show.
        phenomena: Whether each phenomenon has a row.
        every: Whether all columns and rows are there, for programs.
    """
    tables = [sets_table(diagnosis, every=every)]
    if phenomena:
        tables.append(phenomena_table(diagnosis, every=every))
    if any(each.published for each in diagnosis.sets):
        tables.append(published_table(diagnosis, phenomena=phenomena, every=every))
    return tables


def sets_table(diagnosis: Diagnosis, *, every: bool = True) -> Table:
    """A row a set."""
    columns = [
        Column("set", get="found.title"),
        Column("tests", get="found.kind.tests", full=True),
        Column("files", get=lambda each: " ".join(each.found.files), full=True),
        Column("pairs", get="accuracies.n"),
        share("2-way", get="accuracies.two_way", interval=True, importance=3),
        share("3-way", get="accuracies.three_way", interval=True, importance=3),
        share("majority", importance=-1),
        share("answered", get=_coverage, importance=-2),
        Column("groups", get=lambda each: each.n_groups or None, importance=-1),
        share("groups_right", "all right", "groups", interval=True, importance=1),
        share("published", get=_best, importance=2),
        Column("published_by", "by", get=_best_system, importance=0),
        Column("reason", reasons=True, full=True),
        Column("gold", get="gold_file", full=True),
        Column("run", get="run_file", full=True),
    ]
    columns = _filled(columns, diagnosis.sets)
    shown = {column.name for column in columns}
    notes = [
        diagnosis.signature,
        *interval_notes(diagnosis.resampling, over="pairs, or groups where these are counted"),
        "a pair without an answer is not right; majority: the share of the most frequent gold label",
        *(_GROUP_NOTES if "groups" in shown else ()),
        *(_PUBLISHED_NOTES if "published" in shown else ()),
        *_samples(diagnosis),
        DASHES,
    ]
    return Table.of(
        "sets",
        f"Diagnostic sets, judged by {diagnosis.recognizer}",
        columns,
        diagnosis.sets,
        notes,
        called=lambda each: each.found.title,
        short_notes=True,
        every=every,
    )


def _filled(columns: Sequence[Column], sets: Sequence[SetResult]) -> list[Column]:
    """Without columns in which no set has anything to say."""
    empty = set()
    if all(each.coverage.value == 1 for each in sets):
        empty.add("answered")
    if not any(each.n_groups for each in sets):
        empty |= {"groups", "groups_right"}
    if not any(each.best_published for each in sets):
        empty |= {"published", "published_by"}
    return [column for column in columns if column.name not in empty]


def _coverage(each: SetResult) -> float | None:
    return each.coverage.value


def _best(each: SetResult) -> float | None:
    return each.best_published.accuracy if each.best_published else None


def _best_system(each: SetResult) -> str | None:
    best = each.best_published
    if best is None:
        return None
    is_other = best.n_pairs is not None and best.n_pairs != each.accuracies.n
    return f"{best.system} (on {best.n_pairs:,} pairs)" if is_other else best.system


def _samples(diagnosis: Diagnosis) -> list[str]:
    sampled = [each for each in diagnosis.sets if len(each.found.pairs) < each.found.n_pairs]
    return [
        f"{each.found.title}: {each.accuracies.n:,} of {each.found.n_pairs:,} pairs, drawn with seed"
        f" {diagnosis.resampling.seed}"
        for each in sampled
    ]


def phenomena_table(diagnosis: Diagnosis, *, every: bool = True) -> Table:
    """A row for each phenomenon of each set, with the highest published figure on it."""
    rows: list[_PhenomenonRow] = [
        (each, facet, value, found, _best_on(each, (facet, value)))
        for each in diagnosis.sets
        for (facet, value), found in sorted(each.phenomena.items(), key=partial(_order, each))
    ]
    columns = [
        Column("set", get=lambda *row: row[0].found.title),
        Column("facet", get=lambda *row: row[1]),
        Column("phenomenon", get=lambda *row: row[2], importance=1),
        Column("pairs", get=lambda *row: row[3].n),
        share("2-way", get=lambda *row: row[3].two_way, interval=True, importance=2),
        share("3-way", get=lambda *row: row[3].three_way, interval=True, importance=2),
        share("published", get=lambda *row: row[4]),
        Column("reason", reasons=True, full=True),
    ]
    table = Table.of(
        "phenomena",
        "By phenomenon",
        columns,
        rows,
        ["a pair may have several phenomena of one facet, or none"],
        every=every,
    )
    return table.without_empty("published")


def _order(each: SetResult, item: tuple[tuple[str, str], Accuracies]) -> tuple[int, str, str]:
    """Facets as they are met first, phenomena in alphabetical order."""
    facets = list(dict.fromkeys(facet for facet, _ in each.phenomena))
    (facet, value), _ = item
    return facets.index(facet), facet, value


def _best_on(each: SetResult, phenomenon: tuple[str, str]) -> float | None:
    found = [
        one.published.accuracy for one in each.published if one.published.phenomenon == phenomenon
    ]
    return max(found, default=None)


def published_table(diagnosis: Diagnosis, *, phenomena: bool = True, every: bool = True) -> Table:
    """What others published on the sets, each beside ours.

    Args:
        diagnosis: What to show.
        phenomena: Whether figures on parts of sets have rows, too.
        every: Whether all columns are there.
    """
    rows = [
        (each, one)
        for each in diagnosis.sets
        for one in each.published
        if phenomena or one.published.phenomenon is None or not _has_whole(each)
        if one.ours is not None
    ]
    columns = [
        Column("set", get=lambda each, _: each.found.title),
        Column("phenomenon", get=_shown_phenomenon),
        Column("system", get="published.system", importance=1),
        share("published", get="published.accuracy", importance=2),
        share("ours", get="measured", interval=True, importance=2),
        Column("view", get="published.view"),
        Column("on", get="published.on"),
        Column("pairs", get="ours.n"),
        Column("published_pairs", "published pairs", get="published.n_pairs"),
        Column("same", "as many", get="is_same", importance=1),
        Column("source", get="published.source", importance=-3, full=True),
    ]
    sources = dict.fromkeys(f"{each.found.title}: {one.published.source}" for each, one in rows)
    notes = [
        "ours is in the view of what was published, in the finest where the source does not say",
        *sources,
    ]
    table = Table.of("published", "What others published", columns, rows, notes, every=every)
    return table.without_empty("phenomenon")


def _has_whole(each: SetResult) -> bool:
    return any(one.published.phenomenon is None for one in each.published)


def _shown_phenomenon(_: SetResult, one: PublishedComparison) -> str | None:
    return ": ".join(one.published.phenomenon) if one.published.phenomenon else None


# The page, and the answer in words.


def diagnosis_answer(diagnosis: Diagnosis) -> str:
    """On how many sets the recognizer is right how often, and where least."""
    right = {each.found.title: _finest(each).value or 0.0 for each in diagnosis.sets}
    n = sum(each.accuracies.n for each in diagnosis.sets)
    lowest = min(right, key=lambda title: right[title])
    highest = max(right, key=lambda title: right[title])
    if len(right) == 1:
        return (
            f"{diagnosis.recognizer} is right in {number_in_words(right[lowest])} of the"
            f" {n:,} pairs of {lowest}."
        )
    doubted = [each.place or "" for each in diagnosis.findings if each.code == "label-order"]
    doubt = f" The order of labels is in doubt: {names_in_words(doubted)}." if doubted else ""
    return (
        f"{diagnosis.recognizer} judged {n:,} pairs of {len(right)} sets: it is right most often on"
        f" {highest} ({number_in_words(right[highest])}), least often on {lowest}"
        f" ({number_in_words(right[lowest])}).{doubt}"
    )


def _finest(each: SetResult) -> Estimate:
    return each.accuracies.of(None)


def diagnosis_report(diagnosis: Diagnosis) -> Report:
    """The page: all sets, each set by phenomenon, published figures, and what was found."""
    shown: dict[str, Interval] = {
        each.found.title: shown_estimate(_finest(each)) for each in diagnosis.sets
    }
    picture = accuracy_picture(
        shown, chance=None, caption="In the finest view that gold and answers have."
    )
    sections = [
        Section("Sets", _found_files(diagnosis), [sets_table(diagnosis, every=False), picture])
    ]
    sections += [_set_section(diagnosis, each, i) for i, each in enumerate(diagnosis.sets, 1)]
    published = published_table(diagnosis, every=False)
    if published.rows:
        sections.append(Section("Published", parts=[published]))
    if diagnosis.findings:
        sections.append(Section("Findings", parts=[findings_table(diagnosis.findings)]))
    return Report(
        f"Diagnostic sets, judged by {diagnosis.recognizer}",
        [section for section in sections if section.parts],
        f"ensue {__version__}\n{diagnosis.signature}\n{diagnosis.resampling}",
        diagnosis_answer(diagnosis),
    )


def _found_files(diagnosis: Diagnosis) -> str:
    lines = []
    for each in diagnosis.sets:
        names = [PurePosixPath(file).name for file in each.found.files]
        lines.append(f"{each.found.title} ({each.found.kind.tests}): {names_in_words(names)}")
    return "\n\n".join(lines)


def _set_section(diagnosis: Diagnosis, each: SetResult, number: int) -> Section:
    alone = Diagnosis(diagnosis.recognizer, diagnosis.signature, (each,), (), diagnosis.resampling)
    table = phenomena_table(alone, every=False)
    parts: list[PagePart] = []
    if table.rows:
        parts.append(
            Table(f"phenomena-{number}", table.title, table.columns, table.rows, table.notes)
        )
    facets: dict[str, dict[str, dict[str, Interval]]] = {}
    for (facet, value), found in each.phenomena.items():
        estimate = shown_estimate(found.of(None))
        facets.setdefault(facet, {})[value] = {"": estimate}
    for facet, found_in in facets.items():
        if 1 < len(found_in) <= _MOST_PICTURED:
            name = f"set-{number}-{len(parts)}"
            parts.append(group_picture(found_in, chance=None, title=f"By {facet}", name=name))
    return Section(each.found.title, each.found.kind.tests, parts)


def reproduction_tables(reproduction: Reproduction) -> list[Table]:
    """Published and recomputed side by side, then what the paper leaves out."""
    figures = reproduction.figures
    n_agree, n_differ, n_other = _counts(reproduction)
    main = Table.of(
        "figures",
        f"{reproduction.paper}: {n_agree} figures agree, {n_differ} differ,"
        f" {n_other} cannot be compared",
        _COLUMNS,
        figures,
        list(reproduction.remarks),
    )
    return [main, *map(_listing_table, reproduction.listings)]


def reproduction_pictures(reproduction: Reproduction) -> list[Picture]:
    """The paper's figures, drawn again."""
    return [
        cutoff_picture(
            [Line(name, x, y) for name, (x, y) in curve.lines.items()],
            tuned=curve.tuned,
            title=curve.title,
            name=curve.name,
        )
        for curve in reproduction.curves
    ]


def reproduction_report(reproduction: Reproduction, signature: str) -> Report:
    """One page with all of it."""
    main, *others = reproduction_tables(reproduction)
    sections = [Section("Published and recomputed", parts=[main])]
    if reproduction.curves:
        sections.append(Section("Pictures", parts=reproduction_pictures(reproduction)))
    sections += [Section(table.title, parts=[table]) for table in others]
    title = f"Reproduction: {reproduction.paper}"
    return Report(title, sections, signature, reproduction_answer(reproduction))


def reproduction_answer(reproduction: Reproduction) -> str:
    """How many of the published figures come out again."""
    n_agree, n_differ, n_other = _counts(reproduction)
    n = len(reproduction.figures)
    other = f", {n_other:,} cannot be compared" if n_other else ""
    return f"Of {n:,} published figures {n_agree:,} agree with ours, {n_differ:,} differ{other}."


def _counts(reproduction: Reproduction) -> tuple[int, int, int]:
    """How many figures agree, differ, and cannot be compared."""
    found = [figure.agrees for figure in reproduction.figures]
    return found.count(True), found.count(False), found.count(None)


def _shown(number: float | str | None, figure: PublishedFigure) -> str | None:
    """At the printed precision, with one more digit where that shows a difference."""
    if number is None or isinstance(number, str):
        return number
    digits = figure.digits
    if figure.agrees is False and number is figure.recomputed and round(number, digits) != number:
        digits += 1
    shown = Decimal(repr(float(number))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{shown}{' %' if figure.percent else ''}"


_COLUMNS = (
    Column("where"),
    Column("what"),
    Column("published", get=lambda figure: _shown(figure.published, figure)),
    Column("recomputed", get=lambda figure: _shown(figure.recomputed, figure)),
    Column(
        "agrees",
        get=lambda figure: {True: "yes", False: "no", None: None}[figure.agrees],
        importance=1,
    ),
    Column("note"),
)

_CORRELATIONS = {
    *("r", "ρ", "τ", "EP", "EPR", "DIMPLE", "r within terms", "r with what patterns add"),
    *("r of the first", "r of the second", "r of the other", "r of DIMPLE", "r between"),
}
"""Columns whose numbers may be negative, and of which a small one is 0."""
_DIGITS = {
    **dict.fromkeys(_CORRELATIONS, 2),
    **dict.fromkeys(("cws", "low", "high", "accuracy", "basic", "with ties", "consistency"), 3),
    **dict.fromkeys(("share true", "WMT08 consistency", "WMT08 basic", "WMT08 with ties"), 2),
}


def _listing_table(listing: Listing) -> Table:
    columns = [
        Column(name, digits=_DIGITS.get(name, 4), signed=name in _CORRELATIONS)
        for name in listing.columns
    ]
    return Table(listing.name, listing.title, columns, listing.rows, listing.notes)
