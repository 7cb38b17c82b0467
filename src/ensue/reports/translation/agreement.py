"""Agreement of metrics with people, and of people with each other, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol

from ensue.reports.model import (
    COEFFICIENT_TITLES,
    DASHES,
    Column,
    Lack,
    Row,
    Table,
    interval_notes,
    lack_of,
    reason_notes,
    share,
)
from ensue.statistics import Coefficient, Estimate
from ensue.translation import HumanMethod, SystemMethod
from ensue.translation.evaluation import (
    Averaging,
    Consistency,
    EvaluationPart,
    EvaluationSettings,
    MetricConsistency,
    MetricEvaluation,
    MetricResult,
    SystemCorrelation,
    TauVariant,
    TiePolicy,
)
from ensue.translation.judgments import JudgeSummary, ScoreKind

# What many tables of translation need: metrics, language pairs, and what a metric lacks.

MEAN = "mean"
"""The column of the mean over language pairs."""
OVER_ALL = "all"
"""The row that is over all language pairs together."""


class NamedMetric(Protocol):
    """What is said of a metric, or of its scores."""

    @property
    def name(self) -> str:
        """What tables call it."""

    @property
    def signature(self) -> str:
        """The recipe that repeats its scores; empty where nobody gave one."""


def recipe(metric: NamedMetric) -> str:
    """The line of a metric in what repeats a page."""
    return f"metric: {metric.name}: {metric.signature or 'no signature'}"


def shown_pair(language_pair: str) -> str | None:
    """A language pair as a cell; a dash where nothing says which."""
    return language_pair or None


def lacks_of(metrics: Sequence[MetricResult], part: EvaluationPart) -> list[Lack]:
    """Which metrics have no such part, and why."""
    return [(each.name, each.missing[part]) for each in metrics if part in each.missing]


def resampling_notes(settings: EvaluationSettings) -> list[str]:
    """The same of an evaluation."""
    return interval_notes(settings.resampling, over="segments")


def several(language_pairs: Sequence[str]) -> bool:
    """Whether there is anything to show by language pair."""
    return len(language_pairs) > 1


# How far metrics agree with people's preferences, as tables: shares, Kendall's τ, and ties.

_POLICIES = {
    TiePolicy.WRONG: "a tie of the metric is not right",
    TiePolicy.HALF: "a tie of the metric is half right",
    TiePolicy.LEFT_OUT: "ties of the metric are left out",
}
_VARIANTS = {
    TauVariant.WMT12: "WMT12 counts ties of the metric as discordant",
    TauVariant.WMT13: "WMT13 leaves them out",
    TauVariant.WMT14: "WMT14 counts them in the denominator only",
}
_AVERAGED = {
    Averaging.SEGMENTS: "the mean of the segments' accuracies",
    Averaging.COMPARISONS: "over all comparisons in one heap",
}


METRIC = Column("metric", get="name")
LANGUAGE_PAIR = Column("language_pair", "pair", get=lambda *row: shown_pair(row[-1].language_pair))


def preferences_table(evaluation: MetricEvaluation) -> Table | None:
    """The share of people's preferences that each metric shares; None where there is none."""
    metrics = evaluation.metrics
    if all(each.consistency is None for each in metrics):
        return None
    pairs = _pairs(evaluation)
    columns = [
        METRIC,
        Column("right", get="consistency.overall.right"),
        Column("wrong", get="consistency.overall.wrong"),
        Column("ties", get="consistency.overall.ties"),
        share("share", "agreement", "consistency.overall.share", interval=True),
        *(share(pair, get=partial(_share_on, pair), interval=True) for pair in pairs),
        *([share(MEAN, "mean of pairs", "consistency.mean", interval=True)] if pairs else []),
    ]
    lacks = lacks_of(metrics, EvaluationPart.CONSISTENCY)
    for metric in metrics:
        if metric.consistency is not None:
            lacks += _share_lacks(metric.consistency)
    notes = [
        *reason_notes(lacks),
        f"preferences of people: {evaluation.n_comparisons - evaluation.n_human_ties:,} of"
        f" {evaluation.n_comparisons:,} comparisons, {evaluation.n_human_ties:,} human ties left"
        f" out; {_POLICIES[evaluation.settings.policy]}",
        *resampling_notes(evaluation.settings),
    ]
    return Table.of("preferences", "Agreement with preferences", columns, metrics, notes)


