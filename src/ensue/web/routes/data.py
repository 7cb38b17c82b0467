"""Data: upload pairs and runs; statistics, audit, and every pair to look at."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Form, Query, Response, UploadFile
from pydantic import Field

from ensue.corpora import Dataset, audit_datasets, data_statistics
from ensue.pairs import Label
from ensue.reports import audit_tables, statistics_tables
from ensue.web.access import Asking, Id, Number, PageNumber, Title, Who, uploaded
from ensue.web.pages import Content, Done, Pages, download, pairs_file
from ensue.workbench import (
    NO_GOLD,
    Filter,
    PairOutcome,
    add_dataset,
    add_run,
    datasets_for,
    find_dataset,
    kept_file,
    kept_pairs,
    look,
    remove_dataset,
    remove_run,
    runs_over,
    share_dataset,
)

PAGES = Pages("data")

_AUDITED = 20_000
"""Pairs up to which a page cross-validates the audit's baselines."""

PairId = Annotated[str, Field(max_length=255)]


@PAGES.page("/data", "data/list.html", who=Who.SIGNED_IN)
def data_sets(asked: Asking) -> Content:
    """Show the data sets that one may see."""
    return {"datasets": datasets_for(asked.workbench, asked.person)}


@PAGES.action("/data", who=Who.SIGNED_IN)
def upload_pairs(asked: Asking, file: UploadFile, name: Title = "") -> Done:
    """Take in the pairs of a file."""
    record = add_dataset(asked.workbench, asked.person, name, uploaded(file))
    return Done(f"/data/{record.id}", {"dataset": record})


@PAGES.page("/data/{data_id:int}", "data/show.html", who=Who.SIGNED_IN)
def data_set(asked: Asking, data_id: Id) -> Content:
    """Show what a data set is made of, and the runs over it."""
    record = find_dataset(asked.workbench, asked.person, data_id)
    with asked.workbench.database.reading() as session:
        statistics = data_statistics(kept_pairs(session, data_id))
    return {
        "dataset": record,
        "tables": statistics_tables(record.name, statistics),
        "runs": runs_over(asked.workbench, asked.person, data_id),
    }


@PAGES.page("/data/{data_id:int}/audit", "data/audit.html", who=Who.SIGNED_IN)
def data_audit(asked: Asking, data_id: Id) -> Content:
    """Show what is suspicious about a data set."""
    record = find_dataset(asked.workbench, asked.person, data_id)
    with asked.workbench.database.reading() as session:
        pairs = tuple(kept_pairs(session, data_id))
    dataset = Dataset(record.name, pairs, tuple(range(1, len(pairs) + 1)))
    audit = audit_datasets([dataset], baselines=len(pairs) <= _AUDITED)
    return {"dataset": record, "tables": audit_tables(audit), "n_errors": audit.n_errors}


@PAGES.page("/data/{data_id:int}/pairs", "data/pairs.html", who=Who.SIGNED_IN)
def data_pairs(
    asked: Asking,
    data_id: Id,
    gold: Annotated[str, Query(max_length=20)] = "",
    task: Annotated[str, Query(max_length=120)] = "",
    words: Annotated[str, Query(max_length=200)] = "",
    outcome: PairOutcome = PairOutcome.ANY,
    run: Annotated[list[Number], Query(max_length=8)] = [],  # noqa: B006 - never changed
    page: PageNumber = 1,
    id: Annotated[list[PairId], Query(max_length=50)] = [],  # noqa: B006 - never changed
) -> Content:
    """Show pairs, with what runs say beside gold."""
    record = find_dataset(asked.workbench, asked.person, data_id)
    runs = runs_over(asked.workbench, asked.person, data_id)
    chosen = [each for each in runs if each.id in run]
    wanted = Filter(gold, task, words, outcome if chosen else PairOutcome.ANY, page, tuple(id))
    found = look(asked.workbench, asked.person, data_id, wanted, [each.id for each in chosen])
    again = [("gold", gold), ("task", task), ("words", words), ("outcome", outcome.value)]
    again += [("run", str(each.id)) for each in chosen] + [("id", each) for each in id]
    return {
        "dataset": record,
        "filter": wanted,
        "found": found,
        "runs": runs,
        "chosen": chosen,
        "golds": [*(label.value for label in Label), NO_GOLD],
        "outcomes": [each.value for each in PairOutcome if each],
        "again": urlencode([(name, value) for name, value in again if value]),
    }


@PAGES.file("/data/{data_id:int}/pairs.jsonl", who=Who.SIGNED_IN)
def pairs_as_jsonl(asked: Asking, data_id: Id) -> Response:
    """Give the pairs as JSONL, to the letter."""
    return _pairs_file(asked, data_id, "jsonl")


@PAGES.file("/data/{data_id:int}/pairs.csv", who=Who.SIGNED_IN)
def pairs_as_csv(asked: Asking, data_id: Id) -> Response:
    """Give the pairs as CSV, in which nothing is a formula."""
    return _pairs_file(asked, data_id, "csv")


def _pairs_file(asked: Asking, data_id: int, kind: str) -> Response:
    record = find_dataset(asked.workbench, asked.person, data_id)
    with asked.workbench.database.reading() as session:
        return pairs_file(kept_pairs(session, record.id), f"pairs-{record.id}.{kind}")


@PAGES.file("/data/{data_id:int}/runs/{run_id:int}/file", who=Who.SIGNED_IN)
def run_file(asked: Asking, data_id: Id, run_id: Id) -> Response:
    """Give a run as it was uploaded."""
    find_dataset(asked.workbench, asked.person, data_id)
    content, kind = kept_file(asked.workbench, asked.person, run_id)
    return download(content, f"run-{run_id}.{kind}")


@PAGES.action("/data/{data_id:int}/runs", who=Who.SIGNED_IN)
def upload_run(asked: Asking, data_id: Id, file: UploadFile, name: Title = "") -> Done:
    """Take in a run over a data set."""
    record = add_run(asked.workbench, asked.person, data_id, name, uploaded(file))
    return Done(f"/data/{data_id}#runs", {"run": record})


@PAGES.action("/data/{data_id:int}/runs/{run_id:int}/remove", who=Who.SIGNED_IN)
def take_run_away(asked: Asking, data_id: Id, run_id: Id) -> Done:
    """Remove a run of one's own."""
    remove_run(asked.workbench, asked.person, run_id)
    return Done(f"/data/{data_id}#runs")


@PAGES.action("/data/{data_id:int}/share", who=Who.SIGNED_IN)
def share(asked: Asking, data_id: Id, shared: Annotated[bool, Form()] = False) -> Done:
    """Let everybody who signs in see a data set, or its owner alone."""
    share_dataset(asked.workbench, asked.person, data_id, shared=shared)
    return Done(f"/data/{data_id}")


@PAGES.action("/data/{data_id:int}/remove", who=Who.SIGNED_IN)
def take_data_away(asked: Asking, data_id: Id) -> Done:
    """Remove a data set with its runs."""
    remove_dataset(asked.workbench, asked.person, data_id)
    return Done("/data")
