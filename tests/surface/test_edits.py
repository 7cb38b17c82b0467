"""TER: by hand, against sacreBLEU (its search with other costs too), by its laws."""

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sacrebleu.metrics import TER, lib_ter
from tests.errors import coded

from ensue.errors import DataError, SettingError
from ensue.surface import COST_SETTINGS, UNIFORM, EditCosts, edit_statistics, tokenize_segments
from ensue.surface.tokenizers import MTEVAL_13A, WHITESPACE

strings = st.lists(st.sampled_from("abcdef"), max_size=10).map(" ".join)
several = st.lists(strings, min_size=1, max_size=3)
corpora = st.lists(st.tuples(strings, several), min_size=1, max_size=5)


def edits(outputs, references, costs=UNIFORM):
    segments = tokenize_segments(outputs, references, WHITESPACE)
    return edit_statistics(segments, [costs])[0]


def split(corpus):
    return [output for output, _ in corpus], [references for _, references in corpus]


def sacrebleu_statistics(outputs, references):
    """sacreBLEU's edits and reference length of each output."""
    metric = TER()
    rows = []
    for output, some in zip(outputs, references, strict=True):
        info = metric._extract_reference_info(some)
        rows.append(metric._compute_segment_statistics(metric._preprocess_segment(output), info))
    return np.array(rows)


def searched_by_cost(output, reference, costs, monkeypatch):
    """The cost that sacreBLEU's own search finds when its edits cost something else."""
    insertion, deletion, substitution, shift = costs.thousandths()
    monkeypatch.setattr(lib_ter, "_COST_INS", insertion)
    monkeypatch.setattr(lib_ter, "_COST_DEL", deletion)
    monkeypatch.setattr(lib_ter, "_COST_SUB", substitution)
    output, reference = output.split(), reference.split()
    if not reference:
        return len(output) * deletion / 1000
    distance, tried, total = lib_ter.BeamEditDistance(reference), 0, 0
    while True:
        gain, shifted, tried = lib_ter._shift(output, reference, distance, tried)
        if tried >= lib_ter._MAX_SHIFT_CANDIDATES or gain <= 0 or gain < shift:
            return (total + distance(output)[0]) / 1000
        output, total = shifted, total + shift


def drawn(rng, n_words, longest):
    words = [str(word) for word in range(n_words)]
    return " ".join(rng.choices(words, k=rng.randrange(longest + 1)))


def test_operations_worked_by_hand():
    # "b" lacks; "x" is too many; "y" stands for "f"; "d e" moves
    found = edits(
        ["a c", "a x b", "a y", "d e a b c"], [["a b c"], ["a b"], ["a f"], ["a b c d e"]]
    )
    assert found.insertions.tolist() == [1, 0, 0, 0]
    assert found.deletions.tolist() == [0, 1, 0, 0]
    assert found.substitutions.tolist() == [0, 0, 1, 0]
    assert found.shifts.tolist() == [0, 0, 0, 1]
    assert found.cost.tolist() == [1, 1, 1, 1]
    assert found.ter().tolist() == [1 / 3, 1 / 2, 1 / 2, 1 / 5]


def test_snover_example_worked_by_hand():
    # Snover et al. 2006, section 3.1: a shift, two substitutions and an insertion; 4 / 13
    found = edits(
        ["THIS WEEK THE SAUDIS denied information published in the new york times"],
        [["SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times"]],
    )
    assert found.counts().tolist() == [[1, 0, 2, 1]]
    assert found.ter()[0] == pytest.approx(4 / 13)


def test_costs_are_paid_for_operations():
    costs = EditCosts(insertion=0.1, deletion=2, substitution=0.5, shift=0.25)
    found = edits(
        ["a c", "a x b", "a y", "d e a b c"], [["a b c"], ["a b"], ["a f"], ["a b c d e"]], costs
    )
    assert found.cost.tolist() == [0.1, 2, 0.5, 0.25]


def test_shift_is_made_only_where_it_gains_what_it_costs():
    # to move "c" spares a deletion and an insertion
    outputs, references = ["c a b"], [["a b c"]]
    for cost, n_shifts in ((0, 1), (1, 1), (2, 1), (2.001, 0)):
        found = edits(outputs, references, EditCosts(shift=cost))
        assert found.shifts.tolist() == [n_shifts]
        assert found.cost.tolist() == [min(cost, 2)]


def test_best_reference_counts_and_lengths_are_averaged():
    found = edits(["a b c"], [["x y z w v", "a b d"]])
    assert found.substitutions.tolist() == [1]
    assert found.reference_length.tolist() == [(5 + 3) / 2]
    assert found.ter().tolist() == [1 / 4]


