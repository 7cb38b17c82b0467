import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest

from ensue.errors import SettingError, UnknownNameError
from ensue.paraphrase.correlation import correlate_lists
from ensue.paraphrase.list_scores import ListScores, ScoreVariable
from ensue.paraphrase.lists import ListKey
from ensue.reports.model import Interval, Table
from ensue.reports.page import render_page
from ensue.reports.paraphrase.correlation import (
    correlation_picture,
    correlation_report,
    correlation_tables,
)
from ensue.reports.pictures import render
from ensue.reports.pictures.plots import Point, ScatterPanel, fitted_line, scatter_picture
from ensue.reports.text import tables_to_json, write_tables
from ensue.statistics.correlation import Coefficient
from ensue.statistics.resampling import Resampling

N_TERMS = 8
MEASURES = ("EP", "EPR", "DIMPLE")


def made_up(seed=0):
    """Two qualities, three measures at two k; lists of the first term lack a number in rte."""
    rng = np.random.default_rng(seed)
    keys = tuple(ListKey(f"term {i}", method) for i in range(N_TERMS) for method in ("one", "two"))
    good = rng.normal(size=len(keys))
    intrinsic = {
        ScoreVariable(measure, k, quality): good + rng.normal(size=len(keys)) * 2 / (i + 1)
        for quality in ("lenient", "strict")
        for k in (1, 10)
        for i, measure in enumerate(MEASURES)
    }
    tasks = {task: good + rng.normal(size=len(keys)) / 2 for task in ("msrpc", "rte")}
    tasks["rte"][:2] = np.nan
    return ListScores(keys, intrinsic, tasks)


def with_gaps():
    """Constants, tasks without numbers, performance that is the same for all lists of a term."""
    scores = made_up()
    lacking = {ScoreVariable("flat", 10, "strict"): np.full(2 * N_TERMS, 0.5)}
    lacking |= {ScoreVariable("outside"): np.arange(2.0 * N_TERMS)}
    tasks = {
        **scores.extrinsic,
        "constant": np.full(2 * N_TERMS, 0.25),
        "nowhere": np.full(2 * N_TERMS, np.nan),
        "unigrams": np.repeat(np.arange(N_TERMS) / N_TERMS, 2),
        "two": np.r_[1.0, 2.0, np.full(2 * N_TERMS - 2, np.nan)],
    }
    return ListScores(scores.keys, {**scores.intrinsic, **lacking}, tasks)


@pytest.fixture(scope="module")
def found():
    return correlate_lists(made_up(), resampling=Resampling(draws=20))


@pytest.fixture(scope="module")
def gaps():
    return correlate_lists(with_gaps(), resampling=Resampling(draws=20))


@pytest.fixture(scope="module")
def tables(found):
    return {table.name: table for table in correlation_tables(found)}


def records(table):
    return tables_to_json([table])[table.name]["rows"]


def cells(table):
    for row in table.rows:
        for cell in row:
            yield from (cell.value, cell.low, cell.high) if isinstance(cell, Interval) else [cell]


def panel(points, title="DIMPLE and rte"):
    return ScatterPanel(title, "r = 0.50", "DIMPLE", "performance", points)


def test_tables_have_the_layout_of_the_paper(found, tables):
    table = tables["pearson_strict"]
    assert [column.name for column in table.columns] == [
        "task",
        *(f"{measure}_{k}" for measure in MEASURES for k in (1, 10)),
    ]
    assert [row[0] for row in table.rows] == ["msrpc", "rte"]
    one = found.of("rte", ScoreVariable("DIMPLE", 10, "strict")).coefficients[Coefficient.PEARSON]
    assert table.rows[1][-1] == one.estimate.value


def test_p_table_has_the_same_layout(found, tables):
    table = tables["pearson_p_lenient"]
    assert [column.name for column in table.columns] == [
        column.name for column in tables["pearson_lenient"].columns
    ]
    one = found.of("msrpc", ScoreVariable("EP", 1, "lenient")).coefficients[Coefficient.PEARSON]
    assert table.rows[0][1] == one.p


def test_every_coefficient_has_its_tables(tables):
    assert {f"{each}_{quality}" for each in Coefficient for quality in ("lenient", "strict")} | {
        f"{each}_p_strict" for each in Coefficient
    } | {"within_strict", "correlations", "differences", "tasks"} <= tables.keys()


