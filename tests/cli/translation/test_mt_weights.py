"""`ensue mt weights`, as a user calls it."""

import json

import pytest

from ensue.cli.app import run
from ensue.translation.features.families import DIRECTED_NAMES

PLAIN = ["--reference", "ref.txt", "good", "bad", "--judgments", "ranks.jsonl"]
QUICK = ["--draws", "2", "--workers", "1"]


@pytest.fixture
def told(small, trained, answer):
    """The tables; the parser is warm by what was trained."""
    return answer("weights", *PLAIN, *QUICK, "--report", "weights.html")


def test_weights_stand_side_by_side_by_group(told, small):
    rows = {row["group"]: row for row in told["weight-groups"]["rows"]}
    assert len(rows) == 15 + 3
    assert rows["alignment"]["title"] == "Alignment score"
    assert sum(row["pair-rte_features"] or 0 for row in rows.values()) == len(DIRECTED_NAMES)
    assert sum(row["pair-comb_features"] for row in rows.values()) == 232
    assert len(told["weight-directions"]["rows"]) > 0
    page = (small / "weights.html").read_text("utf-8")
    assert "<svg" in page
    assert "<h2>Beside the paper" in page


def test_weights_of_abs_go_to_a_file_and_print_one_table(small, trained, capsys):
    options = ["--model", "abs", "--table", "weight-directions", "-o", "weights.json"]
    assert run(["mt", "weights", *PLAIN, *QUICK, *options, "--format", "json"]) == 0
    assert capsys.readouterr().out == ""
    assert list(json.loads((small / "weights.json").read_text("utf-8"))) == ["weight-directions"]


def test_weights_without_judgments_are_refused(small, refused):
    said = refused("weights", "--reference", "ref.txt", "good", "bad", *QUICK)
    assert "nobody has judged these outputs" in said
