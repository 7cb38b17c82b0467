"""The surface features of an output, column by column."""

import numpy as np
import pytest

from ensue.errors import SettingError
from ensue.surface import (
    COST_SETTINGS,
    count_information,
    edit_statistics,
    ngram_and_nist_statistics,
    segment_statistics,
    tokenize_segments,
)
from ensue.surface.tokenizers import WHITESPACE
from ensue.translation.features.families import (
    bleu_columns,
    edit_columns,
    nist_columns,
    surface_columns,
)

OUTPUTS = ["a b c d e", "e d c b a x", "", "a", "q r s t"]
REFERENCES = [["a b c x d e", "a b c d"], ["a b c d e"], ["a b"], ["a b c"], ["a b c d"]]
EVERY = [reference for some in REFERENCES for reference in some]
BLEU_NAMES = [
    *(f"bleu-{n}" for n in range(1, 5)),
    *(f"smoothed-bleu-{n}" for n in range(1, 5)),
    *(f"precision-{n}" for n in range(1, 5)),
    *(f"smoothed-precision-{n}" for n in range(1, 5)),
    "brevity-penalty",
    "bleu-4-unpenalized",
]
NIST_NAMES = [
    *(f"nist-{n}" for n in range(1, 11)),
    *(f"nist-precision-{n}" for n in range(1, 5)),
    "nist-penalty",
    "nist-5-unpenalized",
]
EDITS = ("ter", "insertions", "deletions", "substitutions", "shifts")
EDIT_NAMES = [f"{number}-{setting}" for setting in COST_SETTINGS for number in EDITS]
NAMES = [*BLEU_NAMES, *NIST_NAMES, *EDIT_NAMES]


@pytest.fixture(scope="module")
def segments():
    return tokenize_segments(OUTPUTS, REFERENCES, WHITESPACE)


@pytest.fixture(scope="module")
def table(segments):
    columns = surface_columns(segments, count_information(EVERY, WHITESPACE))
    return dict(zip(NAMES, columns.T.tolist(), strict=True))


def test_columns_are_18_and_16_and_50(segments):
    information = count_information(EVERY, WHITESPACE)
    ngrams, nist = ngram_and_nist_statistics(segments, information, order=10)
    edits = edit_statistics(segments, list(COST_SETTINGS.values()))
    tables = [bleu_columns(ngrams), nist_columns(nist), edit_columns(edits)]
    assert [table.shape[1] for table in tables] == [18, 16, 50]


def test_settings_of_costs_are_those_that_metrics_were_trained_with():
    shown = {
        name: (each.insertion, each.deletion, each.substitution, each.shift)
        for name, each in COST_SETTINGS.items()
    }
    assert shown == {
        "uniform": (1, 1, 1, 1),
        "light-insertion": (0.1, 1, 1, 1),
        "light-insertion-shift": (0.1, 1, 1, 0.1),
        "light-insertion-substitution": (0.1, 1, 0.5, 1),
        "light-deletion": (1, 0.1, 1, 0.5),
        "heavy-deletion": (1, 2, 1, 1),
        "light-substitution": (1, 1, 0.5, 1),
        "light-substitution-shift": (1, 1, 0.5, 0.1),
        "heavy-substitution": (1, 1, 2, 1),
        "heavy-shift": (1, 1, 1, 2),
    }


def test_settings_of_costs_are_ten():
    assert len(COST_SETTINGS) == len(set(COST_SETTINGS.values())) == 10


def test_scores_are_their_unpenalized_form_times_the_penalty(table):
    for score, bare, penalty in (
        ("bleu-4", "bleu-4-unpenalized", "brevity-penalty"),
        ("nist-5", "nist-5-unpenalized", "nist-penalty"),
    ):
        expected = np.multiply(table[bare], table[penalty])
        assert table[score] == pytest.approx(expected.tolist())


def test_bleu_of_order_one_is_the_penalized_precision(table):
    expected = np.multiply(table["precision-1"], table["brevity-penalty"])
    assert table["bleu-1"] == pytest.approx(expected.tolist())
    assert table["smoothed-bleu-1"] == table["bleu-1"]


def test_nist_columns_are_scores_of_every_order(segments):
    information = count_information(EVERY, WHITESPACE)
    _, nist = ngram_and_nist_statistics(segments, information, order=10)
    columns = nist_columns(nist)
    for order in range(1, 11):
        assert columns[:, order - 1].tolist() == pytest.approx(nist.score(order).tolist())


def test_edit_columns_are_rates_and_counts(segments, table):
    found = edit_statistics(segments, [COST_SETTINGS["heavy-shift"]])[0]
    assert table["ter-heavy-shift"] == found.ter().tolist()
    assert table["shifts-heavy-shift"] == found.shifts.tolist()
    assert edit_columns([found]).shape == (5, 5)


def test_empty_output_is_worst_in_every_score(table):
    empty = OUTPUTS.index("")
    for name in NAMES[:34]:
        assert table[name][empty] == 0, name
    assert table["ter-uniform"][empty] == 1


def test_columns_are_finite(table):
    assert np.isfinite(list(table.values())).all()


def test_too_low_orders_are_refused(segments):
    with pytest.raises(SettingError, match="statistics of order 3 are too few"):
        bleu_columns(segment_statistics(segments, order=3))
    with pytest.raises(SettingError, match="no information of n-grams of order 10"):
        surface_columns(segments, count_information(EVERY, WHITESPACE, order=5))
