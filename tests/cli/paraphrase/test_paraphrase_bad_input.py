"""Odd and broken lists: findings on standard error, or an error with its place and no output."""

import json

import pytest

from ensue.cli.app import run

QUICK = ["--draws", "20"]
HEADER = "term\trank\tparaphrase\tann.strict"


@pytest.fixture
def written(folder):
    """Write lines to a file, and give its name."""

    def write(*lines, name="own.tsv"):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return name

    return write


@pytest.fixture
def scored(capsys):
    """Score lists in JSON; give the tables and what is said beside."""

    def run_it(*arguments):
        code = run(["paraphrase", "score", *arguments, *QUICK, "--format", "json"])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        assert "NaN" not in captured.out
        return json.loads(captured.out), captured.err

    return run_it


@pytest.fixture
def refused(refusing):
    """Run a command that has to fail; give the message."""
    return refusing()


def order_of(scored):
    found, _ = scored("own.tsv", "-k", "3", "--table", "patterns")
    return [row["paraphrase"] for row in found["patterns"]["rows"]]


def test_gap_in_ranks_is_told_and_the_order_counts(written, scored):
    rows = ["killed\t4\tshot\tyes", "killed\t1\tslain\tyes", "killed\t2\tfed\tno"]
    found, told = scored(written(HEADER, *rows), "-k", "3")
    assert "own.tsv:2: 1 of 1 lists, e.g. that of 'killed' by ''" in told
    assert "has a gap in its ranks; the order counts [rank-gaps]" in told
    assert order_of(scored) == ["slain", "fed", "shot"]
    assert found["lists"]["rows"][0]["ep_3"]["value"] == pytest.approx(2 / 3)


def test_ranks_that_begin_late_have_a_gap(written, scored):
    _, told = scored(written(HEADER, "killed\t2\tslain\tyes"), "-k", "1")
    assert "[rank-gaps]" in told


def test_tied_ranks_are_told_and_the_order_of_the_file_decides(written, scored):
    rows = ["killed\t1\tfed\tno", "killed\t1\tslain\tyes", "killed\t2\tshot\tyes"]
    found, told = scored(written(HEADER, *rows), "-k", "1")
    assert "own.tsv:3: 1 of 1 lists, e.g. that of 'killed' by ''" in told
    assert "has ties of ranks; the order of the file decides [tied-ranks]" in told
    assert order_of(scored) == ["fed", "slain", "shot"]
    assert found["lists"]["rows"][0]["ep_1"]["value"] == 0


def test_tied_confidences_are_told_and_the_order_of_the_file_decides(written, scored):
    header = HEADER.replace("rank", "confidence")
    rows = ["killed\t0.5\tfed\tno", "killed\t0.5\tslain\tyes", "killed\t0.9\tshot\tyes"]
    _, told = scored(written(header, *rows), "-k", "1")
    assert "has ties of confidences; the order of the file decides [tied-confidences]" in told
    assert order_of(scored) == ["shot", "fed", "slain"]


def test_ranks_without_gap_or_tie_are_not_told(written, scored):
    _, told = scored(written(HEADER, "killed\t2\tfed\tno", "killed\t1\tslain\tyes"), "-k", "2")
    assert told == ""


@pytest.mark.parametrize("rank", ["0", "-1", "1.5", "first", "nan", "1e400"])
def test_rank_that_is_no_positive_integer_is_refused(written, refused, rank):
    said = refused("score", written(HEADER, f"killed\t{rank}\tslain\tyes"))
    assert f"own.tsv:2: the rank is no positive integer: {rank!r}" in said
    assert "hint: 1 is the surest" in said


def test_judge_who_disagrees_with_herself_is_told_with_both_places(written, scored):
    header = "term\tmethod\tparaphrase\tann.strict\tbea.strict"
    rows = ["killed\tone\tslain\tyes\tno", "killed\ttwo\tSlain\tno\tno"]
    found, told = scored(written(header, *rows), "-k", "1")
    assert "judges disagree with themselves" in told
    assert "'ann' (strict) on 'killed' → 'slain': yes at own.tsv:2, no at own.tsv:3" in told
    assert "the labels count as they are [judge-contradicts]" in told
    values = [row["ep_1"]["value"] for row in found["lists"]["rows"]]
    assert values == [1 / 2, 0 / 2]
    with_self = {row["judge"]: row["with_self"]["value"] for row in found["judges"]["rows"]}
    assert with_self == {"ann": 0, "bea": 1}


