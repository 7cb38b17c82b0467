"""Everything that is measured of one run on one set of pairs, from the draws of all its measures."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.evaluation.measuring.intervals import Replicates, estimate
from ensue.evaluation.measuring.judged import MISSING, STATUSES, Judged
from ensue.evaluation.measuring.measures import MACRO_F, Measure, f_of, precision_of, recall_of
from ensue.evaluation.measuring.prior import prior_measures, prior_scores
from ensue.evaluation.measuring.resampling import as_it_is
from ensue.evaluation.results import AnswerCounts, Confusion, LabelScores, Scores
from ensue.evaluation.significance.chance import chance_tests
from ensue.pairs import Status, View


def needed_measures(
    measures: Sequence[Measure], view: View, prior: float | None
) -> tuple[Measure, ...]:
    """The measures asked for, and those of every label, macro F and the prior."""
    labelled = [m(label, view) for label in view.labels for m in (precision_of, recall_of, f_of)]
    shifted = prior_measures(prior) if prior is not None else ()
    # the same name is the same measure, so that each is drawn once
    return tuple({m.name: m for m in (*measures, *labelled, MACRO_F, *shifted)}.values())


def scores(
    judged: Judged,
    measures: Sequence[Measure],
    draws: Replicates,
    *,
    prior: float | None,
    level: float,
    simulations: int,
    seed: int,
) -> Scores:
    """Put together what is measured of a run.

    Args:
        judged: Gold and run side by side.
        measures: Those to be listed by name.
        draws: What `replicates` gives for `needed_measures`.
        prior: A share of entailments to expect, or None.
        level: Of the intervals.
        simulations: How many runs are guessed for the test of the cws.
        seed: Of the guesses.
    """
    return Scores(
        counts=answer_counts(judged),
        measures={m.name: estimate(judged, m, draws[m.name], level) for m in measures},
        labels=_label_scores(judged, draws, level),
        macro_f=estimate(judged, MACRO_F, draws[MACRO_F.name], level),
        confusion=confusion(judged),
        chance=chance_tests(judged, draws=simulations, seed=seed),
        prior=prior_scores(judged, prior, draws, level=level) if prior is not None else None,
    )


def answer_counts(judged: Judged) -> AnswerCounts:
    """How many pairs were answered, and what became of the others."""
    n = {status: judged.n(judged.status == i) for i, status in enumerate(STATUSES)}
    return AnswerCounts(
        n_pairs=judged.n_pairs,
        n_answered=judged.n_answered,
        n_missing=n[MISSING],
        n_abstained=n[Status.ABSTAINED.value],
        n_budget_exhausted=n[Status.BUDGET_EXHAUSTED.value],
        n_failed=n[Status.FAILED.value],
    )


def confusion(judged: Judged) -> Confusion:
    """How often each gold label met each answer."""
    table = as_it_is(judged).confusion[0].astype(int)
    return Confusion(
        labels=judged.view.labels,
        counts=tuple(tuple(map(int, row[:-1])) for row in table),
        unanswered=tuple(map(int, table[:, -1])),
    )


def _label_scores(judged: Judged, draws: Replicates, level: float) -> tuple[LabelScores, ...]:
    results = []
    for i, label in enumerate(judged.view.labels):
        measures = [each(label, judged.view) for each in (precision_of, recall_of, f_of)]
        precision, recall, f = (estimate(judged, m, draws[m.name], level) for m in measures)
        results.append(
            LabelScores(
                label=label,
                n_gold=judged.n(judged.gold == i),
                n_answered=judged.n(judged.answer == i),
                n_right=judged.n(judged.right & (judged.gold == i)),
                precision=precision,
                recall=recall,
                f=f,
            )
        )
    return tuple(results)
