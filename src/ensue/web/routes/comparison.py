"""Compare: runs on one data set, disagreements first, and which forms make a run fail."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Query
from pydantic import Field

from ensue.evaluation import evaluate
from ensue.mining import ErrorKind, Settings, Wanted, form_kinds, mine_pairs
from ensue.reports import Report, evaluation_report, mining_report
from ensue.statistics import RESAMPLING, Resampling
from ensue.web.access import MOST, Asking, Number, Who
from ensue.web.pages import Content, Pages
from ensue.workbench import (
    Filter,
    PairOutcome,
    RunRecord,
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
    data: OptionalNumber = None,
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


_PERMUTATIONS = (0, 200, 500, 1000)
"""What can be asked for on a page; the command line makes any number."""
_OF_MANY = ("words", "lemmas")
"""Forms of which nearly every case has a set of its own, so that resampling takes long."""
_RESAMPLED = 20_000
"""Cases up to which these are resampled on a page."""

FormName = Annotated[str, Field(max_length=120)]
OptionalNumber = Annotated[int | None, Query(ge=1, le=MOST)]


@PAGES.page("/compare/mining", "mining.html", who=Who.SIGNED_IN)
def mining(
    asked: Asking,
    data: OptionalNumber = None,
    run: OptionalNumber = None,
    against: Annotated[str, Query(pattern="^[0-9]{0,10}$")] = "",
    errors: Annotated[list[ErrorKind], Query(max_length=4)] = [],  # noqa: B006 - never changed
    forms: Annotated[list[FormName], Query(max_length=10)] = [],  # noqa: B006 - never changed
    permutations: Annotated[int, Query(ge=0, le=_PERMUTATIONS[-1])] = 500,
) -> Content:
    """Show which forms make a run fail, and the worst cases of each."""
    if data is None:
        return {"dataset": None}
    record = find_dataset(asked.workbench, asked.person, data)
    runs = runs_over(asked.workbench, asked.person, data)
    chosen = _chosen(runs, run, against)
    if not chosen:
        return {"dataset": record, "runs": runs, "chosen": []}
    with asked.workbench.database.reading() as session:
        pairs = list(kept_pairs(session, data))
    offered = form_kinds(pairs)
    named = list(dict.fromkeys(forms)) or offered[:1]
    is_large = len(pairs) > _RESAMPLED and any(each in _OF_MANY for each in named)
    resampled = 0 if is_large else permutations
    wanted = Wanted(
        kinds=list(dict.fromkeys(errors)) or [ErrorKind.FALSE_NEGATIVES, ErrorKind.FALSE_POSITIVES],
        forms=named,
        settings=Settings(resampling=Resampling(draws=resampled), permutations=resampled),
    )
    kept = [read_kept_run(asked.workbench, asked.person, each.id) for each in chosen]
    mined = mine_pairs(pairs, kept, wanted)
    unmined = [error.message for error in mined.gaps]
    content = {
        "dataset": record,
        "runs": runs,
        "chosen": chosen,
        "offered": offered,
        "form_kinds": named,
        "kinds": [(each.value, each.called) for each in ErrorKind],
        "errors": [each.value for each in wanted.kinds],
        "permutations": permutations,
        "choices": list(_PERMUTATIONS),
        "is_large": is_large,
        "unmined": unmined,
    }
    if not mined.minings:
        return content
    return {**content, "report": mining_report(mined.minings, gold=record.name, unmined=unmined)}


def _chosen(runs: list[RunRecord], run: int | None, against: str) -> list[RunRecord]:
    """The run that is mined, and the one that it is held against."""
    by_id = {each.id: each for each in runs}
    wanted = [run, int(against) if against else None]
    found = [by_id[each] for each in dict.fromkeys(wanted) if each in by_id]
    return found if run in by_id else []
