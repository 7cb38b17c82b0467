"""What is negated, and by which words."""

import pytest


@pytest.mark.parametrize(
    ("text", "word", "negators"),
    [
        ("The dog did not bark at the cat.", "bark", ["not"]),
        ("He can't swim.", "swim", ["n't"]),
        ("She never left.", "left", ["never"]),
        ("The firm no longer sells cars.", "sells", ["no"]),
        ("Nobody came.", "came", ["Nobody"]),
        ("Nothing happened.", "happened", ["Nothing"]),
        ("He saw no one.", "saw", ["no"]),
        ("No dog barks.", "dog", ["No"]),
        ("No dog barks.", "barks", ["No"]),
        ("There is no water.", "is", ["no"]),
        ("No really great tenors are modest.", "are", ["No"]),
        ("There is no man playing a guitar.", "playing", ["no"]),
        ("None of the students passed.", "passed", ["None"]),
        ("Neither John nor Mary came.", "came", ["Neither"]),
        ("Neither student passed.", "passed", ["Neither"]),
        ("He hardly ate.", "ate", ["hardly"]),
        ("He left without a coat.", "coat", ["without"]),
        ("He left without saying goodbye.", "saying", ["without"]),
        ("He walked instead of driving.", "driving", ["instead"]),
        ("She chose tea rather than coffee.", "coffee", ["rather"]),
        ("A lack of money stopped them.", "money", ["lack"]),
        ("He was seen by no one.", "seen", ["no"]),
        ("Under no circumstances should he leave.", "leave", ["no"]),
        ("Not a single student passed.", "passed", ["Not"]),
        ("Not every student passed the exam.", "passed", ["Not"]),
        ("He did not eat or drink.", "drink", ["not"]),
        ("The boys neither swam nor ran.", "ran", ["nor"]),
    ],
)
def test_negated_word_is_denied(read, text, word, negators):
    found = read(text)
    assert found.negators(word) == negators
    assert not found.at(word, "polarity")


@pytest.mark.parametrize(
    "text",
    [
        "Not only John but also Mary came.",
        "No doubt he left.",
        "No. 5 is alive.",
        "No, he left.",
        "Nothing but rain fell.",
        "There are no more than five rooms.",
        "The note fell on the floor.",
        "Few students passed.",
        "He rarely drinks.",
    ],
)
def test_sentence_without_negation_is_affirmed(read, text):
    assert all(read(text).contexts.polarity)


@pytest.mark.parametrize(
    ("text", "denied", "affirmed"),
    [
        ("He left without a coat.", ["coat"], ["left", "He"]),
        ("He left with no money.", ["money"], ["left"]),
        ("The man who did not leave was tired.", ["leave"], ["man", "was", "tired"]),
        ("He left the house, but did not lock it.", ["lock"], ["left", "house"]),
        ("The Senate did not vote, and the bill died.", ["vote", "Senate"], ["bill", "died"]),
        ("He did not say that she left.", ["say"], ["left", "she"]),
        ("The mayor, a lawyer, did not come.", ["mayor", "come"], ["lawyer"]),
        ("Not surprisingly, he left.", ["surprisingly"], ["left", "he"]),
        ("She did not come because she was ill.", ["come"], ["was", "ill"]),
    ],
)
def test_negation_has_its_scope(read, text, denied, affirmed):
    found = read(text)
    assert not any(found.at(word, "polarity") for word in denied)
    assert all(found.at(word, "polarity") for word in affirmed)


def test_two_negations_affirm(read):
    assert read("Nobody did not come.").at("come", "polarity")


def test_two_joined_negations_deny_once(read):
    assert not read("They cannot and will not leave.").at("leave", "polarity")
