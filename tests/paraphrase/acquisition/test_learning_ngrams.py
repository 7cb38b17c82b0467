"""Paraphrases by the words around them: planted ones, and against plain dictionaries."""

from collections import Counter, defaultdict
from math import sqrt

import pytest
from hypothesis import given, strategies as st

from ensue.errors import SettingError
from ensue.paraphrase.acquisition.methods import NgramSettings, Overlap, spooled
from ensue.paraphrase.acquisition.ngrams import learn_by_ngrams
from ensue.paraphrase.words import content_words

PLANTED = """
the old king killed his own brother
the old king slew his own brother
when robbers killed two guards in May
when robbers slew two guards in May
when robbers shot and killed two guards in May
a jealous man killed her cat , too
a jealous man slew her cat , too
a jealous man shot and killed her cat , too
a jealous man fed her cat , too
they slew all that moved
"""
"""Contexts of `killed`: three. `slew` shares them all, `shot and killed` two, `fed` one."""


def learned(folder, text, terms, settings=None, *, most=10, least=2, limit=1 << 20, block=1 << 20):
    path = folder / "corpus.txt"
    path.write_text(text, "utf-8")
    with spooled([path], block=block) as corpus:
        return learn_by_ngrams(
            corpus, terms, settings or NgramSettings(), most=most, least=least, limit=limit
        )


def rows(found):
    return [(each.paraphrase, each.n_contexts, each.n_occurrences) for each in found]


def test_planted_paraphrases_are_found_with_their_counts(tmp_path):
    outcome = learned(tmp_path, PLANTED, ["killed"])
    assert [rows(found) for found in outcome.lists] == [
        [("slew", 3, 4), ("shot and killed", 2, 2)],
    ]
    assert outcome.n_term_occurrences == [5]  # two of them in "shot and killed"


def test_one_context_is_enough_where_it_is_said_to_be(tmp_path):
    (found,) = learned(tmp_path, PLANTED, ["killed"], least=1).lists
    assert rows(found)[2:] == [("fed", 1, 1)]


def test_no_more_than_most_are_given(tmp_path):
    (found,) = learned(tmp_path, PLANTED, ["killed"], most=1).lists
    assert rows(found) == [("slew", 3, 4)]


def test_shared_contexts_are_weighed_against_all(tmp_path):
    # killed has five: (old king, his own), (when robbers, two guards), (jealous man, her cat) and,
    # in "shot and killed", (shot and, two guards), (shot and, her cat). slew has the first three:
    # "they slew" has but one word before it
    settings = NgramSettings(overlap=Overlap.JACCARD)
    (found,) = learned(tmp_path, PLANTED, ["killed"], settings).lists
    assert [(each.paraphrase, each.confidence) for each in found] == [
        ("slew", 3 / (5 + 3 - 3)),
        ("shot and killed", 2 / (5 + 2 - 2)),
    ]
    settings = NgramSettings(overlap=Overlap.COSINE)
    (found,) = learned(tmp_path, PLANTED, ["killed"], settings).lists
    assert [each.confidence for each in found] == [3 / sqrt(5 * 3), 2 / sqrt(5 * 2)]


def test_frequent_phrases_lose_by_jaccard(tmp_path):
    text = "\n".join(
        [f"a{i} b{i} killed c{i} d{i}\na{i} b{i} made c{i} d{i}" for i in range(3)]
        + [f"a{i} b{i} slew c{i} d{i}" for i in range(2)]
        + [f"e{i} f{i} made g{i} h{i}" for i in range(10)]
    )
    (plain,) = learned(tmp_path, text, ["killed"]).lists
    (weighed,) = learned(tmp_path, text, ["killed"], NgramSettings(overlap=Overlap.JACCARD)).lists
    assert rows(plain) == [("made", 3, 13), ("slew", 2, 2)]
    assert [each.confidence for each in weighed] == [2 / 3, 3 / 13]
    assert rows(weighed) == [("slew", 2, 2), ("made", 3, 13)]


@pytest.mark.parametrize("other", ["x b {} c d", "a x {} c d", "a b {} x d", "a b {} c x"])
def test_contexts_differ_by_each_of_their_words(tmp_path, other):
    text = "\n".join([*(line.format("slew") for line in ("a b {} c d", other)), "a b killed c d"])
    settings = NgramSettings(overlap=Overlap.JACCARD)
    (found,) = learned(tmp_path, text, ["killed"], settings, least=1).lists
    assert [(each.n_contexts, each.confidence) for each in found] == [(1, 1 / (1 + 2 - 1))]


def test_equal_contexts_count_once(tmp_path):
    text = "a b killed c d\n" * 3 + "a b slew c d\n" * 3
    (found,) = learned(tmp_path, text, ["killed"], least=1).lists
    assert rows(found) == [("slew", 1, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "a b killed\nc d\na b slew\nc d",
        "a b killed. Cc d\na b slew. Cc d",
        "a b killed c d\na b\nslew c d",
        "a b killed c d\na b slew c\nd",
    ],
)
def test_contexts_do_not_go_across_lines_or_sentences(tmp_path, text):
    assert learned(tmp_path, text, ["killed"], least=1).lists == [[]]


def test_terms_of_several_words_have_contexts_around_all_of_them(tmp_path):
    text = "a b to take c d\na b to seize c d\ne f to take g h\ne f to seize g h"
    (found,) = learned(tmp_path, text, ["to take"]).lists
    assert rows(found) == [("to seize", 2, 2)]


def test_overlapping_occurrences_of_terms_all_count(tmp_path):
    text = "a b go on go on go c d"
    outcome = learned(tmp_path, text, ["go on go", "go on", "on"])
    assert outcome.n_term_occurrences == [2, 2, 2]


