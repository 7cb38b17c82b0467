"""`ensue paraphrase score`, as a user calls it; the numbers are worked by hand."""

import csv
import io
import json

import pytest

from ensue.cli.app import run
from ensue.paraphrase.formats.lists import read_lists
from ensue.paraphrase.quality.entailment import recognizer_quality
from ensue.paraphrase.scores import PatternMeasure, ScoreSettings, score, score_intervals
from ensue.statistics.resampling import Resampling

QUICK = ["--draws", "20"]
STRICT = ["--quality", "judges:strict"]
MEASURES = ("ep", "epr", "dimple")


@pytest.fixture
def answer(answering):
    """Score lists; give what is said as JSON."""
    return answering("score")


@pytest.fixture
def written(folder):
    """Write lists of one term, a row a pattern, and give the name of the file."""

    def write(header, *rows, name="own.tsv"):
        lines = [header, *rows]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return name

    return write


def scores_of(found, term="killed", method="ngrams", quality="strict"):
    """The values of one list by column."""
    row = next(
        row
        for row in found["lists"]["rows"]
        if (row["term"], row["method"], row["quality"]) == (term, method, quality)
    )
    return {name: cell["value"] for name, cell in row.items() if name.startswith(MEASURES)}


def test_score_of_a_list_is_worked_by_hand(folder, answer):
    found = scores_of(answer("lists.tsv", "-k", "5", *QUICK))
    # Q: 1, 1, 0, 2/3, 1/3; "shot and killed" and "killed in" repeat the term
    assert found == {
        "ep_5": pytest.approx((1 + 1 + 0 + 2 / 3 + 1 / 3) / 5),
        "epr_5": pytest.approx((1 + 0 + 0 + 2 / 3 + 0) / 5),
        "dimple_5": pytest.approx((7 + 1 + 0 + 2**2 - 1 + 2 ** (1 / 3) - 1) / (5 * 7)),
    }


def test_score_is_at_1_5_and_10_unless_asked_otherwise(folder, answer):
    found = scores_of(answer("lists.tsv", *QUICK))
    assert set(found) == {f"{name}_{k}" for name in MEASURES for k in (1, 5, 10)}
    # six patterns over ten places: what is missing is wrong
    assert found["ep_10"] == pytest.approx((1 + 1 + 0 + 2 / 3 + 1 / 3 + 1 / 2) / 10)


def test_score_takes_any_k_once(folder, answer):
    found = scores_of(answer("lists.tsv", "-k", "2", "-k", "3", "-k", "2", *QUICK))
    assert set(found) == {f"{name}_{k}" for name in MEASURES for k in (2, 3)}


def test_score_has_a_row_for_each_strictness_of_the_judges(folder, answer):
    found = answer("lists.tsv", "-k", "5", *QUICK)
    assert {row["quality"] for row in found["methods"]["rows"]} == {"strict", "lenient"}
    lenient = scores_of(found, quality="lenient")
    assert lenient["ep_5"] == pytest.approx((1 + 1 + 0 + 1 + 2 / 3) / 5)


def test_score_is_that_of_the_library(folder, answer):
    found = answer("lists.tsv", "-k", "3", *STRICT, *QUICK, "--seed", "5")
    scored = score(read_lists(["lists.tsv"]), ScoreSettings(ks=(3,)), "judges:strict")
    drawn = score_intervals(scored, resampling=Resampling(draws=20, seed=5))
    for row in found["methods"]["rows"]:
        if row["method"] != "all":
            for measure in PatternMeasure:
                estimate = drawn.of_method(row["method"], measure, 3)
                assert row[f"{measure.value.lower()}_3"] == {
                    "value": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                }


def test_score_of_a_method_is_the_mean_over_its_lists(folder, answer):
    found = answer("lists.tsv", "-k", "1", *STRICT, *QUICK)
    means = {row["method"]: row["ep_1"]["value"] for row in found["methods"]["rows"]}
    # the first pattern of each list, by term: killed, reached, accused, returned
    assert means["ngrams"] == pytest.approx((1 + 1 + 2 / 3 + 1) / 4)
    assert means["phrases"] == pytest.approx((1 + 2 / 3 + 2 / 3 + 2 / 3) / 4)
    assert means["pivot"] == pytest.approx((1 + 2 / 3 + 0 + 1) / 4)
    assert means["all"] == pytest.approx((means["ngrams"] + means["phrases"] + means["pivot"]) / 3)