def tau_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """Kendall's τ as the metrics tasks count it, over all, on average and by language pair."""
    metrics = [each for each in evaluation.metrics if each.consistency is not None]
    if not metrics:
        return []
    pairs = _pairs(evaluation)
    columns = [METRIC, *(_tau_column(each) for each in TauVariant)]
    if pairs:
        columns += [_tau_column(each, MEAN) for each in TauVariant]
    notes = [
        "; ".join(_VARIANTS.values()) + "; human ties are never counted",
        *resampling_notes(evaluation.settings),
        *reason_notes(lack for each in metrics for lack in _tau_lacks(each)),
    ]
    title = "Kendall's τ with preferences"
    tables = [Table.of("tau", title, columns, evaluation.metrics, notes)]
    if pairs and every:
        tables.append(_tau_by_pair(metrics, pairs))
    return tables


def calibrated_table(evaluation: MetricEvaluation) -> Table | None:
    """Pairwise accuracy with calibrated ties; None where no metric has it."""
    metrics = evaluation.metrics
    if all(each.calibrated_accuracy is None for each in metrics):
        return None
    pairs = list(dict.fromkeys(pair for each in metrics for pair in each.calibrated_by_pair))
    columns = [
        METRIC,
        share("accuracy", get="calibrated_accuracy.accuracy"),
        Column("epsilon", title="ε", get="calibrated_accuracy.epsilon"),
        Column("metric_ties", "ties of the metric", get="calibrated_accuracy.n_metric_ties"),
        Column("human_ties", title="human ties", get="calibrated_accuracy.n_human_ties"),
        Column("comparisons", get="calibrated_accuracy.n_comparisons"),
        *(share(pair, get=partial(_calibrated_on, pair)) for pair in pairs if several(pairs)),
    ]
    notes = [
        "right where people and metric tie, or order, two outputs alike; scores that differ by at"
        " most ε tie, with the ε that makes the accuracy highest on these same judgments"
        f" ({_AVERAGED[evaluation.settings.averaging]})",
        *reason_notes(lacks_of(metrics, EvaluationPart.CALIBRATED_ACCURACY)),
    ]
    title = "Pairwise accuracy with calibrated ties"
    return Table.of("calibrated", title, columns, metrics, notes)


def _calibrated_on(pair: str, metric: MetricResult) -> float | None:
    found = metric.calibrated_by_pair.get(pair)
    return found.accuracy if found else None


def _share_on(pair: str, metric: MetricResult) -> Estimate | None:
    return metric.consistency.by_pair[pair].share if metric.consistency else None


def _pairs(evaluation: MetricEvaluation) -> list[str]:
    """The language pairs with comparisons; none where there is one only."""
    for metric in evaluation.metrics:
        if metric.consistency is not None:
            pairs = list(metric.consistency.by_pair)
            return pairs if several(pairs) else []
    return []


def _share_lacks(found: MetricConsistency) -> list[Lack]:
    lacks = lack_of(found.metric, found.overall.share)
    for pair, each in found.by_pair.items():
        lacks += lack_of(f"{found.metric} on {pair}" if pair else found.metric, each.share)
    return lacks


def _tau_column(variant: TauVariant, of: str = "") -> Column:
    def get(metric: MetricResult) -> Estimate | None:
        found = metric.consistency
        if found is None:
            return None
        return (found.mean_taus if of else found.overall.taus)[variant]

    name = f"{of}_{variant.value}" if of else variant.value
    return Column(name, f"{of} τ {variant.value}".lstrip(), digits=3, get=get, interval=True)


def _tau_lacks(metric: MetricResult) -> list[Lack]:
    found = metric.consistency
    if found is None:
        return []
    lacks: list[Lack] = []
    for variant in TauVariant:
        lacks += lack_of(f"{metric.name}: {variant.value}", found.overall.taus[variant])
        lacks += lack_of(f"{metric.name}: mean {variant.value}", found.mean_taus[variant])
    return lacks


