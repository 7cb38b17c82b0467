"""Compare: two runs or more on one data set, disagreements first."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from ensue.evaluation import evaluate
from ensue.reports.contents.evaluation.page import evaluation_report
from ensue.web.asking import MOST, Asking, Number, Who
from ensue.web.pages import Content, Pages
from ensue.workbench.datasets import (
    Filter,
    datasets_for,
    find_dataset,
    kept_pairs,
    look,
    read_kept_run,
    runs_over,
)
from ensue.workbench.datasets.browsing import Outcome

PAGES = Pages("compare")

_SHOWN = 20
"""Disagreements on the page; the others are on that of the pairs."""


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
    report = evaluation_report(evaluate(pairs, kept, by_task=True), gold=record.name)
    disputed = look(
        asked.workbench,
        asked.person,
        data,
        Filter(outcome=Outcome.DISPUTED if len(chosen) > 1 else Outcome.WRONG),
        [each.id for each in chosen],
    )
    return {
        **content,
        "n_disputed": disputed.n_found,
        "disputed": disputed.rows[:_SHOWN],
        "report": report,
    }
