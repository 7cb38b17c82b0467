"""Long lists of texts go to a pool in blocks; what comes back is what a loop gives."""

import pickle

import pytest

from ensue.language.analyzer import PooledAnalyzer, load_analyzer, sentence_to_bytes

TEXTS = [f"The clerk filed {n} letters on Monday." for n in range(2, 72)]


class Loop:
    """A pool that is none: it sends what a pool sends, and calls it here."""

    def __init__(self):
        self.n_calls = 0

    def in_order(self, calls):
        for call in calls:
            self.n_calls += 1
            function, *arguments = pickle.loads(pickle.dumps(call))
            yield pickle.loads(pickle.dumps(function(*arguments)))


@pytest.fixture(scope="module")
def analyzer():
    return load_analyzer()


def test_long_list_is_analyzed_by_the_pool_as_it_is_here(analyzer):
    pool = Loop()
    spread = PooledAnalyzer(analyzer, pool).analyze(TEXTS)
    assert pool.n_calls == 3  # 32 + 32 + 6 = 70 texts
    assert [each.text for each in spread] == TEXTS
    alone = [
        sentence_to_bytes(each)
        for start in range(0, len(TEXTS), 32)
        for each in analyzer.analyze(TEXTS[start : start + 32])
    ]
    assert [sentence_to_bytes(each) for each in spread] == alone


def test_short_list_is_analyzed_here(analyzer):
    pool = Loop()
    spread = PooledAnalyzer(analyzer, pool)
    assert [each.text for each in spread.analyze(TEXTS[:64])] == TEXTS[:64]
    assert spread.analyze([]) == []
    assert pool.n_calls == 0


def test_signature_is_the_analyzers(analyzer):
    assert PooledAnalyzer(analyzer, Loop()).signature == analyzer.signature
