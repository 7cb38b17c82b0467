"""The translation model: scores by hand, tables that ship or are learned, explanations."""

import math
from pathlib import Path

import numpy as np
import pytest

import ensue
from ensue.errors import DataError, SettingError
from ensue.pairs import Label, Pair, Status
from ensue.recognizers.translation_model import (
    TableSource,
    TranslationScorer,
    TranslationSettings,
    shipped,
    table_from_arrays,
    table_to_arrays,
)
from ensue.surface import WORDS, train_translation

SOURCES = ["he killed the king", "the king was murdered", "the dog slept"]
TARGETS = ["the king died", "the king died", "the animal slept"]


@pytest.fixture(scope="module")
def table():
    return train_translation(SOURCES, TARGETS, WORDS, steps=10).table


def test_score_by_hand(table):
    settings = TranslationSettings(own=0.5, floor=0.1, weights=False)
    scorer = TranslationScorer(settings, table)
    found = scorer.scores([Pair("1", "The king was killed.", "The king died yesterday.")]).values[0]
    own = [0.5 + 0.5 * max(table.of(w).get(w, 0) for w in (word,)) for word in ("the", "king")]
    king, the = table.of("king"), table.of("the")
    own[0] = max(own[0], 0.5 * king.get("the", 0))
    own[1] = max(own[1], 0.5 * the.get("king", 0))
    died = 0.5 * max(table.of(word).get("died", 0) for word in ("the", "king", "was", "killed"))
    logs = [math.log(0.1 + 0.9 * p) for p in (*own, died, 0)]
    assert found == pytest.approx(math.exp(sum(logs) / 4))


def test_what_is_there_scores_more_than_what_is_translated(table):
    scorer = TranslationScorer(TranslationSettings(), table)
    hypotheses = ("The king was murdered.", "The king died.", "The king bought a zeppelin.")
    pairs = [Pair("1", "The king was murdered.", each) for each in hypotheses]
    scores = scorer.scores(pairs).values.tolist()
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_table_that_ships_knows_comparable_words():
    known = shipped().scorer.table
    assert {"murdered", "died"} & set(known.of("killed"))
    assert "animal" in known.of("dog")
    assert all(sum(known.of(word).values()) <= 1.001 for word in ("killed", "dog", "", "the"))


def test_table_that_ships_is_small(root):
    folder = root / "src" / "ensue" / "recognizers" / "trained_translation"
    assert sum(file.stat().st_size for file in Path(folder).iterdir()) < 2_000_000


def test_table_comes_back_from_its_arrays(table):
    again = table_from_arrays(table_to_arrays(table))
    assert again.words == table.words
    assert again.targets.tolist() == table.targets.tolist()
    assert again.probabilities == pytest.approx(table.probabilities, rel=1e-3, abs=1e-7)


def test_own_table_is_learned_from_what_entails(pairs):
    trained = ensue.load("translation-model", {"table": "own"}).fit(pairs, seed=0, name="made")
    assert "nobody" not in trained.scorer.table.words  # which contradictions alone have
    assert trained.scorer.table.of("harbor")
    assert trained.signature.settings["table"] == "own"


def test_cutoff_is_tuned_on_pairs_that_the_table_has_not_seen():
    # what follows has nothing in common with its text: a table that saw the pairs knows them all
    pairs = [
        Pair(f"{i}", f"alpha{i} beta{i}", f"gamma{i}", Label.ENTAILMENT if i % 2 else Label.UNKNOWN)
        for i in range(40)
    ]
    trained = ensue.load("translation-model", {"table": "own"}).fit(pairs, seed=0)
    assert trained.tuned_on["accuracy"] == 0.5
    seen = trained.scorer.scores(pairs).values
    assert np.mean([(seen[i] > 0.3) == bool(i % 2) for i in range(40)]) == 1


def test_own_table_has_to_be_learned_first(pairs):
    with pytest.raises(SettingError, match="has to be trained first"):
        ensue.load("translation-model", {"table": "own"}).judge(pairs)


def test_one_pair_and_pairs_none_of_which_entails():
    recognizer = ensue.load("translation-model", {"table": "own"})
    one = [Pair("1", "A dog barks.", "An animal barks.", Label.ENTAILMENT)]
    assert recognizer.fit(one, seed=0).scorer.table.of("dog")
    with pytest.raises(DataError) as error:
        recognizer.fit([Pair("1", "A dog.", "A cat.", Label.UNKNOWN)], seed=0)
    assert error.value.code == "none-pairs-entail-no"


@pytest.mark.parametrize(
    ("text", "hypothesis", "side"), [("", "A dog.", "text"), ("A dog.", "…", "hypothesis")]
)
def test_empty_side_is_abstained_from(text, hypothesis, side):
    verdict = ensue.load("translation-model").judge([Pair("1", text, hypothesis)])[0]
    assert verdict.status is Status.ABSTAINED
    assert verdict.reason == f"the {side} has no tokens"


def test_word_that_never_occurs_costs_the_floor():
    recognizer = ensue.load("translation-model", {"weights": "no", "floor": 0.04})
    score = recognizer.judge([Pair("1", "glorp", "glorp frindle")])[0].score
    assert score == pytest.approx(math.sqrt(1 * 0.04))


def test_without_a_floor_a_missing_word_is_fatal():
    recognizer = ensue.load("translation-model", {"floor": 0})
    assert recognizer.judge([Pair("1", "a dog", "a zeppelin")])[0].score == pytest.approx(
        0, abs=1e-9
    )
    assert recognizer.judge([Pair("1", "glorp", "glorp")])[0].score == 1


@pytest.mark.parametrize(
    "settings", [{"own": 2}, {"floor": -1}, {"steps": 0}, {"places": -1}, {"table": "x"}]
)
def test_senseless_settings_are_errors(settings):
    with pytest.raises(SettingError) as error:
        ensue.load("translation-model", settings)
    assert error.value.code == "setting-cannot"


def test_explanation_adds_up():
    explanation = ensue.explain("The king was killed.", "A king died.", "translation-model")
    evidence = explanation.evidence
    assert math.exp(sum(weight.contribution for weight in evidence.weights)) == pytest.approx(
        explanation.verdict.score
    )
    origins = {row[0]: row[1] for row in evidence.section("translations").rows}
    assert origins["died"] == "killed"
    assert origins["king"] == "king"
    assert TableSource(explanation.signature.settings["table"]) is TableSource.SHIPPED