def test_ter_of_empty_strings_is_sacrebleus():
    outputs, references = ["", "a b", "", "a"], [["a b"], [""], [""], ["", "b"]]
    expected = [
        TER().sentence_score(output, some).score / 100
        for output, some in zip(outputs, references, strict=True)
    ]
    found = edits(outputs, references)
    assert found.ter().tolist() == expected == [1, 1, 0, 2]
    assert found.insertions.tolist() == [2, 0, 0, 0]
    assert found.deletions.tolist() == [0, 2, 0, 1]


@pytest.mark.parametrize("n_words", [2, 4, 8, 20])
def test_edits_agree_with_sacrebleu_on_generated_segments(n_words):
    rng = random.Random(n_words)
    outputs = [drawn(rng, n_words, 13) for _ in range(1000)]
    references = [[drawn(rng, n_words, 13) for _ in range(rng.randrange(1, 3))] for _ in outputs]
    expected = sacrebleu_statistics(outputs, references)
    found = edits(outputs, references)
    assert found.cost.tolist() == expected[:, 0].tolist()
    assert found.reference_length.tolist() == expected[:, 1].tolist()
    assert (found.shifts > 0).sum() > 100


def test_edits_agree_with_sacrebleu_where_blocks_have_moved():
    rng = random.Random(0)
    outputs, references = [], []
    for _ in range(150):
        words = drawn(rng, 12, 22).split()
        i, j, k = sorted(rng.randrange(len(words) + 1) for _ in range(3))
        outputs.append(" ".join(words[:i] + words[j:k] + words[i:j] + words[k:]))
        references.append([" ".join(words)])
    expected = sacrebleu_statistics(outputs, references)
    assert edits(outputs, references).cost.tolist() == expected[:, 0].tolist()


def test_edits_agree_with_sacrebleu_where_the_search_ends_early():
    # with this seed the 1,000 shifts are used up while one that gains is at hand, in both
    rng = random.Random(3)
    outputs = [" ".join(rng.choices("ab", k=34)) for _ in range(2)]
    references = [[" ".join(rng.choices("ab", k=34))] for _ in outputs]
    expected = sacrebleu_statistics(outputs, references)
    assert edits(outputs, references).cost.tolist() == expected[:, 0].tolist()


def test_edits_agree_with_sacrebleu_where_its_band_matters():
    # halves that change places lie further off the diagonal than the band is wide: with a wider one
    # the first would cost 3 and not 57
    first, second = [f"f{i}" for i in range(27)], [f"s{i}" for i in range(30)]
    outputs = [" ".join(first + second), "f1 s2", " ".join(first * 2)]
    references = [[" ".join(second + first)], [" ".join(second + first)], ["f1 f25"]]
    expected = sacrebleu_statistics(outputs, references)
    assert edits(outputs, references).cost.tolist() == expected[:, 0].tolist()
    assert expected[0, 0] == 57


def test_shift_moves_ten_words_at_most():
    others = [f"o{i}" for i in range(12)]
    for n_words, n_shifts in ((10, 1), (11, 2)):
        block = [f"b{i}" for i in range(n_words)]
        found = edits([" ".join(others + block)], [[" ".join(block + others)]])
        assert found.counts().tolist() == [[0, 0, 0, n_shifts]]


def test_shift_goes_fifty_places_at_most():
    for n_others, counts in ((50, [0, 0, 0, 1]), (51, [1, 1, 0, 0])):
        others = [f"o{i}" for i in range(n_others)]
        found = edits([" ".join([*others, "x"])], [[" ".join(["x", *others])]])
        assert found.counts().tolist() == [counts]


@pytest.mark.parametrize("name", COST_SETTINGS)
def test_edits_agree_with_sacrebleus_search_by_cost(name, monkeypatch):
    rng = random.Random(name)
    pairs = [(drawn(rng, 6, 12), drawn(rng, 6, 12)) for _ in range(120)]
    found = edits(
        [output for output, _ in pairs],
        [[reference] for _, reference in pairs],
        COST_SETTINGS[name],
    )
    expected = [searched_by_cost(*pair, COST_SETTINGS[name], monkeypatch) for pair in pairs]
    assert found.cost.tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.data
def test_edits_agree_with_sacrebleu_on_real_segments(shared_data):
    folder = shared_data / "wmt12"
    reference = (folder / "reference.en").read_text("utf-8").splitlines()
    rng = random.Random(0)
    outputs, references = [], []
    for file in sorted((folder / "system-outputs").glob("*/*"))[::6]:
        lines = file.read_text("utf-8").splitlines()
        for i in rng.sample(range(len(lines)), 12):
            outputs.append(lines[i])
            references.append([reference[i]])
    expected = sacrebleu_statistics(outputs, references)
    found = edits(outputs, references)
    assert found.cost.tolist() == expected[:, 0].tolist()
    assert found.reference_length.tolist() == expected[:, 1].tolist()


