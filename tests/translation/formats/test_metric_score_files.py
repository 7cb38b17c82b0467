"""Scores of metrics, read and written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.errors import DataError, OutputError, SettingError
from ensue.files import RowFormat, open_output
from ensue.translation.formats.scores import (
    read_all_scores,
    score_bytes,
    score_format,
    score_head,
)
from ensue.translation.systems import MetricScores, OutputKey

KEYS = (OutputKey("de-en", "1", "a"), OutputKey("de-en", "2", "b"))
ENDS = [".jsonl", ".csv", ".tsv", ".seg", ".jsonl.gz", ".csv.gz", ".parquet"]


def metric(name="m", values=(0.1, -2.5), keys=KEYS, signature="") -> MetricScores:
    return MetricScores(name, keys, np.array(values), signature)


def write_scores(path, scores, format=None, **settings) -> None:
    """Write scores as the job does: a head, and the bytes of each batch."""
    kind = score_format(path, format)
    content = score_head([(each.name, each.signature) for each in scores], kind)
    values = np.column_stack([each.values for each in scores])
    names = [each.name for each in scores]
    content += score_bytes(names, scores[0].outputs, values, kind, **settings)
    with open_output(path) as file:
        file.write(content)


def content(scores: MetricScores) -> tuple[str, dict[OutputKey, float]]:
    return scores.name, scores.by_output()


@pytest.mark.parametrize("end", ENDS)
def test_scores_of_one_metric_come_back(tmp_path, end):
    write_scores(tmp_path / f"m{end}", [metric()])
    assert content(read_all_scores(tmp_path / f"m{end}")[0]) == content(metric())


@pytest.mark.parametrize("end", ENDS)
def test_scores_of_several_metrics_come_back(tmp_path, end):
    scores = [metric("m"), metric("n", (7.0, -2.5))]
    write_scores(tmp_path / f"s{end}", scores)
    found = read_all_scores(tmp_path / f"s{end}")
    assert [content(each) for each in found] == [content(each) for each in scores]


def test_batches_are_written_as_the_whole_is(tmp_path):
    scores = metric("m")
    write_scores(tmp_path / "whole.tsv", [scores])
    parts = [
        score_bytes(["m"], (key,), scores.values[[i], None], RowFormat.TSV)
        for i, key in enumerate(scores.outputs)
    ]
    head = score_head([("m", "")], RowFormat.TSV)
    assert b"".join([head, *parts]) == (tmp_path / "whole.tsv").read_bytes()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_scores_come_back_to_the_bit(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("scores") / "m.csv"
    keys = tuple(OutputKey("", str(i), "a") for i in range(len(values)))
    write_scores(path, [metric(values=values, keys=keys)])
    assert read_all_scores(path)[0].values.tolist() == values


def test_signature_comes_back_from_jsonl(tmp_path):
    write_scores(tmp_path / "s.jsonl", [metric("m", signature="m|v:1")])
    found = read_all_scores(tmp_path / "s.jsonl")[0]
    assert (found.name, found.signature) == ("m", "m|v:1")


def test_columns_are_the_documented_ones(tmp_path):
    write_scores(tmp_path / "s.csv", [metric()])
    assert (tmp_path / "s.csv").read_text() == (
        "language_pair,segment,system,score\nde-en,1,a,0.1\nde-en,2,b,-2.5\n"
    )


def test_format_of_wmt_is_as_its_task_has_it(tmp_path):
    keys = (OutputKey("de-en", "set:1", "a"), OutputKey("de-en", "2", "b"))
    write_scores(tmp_path / "s", [metric(keys=keys)], "wmt", test_set="other")
    assert (tmp_path / "s").read_text() == "m\tde-en\tset\ta\t1\t0.1\nm\tde-en\tother\tb\t2\t-2.5\n"
    assert read_all_scores(tmp_path / "s")[0].outputs == (
        OutputKey("de-en", "set:1", "a"),
        OutputKey("de-en", "other:2", "b"),
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("s.csv", "language_pair,segment,system,score\nde-en,1,a,x\n", "s.csv:2: the score is no"),
        ("s.csv", "language_pair,segment,system,score\nde-en,1,a,nan\n", "no finite number: 'nan'"),
        ("s.csv", "segment,system,score\n1,a,1\n1,a,2\n", "s.csv:3: a second score of 's'"),
        ("s.csv", "segment,system,score\n", "there are no scores in this file"),
        ("s.csv", "segment,score\n1,1\n", "s.csv:2: this row has no 'system'"),
        ("s.seg", "m\tde-en\tset\ta\t1\n", "s.seg:1: 5 fields in this line, not 6"),
        ("s.jsonl", '{"metrics": 3}\n', "s.jsonl:1: broken header: 3"),
    ],
)
def test_scores_that_make_no_sense_are_refused(written, name, text, message):
    with pytest.raises(DataError, match=message):
        read_all_scores(written(name, text))[0]


@pytest.mark.parametrize(
    ("scores", "format", "error", "message"),
    [
        ([], None, SettingError, "there are no scores to write"),
        ([metric(), metric()], None, SettingError, "two metrics are called 'm'"),
        ([metric(), metric("system")], None, SettingError, "cannot be called 'system'"),
        ([metric()], "xml", SettingError, "no format of scores is called 'xml'"),
        ([metric(values=(1.0, np.nan))], None, OutputError, "is not finite: nan"),
        ([metric("a\tb"), metric()], "tsv", OutputError, "holds a tab or a line break"),
    ],
)
def test_scores_that_cannot_be_written_are_refused(tmp_path, scores, format, error, message):
    with pytest.raises(error, match=message):
        write_scores(tmp_path / "s.csv", scores, format)
    assert not (tmp_path / "s.csv").exists()
