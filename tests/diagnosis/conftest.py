"""The shipped examples in the layouts of published sets, and runs with known answers."""

import pytest

from ensue.pairs import Run, RunHeader, Signature, Status, Verdict, View


@pytest.fixture(scope="session")
def diagnostic(root):
    """The examples that have the layouts of published sets."""
    return root / "examples" / "diagnostic"


@pytest.fixture
def answered():
    """A run that gives pairs these labels; None is no answer."""

    def run(pairs, labels, view=View.THREE_WAY):
        verdicts = [
            Verdict(pair.id, label, status=Status.DECIDED if label else Status.ABSTAINED)
            for pair, label in zip(pairs, labels, strict=True)
        ]
        signature = Signature("known", {}, view=view)
        return Run("known", tuple(verdicts), header=RunHeader(signature, {}, "now"))

    return run


@pytest.fixture
def findings():
    return []
