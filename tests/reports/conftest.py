"""Eight pairs over two tasks, and runs on them that differ in what they say."""

import pytest

from ensue.evaluation import evaluate
from ensue.pairs import Label, Pair, Run, Signature, Status, Verdict
from ensue.pairs.runs import RunHeader
from ensue.statistics.resampling import Resampling

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT
GOLD = [YES, YES, YES, YES, NO, NO, NO, NO]
SCORES = [0.9, 0.8, 0.4, 0.1, 0.7, 0.3, 0.2, 0.0]


@pytest.fixture(scope="session")
def pairs():
    return [
        Pair(str(i + 1), f"text {i + 1}", f"claim {i % 2}", gold, "IE" if i % 4 < 2 else "QA")
        for i, gold in enumerate(GOLD)
    ]


@pytest.fixture(scope="session")
def scored_run():
    """Yes above 0.5: right on 1, 2, 6, 7, 8, wrong on 3, 4, 5."""
    verdicts = [
        Verdict(str(i + 1), YES if score > 0.5 else NO, score, abs(score - 0.5) * 2)
        for i, score in enumerate(SCORES)
    ]
    return Run("scored", tuple(verdicts), header=RunHeader(Signature("overlap", "0.1.0")))


@pytest.fixture(scope="session")
def bare_run():
    """Labels alone; right on all but 8, which it abstains from, and 7, which is missing."""
    verdicts = [Verdict(str(i + 1), gold) for i, gold in enumerate(GOLD[:6])]
    return Run("bare", (*verdicts, Verdict("8", None, status=Status.ABSTAINED)))


@pytest.fixture(scope="session")
def evaluation(pairs, scored_run, bare_run):
    return evaluate(
        pairs, [scored_run, bare_run], by_task=True, prior=0.25, resampling=Resampling(draws=50)
    )


@pytest.fixture(scope="session")
def single(pairs, scored_run):
    return evaluate(pairs, [scored_run], resampling=Resampling(draws=0))
