"""Guesses depend on the seed and the id, and are fair."""

import ensue
from ensue.pairs import Label, Pair


def test_random_depends_on_seed_and_id_only():
    first = ensue.load("random").judge([Pair("1", "a", "b"), Pair("2", "c", "d")])
    again = ensue.load("random").judge([Pair("2", "other", "words"), Pair("1", "", "")])
    assert again[::-1] == first


def test_random_differs_between_seeds():
    pairs = [Pair(str(i), "a", "b") for i in range(64)]
    one, other = (ensue.load("random", {"seed": seed}).judge(pairs) for seed in (0, 1))
    assert one != other


def test_random_is_fair():
    pairs = [Pair(str(i), "a", "b") for i in range(10_000)]
    verdicts = ensue.load("random").judge(pairs)
    n_yes = sum(verdict.label is Label.ENTAILMENT for verdict in verdicts)
    assert abs(n_yes - 5000) < 4 * 50  # four standard deviations
    assert abs(sum(v.score for v in verdicts) / 10_000 - 0.5) < 4 * 0.2887 / 100


def test_cutoff_sets_the_rate_of_yes():
    pairs = [Pair(str(i), "a", "b") for i in range(10_000)]
    verdicts = ensue.load("random", {"cutoff": 0.9}).judge(pairs)
    n_yes = sum(verdict.label is Label.ENTAILMENT for verdict in verdicts)
    assert abs(n_yes - 1000) < 4 * 30


def test_always_gives_its_label_without_confidence():
    for label in Label:
        verdict = ensue.load("always", {"label": label}).judge([Pair("1", "a", "b")])[0]
        assert (verdict.label, verdict.score, verdict.confidence) == (label, None, None)