def _tau_by_pair(metrics: Sequence[MetricResult], pairs: Sequence[str]) -> Table:
    columns = [
        Column("metric", get=lambda metric, *_: metric.name),
        Column("language_pair", title="pair", get=lambda _, pair, __: shown_pair(pair)),
        *(
            Column(each.value, f"τ {each.value}", 3, get=partial(_tau_of, each))
            for each in TauVariant
        ),
    ]
    rows = [
        (metric, pair, metric.consistency.by_pair[pair])
        for metric in metrics
        if metric.consistency is not None
        for pair in pairs
    ]
    return Table.of("tau_by_pair", "Kendall's τ by language pair", columns, rows)


def _tau_of(variant: TauVariant, _metric: MetricResult, _pair: str, found: Consistency) -> Estimate:
    return found.taus[variant]


# How metrics correlate with people, as tables: segment by segment, and system by system.

_SHORT = {Coefficient.SPEARMAN: "ρ", Coefficient.PEARSON: "r"}
"""Those of the system level, as in the paper's Table 2."""
_KINDS = {
    ScoreKind.DIRECT: "direct assessments",
    ScoreKind.ADEQUACY_FLUENCY: "the mean of adequacy and fluency, each standardized by judge",
    ScoreKind.RANKS: "ranks, standardized within each ranking",
}
_HUMAN_METHODS = {
    HumanMethod.BETTER_OR_EQUAL: "how often a system is judged better than or equal to others",
    HumanMethod.BETTER: "how often a system is judged better than others, ties left out",
    HumanMethod.EXPECTED_WIN: "the mean over opponents of how often a system is judged better",
}


def correlation_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """Correlations with absolute human scores; Pearson's by language pair, all where `every`."""
    metrics = evaluation.metrics
    found = [each for each in metrics if each.correlation is not None]
    if not found or evaluation.human_kind is None:
        return []
    pairs = list(found[0].correlation.by_pair) if found[0].correlation else []
    columns = [METRIC, *(_mean_column(each) for each in Coefficient)]
    notes = [
        f"human scores: {_KINDS[evaluation.human_kind]}; the mean over {len(pairs)} language"
        f" pair{'s' if several(pairs) else ''}",
        *resampling_notes(evaluation.settings),
        *reason_notes(lacks_of(metrics, EvaluationPart.CORRELATION)),
        *reason_notes(lack for each in found for lack in _correlation_lacks(each)),
    ]
    tables = [Table.of("correlation", "Correlation with scores", columns, metrics, notes)]
    if several(pairs):
        chosen = list(Coefficient) if every else [Coefficient.PEARSON]
        tables += [_by_pair_table(evaluation, each, pairs) for each in chosen]
    return tables


def system_tables(evaluation: MetricEvaluation, *, every: bool) -> list[Table]:
    """How metrics order systems, by each method; by language pair where `every`."""
    metrics, methods = evaluation.metrics, evaluation.settings.system_methods
    if not any(map(_orders_systems, metrics)):
        return []
    columns = [METRIC]
    columns += [
        Column(
            f"{method.value}_{each.value}",
            f"{method.value} {symbol}",
            digits=3,
            get=partial(_mean_of_systems, method, each),
        )
        for method in methods
        for each, symbol in _SHORT.items()
    ]
    notes = [
        "ρ: Spearman's, r: Pearson's, between system scores of metric and people; the mean over"
        " language pairs",
        f"people's: {_people_said(evaluation)}",
        *reason_notes(_system_lacks(metrics)),
    ]
    tables = [Table.of("systems", "System level", columns, metrics, notes)]
    if every:
        tables.append(_systems_by_pair(metrics))
    return tables


def no_system_notes(evaluation: MetricEvaluation) -> list[str]:
    """Why there is no table of the system level, where there is none."""
    if any(map(_orders_systems, evaluation.metrics)):
        return []
    lacks = list(_system_lacks(evaluation.metrics))
    reasons = dict.fromkeys(reason for _, reason in lacks)
    return [f"no system level: {reason}" for reason in reasons]


def _mean_column(coefficient: Coefficient, name: str = "", title: str | None = None) -> Column:
    def get(metric: MetricResult) -> Estimate | None:
        return metric.correlation.mean[coefficient] if metric.correlation else None

    title = title if name else COEFFICIENT_TITLES[coefficient]
    return Column(name or coefficient.value, title, digits=3, get=get, interval=True)


