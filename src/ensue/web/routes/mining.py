"""Mining: which constructions, words or columns make a run fail, with the cases to look at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from ensue.mining import ErrorKind, Settings, Wanted, form_kinds, mine_pairs
from ensue.reports import mining_report
from ensue.statistics import Resampling
from ensue.web.access import MOST, Asking, Who
from ensue.web.pages import Content, Pages
from ensue.workbench import RunRecord, find_dataset, kept_pairs, read_kept_run, runs_over

PAGES = Pages("mining")

_PERMUTATIONS = (0, 200, 500, 1000)
"""What can be asked for on a page; the command line makes any number."""
_OF_MANY = ("words", "lemmas")
"""Forms of which nearly every case has a set of its own, so that resampling takes long."""
_RESAMPLED = 20_000
"""Cases up to which these are resampled on a page."""

Form = Annotated[str, Field(max_length=120)]
Number = Annotated[int | None, Query(ge=1, le=MOST)]


@PAGES.page("/compare/mining", "mining.html", who=Who.SIGNED_IN)
def mining(
    asked: Asking,
    data: Number = None,
    run: Number = None,
    against: Annotated[str, Query(pattern="^[0-9]{0,10}$")] = "",
    errors: Annotated[list[ErrorKind], Query(max_length=4)] = [],  # noqa: B006 - never changed
    forms: Annotated[list[Form], Query(max_length=10)] = [],  # noqa: B006 - never changed
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