def test_terms_are_paraphrases_of_each_other_but_not_of_themselves(tmp_path):
    outcome = learned(tmp_path, PLANTED, ["killed", "slew"])
    assert [rows(found)[0] for found in outcome.lists] == [("slew", 3, 4), ("killed", 3, 5)]


def test_terms_that_are_the_same_phrase_have_the_same_list(tmp_path):
    outcome = learned(tmp_path, PLANTED, ["killed", "Killed"])
    assert outcome.lists[0] == outcome.lists[1] != []


def test_function_words_and_punctuation_are_no_paraphrases(tmp_path):
    text = "\n".join(
        f"a{i} b{i} {phrase} c{i} d{i}"
        for i in range(2)
        for phrase in ("killed", "of the", "and", ",", "slew , then", "(slew)", "did not kill")
    )
    (found,) = learned(tmp_path, text, ["killed"]).lists
    assert [each.paraphrase for each in found] == ["did not kill"]


def test_paraphrases_are_no_longer_than_they_may_be(tmp_path):
    phrases = ["killed", "slew", "slew dead", "slew dead men"]
    text = "\n".join(f"a{i} b{i} {phrase} c{i} d{i}" for i in range(2) for phrase in phrases)
    (found,) = learned(tmp_path, text, ["killed"], NgramSettings(longest=2)).lists
    assert [each.paraphrase for each in found] == ["slew dead", "slew"]  # the rarer one first


def test_ties_go_to_the_rarer_and_then_by_the_words(tmp_path):
    phrases = ["killed", "slew", "felled", "axed"]
    text = "\n".join(f"a{i} b{i} {phrase} c{i} d{i}" for i in range(2) for phrase in phrases)
    (found,) = learned(tmp_path, f"{text}\naxed", ["killed"]).lists
    assert [each.paraphrase for each in found] == ["felled", "slew", "axed"]
    (found,) = learned(tmp_path, f"{text}\naxed", ["killed"], most=1).lists
    assert [each.paraphrase for each in found] == ["felled"]


def test_corpus_without_text_gives_empty_lists(tmp_path):
    outcome = learned(tmp_path, "", ["killed", "to take"])
    assert outcome.lists == [[], []]
    assert outcome.n_term_occurrences == [0, 0]


@pytest.mark.parametrize("name", ["left", "right", "longest"])
def test_settings_are_numbers_of_words(name):
    with pytest.raises(SettingError, match=f"{name} is 0"):
        NgramSettings(**{name: 0})


# the same by dictionaries and sets


def plainly_learned(sentences, terms, settings, most, least):
    """The lists of (paraphrase, score, shared contexts, occurrences) by one plain loop."""
    contexts, occurrences = defaultdict(set), Counter()
    for words in sentences:
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                phrase = tuple(words[start:end])
                occurrences[phrase] += 1
                left = tuple(words[max(start - settings.left, 0) : start])
                right = tuple(words[end : end + settings.right])
                if len(left) == settings.left and len(right) == settings.right:
                    contexts[phrase].add((left, right))
    lists = []
    for term in (tuple(term.split()) for term in terms):
        found = []
        for phrase, own in contexts.items():
            shared = len(own & contexts.get(term, set()))
            usable = phrase != term and len(phrase) <= settings.longest and "," not in phrase
            if shared >= least and usable and content_words(" ".join(phrase)):
                either = len(own | contexts[term])
                score = {
                    Overlap.SHARED: shared,
                    Overlap.JACCARD: shared / either,
                    Overlap.COSINE: shared / sqrt(len(own) * len(contexts[term])),
                }[settings.overlap]
                found.append((" ".join(phrase), score, shared, occurrences[phrase]))
        lists.append(sorted(found, key=lambda row: (-row[1], -row[2], row[3], row[0]))[:most])
    return lists


words = st.sampled_from(["aa", "bb", "cc", "the", "of", ","])
texts = st.lists(st.lists(words, min_size=1, max_size=14), max_size=14)
settings = st.builds(
    NgramSettings,
    left=st.integers(1, 2),
    right=st.integers(1, 2),
    longest=st.integers(1, 4),
    overlap=st.sampled_from(list(Overlap)),
)
TERMS = ["aa", "bb aa", "the", "cc of bb", "dd"]


@given(
    texts, settings, st.integers(1, 5), st.integers(1, 3), st.integers(1, 40), st.integers(5, 60)
)
def test_ngrams_agree_with_plain_dictionaries(
    tmp_path_factory, sentences, settings, most, least, block, limit
):
    text = "\n".join(" ".join(sentence) for sentence in sentences)
    folder = tmp_path_factory.mktemp("plain")
    outcome = learned(
        folder, text, TERMS, settings, most=most, least=least, limit=limit, block=block
    )
    assert [
        [(each.paraphrase, each.confidence, each.n_contexts, each.n_occurrences) for each in found]
        for found in outcome.lists
    ] == plainly_learned(sentences, TERMS, settings, most, least)


def test_learning_in_parts_changes_nothing(tmp_path):
    text = "\n".join(
        f"a{i % 7} b{i % 5} w{i % 11} {'x' * (i % 3)} c{i % 3} d{i % 2}" for i in range(600)
    )
    terms = [f"w{i}" for i in range(11)]
    whole = learned(tmp_path, text, terms, NgramSettings(1, 1, overlap=Overlap.COSINE))
    parts = learned(tmp_path, text, terms, NgramSettings(1, 1, overlap=Overlap.COSINE), limit=40)
    assert parts == whole
    assert any(whole.lists)
