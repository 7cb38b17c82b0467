"""D by Algorithm 1: by hand, and the kernel against the pseudo-code."""

import pytest
from hypothesis import given, strategies as st

from ensue import registry
from ensue.errors import SettingError
from ensue.paraphrase.lists import LARGEST_DIVERSITY, ListKey, RankedLists
from ensue.paraphrase.scores.measures import ALGORITHM_1, diversity_steps, lexical_diversity
from ensue.paraphrase.words import pattern_words

WORDS = """kill killed killing kills shot shooting shoot the of in slain slay die died x"""
phrases = st.lists(st.sampled_from(WORDS.split()), max_size=4).map(" ".join)
some_lists = st.lists(st.tuples(phrases, st.lists(phrases, max_size=8)), max_size=5)


def as_lists(plain):
    return RankedLists.of({ListKey(term, str(i)): each for i, (term, each) in enumerate(plain)})


def diversities(term, paraphrases):
    lists = as_lists([(term, paraphrases)])
    return lexical_diversity(lists, pattern_words(lists)).tolist()


MIXED = [
    ("in the", 1),  # no content word: line 6, first half
    ("was killed by", 1),  # killed is in history1: line 6, second half
    ("shooting", 3),  # unseen; history1 {killed, shooting}, history2 {kill, shoot}
    ("killing", 2),  # another word with a root that was seen; killing joins history1
    ("killing spree", 1),  # killing was seen now; spree does not join, since D is 1
    ("spree", 3),  # so spree is still unseen
    ("shoots a gun", 2),  # shoot was seen; the gun joins both histories all the same
    ("guns", 2),  # the root of gun was seen
    ("gun", 1),  # and gun itself
]


def test_every_branch_of_algorithm_1_is_taken():
    paraphrases = [paraphrase for paraphrase, _ in MIXED]
    assert diversities("killed", paraphrases) == [d for _, d in MIXED]
    steps = diversity_steps("killed", paraphrases)
    assert [step.diversity for step in steps] == [d for _, d in MIXED]


def test_steps_tell_what_was_seen():
    steps = diversity_steps("killed", ["in the", "killed in", "kills people", "People were shot"])
    assert [step.words for step in steps] == [
        (),
        ("killed",),
        ("kills", "people"),
        ("people", "shot"),
    ]
    assert steps[2].stems == ("kill", "peopl")
    assert [step.seen_words for step in steps] == [(), ("killed",), (), ("people",)]
    assert [step.seen_stems for step in steps] == [(), ("kill",), ("kill",), ("peopl",)]


def test_history_grows_only_when_the_words_are_new():
    # "killed dead" is D = 1, so that dead is no part of the history
    assert diversities("killed", ["killed dead", "dead"]) == [1, 3]


def test_paraphrase_that_equals_its_term_has_no_diversity():
    assert diversities("to take", ["to take", "TO  TAKE"]) == [1, 1]


def test_term_without_content_words_leaves_the_history_empty():
    assert diversities("to be", ["be", "exist"]) == [1, 3]


def test_history_begins_anew_with_each_list():
    lists = as_lists([("killed", ["shot"]), ("hit", ["shot"]), ("shot", ["shot"])])
    assert lexical_diversity(lists, pattern_words(lists)).tolist() == [3, 3, 1]


@given(some_lists)
def test_kernel_does_what_the_pseudo_code_says(plain):
    lists = as_lists(plain)
    expected = [step.diversity for term, each in plain for step in diversity_steps(term, each)]
    assert lexical_diversity(lists, pattern_words(lists)).tolist() == expected


@given(st.lists(phrases, max_size=6), phrases)
def test_diversity_hangs_on_what_came_before_alone(paraphrases, further):
    assert diversities("killed", [*paraphrases, further])[:-1] == diversities("killed", paraphrases)


def test_own_words_without_content_change_the_steps():
    steps = diversity_steps("killed", ["the end", "the"], no_content={"end"})
    assert [step.words for step in steps] == [("the",), ("the",)]


def test_algorithm_1_is_registered():
    assert registry.find("diversity", "algorithm-1") is ALGORITHM_1
    assert ALGORITHM_1.largest == LARGEST_DIVERSITY


def test_algorithm_1_takes_no_argument():
    with pytest.raises(SettingError, match="'algorithm-1' takes no argument, not '2'"):
        ALGORITHM_1.make("2")
