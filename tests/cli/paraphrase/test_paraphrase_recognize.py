"""`ensue paraphrase recognize`, as a user calls it; the numbers are worked by hand."""

import csv
import json

import pytest

from ensue.cli.app import run

QUICK = ["--draws", "20"]
TASK = ["-t", "pairs.jsonl"]


@pytest.fixture
def answer(answering):
    """Recognize pairs; give what is said as JSON."""
    return answering("recognize", *QUICK)


@pytest.fixture
def refused(refusing):
    """Run a command that has to fail; give the message."""
    return refusing("recognize")


@pytest.fixture
def written(folder):
    """Write lines to a file, and give its name."""

    def write(name, *lines):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return name

    return write


def pair(gold, text, hypothesis):
    return json.dumps({"id": text, "text": text, "hypothesis": hypothesis, "gold": gold})


def performance_of(found, term="killed", method="ngrams"):
    return next(
        row
        for row in found["performance"]["rows"]
        if (row["term"], row["method"]) == (term, method)
    )


def test_performance_of_a_list_is_worked_by_hand(folder, answer):
    row = performance_of(answer("lists.tsv", *TASK))
    # of eight positive pairs "killing" matches by its stem; murdered, assassinated and died in do
    assert (row["positive"], row["n_by_unigrams"], row["n_by_patterns"]) == (8, 1, 3)
    assert row["performance"]["value"] == pytest.approx((1 + 3) / 8)
    assert row["by_unigrams"]["value"] == pytest.approx(1 / 8)
    # one negative pair has "killed" on both sides
    assert row["false_alarms"]["value"] == pytest.approx(1 / 3)
    assert row["precision"]["value"] == pytest.approx(4 / (4 + 1))


def test_performance_of_a_method_is_the_mean_over_its_lists(folder, answer):
    found = answer("lists.tsv", *TASK)
    mean = next(row for row in found["methods"]["rows"] if row["method"] == "pivot")
    lists = [row for row in found["performance"]["rows"] if row["method"] == "pivot"]
    values = [row["performance"]["value"] for row in lists]
    assert mean["lists"] == len(values) == 4
    assert mean["performance"]["value"] == pytest.approx(sum(values) / 4)
    recognized = sum(row["n_by_unigrams"] + row["n_by_patterns"] for row in lists)
    assert mean["pooled"]["value"] == pytest.approx(recognized / (8 + 7 + 7 + 7))


def test_terms_are_counted_as_in_table_1(folder, answer):
    rows = answer("lists.tsv", *TASK)["terms"]["rows"]
    counts = {row["term"]: (row["positive_pairs"], row["negative_pairs"]) for row in rows}
    assert counts == {"killed": (8, 3), "reached": (7, 3), "accused": (7, 3), "returned": (7, 3)}


def test_top_terms_are_those_in_the_most_positive_pairs(folder, answer):
    found = answer("lists.tsv", *TASK, "--terms", "top:2")
    # three have seven: the alphabet decides
    assert [row["term"] for row in found["terms"]["rows"]] == ["killed", "accused"]
    assert {row["term"] for row in found["performance"]["rows"]} == {"killed", "accused"}


def test_terms_may_be_named(folder, answer):
    found = answer("lists.tsv", *TASK, "--terms", "Returned, killed")
    assert {row["term"] for row in found["performance"]["rows"]} == {"returned", "killed"}


def test_fewer_terms_than_asked_for_are_told(folder, capsys):
    assert run(["paraphrase", "recognize", "lists.tsv", *TASK, "--terms", "top:9", *QUICK]) == 0
    told = capsys.readouterr().err
    assert "9 terms asked for, but only 4 in any positive pair [fewer-terms]" in told


def test_without_lists_the_most_frequent_verbs_are_counted(folder, answer):
    rows = answer(*TASK)["terms"]["rows"]
    assert len(rows) == 10
    assert [row["term"] for row in rows[:4]] == ["killed", "accused", "reached", "returned"]
    assert rows[0] == {"term": "killed", "positive_pairs": 8, "negative_pairs": 3}


def test_without_lists_the_number_of_terms_may_be_asked_for(folder, answer):
    found = answer(*TASK, "--terms", "top:1")
    assert list(found) == ["terms"]
    assert [row["term"] for row in found["terms"]["rows"]] == ["killed"]


