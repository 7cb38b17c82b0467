"""Every kernel gives the same interpreted and compiled, bit for bit, over generated inputs.

The laws of each room are run once more, with each kernel in both ways, and what they do not reach
is reached below. A kernel that nothing here runs is named.
"""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tests.alignment import generated_trees, test_names, test_searches
from tests.alignment.conftest import make_graph
from tests.kernel_checks import both_ways
from tests.language import test_measures
from tests.mining import test_files
from tests.paraphrase.acquisition import test_learning_ngrams
from tests.paraphrase.scores import test_reranking, test_score_laws
from tests.statistics import test_weighted_correlation
from tests.surface import (
    test_coverage,
    test_edits,
    test_lexical_translation,
    test_ngrams,
    test_nist,
)
from tests.translation.features import test_word_alignment

from ensue.alignment import (
    AlignmentSettings,
    SearchMethod,
    TreePair,
    align,
    edit_targets,
    first_leaves,
    tree_distances,
)
from ensue.alignment.words import letters_of, spelling_likenesses
from ensue.compiling import all_kernels
from ensue.language.lexicon import load_lexicon
from ensue.logic.parsing.parser import fill_chart
from ensue.surface import WHITESPACE, DistinctRows, tokenize

NAMES = st.lists(st.sampled_from(["ann", "anna", "gaddafi", "kaddafi", "post"]), min_size=1).map(
    " ".join
)


@settings(max_examples=20)
@given(
    test_searches.graphs(2),
    test_searches.graphs(4),
    st.integers(0, 9),
    st.sampled_from([1, 8, 12, 99]),
)
def align_graphs(text, hypothesis, seed, conditions):
    sides = [
        make_graph([f"{word}/n" for word in words], edges, extra=extra)
        for words, edges, extra in (text, hypothesis)
    ]
    for search in SearchMethod:
        chosen = AlignmentSettings(search=search, sweeps=5, seed=seed, conditions=conditions)
        align([tuple(sides)], chosen, lexicon=load_lexicon())


@settings(max_examples=10)
@given(st.integers(4, 6), st.sampled_from([1, 15, 99]))
def align_rings(n, conditions):
    """Two rings, each to be opened at a node with n candidates."""
    rings = [(0, "dobj", 1), (1, "prep_of", 2), (3, "dobj", 4), (4, "dobj", 5)]
    hypothesis = make_graph(["dog/n"] * 6, rings, extra=[(2, "dobj", 0), (5, "prep_of", 3)])
    text = make_graph(["dog/n"] * n, [(i, "dobj", i + 1) for i in range(n - 1)])
    align([(text, hypothesis)], AlignmentSettings(conditions=conditions), lexicon=load_lexicon())


@given(st.lists(NAMES, min_size=2, max_size=5), st.sampled_from([0.5, 0.8]))
def spell_names(names, cutoff):
    letters, offsets = letters_of(names)
    first = np.arange(len(names) - 1)
    spelling_likenesses(letters, offsets, first, first + 1, cutoff)


@settings(max_examples=25)
@given(st.integers(0, 7), st.integers(2, 4), st.integers(0, 99))
def fill_charts(n, n_symbols, seed):
    rng = np.random.default_rng(seed)
    words = np.where(rng.random((n, n_symbols)) < 0.6, rng.random((n, n_symbols)), np.inf)
    binary = rng.integers(0, n_symbols, (6, 4)).astype(np.int32)
    binary[:, 3] %= 2
    binary = binary[np.argsort(binary[:, 1], kind="stable")]
    starts = np.searchsorted(binary[:, 1], range(n_symbols + 1)).astype(np.int32)
    unary = rng.integers(0, n_symbols, (2, 2)).astype(np.int32)
    fill_chart(words, rng.random((n, n)), binary, rng.random(6), starts, unary, rng.random(2))


@settings(max_examples=3)
@given(st.integers(1000, 1500))
def number_many_rows(n):
    rows = DistinctRows()
    for k in range(3):
        values = np.arange(k, 2 * n + k, dtype=np.int32)
        rows.numbers(np.arange(0, 2 * n + 1, 2), values)


@settings(max_examples=3)
@given(st.integers(2100, 2500))
def scan_many_words(n):
    tokenize([" ".join(f"w{i % n}" for i in range(k, n + 9)) for k in (0, 7)], WHITESPACE)


@settings(max_examples=5)
@given(st.integers(0, 99))
def edit_trees(seed):
    for trees in generated_trees.costed_trees(4, seed, largest=6):
        pair = TreePair(
            first_leaves(trees.first),
            first_leaves(trees.second),
            *(np.array(each, float) for each in trees[2:]),
        )
        distances = tree_distances([pair])[0]
        edit_targets(pair, distances, len(trees.first) - 1, len(trees.second) - 1)


DRIVERS = [
    align_graphs,
    align_rings,
    edit_trees,
    spell_names,
    fill_charts,
    number_many_rows,
    scan_many_words,
    test_coverage.test_coverage_lies_between_zero_and_one_and_stems_only_add,
    test_edits.test_several_settings_give_what_each_gives_alone,
    test_files.test_mining_of_files_is_that_of_pairs,
    test_lexical_translation.test_best_origins_are_those_of_a_loop,
    test_lexical_translation.test_likelihood_never_falls,
    test_names.test_edits_are_symmetric_and_none_for_equals,
    test_ngrams.test_a_string_matches_itself_wholly,
    test_nist.test_nist_statistics_of_a_corpus_are_sums,
    test_reranking.test_short_list_gets_the_best_order_of_all,
    test_score_laws.test_dimple_is_never_above_ep,
    test_weighted_correlation.test_spearman_and_kendall_do_not_change_with_the_scale,
    test_word_alignment.test_narrow_beam_never_claims_what_is_not_so,
    test_word_alignment.test_sides_can_be_exchanged,
]


def test_every_kernel_gives_the_same_interpreted_and_compiled(tmp_path_factory):
    with both_ways() as seen:
        for drive in DRIVERS:
            drive()
        test_learning_ngrams.test_ngrams_agree_with_plain_dictionaries(tmp_path_factory)
        test_measures.test_law_of_symmetry("lin")
    assert {kernel.name for kernel in all_kernels()} - seen == set()


def test_a_difference_is_found():
    letters, offsets = letters_of(["gaddafi", "kaddafi"])
    differs = patch.object(spelling_likenesses, "interpreted", lambda *_: np.zeros(1))
    with both_ways(), differs, pytest.raises(AssertionError, match="spelling_likenesses"):
        spelling_likenesses(letters, offsets, np.array([0]), np.array([1]), 0.8)
