"""Small lists with judgments."""

import numpy as np
import pytest

from ensue.paraphrase.lists import ListKey, PatternJudgments, RankedLists, Strictness


@pytest.fixture
def judged():
    """Lists by term and method, each a list of (paraphrase, labels of the judges)."""

    def made(plain, *, strictness=Strictness.STRICT, places=False):
        keys = tuple(ListKey(*key) for key in plain)
        patterns = [pattern for each in plain.values() for pattern in each]
        labels = np.array([votes for _, votes in patterns], np.int8)
        n_judges = labels.shape[1] if labels.size else 1
        return RankedLists(
            "few.tsv",
            keys,
            np.concatenate([[0], np.cumsum([len(each) for each in plain.values()])]).astype(
                np.int64
            ),
            [paraphrase for paraphrase, _ in patterns],
            PatternJudgments(
                tuple(f"judge {i}" for i in range(n_judges)),
                {strictness: labels.reshape(-1, n_judges)},
            ),
            places=[f"few.tsv:{i + 2}" for i in range(len(patterns))] if places else None,
        )

    return made
