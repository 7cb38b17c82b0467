"""What `ensue data` says of data sets, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ensue.corpora import Audit, Distribution, Profile, Settlement, Statistics
from ensue.evaluation import NO_TASK
from ensue.pairs import Label, Pair
from ensue.reports.contents.evaluation.scores import as_interval
from ensue.reports.contents.findings import findings_table
from ensue.reports.model import Cell, Column, Interval, Table

NO_GOLD = "no gold"
_SHARE = Column("share", digits=1, percent=True)


def statistics_tables(name: str, statistics: Statistics) -> list[Table]:
    """Labels by task, lengths and overlap of one data set."""
    return [
        _label_table(name, statistics),
        _distribution_table(
            "words",
            "Words",
            "side",
            {"text": statistics.text_words, "hypothesis": statistics.hypothesis_words},
            digits=1,
            notes=[
                f"{statistics.n_texts} distinct texts, {statistics.n_hypotheses} distinct hypotheses"
            ],
        ),
        _distribution_table(
            "overlap",
            "Overlap: share of hypothesis words that the text has",
            "gold",
            {_gold(label): found for label, found in statistics.overlap.items()},
            digits=2,
            notes=["every word counts, in lower case and without punctuation"],
        ),
    ]


def _label_table(name: str, statistics: Statistics) -> Table:
    labels = list(statistics.labels)
    columns = [
        Column("task"),
        Column("pairs"),
        *(Column(_gold(label)) for label in labels),
        Column("entailment_share", title="entailment", digits=1, percent=True),
    ]
    rows = [
        _label_row(task or NO_TASK, counts, labels) for task, counts in statistics.tasks.items()
    ]
    rows.append(_label_row("all", statistics.labels, labels))
    return Table("labels", f"Pairs of {name} by task and gold", columns, rows)


def _label_row(
    task: str, counts: Mapping[Label | None, int], labels: Sequence[Label | None]
) -> list[Cell]:
    n_gold = sum(n for label, n in counts.items() if label)
    share = counts.get(Label.ENTAILMENT, 0) / n_gold if n_gold else None
    return [task, sum(counts.values()), *(counts.get(label, 0) for label in labels), share]


def _distribution_table(
    name: str,
    title: str,
    key: str,
    rows: Mapping[str, Distribution | None],
    *,
    digits: int,
    notes: Sequence[str],
) -> Table:
    columns = [
        Column(key),
        Column("mean", digits=digits),
        Column("least", digits=digits),
        Column("quarter", digits=digits),
        Column("median", digits=digits),
        Column("three_quarters", title="three quarters", digits=digits),
        Column("most", digits=digits),
    ]
    cells: list[list[Cell]] = [
        [each, d.mean, d.least, d.quarter, d.median, d.three_quarters, d.most]
        for each, d in rows.items()
        if d is not None
    ]
    return Table(name, title, columns, cells, notes)


def split_table(parts: Mapping[str, Sequence[Pair]], seed: int) -> Table:
    """How many pairs of each label each part has."""
    labels = [
        label
        for label in (*Label, None)
        if any(pair.gold is label for pairs in parts.values() for pair in pairs)
    ]
    columns = [Column("part"), Column("pairs"), *(Column(_gold(label)) for label in labels)]
    rows: list[list[Cell]] = [
        [name, len(pairs), *(sum(pair.gold is label for pair in pairs) for label in labels)]
        for name, pairs in parts.items()
    ]
    return Table("parts", "Parts", columns, rows, [f"seed {seed}"])


def audit_tables(audit: Audit) -> list[Table]:
    """Findings, entailment by overlap, and the baselines."""
    return [
        _finding_table(audit),
        _bin_table(audit.profiles),
        *([_baseline_table(audit.profiles)] if any(p.baselines for p in audit.profiles) else []),
    ]


def _finding_table(audit: Audit) -> Table:
    n_pairs = sum(profile.n_pairs for profile in audit.profiles)
    n_findings = len(audit.findings)
    note = f"pairs: {n_pairs}, findings: {n_findings}, of them errors: {audit.n_errors}"
    return findings_table(audit.findings, note)


def _bin_table(profiles: Sequence[Profile]) -> Table:
    columns = [
        Column("file"),
        Column("overlap"),
        Column("pairs"),
        Column("entailed"),
        Column("rate", title="entailment", digits=1, percent=True),
        Column("p_value", title="p"),
    ]
    rows: list[list[Cell]] = [
        [profile.name, _range(b.low, b.high), b.n_pairs, b.n_entailed, b.rate, b.p_value]
        for profile in profiles
        for b in profile.overlap_bins
    ]
    note = "p: exact binomial, two-sided, against the entailment rate of all pairs of the file"
    return Table("overlap_bins", "Entailment by word overlap", columns, rows, [note])


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to <{high:g}"


def _baseline_table(profiles: Sequence[Profile]) -> Table:
    columns = [
        Column("file"),
        Column("baseline"),
        Column("pairs"),
        Column("accuracy", digits=1, percent=True),
        Column("chance", digits=1, percent=True),
        Column("p_value", title="p"),
    ]
    rows: list[list[Cell | Interval]] = [
        [
            profile.name,
            each.name,
            each.n_pairs,
            Interval(each.accuracy, each.low, each.high),
            each.chance,
            each.p_value,
        ]
        for profile in profiles
        for each in profile.baselines
    ]
    notes = [
        "cross-validated in 5 folds; chance is the share of the most frequent label",
        "p: binomial, one-sided, approximate since the folds share pairs",
    ]
    return Table("baselines", "Baselines that do not read both sides", columns, rows, notes)


def agreement_tables(
    settlement: Settlement, annotators: Sequence[str], *, draws: int, seed: int
) -> list[Table]:
    """Agreement with its intervals, and the funnel."""
    return [_kappa_table(settlement, annotators, draws, seed), _funnel_table(settlement)]


def _kappa_table(settlement: Settlement, annotators: Sequence[str], draws: int, seed: int) -> Table:
    columns = [
        Column("annotators"),
        Column("raw", title="raw agreement", digits=1, percent=True),
        Column("measure"),
        Column("kappa", digits=3),
    ]
    found = settlement.agreement
    rows: list[list[Cell | Interval]] = [
        [
            f"{annotators[each.first]}, {annotators[each.second]}",
            as_interval(each.raw),
            "Cohen",
            as_interval(each.kappa),
        ]
        for each in found.couples
    ]
    rows.append(["all", as_interval(found.raw), "Fleiss", as_interval(found.fleiss)])
    reasons = {e.reason for e in (found.fleiss, *(c.kappa for c in found.couples)) if e.reason}
    notes = [
        f"{found.n_pairs} pairs judged by all, {settlement.view} labels;"
        f" 95 % percentile intervals, {draws} draws, seed {seed}",
        *(f"kappa is undefined where {reason}" for reason in sorted(reasons)),
    ]
    return Table("agreement", "Agreement", columns, rows, notes)


def _funnel_table(settlement: Settlement) -> Table:
    funnel = settlement.funnel
    steps = {
        "created": funnel.created,
        "judged by all": funnel.judged,
        "agreed": funnel.agreed,
        "kept after review": funnel.kept,
    }
    rows: list[list[Cell]] = []
    before = funnel.created
    for step, n in steps.items():
        share = n / funnel.created if funnel.created else None
        rows.append([step, n, share, before - n])
        before = n
    columns = [Column("step"), Column("pairs"), _SHARE, Column("lost")]
    return Table("funnel", "From created pairs to gold", columns, rows)


def _gold(label: Label | None) -> str:
    return label.value if label else NO_GOLD
