"""Runs as columns: codes and numbers, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ensue.errors import RunError
from ensue.evaluation.gold import LABELS, NONE, gold_of
from ensue.evaluation.verdicts import STATUSES, open_run, verdicts_on
from ensue.pairs import Label, Pair, RunHeader, Signature, write_run


def rows(run):
    """What batches say, as verdicts do."""
    found = []
    for batch in run.read(run):
        columns = (batch.ids.to_pylist(), batch.label, batch.status, batch.score, batch.confidence)
        for pair_id, label, status, *numbers in zip(*columns, strict=True):
            known = [None if math.isnan(number) else number for number in numbers]
            name = None if label == NONE else LABELS[label]
            found.append((pair_id.decode(), name, STATUSES[status], *known))
    return found


def expected(run):
    return [(v.pair_id, v.label, v.status.value, v.score, v.confidence) for v in run.verdicts]


@pytest.fixture
def run(make_run):
    return make_run("YECU-$!N", [0.1, 0.2, None, 0.4, None, None, None, 1.0], [None] * 7 + [-3.5])


def test_folder_of_verdicts_is_columns(run, write_folder, tmp_path):
    folder = write_folder(tmp_path / "run", run)
    opened = open_run(folder)
    assert rows(opened) == expected(run)
    assert (opened.ranked, opened.header.signature.recognizer) == (False, "overlap")
    assert opened.place(4) == f"{folder}/part-000001.parquet:2"


def test_folder_without_verdicts_is_columns(make_run, write_folder, tmp_path):
    opened = open_run(write_folder(tmp_path / "run", make_run("")))
    assert rows(opened) == []


def test_lines_of_verdicts_are_columns(run, tmp_path):
    write_run(tmp_path / "run.jsonl", RunHeader(Signature("overlap", "0.1.0")), run.verdicts)
    opened = open_run(tmp_path / "run.jsonl")
    assert rows(opened) == expected(run)
    assert opened.header.signature.recognizer == "overlap"
    assert opened.place(4) == f"{tmp_path}/run.jsonl:6"  # after the header


def test_ranked_lines_have_scores_by_their_order(make_pairs, tmp_path):
    (tmp_path / "run.txt").write_text("ranked: yes\n1 YES\n0 NO 0.5\n")
    verdicts = verdicts_on(gold_of(make_pairs("YN")), open_run(tmp_path / "run.txt"), scores=False)
    assert verdicts.ranked
    assert verdicts.score.tolist() == [0.5, 1.0]
    assert verdicts.confidence[0] == 0.5


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
        rows(open_run(folder))
    assert raised.value.place == f"{folder}/part-000001.parquet:1"


def test_id_that_utf_8_cannot_hold_is_an_id(tmp_path):
    (tmp_path / "run.jsonl").write_text('{"pair_id": "\\ud800", "label": "entailment"}\n')
    gold = gold_of([Pair("\ud800", "a text", "a text", Label.ENTAILMENT)])
    verdicts = verdicts_on(gold, open_run(tmp_path / "run.jsonl"))
    assert verdicts.label.tolist() == [LABELS.index(Label.ENTAILMENT)]
