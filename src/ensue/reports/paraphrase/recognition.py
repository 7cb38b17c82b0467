"""What lists do in recognition tasks, as tables, a picture and one page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ensue import __version__
from ensue.paraphrase.recognition import (
    MethodPerformance,
    Recognition,
    RecognitionSummary,
    Task,
    TermCounts,
)
from ensue.reports.model import (
    DASHES,
    Column,
    Picture,
    Report,
    Section,
    Table,
    best_of,
    findings_table,
    interval_in_words,
    interval_notes,
    names_in_words,
    number_in_words,
    share,
    shown_estimate,
)
from ensue.reports.paraphrase.means import (
    MOST,
    NO_METHOD,
    WHY,
    called,
    column_keys,
    method_notes,
)
from ensue.reports.pictures.dots import Axis, Dot, panel_picture
from ensue.statistics import Resampling

_UNIGRAMS = "unigrams alone"
_SHARES = (
    "performance: the share of positive pairs in question that are recognized, by stemmed unigrams"
    " or else by a pattern; false alarms: of negative pairs; precision: positive pairs recognized"
    " over all recognized"
)


def recognition_tables(
    summary: RecognitionSummary, *, every: bool = True, pairs: bool = False
) -> list[Table]:
    """The terms in the tasks, the methods, the lists and, if so wanted, the pairs.

    Args:
        summary: What each list does in each task, and each method on average.
        every: Whether all rows and columns are there, for programs.
        pairs: Whether there is a table of what recognizes which pair.
    """
    recognition, resampling = summary.recognition, summary.resampling
    tables = [
        _chosen_terms_table(recognition, every),
        _methods_table(summary.methods, interval_notes(resampling, over="terms"), every),
        _performance_table(recognition, resampling, every),
    ]
    return [*tables, *([_pairs_table(recognition, every)] if pairs else [])]


def recognition_report(summary: RecognitionSummary, *, name: str = "") -> Report:
    """The page of what lists do; `name` is what they are called."""
    terms, means, lists, explained = recognition_tables(summary, every=False, pairs=True)
    recognition = summary.recognition
    sections = [
        Section("Methods", "", [recognition_picture(summary), means]),
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
        f"k: {recognition.k}, match: {recognition.match}, {summary.resampling}",
    ]
    answer = recognition_answer(summary)
    return Report(f"What {name} recognizes", sections, "\n".join(made), answer)


def recognition_answer(summary: RecognitionSummary) -> str:
    """Which method's lists recognize most of each task, and what unigrams do alone."""
    said = []
    for task in dict.fromkeys(each.task for each in summary.methods):
        found = {each.method or NO_METHOD: each for each in summary.methods if each.task == task}
        best = best_of({name: each.performance.value for name, each in found.items()})
        if not best or not found[best[0]].performance.value:
            said.append(f"no list recognizes anything in {task}")
            continue
        first = found[best[0]]
        share = number_in_words(first.performance.value or 0.0)
        interval = interval_in_words(first.performance, summary.resampling)
        alone = first.by_unigrams.value
        unigrams = "" if alone is None else f", {number_in_words(alone)} by unigrams alone"
        verb = "recognizes" if len(best) == 1 else "recognize"
        said.append(
            f"{names_in_words(best)} {verb} most in {task}, {share} of the positive pairs of a"
            f" list{interval}{unigrams}"
        )
    return _capital(f"{'; '.join(said)}.") if said else "There is nothing to recognize."


def _capital(sentence: str) -> str:
    return f"{sentence[0].upper()}{sentence[1:]}" if sentence.startswith("no list") else sentence


def recognition_picture(summary: RecognitionSummary) -> Picture:
    """A panel a task: each method's performance with its interval, and that of unigrams alone.

    The latter is left out where methods differ in it, having lists of different terms.
    """
    panels: dict[str, list[Dot]] = {}
    for each in summary.methods:
        name = each.method or NO_METHOD
        panels.setdefault(each.task, []).append(Dot(name, shown_estimate(each.performance)))
    for task, dots in panels.items():
        unigrams = {each.by_unigrams for each in summary.methods if each.task == task}
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
    columns = [Column("term", get=lambda term, *_: term)]
    for i, (key, task) in enumerate(zip(column_keys(counts.tasks), counts.tasks, strict=True)):
        columns += [
            Column(f"positive_{key}", task, get=lambda _, positive, __, i=i: positive[i]),
            Column(f"negative_{key}", f"{task}, negative", get=lambda *row, i=i: row[2][i]),
        ]
    if len(counts.tasks) > 1:
        columns += [
            Column("positive", title="all tasks", get=lambda *row: sum(row[1])),
            Column("negative", title="all tasks, negative", get=lambda *row: sum(row[2])),
        ]
    found = [
        each
        for each in zip(
            counts.terms, counts.positive.tolist(), counts.negative.tolist(), strict=True
        )
        if chosen is None or each[0] in chosen
    ]
    found.sort(key=lambda each: -sum(each[1]))
    notes = [
        "positive pairs in which the term stands on at least one side, and negative ones beside",
        *_size_notes(tasks),
    ]
    title = "Source terms in the tasks"
    return Table.of("terms", title, columns, found, notes, every=every, most=MOST, what="terms")


