import numpy as np
import pytest

from ensue.paraphrase.evaluation import judge_agreement
from ensue.paraphrase.lists import NOT_JUDGED, ListKey, PatternJudgments, RankedLists, Strictness
from ensue.paraphrase.scores import (
    ScoreSettings,
    Short,
    Unjudged,
    curves_over_k,
    score,
    score_intervals,
)
from ensue.reports.paraphrase.agreement import judge_tables
from ensue.reports.paraphrase.means import curve_table, score_picture
from ensue.reports.paraphrase.scores import score_report, score_tables
from ensue.reports.text import tables_to_json
from ensue.statistics.resampling import Resampling

LISTS = {
    ListKey("ended", "one"): ["stopped", "ending", "was ended by", "of the"],
    ListKey("ended", "two"): ["over", "stopping machine", "machine shop"],
    ListKey("grew", "one"): ["rose", "rises and grew"],
    ListKey("grew", "two"): ["expanded"],
}
STRICT = [[1, 1], [1, 0], [1, 1], [0, 0], [0, 1], [0, 0], [1, 1], [1, 0], [0, 0], [1, 1]]
LENIENT = [[1, 1], [1, 1], [1, 1], [0, 1], [0, 1], [0, 0], [1, 1], [1, 1], [1, 0], [1, 1]]


def judged(content=LISTS, strict=STRICT, lenient=LENIENT):
    labels = {
        Strictness.STRICT: np.array(strict, np.int8),
        Strictness.LENIENT: np.array(lenient, np.int8),
    }
    return RankedLists.of(content, name="lists.tsv", judgments=PatternJudgments(("a", "b"), labels))


def scored(lists, quality="judges:strict", draws=20, **settings):
    settings = ScoreSettings(**{"ks": (1, 3), **settings})
    return score_intervals(score(lists, settings, quality), resampling=Resampling(draws=draws))


@pytest.fixture(scope="module")
def both():
    return {name: scored(judged(), f"judges:{name}") for name in ("strict", "lenient")}


@pytest.fixture(scope="module")
def tables(both):
    return {table.name: table for table in score_tables(both)}


def records(table):
    return tables_to_json([table])[table.name]["rows"]


def row_of(table, **wanted):
    (row,) = [r for r in records(table) if all(r[key] == wanted[key] for key in wanted)]
    return row


def test_lists_table_has_a_column_for_each_measure_and_k(tables):
    assert [column.name for column in tables["lists"].columns] == [
        *("quality", "term", "method", "patterns"),
        *(f"{measure}_{k}" for measure in ("ep", "epr", "dimple") for k in (1, 3)),
        "undefined",
    ]


def test_lists_table_has_the_scores(tables):
    row = row_of(tables["lists"], quality="strict", term="ended", method="one")
    assert row["patterns"] == 4
    # Q is 1, 1/2, 1; D is 3, 2, 1; the stem of the second and the third is the term's
    assert row["ep_3"]["value"] == pytest.approx((1 + 1 / 2 + 1) / 3)
    assert row["epr_3"]["value"] == pytest.approx(1 / 3)
    assert row["dimple_3"]["value"] == pytest.approx((7 + (2**1 - 1) + (2**1 - 1)) / (3 * 7))
    assert row["ep_3"]["low"] <= row["ep_3"]["value"] <= row["ep_3"]["high"]
    assert row["undefined"] is None


def test_qualities_of_a_list_stand_together(tables):
    names = [(r["term"], r["method"], r["quality"]) for r in records(tables["lists"])]
    assert names[:4] == [
        ("ended", "one", "strict"),
        ("ended", "one", "lenient"),
        ("ended", "two", "strict"),
        ("ended", "two", "lenient"),
    ]


def test_methods_table_has_means_and_all_lists(tables):
    rows = [r for r in records(tables["methods"]) if r["quality"] == "lenient"]
    assert [(r["method"], r["lists"]) for r in rows] == [("one", 2), ("two", 2), ("all", 4)]
    # the first Q of each list: 1, 1/2, 1, 1
    assert [r["ep_1"]["value"] for r in rows] == [(1 + 1) / 2, (1 / 2 + 1) / 2, 3.5 / 4]


