import math

import pytest
from tests.errors import coded

from ensue.errors import SettingError
from ensue.reports.cutoffs import power_tables


def as_dict(table):
    return dict(zip([column.name for column in table.columns], table.rows[0], strict=True))


def test_power_tables_give_connors_number():
    # z(0.975) = 1.959964, z(0.8) = 0.841621; d = 0.1, ψ = 0.2
    number = (1.959964 * math.sqrt(0.2) + 0.841621 * math.sqrt(0.2 - 0.01)) ** 2 / 0.01
    (table,) = power_tables(0.2, difference=0.1)
    found = as_dict(table)
    assert found["pairs_formula"] == math.ceil(number)
    assert found["pairs"] >= found["pairs_formula"]


def test_power_tables_say_what_a_number_of_pairs_shows():
    needed, shown = power_tables(0.2, difference=0.1, n_pairs=500)
    found = as_dict(shown)
    assert as_dict(needed)["pairs"] < 500
    assert found["power"] > 0.8
    assert found["smallest_difference"] < 0.1


def test_power_tables_without_a_difference_give_the_smallest_that_shows():
    (table,) = power_tables(0.2, n_pairs=500)
    found = as_dict(table)
    assert found["difference"] is None
    assert 0 < found["smallest_difference"] < 0.2


def test_power_tables_say_that_so_few_pairs_show_nothing():
    (table,) = power_tables(0.2, n_pairs=3)
    assert as_dict(table)["smallest_difference"] is None
    assert any("3 pairs show no difference" in note for note in table.notes)


def test_power_tables_refuse_a_difference_beyond_the_disagreement():
    with pytest.raises(SettingError, check=coded("difference-impossible-runs-disagree")):
        power_tables(0.1, difference=0.2)