def _chosen_terms_table(recognition: Recognition, every: bool) -> Table:
    chosen = {key.term for key in recognition.keys}
    tasks = recognition.search.pairs.tasks
    return term_counts_table(recognition.terms, tasks, chosen=chosen, every=every)


def _size_notes(tasks: Sequence[Task]) -> Iterator[str]:
    for task in tasks:
        yield f"{task.name}: {task.n_positive:,} positive and {task.n_negative:,} negative pairs"


def _methods_table(
    methods: Sequence[MethodPerformance], interval_note: list[str], every: bool
) -> Table:
    columns = [
        Column("method", get=lambda each: each.method or None),
        Column("task"),
        Column("lists", get="n_lists"),
        Column("undefined_lists", title="left out", get="n_undefined"),
        *_PERFORMANCE,
        share("pooled"),
        *_ALARMS,
        WHY,
    ]
    notes = [
        "performance: the mean over the lists whose term is in a positive pair, each list counting"
        " the same; pooled: of the positive pairs of all lists; left out: lists whose term is in"
        " none",
        "false alarms, precision: over the pairs of all lists",
        *interval_note,
        DASHES,
        *method_notes(each.method for each in methods),
    ]
    return Table.of(
        "methods",
        "Methods in the tasks",
        columns,
        methods,
        notes,
        called=lambda each: f"{each.method or NO_METHOD}, {each.task}",
        short_notes=True,
        every=every,
    )


_PERFORMANCE = (
    share("performance"),
    share("by_unigrams", "by unigrams"),
    share("by_patterns", "added by patterns"),
)
_ALARMS = (share("false_alarms", "false alarms"), share("precision"))
_COUNTS = ("n_by_unigrams", "n_by_patterns", "n_false_by_unigrams", "n_false_by_patterns")


def _performance_table(recognition: Recognition, resampling: Resampling, every: bool) -> Table:
    columns = [
        Column("term", get="key.term"),
        Column("method", get=lambda each: each.key.method or None),
        Column("task"),
        Column("positive", get="n_positive"),
        *_PERFORMANCE,
        Column("negative", get="n_negative"),
        *_ALARMS,
        *(Column(each, full=True) for each in _COUNTS),
        WHY,
    ]
    notes = [
        _SHARES,
        f"in brackets: {resampling.percent} Wilson intervals over pairs",
        f"of each list the first {recognition.k} paraphrases",
        DASHES,
        *method_notes(key.method for key in recognition.keys),
    ]
    return Table.of(
        "performance",
        "Lists in the tasks",
        columns,
        recognition.rows(resampling.level),
        notes,
        called=lambda each: called(each.key),
        short_notes=True,
        every=every,
        most=MOST,
        n=len(recognition.keys) * len(recognition.tasks),
    )


def _pairs_table(recognition: Recognition, every: bool) -> Table:
    columns = [
        Column("term", get=lambda key, *_: key.term),
        Column("method", get=lambda key, *_: key.method or None),
        Column("task", get=lambda *row: row[1]),
        Column("pair_id", title="pair"),
        Column("gold"),
        Column("side", title="term in"),
        Column("by", title="recognized by"),
        Column(
            "paraphrases",
            "paraphrases opposite",
            get=lambda *row: ", ".join(row[-1].paraphrases) or None,
        ),
    ]
    rows = (
        (key, task, each)
        for key in recognition.keys
        for task in recognition.tasks
        for each in recognition.explain(key, task)
    )
    notes = [
        "unigrams come first; paraphrases of the list that stand opposite the term are named all"
        " the same, and where none does there is a dash",
        *method_notes(key.method for key in recognition.keys),
    ]
    return Table.of(
        "pairs",
        "What recognizes which pair",
        columns,
        rows,
        notes,
        every=every,
        most=MOST,
        n=int(recognition.counts.positive.sum() + recognition.counts.negative.sum()),
        what="pairs",
    )