def test_score_lies_within_its_interval(folder, answer):
    rows = answer("lists.tsv", "-k", "5", *QUICK)["methods"]["rows"]
    for row in rows:
        assert row["ep_5"]["low"] <= row["ep_5"]["value"] <= row["ep_5"]["high"]


def test_score_without_draws_has_no_intervals(folder, answer):
    found = answer("lists.tsv", "-k", "5", "--draws", "0")["methods"]
    assert {row["dimple_5"]["low"] for row in found["rows"]} == {None}
    assert any("nothing was drawn" in note for note in found["notes"])


def test_score_is_the_same_for_the_same_seed(folder, answer):
    arguments = ["lists.tsv", "-k", "5", *STRICT, *QUICK]
    first, again, other = (answer(*arguments, "--seed", seed) for seed in ("3", "3", "4"))
    assert first == again
    assert first["methods"]["rows"] != other["methods"]["rows"]


def test_score_has_a_curve_over_every_k(folder, answer):
    rows = answer("lists.tsv", "-k", "5", *STRICT, *QUICK)["curve"]["rows"]
    ngrams = [row for row in rows if row["method"] == "ngrams"]
    assert [row["k"] for row in ngrams] == [1, 2, 3, 4, 5]
    # at 2: "came back" and "went back" are both right, and so on for the other terms
    assert ngrams[1]["ep"]["value"] == pytest.approx((2 + 4 / 3 + 4 / 3 + 2) / 2 / 4)


def test_score_shows_each_pattern_where_it_is_asked(folder, answer):
    assert "patterns" not in answer("lists.tsv", "-k", "5", *STRICT, *QUICK)
    rows = answer("lists.tsv", "-k", "5", *STRICT, *QUICK, "--table", "patterns")["patterns"][
        "rows"
    ]
    assert len(rows) == 12 * 6
    shown = {row["paraphrase"]: row for row in rows if row["method"] == "ngrams"}
    again = shown["shot and killed"]
    assert (again["q"], again["d"], again["gain"], again["credited"]) == (1, 1, 2**1 - 1, False)
    assert again["words"] == "repeats the word killed"
    new = shown["assassinated"]
    assert (new["d"], new["credited"], new["words"]) == (3, True, "new")
    assert new["gain"] == pytest.approx(2 ** (3 * 2 / 3) - 1)


def test_score_shows_a_stem_that_was_seen(folder, answer):
    rows = answer("lists.tsv", "-k", "5", *STRICT, *QUICK, "--table", "patterns")["patterns"][
        "rows"
    ]
    stem = next(row for row in rows if row["paraphrase"] == "killing")
    assert (stem["d"], stem["credited"], stem["seen_stems"]) == (2, False, "kill")


def test_score_tells_how_far_judges_agree(folder, answer):
    found = answer("lists.tsv", "-k", "5", *QUICK)
    strict = next(row for row in found["agreement"]["rows"] if row["strictness"] == "strict")
    # the third judge left one strict cell of each list empty
    assert (strict["judges"], strict["patterns"], strict["by_all"]) == (3, 72, 72 - 12)
    with_self = {
        (row["judge"], row["strictness"]): row["with_self"]["value"]
        for row in found["judges"]["rows"]
    }
    # judged twice: murdered, hit, went back, and charged, which is in three lists
    assert with_self["judge1", "strict"] == pytest.approx((1 + 1 + 1 + 3 - 1) / 6)
    assert with_self["judge3", "strict"] == pytest.approx((1 + 1 + 1 + 3 - 2) / 6)
    assert with_self["judge1", "lenient"] == 1


def test_score_available_divides_by_what_is_there(folder, answer):
    found = answer("lists.tsv", "-k", "10", *STRICT, *QUICK, "-s", "short=available")
    assert scores_of(found)["ep_10"] == pytest.approx((1 + 1 + 0 + 2 / 3 + 1 / 3 + 1 / 2) / 6)


