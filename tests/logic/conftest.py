import pytest

from ensue.language.analyzer import load_analyzer
from ensue.language.lexicon import load_lexicon
from ensue.logic.proving import open_prover
from ensue.logic.reasoner import Reasoner


@pytest.fixture(scope="session")
def analyze():
    analyzer = load_analyzer()
    return lambda text: analyzer.analyze([text])[0]


@pytest.fixture(scope="session")
def reasoner():
    return Reasoner(load_lexicon(), open_prover("z3"))


@pytest.fixture(scope="session")
def argue(analyze, reasoner):
    def argue(text, hypothesis, *, explain=False):
        return reasoner.reason(
            reasoner.meaning(analyze(text), asserted=True),
            reasoner.meaning(analyze(hypothesis), asserted=False),
            explain=explain,
        )

    return argue
