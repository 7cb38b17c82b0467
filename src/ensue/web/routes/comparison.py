"""Compare: two runs or more on one data set, disagreements first."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Query

from ensue.evaluation import evaluate
from ensue.reports import Report, evaluation_report
from ensue.statistics import RESAMPLING, Resampling
from ensue.web.access import MOST, Asking, Number, Who
from ensue.web.pages import Content, Pages
from ensue.workbench import (
    Filter,
    PairOutcome,
    datasets_for,
    find_dataset,
    kept_pairs,
    look,
    read_kept_run,
    runs_over,
)

PAGES = Pages("compare")

_SHOWN = 20
"""Disagreements on the page; the others are on that of the pairs."""
_DRAWN = 5_000_000
"""Verdicts that are drawn for the intervals of a page; more take too long."""
_FEWEST = 100
"""With fewer draws there is no interval."""
_FIRST = ("Comparison", "Runs", "Confidence", "Cutoffs")
"""What comparing is about; the other sections come after."""


@PAGES.page("/compare", "compare.html", who=Who.SIGNED_IN)
def compare(
    asked: Asking,
    data: Annotated[int | None, Query(ge=1, le=MOST)] = None,
    run: Annotated[list[Number], Query(max_length=8)] = [],  # noqa: B006 - never changed
) -> Content:
    """Show how runs differ: pair by pair, by paired tests, and in curves."""
    offered = [each for each in datasets_for(asked.workbench, asked.person) if each.n_gold]
    if data is None:
        return {"datasets": offered, "dataset": None}
    record = find_dataset(asked.workbench, asked.person, data)
    runs = runs_over(asked.workbench, asked.person, data)
    chosen = [each for each in runs if each.id in run] if run else []
    content = {"datasets": offered, "dataset": record, "runs": runs, "chosen": chosen}
    if not chosen:
        return content
    with asked.workbench.database.reading() as session:
        pairs = list(kept_pairs(session, data))
    kept = [read_kept_run(asked.workbench, asked.person, each.id) for each in chosen]
    draws = _draws(len(pairs) * len(kept))
    found = evaluate(pairs, kept, by_task=True, resampling=Resampling(draws=draws))
    disputed = look(
        asked.workbench,
        asked.person,
        data,
        Filter(outcome=PairOutcome.DISPUTED if len(chosen) > 1 else PairOutcome.WRONG),
        [each.id for each in chosen],
    )
    return {
        **content,
        "n_disputed": disputed.n_found,
        "disputed": disputed.rows[:_SHOWN],
        "report": _ordered(evaluation_report(found, gold=record.name)),
        "draws": draws,
        "usual_draws": RESAMPLING.draws,
    }


def _ordered(report: Report) -> Report:
    """The page with what tells runs apart first: paired tests, then curves."""
    place = {title: i for i, title in enumerate(_FIRST)}
    sections = sorted(report.sections, key=lambda each: place.get(each.title, len(_FIRST)))
    return replace(report, sections=sections)


def _draws(n_verdicts: int) -> int:
    """How often verdicts are drawn, so that the page comes soon."""
    draws = min(RESAMPLING.draws, _DRAWN // max(n_verdicts, 1))
    return draws if draws >= _FEWEST else 0