def test_short_lists_are_told(folder, capsys):
    assert run(["paraphrase", "score", "lists.tsv", "-k", "7", *STRICT, *QUICK]) == 0
    assert "12 of 12 lists have fewer than 7 patterns [short-list]" in capsys.readouterr().err


REPEATED = ("term\tparaphrase\tann.strict", "told\tsaid\tyes", "told\tSaid\tyes", "told\tsang\tno")


@pytest.mark.parametrize(("policy", "right"), [("drop", 1), ("keep", 2)])
def test_repeated_pattern_is_dropped_or_kept(written, answer, policy, right):
    name = written(*REPEATED)
    found = answer(name, "-k", "2", "-s", f"repeated={policy}", *QUICK)
    assert scores_of(found, "told", None)["ep_2"] == pytest.approx(right / 2)


def test_repeated_pattern_is_told(written, capsys):
    assert run(["paraphrase", "score", written(*REPEATED), "-k", "2", *QUICK]) == 0
    told = capsys.readouterr().err
    assert "own.tsv:3: 1 pattern" in told
    assert "dropped, e.g. 'told' → 'Said' [repeated-pattern]" in told


UNJUDGED = ("term\tparaphrase\tann.strict", "told\tsaid\t", "told\tlet know\tyes")


@pytest.mark.parametrize(("policy", "share"), [("wrong", 1 / 2), ("skip", 1 / 1)])
def test_unjudged_pattern_is_wrong_or_left_out(written, answer, policy, share):
    options = ["-k", "2", "-s", "short=available", "-s", f"unjudged={policy}"]
    found = answer(written(*UNJUDGED), *options, *QUICK)
    assert scores_of(found, "told", None)["ep_2"] == pytest.approx(share)


def test_unjudged_pattern_below_the_last_k_does_not_matter(written, answer):
    rows = [*UNJUDGED[:1], UNJUDGED[2], UNJUDGED[1]]
    assert scores_of(answer(written(*rows), "-k", "1", *QUICK), "told", None)["ep_1"] == 1


def test_quality_may_be_a_column(folder, answer):
    found = answer("lists.tsv", "-k", "2", "--quality", "column:confidence", *QUICK)
    scores = scores_of(found, quality="column:confidence")
    # "shot and killed" repeats the term: D = 1
    assert scores["ep_2"] == pytest.approx((0.61 + 0.48) / 2)
    assert scores["epr_2"] == pytest.approx(0.61 / 2)
    gains = 2 ** (0.61 * 3) - 1 + 2 ** (0.48 * 1) - 1
    assert scores["dimple_2"] == pytest.approx(gains / (2 * 7))