def test_methods_table_tells_its_recipe(tables):
    assert any(
        note.startswith("strict: quality:judges:strict|diversity:algorithm-1|")
        for note in tables["methods"].notes
    )


def test_tables_warn_of_intervals_over_few_judges(tables):
    warning = (
        "with 2 judges, do not take intervals for 95 %: they are too narrow; DIMPLE's intervals"
        " lean upward, as a draw has fewer different judges, and the gain grows faster than Q"
    )
    for name in ("methods", "lists"):
        assert warning in tables[name].notes


def notes_on_judges(labels, draws=20):
    names = tuple(f"judge {i}" for i in range(labels.shape[1]))
    judgments = PatternJudgments(names, {Strictness.STRICT: labels.astype(np.int8)})
    found = scored(RankedLists.of(LISTS, judgments=judgments), draws=draws)
    return [note for note in score_tables({"strict": found})[0].notes if "judges," in note]


def test_many_judges_leave_the_warning_that_dimple_leans_upward():
    (few,) = notes_on_judges(np.ones((10, 19)))
    assert few.startswith("with 19 judges, do not take intervals for 95 %")
    (many,) = notes_on_judges(np.ones((10, 20)))
    assert many.startswith("DIMPLE's intervals lean upward")


def test_judges_who_said_nothing_are_not_among_the_many():
    labels = np.ones((10, 20))
    labels[:, 3:] = NOT_JUDGED
    (note,) = notes_on_judges(labels)
    assert note.startswith("with 3 judges,")


def test_no_warning_of_judges_where_none_were_drawn():
    assert notes_on_judges(np.ones((10, 3)), draws=0) == []
    assert notes_on_judges(np.ones((10, 1))) == []


def test_differences_table_is_over_shared_terms(tables):
    row = row_of(tables["differences"], quality="strict", measure="EP", k=1)
    # one: 1, 1/2; two: 1/2, 1
    assert (row["first"], row["second"], row["terms"]) == ("one", "two", 2)
    assert row["difference"]["value"] == (1 + 1 / 2) / 2 - (1 / 2 + 1) / 2
    assert 0 <= row["p"] <= row["p_holm"] <= 1


def test_differences_table_is_cut_to_the_largest_k_for_people():
    content = {ListKey(term, f"m{i}"): ["x1"] for term in ("t", "u") for i in range(4)}
    labels = [[1, 0]] * 8
    found = {"strict": scored(judged(content, labels, labels))}
    table = score_tables(found, every=False)[1]
    # 6 couples × 3 measures × 2 ks
    assert len(table.rows) == 6 * 3
    assert {row[2] for row in table.rows} == {3}
    assert table.notes[-1] == "those of the largest k, of 36 tests; all are in JSON and CSV"
    assert len(score_tables(found)[1].rows) == 36


def test_differences_without_draws_say_why_there_is_no_p():
    table = score_tables({"strict": scored(judged(), draws=0)})[1]
    assert {row["p"] for row in records(table)} == {None}
    assert "p –: nothing was drawn" in table.notes


def test_single_method_has_no_differences():
    found = {"strict": scored(judged({ListKey("t", ""): ["x1", "x2"]}, STRICT[:2], LENIENT[:2]))}
    tables = score_tables(found)
    assert [table.name for table in tables] == ["methods", "lists", "curve", "patterns"]
    assert records(tables[0])[0]["method"] is None
    assert "method –: the lists name none" in tables[0].notes
    assert any("the lists are of one term only" in note for note in tables[0].notes)


