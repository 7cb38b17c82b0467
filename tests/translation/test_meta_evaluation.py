"""The calls behind the commands, on the example set."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.statistics.resampling import Resampling
from ensue.translation import SystemMethod, TieRule, TranslationJudgments, evaluate, rank
from ensue.translation.evaluation import EvaluationSettings
from ensue.translation.formats import open_set
from ensue.translation.metrics import score_all
from ensue.translation.metrics.trained_metrics import ready_metric

EXAMPLES = Path(__file__).parents[2] / "examples" / "translation"
FEW = EvaluationSettings(resampling=Resampling(draws=20), permutations=20)


@pytest.fixture(scope="module")
def found():
    return open_set([str(EXAMPLES)])


def test_evaluate_scores_the_judged_outputs_itself(found):
    evaluation = evaluate(found, ["bleu", "ter", "bleu"], settings=FEW)
    assert [each.name for each in evaluation.metrics.metrics] == ["bleu", "ter"]
    assert evaluation.name == found.name
    assert evaluation.judges.resampling.draws == 20
    assert evaluation.aligned == {}


def test_evaluate_tells_of_scores_that_nobody_needs(found):
    bleu = score_all(ready_metric("bleu", found.references()), found.segments())
    one = TranslationJudgments(found.judgments.rankings[:1])
    told = []
    evaluation = evaluate(one, scores=[bleu], settings=FEW, name="one", on_finding=told.append)
    assert [each.code for each in told] == ["unused-scores"]
    assert evaluation.name == "one"


def test_evaluate_wants_judgments(found):
    with pytest.raises(UndefinedError, check=coded("nobody-judged-outputs")):
        evaluate(replace(found, judgments=TranslationJudgments()), ["bleu"])


def test_evaluate_says_what_it_does(found):
    stages = []

    def seen(what, total=None):
        stages.append((what, total is not None))
        return _Stage()

    evaluate(found, ["bleu"], settings=FEW, stages=seen)
    assert stages == [("scoring", True), ("evaluating", False)]


class _Stage:
    def __enter__(self):
        return lambda n: None

    def __exit__(self, *error):
        return None


def test_rank_has_what_people_think_beside_the_metric(found):
    ranking = rank(found, "bleu", SystemMethod.MEAN, resampling=Resampling(draws=20))
    assert ranking.metric == "bleu"
    assert ranking.people is not None
    assert {each.key for each in ranking.ranks} == set(ranking.scores)
    best = max(ranking.people, key=lambda key: ranking.people[key] or 0)
    assert ranking.people_rank(best) == 1


def test_rank_takes_the_tie_interval_that_is_given(found):
    ranking = rank(found, "bleu", ties=TieRule(epsilon=0.5), resampling=Resampling(draws=0))
    assert ranking.interval.epsilon == 0.5
