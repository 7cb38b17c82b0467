"""Which way words may be exchanged for more general or more special ones."""

import pytest


@pytest.mark.parametrize(
    ("text", "word", "monotonicity"),
    [
        ("Some dogs barked at the cat.", "dogs", "positive"),
        ("She bought a red car.", "car", "positive"),
        ("She did not buy a car.", "car", "negative"),
        ("She did not buy a car.", "buy", "negative"),
        ("No dog barks.", "dog", "negative"),
        ("No dog barks.", "barks", "negative"),
        ("There is no man playing a guitar.", "guitar", "negative"),
        ("Few students passed.", "students", "negative"),
        ("Few students passed.", "passed", "negative"),
        ("He left without a coat.", "coat", "negative"),
        ("If she buys a car, he will leave.", "car", "negative"),
        ("He failed to buy a car.", "car", "negative"),
        ("He denied that he bought a car.", "car", "negative"),
        ("At most three students passed.", "students", "negative"),
        ("He rarely drinks.", "drinks", "negative"),
        ("Every dog barks.", "dog", "universal"),
        ("Every student who read a book passed the exam.", "book", "universal"),
        ("Each of the students passed.", "students", "universal"),
        ("Every dog barks.", "barks", "positive"),
        ("Not every student passed the exam.", "student", "positive"),
        ("Not every student passed the exam.", "passed", "negative"),
        ("Most of the students passed.", "students", "neither"),
        ("Exactly three students passed.", "students", "neither"),
        ("He did not fail to buy a car.", "car", "positive"),
        ("He left without a coat.", "left", "positive"),
        ("The dog did not bark at the cat.", "dog", "positive"),
        ("Many students did not come.", "students", "positive"),
        ("More than three students passed.", "students", "positive"),
        ("Not only John but also Mary came.", "came", "positive"),
    ],
)
def test_monotonicity_of_a_place(read, text, word, monotonicity):
    assert read(text).at(word, "monotonicity") == monotonicity
