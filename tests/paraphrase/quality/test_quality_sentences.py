import pytest
from hypothesis import given, strategies as st

from ensue.errors import SettingError
from ensue.paraphrase.quality.entailment import holds_term, sentences_for, with_paraphrase


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("Two men were killed.", True),
        ("KILLED: two men", True),
        ("a skilled worker", False),
        ("the killedest of all", False),
        ("half-killed", True),
        ("killed_by", False),
    ],
)
def test_holds_term_minds_word_boundaries(sentence, holds):
    assert holds_term(sentence, "killed") is holds


def test_holds_term_takes_any_white_space():
    assert holds_term("He had to\n  take it.", "to take")


def test_holds_term_does_not_pass_over_punctuation():
    assert not holds_term("He had to. Take it!", "to take")


def test_holds_term_takes_signs_as_they_are():
    assert holds_term("It costs (a lot).", "(a lot)")
    assert not holds_term("It costs a lot.", "(a lot)")


def test_holds_term_is_false_of_an_empty_term():
    assert not holds_term("anything", " ")


def test_with_paraphrase_replaces_a_term_of_two_words():
    assert (
        with_paraphrase("She wants to take the early train.", "to take", "to catch")
        == "She wants to catch the early train."
    )


def test_with_paraphrase_replaces_every_occurrence_once():
    assert (
        with_paraphrase("One was killed, one nearly killed.", "killed", "shot and killed")
        == "One was shot and killed, one nearly shot and killed."
    )


def test_with_paraphrase_leaves_longer_words_alone():
    assert (
        with_paraphrase("A skilled man was killed.", "killed", "murdered")
        == "A skilled man was murdered."
    )


def test_with_paraphrase_is_none_without_the_term():
    assert with_paraphrase("A skilled man", "killed", "murdered") is None


@pytest.mark.parametrize(
    ("sentence", "term", "replaced"),
    [
        ("Killed were two.", "killed", "Shot dead were two."),
        ('"Killed!" they cried.', "killed", '"Shot dead!" they cried.'),
        ("Two Killed in Storm", "killed", "Two Shot dead in Storm"),
        ("TWO KILLED", "killed", "TWO SHOT DEAD"),
        ("Two were killed.", "Killed", "Two were shot dead."),
        ("Here Killed is a name.", "Killed", "Here shot dead is a name."),
        ("Killed is a name.", "Killed", "Shot dead is a name."),
    ],
)
def test_with_paraphrase_keeps_the_case_of_the_place(sentence, term, replaced):
    assert with_paraphrase(sentence, term, "shot dead") == replaced


@pytest.mark.parametrize(
    ("sentence", "term", "replaced"),
    [
        (
            "A dog barked.",
            "a",
            "One big dog barked.",
        ),  # its capital is of the sentence, not a shout
        ("Give me an A now.", "a", "Give me an One big now."),
        ("Give me an A now.", "A", "Give me an one big now."),
        ("A is first.", "A", "One big is first."),
        ("It is a dog.", "A", "It is one big dog."),
    ],
)
def test_with_paraphrase_takes_no_single_capital_for_capitals_throughout(sentence, term, replaced):
    assert with_paraphrase(sentence, term, "one big") == replaced


def test_with_paraphrase_takes_signs_of_regular_expressions_as_they_are():
    assert with_paraphrase("It is so.", "so", r"\1 (a+b)") == r"It is \1 (a+b)."


@given(st.text(max_size=40), st.text(min_size=1, max_size=8))
def test_with_paraphrase_by_the_term_itself_keeps_the_letters(sentence, term):
    replaced = with_paraphrase(sentence, term, term)
    assert (replaced is not None) == holds_term(sentence, term)
    if replaced is not None:
        assert _letters(replaced) == _letters(sentence)


def _letters(string):
    # upper case has no one-to-one way back: ß, ŉ and their like
    return "".join(string.upper().lower().split())


def test_sentences_for_gives_the_first_distinct_few():
    sentences = ["I broke it.", "She broke it.", "I broke it.", "We broke it.", "unbroken"]
    assert sentences_for(["broke"], sentences, most=2) == {
        "broke": ["I broke it.", "She broke it."]
    }
    assert sentences_for(["broke"], sentences) == {
        "broke": ["I broke it.", "She broke it.", "We broke it."]
    }


def test_sentences_for_tells_terms_of_one_beginning_apart():
    found = sentences_for(["to take", "to", "%"], ["Give it to me.", "I have to take it.", "9 %"])
    assert found == {
        "to take": ["I have to take it."],
        "to": ["Give it to me.", "I have to take it."],
        "%": ["9 %"],
    }


def test_sentences_for_reads_no_further_than_needed():
    sentences = iter(["I broke it.", "She broke it.", "left"])
    sentences_for(["broke"], sentences, most=1)
    assert next(sentences) == "left"


def test_sentences_for_refuses_none_a_term():
    with pytest.raises(SettingError, match="0 sentences a term"):
        sentences_for(["broke"], [], most=0)