def test_note_names_what_is_significant(found, tables):
    names = [
        f"{each.task} {each.variable.column}"
        for each in found.correlations
        if each.variable.quality == "strict" and each.coefficients[Coefficient.PEARSON].significant
    ]
    (note,) = [note for note in tables["pearson_strict"].notes if note.startswith("significant")]
    assert note.startswith("significant (two-sided p < 0.01): ")
    assert set(note.split(": ")[1].split(", ")) == set(names)
    assert len(names) > 0


def test_note_counts_lists_and_terms_of_each_task(tables):
    assert "msrpc: over 16 lists of 8 terms; rte: over 14 lists of 7 terms" in (
        tables["pearson_strict"].notes
    )


def test_note_says_once_why_a_task_has_no_correlation(gaps):
    tables = {table.name: table for table in correlation_tables(gaps)}
    reason = "performance on constant is 0.25 for all 16 lists"
    assert f"constant: {reason}" in tables["pearson_lenient"].notes
    # one measure is constant itself, and so the others are named
    (note,) = [note for note in tables["pearson_strict"].notes if note.endswith(reason)]
    assert note.startswith("constant EP_1, constant EP_10, ")


def test_correlations_table_has_a_row_for_each_task_variable_and_coefficient(found, tables):
    rows = records(tables["correlations"])
    assert len(rows) == 2 * 12 * 3
    one = found.correlations[-1]
    (row,) = [
        row
        for row in rows
        if (row["task"], row["measure"], row["k"], row["quality"], row["coefficient"])
        == (one.task, one.variable.measure, one.variable.k, "strict", "pearson")
    ]
    pearson = one.coefficients[Coefficient.PEARSON]
    assert row["value"] == {
        "value": pearson.estimate.value,
        "low": pearson.estimate.low,
        "high": pearson.estimate.high,
    }
    assert (row["n"], row["left_out"], row["terms"]) == (14, 2, 7)
    assert row["within"]["value"] == one.within.estimate.value
    assert (row["p"], row["within_p"], row["undefined"]) == (pearson.p, one.within.p, None)


def test_correlations_table_has_what_is_within_terms_beside_pearson_only(tables):
    for row in records(tables["correlations"]):
        assert (row["within"]["value"] is None) == (row["coefficient"] != "pearson")


def test_correlations_table_says_why_a_number_is_undefined(gaps):
    rows = records({table.name: table for table in correlation_tables(gaps)}["correlations"])

    def reasons(**wanted):
        chosen = [row for row in rows if wanted.items() <= row.items()]
        return {row["undefined"] for row in chosen if row["coefficient"] == "pearson"}

    assert reasons(task="constant") == {
        "performance on constant is 0.25 for all 16 lists",
        "flat_10 (strict) is 0.5 for all 16 lists",
    }
    assert reasons(task="two") == {
        "2 lists have the numbers that a correlation takes from at least 3"
    }
    assert reasons(task="unigrams", measure="EP") == {
        "within terms: one of the two does not vary within terms"
    }


def test_differences_table_has_both_correlations_and_all_tests(found, tables):
    one = found.differences[0]
    row = records(tables["differences"])[0]
    assert (row["task"], row["first"], row["second"]) == ("msrpc", "EP", "EPR")
    assert (row["k"], row["quality"], row["n"]) == (1, "lenient", 16)
    assert (row["first_r"], row["second_r"], row["between"]) == (
        one.first_r,
        one.second_r,
        one.between,
    )
    assert (row["t"], row["p"], row["p_holm"]) == (one.williams.t, one.williams.p, one.p_holm)
    assert (row["steiger_z"], row["meng_p"]) == (one.steiger.z, one.meng.p)
    assert (row["difference"]["low"], row["difference"]["high"]) == one.zou
    assert (row["bootstrap"]["low"], row["p_bootstrap"]) == (one.bootstrap.low, one.bootstrap.p)


def test_difference_of_unlike_variables_names_them_in_full():
    found = correlate_lists(made_up(), resampling=Resampling(draws=0), every_couple=True)
    (table,) = [table for table in correlation_tables(found) if table.name == "differences"]
    rows = {(row["first"], row["second"]): row for row in records(table)}
    assert rows["EP", "EPR"]["k"] is not None
    unlike = rows["EP_1 (lenient)", "EP_10 (strict)"]
    assert (unlike["k"], unlike["quality"]) == (None, None)


