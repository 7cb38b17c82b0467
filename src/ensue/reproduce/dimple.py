"""Recompute "Diversity-aware Evaluation for Paraphrase Patterns" (Shima & Mitamura 2011).

The paper's lists, their judgments and one of its three tasks are not to be had. What can be
recomputed without them is in `dimple_claims`. The whole experiment is run on other lists
(`dimple_stand_ins`), where the directory of data holds some of:

- `paraphrase-rules/daganlevy.txt`: judged relations;
- `wmt12`: English text to learn from;
- `msrpc` and `rte`: the tasks, as far as they are there.

Stand-ins stand beside the paper's tables and neither agree nor differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ensue.paraphrase import (
    Association,
    CorrelationDifference,
    Correlations,
    ListCorrelation,
    correlate_lists,
    intrinsic_scores,
    joined_scores,
    performance_scores,
)
from ensue.paraphrase.recognition import (
    Recognition,
    Task,
    method_performances,
    recognize,
    term_counts,
)
from ensue.paraphrase.scores import KS, MEASURES, ScoredLists, ScoreSettings, Unjudged, score
from ensue.reproduce.dimple_stand_ins import (
    QUALITY,
    StandIn,
    judged_lists,
    learned_lists,
    task_sets,
)
from ensue.reproduce.dimple_tables import CELLS, NAME, TASKS, VERBS, claims, listings, verb_key
from ensue.reproduce.model import (
    Listing,
    PublishedFigure,
    Reproduction,
    ReproductionKind,
    estimates_side_by_side,
    paper_of,
    published_number,
)
from ensue.statistics import RESAMPLING, Coefficient, Resampling

_NO_DATA = (
    "the experiment is run on other lists where --data DIR holds msrpc or rte, and"
    " paraphrase-rules or wmt12"
)


def reproduce(directory: Path, seed: int = 0, *, draws: int = RESAMPLING.draws) -> Reproduction:
    """Recompute what can be, and run the experiment on stand-ins that the directory allows.

    Args:
        directory: Holds some of what the module names; without any of it only arithmetic is done.
        seed: Of the resamples.
        draws: How many there are.
    """
    paper, remarks = paper_of(NAME)
    found = list(listings())
    tasks = task_sets(directory)
    if tasks:
        found.append(_verbs_listing(tasks))
        for stand_in in (judged_lists(directory, tasks), learned_lists(directory)):
            if stand_in is not None:
                found += _experiment(stand_in, tasks, Resampling(draws, seed=seed))
    else:
        remarks = (*remarks, _NO_DATA)
    return Reproduction(NAME, paper, _figures(), remarks, tuple(found))


def _figures() -> tuple[PublishedFigure, ...]:
    """All but the cells of the tables, which cannot be recomputed: the listings have them."""
    cells = {cell.key for cell in CELLS} | {
        verb_key(verb, task) for verb in VERBS for task in TASKS
    }
    every = estimates_side_by_side(NAME, claims())
    return tuple(figure for figure in every if figure.key not in cells)


def _verbs_listing(tasks: Sequence[Task]) -> Listing:
    """Table 1 on the pairs at hand."""
    counts = term_counts(tasks, VERBS)
    columns = [name for task in tasks for name in (f"{task.name} here", f"{task.name} published")]
    rows = []
    for verb, here in zip(VERBS, counts.positive.tolist(), strict=True):
        published = [round(published_number(NAME, verb_key(verb, task.name))) for task in tasks]
        rows.append((verb, *(n for both in zip(here, published, strict=True) for n in both)))
    sizes = ", ".join(f"{task.name}: {task.n_positive:,}" for task in tasks)
    return Listing(
        "verbs-here",
        "Table 1 on the pairs at hand: positive pairs with the verb on a side",
        ("verb", *columns),
        tuple(rows),
        (f"positive pairs at hand: {sizes}; the paper has 3,900 of MSRPC and 2,805 of RTE",),
    )


def _experiment(stand_in: StandIn, tasks: Sequence[Task], resampling: Resampling) -> list[Listing]:
    settings = ScoreSettings(unjudged=Unjudged.SKIP)
    scored = score(stand_in.lists, settings, f"column:{QUALITY}")
    recognition = recognize(scored.lists, tasks)
    intrinsic = intrinsic_scores(scored, "")
    whole, added = (
        correlate_lists(
            joined_scores([intrinsic, performance_scores(recognition, by_patterns=by_patterns)]),
            resampling=resampling,
        )
        for by_patterns in (False, True)
    )
    return [
        _means_listing(stand_in, scored, recognition),
        _correlations_listing(stand_in, whole, added),
        _differences_listing(stand_in, whole),
    ]


def _means_listing(stand_in: StandIn, scored: ScoredLists, recognition: Recognition) -> Listing:
    """What the lists of each method score and do."""
    k = max(KS)
    performances = {
        (each.method, each.task): each
        for each in method_performances(recognition, resampling=Resampling(draws=0))
    }
    rows = []
    for method in scored.lists.methods:
        shares = [
            number.value
            for task in recognition.tasks
            for number in (
                performances[method, task].performance,
                performances[method, task].by_patterns,
                performances[method, task].precision,
            )
        ]
        means = [scored.mean(measure, k, method).value for measure in MEASURES]
        n = int(scored.of_method(method).sum())
        rows.append((method, n, *means, *shares))
    columns = [
        f"{task} {what}"
        for task in recognition.tasks
        for what in ("performance", "by patterns", "precision")
    ]
    return Listing(
        f"{stand_in.name}-lists",
        f"Stand-in: {stand_in.what}",
        ("method", "lists", *(f"{measure}@{k}" for measure in MEASURES), *columns),
        tuple(rows),
        (
            f"terms: {', '.join(scored.lists.terms)}",
            f"{scored.lists.n_patterns} patterns; means over lists",
            *(finding.message for finding in (*scored.findings, *recognition.findings)),
        ),
    )


def _correlations_listing(stand_in: StandIn, whole: Correlations, added: Correlations) -> Listing:
    """Tables 2 and 3 for the stand-in, a row each."""
    rows = [
        (one.task, one.variable.measure, one.variable.k, one.n, *_numbers(one, other))
        for one, other in zip(whole.correlations, added.correlations, strict=True)
    ]
    between = [
        f"{each.task}: {each.between_terms:.0%}"
        for each in whole.tasks
        if each.between_terms is not None
    ]
    return Listing(
        f"{stand_in.name}-correlations",
        f"Correlation with performance over the {stand_in.name} lists",
        (
            *("task", "measure", "k", "lists", "r", "low", "high", "p"),
            *("ρ", "τ", "r within terms", "p within terms", "r with what patterns add"),
        ),
        tuple(rows),
        (
            "p takes lists as independent, as the paper does; low and high are from resampled terms",
            "share of the variance of performance that lies between terms:"
            f" {', '.join(between) or 'none, it does not vary'}",
            "within terms: what is left of both when the means of each term are taken away",
            *(each.message for each in whole.findings),
            *_lacks("r within terms", (each.within for each in whole.correlations)),
            *_lacks(
                "r with what patterns add",
                (each.coefficients[Coefficient.PEARSON] for each in added.correlations),
            ),
        ),
    )


def _lacks(column: str, associations: Iterable[Association]) -> list[str]:
    """Why there are dashes in a column."""
    reasons = (each.estimate.reason for each in associations if each.estimate.value is None)
    return [f"{column} –: {reason}" for reason in dict.fromkeys(reasons)]


def _numbers(one: ListCorrelation, added: ListCorrelation) -> Iterator[float | None]:
    pearson = one.coefficients[Coefficient.PEARSON]
    yield from (pearson.estimate.value, pearson.estimate.low, pearson.estimate.high, pearson.p)
    for coefficient in (Coefficient.SPEARMAN, Coefficient.KENDALL):
        yield one.coefficients[coefficient].estimate.value
    yield from (one.within.estimate.value, one.within.p)
    yield _value(added.coefficients[Coefficient.PEARSON])


def _value(association: Association) -> float | None:
    return association.estimate.value


def _differences_listing(stand_in: StandIn, whole: Correlations) -> Listing:
    """Whether one measure predicts better than another."""
    rows = [_difference_row(each) for each in whole.differences if each.first.k == max(KS)]
    return Listing(
        f"{stand_in.name}-differences",
        f"Two measures at {max(KS)} over the {stand_in.name} lists",
        (
            *("task", "first", "second", "r of the first", "r of the second", "r between"),
            *("p, Williams", "p, Holm", "p, bootstrap over terms"),
        ),
        tuple(rows),
        tuple(dict.fromkeys(each.reason for each in whole.differences if each.reason)),
    )


def _difference_row(each: CorrelationDifference) -> tuple[Any, ...]:
    test = each.williams
    return (
        each.task,
        each.first.measure,
        each.second.measure,
        each.first_r,
        each.second_r,
        each.between,
        test.p if test else None,
        each.p_holm,
        each.bootstrap.p,
    )


REPRODUCTION = ReproductionKind(
    NAME,
    "Shima & Mitamura 2011: EP, EPR and DIMPLE for paraphrase patterns, and what they predict",
    reproduce,
    needs_data=False,
)