def test_strict_yes_with_lenient_no_is_told_and_taken_as_it_is(written, scored):
    header = "term\tparaphrase\tann.strict\tann.lenient"
    found, told = scored(written(header, "killed\tslain\tyes\tno"), "-k", "1")
    assert "own.tsv:2: a strict yes with a lenient no, 1 time, e.g. by 'ann'" in told
    assert "[strict-not-lenient]" in told
    values = {row["quality"]: row["ep_1"]["value"] for row in found["lists"]["rows"]}
    assert values == {"strict": 1, "lenient": 0}


def test_quiet_findings_are_not_told(written, capsys):
    name = written(HEADER, "killed\t3\tslain\tyes")
    assert run(["paraphrase", "score", name, "-k", "1", *QUICK, "-q"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("k", ["0", "-2"])
@pytest.mark.parametrize(
    "arguments", [["score", "lists.tsv"], ["correlate", "lists.tsv", "-t", "pairs.jsonl"]]
)
def test_rank_that_no_list_has_is_refused(folder, refused, arguments, k):
    said = refused(*arguments, "-k", "5", "-k", k, "-o", "scores.txt")
    assert f"k is {k}, and a list has no such rank" in said
    assert "hint: k says how many of the first patterns count: 1 or more" in said
    assert not (folder / "scores.txt").exists()


def test_unjudged_pattern_is_refused_unless_something_is_chosen(written, refused):
    name = written(HEADER, "killed\t1\tslain\tyes", "killed\t2\tshot\t")
    said = refused("score", name, "-k", "2")
    assert "own.tsv:3: pattern 'killed' → 'shot' has no Q by 'judges:strict'" in said
    assert "-s unjudged=wrong or skip" in said


def test_unjudged_patterns_are_counted_where_they_are_let_through(written, scored):
    name = written(HEADER, "killed\t1\tslain\tyes", "killed\t2\tshot\t", "killed\t3\thit\t")
    _, told = scored(name, "-k", "2", "-s", "unjudged=wrong")
    assert "own.tsv:3: 2 patterns without Q: taken as wrong" in told
    _, told = scored(name, "-k", "2", "-s", "unjudged=skip")
    assert "own.tsv:3: 2 patterns without Q: left out" in told


def test_list_of_which_nothing_is_left_has_a_reason_and_no_score(written, scored):
    name = written(HEADER, "killed\t1\tslain\tyes", "told\t1\tsaid\t")
    options = ["-k", "2", "-s", "unjudged=skip"]
    found, _ = scored(name, *options, "-s", "short=available")
    told = next(row for row in found["lists"]["rows"] if row["term"] == "told")
    assert told["ep_2"]["value"] is None
    assert told["undefined"]
    (mean,) = found["methods"]["rows"]
    assert mean["ep_2"]["value"] == 1
    # where what is missing is wrong, it is 0
    found, _ = scored(name, *options)
    assert [row["ep_2"]["value"] for row in found["lists"]["rows"]] == [1 / 2, 0 / 2]


def test_repeated_pattern_is_refused_where_it_is_asked(written, refused):
    name = written(HEADER, "killed\t1\tslain\tyes", "killed\t2\tSLAIN \tyes")
    said = refused("score", name, "-s", "repeated=error")
    assert "own.tsv:3: pattern 'killed' → 'SLAIN' stands in its list already" in said
    assert "-s repeated=drop or keep" in said


def test_label_that_is_none_is_refused(written, refused):
    said = refused("score", written(HEADER, "killed\t1\tslain\tmaybe"))
    assert "own.tsv:2: this is no label of the judge 'ann': 'maybe'" in said
    assert "hint: a label is 1 or 0, yes or no" in said


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["term\trank\tann.strict", "killed\t1\tyes"],
            "own.tsv:1: no column is called 'paraphrase'",
        ),
        ([HEADER], "own.tsv: the file holds no patterns"),
        ([], "own.tsv: the file is empty"),
        ([HEADER, "killed\t1\t\tyes"], "own.tsv:2:"),
        ([HEADER, "\t1\tslain\tyes"], "own.tsv:2:"),
    ],
    ids=["column", "no rows", "empty", "no paraphrase", "no term"],
)
@pytest.mark.parametrize("options", [[], ["--rerank"]])
def test_broken_lists_are_refused_with_their_place(written, refused, options, lines, message):
    assert message in refused("score", written(*lines), *options)


def test_lists_that_are_not_there_are_refused(folder, refused):
    said = refused("score", "nowhere.tsv")
    assert "there is no file 'nowhere.tsv'" in said
    assert "hint: check the path" in said


