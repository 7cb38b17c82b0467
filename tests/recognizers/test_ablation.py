import numpy as np
import pytest

import ensue
from ensue.errors import DataError, UndefinedError
from ensue.features import GROUPS, NAMES
from ensue.pairs import Label, Pair, load_pairs
from ensue.recognizers.cross_validation import ablate, by_group
from ensue.recognizers.features import FEATURES, Examples, folds

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT


class Reader:
    """Gives features by what a text says of them: `name` for 1, and 0 for the others."""

    def features(self, pairs):
        return np.array([[float(name in text) for name in NAMES] for text, _ in pairs])


@pytest.fixture
def recognizer():
    return FEATURES.build({"strength": 1.0}).with_reader(Reader())


def made(n, telling, *, noise="tense.same"):
    """Pairs in which one feature tells the gold, and another, of every third pair, nothing."""
    pairs = []
    for i in range(n):
        names = [telling] * (i % 2) + [noise] * (i % 3 == 0)
        pairs.append(Pair(str(i), f"{i} {' '.join(names)}", "It is.", YES if i % 2 else NO))
    return pairs


def test_group_that_tells_all_is_worth_all(recognizer):
    found = ablate(recognizer, made(60, "polarity.noun"))
    trials = {trial.group: trial for trial in found.trials}
    assert found.accuracy == 1.0
    assert trials["polarity"].accuracy <= 0.7
    assert trials["polarity"].lost == round((1 - trials["polarity"].accuracy) * 60)
    assert trials["polarity"].gained == 0


def test_group_that_tells_nothing_is_worth_nothing(recognizer):
    found = ablate(recognizer, made(60, "polarity.noun"))
    for trial in found.trials:
        if trial.group != "polarity":
            assert (trial.accuracy, trial.lost, trial.gained) == (1.0, 0, 0)


def test_trials_are_of_the_groups_in_their_order(recognizer):
    found = ablate(recognizer, made(60, "polarity.noun"))
    assert [trial.group for trial in found.trials] == [group.name for group in GROUPS]
    assert sum(trial.n_features for trial in found.trials) == len(NAMES)


def test_difference_is_what_is_gained_less_what_is_lost(examples):
    found = ablate(FEATURES.build({"strength": 0.01}), load_pairs(examples))
    for trial in found.trials:
        difference = (trial.gained - trial.lost) / found.n_pairs
        assert trial.accuracy - found.accuracy == pytest.approx(difference)


def test_accuracy_with_all_is_that_of_training(examples):
    pairs = load_pairs(examples)
    untrained = ensue.load("features", {"strength": 0.01})
    trained = untrained.fit(pairs, seed=3)
    found = ablate(untrained, pairs, seed=3)
    assert found.accuracy == trained.tuned_on["cross_validated"]["accuracy"]
    weights = [each.weight for each in found.weights]
    assert weights == pytest.approx(trained.scorer.regression.weights.tolist())


def test_weights_are_standardized_by_the_training_pairs(recognizer):
    pairs = made(60, "polarity.noun")
    found = {each.name: each for each in ablate(recognizer, pairs).weights}
    telling = found["polarity.noun"]
    assert telling.mean == 0.5
    assert telling.standardized == pytest.approx(telling.weight * 0.5)  # the deviation of 0 and 1
    assert found["dates.date-match"].standardized == 0.0


def test_other_pairs_are_judged_where_they_are_given(recognizer):
    test = [Pair("a", "polarity.noun", "It is.", NO), Pair("b", "polarity.noun", "It is.", YES)]
    found = ablate(recognizer, made(60, "polarity.noun"), on=test)
    assert (found.n_pairs, found.accuracy, found.n_folds) == (2, 0.5, 0)


def test_pairs_without_gold_or_words_are_left_out(recognizer):
    pairs = [*made(60, "polarity.noun"), Pair("x", "A dog.", "It is."), Pair("y", "…", "It.", YES)]
    found = ablate(recognizer, pairs)
    assert (found.n_pairs, found.n_left_out) == (60, 2)


def test_tasks_are_learned_and_kept():
    pairs = [
        Pair(pair.id, pair.text, pair.hypothesis, pair.gold, "QA" if i % 2 else "IE")
        for i, pair in enumerate(made(60, "polarity.noun"))
    ]
    recognizer = FEATURES.build({"strength": 1.0, "tasks": True}).with_reader(Reader())
    found = ablate(recognizer, pairs)
    assert {each.name for each in found.weights} == {*NAMES, "task.IE", "task.QA"}
    assert all(trial.accuracy == 1.0 for trial in found.trials)


def test_too_few_pairs_leave_cross_validation_undefined(recognizer):
    with pytest.raises(UndefinedError, match="takes 10 different texts") as caught:
        ablate(recognizer, made(12, "polarity.noun"))
    assert "--on TEST" in caught.value.hint


def test_pairs_without_gold_cannot_be_learned_from(recognizer):
    with pytest.raises(DataError, match="none of the 1 pairs has gold"):
        ablate(recognizer, [Pair("1", "A dog.", "It is.")])


def test_weights_are_grouped_by_the_first_part_of_their_names(recognizer):
    grouped = by_group(ablate(recognizer, made(60, "polarity.noun")).weights)
    assert list(grouped) == [group.name for group in GROUPS]
    assert len(grouped["polarity"]) == 5


def test_folds_never_part_pairs_of_one_text():
    gold = np.array([True, False] * 40)
    groups = [str(i // 4) for i in range(80)]
    parts = folds(Examples(np.zeros((80, 1)), gold, groups), seed=0)
    assert len(parts) == 10
    for train, held_out in parts:
        assert {groups[i] for i in train}.isdisjoint(groups[i] for i in held_out)
