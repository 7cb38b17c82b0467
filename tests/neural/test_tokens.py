"""Pairs as token ids, by hand, by laws and beside the library's own BERT tokenizer."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tokenizers import BertWordPieceTokenizer

from ensue.neural.network import (
    FIRST,
    SEPARATOR,
    SHIPPED,
    VOCABULARY,
    PairTokenizer,
    TokenizedPair,
    is_held_out,
    sorted_batches,
    token_batch,
    windows,
)
from ensue.pairs import Label, Pair

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ODD = [
    "A man is playing a guitar.",
    "",
    "   \t\n ",
    "don't stop-and-go, e.g. U.S.A.'s 1,234.56 €!",
    "Antidisestablishmentarianism tokenizes unpredictably",
    "ÀÉÎÕÜ naïve façade coöperate Straße İstanbul ŁÓDŹ",
    "e\u0301 and \u00e9 are one letter",
    "日本語 東京 한국어 العربية हिन्दी Ελληνικά русский",
    "𓀀𓀁 ᚠᚢᚦ",
    "👩‍👩‍👧‍👦 🙂 🇩🇪 ❤️",
    "a\x00b\x07c\u200bd\u202ee\ufffdf\x85g",
    "x" * 101,
    "x" * 5000,
    "½ ² ﬁ ﷺ Ⅷ",
    "«quoted» — “curly” … ‘single’",
    "http://example.org/a?b=c&d=e#f user@example.org",
]


@pytest.fixture(scope="module")
def tokenizer():
    return PairTokenizer(SHIPPED / VOCABULARY)


@pytest.fixture(scope="module")
def bert():
    return BertWordPieceTokenizer(str(SHIPPED / VOCABULARY), lowercase=True)


@pytest.fixture(scope="module")
def vocabulary():
    return (SHIPPED / VOCABULARY).read_text("utf-8").split("\n")


def ids_of(tokenizer, side):
    (pair,) = tokenizer([side], [""])
    return pair.text


ids = st.integers(1000, 1030)
sides = st.lists(ids, max_size=60)
pairs = st.builds(TokenizedPair, sides, sides)
widths = st.integers(8, 40)
strings = st.text(st.characters(exclude_categories=()))


# What nothing is trained on.


def test_held_out_is_about_a_tenth():
    held = sum(is_held_out(Pair(str(i), f"Text number {i}.", "It is.")) for i in range(10_000))
    assert abs(held - 1000) < 4 * np.sqrt(10_000 * 0.1 * 0.9)  # four standard deviations


@given(st.text(), st.text(), st.text())
def test_held_out_is_all_of_a_text_or_nothing(text, one, other):
    found = [
        is_held_out(Pair("1", text, one, Label.ENTAILMENT)),
        is_held_out(Pair("2", f" {text}\n", other, Label.UNKNOWN, "QA")),
    ]
    assert found[0] == found[1]


# Words to ids.


def test_vocabulary_has_the_special_tokens_where_the_code_has_them(vocabulary):
    assert (vocabulary[0], vocabulary[FIRST], vocabulary[SEPARATOR]) == ("[PAD]", "[CLS]", "[SEP]")


def test_tokenizer_gives_each_side_its_ids(tokenizer, vocabulary):
    (pair,) = tokenizer(["A dog."], ["Unaffable"])
    assert [vocabulary[i] for i in pair.text] == ["a", "dog", "."]
    assert [vocabulary[i] for i in pair.hypothesis] == ["una", "##ffa", "##ble"]


@pytest.mark.parametrize("text", ODD)
def test_tokenizer_agrees_with_that_of_bert(tokenizer, bert, text):
    assert ids_of(tokenizer, text) == bert.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("name", SPECIAL)
def test_name_of_a_special_token_gets_no_special_id(tokenizer, vocabulary, name):
    special = {vocabulary.index(each) for each in SPECIAL}
    assert special.isdisjoint(ids_of(tokenizer, f"a {name} b{name}c {name.lower()}"))


def test_unknown_script_is_one_unknown_token_a_word(tokenizer, vocabulary):
    assert [vocabulary[i] for i in ids_of(tokenizer, "𓀀𓀁 ᚠᚢᚦ a")] == ["[UNK]", "[UNK]", "a"]


def test_half_character_is_left_out(tokenizer):
    assert ids_of(tokenizer, "a \ud83d dog\udc00s") == ids_of(tokenizer, "a dogs")


@given(st.lists(st.tuples(strings, strings), max_size=5))
def test_tokenizer_gives_a_pair_for_each_whatever_its_characters(tokenizer, given):
    texts, hypotheses = [text for text, _ in given], [asked for _, asked in given]
    expected = [
        TokenizedPair(ids_of(tokenizer, text), ids_of(tokenizer, asked)) for text, asked in given
    ]
    assert tokenizer(texts, hypotheses) == expected


# A pair that is too long.


@given(pairs, widths)
def test_cut_pair_is_as_long_as_it_may_be(pair, most):
    assert len(pair.cut(most)) == min(len(pair), most)


@given(pairs, widths)
def test_cut_takes_the_ends_of_the_sides(pair, most):
    cut = pair.cut(most)
    assert pair.text[: len(cut.text)] == cut.text
    assert pair.hypothesis[: len(cut.hypothesis)] == cut.hypothesis


@given(pairs, widths)
def test_cut_takes_from_the_hypothesis_only_when_the_text_has_half_or_less(pair, most):
    cut = pair.cut(most)
    if cut.hypothesis != pair.hypothesis:
        assert len(cut.text) == min(len(pair.text), (most - 3) // 2)


def test_cut_by_hand():
    pair = TokenizedPair(list(range(10)), list(range(20, 26)))
    assert pair.cut(19) == pair
    assert pair.cut(15) == TokenizedPair(list(range(6)), list(range(20, 26)))  # 15 - 3 = 6 + 6
    assert pair.cut(11) == TokenizedPair(list(range(4)), list(range(20, 24)))  # 11 - 3 = 4 + 4


# Windows.


@given(pairs, widths)
def test_short_pair_is_its_own_window(pair, most):
    if len(pair) <= most:
        assert windows(pair, most) == [pair]


@given(st.lists(ids, max_size=100), sides, st.integers(20, 40))
def test_windows_are_no_longer_than_they_may_be(text, hypothesis, most):
    assert all(len(each) <= most for each in windows(TokenizedPair(text, hypothesis), most))


@given(st.integers(0, 100), sides, st.integers(20, 40))
def test_windows_cover_the_whole_text(n, hypothesis, most):
    # windows hold 20 - 3 - 4 = 13 tokens or more and begin 6 or more behind one another, so that
    # 100 tokens make 1 + ceil((100 - 13) / 6) = 16 of them at the most, and none is left out
    found = windows(TokenizedPair(list(range(n)), hypothesis[:4]), most)
    assert sorted({i for each in found for i in each.text}) == list(range(n))


def test_windows_overlap_by_a_half():
    found = windows(TokenizedPair(list(range(100, 130)), [1, 2, 3]), 3 + 3 + 10)
    assert [(each.text[0], each.text[-1]) for each in found] == [
        (100, 109),
        (105, 114),
        (110, 119),
        (115, 124),
        (120, 129),
    ]
    assert all(each.hypothesis == [1, 2, 3] for each in found)


def test_windows_of_a_short_text_keep_what_fits_of_a_long_hypothesis():
    pair = TokenizedPair([1, 2, 3, 4], list(range(100, 160)))
    assert windows(pair, 40) == [TokenizedPair([1, 2, 3, 4], list(range(100, 133)))]  # 40 - 3 - 4


@given(pairs, widths)
def test_windows_ask_what_the_cut_pair_asks(pair, most):
    asked = {tuple(each.hypothesis) for each in windows(pair, most)}
    assert asked == {tuple(pair.cut(most).hypothesis)}


def test_windows_are_sixteen_at_the_most():
    assert len(windows(TokenizedPair([7] * 10_000, [8]), 40)) == 16


def test_windows_of_a_very_long_text_are_those_that_share_most_with_the_hypothesis():
    text = [0] * 10_000
    text[5000:5003] = [1, 2, 3]
    text[200], text[9000] = 1, 2
    found = windows(TokenizedPair(text, [1, 2, 3]), 40)
    kept = [set(each.text) - {0} for each in found]
    assert [each for each in kept if len(each) == 3] == [{1, 2, 3}] * 2  # a half of each is shared
    assert {1} in kept
    assert {2} in kept


def test_windows_stay_in_the_order_of_the_text():
    text = list(range(1000, 11_000))
    found = windows(TokenizedPair(text, [5000, 5001, 2000, 9000]), 40)
    starts = [each.text[0] for each in found]
    assert starts == sorted(starts)


# Arrays.


def test_batch_by_hand():
    batch = token_batch([TokenizedPair([7, 8], [9]), TokenizedPair([5], [])])
    assert batch.ids.tolist() == [
        [FIRST, 7, 8, SEPARATOR, 9, SEPARATOR, 0, 0],
        [FIRST, 5, SEPARATOR, SEPARATOR, 0, 0, 0, 0],
    ]
    assert batch.sides.tolist() == [[0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0]]
    assert batch.mask.tolist() == [[True] * 6 + [False] * 2, [True] * 4 + [False] * 4]


@given(st.lists(pairs, min_size=1, max_size=5))
def test_batch_is_as_wide_as_the_next_multiple_of_eight(given):
    width = token_batch(given).ids.shape[1]
    longest = max(map(len, given))
    assert width % 8 == 0
    assert longest <= width < longest + 8


@given(st.lists(pairs, min_size=1, max_size=5))
def test_batch_is_masked_behind_the_end_of_each_pair(given):
    batch = token_batch(given)
    assert batch.mask.sum(axis=1).tolist() == [len(pair) for pair in given]
    assert batch.sides.sum(axis=1).tolist() == [len(pair.hypothesis) + 1 for pair in given]
    assert not batch.ids[~batch.mask].any()


@given(st.lists(st.integers(3, 200), max_size=60), st.integers(1, 20))
def test_sorted_batches_hold_every_pair_once(lengths, size):
    found = [rows.tolist() for rows in sorted_batches(lengths, size)]
    assert sorted(i for rows in found for i in rows) == list(range(len(lengths)))
    assert all(len(rows) == size for rows in found[:-1])


@given(st.lists(st.integers(3, 200), min_size=1, max_size=60), st.integers(1, 20))
def test_sorted_batches_go_from_short_to_long(lengths, size):
    order = np.concatenate(list(sorted_batches(lengths, size)))
    assert [lengths[i] for i in order] == sorted(lengths)