def test_lists_in_another_encoding_are_read_where_it_is_named(folder, refused, scored):
    text = f"{HEADER}\ntué\t1\tassassiné\tyes\n"
    (folder / "own.tsv").write_bytes(text.encode("latin-1"))
    assert "own.tsv:2: byte" in refused("score", "own.tsv")
    found, _ = scored("own.tsv", "-k", "1", "--read", "encoding=latin-1")
    assert found["lists"]["rows"][0]["term"] == "tué"


def test_lists_that_nobody_judged_need_another_quality(written, refused):
    said = refused("score", written("term\tparaphrase", "killed\tslain"))
    assert "own.tsv: nobody judged these lists" in said
    assert "hint: add a column for each judge, e.g. 'ann.strict'" in said


@pytest.mark.parametrize(
    ("option", "value", "messages"),
    [
        ("--quality", "coulmn:x", ["no quality is called 'coulmn'", "did you mean 'column'?"]),
        ("--quality", "judges:mild", ["no strictness is called 'mild'", "lenient, strict"]),
        ("--quality", "column:x", ["no column of numbers is called 'x'", "confidence"]),
        ("--quality", "instances", ["quality 'instances' needs a file", "e.g. instances:FILE"]),
        ("--quality", "instances:no.csv", ["there is no file 'no.csv'"]),
        ("--quality", "recognizer:no", ["no recognizer is called 'no'"]),
        ("-s", "diversity=lexical", ["no diversity is called 'lexical'"]),
        ("-s", "diversity=column", ["diversity 'column' needs a name", "e.g. column:novelty"]),
        ("-s", "diversity=column:x", ["no column of numbers is called 'x'", "confidence"]),
        ("-s", "diversity=dictionary:no.txt", ["there is no file 'no.txt'"]),
        ("-s", "function-words=no.txt", ["there is no file 'no.txt'"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_part_that_does_not_exist_is_refused(folder, refused, option, value, messages):
    said = refused("score", "lists.tsv", option, value)
    for message in [*messages, "hint: "]:
        assert message in said


@pytest.mark.parametrize(
    ("option", "prefix", "column"),
    [("--quality", "", "quality"), ("-s", "diversity=", "novelty")],
)
def test_number_out_of_range_is_refused_with_its_place(written, refused, option, prefix, column):
    name = written(f"{HEADER}\t{column}", "killed\t1\tslain\tyes\t1", "killed\t2\tshot\tyes\t3.5")
    said = refused("score", name, option, f"{prefix}column:{column}")
    assert "own.tsv:3:" in said
    assert "3.5" in said


def test_empty_dictionary_is_refused(written, refused):
    written("", name="words.txt")
    said = refused("score", "lists.tsv", "-s", "diversity=dictionary:words.txt")
    assert "words.txt: the dictionary has no word in it" in said


@pytest.mark.parametrize(
    "options",
    [
        ["-s", "short=long"],
        ["-s", "repeated=twice"],
        ["-s", "unjudged=guess"],
        ["--draws", "-1"],
        ["-k", "many"],
        ["--format", "xml"],
    ],
    ids=lambda options: options[0],
)
def test_choice_that_there_is_not_is_used_wrongly(folder, refused, options):
    assert options[0] in refused("score", "lists.tsv", *options, code=2)


def test_lists_are_needed(folder, refused):
    assert "Missing argument 'LISTS...'" in refused("score", code=2)


@pytest.mark.parametrize("name", ["lists.tsv", "./lists.tsv", "words.txt"])
def test_scores_overwrite_nothing_that_is_read(folder, written, refused, name):
    written("the", name="words.txt")
    before = (folder / name).read_bytes()
    said = refused("score", "lists.tsv", "-s", "function-words=words.txt", "-o", name)
    assert f"{name!r} is read by the same command" in said
    assert "hint: name another file to write" in said
    assert (folder / name).read_bytes() == before


def test_page_and_picture_have_names_that_say_so(folder, refused):
    said = refused("score", "lists.tsv", "--report", "scores.txt", "-o", "scores.csv")
    assert "cannot write a page to 'scores.txt'" in said
    said = refused("score", "lists.tsv", "--plot", "scores.txt", "-o", "scores.csv")
    assert "cannot write a picture to 'scores.txt'" in said
    assert not (folder / "scores.csv").exists()


def test_scores_of_one_pattern_are_shown_without_nan(written, capsys):
    name = written(HEADER, "killed\t1\tslain\tyes")
    assert run(["paraphrase", "score", name, *QUICK, "--report", "scores.html"]) == 0
    shown = capsys.readouterr().out
    assert "nan" not in shown.lower().split()
    assert "one term only, so that no others can be drawn" in shown
