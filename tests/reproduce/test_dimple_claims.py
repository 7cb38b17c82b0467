"""What the paper on DIMPLE says of its tables, held against them; scipy is the oracle."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from ensue.reproduce.dimple_tables import (
    CELLS,
    METHODS,
    N_LISTS,
    N_TERMS,
    NAME,
    TASKS,
    VERBS,
    admissible,
    claims,
    least_between,
    listings,
    verb_key,
)
from ensue.reproduce.model import paper_of, published, published_number, side_by_side
from ensue.statistics.significance import critical_correlation, student_p, williams

TABLE_1 = {
    "found": (89, 62, 319),
    "called": (59, 61, 379),
    "told": (125, 34, 189),
    "killed": (48, 109, 277),
    "accused": (30, 44, 143),
    "to take": (21, 23, 63),
    "reached": (22, 18, 107),
    "returned": (14, 20, 57),
    "turned": (22, 10, 94),
    "broke": (10, 10, 35),
}
TABLES = {
    ("2", "msrpc"): (-0.02, -0.24, -0.11, 0.33, 0.27, -0.12, 0.32, 0.20, 0.25),
    ("2", "rte"): (0.13, -0.05, 0.11, 0.33, 0.12, 0.09, 0.46, 0.25, 0.37),
    ("2", "cqae"): (0.08, -0.09, 0.00, -0.02, -0.08, -0.13, 0.35, 0.25, 0.40),
    ("3", "msrpc"): (0.12, 0.13, 0.19, 0.26, 0.36, 0.37, 0.26, 0.35, 0.52),
    ("3", "rte"): (0.34, 0.34, 0.29, 0.43, 0.41, 0.38, 0.49, 0.55, 0.58),
    ("3", "cqae"): (0.44, 0.51, 0.47, 0.37, 0.60, 0.55, 0.37, 0.70, 0.70),
}
"""EP, EPR and DIMPLE at 1, 5 and 10 each."""
EVERY = np.array(list(TABLES.values()))


@pytest.fixture(scope="module")
def found():
    return {key: each.value for key, each in claims().items()}


@pytest.fixture(scope="module")
def rows():
    return {each.name: each.rows for each in listings()}


def test_record_has_the_printed_tables():
    for verb, counts in TABLE_1.items():
        assert tuple(published_number(NAME, verb_key(verb, task)) for task in TASKS) == counts
    assert tuple(TABLE_1) == VERBS
    assert (len(VERBS), len(VERBS) * len(METHODS)) == (N_TERMS, N_LISTS)
    assert [published_number(NAME, cell.key) for cell in CELLS] == EVERY.ravel().tolist()
    assert (CELLS[0].key, CELLS[-1].key) == ("table-2-msrpc-ep-1", "table-3-cqae-dimple-10")


def test_record_has_each_key_once_and_every_claim_is_in_it(found):
    keys = [figure["key"] for figure in published(NAME)["figures"]]
    assert len(keys) == len(set(keys))
    assert set(found) <= set(keys)


def test_what_the_paper_gives_as_a_number_recomputes(found):
    figures = side_by_side(NAME, found)
    agree = {figure.key: figure.agrees for figure in figures if figure.agrees is not None}
    assert set(agree.values()) == {True}
    assert {"intro-ep", "perfect-gain", "q-example", "lists", "abstract-significant"} <= set(agree)


def test_words_without_a_number_are_neither_right_nor_wrong(found):
    figures = {figure.key: figure for figure in side_by_side(NAME, found)}
    assert figures["order"].published == "general trend"
    assert figures["order"].agrees is None


def test_introduction_is_all_right_and_nothing_new(found):
    # D = 1 three times: (2^1 − 1) · 3 / (3 · 7)
    assert found["intro-ep"] == 1
    assert found["intro-epr"] == 0
    assert found["intro-dimple"] == pytest.approx(3 / (3 * 7))
    assert found["d-assassinated"] == 3


def test_bounds_are_reached(found):
    assert (found["dimple-lowest"], found["dimple-highest"]) == (0, 1)
    assert found["perfect-gain"] == 2**3 - 1
    assert found["q-example"] == pytest.approx(2 / 3)


def test_sums_of_table_1_are_shares_of_the_positive_pairs(found):
    sums = [found[f"table-1-sum-{task.lower()}"] for task in TASKS]
    assert sums == np.array(list(TABLE_1.values())).sum(axis=0).tolist() == [440, 391, 1663]
    shares = [found[f"table-1-share-{task.lower()}"] for task in TASKS]
    assert shares == pytest.approx([440 / 3900, 391 / 2805, 1663 / 27397])
    assert found["positive-share-msrpc"] == pytest.approx(3900 / 5800)


def test_table_1_is_in_no_order_and_nearest_to_that_by_the_smallest_count(found, rows):
    assert found["table-1-sorted"] == 0
    # 62 59 34 48 30 21 18 14 10 10: only 34 is before a larger one
    assert min(rows["verbs"], key=lambda row: row[1]) == ("smallest of the three", 1)


@pytest.mark.parametrize(("name", "tail"), [("two-sided", 0.005), ("one-sided", 0.01)])
def test_critical_r_is_that_of_scipy(found, name, tail):
    t = stats.t.ppf(1 - tail, 38)
    assert found[f"critical-{name}"] == pytest.approx(t / (38 + t * t) ** 0.5)
    # the density of r under no correlation: Beta(n/2 − 1, n/2 − 1) on [−1, 1]
    null = stats.beta(19, 19, loc=-1, scale=2)
    assert found[f"critical-{name}"] == pytest.approx(null.isf(tail))


def test_critical_r_is_printed_in_tables_of_it(found):
    # n = 10 at 0.01, two-sided, is 0.765 in textbooks
    assert found["critical-terms"] == pytest.approx(0.765, abs=5e-4)
    assert found["significant-terms"] == (EVERY > 0.765).sum() == 0


def test_significant_correlations_are_counted_with_what_rounding_leaves_open(found):
    for name, tail in (("two-sided", 0.005), ("one-sided", 0.01)):
        critical = stats.beta(19, 19, loc=-1, scale=2).isf(tail)
        surely, perhaps = (critical <= EVERY - 0.005).sum(), (critical <= EVERY + 0.005).sum()
        assert found[f"significant-{name}"] == surely
        assert found[f"rounding-{name}"] == perhaps - surely
    assert (found["significant-two-sided"], found["rounding-two-sided"]) == (14, 1)
    assert (found["significant-one-sided"], found["rounding-one-sided"]) == (16, 4)


def test_no_correlation_is_significant_from_below_0():
    assert EVERY.min() == -0.24 > -critical_correlation(40, 0.02)


def test_significance_is_listed_for_all_that_may_be(rows):
    listed = {row[:4]: row[6:8] for row in rows["significance"]}
    assert len(listed) == 16 + 4
    assert listed[2, "CQAE", "DIMPLE", 10] == ("by rounding", "yes")
    assert listed[2, "RTE", "DIMPLE", 1] == ("yes", "yes")
    assert listed[3, "CQAE", "EPR", 1] == ("no", "by rounding")
    null = stats.beta(19, 19, loc=-1, scale=2)
    assert all(row[5] == pytest.approx(2 * null.sf(row[4])) for row in rows["significance"])


def test_holm_leaves_four(found):
    p = np.sort([student_p(r, 38) for r in EVERY.ravel()])
    # 0.70 and 0.70, 0.60, 0.58: p times 54, 53, 52, 51 are below 0.01; 0.55 times 50 is not
    assert (p[:5] * np.arange(54, 49, -1) < 0.01).tolist() == [True] * 4 + [False]
    assert found["significant-holm"] == 4


def test_abstract_is_right(found):
    assert (found["abstract-lowest"], found["abstract-highest"]) == (0.52, 0.70)
    assert found["abstract-significant"] == found["dimple-leads"] == 3


def test_order_of_the_measures_holds_in_half_of_the_columns(found, rows):
    ep, epr, dimple = EVERY[:, :3], EVERY[:, 3:6], EVERY[:, 6:]
    assert found["order"] == ((ep < epr) & (epr < dimple)).sum() == 9
    assert found["order-dimple-ep"] == (ep < dimple).sum() == 17
    assert found["order-dimple-epr"] == (epr < dimple).sum() == 13
    assert found["order-epr-ep"] == (ep < epr).sum() == 13
    assert len(rows["order"]) == 18
    broken = {row[1:4]: row[8] for row in rows["order"] if row[7] == "no"}
    assert len(broken) == 9
    assert broken["strict", "CQAE", 1] == "EP > EPR, EP > DIMPLE, EPR = DIMPLE"
    assert broken["strict", "MSRPC", 1] == "EPR = DIMPLE"
    assert broken["lenient", "MSRPC", 10] == "EP > EPR"


def test_lenient_ep_is_close_to_0_in_five_of_nine(found):
    # −0.02, −0.05, 0.08, −0.09 and 0.00
    assert found["lenient-ep-close"] == 5
    assert found["lenient-ep-largest"] == 0.24
    assert found["lenient-close"] == (np.abs(EVERY[:3]) < 0.095).sum() == 8


def test_strict_ep_is_medium_in_five_of_nine(found):
    # 0.34, 0.34, 0.44, 0.51 and 0.47, of which those of CQAE are above 0.4026
    assert (found["strict-ep-medium"], found["strict-ep-significant"]) == (5, 3)


def test_lenient_dimple_is_best_at_1(found):
    # at 1, 5 and 10: 0.32 0.20 0.25, 0.46 0.25 0.37, 0.35 0.25 0.40
    assert (found["k-5-below-1"], found["k-10-below-1"]) == (3, 2)
    assert found["k-5-10-significant"] == 0


def test_strict_is_higher_in_25_of_27(found):
    assert found["strict-higher"] == (EVERY[3:] > EVERY[:3]).sum() == 25


@given(st.floats(-0.95, 0.95), st.floats(-0.95, 0.95))
def test_admissible_correlations_end_where_an_eigenvalue_is_0(first, second):
    for between in admissible(first, second):
        matrix = [[1, between, first], [between, 1, second], [first, second, 1]]
        assert np.linalg.eigvalsh(matrix)[0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("level", [0.05, 0.01])
@pytest.mark.parametrize("other", [0, 1])
@pytest.mark.parametrize("task", range(3))
def test_above_the_least_correlation_between_them_two_measures_differ(task, other, level):
    first, second = EVERY[3 + task, 8], EVERY[3 + task, 3 * other + 2]
    least = least_between(first, second, 40, level)
    low, high = admissible(first, second)
    grid = np.linspace(low, high, 400)[1:-1]
    differs = np.array([williams(first, second, between, 40).p < level for between in grid])
    assert (differs == (grid > least)).all()


def test_least_correlation_is_worked_by_hand():
    # r₁ = 0.52, r₂ = 0.19, r₁₂ = 0.5: K = 1 − 0.25 − 0.2704 − 0.0361 + 2·0.5·0.52·0.19 = 0.5423
    # t = 0.33·√(39·1.5) / √(2·0.5423·39/37 + 0.71²/4·0.125) = 2.524 / √(1.1432 + 0.0158) = 2.345
    p = 2 * stats.t.sf(2.345, 37)
    assert 0.01 < p < 0.05
    assert williams(0.52, 0.19, 0.5, 40).p == pytest.approx(p, abs=1e-4)
    assert least_between(0.52, 0.19, 40, 0.05) < 0.5 < least_between(0.52, 0.19, 40, 0.01)
    assert least_between(0.52, 0.19, 40, p) == pytest.approx(0.5, abs=2e-3)


def test_two_equal_correlations_never_differ():
    assert least_between(0.5, 0.5, 40, 0.05) is None


def test_two_far_correlations_always_differ():
    assert least_between(0.9, -0.9, 40, 0.05) == pytest.approx(admissible(0.9, -0.9)[0])


def test_what_it_takes_is_told_for_each_task(found, rows):
    at_5 = [found[f"williams-{task.lower()}-05"] for task in TASKS]
    at_1 = [found[f"williams-{task.lower()}-01"] for task in TASKS]
    assert at_5 == pytest.approx([0.344, 0.444, 0.542], abs=5e-4)
    assert at_1 == pytest.approx([0.614, 0.675, 0.740], abs=5e-4)
    assert [row[6:] for row in rows["williams"][:3]] == list(zip(at_5, at_1, strict=True))


def test_paper_and_remarks_are_there():
    paper, remarks = paper_of(NAME)
    assert paper == "Diversity-aware Evaluation for Paraphrase Patterns"
    assert len(remarks) == 7


def test_listings_have_a_cell_for_each_column():
    for listing in listings():
        assert {len(row) for row in listing.rows} == {len(listing.columns)}
