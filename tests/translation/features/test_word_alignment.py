"""Which words are matched: by hand, against all alignments of short strings, and by law."""

from itertools import combinations, permutations

import numpy as np
from hypothesis import given, strategies as st
from nltk.translate.meteor_score import _count_chunks, exact_match, stem_match

from ensue.language.lexicon import load_lexicon
from ensue.translation.features import word_matches as words
from ensue.translation.features.kernels import (
    NO_STAGE,
    WordClasses,
    best_links,
    match_edges,
    most_covered,
    n_chunks,
    side_of,
    stage_of,
)
from ensue.translation.features.word_matches import Stage, match_statistics, word_alignment

# stems: 0 and 1 are forms of one word; synonyms: 1 and 2, 2 and 3, but not 1 and 3
WORDS = WordClasses(
    np.array([0, 0, 1, 2, 3], np.int32),
    np.array([0, 0, 1, 3, 4, 4]),
    np.array([7, 7, 8, 8], np.int32),
    np.array([0, 1 << 7, (1 << 7) | (1 << 8), 1 << 8, 0], np.uint64),
)
numbers = st.lists(st.integers(0, 4), max_size=6)
sentences = st.lists(
    st.sampled_from(["the", "car", "cars", "auto", "bought", "purchased", ",", "of", "red"]),
    max_size=12,
).map(" ".join)


def links_of(output, reference, width=64):
    sides = [side_of(np.array(side, np.int32)) for side in (output, reference)]
    edges = match_edges(WORDS, *sides)
    covered = most_covered(*sides, edges, NO_STAGE)
    links, is_best = best_links(*sides, edges, covered, width)
    return links.tolist(), covered, is_best


def merit(links):
    """Words left out, chunks, distances: smaller is better."""
    distance = sum(abs(i - j) for i, j in enumerate(links) if j >= 0)
    return (links.count(-1), n_chunks(np.array(links, np.int32)), distance)


def every_alignment(output, reference):
    for size in range(min(len(output), len(reference)) + 1):
        for places in combinations(range(len(output)), size):
            for partners in permutations(range(len(reference)), size):
                links = [-1] * len(output)
                for i, j in zip(places, partners, strict=True):
                    links[i] = j
                if all(
                    stage_of(WORDS, output[i], reference[j]) != NO_STAGE
                    for i, j in zip(places, partners, strict=True)
                ):
                    yield links


@given(st.lists(st.integers(0, 4), max_size=5), st.lists(st.integers(0, 4), max_size=5))
def test_alignment_is_the_best_of_all(output, reference):
    links, covered, is_best = links_of(output, reference)
    best = min(map(merit, every_alignment(output, reference)))
    assert is_best
    assert merit(links) == best
    assert len(output) - best[0] == covered


@given(numbers, numbers, st.integers(1, 3))
def test_narrow_beam_never_claims_what_is_not_so(output, reference, width):
    narrow, _, is_best = links_of(output, reference, width)
    best, _, _ = links_of(output, reference)
    assert merit(narrow) >= merit(best)
    if is_best:
        assert merit(narrow) == merit(best)


@given(sentences, sentences)
def test_each_word_is_matched_once(output, reference):
    found = word_alignment(output, reference)
    for side in ("output", "reference"):
        places = [getattr(each, side) for each in found.matches]
        assert len(set(places)) == len(places)
        assert all(0 <= place < len(getattr(found, side)) for place in places)


@given(sentences, sentences)
def test_sides_can_be_exchanged(output, reference):
    one = match_statistics([output], [[reference]])
    other = match_statistics([reference], [[output]])
    assert one.chunks.tolist() == other.chunks.tolist()
    assert one.matches.tolist() == other.matches.tolist()
    assert one.covered.tolist() == other.covered.tolist()


