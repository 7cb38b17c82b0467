"""Pairs for recognizers to judge."""

import pytest

from ensue.pairs import Label, Pair

YES, NO = Label.ENTAILMENT, Label.NOT_ENTAILMENT


@pytest.fixture(scope="session")
def pairs() -> list[Pair]:
    """Forty pairs with gold, one empty hypothesis among them, ids in no order."""
    subjects = ["The company", "A river", "The old bridge", "Our neighbor", "The minister"]
    made = []
    for i in range(40):
        subject = subjects[i % 5]
        text = f"{subject} was seen near the harbor on day {i} and left before noon."
        if i % 2:
            hypothesis, gold = f"{subject} was seen near the harbor.", YES
        else:
            hypothesis, gold = f"Nobody met {subject.lower()} in the valley.", NO
        made.append(Pair(f"p{(i * 7) % 40}", text, hypothesis, gold, "QA" if i % 3 else "IE"))
    made.append(Pair("empty", "A text without a question.", "", NO))
    return made
