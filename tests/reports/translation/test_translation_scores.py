import json
from dataclasses import dataclass

import pytest

from ensue.reports.page import write_page
from ensue.reports.text import tables_to_json
from ensue.reports.translation.ranks import score_report, score_summary_table
from ensue.translation.systems import SystemKey


@dataclass(frozen=True)
class Summary:
    key: SystemKey
    n_outputs: int
    means: tuple
    whole: tuple


ROWS = [
    Summary(SystemKey("cs-en", "A"), 10, (0.25, 2.0), (31.5, None)),
    Summary(SystemKey("cs-en", "B"), 10, (0.5, 1.0), (40.0, None)),
    Summary(SystemKey("", "A"), 8, (0.75, 3.0), (50.0, None)),
]


@pytest.fixture
def metrics(make_metric):
    return [make_metric("bleu", (), ()), make_metric("learned", (), ())]


def test_score_table_has_a_row_a_system_in_order(metrics, records):
    rows = records(score_summary_table(ROWS, metrics))
    assert rows[1] == {
        "language_pair": "cs-en",
        "system": "B",
        "outputs": 10,
        "bleu": 0.5,
        "bleu_corpus": 40.0,
        "learned": 1.0,
    }
    assert [(row["language_pair"], row["system"]) for row in rows] == [
        ("cs-en", "A"),
        ("cs-en", "B"),
        (None, "A"),
    ]


def test_score_table_names_metrics_without_a_corpus_score(metrics):
    notes = score_summary_table(ROWS, metrics).notes
    assert notes[-1] == "without a corpus score, since segments do not sum: learned"


def test_score_table_of_nothing_is_empty(metrics, records):
    assert records(score_summary_table([], metrics)) == []


def test_score_table_is_strict_json(metrics):
    found = tables_to_json([score_summary_table(ROWS, metrics)])
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_score_report_draws_each_metric_with_the_best_system_first(metrics):
    pictures = score_report(ROWS, metrics, name="small").sections[1].parts
    panels = [picture.spec["concat"][0]["data"]["values"] for picture in pictures]
    assert [[row["place"] for row in panel] for panel in panels] == [["B", "A"], ["A", "B"]]


def test_score_report_is_a_page(metrics, tmp_path):
    write_page(tmp_path / "scores.html", score_report(ROWS, metrics, name="small"))
    page = (tmp_path / "scores.html").read_text("utf-8")
    assert page.count("<svg") == 2
    assert "metric: bleu: bleu|made-up" in page


def test_score_report_of_nothing_has_no_picture(metrics):
    assert len(score_report([], metrics, name="small").sections) == 1


def test_answer_names_the_best_of_each_metric(metrics):
    # means of A and B in cs-en: 0.25 and 0.5, 2.0 and 1.0
    assert score_report(ROWS[:2], metrics, name="small").answer == (
        f"{metrics[0].name} gives the best mean to B in cs-en;"
        f" {metrics[1].name} gives the best mean to A in cs-en."
    )
    assert score_report([], metrics, name="small").answer == "No system was scored."