def _by_pair_table(
    evaluation: MetricEvaluation, coefficient: Coefficient, pairs: Sequence[str]
) -> Table:
    def on_pair(pair: str, metric: MetricResult) -> Estimate | None:
        found = metric.correlation
        return found.by_pair[pair].coefficients[coefficient] if found else None

    columns = [
        METRIC,
        *(Column(pair, digits=3, get=partial(on_pair, pair), interval=True) for pair in pairs),
        _mean_column(coefficient, MEAN),
    ]
    title = f"{COEFFICIENT_TITLES[coefficient]} with scores, by language pair"
    notes = resampling_notes(evaluation.settings)
    return Table.of(coefficient.value, title, columns, evaluation.metrics, notes)


def _correlation_lacks(metric: MetricResult) -> Iterator[Lack]:
    if metric.correlation is not None:
        for pair, each in metric.correlation.by_pair.items():
            name = f"{metric.name} on {pair}" if pair else metric.name
            for estimate in each.coefficients.values():
                yield from lack_of(name, estimate)


def _mean_of_systems(
    method: SystemMethod, coefficient: Coefficient, metric: MetricResult
) -> float | None:
    found = metric.systems.correlations.get(method)
    return found.mean[coefficient].value if found else None


def _orders_systems(metric: MetricResult) -> bool:
    """Whether any correlation of systems is defined."""
    return any(
        estimate.value is not None
        for found in metric.systems.correlations.values()
        for each in found.by_pair.values()
        for estimate in each.coefficients.values()
    )


def _system_lacks(metrics: Sequence[MetricResult]) -> Iterator[Lack]:
    for metric in metrics:
        for method, reason in metric.systems.missing.items():
            said = reason.removeprefix(f"{metric.name}: ")  # so that equal reasons come together
            yield f"{metric.name} ({method.value})", said
        for method, found in metric.systems.correlations.items():
            for each in _SHORT:
                yield from lack_of(f"{metric.name} ({method.value})", found.mean[each])


def _people_said(evaluation: MetricEvaluation) -> str:
    if evaluation.n_comparisons:
        return _HUMAN_METHODS[evaluation.settings.human_method]
    return "the mean of the absolute scores"


def _systems_by_pair(metrics: Sequence[MetricResult]) -> Table:
    columns = [
        Column("metric"),
        Column("method"),
        Column("language_pair", title="pair"),
        Column("systems"),
        *(Column(each.value, COEFFICIENT_TITLES[each], 3) for each in Coefficient),
    ]
    rows: list[Row] = []
    for metric, method, found in _by_method(metrics):
        for pair, n, numbers in (
            *(
                (shown_pair(pair), each.n, each.coefficients)
                for pair, each in found.by_pair.items()
            ),
            (MEAN, None, found.mean),
            (f"{MEAN} (Fisher)", None, found.fisher_mean),
        ):
            values = [numbers[each].value for each in Coefficient]
            rows.append([metric.name, method.value, pair, n, *values])
    notes = reason_notes(
        lack
        for metric, method, found in _by_method(metrics)
        for each in Coefficient
        for lack in lack_of(f"{metric.name} ({method.value})", found.fisher_mean[each])
    )
    title = "System level by language pair"
    return Table("systems_by_pair", title, columns, rows, notes)


def _by_method(
    metrics: Sequence[MetricResult],
) -> Iterator[tuple[MetricResult, SystemMethod, SystemCorrelation]]:
    for metric in metrics:
        for method, found in metric.systems.correlations.items():
            yield metric, method, found


# The judges themselves, as tables: how far they agree, and the bounds that they set to metrics.


def people_tables(people: JudgeSummary) -> list[Table]:
    """Agreement of the judges, the ceiling and the floors that follow, and ties for first place."""
    tables = [_agreement_table(people), _ceiling_table(people)]
    if people.floors:
        tables.append(_floor_table(people))
    if people.tie_shares:
        tables.append(_ties_table(people))
    return tables


