import pytest

from ensue.logic.monotonicity import Edit, edit_between
from ensue.logic.reasoner import ReasoningOutcome

YES, UNKNOWN = ReasoningOutcome.YES, ReasoningOutcome.UNKNOWN


def test_edit_is_what_the_common_ends_leave():
    text, hypothesis = (
        ["no", "dog", "barked", "today"],
        ["no", "big", "black", "dog", "barked", "today"],
    )
    assert edit_between(text, hypothesis) == Edit(range(1, 1), range(1, 3))


def test_edit_of_a_repeated_word_is_counted_once():
    # of "a a" and "a", the first words agree, and nothing is left of the shorter for the end
    assert edit_between(["a", "a"], ["a"]) == Edit(range(1, 2), range(1, 1))


def test_equal_words_have_no_edit():
    assert edit_between(["a", "b"], ["a", "b"]) is None


PAIRS = {
    "upward": [
        ("Some briers grew in the garden.", "Some shrubs grew in the garden.", YES),
        ("Some flowers grew in the garden.", "Some roses grew in the garden.", UNKNOWN),
        ("Tom earned some cabbage by mowing lawns.", "Tom earned some money by mowing lawns.", YES),
        ("Tom said that a poodle barked.", "Tom said that a dog barked.", YES),
        ("Tom said that a dog barked.", "Tom said that a poodle barked.", UNKNOWN),
        ("Tom wants to buy a red car.", "Tom wants to buy a car.", YES),
        ("Tom wants to buy a car.", "Tom wants to buy a red car.", UNKNOWN),
    ],
    "downward": [
        ("Ann doubts that a dog barked.", "Ann doubts that a poodle barked.", YES),
        ("Ann doubts that a poodle barked.", "Ann doubts that a dog barked.", UNKNOWN),
        ("Tom refused to buy a car.", "Tom refused to buy a red car.", YES),
        ("Every painter stumbled.", "Every painter who drew the judge stumbled.", YES),
        ("Every painter who drew the judge stumbled.", "Every painter stumbled.", UNKNOWN),
        ("Few men read a book.", "Few men read a novel.", YES),
        ("Few men read a novel.", "Few men read a book.", UNKNOWN),
        ("Tom had no time in taking action.", "Tom had no time in taking curing.", YES),
        ("Tom had no time in taking curing.", "Tom had no time in taking action.", UNKNOWN),
        ("He sings better than any man.", "He sings better than any tall man.", YES),
        ("Tom never thinks of this house.", "Tom never thinks of this palace.", YES),
    ],
    "neither": [
        ("Most dogs bark.", "Most poodles bark.", UNKNOWN),
        ("Most poodles bark.", "Most dogs bark.", UNKNOWN),
        ("Rex is the biggest poodle.", "Rex is the biggest dog.", UNKNOWN),
        ("Only dogs barked.", "Only poodles barked.", UNKNOWN),
        ("Everyone but the poodles left.", "Everyone but the dogs left.", UNKNOWN),
    ],
    "comparison": [
        ("Tom wants to run faster than poodles.", "Tom wants to run faster than dogs.", UNKNOWN),
        ("Tom wants to run faster than any dog.", "Tom wants to run faster than any poodle.", YES),
        (
            "Tom wants to run faster than any poodle.",
            "Tom wants to run faster than any dog.",
            UNKNOWN,
        ),
        (
            "Ann wants a box as gigantic as a house.",
            "Ann wants a box as large as a house.",
            UNKNOWN,
        ),
        ("Ann wants a gigantic box in Rome.", "Ann wants a large box in Rome.", YES),
        ("Tom wants to see many tall dogs.", "Tom wants to see many dogs.", UNKNOWN),
    ],
    "averse words": [
        ("It is rare to see a poodle.", "It is rare to see a dog.", UNKNOWN),
        ("Tom stopped eating red apples.", "Tom stopped eating apples.", UNKNOWN),
        ("Ann doubts whether a poodle barked.", "Ann doubts whether a dog barked.", UNKNOWN),
        ("Did a poodle bark?", "Did a dog bark?", UNKNOWN),
        ("The law bans poodles.", "The law bans dogs.", UNKNOWN),
    ],
    "words that decide": [
        ("Ann lacks a car.", "Ann misses a car.", UNKNOWN),
        ("Ann said that she will sing if Tom asks.", "Ann said that she will sing.", UNKNOWN),
        ("Ann said that she sings when Tom asks.", "Ann said that she sings.", UNKNOWN),
        ("Ann said that she sang after Tom asked.", "Ann said that she sang.", YES),
        ("Tom nearly fell.", "Tom fell.", UNKNOWN),
        ("Tom held a fake gun.", "Tom held a gun.", UNKNOWN),
        ("Tom ate a hot dog in Rome yesterday.", "Tom ate a dog in Rome yesterday.", UNKNOWN),
        ("Ann will sing if Tom asks.", "Ann will sing.", UNKNOWN),
        ("Everyone except the pilots left.", "Everyone left.", UNKNOWN),
        ("Ann allegedly stole it.", "Ann stole it.", UNKNOWN),
    ],
    "definites below a word": [
        ("There is no cure for the cold in this house.", "There is no cure for it.", UNKNOWN),
        ("I have no objection to your plan.", "I have no objection to your travel plan.", YES),
        ("Every man who saw that film wept.", "Every man who saw that musical wept.", YES),
        (
            "Ann weeps every time she watches that film.",
            "Ann weeps every time she watches that musical.",
            YES,
        ),
        ("Ann sees that poodle on Sunday.", "Ann sees that dog on Sunday.", YES),
    ],
    "words that turn a place": [
        ("I wish there were no exam.", "I wish there were no final exam.", YES),
        ("I wish there were no final exam.", "I wish there were no exam.", UNKNOWN),
        ("We have no more fruit.", "We have no more apples.", YES),
        ("We have no other choice.", "We have no other bad choice.", YES),
        ("We saw the other dog.", "We saw the other poodle.", UNKNOWN),
        ("We barely make any money now.", "We barely make any big money now.", UNKNOWN),
        ("Tom wanted it, but to no purpose.", "Tom wanted it, but to no good purpose.", YES),
        ("Unless a dog barks, Tom sleeps.", "Unless a poodle barks, Tom sleeps.", UNKNOWN),
        ("Unless a poodle barks, Tom sleeps.", "Unless a dog barks, Tom sleeps.", YES),
        ("Not all poodles barked.", "Not all dogs barked.", YES),
        ("Not all dogs barked.", "Not all poodles barked.", UNKNOWN),
        ("Tom did not see every poodle.", "Tom did not see every dog.", YES),
        ("Tom did not see every dog.", "Tom did not see every poodle.", UNKNOWN),
        ("Ann mixed oil.", "Ann mixed oil and water.", UNKNOWN),
        ("Ann cannot mix oil.", "Ann cannot mix oil and water.", UNKNOWN),
    ],
    "one noun of several words": [
        (
            "Tom took some big money out of his pocket.",
            "Tom took some money out of his pocket.",
            YES,
        ),
        ("Tom wears no hat at home.", "Tom wears no dunce's cap at home.", YES),
        ("Tom ate a hot dog on Sunday.", "Tom ate a dog on Sunday.", UNKNOWN),
        ("Tom is too tired to play a game.", "Tom is too tired to play chess.", YES),
        ("Tom is too tired to eat an apple.", "Tom is too tired to eat a red apple.", YES),
        ("Nobody left.", "Nobody in the house left.", YES),
        ("These books are mine and those books are his.", "These books are mine", YES),
    ],
    "and, or": [
        ("Tom wants to see a dog and a cat.", "Tom wants to see a dog.", YES),
        ("Tom wants to see a dog or a cat.", "Tom wants to see a dog.", UNKNOWN),
        ("Tom refuses to see a dog or a cat.", "Tom refuses to see a dog.", YES),
        ("There was a war between France and Spain.", "There was a war between France.", UNKNOWN),
    ],
}


@pytest.mark.parametrize(
    ("text", "hypothesis", "answer"), [each for pairs in PAIRS.values() for each in pairs]
)
def test_one_edit_is_judged_by_the_way_of_its_place(argue, text, hypothesis, answer):
    argument = argue(text, hypothesis)
    assert argument.outcome is answer, (argument.reason, argument.facts)


def test_proof_by_monotonicity_says_which_word_became_which(argue):
    argument = argue(
        "Ann doubts that a dog barked.", "Ann doubts that a poodle barked.", explain=True
    )
    (name,) = [each for each in argument.finding.needed if each.startswith("w")]
    fact = argument.facts[int(name[1:])]
    assert fact.kind == "monotonicity"
    assert fact.words == (
        "where more special words may stand, 'dog' may become 'poodle': a poodle is a dog"
    )
