"""Fixtures: the values of a text that is analyzed, and of one that is only cut at spaces."""

import re

import numpy as np
import pytest

from ensue.language.analyzer import Sentence, load_analyzer
from ensue.language.values import find_values


def cut_at_spaces(text):
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    n = len(spans)
    starts, ends = (np.array([span[k] for span in spans], np.int32) for k in (0, 1))
    words = tuple(text[start:end] for start, end in spans)
    nothing = ("",) * n
    return Sentence(
        text, starts, ends, np.full(n, -1, np.int32), words, nothing, nothing, nothing, nothing
    )


@pytest.fixture(scope="session")
def plain():
    return cut_at_spaces


@pytest.fixture(scope="session")
def values_of():
    """The values of a text, each with its words."""

    def found(text):
        sentence = load_analyzer().analyze([text])[0]
        forms = sentence.forms
        return [(" ".join(forms[v.first : v.last]), v) for v in find_values(sentence)]

    return found
