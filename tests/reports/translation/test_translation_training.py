import json
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from ensue.reports.page import write_page
from ensue.reports.text import tables_to_json
from ensue.reports.translation.weights import training_report, training_tables
from ensue.translation.metrics.linear_models import MetricModel, ModelKind


@dataclass(frozen=True)
class Trained:
    weighing: MetricModel
    trained_on: dict = field(default_factory=dict)
    feature_set: str = "comb"
    name: str = "some"
    signature: str = "pair-comb"


def weighing(n=3, kind=ModelKind.PAIR, **validated):
    """Weights 1, −2, 3, … on features with deviation 2."""
    weights = np.array([(i + 1) * (-1) ** i for i in range(n)], float)
    ones = np.ones(n)
    names = tuple(f"f{i}" for i in range(n))
    known = {"kind": kind, "deviations": 2 * ones, "spread": 1.0, "floor": -9.0}
    return MetricModel(names, weights, ones, 0.0, 0.1, validated, **known)


PAIR = weighing(parts=4.0, log_loss=0.64, right=0.65)
TRAINED_ON = {"name": "small", "judgments": "preferences", "comparisons": 12, "contests": 9}


def test_training_table_says_what_was_learned_from_what(records):
    table, _ = training_tables(Trained(PAIR, TRAINED_ON))
    assert records(table) == [
        {
            "metric": "some",
            "model": "pair",
            "feature_set": "comb",
            "features": 3,
            "trained_on": "small",
            "judgments": "preferences",
            "comparisons": 12,
            "contests": 9,
            "strength": 0.1,
            "right": 0.65,
            "log_loss": 0.64,
        }
    ]
    assert table.notes[-1].endswith("on what was left out, one of 4 parts at a time")


def test_training_table_of_absolute_scores_has_pearson(records):
    learned = weighing(kind=ModelKind.ABS, parts=5.0, pearson=0.5)
    trained_on = {"name": "small", "judgments": "direct", "outputs": 20}
    (row,) = records(training_tables(Trained(learned, trained_on))[0])
    assert (row["pearson"], row["outputs"], row["judgments"]) == (0.5, 20, "direct")
    assert "log_loss" not in row


def test_training_without_validation_says_so(records):
    table, _ = training_tables(Trained(weighing()))
    assert table.notes[-1].startswith("not cross-validated")
    (row,) = records(table)
    assert (row["trained_on"], row["judgments"]) == (None, None)


def test_weights_table_has_the_largest_first(records):
    _, table = training_tables(Trained(PAIR, TRAINED_ON))
    assert [(row["feature"], row["standardized"]) for row in records(table)] == [
        ("f2", 3 * 2),
        ("f1", -2 * 2),
        ("f0", 1 * 2),
    ]
    assert "log odds" in table.notes[0]


@pytest.mark.parametrize(("every", "n"), [(False, 20), (True, 30)])
def test_weights_table_has_twenty_for_people_and_all_for_programs(every, n):
    _, table = training_tables(Trained(weighing(30)), every=every)
    assert len(table.rows) == n
    assert ("the largest 20 of 30; all are in JSON and CSV" in table.notes) is not every


def test_training_tables_are_strict_json():
    found = tables_to_json(training_tables(Trained(PAIR, TRAINED_ON)))
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_training_report_is_a_page_with_a_picture(tmp_path):
    report = training_report(Trained(PAIR, TRAINED_ON))
    write_page(tmp_path / "training.html", report)
    page = (tmp_path / "training.html").read_text("utf-8")
    assert page.count("<svg") == 1
    assert "metric: some: pair-comb" in page
    assert "speaks against it" in page


def test_answer_is_what_was_foreseen_of_what_was_left_out():
    assert training_report(Trained(PAIR, TRAINED_ON)).answer == (
        "some foresees 65.0 % of the preferences that were left out."
    )


def test_answer_says_that_nothing_was_left_out():
    bare = replace(PAIR, validated={})
    assert training_report(Trained(bare, TRAINED_ON)).answer == (
        "How good some is was not measured: there are too few segments to leave out."
    )
