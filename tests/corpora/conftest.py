from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from ensue.corpora import Dataset
from ensue.pairs import Pair


@pytest.fixture
def dataset() -> Callable[..., Dataset]:
    """A data set in memory; the i-th pair stands at line i."""

    def make(pairs: Sequence[Pair], name: str = "x.xml") -> Dataset:
        return Dataset(name, tuple(pairs), tuple(range(1, len(pairs) + 1)))

    return make