def test_people_see_the_largest_k_of_many(found):
    tables = {table.name: table for table in correlation_tables(found, every=False)}
    for name, n_all in (("correlations", 72), ("differences", 24)):
        assert {row["k"] for row in records(tables[name])} == {10}
        assert any(note.startswith(f"of {n_all} ") for note in tables[name].notes)
    assert "spearman_p_strict" not in tables


def test_people_see_all_of_few():
    scores = made_up()
    few = {key: column for key, column in scores.intrinsic.items() if key.measure == "EP"}
    found = correlate_lists(
        ListScores(scores.keys, few, scores.extrinsic), resampling=Resampling(draws=0)
    )
    tables = {table.name: table for table in correlation_tables(found, every=False)}
    assert {row["k"] for row in records(tables["correlations"])} == {1, 10}
    assert "differences" not in tables


def test_tasks_table_counts_what_is_left_out(tables):
    msrpc, rte = records(tables["tasks"])
    assert (msrpc["lists"], msrpc["left_out"], msrpc["terms"], msrpc["methods"]) == (16, 0, 8, 2)
    assert (rte["lists"], rte["left_out"], rte["terms"]) == (14, 2, 7)
    assert 0 <= rte["between_terms"] <= 1


def test_tasks_table_of_unigrams_has_all_variance_between_terms(gaps):
    rows = records({table.name: table for table in correlation_tables(gaps)}["tasks"])
    shares = {row["task"]: row["between_terms"] for row in rows}
    assert shares["unigrams"] == pytest.approx(1)
    assert shares["constant"] is None


@pytest.mark.parametrize("every", [True, False])
def test_no_cell_is_nan_or_infinite(found, gaps, every):
    for each in (found, gaps):
        for table in correlation_tables(each, every=every):
            numbers = [cell for cell in cells(table) if isinstance(cell, float)]
            assert all(map(math.isfinite, numbers)), table.name
            assert all(len(row) == len(table.columns) for row in table.rows), table.name


def test_tables_are_strict_json(gaps):
    shown = tables_to_json(correlation_tables(gaps))
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown


@pytest.mark.parametrize("format", ["table", "json", "jsonl", "csv"])
def test_tables_can_be_written_without_nan(gaps, tmp_path, format):
    path = tmp_path / "correlations"
    write_tables(correlation_tables(gaps), output=str(path), format=format)
    assert "nan" not in path.read_text("utf-8").lower()


def test_quality_free_scores_have_tables_of_their_own(gaps):
    tables = {table.name: table for table in correlation_tables(gaps)}
    assert [column.name for column in tables["pearson"].columns] == ["task", "outside"]


def test_table_of_one_term_says_why_there_are_no_intervals():
    keys = tuple(ListKey("killed", method) for method in "ABCDE")
    scores = ListScores(keys, {ScoreVariable("EP"): np.arange(5.0)}, {"rte": np.arange(5.0) ** 2})
    tables = {
        t.name: t
        for t in correlation_tables(correlate_lists(scores, resampling=Resampling(draws=20)))
    }
    assert "no intervals: all lists are of one term, and terms are drawn" in (
        tables["correlations"].notes
    )


def test_picture_has_a_panel_for_each_task_and_measure(found):
    spec = correlation_picture(found, quality="strict").spec
    assert [each["title"]["text"] for each in spec["concat"]] == [
        f"{measure}_10 and {task}" for task in ("msrpc", "rte") for measure in MEASURES
    ]
    assert spec["columns"] == 3
    assert spec["concat"][-1]["title"]["subtitle"].endswith(", n = 14")
    assert len(spec["concat"][-1]["data"]["values"]) == 14


def test_picture_of_another_k_is_drawn_on_request(found):
    spec = correlation_picture(found, k=1).spec
    assert spec["concat"][0]["title"]["text"] == "EP_1 and msrpc"


def test_picture_of_a_k_that_is_not_there_is_refused(found):
    with pytest.raises(SettingError, match="nothing was scored at k = 7\nhint: there are: 1, 10"):
        correlation_picture(found, k=7)


def test_picture_of_a_quality_that_is_not_there_is_refused(found):
    with pytest.raises(UnknownNameError, match="no quality is called 'stric'"):
        correlation_picture(found, quality="stric")