def test_patterns_table_says_what_is_repeated(tables):
    rows = [
        r for r in records(tables["patterns"]) if r["quality"] == "strict" and r["term"] == "ended"
    ]
    assert [(r["paraphrase"], r["d"], r["words"], r["credited"]) for r in rows] == [
        ("stopped", 3, "new", True),
        ("ending", 2, "repeats the stem of ended", False),
        ("was ended by", 1, "repeats the word ended", False),
        ("of the", 1, "no content word", False),
        ("over", 1, "no content word", False),
        ("stopping machine", 3, "new", True),
        ("machine shop", 1, "repeats the word machine", False),
    ]
    assert [(r["rank"], r["q"]) for r in rows[:4]] == [(1, 1), (2, 1 / 2), (3, 1), (4, 0)]
    assert rows[1]["gain"] == 2 ** (1 / 2 * 2) - 1
    assert rows[1]["share"] == 1 / 7
    assert (rows[2]["content_words"], rows[2]["seen_words"], rows[2]["seen_stems"]) == (
        "ended",
        "ended",
        "end",
    )


def test_patterns_table_names_the_word_that_brought_the_stem():
    content = {ListKey("t", ""): ["rising prices", "price rises", "rise"]}
    found = {"strict": scored(judged(content, STRICT[:3], LENIENT[:3]))}
    table = score_tables(found)[-1]
    assert [row["words"] for row in records(table)] == [
        "new",
        "repeats the stems of prices and rising",
        "repeats the stem of rising",
    ]


def test_patterns_beyond_the_ranks_that_matter_are_for_programs(both):
    people = score_tables(both, every=False)[-1]
    assert max(row[3] for row in people.rows) == 3
    assert [column.name for column in people.columns][-1] == "share"
    assert max(row[3] for row in score_tables(both)[-1].rows) == 4


def test_pattern_that_nobody_judged_is_a_dash_with_a_note():
    strict = [*STRICT[:3], [-1, -1], *STRICT[4:]]
    table = score_tables({"strict": scored(judged(strict=strict))})[-1]
    row = row_of(table, paraphrase="of the")
    assert (row["q"], row["gain"], row["share"]) == (None, None, None)
    assert "Q –: the pattern has none, beyond the ranks that matter" in table.notes


def test_patterns_are_cut_for_people_and_say_so():
    content = {ListKey(f"t{i}", ""): ["x1", "x2", "x3"] for i in range(50)}
    labels = [[1, 0]] * 150
    found = {"strict": scored(judged(content, labels, labels), draws=0)}
    table = score_tables(found, every=False)[-1]
    assert len(table.rows) == 100
    assert table.notes[-1] == "the first 100 of 150 patterns; all are in JSON and CSV"


def test_empty_list_without_a_score_is_a_dash_with_a_reason():
    content = {ListKey("t", "one"): ["x1"], ListKey("u", "one"): ["x2"]}
    labels = [[1, 0], [-1, -1]]
    lists = judged(content, labels, labels)
    settings = {"short": Short.AVAILABLE, "unjudged": Unjudged.SKIP}
    table = next(
        each for each in score_tables({"strict": scored(lists, **settings)}) if each.name == "lists"
    )
    row = row_of(table, term="u")
    assert (row["patterns"], row["ep_1"]["value"]) == (0, None)
    assert row["undefined"] == "the list has no pattern"
    assert "u (one): the list has no pattern" in table.notes


def test_quality_that_is_not_by_judges_says_why_lists_have_no_intervals():
    lists = RankedLists.of(LISTS, columns={"good": np.full(10, 0.5)})
    found = {"good": scored(lists, "column:good"), "strict": scored(judged())}
    tables = {table.name: table for table in score_tables(found)}
    assert "good: no intervals: Q is not by judges, so that none can be drawn" in (
        tables["lists"].notes
    )
    brackets = [note for note in tables["methods"].notes if "in brackets" in note]
    assert [note.split(" in brackets")[0] for note in brackets] == [
        "good:",
        "strict:",
    ]
    assert ["over terms" in note for note in brackets] == [True, False]


def test_curve_table_has_a_row_for_each_method_and_k(tables):
    rows = records(tables["curve"])
    assert len(rows) == 2 * 2 * 3
    assert list(rows[0]) == ["quality", "method", "k", "ep", "epr", "dimple"]
    # strict, one, at 2: Qs 1, 1/2 and 1/2, 0
    row = row_of(tables["curve"], quality="strict", method="one", k=2)
    assert row["ep"]["value"] == pytest.approx(((1 + 1 / 2) / 2 + (1 / 2 + 0) / 2) / 2)


