"""Tables of phrases and of keys, against dictionaries and sets."""

import numpy as np
from hypothesis import given, strategies as st

from ensue.paraphrase.acquisition.ngrams import PhraseTable
from ensue.surface import EMPTY, KeySet

ids = st.lists(st.integers(0, 4), min_size=1, max_size=40)
phrases = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), max_size=60)


def table_of(phrases):
    table = PhraseTable()
    numbers = [table.add(np.array(phrase, np.int32)) for phrase in phrases]
    return table, numbers


@given(phrases)
def test_phrases_are_numbered_as_a_dictionary_numbers_them(phrases):
    table, numbers = table_of(phrases)
    expected = {}
    assert numbers == [expected.setdefault(tuple(each), len(expected)) for each in phrases]
    assert [tuple(table.phrase(number)) for number in range(len(table))] == list(expected)


def test_phrases_keep_their_numbers_while_the_table_grows():
    table = PhraseTable()
    ids = np.arange(5000, dtype=np.int32)
    for start in range(0, 5000, 100):
        numbers = table.numbers(np.arange(101), ids[start : start + 100])
        assert numbers.tolist() == list(range(start, start + 100))
    assert table.numbers(np.arange(5001), ids).tolist() == ids.tolist()


@given(phrases, ids)
def test_phrases_are_found_wherever_they_stand(phrases, ids):
    table, _ = table_of(phrases)
    block = np.array([EMPTY, *ids, EMPTY], np.int32)
    found, starts = table.found(block, table.longest_from(5))
    expected = [
        (table.add(block[start : start + length]), start)
        for start in range(1, len(block) - 1)
        for length in range(1, 5)
        if block[start : start + length].tolist() in phrases
    ]
    assert list(zip(found.tolist(), starts.tolist(), strict=True)) == expected


@given(phrases, ids, st.integers(1, 4))
def test_phrases_of_one_width_are_found_from_each_place(phrases, ids, width):
    table, _ = table_of(phrases)
    block = np.array([EMPTY, *ids, EMPTY], np.int32)
    known = {tuple(table.phrase(number)): number for number in range(len(table))}
    assert table.starting_at(block, width).tolist() == [
        known.get(tuple(block[start : start + width].tolist()), EMPTY)
        if start + width <= len(block)
        else EMPTY
        for start in range(len(block))
    ]


def test_chosen_phrases_are_numbered_anew():
    table, _ = table_of([[1], [2, 3], [4]])
    chosen = table.chosen(np.array([1, 2]))
    assert [chosen.phrase(number) for number in range(len(chosen))] == [[2, 3], [4]]


@given(st.lists(st.lists(st.integers(0, 2**64 - 2) | st.integers(0, 5))))
def test_keys_are_new_once(batches):
    keys, expected = KeySet(), set()
    for batch in batches:
        is_new = keys.add(np.array(batch, np.uint64)).tolist()
        for key, new in zip(batch, is_new, strict=True):
            assert new == (key not in expected)
            expected.add(key)
    assert len(keys) == len(expected)
    assert keys.sorted().tolist() == sorted(expected)


def test_keys_survive_growth():
    keys = KeySet()
    for start in range(1, 100_000, 1000):
        assert keys.add(np.arange(start, start + 1000, dtype=np.uint64)).all()
    assert keys.sorted().tolist() == list(range(1, 100_001))
