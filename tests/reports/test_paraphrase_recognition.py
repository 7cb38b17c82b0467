import pytest

from ensue.pairs import Label, Pair
from ensue.paraphrase.lists import ListKey, RankedLists
from ensue.paraphrase.recognition import RecognitionSummary, Task, recognize, term_counts
from ensue.reports.model import Interval
from ensue.reports.paraphrase.recognition import (
    recognition_picture,
    recognition_report,
    recognition_tables,
    term_counts_table,
)
from ensue.reports.text import tables_to_json
from ensue.statistics.resampling import Resampling, wilson_interval

LISTS = {
    ("ended", "one"): ["stopped", "to"],
    ("ended", "two"): ["was finished"],
    ("grew", "one"): ["rose"],
    ("sang", "two"): ["hummed"],
}
NEWS = [
    ("The strike ended.", "The strike stopped.", True),  # one: by a pattern
    ("The strike ended.", "The ending of the strike", True),  # both: by unigrams
    ("The strike ended.", "The strike was finished.", True),  # two: by a pattern
    ("The strike ended.", "The strike stopped trains.", False),  # one: a false alarm
    ("Sales grew.", "Sales rose.", True),
]
TALK = [("The film ended.", "The film was long.", True), ("He sang.", "She danced.", False)]


def task(name, rows):
    gold = {True: Label.ENTAILMENT, False: Label.NOT_ENTAILMENT}
    return Task.of(name, [Pair(f"{name}-{i}", t, h, gold[g]) for i, (t, h, g) in enumerate(rows)])


def lists(content):
    return RankedLists.of({ListKey(*key): each for key, each in content.items()}, name="lists.tsv")


@pytest.fixture(scope="module")
def found():
    return recognize(lists(LISTS), [task("News 1", NEWS), task("talk", TALK)])


@pytest.fixture(scope="module")
def tables(found):
    made = recognition_tables(RecognitionSummary.of(found, Resampling(draws=50)), pairs=True)
    return {table.name: table for table in made}


def records(table):
    return tables_to_json([table])[table.name]["rows"]


def row_of(table, **wanted):
    (row,) = [r for r in records(table) if all(r[key] == wanted[key] for key in wanted)]
    return row


def test_terms_table_is_that_of_the_paper_with_negative_pairs_beside(tables):
    assert records(tables["terms"]) == [
        {
            "term": term,
            "positive_news_1": counts[0],
            "negative_news_1": counts[1],
            "positive_talk": counts[2],
            "negative_talk": counts[3],
            "positive": counts[0] + counts[2],
            "negative": counts[1] + counts[3],
        }
        for term, counts in {
            "ended": (3, 1, 1, 0),
            "grew": (1, 0, 0, 0),
            "sang": (0, 0, 0, 1),
        }.items()
    ]
    assert "News 1: 4 positive and 1 negative pairs" in tables["terms"].notes


def test_terms_table_of_one_task_has_no_sums():
    found = recognize(lists(LISTS), [task("news", NEWS)])
    table = recognition_tables(RecognitionSummary.of(found, Resampling(draws=0)))[0]
    assert [each.name for each in table.columns] == ["term", "positive_news", "negative_news"]


def test_terms_table_has_the_chosen_terms_alone():
    found = recognize(lists(LISTS), [task("news", NEWS)], terms="grew")
    assert [
        row[0]
        for row in recognition_tables(RecognitionSummary.of(found, Resampling(draws=0)))[0].rows
    ] == ["grew"]


def test_performance_table_tells_what_does_it(tables):
    row = row_of(tables["performance"], term="ended", method="one", task="News 1")
    # 0 by a pattern and 1 by unigrams, of three positive pairs; one negative pair by a pattern
    low, high = wilson_interval(2, 3)
    assert row["performance"] == {"value": 2 / 3, "low": low, "high": high}
    assert (row["by_unigrams"]["value"], row["by_patterns"]["value"]) == (1 / 3, 1 / 3)
    assert (row["positive"], row["negative"]) == (3, 1)
    assert (row["false_alarms"]["value"], row["precision"]["value"]) == (1 / 1, 2 / 3)
    assert (row["n_by_unigrams"], row["n_by_patterns"], row["undefined"]) == (1, 1, None)
    assert (row["n_false_by_unigrams"], row["n_false_by_patterns"]) == (0, 1)


def test_performance_of_a_term_that_nobody_uses_is_a_dash_with_a_reason(tables):
    table = tables["performance"]
    row = row_of(table, term="sang", method="two", task="News 1")
    assert row["performance"] == {"value": None, "low": None, "high": None}
    reason = "the term 'sang' is in no positive pair of the task 'News 1'"
    assert row["undefined"].startswith(reason)
    assert f"sang (two): {reason}" in table.notes


def test_methods_table_has_means_over_lists(tables):
    row = row_of(tables["methods"], method="one", task="News 1")
    # ended: 2 of 3, grew: 1 of 1
    assert row["performance"]["value"] == pytest.approx((2 / 3 + 1) / 2)
    assert row["pooled"]["value"] == (2 + 1) / (3 + 1)
    assert (row["lists"], row["undefined_lists"]) == (2, 0)
    assert row["false_alarms"]["value"] == 1 / 1
    assert row["precision"]["value"] == 3 / 4
    assert row["performance"]["low"] <= row["performance"]["value"] <= row["performance"]["high"]


