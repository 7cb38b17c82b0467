"""What holds of all tables and pages of patterns; of what they say, the files beside this one."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.pairs import Label, Pair
from ensue.paraphrase.evaluation import judge_agreement
from ensue.paraphrase.lists import ListKey, PatternJudgments, RankedLists, Strictness
from ensue.paraphrase.recognition import RecognitionSummary, Task, recognize
from ensue.paraphrase.scores import (
    ScoreSettings,
    Short,
    Unjudged,
    curves_over_k,
    score,
    score_intervals,
)
from ensue.paraphrase.scores.reranking import rerank
from ensue.reports.model import Column, Interval, Table, dash_notes
from ensue.reports.page import render_page
from ensue.reports.paraphrase.agreement import judge_tables
from ensue.reports.paraphrase.means import column_keys, score_picture
from ensue.reports.paraphrase.recognition import (
    recognition_picture,
    recognition_report,
    recognition_tables,
)
from ensue.reports.paraphrase.scores import reranking_table, score_report, score_tables
from ensue.reports.pictures import render
from ensue.reports.pictures.curves import EstimateCurve, PlotFrame, line_picture
from ensue.reports.text import write_tables
from ensue.statistics.resampling import Estimate, Resampling

KEYS = [ListKey(term, method) for term in ("ended", "grew", "sang") for method in ("", "b")]
PARAPHRASES = ["stopped", "of the", "ending soon", "rose", "ended"]


def random_lists(seed):
    """Lists of any length, also of none, with labels that may be missing."""
    rng = np.random.default_rng(seed)
    content = {
        key: [str(each) for each in rng.choice(PARAPHRASES, rng.integers(0, 5), replace=False)]
        for key in KEYS
    }
    n = sum(map(len, content.values()))
    labels = {each: rng.integers(-1, 2, (n, 2)).astype(np.int8) for each in Strictness}
    labels[Strictness.STRICT][:1], labels[Strictness.LENIENT][:1] = 1, 1
    return RankedLists.of(content, name="made", judgments=PatternJudgments(("x", "y"), labels))


def scores_of(lists, draws=10):
    settings = ScoreSettings(ks=(1, 3), unjudged=Unjudged.SKIP, short=Short.AVAILABLE)
    return {
        each.value: score_intervals(
            score(lists, settings, f"judges:{each.value}"), resampling=Resampling(draws=draws)
        )
        for each in Strictness
    }


def recognition_of(lists):
    pairs = [
        Pair("1", "The strike ended", "The strike stopped", Label.ENTAILMENT),
        Pair("2", "Sales grew", "Sales rose", Label.NOT_ENTAILMENT),
    ]
    return recognize(lists, [Task.of("a b", pairs[:1]), Task.of("A-B", pairs)])


def all_tables(lists, every):
    quality = np.linspace(0, 1, lists.n_patterns)
    return [
        recognition_tables(
            RecognitionSummary.of(recognition_of(lists), Resampling(draws=10)),
            every=every,
            pairs=True,
        ),
        score_tables(scores_of(lists), every=every),
        judge_tables(judge_agreement(lists, resampling=Resampling(draws=10)), every=every),
        [reranking_table(rerank(lists, quality), every=every)],
    ]


def numbers(table):
    for row in table.rows:
        for cell in row:
            yield from (cell.value, cell.low, cell.high) if isinstance(cell, Interval) else [cell]


@pytest.mark.parametrize("every", [True, False])
@given(seed=st.integers(0, 10_000))
def test_tables_hold_no_nan_whatever_is_lacking(every, seed):
    lists = random_lists(seed)
    if lists.n_patterns:
        for table in (each for tables in all_tables(lists, every) for each in tables):
            assert not any(isinstance(n, float) and not math.isfinite(n) for n in numbers(table))
            assert all(len(row) == len(table.columns) for row in table.rows)


@pytest.mark.parametrize("every", [True, False])
def test_columns_have_distinct_keys_in_snake_case(every):
    for tables in all_tables(random_lists(1), every):
        assert len({table.name for table in tables}) == len(tables)
        for table in tables:
            names = [column.name for column in table.columns]
            assert len(set(names)) == len(names)
            assert all(re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", name) for name in names)


@pytest.mark.parametrize("format", ["table", "json", "jsonl", "csv"])
def test_tables_are_written_in_every_format(tmp_path, format):
    for i, tables in enumerate(all_tables(random_lists(2), every=format != "table")):
        write_tables(tables, output=str(tmp_path / str(i)), format=format)
        assert "nan" not in (tmp_path / str(i)).read_text(encoding="utf-8").lower().split()


def test_pages_render():
    lists = random_lists(3)
    page = render_page(score_report(scores_of(lists)))
    assert "Why lists have their scores" in page
    page = render_page(
        recognition_report(RecognitionSummary.of(recognition_of(lists), Resampling(draws=10)))
    )
    assert "What made recognizes" in page


def test_page_of_lists_without_patterns_renders():
    lists = RankedLists.of({KEYS[0]: [], KEYS[2]: []}, columns={"good": np.empty(0)})
    settings = ScoreSettings(short=Short.AVAILABLE)
    found = {
        "good": score_intervals(
            score(lists, settings, "column:good"), resampling=Resampling(draws=5)
        )
    }
    page = render_page(score_report(found))
    assert "ended, grew: the list has no pattern" in page
    assert render(score_picture(curves_over_k(found)), "svg").startswith(b"<svg")


def test_pictures_render():
    lists = random_lists(4)
    for picture in (
        recognition_picture(RecognitionSummary.of(recognition_of(lists), Resampling(draws=10))),
        score_picture(curves_over_k(scores_of(lists))),
    ):
        assert render(picture, "png").startswith(b"\x89PNG")


def test_lines_leave_out_what_is_undefined():
    curve = EstimateCurve("a", [1, 2], [Estimate(0.25, 0.125, 0.5), Estimate(None, reason="none")])
    picture = line_picture({"": [curve]}, PlotFrame("k", "score"), title="t", name="n")
    assert picture.spec["data"]["values"] == [
        {"series": "a", "x": 1, "y": 0.25, "low": 0.125, "high": 0.5}
    ]


def test_lines_without_intervals_have_bands_of_no_width():
    curve = EstimateCurve("a", [1], [Estimate(0.25)])
    picture = line_picture({"": [curve]}, PlotFrame("k", "score"), title="t", name="n")
    (row,) = picture.spec["data"]["values"]
    assert row["low"] == row["high"] == 0.25


def test_cut_asks_for_no_more_rows_than_it_shows():
    def endless():
        while True:
            yield 1

    ones = [Column("one", get=lambda one: one)]
    table = Table.of("ones", "Ones", ones, endless(), every=False, most=3, n=10**6)
    assert table.rows == [[1], [1], [1]]
    assert table.notes == ["the first 3 of 1,000,000 rows; all are in JSON and CSV"]


def test_dash_notes_are_whole_for_programs():
    lacks = [(f"n{i}", f"r{i % 8}") for i in range(80)]
    assert len(dash_notes(lacks, every=True)) == 8
    few = dash_notes(lacks, every=False)
    assert few[0] == "n0, n8, n16, n24, n32 and 5 more: r0"
    assert few[-1] == "2 more reasons for dashes; all are in JSON and CSV"


@given(st.lists(st.text(max_size=4), max_size=6))
def test_column_keys_differ(names):
    keys = column_keys(names)
    assert len(set(keys)) == len(names)
