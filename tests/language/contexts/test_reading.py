"""The word lists are read, and what is wrong in one is said with its place."""

import pytest

from ensue.errors import DataError
from ensue.language.contexts import Embedding
from ensue.language.contexts.clauses import choice, read_rows, rows_of


def test_rows_come_with_their_places():
    content = "# comment\n\nfail\tverb\nknow\tverb\n"
    assert list(rows_of("words.tsv", content, 2)) == [
        ("words.tsv:3", ["fail", "verb"]),
        ("words.tsv:4", ["know", "verb"]),
    ]


@pytest.mark.parametrize("line", ["fail", "fail\tverb\tto", "fail\t", "\tverb"])
def test_row_with_other_cells_is_refused(line):
    with pytest.raises(DataError, match=r"words\.tsv:2: a row of"):
        list(rows_of("words.tsv", f"know\tverb\n{line}\n", 2))


def test_choice_is_a_member():
    assert choice(Embedding, "factive", "words.tsv:1") is Embedding.FACTIVE


def test_choice_that_is_none_is_refused():
    with pytest.raises(DataError, match=r"words\.tsv:7: no embedding is called 'factual'"):
        choice(Embedding, "factual", "words.tsv:7")


@pytest.mark.parametrize(
    ("name", "n_columns", "least"),
    [
        ("embedders.tsv", 4, 500),
        ("modals.tsv", 4, 50),
        ("negators.tsv", 2, 40),
        ("quantifiers.tsv", 3, 40),
    ],
)
def test_word_lists_are_well_formed(name, n_columns, least):
    assert len(list(read_rows(name, n_columns))) >= least


def test_embedders_are_listed_once():
    listed = [
        (lemma, part, complement)
        for _, (lemma, part, complements, _) in read_rows("embedders.tsv", 4)
        for complement in complements.split(",")
    ]
    assert len(listed) == len(set(listed))
