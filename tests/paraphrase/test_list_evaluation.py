"""The calls behind the commands, on the example lists."""

from pathlib import Path

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import SettingError
from ensue.pairs import load_pairs
from ensue.paraphrase import (
    ListScores,
    RecognitionSettings,
    Scoring,
    correlate,
    evaluate_lists,
    rerank_lists,
)
from ensue.paraphrase.formats import read_lists
from ensue.paraphrase.recognition import Task
from ensue.statistics import Resampling

EXAMPLES = Path(__file__).parents[2] / "examples" / "paraphrase"
FEW = Resampling(draws=20)


@pytest.fixture(scope="module")
def lists():
    return read_lists(str(EXAMPLES / "lists.tsv"))


@pytest.fixture(scope="module")
def task():
    return Task.of("pairs", load_pairs(str(EXAMPLES / "pairs.jsonl")))


def test_lists_are_scored_by_each_strictness_of_their_judges(lists):
    found = evaluate_lists(lists, resampling=FEW)
    assert list(found.scores) == [each.value for each in lists.judgments.labels]
    assert list(found.curves) == list(found.scores)
    assert found.agreement is not None


def test_lists_are_scored_by_what_is_named(lists):
    found = evaluate_lists(lists, Scoring(("judges:lenient",)), resampling=FEW)
    assert list(found.scores) == ["lenient"]


def test_reranked_lists_are_never_worse(lists):
    found = rerank_lists(lists, k=3)
    assert (found.chosen >= found.given).all()


def test_correlate_holds_scores_against_performance(lists, task):
    found = correlate(
        lists, [task], recognition=RecognitionSettings(k=3), resample="lists", resampling=FEW
    )
    assert list(found.scores.extrinsic) == ["pairs"]
    assert {each.measure for each in found.scores.intrinsic} == {"EP", "EPR", "DIMPLE"}


def test_correlate_takes_numbers_from_elsewhere(lists):
    keys = lists.keys
    mine = ListScores.of_scores(keys, {"mine": np.arange(len(keys), dtype=float)})
    done = ListScores.of_performance(keys, {"task": 2 * np.arange(len(keys), dtype=float)})
    found = correlate(others=[mine, done], resampling=FEW)
    (one,) = found.correlations
    assert next(iter(one.coefficients.values())).estimate.value == pytest.approx(1)


def test_correlate_wants_both_kinds_of_numbers(lists):
    with pytest.raises(SettingError, check=coded("no-list-both-score")):
        correlate(lists, resampling=FEW)