def test_without_lists_named_terms_are_counted(folder, answer):
    rows = answer(*TASK, "--terms", "slain,sang")["terms"]["rows"]
    assert [(row["term"], row["positive_pairs"]) for row in rows] == [("slain", 1), ("sang", 0)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--table", "pairs"], "without LISTS there is nothing to recognize with"),
        (["--report", "r.html"], "without LISTS there is nothing to recognize with"),
        (["--terms", "all"], "without LISTS --terms is top:N"),
    ],
)
def test_without_lists_there_is_nothing_but_counts(folder, refused, options, message):
    assert message in refused(*TASK, *options, code=2)


def test_fewer_paraphrases_recognize_less(folder, answer):
    # "assassinated" is the fourth and "died in" the sixth
    row = performance_of(answer("lists.tsv", *TASK, "-k", "3"))
    assert (row["n_by_unigrams"], row["n_by_patterns"]) == (1, 1)


def test_paraphrases_may_match_by_their_stems(written, answer):
    lists = written("own.tsv", "term\tparaphrase", "killed\tmurder")
    task = written("own.jsonl", pair("entailment", "He killed her.", "She was murdered."))
    by_words, by_stems = (
        answer(lists, "-t", task, "-s", f"match={match}")["performance"]["rows"][0]
        for match in ("words", "stems")
    )
    assert (by_words["n_by_patterns"], by_stems["n_by_patterns"]) == (0, 1)


def test_patterns_of_function_words_are_left_out_and_told(written, answer, capsys):
    lists = written("own.tsv", "term\tparaphrase", "killed\tto", "killed\tslain")
    task = written("own.jsonl", pair("entailment", "He killed her.", "It came to this."))
    assert answer(lists, "-t", task)["performance"]["rows"][0]["n_by_patterns"] == 0
    assert run(["paraphrase", "recognize", lists, "-t", task, *QUICK]) == 0
    assert "1 pattern left out for want of a content word: 'to'" in capsys.readouterr().err


def test_function_words_may_be_ones_own(written, answer):
    lists = written("own.tsv", "term\tparaphrase", "killed\tto")
    task = written("own.jsonl", pair("entailment", "He killed her.", "It came to this."))
    words = written("words.txt", "the")
    found = answer(lists, "-t", task, "-s", f"function-words={words}")
    assert found["performance"]["rows"][0]["n_by_patterns"] == 1


def test_patterns_mind_word_boundaries(written, answer):
    lists = written("own.tsv", "term\tparaphrase", "killed\tshot")
    pairs = [
        pair("entailment", "He killed her.", "She was overshot."),
        pair("entailment", "A skilled man.", "He shot."),
    ]
    row = answer(lists, "-t", written("own.jsonl", *pairs))["performance"]["rows"][0]
    assert (row["positive"], row["performance"]["value"]) == (1, 0)


def test_pairs_show_what_recognizes_them(folder, answer):
    rows = answer("lists.tsv", *TASK, "--table", "pairs")["pairs"]["rows"]
    shown = {
        row["pair_id"]: row for row in rows if (row["method"], row["term"]) == ("pivot", "killed")
    }
    assert len(shown) == 8 + 3
    assert (shown["1"]["by"], shown["1"]["paraphrases"]) == ("patterns", "took the lives of")
    assert shown["7"]["by"] == "unigrams"
    assert (shown["6"]["by"], shown["6"]["paraphrases"]) == ("nothing", None)
    assert (shown["9"]["side"], shown["9"]["gold"]) == ("both", "not-entailment")


def test_tasks_have_names_and_may_be_of_several_files(written, answer):
    lists = written("own.tsv", "term\tparaphrase", "killed\tslain")
    first = written("first.jsonl", pair("entailment", "He killed her.", "She was slain."))
    second = written("second.jsonl", pair("entailment", "It killed them.", "They were happy."))
    found = answer(lists, "-t", f"both={first}", "-t", f"both={second}", "-t", first)
    shares = {row["task"]: row["performance"]["value"] for row in found["performance"]["rows"]}
    assert shares == {"both": 1 / 2, "first": 1}


def test_lists_need_no_judges_to_recognize(written, answer):
    lists = written("own.jsonl", json.dumps({"term": "killed", "pattern": "murdered"}))
    assert performance_of(answer(lists, *TASK), method=None)["n_by_patterns"] == 1


