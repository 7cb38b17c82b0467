import numpy as np
import pytest

from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.scores.reranking import rerank
from ensue.reports.paraphrase.scores import reranking_table
from ensue.reports.text import tables_to_json

LISTS = {
    ListKey("ended", "one"): ["stopped work", "stopped"],
    ListKey("grew", "one"): ["rose"],
    ListKey("sang", "two"): [],
}
QUALITY = np.array([0.5, 1.0, 1.0])


def table(k=None, content=LISTS, quality=QUALITY, every=True):
    return reranking_table(rerank(RankedLists.of(content), quality, k=k), every=every)


def records(made):
    return tables_to_json([made])[made.name]["rows"]


def test_table_has_dimple_before_and_after():
    ended, grew, _ = records(table())
    # given: 2^(3/2) − 1 and, repeating a word, 2^1 − 1; new: 2^3 − 1 and 2^(1/2) − 1
    assert ended["given"] == pytest.approx((2**1.5 - 1 + 1) / 14)
    assert ended["greedy"] == ended["new"] == pytest.approx((7 + 2**0.5 - 1) / 14)
    assert ended["gain"] == pytest.approx(ended["new"] - ended["given"])
    assert (ended["method"], ended["patterns"], ended["way"]) == ("one", 2, "greedy")
    assert (grew["given"], grew["new"], grew["gain"], grew["way"]) == (1, 1, 0, "given")


def test_empty_list_is_a_dash_with_a_reason():
    made = table()
    row = records(made)[2]
    assert [row[key] for key in ("given", "greedy", "new", "gain", "way")] == [None] * 5
    assert "sang (two): the list has no pattern" in made.notes


def test_note_says_how_many_lists_gained():
    gain = (7 + 2**0.5 - 1) / 14 - 2**1.5 / 14
    assert table().notes[0] == (
        f"1 of 2 lists gained; the mean gain of all lists is {gain / 2:.3f}, the largest {gain:.3f}"
    )


def test_title_says_how_many_places_count():
    assert table().title == "DIMPLE of whole lists before and after reranking"
    assert table(k=5).title == "DIMPLE at 5 before and after reranking"


def test_note_explains_the_ways_that_occur():
    (note,) = [note for note in table().notes if note.startswith("way")]
    assert "given: " in note
    assert "greedy: " in note
    assert "exact: " not in note


def test_no_list_at_all_makes_an_empty_table():
    made = table(content={}, quality=np.empty(0))
    assert list(made.rows) == []
    assert list(made.notes) == []


def test_long_table_is_cut_for_people_and_says_so():
    content = {ListKey(f"t{i}", ""): ["other"] for i in range(50)}
    made = table(content=content, quality=np.ones(50), every=False)
    assert len(made.rows) == 40
    assert list(made.notes[-2:]) == [
        "method –: the lists name none",
        "the first 40 of 50 lists; all are in JSON and CSV",
    ]
