"""What lists do in recognition tasks, as tables, a picture and one page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ensue import __version__
from ensue.paraphrase.recognition import (
    ListPerformance,
    MethodPerformance,
    Recognition,
    Task,
    TermCounts,
    method_performances,
)
from ensue.reports.estimates import Row, findings_table, interval_notes, lack_of, shown_estimate
from ensue.reports.model import Column, Lack, Picture, Report, Section, Table, dash_notes
from ensue.reports.paraphrase.means import (
    NO_METHOD,
    called,
    column_keys,
    cut,
    method_notes,
    why_undefined,
)
from ensue.reports.pictures.dots import Axis, Dot, panel_picture
from ensue.statistics import RESAMPLING, Resampling

_UNIGRAMS = "unigrams alone"
_FIGURES = ("performance", "by_unigrams", "by_patterns", "false_alarms", "precision")
_SHARES = (
    "performance: the share of positive pairs in question that are recognized, by stemmed unigrams"
    " or else by a pattern; false alarms: of negative pairs; precision: positive pairs recognized"
    " over all recognized"
)


def recognition_tables(
    recognition: Recognition,
    *,
    resampling: Resampling = RESAMPLING,
    every: bool = True,
    pairs: bool = False,
) -> list[Table]:
    """The terms in the tasks, the methods, the lists and, if so wanted, the pairs.

    Args:
        recognition: What each list does in each task.
        resampling: Draws, level and seed of the intervals.
        every: Whether all rows and columns are there, for programs.
        pairs: Whether there is a table of what recognizes which pair.
    """
    methods = method_performances(recognition, resampling=resampling)
    tables = [
        _chosen_terms_table(recognition, every),
        _methods_table(methods, interval_notes(resampling, over="terms"), every),
        _performance_table(recognition, resampling, every),
    ]
    return [*tables, *([_pairs_table(recognition, every)] if pairs else [])]


def recognition_report(
    recognition: Recognition, *, name: str = "", resampling: Resampling = RESAMPLING
) -> Report:
    """The page of what lists do; `name` is what they are called, the rest as of the tables."""
    terms, means, lists, explained = recognition_tables(
        recognition, resampling=resampling, every=False, pairs=True
    )
    picture = recognition_picture(recognition, resampling=resampling)
    sections = [
        Section("Methods", "", [picture, means]),
        Section("Terms", "", [terms]),
        Section("Lists", "", [lists]),
        Section("Pairs", "", [explained]),
    ]
    if recognition.findings:
        sections.append(Section("Findings", "", [findings_table(recognition.findings)]))
    name = name or recognition.search.lists.name or "lists"
    made = [
        f"ensue {__version__}",
        f"lists: {name}",
        f"tasks: {', '.join(recognition.tasks)}",
        f"k: {recognition.k}, match: {recognition.match}, {resampling}",
    ]
    return Report(f"What {name} recognizes", sections, "\n".join(made))


def recognition_picture(
    recognition: Recognition, *, resampling: Resampling = RESAMPLING
) -> Picture:
    """A panel a task: each method's performance with its interval, and that of unigrams alone.

    The latter is left out where methods differ in it, having lists of different terms.
    """
    methods = method_performances(recognition, resampling=resampling)
    panels: dict[str, list[Dot]] = {}
    for each in methods:
        name = each.method or NO_METHOD
        panels.setdefault(each.task, []).append(Dot(name, shown_estimate(each.performance)))
    for task, dots in panels.items():
        unigrams = {each.by_unigrams for each in methods if each.task == task}
        if len(unigrams) == 1 and _UNIGRAMS not in {dot.place for dot in dots}:
            dots.append(Dot(_UNIGRAMS, shown_estimate(unigrams.pop())))
    return panel_picture(
        panels,
        Axis("performance"),
        title="Performance of methods in tasks",
        name="recognition",
        caption="The mean share of positive pairs recognized. Bars: bootstrap intervals over terms.",
    )


def term_counts_table(
    counts: TermCounts,
    tasks: Sequence[Task] = (),
    *,
    chosen: Collection[str] | None = None,
    every: bool = True,
) -> Table:
    """Table 1 of the paper: for each term and task the pairs in question, the most frequent first.

    Args:
        counts: Of the terms.
        tasks: The notes tell their sizes.
        chosen: The terms that are shown; all where it is None.
        every: Whether all of these are there, for programs.
    """
    several = len(counts.tasks) > 1
    columns = [Column("term")]
    for key, task in zip(column_keys(counts.tasks), counts.tasks, strict=True):
        columns += [
            Column(f"positive_{key}", title=task),
            Column(f"negative_{key}", title=f"{task}, negative"),
        ]
    if several:
        columns += [
            Column("positive", title="all tasks"),
            Column("negative", title="all tasks, negative"),
        ]
    found = [
        (term, positive, negative)
        for term, positive, negative in zip(
            counts.terms, counts.positive.tolist(), counts.negative.tolist(), strict=True
        )
        if chosen is None or term in chosen
    ]
    found.sort(key=lambda each: -sum(each[1]))
    rows = (_term_row(*each, several) for each in found)
    shown, cut_notes = cut(rows, len(found), every=every, what="terms")
    notes = [
        "positive pairs in which the term stands on at least one side, and negative ones beside",
        *_size_notes(tasks),
        *cut_notes,
    ]
    return Table("terms", "Source terms in the tasks", columns, shown, notes)


def _chosen_terms_table(recognition: Recognition, every: bool) -> Table:
    chosen = {key.term for key in recognition.keys}
    tasks = recognition.search.pairs.tasks
    return term_counts_table(recognition.terms, tasks, chosen=chosen, every=every)


def _term_row(term: str, positive: list[int], negative: list[int], several: bool) -> Row:
    row: Row = [term]
    for pair in zip(positive, negative, strict=True):
        row += pair
    return [*row, sum(positive), sum(negative)] if several else row


def _size_notes(tasks: Sequence[Task]) -> Iterator[str]:
    for task in tasks:
        yield f"{task.name}: {task.n_positive:,} positive and {task.n_negative:,} negative pairs"


def _methods_table(
    methods: Sequence[MethodPerformance], interval_note: list[str], every: bool
) -> Table:
    columns = [
        Column("method"),
        Column("task"),
        Column("lists"),
        Column("undefined_lists", title="left out"),
        _share("performance"),
        _share("by_unigrams", "by unigrams"),
        _share("by_patterns", "added by patterns"),
        _share("pooled"),
        _share("false_alarms", "false alarms"),
        _share("precision"),
        *([Column("undefined", title="why undefined")] if every else []),
    ]
    rows: list[Row] = []
    lacks: list[Lack] = []
    for each in methods:
        figures = [
            each.performance,
            each.by_unigrams,
            each.by_patterns,
            each.pooled,
            each.false_alarms,
            each.precision,
        ]
        counts: Row = [each.method or None, each.task, each.n_lists, each.n_undefined]
        why: Row = [why_undefined(figures)] if every else []
        rows.append([*counts, *map(shown_estimate, figures), *why])
        name = f"{each.method or NO_METHOD}, {each.task}"
        lacks += [lack for figure in figures for lack in lack_of(name, figure)]
    notes = [
        "performance: the mean over the lists whose term is in a positive pair, each list counting"
        " the same; pooled: of the positive pairs of all lists; left out: lists whose term is in"
        " none",
        "false alarms, precision: over the pairs of all lists",
        *interval_note,
        *dash_notes(lacks, every=every),
        *method_notes(each.method for each in methods),
    ]
    return Table("methods", "Methods in the tasks", columns, rows, notes)


def _performance_table(recognition: Recognition, resampling: Resampling, every: bool) -> Table:
    columns = [
        Column("term"),
        Column("method"),
        Column("task"),
        Column("positive"),
        _share("performance"),
        _share("by_unigrams", "by unigrams"),
        _share("by_patterns", "added by patterns"),
        Column("negative"),
        _share("false_alarms", "false alarms"),
        _share("precision"),
        *(_COUNTS if every else []),
    ]
    n = len(recognition.keys) * len(recognition.tasks)
    lacks: list[Lack] = []

    def made() -> Iterator[Row]:
        for each in recognition.rows(resampling.level):
            lacks.extend(_lacks(each))
            yield _performance_row(each, every)

    rows, cut_notes = cut(made(), n, every=every)
    notes = [
        _SHARES,
        f"in brackets: {resampling.percent} Wilson intervals over pairs",
        f"of each list the first {recognition.k} paraphrases",
        *dash_notes(lacks, every=every),
        *method_notes(key.method for key in recognition.keys),
        *cut_notes,
    ]
    return Table("performance", "Lists in the tasks", columns, rows, notes)


_COUNTS = (
    Column("n_by_unigrams"),
    Column("n_by_patterns"),
    Column("n_false_by_unigrams"),
    Column("n_false_by_patterns"),
    Column("undefined", title="why undefined"),
)


def _performance_row(each: ListPerformance, every: bool) -> Row:
    row: Row = [
        each.key.term,
        each.key.method or None,
        each.task,
        each.n_positive,
        shown_estimate(each.performance),
        shown_estimate(each.by_unigrams),
        shown_estimate(each.by_patterns),
        each.n_negative,
        shown_estimate(each.false_alarms),
        shown_estimate(each.precision),
    ]
    if not every:
        return row
    return [
        *row,
        each.n_by_unigrams,
        each.n_by_patterns,
        each.n_false_by_unigrams,
        each.n_false_by_patterns,
        why_undefined(getattr(each, figure) for figure in _FIGURES),
    ]


def _lacks(each: ListPerformance) -> Iterator[Lack]:
    for figure in _FIGURES:
        yield from lack_of(called(each.key), getattr(each, figure))


def _pairs_table(recognition: Recognition, every: bool) -> Table:
    columns = [
        Column("term"),
        Column("method"),
        Column("task"),
        Column("pair_id", title="pair"),
        Column("gold"),
        Column("side", title="term in"),
        Column("by", title="recognized by"),
        Column("paraphrases", title="paraphrases opposite"),
    ]
    n = int(recognition.counts.positive.sum() + recognition.counts.negative.sum())
    rows, cut_notes = cut(_pair_rows(recognition), n, every=every, what="pairs")
    notes = [
        "unigrams come first; paraphrases of the list that stand opposite the term are named all"
        " the same, and where none does there is a dash",
        *method_notes(key.method for key in recognition.keys),
        *cut_notes,
    ]
    return Table("pairs", "What recognizes which pair", columns, rows, notes)


def _pair_rows(recognition: Recognition) -> Iterator[Row]:
    for key in recognition.keys:
        for task in recognition.tasks:
            for each in recognition.explain(key, task):
                yield [
                    key.term,
                    key.method or None,
                    task,
                    each.pair_id,
                    each.gold.value,
                    each.side.value,
                    each.by.value,
                    ", ".join(each.paraphrases) or None,
                ]


def _share(name: str, title: str | None = None) -> Column:
    return Column(name, title=title, digits=1, percent=True)
