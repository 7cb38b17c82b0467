import pytest
from tests.errors import coded

import ensue
from ensue.errors import DataError, SettingError
from ensue.pairs import Label, Pair
from ensue.recognizers.cross_validation import folds_of, judge_held_out

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT


def made(n: int = 60) -> list[Pair]:
    return [
        Pair(
            str(i),
            f"The dog number {i // 2} barks at the old gate.",
            "A dog barks." if i % 2 else "The cat and the horse and the cow sleep.",
            YES if i % 2 else NO,
        )
        for i in range(n)
    ]


def test_folds_keep_pairs_with_one_text_together():
    pairs = made()
    folds = folds_of(pairs, 5, seed=0)
    by_text = {}
    for pair, fold in zip(pairs, folds, strict=True):
        by_text.setdefault(pair.text, set()).add(fold)
    assert all(len(found) == 1 for found in by_text.values())
    assert set(folds) == set(range(5))


def test_folds_are_the_same_for_the_same_seed_only():
    assert folds_of(made(), 5, seed=1) == folds_of(made(), 5, seed=1)
    assert folds_of(made(), 5, seed=1) != folds_of(made(), 5, seed=2)


class Memory:
    """Says yes to what it was trained on: a cheat that cross-validation must find out."""

    tunes = False

    def __init__(self, known=frozenset()):
        self.known = known
        self.signature = ensue.Signature("memory", "1")

    def judge(self, pairs):
        return [
            ensue.Verdict(pair.id, YES if pair.id in self.known else NO, 1.0, 1.0) for pair in pairs
        ]

    def explain(self, pair):
        raise NotImplementedError

    def fit(self, pairs, *, seed, name="pairs"):
        return Memory(frozenset(pair.id for pair in pairs))


def test_no_pair_is_judged_by_what_was_trained_on_it():
    verdicts, _ = judge_held_out(Memory(), made(), folds=5)
    assert {verdict.label for verdict in verdicts} == {NO}


def test_verdicts_are_in_the_order_of_the_pairs():
    verdicts, _ = judge_held_out(ensue.load("overlap"), made(), folds=5)
    assert [verdict.pair_id for verdict in verdicts] == [pair.id for pair in made()]


def test_signature_says_how_the_verdicts_came_about():
    _, signature = judge_held_out(ensue.load("overlap"), made(), folds=5, seed=3, name="dogs")
    assert signature.tuned_on == {"name": "dogs, 5 folds", "folds": 5, "seed": 3, "pairs": 60}
    assert signature.cutoff is None


def test_progress_is_told_of_every_pair():
    told = []
    judge_held_out(ensue.load("overlap"), made(), folds=5, progress=told.append)
    assert (len(told), sum(told)) == (5, 60)


def test_recognizer_without_training_cannot_be_validated():
    with pytest.raises(SettingError, check=coded("recognizer-nothing-learn-nothing")):
        judge_held_out(ensue.load("always"), made())


def test_pair_without_gold_is_named():
    with pytest.raises(DataError, match="pair 'x' has no gold"):
        folds_of([*made(), Pair("x", "A.", "B.")], 5, seed=0)


@pytest.mark.parametrize("folds", [0, 1, 31])
def test_too_many_or_too_few_folds_are_refused(folds):
    with pytest.raises(DataError, match=f"60 pairs cannot be parted into {folds} folds"):
        folds_of(made(), folds, seed=0)


def test_no_pairs_cannot_be_parted():
    with pytest.raises(DataError, match="0 pairs cannot be parted"):
        folds_of([], 5, seed=0)