def test_curve_table_shows_some_ks_to_people(both):
    table = curve_table(curves_over_k(both, 7), every=False)
    assert [row[2] for row in table.rows[:5]] == [1, 2, 3, 5, 7]
    assert "some ks only; all are in JSON and CSV" in table.notes


def test_picture_has_a_panel_for_each_measure_and_quality(both):
    picture = score_picture(curves_over_k(both))
    panels = picture.spec["concat"]
    assert [panel["title"] for panel in panels] == [
        f"{measure}, {quality}"
        for quality in ("strict", "lenient")
        for measure in ("EP", "EPR", "DIMPLE")
    ]
    points = [row for row in panels[0]["data"]["values"] if row["series"] == "one"]
    assert [row["x"] for row in points] == [1, 2, 3]
    assert points[0]["y"] == (1 + 1 / 2) / 2
    assert "Bands: 95 % bootstrap intervals over judges and terms." in picture.caption


def test_picture_of_one_quality_does_not_name_it(both):
    picture = score_picture(curves_over_k({"strict": both["strict"]}, 30))
    panels = picture.spec["concat"]
    assert [panel["title"] for panel in panels] == ["EP", "EPR", "DIMPLE"]
    marks = panels[0]["layer"][0]["encoding"]["x"]["axis"]["values"]
    assert marks == [1, 5, 10, 15, 20, 25, 30]


def test_picture_of_many_methods_has_no_bands():
    content = {ListKey(term, f"m{i}"): ["x1"] for term in ("t", "u") for i in range(5)}
    labels = [[1, 0]] * 10
    picture = score_picture(curves_over_k({"strict": scored(judged(content, labels, labels))}))
    kinds = {layer["mark"]["type"] for layer in picture.spec["concat"][0]["layer"]}
    assert kinds == {"line", "point"}
    assert "Bands" not in picture.caption


def test_report_tells_findings_once_and_how_it_was_made():
    content = {**LISTS, ListKey("grew", "two"): ["expanded", "Expanded"]}
    strict, lenient = [*STRICT, [1, 1]], [*LENIENT, [1, 1]]
    found = {
        name: scored(judged(content, strict, lenient), f"judges:{name}")
        for name in ("strict", "lenient")
    }
    report = score_report(found)
    assert report.title == "Scores of lists.tsv"
    assert report.sections[-1].title == "Findings"
    codes = [row[1] for row in report.sections[-1].parts[0].rows]
    assert codes == ["repeated-pattern", "short-list"]
    assert "quality:judges:lenient|" in report.signature
    assert "k: 1, 3, seed: 0, draws: 20, level: 0.95" in report.signature


def test_report_has_the_judges_where_they_are_given(both):
    judges = judge_tables(judge_agreement(judged(), resampling=Resampling(draws=0)))
    report = score_report(both, judges=judges, name="mine")
    (section,) = [section for section in report.sections if section.title == "Judges"]
    assert [part.name for part in section.parts][:2] == ["agreement", "couples"]
    assert report.title == "Scores of mine"


def test_patterns_are_shown_on_request_alone(both):
    names = [table.name for table in score_tables(both, patterns=False)]
    assert names == ["methods", "differences", "lists", "curve"]


def test_answer_names_the_method_with_the_highest_dimple(both):
    bare = scored(judged(), draws=0)
    assert score_report({"strict": bare}).answer == "one has the highest DIMPLE_3 (strict), 0.258."
    said = score_report(both).answer
    assert said.count("has the highest DIMPLE_3 (") == 2
    assert said.endswith("two is not significantly worse.")


def test_answer_of_one_method_is_its_mean():
    lists = judged({ListKey("grew", "one"): ["rose"]}, [[1, 1]], [[1, 1]])
    # 2^(1·3) − 1 of the same: all that can be had at the first of three ranks, at k = 1
    assert score_report({"strict": scored(lists, draws=0, ks=(1,))}).answer == (
        "The mean DIMPLE_1 (strict) of the lists is 1.000."
    )