def test_quality_may_be_the_share_of_instances(written, answer):
    name = written("term\tparaphrase", "kill\tslay", "kill\tmurder", "kill\tinjure")
    found = answer(name, "-k", "3", "--quality", "instances:instances.csv", *QUICK)
    # of the instances one of one, one of two, and none of one are right
    scores = scores_of(found, "kill", None, "instances:instances.csv")
    assert scores["ep_3"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert scores["dimple_3"] == pytest.approx((7 + 2 ** (3 / 2) - 1 + 0) / (3 * 7))


def test_quality_may_be_a_recognizers(folder, answer):
    found = answer("lists.tsv", "-k", "3", "--quality", "recognizer:overlap", *QUICK)
    qualities = recognizer_quality(read_lists(["lists.tsv"]), "overlap")
    scores = scores_of(found, quality="recognizer:overlap")
    assert scores["ep_3"] == pytest.approx(qualities[:3].mean())


def test_qualities_stand_beside_each_other(folder, answer):
    options = ["--quality", "judges:lenient", "--quality", "column:confidence"]
    found = answer("lists.tsv", "-k", "2", *options, *QUICK)
    assert {row["quality"] for row in found["lists"]["rows"]} == {"lenient", "column:confidence"}


def test_diversity_may_be_a_dictionary(folder, answer):
    (folder / "words.txt").write_text("murdered wounded\nassassinated\n", encoding="utf-8")
    arguments = ["lists.tsv", "-k", "6", *STRICT, *QUICK, "--table", "patterns"]
    rows = answer(*arguments, "-s", "diversity=dictionary:words.txt")["patterns"]["rows"]
    # 1 where the term is repeated; of the others only "died" is in no dictionary
    assert [row["d"] for row in rows[:6]] == [2, 1, 2, 2, 1, 3]


def test_diversity_dictionary_is_wordnet_unless_one_is_named(folder, answer):
    arguments = [
        "lists.tsv",
        "-k",
        "6",
        *STRICT,
        *QUICK,
        "--table",
        "patterns",
        "-s",
        "diversity=dictionary",
    ]
    rows = answer(*arguments)["patterns"]["rows"]
    assert [row["d"] for row in rows[:6]] == [2, 1, 2, 2, 1, 2]


def test_diversity_may_be_a_column(written, answer):
    name = written("term\tparaphrase\tann.strict\tnovelty", "told\tsaid\tyes\t2", "told\ta\tyes\t0")
    found = scores_of(
        answer(name, "-k", "2", "-s", "diversity=column:novelty", *QUICK), "told", None
    )
    assert found["dimple_2"] == pytest.approx((2**2 - 1 + 2**0 - 1) / (2 * 7))


def test_function_words_may_be_ones_own(folder, answer):
    (folder / "words.txt").write_text("Killed\n\nand\nin\n", encoding="utf-8")
    arguments = ["lists.tsv", "-k", "6", *STRICT, *QUICK, "--table", "patterns"]
    rows = answer(*arguments, "-s", "function-words=words.txt")["patterns"]["rows"]
    # "killed" says nothing now: "shot" is new, "killed in" has no content word
    assert [row["d"] for row in rows[:6]] == [3, 3, 3, 3, 1, 3]
    assert [row["credited"] for row in rows[:6]] == [True, True, True, True, False, True]


def test_lists_of_several_files_are_scored_together(folder, answer, written):
    name = written("term\tmethod\tparaphrase\tann.strict", "told\tmine\tsaid\tyes")
    found = answer("lists.tsv", name, "-k", "1", *STRICT, *QUICK)
    assert len(found["lists"]["rows"]) == 12 + 1
    assert scores_of(found, "told", "mine")["ep_1"] == 1


def test_lists_are_read_from_standard_input(folder, answer, monkeypatch):
    content = io.BytesIO((folder / "lists.tsv").read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(content))
    assert len(answer("-", "-k", "1", *STRICT, *QUICK)["lists"]["rows"]) == 12


def test_score_prints_tables_for_people(folder, capsys):
    assert run(["paraphrase", "score", "lists.tsv", "-k", "5", *QUICK]) == 0
    shown = capsys.readouterr().out
    for title in ("Scores of methods", "Scores of lists", "Scores by k", "Agreement of all judges"):
        assert title in shown
    assert "quality:judges:strict|diversity:algorithm-1|short:wrong|repeated:drop" in shown


def test_score_writes_one_table_as_csv(folder, capsys):
    arguments = ["lists.tsv", "-k", "5", *STRICT, *QUICK]
    options = ["--table", "lists", "--format", "csv", "-o", "scores.csv"]
    assert run(["paraphrase", "score", *arguments, *options]) == 0
    assert capsys.readouterr().out == ""
    rows = list(csv.DictReader((folder / "scores.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 12
    assert float(rows[0]["ep_5"]) == pytest.approx(3 / 5)


def test_score_writes_a_row_a_line(folder, capsys):
    arguments = ["lists.tsv", "-k", "5", *STRICT, *QUICK, "--format", "jsonl"]
    assert run(["paraphrase", "score", *arguments]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(row["table"] == "lists" for row in rows) == 12


def test_score_draws_and_writes_a_page(folder, capsys):
    pictures = ["--plot", "curve.svg", "--plot", "curve.json"]
    arguments = ["lists.tsv", "-k", "3", *QUICK, *pictures, "--report", "scores.html"]
    assert run(["paraphrase", "score", *arguments]) == 0
    assert (folder / "curve.svg").read_text("utf-8").startswith("<svg")
    assert "$schema" in json.loads((folder / "curve.json").read_text("utf-8"))
    assert "DIMPLE" in (folder / "scores.html").read_text("utf-8")


def test_quiet_score_says_nothing_but_its_tables(folder, capsys):
    assert run(["paraphrase", "score", "lists.tsv", *QUICK, "-q"]) == 0
    assert capsys.readouterr().err == ""
