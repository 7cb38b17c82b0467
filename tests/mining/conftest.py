"""Simulated cases, runs on them, and a plain reading of the published formulas."""

from collections import Counter

import numpy as np
import pytest

from ensue.evaluation import line_up
from ensue.pairs import Label, Pair, Run, Status, Verdict


def _plain_rates(cases, errors, iterations):
    """Sagot & de La Clergerie's formulas, read one after the other; cases are sets of forms."""
    occurrences = Counter(form for case in cases for form in case)
    shares = [
        {form: (1 / len(case) if error else 0.0) for form in case}
        for case, error in zip(cases, errors, strict=True)
    ]
    rates = {}
    for _ in range(iterations):
        sums = dict.fromkeys(occurrences, 0.0)
        for case in shares:
            for form, share in case.items():
                sums[form] += share
        rates = {form: sums[form] / n for form, n in occurrences.items()}
        shares = [
            {form: rates[form] / sum(rates[g] for g in case) if error else 0.0 for form in case}
            for case, error in zip(cases, errors, strict=True)
        ]
    return rates


def _make_case(i, gold=Label.ENTAILMENT, tags=(), **meta):
    """A pair whose tags are (hypothesis tag, text tag), a predicate each."""
    entries = [
        {"predicate": f"p{k}", "hypothesis": [of_h], "text": [of_t]}
        for k, (of_h, of_t) in enumerate(tags)
    ]
    return Pair(
        str(i), f"text {i}", f"claim {i}", gold, meta=({"tags": entries} if tags else {}) | meta
    )


def _verdict(pair_id, label):
    if label is None:
        return Verdict(pair_id, None, status=Status.ABSTAINED)
    return Verdict(pair_id, label)


def _judge(pairs, *answers):
    """Runs with these answers (labels or None), beside the gold."""
    runs = [
        Run(
            name=f"run{k}",
            verdicts=tuple(
                _verdict(pair.id, label) for pair, label in zip(pairs, labels, strict=True)
            ),
        )
        for k, labels in enumerate(answers)
    ]
    return line_up(pairs, runs).judged


TAG_PAIRS = [
    ("VA", "VA"),
    ("VP", "VA"),
    ("VA", "VP"),
    ("VA", "R"),
    ("VP", "R"),
    ("N", "VA"),
    ("NPP0", "VA"),
    ("VA", "N"),
    ("VA", "NPP0"),
    ("VAC", "VA"),
    ("VA", "VAC"),
    ("VPR", "VPR"),
]


@pytest.fixture(scope="session")
def suite():
    """2,000 entailments with one to three of a dozen tag pairs each, some much rarer."""
    rng = np.random.default_rng(2010)
    weights = np.linspace(1, 8, len(TAG_PAIRS))
    return [
        _make_case(
            i,
            tags=[
                TAG_PAIRS[k]
                for k in rng.choice(
                    len(TAG_PAIRS),
                    size=rng.integers(1, 4),
                    replace=False,
                    p=weights / weights.sum(),
                )
            ],
        )
        for i in range(2000)
    ]


@pytest.fixture(scope="session")
def plain_rates():
    return _plain_rates


@pytest.fixture(scope="session")
def make_case():
    return _make_case


@pytest.fixture(scope="session")
def judge():
    return _judge