def test_panel_without_correlation_has_no_line(gaps):
    made = correlation_picture(gaps, quality="strict").spec["concat"]
    for each in made:
        none = each["title"]["subtitle"].startswith("no correlation")
        assert len(each["layer"]) == (1 if none else 2)


def test_picture_of_gaps_can_be_drawn(gaps):
    picture = correlation_picture(gaps, quality="strict")
    assert ElementTree.fromstring(render(picture, "svg")).tag.endswith("svg")
    subtitles = {each["title"]["subtitle"] for each in picture.spec["concat"]}
    assert {"no correlation, n = 0", "no correlation, n = 2", "no correlation, n = 16"} <= subtitles


def test_report_is_a_page_with_a_picture_for_each_quality(found):
    report = correlation_report(found, name="made up")
    page = render_page(report)
    assert page.count("<svg") == 2
    assert [section.title for section in report.sections][-2:] == [
        "Do measures differ?",
        "What was correlated",
    ]
    assert "resampled: terms, draws: 20, seed: 0" in report.signature


def test_report_shows_findings(gaps):
    *_, last = correlation_report(gaps, name="made up").sections
    assert [part.name for part in last.parts if isinstance(part, Table)] == ["tasks", "findings"]


def test_report_of_scores_without_k_needs_none():
    scores = made_up()
    columns = {
        ScoreVariable("length"): np.arange(16.0),
        ScoreVariable("width"): np.arange(16.0) % 5,
    }
    found = correlate_lists(
        ListScores(scores.keys, columns, scores.extrinsic), resampling=Resampling(draws=0)
    )
    assert render_page(correlation_report(found, name="made up", k=5)).count("<svg") == 1


def test_fitted_line_is_that_of_least_squares():
    # x̄ = 1, ȳ = 2, slope (−1·−1 + 0·−1 + 1·2) / 2 = 1.5
    points = [Point(0, 1, "", ""), Point(1, 1, "", ""), Point(2, 4, "", "")]
    assert fitted_line(points) == ((0, 0.5), (2, 3.5))


@pytest.mark.parametrize("points", [[], [Point(1, 2, "", "a"), Point(1, 3, "", "b")]])
def test_points_with_one_x_have_no_line(points):
    assert fitted_line(points) is None
    (layer,) = scatter_picture([panel(points)], title="t", name="n").spec["concat"][0]["layer"]
    assert layer["mark"]["type"] == "point"


def test_point_tells_its_list():
    spec = scatter_picture([panel([Point(1, 2, "PD", "killed")])], title="t", name="n").spec
    assert spec["concat"][0]["data"]["values"][0]["label"] == "killed (PD)"
    assert spec["concat"][0]["layer"][-1]["encoding"]["tooltip"][0]["field"] == "label"


def test_panels_with_the_same_axis_show_the_same_stretch():
    panels = [panel([Point(0, 5, "", "")]), panel([Point(9, 7, "", "")])]
    made = scatter_picture(panels, title="t", name="n").spec["concat"]
    domains = [each["layer"][-1]["encoding"]["x"]["scale"]["domain"] for each in made]
    assert domains[0] == domains[1]
    assert domains[0][0] < 0 < 9 < domains[0][1]


def test_many_methods_differ_in_shape_where_colors_end():
    points = [Point(i, i, f"method {i}", "killed") for i in range(9)]
    picture = scatter_picture([panel(points)], title="t", name="n")
    shapes = picture.spec["concat"][0]["layer"][-1]["encoding"]["shape"]["scale"]["range"]
    assert (shapes[0], shapes[7]) == ("circle", "square")
    assert ElementTree.fromstring(render(picture, "svg")).tag.endswith("svg")


def test_answer_names_the_best_score_of_each_task_and_counts_the_significant(gaps):
    bare = correlate_lists(made_up(), resampling=Resampling(draws=0))
    first = correlation_report(bare, name="made up").answer.partition(". ")[0]
    assert first == (
        "With msrpc, DIMPLE_10 (strict) goes best, Pearson's r 0.86 (p < 0.0001); 8 of 12 scores"
        " are significant (p < 0.01)"
    )
    assert "With nowhere, no score has a correlation." in correlation_report(gaps, name="x").answer