def test_methods_table_says_why_there_is_no_number(tables):
    row = row_of(tables["methods"], method="one", task="talk")
    assert row["precision"]["value"] is None
    assert "the lists recognize no pair of the task 'talk'" in row["undefined"]
    assert "one, talk, two, talk: the lists recognize no pair of the task 'talk'" in (
        tables["methods"].notes
    )


def test_pairs_table_tells_what_recognizes_which_pair(tables):
    rows = [r for r in records(tables["pairs"]) if (r["term"], r["method"]) == ("ended", "one")]
    assert [(r["pair_id"], r["gold"], r["by"], r["paraphrases"]) for r in rows] == [
        ("News 1-0", "entailment", "patterns", "stopped"),
        ("News 1-1", "entailment", "unigrams", None),
        ("News 1-2", "entailment", "nothing", None),
        ("News 1-3", "not-entailment", "patterns", "stopped"),
        ("talk-0", "entailment", "nothing", None),
    ]
    assert {r["side"] for r in rows} == {"text"}


def test_pairs_table_is_made_on_request_alone(found):
    names = [
        table.name
        for table in recognition_tables(RecognitionSummary.of(found, Resampling(draws=0)))
    ]
    assert names == ["terms", "methods", "performance"]


def test_long_tables_are_cut_for_people_and_say_so():
    many = lists({(f"t{i}", "m"): ["other"] for i in range(50)})
    found = recognize(many, [task("news", [(f"one t{i}", "two", True) for i in range(50)])])
    for table in recognition_tables(
        RecognitionSummary.of(found, Resampling(draws=0)), every=False, pairs=True
    ):
        if table.name != "methods":
            assert len(table.rows) == 40
            assert table.notes[-1].startswith("the first 40 of 50 ")
            assert table.notes[-1].endswith("; all are in JSON and CSV")
    assert all(
        len(table.rows) in (1, 50) and "JSON" not in table.notes[-1]
        for table in recognition_tables(
            RecognitionSummary.of(found, Resampling(draws=0)), pairs=True
        )
    )


def test_reasons_for_dashes_are_cut_for_people_and_say_so():
    many = lists({(f"t{i}", "m"): ["other"] for i in range(20)})
    found = recognize(many, [task("news", NEWS)])
    table = recognition_tables(RecognitionSummary.of(found, Resampling(draws=0)), every=False)[2]
    # a reason for the positive and one for the negative pairs of each term, one of precision
    assert f"{20 * 2 + 1 - 6} more reasons for dashes; all are in JSON and CSV" in table.notes


def test_nameless_method_is_a_dash_with_a_note():
    found = recognize(lists({("ended", ""): ["stopped"]}), [task("news", NEWS)])
    _, methods, performance, pairs = recognition_tables(
        RecognitionSummary.of(found, Resampling(draws=0)), pairs=True
    )
    for table in (methods, performance, pairs):
        assert records(table)[0]["method"] is None
        assert "method –: the lists name none" in table.notes


def test_picture_has_a_panel_a_task_and_a_row_a_method(found):
    picture = recognition_picture(RecognitionSummary.of(found, Resampling(draws=50)))
    panels = picture.spec["concat"]
    assert [panel["title"] for panel in panels] == ["News 1", "talk"]
    rows = panels[0]["data"]["values"]
    assert [row["place"] for row in rows] == ["one", "two"]  # of other terms: no common unigrams
    assert rows[0]["value"] == pytest.approx(100 * (2 / 3 + 1) / 2, abs=1e-3)


def test_picture_has_unigrams_where_methods_share_their_terms():
    both = {key: LISTS[key] for key in [("ended", "one"), ("ended", "two")]}
    picture = recognition_picture(
        RecognitionSummary.of(recognize(lists(both), [task("news", NEWS)]), Resampling(draws=0))
    )
    rows = picture.spec["data"]["values"]
    assert [(row["place"], row["value"]) for row in rows] == [
        ("one", pytest.approx(200 / 3, abs=1e-3)),
        ("two", pytest.approx(200 / 3, abs=1e-3)),
        ("unigrams alone", pytest.approx(100 / 3, abs=1e-3)),
    ]


def test_without_draws_means_have_no_intervals(found):
    methods = recognition_tables(RecognitionSummary.of(found, Resampling(draws=0)))[1]
    cells = [cell for row in methods.rows for cell in row if isinstance(cell, Interval)]
    assert all(cell.low is None and cell.high is None for cell in cells)
    assert not any("bootstrap" in note for note in methods.notes)


def test_terms_table_needs_no_lists():
    counts = term_counts([task("news", NEWS)], ["grew", "ended"])
    assert records(term_counts_table(counts)) == [
        {"term": "ended", "positive_news": 3, "negative_news": 1},
        {"term": "grew", "positive_news": 1, "negative_news": 0},
    ]


def test_answer_names_the_method_that_recognizes_most(found):
    summary = RecognitionSummary.of(found, Resampling(draws=0))
    assert recognition_report(summary).answer == (
        "one recognizes most in News 1, 83.3 % of the positive pairs of a list, 16.7 % by unigrams"
        " alone; no list recognizes anything in talk."
    )