def test_recognition_prints_tables_for_people(folder, capsys):
    assert run(["paraphrase", "recognize", "lists.tsv", *TASK, *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "Source terms in the tasks" in shown
    assert "of each list the first 10 paraphrases" in shown


def test_recognition_is_written_as_csv(folder, capsys):
    options = ["--table", "performance", "--format", "csv", "-o", "performance.csv"]
    assert run(["paraphrase", "recognize", "lists.tsv", *TASK, *QUICK, *options]) == 0
    assert capsys.readouterr().out == ""
    rows = list(csv.DictReader((folder / "performance.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 12
    assert float(rows[0]["performance"]) == pytest.approx(4 / 8)


def test_recognition_draws_and_writes_a_page(folder, capsys):
    options = ["--plot", "performance.svg", "--report", "performance.html"]
    assert run(["paraphrase", "recognize", "lists.tsv", *TASK, *QUICK, *options]) == 0
    assert (folder / "performance.svg").read_text("utf-8").startswith("<svg")
    assert "ngrams" in (folder / "performance.html").read_text("utf-8")


def test_term_that_nobody_uses_has_a_reason_and_no_number(written, answer, capsys):
    lists = written("own.tsv", "term\tparaphrase", "killed\tslain", "sang\tcrooned")
    task = written("own.jsonl", pair("entailment", "He killed her.", "She was slain."))
    found = answer(lists, "-t", task)
    row = performance_of(found, "sang", None)
    assert (row["positive"], row["performance"]["value"]) == (0, None)
    assert "in no positive pair of the task 'own'" in row["undefined"]
    (mean,) = found["methods"]["rows"]
    # the list without a performance is not taken as 0
    assert (mean["undefined_lists"], mean["performance"]["value"]) == (1, 1 / 1)
    assert run(["paraphrase", "recognize", lists, "-t", task, *QUICK]) == 0
    told = capsys.readouterr().err
    assert "1 of 2 terms in no positive pair of the task 'own'" in told
    assert "[unused-term]" in told


def test_term_in_negative_pairs_only_has_false_alarms_and_no_performance(written, answer):
    lists = written("own.tsv", "term\tparaphrase", "killed\tslain")
    pairs = [
        pair("not-entailment", "He killed her.", "She was slain."),
        pair("entailment", "It rains.", "It rains."),
    ]
    row = answer(lists, "-t", written("own.jsonl", *pairs))["performance"]["rows"][0]
    assert (row["performance"]["value"], row["false_alarms"]["value"]) == (None, 1)


def test_nothing_but_numbers_and_nulls_is_in_the_json(written, capsys):
    lists = written("own.tsv", "term\tparaphrase", "sang\tcrooned")
    assert run(["paraphrase", "recognize", lists, *TASK, *QUICK, "--format", "json"]) == 0
    shown = capsys.readouterr().out
    assert "NaN" not in shown
    assert "Infinity" not in shown


@pytest.mark.parametrize("k", ["0", "-3"])
def test_no_paraphrase_at_all_is_refused(folder, refused, k):
    said = refused("lists.tsv", *TASK, "-k", k)
    assert f"the first {k} paraphrases cannot be looked at" in said
    assert "hint: at least 1" in said


def test_term_that_no_list_has_is_refused(folder, refused):
    said = refused("lists.tsv", *TASK, "--terms", "kiled")
    assert "no term is called 'kiled'" in said
    assert "hint: did you mean 'killed'?" in said


@pytest.mark.parametrize("terms", ["top:0", "top:-1", "top:many", "top:", ","])
def test_choice_of_terms_that_makes_no_sense_is_refused(folder, refused, terms):
    assert "hint: all, top:10, or terms" in refused("lists.tsv", *TASK, "--terms", terms)


def test_no_terms_at_all_are_refused_without_lists(folder, refused):
    assert "'top:0' does not say how many terms" in refused(*TASK, "--terms", "top:0")


def test_task_is_needed(folder, refused):
    assert "Missing option '-t' / '--task'" in refused("lists.tsv", code=2)


def test_task_that_is_not_there_is_refused(folder, refused):
    assert "there is no file 'nowhere.jsonl'" in refused("lists.tsv", "-t", "A=nowhere.jsonl")


def test_standard_input_is_read_once(folder, refused):
    said = refused("-", "-t", "-", code=2)
    assert "standard input can be read only once" in said


@pytest.mark.parametrize("option", ["-o", "--report", "--plot"])
def test_recognition_overwrites_nothing_it_reads(written, refused, option):
    ending = {"-o": "txt", "--report": "html", "--plot": "json"}[option]
    words = written(f"words.{ending}", "the")
    said = refused("lists.tsv", *TASK, "-s", f"function-words={words}", option, words)
    assert f"'{words}' is read by the same command" in said
    assert said.count("hint: name another file to write") == 1


@pytest.mark.parametrize("name", ["lists.tsv", "pairs.jsonl", "./pairs.jsonl"])
def test_recognition_keeps_lists_and_pairs(folder, refused, name):
    before = (folder / name).read_bytes()
    assert "is read by the same command" in refused("lists.tsv", *TASK, "-o", name)
    assert (folder / name).read_bytes() == before