def test_stages_are_tried_in_their_order():
    found = word_alignment("She purchased red cars", "She bought a red car")
    shown = [(found.output[m.output], found.reference[m.reference], m.stage) for m in found.matches]
    assert shown == [
        ("she", "she", Stage.EXACT),
        ("purchased", "bought", Stage.SYNONYM),
        ("red", "red", Stage.EXACT),
        ("cars", "car", Stage.STEM),
    ]
    # she purchased | red cars
    assert found.n_chunks == 2


def test_synonyms_are_those_of_the_lexicon():
    assert load_lexicon().is_synonym(["car"], ["automobile"], "noun")[0]
    assert not load_lexicon().is_synonym(["car"], ["bicycle"], "noun")[0]
    found = word_alignment("car", "automobile"), word_alignment("car", "bicycle")
    assert [len(each.matches) for each in found] == [1, 0]


def test_pronoun_is_no_synonym_of_an_element():
    assert load_lexicon().is_synonym(["he"], ["helium"], "noun")[0]
    assert word_alignment("he", "helium").matches == ()


def test_coverage_comes_before_likeness():
    # the exact match of "car" would leave "cars" or "auto" alone; both find a partner this way
    found = word_alignment("car auto", "auto cars")
    assert len(found.matches) == 2


def test_repeated_words_go_where_there_are_fewest_chunks():
    found = word_alignment("of the red car", "the auto of the red car")
    assert [each.reference for each in found.matches] == [2, 3, 4, 5]
    assert found.n_chunks == 1


def test_equal_chunks_leave_the_nearest_words():
    found = word_alignment("plum", "plum kiwi plum")
    assert [each.reference for each in found.matches] == [0]
    found = word_alignment("kiwi fig plum", "plum fig kiwi plum")
    # both ways three chunks: |0 - 2| + |1 - 1| + |2 - 3| = 3 against |0 - 2| + 0 + |2 - 0| = 4
    assert [each.reference for each in found.matches] == [2, 1, 3]


def test_words_are_cut_as_the_treebank_does():
    found = word_alignment("It isn’t the well-known dog’s", "It is not the well known dog 's")
    assert found.output == ("it", "is", "n't", "the", "well", "known", "dog", "'s")
    assert len(found.matches) == 7


def test_long_strings_of_one_word_are_matched_as_far_as_they_go():
    found = match_statistics(["so " * 1000] * 2, [["so " * 700], ["so " * 1500]])
    assert found.matches.tolist() == [700, 1000]


def test_what_was_looked_up_before_changes_nothing(monkeypatch):
    monkeypatch.setattr(words, "_MOST_KNOWN", 2)
    known = words.KnownWords(load_lexicon())
    for asked in (["car", "auto"], ["auto", "cars", "car"], ["car"], ["car", "auto"]):
        found = known.of(asked)
        fresh = words.KnownWords(load_lexicon()).of(asked)
        assert all(np.array_equal(one, other) for one, other in zip(found, fresh, strict=True))


def test_nothing_has_no_matches():
    for output, reference in (("", "a word"), ("a word", ""), ("", "")):
        assert word_alignment(output, reference).matches == ()


invented = st.permutations(["wug", "wugs", "blick", "dax", "fep", "zib", "toma", "kiki"]).flatmap(
    lambda order: st.integers(0, 8).map(lambda n: order[:n])
)


@given(invented, invented)
def test_exact_matches_and_chunks_are_nltks_where_no_word_is_twice(output, reference):
    output, reference = ([w for w in side if w != "wugs"] for side in (output, reference))
    theirs, _, _ = exact_match(output, reference)
    ours = word_alignment(" ".join(output), " ".join(reference))
    assert [(m.output, m.reference) for m in ours.matches] == sorted(theirs)
    if theirs:
        assert ours.n_chunks == _count_chunks(sorted(theirs))


@given(invented, invented)
def test_stems_match_as_nltks_do(output, reference):
    theirs, _, _ = stem_match(output, reference)
    ours = word_alignment(" ".join(output), " ".join(reference))
    assert len(ours.matches) == len(theirs)