def _agreement_table(people: JudgeSummary) -> Table:
    columns = [
        Column("language_pair", "pair", get=lambda pair, *_: shown_pair(pair)),
        Column("judges", get=lambda *row: row[1]),
        Column("couples", get="n_couples"),
        share("agreement", "P(A)", "observed"),
        Column("kappa_uniform", title="κ, P(E) = 1/3", digits=3),
        Column("kappa_empirical", title="κ, P(E) of the answers", digits=3),
        share("tie_share", "ties", lambda *row: row[2].tie_share),
    ]
    named = {OVER_ALL: people.overall}
    if several(list(people.by_pair)):
        named |= people.by_pair
    rows = [
        (pair, who, found, agreement)
        for pair, found in named.items()
        for who, agreement in (("inter", found.inter), ("intra", found.intra))
    ]
    notes = [
        "inter: two judges about the same two outputs, intra: one judge twice; P(A): how often"
        " they agree, a tie being an answer; κ: (P(A) − P(E)) / (1 − P(E)), with P(E) as WMT has"
        " it up to 2010 and later",
        *interval_notes(people.resampling, over="segments"),
        DASHES,
        *_contradiction_notes(people),
        *people.missing,
    ]
    title = "Agreement of the judges"
    return Table.of(
        "judges", title, columns, rows, notes, called=lambda pair, who, *_: f"{pair} ({who})"
    )


def _contradiction_notes(people: JudgeSummary) -> Iterator[str]:
    found = people.contradictions
    if found.n_repeated:
        yield (
            f"{len(found.found)} of {found.n_repeated} comparisons that a judge repeated"
            " contradict each other"
        )
    if people.overall.n_left_out:
        yield f"answers of which nobody knows who gave them, left out: {people.overall.n_left_out}"


def _ceiling_table(people: JudgeSummary) -> Table:
    columns = [
        Column("bound", get=lambda *row: row[0]),
        share("share", get=lambda *row: row[1]),
        Column("n", get=lambda *row: row[2]),
        Column("meaning", get=lambda *row: row[3]),
    ]
    ceiling = people.ceiling
    bounds = {
        "two-judges": (
            ceiling.two_judges,
            ceiling.n_couples,
            "how often two judges prefer the same output; the best metric reaches at least this",
        ),
        "leave-one-out": (
            ceiling.leave_one_out,
            ceiling.n_leave_one_out,
            "how often a judge prefers what most of the others do",
        ),
        "independent-bound": (
            ceiling.independent_bound,
            ceiling.n_couples,
            "(1 + √(2a − 1)) / 2 with a of two judges: the best metric reaches at most this, if"
            " judges do not influence each other",
        ),
        "oracle": (
            ceiling.oracle,
            ceiling.n_preferences,
            "what a metric reaches that knows all votes; says too much where few judges meet",
        ),
        "oracle-repeated": (
            ceiling.oracle_repeated,
            ceiling.n_repeated,
            "the same where two or more judged",
        ),
    }
    notes = [
        "of preferences; human ties left out",
        *interval_notes(people.resampling, over="segments"),
        DASHES,
    ]
    title = "What agreement with preferences can reach"
    rows = [(name, *bound) for name, bound in bounds.items()]
    return Table.of("ceiling", title, columns, rows, notes, called=lambda name, *_: name)


def _floor_table(people: JudgeSummary) -> Table:
    columns = [
        Column("policy"),
        share("expected"),
        share("simulated"),
        share("spread", "±"),
        Column("comparisons", get="n_comparisons"),
        Column("meaning"),
    ]
    notes = [
        "a complete ranking has to be transitive, and still agrees by chance with half of the"
        " preferences; it is less only where ties count",
        "±: the standard deviation between random metrics",
    ]
    return Table.of("floor", "What chance reaches", columns, people.floors, notes)


def _ties_table(people: JudgeSummary) -> Table:
    columns = [
        Column("unit"),
        Column("n"),
        Column("tied", get="n_tied"),
        share("share"),
        Column("left_out", title="left out", get="n_left_out"),
    ]
    notes = [
        "of rankings, and of segments by mean rank; in brackets: Wilson's intervals"
        f" ({people.resampling.percent}); left out: those with one output",
        "Padó et al. (2009, section 2.2) see almost 30 % in WMT 2007",
    ]
    return Table.of("first_place", "Ties for first place", columns, people.tie_shares, notes)
