"""Data sets, suites and grammars as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ensue.corpora import Audit, DistributionSummary, Profile, Settlement, Statistics
from ensue.evaluation import NO_TASK
from ensue.pairs import Label, Pair
from ensue.reports.model import Cell, Column, Interval, Table, findings_table, share, shown_estimate
from ensue.statistics import Resampling
from ensue.suites import (
    Composition,
    Counts,
    Manifest,
    Predicate,
    Repertoire,
    sample_phrases,
)

# What `ensue data` says of data sets, as tables.

NO_GOLD = "no gold"


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
        Column("task", get=lambda task, _: task),
        Column("pairs", get=lambda _, counts: sum(counts.values())),
        *(
            Column(_gold(label), get=lambda _, counts, label=label: counts.get(label, 0))
            for label in labels
        ),
        share("entailment_share", "entailment", lambda _, counts: _entailed(counts)),
    ]
    rows = [(task or NO_TASK, counts) for task, counts in statistics.tasks.items()]
    rows.append(("all", statistics.labels))
    return Table.of("labels", f"Pairs of {name} by task and gold", columns, rows)


def _entailed(counts: Mapping[Label | None, int]) -> float | None:
    n_gold = sum(n for label, n in counts.items() if label)
    return counts.get(Label.ENTAILMENT, 0) / n_gold if n_gold else None


def _distribution_table(
    name: str,
    title: str,
    key: str,
    rows: Mapping[str, DistributionSummary | None],
    *,
    digits: int,
    notes: Sequence[str],
) -> Table:
    columns = [
        Column(key, get=lambda each, _: each),
        Column("mean", digits=digits),
        Column("least", digits=digits),
        Column("quarter", digits=digits),
        Column("median", digits=digits),
        Column("three_quarters", title="three quarters", digits=digits),
        Column("most", digits=digits),
    ]
    found = [each for each in rows.items() if each[1] is not None]
    return Table.of(name, title, columns, found, notes)


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
        _FILE,
        Column("overlap", get=lambda _, part: _range(part.low, part.high)),
        Column("pairs", get="n_pairs"),
        Column("entailed", get="n_entailed"),
        share("rate", "entailment"),
        Column("p_value", title="p"),
    ]
    rows = [(profile, part) for profile in profiles for part in profile.overlap_bins]
    note = "p: exact binomial, two-sided, against the entailment rate of all pairs of the file"
    return Table.of("overlap_bins", "Entailment by word overlap", columns, rows, [note])


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to <{high:g}"


_FILE = Column("file", get=lambda profile, _: profile.name)


def _baseline_table(profiles: Sequence[Profile]) -> Table:
    columns = [
        _FILE,
        Column("baseline", get="name"),
        Column("pairs", get="n_pairs"),
        share("accuracy", get=lambda _, each: Interval(each.accuracy, each.low, each.high)),
        share("chance"),
        Column("p_value", title="p"),
    ]
    rows = [(profile, each) for profile in profiles for each in profile.baselines]
    notes = [
        "cross-validated in 5 folds; chance is the share of the most frequent label",
        "p: binomial, one-sided, approximate since the folds share pairs",
    ]
    return Table.of("baselines", "Baselines that do not read both sides", columns, rows, notes)


def agreement_tables(
    settlement: Settlement, annotators: Sequence[str], *, resampling: Resampling
) -> list[Table]:
    """Agreement with its intervals, and the funnel."""
    return [_kappa_table(settlement, annotators, resampling), _funnel_table(settlement)]


def _kappa_table(
    settlement: Settlement, annotators: Sequence[str], resampling: Resampling
) -> Table:
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
            shown_estimate(each.raw),
            "Cohen",
            shown_estimate(each.kappa),
        ]
        for each in found.couples
    ]
    rows.append(["all", shown_estimate(found.raw), "Fleiss", shown_estimate(found.fleiss)])
    reasons = {e.reason for e in (found.fleiss, *(c.kappa for c in found.couples)) if e.reason}
    notes = [
        f"{found.n_pairs} pairs judged by all, {settlement.view} labels;"
        f" 95 % percentile intervals, {resampling.draws} draws, seed {resampling.seed}",
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
        rows.append([step, n, n / funnel.created if funnel.created else None, before - n])
        before = n
    columns = [Column("step"), Column("pairs"), share("share"), Column("lost")]
    return Table("funnel", "From created pairs to gold", columns, rows)


def _gold(label: Label | None) -> str:
    return label.value if label else NO_GOLD


# Suites and grammars, as tables.

_SHOWN_PAIRS = 20
_LABELS = (Label.ENTAILMENT, Label.NOT_ENTAILMENT)


def manifest_table(manifest: Manifest) -> Table:
    """What came of each suite."""
    titles = manifest.titles
    columns = [
        Column("suite", get="name"),
        Column(
            "types", get=lambda suite: ", ".join(titles.get(each, each) for each in suite.types)
        ),
        Column("asked"),
        Column("cases"),
        *(
            Column(
                kind,
                kind.replace("-", " "),
                get=lambda suite, kind=kind: suite.near_misses.get(kind),
            )
            for kind in manifest.suites[0].near_misses
        ),
        Column("unmet", "unmet quotas", get=lambda suite: _unmet(suite.unmet)),
    ]
    made = f"grammar {manifest.grammar} ({manifest.digest}), seed {manifest.seed}"
    notes = [f"{made}, version {manifest.version}"]
    title = "Suites, with their near misses"
    return Table.of("suites", title, columns, manifest.suites, notes)


def _unmet(quotas: Mapping[str, int]) -> str | None:
    return ", ".join(f"{form} lacks {n}" for form, n in quotas.items()) or None


def composition_tables(
    composition: Composition, titles: Mapping[str, str], *, every: bool = True
) -> list[Table]:
    """What cases are made of, their tags, and a few of them.

    Args:
        composition: The cases, counted.
        titles: Readable names of subcategorization types.
        every: Whether all tag pairs are shown, for programs.
    """
    return [
        _composition_table(composition, titles),
        _tag_table(composition),
        _tag_pair_table(composition, every),
        _sample_table(composition),
    ]


def _composition_table(composition: Composition, titles: Mapping[str, str]) -> Table:
    columns = [Column("by"), Column("value"), *map(Column, _LABELS), Column("cases")]
    types = {titles.get(name, name): counts for name, counts in composition.types.items()}
    rows = [
        *_rows("clauses in the text", composition.clauses),
        *_rows("subcategorization", types),
        *_rows("hypothesis", composition.made),
        *_rows("change of construction", composition.changes),
    ]
    totals = [composition.labels.get(label, 0) for label in _LABELS]
    rows.append(["all", None, *totals, composition.n_cases])
    notes = [
        f"{composition.n_groups} groups of minimal pairs",
        "a case may have several subcategorization types and changes",
    ]
    return Table("composition", "What the cases are made of", columns, rows, notes)


def _rows(by: str, counts: Counts) -> list[list[Cell]]:
    return [
        [by, value, *(found[label] for label in _LABELS), found.total()]
        for value, found in counts.items()
    ]


def _tag_table(composition: Composition) -> Table:
    rows: list[list[Cell]] = [
        [tag, of_text, of_hypothesis]
        for tag, (of_text, of_hypothesis) in sorted(composition.tags.items())
    ]
    columns = [Column("tag"), Column("texts"), Column("hypotheses")]
    return Table("tags", "Tags: in how many sentences each is", columns, rows, [_TAGS])


_TAGS = (
    "V verb or N noun; A active or P passive; then R relativized, C coordinated, PP0 and PP1"
    " prepositional arguments, Poss possessive, S argument of another clause, Adv adverb of manner"
)


def _tag_pair_table(composition: Composition, every: bool) -> Table:
    found = sorted(composition.tag_pairs.items(), key=lambda each: (-each[1], each[0]))
    shown = found if every else found[:_SHOWN_PAIRS]
    rows: list[list[Cell]] = [[*pair.split("/"), n] for pair, n in shown]
    notes = []
    if len(shown) < len(found):
        notes.append(f"the {len(shown)} most frequent of {len(found)}")
    columns = [Column("hypothesis"), Column("text"), Column("cases")]
    return Table("tag_pairs", "Tag pairs of one predicate", columns, rows, notes)


def _sample_table(composition: Composition) -> Table:
    columns = [
        *map(Column, ("id", "text", "hypothesis", "gold")),
        Column("made", get=lambda case: case.meta["made"]),
        Column("changes", get=lambda case: ", ".join(case.meta["changes"])),
    ]
    return Table.of("sample", "Some cases", columns, composition.sample)


def grammar_tables(repertoire: Repertoire, *, seed: int = 0) -> list[Table]:
    """What a grammar has: subcategorization types, semantic types, and a phrase of each family."""
    return [_family_table(repertoire), _type_table(repertoire), _phrase_table(repertoire, seed)]


def _family_table(repertoire: Repertoire) -> Table:
    grammar = repertoire.grammar
    of_type = Counter(entry.subcategorization for entry in repertoire.entries)
    rows: list[list[Cell]] = []
    for family, patterns in grammar.patterns.items():
        users = [p for p in grammar.predicates.values() if family in _families(p)]
        passive = sum(pattern.voice == "P" for pattern in patterns)
        relative = sum(pattern.head is not None for pattern in patterns)
        counts = (len(patterns), passive, relative, len(users), of_type[family])
        rows.append([family, grammar.titles.get(family), *counts])
    columns = [
        Column("family"),
        Column("name"),
        Column("patterns"),
        Column("passive"),
        Column("relative"),
        Column("predicates", title="predicates that have it"),
        Column("of_this_type", title="of this type"),
    ]
    notes = [f"{len(repertoire.entries)} predicates, {len(repertoire.siblings)} frames in all"]
    return Table("families", f"Families of {grammar.name}", columns, rows, notes)


def _families(predicate: Predicate) -> set[str]:
    return {each.family for each in predicate.distributions}


def _type_table(repertoire: Repertoire) -> Table:
    grammar = repertoire.grammar
    rows: list[list[Cell]] = []
    for name, kind in grammar.types.items():
        own = [phrase.text for phrase in kind.phrases]
        total = len(grammar.phrases(name))
        rows.append([name, len(own), total, ", ".join(own[:4]) or None])
    columns = [
        Column("type"),
        Column("own", title="own strings"),
        Column("all", title="with included"),
        Column("e.g."),
    ]
    notes = [f"{len(repertoire.phrases)} strings in all"]
    return Table("types", "Semantic types", columns, rows, notes)


def _phrase_table(repertoire: Repertoire, seed: int) -> Table:
    columns = [Column("type"), Column("predicate"), Column("phrase")]
    return Table("phrases", "Some phrases", columns, sample_phrases(repertoire, seed))
