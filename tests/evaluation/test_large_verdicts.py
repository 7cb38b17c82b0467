"""Runs as columns: codes and numbers, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ensue.errors import RunError
from ensue.evaluation.judged_runs import STATUSES
from ensue.evaluation.large.columns import LABELS, NONE
from ensue.evaluation.large.verdicts import verdict_columns
from ensue.pairs import RunHeader, Signature, write_run

NAMES = ("id", "label", "status", "score", "confidence")


def rows(columns):
    """What columns say, as verdicts do."""
    found = []
    for batch in columns.read():
        for pair_id, label, status, *numbers in zip(
            *(batch.column(name).to_pylist() for name in NAMES), strict=True
        ):
            known = [None if math.isnan(number) else number for number in numbers]
            found.append(
                (pair_id, None if label == NONE else LABELS[label], STATUSES[status], *known)
            )
    return found


def expected(run):
    return [(v.pair_id, v.label, v.status.value, v.score, v.confidence) for v in run.verdicts]


@pytest.fixture
def run(make_run):
    return make_run("YECU-$!N", [0.1, 0.2, None, 0.4, None, None, None, 1.0], [None] * 7 + [-3.5])


def test_folder_of_verdicts_is_columns(run, write_folder, tmp_path):
    folder = write_folder(tmp_path / "run", run)
    columns = verdict_columns(folder, tmp_path / "spool")
    assert rows(columns) == rows(columns) == expected(run)
    assert (columns.n_rows, columns.ranked, columns.header.signature.recognizer) == (
        8,
        False,
        "overlap",
    )
    assert columns.place(4) == f"{folder}/part-000001.parquet:2"


def test_folder_without_verdicts_is_columns(make_run, write_folder, tmp_path):
    columns = verdict_columns(write_folder(tmp_path / "run", make_run("")), tmp_path / "spool")
    assert (rows(columns), columns.n_rows) == ([], 0)


def test_lines_of_verdicts_are_columns(run, tmp_path):
    write_run(tmp_path / "run.jsonl", RunHeader(Signature("overlap", "0.1.0")), run.verdicts)
    columns = verdict_columns(tmp_path / "run.jsonl", tmp_path / "spool")
    assert rows(columns) == rows(columns) == expected(run)
    assert columns.header.signature.recognizer == "overlap"
    assert columns.place(4) == f"{tmp_path}/run.jsonl:6"  # after the header


def test_ranked_lines_have_scores_by_their_order(tmp_path):
    (tmp_path / "run.txt").write_text("ranked: yes\n7 YES\n8 NO 0.5\n")
    columns = verdict_columns(tmp_path / "run.txt", tmp_path / "spool")
    assert columns.ranked
    assert rows(columns) == [
        ("7", "entailment", "decided", 1.0, None),
        ("8", "not-entailment", "decided", 0.5, 0.5),
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"pair_id": ["0", "1", "2", None]}, "there is no pair_id"),
        ({"confidence": [None, None, None, 1.5]}, "confidence is not in"),
        ({"confidence": [None, None, None, -0.5]}, "confidence is not in"),
        ({"score": [None, None, None, math.nan]}, "score is not a finite number"),
        ({"score": [None, None, None, math.inf]}, "score is not a finite number"),
        ({"label": ["entailment"] * 3 + ["maybe"]}, "unknown label 'maybe'"),
        ({"status": ["decided"] * 3 + ["asleep"]}, "unknown status 'asleep'"),
        ({"status": ["decided"] * 3 + [None]}, "label and status do not go together"),
        ({"status": ["decided"] * 3 + ["failed"]}, "label and status do not go together"),
        ({"label": ["entailment"] * 3 + [None]}, "label and status do not go together"),
    ],
)
def test_verdict_out_of_range_is_refused_at_its_place(
    make_run, write_folder, tmp_path, columns, message
):
    run = replace(make_run("YYYY"), name="run")
    folder = write_folder(tmp_path / "run", run, columns=columns)
    with pytest.raises(RunError, match=message) as raised:
        rows(verdict_columns(folder, tmp_path / "spool"))
    assert raised.value.place == f"{folder}/part-000001.parquet:1"


def test_id_that_utf_8_cannot_hold_is_an_error(tmp_path):
    (tmp_path / "run.jsonl").write_text('{"pair_id": "\\ud800", "label": "entailment"}\n')
    with pytest.raises(Exception, match="an id is no text that UTF-8 can hold"):
        verdict_columns(tmp_path / "run.jsonl", tmp_path / "spool")
