from ensue.reports.contents.translation import SystemSummary, score_report, score_summary_table
from ensue.reports.page import write_page

ROWS = [
    SystemSummary("cs-en", "A", 10, 0.25, 31.5),
    SystemSummary("cs-en", "B", 10, 0.5, 40.0),
    SystemSummary("de-en", "A", 0, None, None),
]


def test_score_table_has_a_row_a_system_in_order(records):
    table = score_summary_table(ROWS, metric="some")
    assert records(table)[1] == {
        "language_pair": "cs-en",
        "system": "B",
        "outputs": 10,
        "mean": 0.5,
        "corpus": 40.0,
    }
    assert [row["system"] for row in records(table)] == ["A", "B", "A"]


def test_score_table_gives_a_dash_and_the_reason_without_outputs(records):
    table = score_summary_table(ROWS, metric="some")
    assert records(table)[2]["mean"] is None
    assert table.notes == ["no mean: the system has no output"]


def test_score_table_says_that_a_metric_has_no_corpus_score():
    rows = [SystemSummary("", "A", 10, 0.25, None)]
    table = score_summary_table(rows, metric="some")
    assert table.notes == ["some has no corpus score: its segments' scores do not sum"]


def test_score_report_is_a_page_with_the_best_system_first(tmp_path):
    report = score_report(ROWS, metric="some", signature="some|made-up")
    picture = report.sections[0].parts[0]
    first = picture.spec["concat"][0]
    assert [row["place"] for row in first["data"]["values"]] == ["B", "A"]
    write_page(tmp_path / "scores.html", report)
    page = (tmp_path / "scores.html").read_text("utf-8")
    assert page.count("<svg") == 1
    assert "some|made-up" in page
