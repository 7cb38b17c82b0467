"""The decision tree over overlap measures, against scikit-learn's own predictions."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import ensue
from ensue.pairs import Label
from ensue.recognizers.baselines import MEASURES, _measures


def test_tree_scores_as_scikit_learn_does(pairs):
    trained = ensue.load("overlap-tree", {"leaf": 2}).fit(pairs, seed=0)
    measures, reasons = _measures(pairs, trained.scorer.idf)
    kept = [i for i in range(len(pairs)) if i not in reasons]
    gold = np.array([pairs[i].gold is Label.ENTAILMENT for i in kept])
    theirs = DecisionTreeClassifier(max_depth=3, min_samples_leaf=2, random_state=0)
    expected = theirs.fit(measures[kept], gold).predict_proba(measures[kept])[:, 1]
    verdicts = trained.judge(pairs)
    assert [verdicts[i].score for i in kept] == expected.tolist()


def test_tree_measures_have_a_name_each(pairs):
    trained = ensue.load("overlap-tree", {"leaf": 2}).fit(pairs, seed=0)
    assert _measures(pairs, trained.scorer.idf)[0].shape == (len(pairs), len(MEASURES))


def test_tree_of_one_label_is_a_leaf(pairs):
    negative = [pair for pair in pairs if pair.gold is Label.NOT_ENTAILMENT]
    trained = ensue.load("overlap-tree").fit(negative, seed=0)
    assert {v.label for v in trained.judge(pairs) if v.label} == {Label.NOT_ENTAILMENT}


def test_explanation_leads_from_the_root_to_the_leaf(pairs):
    trained = ensue.load("overlap-tree", {"leaf": 2}).fit(pairs, seed=0)
    steps = trained.explain(pairs[1]).evidence.steps
    assert [step.what for step in steps[-3:]] == [
        "entailments in the leaf",
        "decision",
        "confidence",
    ]
    assert all(step.what in MEASURES for step in steps[:-3])
    assert len(steps) > 3
