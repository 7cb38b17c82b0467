import json
import re

import numpy as np
import pytest

from ensue.features import FEATURES, NAMES as ENTAILMENT_NAMES
from ensue.reports import tables_to_json
from ensue.reports.model import Interval
from ensue.reports.page import render_page
from ensue.reports.pictures import render
from ensue.reports.translation.weights import weight_picture, weight_tables, weights_report
from ensue.translation.features.families import DIRECTED_NAMES as RTE_NAMES
from ensue.translation.metrics.weights import ModelWeights, WeightStudy

SURFACE = ("bleu-1", "nist-1", "ter-1")


def model(title, names, seed, unit="log odds that the output is preferred"):
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=len(names))
    draws = weights + rng.normal(size=(50, len(names))) * 0.3
    return ModelWeights(title, tuple(names), weights, draws, unit)


@pytest.fixture(scope="module")
def metrics():
    return [model("rte", RTE_NAMES, 0), model("comb", (*SURFACE, *RTE_NAMES), 1)]


@pytest.fixture(scope="module")
def recognizer():
    return model("features", ENTAILMENT_NAMES, 2, "log odds of entailment")


@pytest.fixture(scope="module")
def tables(metrics, recognizer):
    return {table.name: table for table in weight_tables(WeightStudy.of(metrics, recognizer))}


def rows_of(table):
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def test_weight_tables_are_these(tables):
    assert list(tables) == [
        "weight-groups",
        "weight-groups-rte",
        "weight-groups-comb",
        "weight-groups-features",
        "weight-directions",
        "weight-shares",
        "weights",
    ]


def test_side_by_side_has_a_row_for_each_group_of_any_model(tables, metrics, recognizer):
    rows = {row["group"]: row for row in rows_of(tables["weight-groups"])}
    assert len(rows) == 15 + 3
    assert (rows["root"]["rte_features"], rows["root"]["features_features"]) == (4, 2)
    places = [i for i, name in enumerate(RTE_NAMES) if ".root." in name]
    assert rows["root"]["rte_net"].value == pytest.approx(metrics[0].standardized[places].sum())
    assert rows["bleu"]["rte_net"] is None
    assert rows["bleu"]["comb_net"].value == metrics[1].standardized[0]


def test_group_table_has_both_directions_of_a_metric_and_one_of_the_recognizer(tables):
    assert len(tables["weight-groups-rte"].rows) == 15 * 3
    assert len(tables["weight-groups-comb"].rows) == 15 * 3 + 3
    assert len(tables["weight-groups-features"].rows) == 15


def test_direction_table_has_three_rows_for_a_feature(tables):
    rows = [
        row for row in rows_of(tables["weight-directions"]) if row["feature"] == "root.unaligned"
    ]
    assert [row["way"] for row in rows] == ["both", "forward", "backward"]
    assert {row["paper"] for row in rows} == {"negative"}
    assert [row["features_weight"] is None for row in rows] == [False, True, True]


def test_share_table_says_which_groups_the_paper_speaks_of(tables):
    spoken_of = {row["group"] for row in rows_of(tables["weight-shares"]) if row["paper"]}
    assert spoken_of == {"polarity", "quantifiers"}


def test_weight_table_sums_directions_beside_the_recognizer(tables, metrics, recognizer):
    rows = {(row["feature"], row["way"]): row for row in rows_of(tables["weights"])}
    assert len(rows) == len(FEATURES) * 3 + 3
    both, forward, backward = (rows["root.main", way] for way in ("both", "forward", "backward"))
    assert both["rte"].value == pytest.approx(forward["rte"].value + backward["rte"].value)
    place = ENTAILMENT_NAMES.index("root.main")
    assert both["features"].value == recognizer.standardized[place]
    assert forward["features"] is None


def test_weight_tables_without_a_recognizer_leave_its_columns_out(metrics):
    tables = {table.name: table for table in weight_tables(WeightStudy.of(metrics))}
    assert "weight-shares" not in tables
    assert [column.name for column in tables["weights"].columns] == [
        "feature",
        "way",
        "rte",
        "comb",
    ]


def test_weight_tables_without_draws_have_no_intervals():
    bare = ModelWeights("rte", RTE_NAMES, np.ones(len(RTE_NAMES)), np.empty((0, len(RTE_NAMES))))
    table = weight_tables(WeightStudy.of([bare]))[0]
    cells = [cell for row in table.rows for cell in row if isinstance(cell, Interval)]
    assert cells
    assert {cell.low for cell in cells} == {None}


def test_weight_tables_say_how_many_draws_define_nothing(metrics):
    draws = metrics[0].draws.copy()
    draws[:2] = np.nan
    part = ModelWeights("rte", RTE_NAMES, metrics[0].standardized, draws)
    notes = weight_tables(WeightStudy.of([part]))[1].notes
    assert "intervals from 50 draws" in notes
    assert "draws that define no weights, left out: 2" in notes


def test_weight_tables_say_what_the_weights_of_each_model_add_to(tables):
    assert (
        "log odds that the output is preferred (rte, comb); log odds of entailment (features)"
        in tables["weights"].notes[0]
    )


def test_weight_tables_are_strict_json(tables):
    shown = tables_to_json(list(tables.values()))
    assert json.loads(json.dumps(shown, allow_nan=False)).keys() == tables.keys()


def test_weight_picture_has_a_column_for_each_model(metrics, recognizer):
    picture = weight_picture(WeightStudy.of(metrics, recognizer))
    values = picture.spec["data"]["values"]
    assert list(dict.fromkeys(value["model"] for value in values)) == ["rte", "comb", "features"]
    assert len(values) == 45 + 48 + 15
    assert all(value["low"] <= value["high"] for value in values)


def test_weight_picture_can_be_drawn(metrics, recognizer):
    assert b"<svg" in render(weight_picture(WeightStudy.of(metrics, recognizer)), "svg")[:200]


def test_weights_report_has_every_table_once(metrics, recognizer, tables):
    report = weights_report(WeightStudy.of(metrics, recognizer, name="wmt"))
    parts = [part.name for section in report.sections for part in section.parts]
    assert sorted(parts) == sorted([*tables, "weights"])  # the picture is called so too
    assert "trained on: wmt" in report.signature
    assert "What metrics trained on wmt look at" in render_page(report)


def test_answer_counts_the_directions_of_the_paper(metrics):
    study = WeightStudy.of(metrics)
    said = weights_report(study).answer
    assert said.startswith("Of the directions that the paper reports, rte agrees in ")
    counts = [int(each) for each in re.findall(r"\d+", said.partition(";")[0])]
    outcomes = [each for each in study.directions if each.model == "rte" and each.outcome]
    assert sum(counts) == len(outcomes)