def test_corpus_ter_agrees_with_sacrebleu():
    outputs = ["the cat sat on the mat", "a dog barks", "", "no end"]
    first = ["on the mat sat the cat", "a dog barked", "nothing", "no end"]
    second = ["the cat sat on mats", "dogs bark", "nothing at all", "end"]
    references = [list(some) for some in zip(first, second, strict=True)]
    expected = TER().corpus_score(outputs, [first, second]).score / 100
    assert edits(outputs, references).summed().ter()[0] == pytest.approx(expected)


@given(corpora)
def test_edit_statistics_of_a_corpus_are_sums(corpus):
    found = edits(*split(corpus))
    summed = found.summed()
    assert summed.cost[0] == found.cost.sum()
    assert summed.counts()[0].tolist() == found.counts().sum(axis=0).tolist()


@given(corpora)
def test_edits_do_not_depend_on_the_other_segments(corpus):
    together = edits(*split(corpus)).counts().tolist()
    alone = [edits([output], [some]).counts()[0].tolist() for output, some in corpus]
    assert together == alone


@given(corpora)
def test_order_of_references_does_not_matter_for_edits(corpus):
    outputs, references = split(corpus)
    turned = [list(reversed(each)) for each in references]
    found, other = edits(outputs, references), edits(outputs, turned)
    assert found.cost.tolist() == other.cost.tolist()
    assert found.counts().tolist() == other.counts().tolist()


@given(corpora, st.sampled_from(list(COST_SETTINGS.values())))
def test_costs_scale(corpus, costs):
    outputs, references = split(corpus)
    triple = EditCosts(
        3 * costs.insertion, 3 * costs.deletion, 3 * costs.substitution, 3 * costs.shift
    )
    found, scaled = edits(outputs, references, costs), edits(outputs, references, triple)
    assert scaled.cost.tolist() == pytest.approx((3 * found.cost).tolist())
    assert scaled.counts().tolist() == found.counts().tolist()


@given(corpora, st.sampled_from(list(COST_SETTINGS.values())))
def test_cost_is_what_the_operations_cost(corpus, costs):
    found = edits(*split(corpus), costs)
    prices = [costs.insertion, costs.deletion, costs.substitution, costs.shift]
    assert found.cost.tolist() == pytest.approx((found.counts() @ prices).tolist())


@given(st.lists(strings, min_size=1, max_size=5), st.sampled_from(list(COST_SETTINGS.values())))
def test_identity_needs_no_edits(outputs, costs):
    found = edits(outputs, [[output] for output in outputs], costs)
    assert found.ter().tolist() == [0] * len(outputs)


@given(corpora)
def test_several_settings_give_what_each_gives_alone(corpus):
    segments = tokenize_segments(*split(corpus), WHITESPACE)
    settings = list(COST_SETTINGS.values())
    for together, costs in zip(edit_statistics(segments, settings), settings, strict=True):
        alone = edit_statistics(segments, [costs])[0]
        assert together.cost.tolist() == alone.cost.tolist()
        assert together.counts().tolist() == alone.counts().tolist()


def test_tokenizer_is_free_to_choose():
    segments = tokenize_segments(["Yes, it is."], [["Yes it is."]], MTEVAL_13A)
    assert edit_statistics(segments)[0].deletions.tolist() == [1]


def test_no_outputs_have_no_edits():
    assert edits([], []).cost.tolist() == []


@pytest.mark.parametrize("cost", [-1, float("nan"), float("inf"), 0.0001, 101])
def test_cost_that_is_none_is_refused(cost):
    with pytest.raises(SettingError, check=coded("no-cost-edit")):
        EditCosts(shift=cost)


@pytest.mark.parametrize("free", [{"substitution": 0}, {"insertion": 0, "deletion": 0}])
def test_costs_that_tell_nothing_apart_are_refused(free):
    with pytest.raises(SettingError, check=coded("under-every-output-good")):
        EditCosts(**free)


def test_free_insertions_deletions_or_shifts_are_allowed():
    assert edits(["a"], [["a b c"]], EditCosts(insertion=0)).cost.tolist() == [0]
    assert edits(["a x"], [["a"]], EditCosts(deletion=0)).cost.tolist() == [0]
    assert edits(["c a b"], [["a b c"]], EditCosts(shift=0)).cost.tolist() == [0]


def test_texts_too_long_for_the_search_are_refused():
    long = " ".join(map(str, range(9_000)))
    with pytest.raises(DataError, match="outputs of up to 9,000 words and references of up to"):
        edit_statistics(tokenize_segments([long], [[long]], WHITESPACE))


def test_one_long_side_alone_is_no_matter():
    long = " ".join(map(str, range(50_000)))
    (found,) = edit_statistics(tokenize_segments([long], [["1 2"]], WHITESPACE))
    assert found.cost.tolist() == [50_000 - 2]
