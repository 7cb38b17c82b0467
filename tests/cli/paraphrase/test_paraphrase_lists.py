"""`ensue paraphrase score --rerank`, `judge` and `learn`, which write lists, also in pipelines."""

import csv
import io
import json

import numpy as np
import pytest

from ensue.cli.app import run
from ensue.paraphrase.formats.lists import read_lists
from ensue.paraphrase.quality.entailment import recognizer_quality
from ensue.paraphrase.scores import PatternMeasure, ScoreSettings, score

OVERLAP = ["-r", "overlap"]
SENTENCES = ["--sentences", "sentences.txt"]


@pytest.fixture
def output(capsys):
    """Run a command that has to succeed; give what it writes to standard output."""

    def run_it(*arguments):
        code = run(["paraphrase", *arguments])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return captured.out

    return run_it


@pytest.fixture
def refused(refusing):
    """Run a command that has to fail; give the message."""
    return refusing()


@pytest.fixture
def piped(output, monkeypatch):
    """Run a command on what another wrote."""

    def run_it(content, *arguments):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        return output(*arguments)

    return run_it


def rows_of(text):
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))


def paraphrases(rows, term="killed", method="ngrams"):
    return [row["paraphrase"] for row in rows if (row["term"], row["method"]) == (term, method)]


def dimple(path, k, quality="judges:strict"):
    """Of each list, by the library."""
    scored = score(read_lists([str(path)]), ScoreSettings(ks=(k,)), quality)
    return [scored.value(i, PatternMeasure.DIMPLE, k) for i in range(len(scored.lists))]


def test_reranked_lists_have_all_rows_and_columns(folder, output):
    given = rows_of((folder / "lists.tsv").read_text("utf-8"))
    rows = rows_of(output("score", "lists.tsv", "--rerank", "-k", "3"))
    assert set(rows[0]) == set(given[0])
    assert sorted(paraphrases(rows)) == sorted(paraphrases(given))
    assert [int(row["rank"]) for row in rows[:6]] == [1, 2, 3, 4, 5, 6]
    murdered = next(row for row in rows if row["paraphrase"] == "murdered")
    assert (float(murdered["confidence"]), murdered["judge1.strict"]) == (0.61, "1")


def test_reranking_puts_right_and_new_patterns_first(folder, output):
    rows = rows_of(output("score", "lists.tsv", "--rerank", "-k", "3"))
    # gains of 7, 3 and 2^1.5 − 1; "shot and killed" would gain but 1
    assert paraphrases(rows)[:3] == ["murdered", "assassinated", "died in"]


@pytest.mark.parametrize("k", [1, 3])
def test_reranked_lists_have_no_lower_dimple(folder, output, k):
    output("score", "lists.tsv", "--rerank", "-k", str(k), "-o", "new.tsv")
    before, behind = dimple("lists.tsv", k), dimple("new.tsv", k)
    assert all(new >= old - 1e-12 for old, new in zip(before, behind, strict=True))
    assert sum(behind) > sum(before)


def test_reranking_takes_another_quality(folder, output):
    output(
        "score",
        "lists.tsv",
        "--rerank",
        "-k",
        "2",
        "--quality",
        "column:confidence",
        "-o",
        "new.tsv",
    )
    before, behind = (dimple(name, 2, "column:confidence") for name in ("lists.tsv", "new.tsv"))
    assert all(new >= old - 1e-12 for old, new in zip(before, behind, strict=True))
    rows = rows_of((folder / "new.tsv").read_text("utf-8"))
    # 0.61 and 0.35 for new words; "shot and killed" repeats the term
    assert paraphrases(rows)[:2] == ["murdered", "wounded"]


def test_reranking_tells_what_was_gained(folder, capsys):
    command = ["paraphrase", "score", "lists.tsv", "--rerank", "-k", "3"]
    assert run(command) == 0
    assert "10 of 12 lists gained" in capsys.readouterr().err
    assert run([*command, "--table", "reranking", "-o", "gains.csv"]) == 0
    with (folder / "gains.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    first = rows[0]
    assert float(first["given"]) == pytest.approx((7 + 1 + 0) / (3 * 7))
    assert float(first["new"]) == pytest.approx((7 + 3 + 2**1.5 - 1) / (3 * 7))
    assert float(first["gain"]) == pytest.approx(float(first["new"]) - float(first["given"]))


def test_reranking_is_quiet_where_it_is_asked(folder, capsys):
    assert run(["paraphrase", "score", "lists.tsv", "--rerank", "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_reranked_lists_are_scored_in_a_pipeline(folder, output, piped):
    lists = output("score", "lists.tsv", "--rerank", "-k", "3")
    shown = piped(lists, "score", "-", "-k", "3", "--draws", "20", "--format", "json")
    rows = json.loads(shown)["lists"]["rows"]
    first = next(row for row in rows if row["quality"] == "strict")
    assert first["dimple_3"]["value"] == pytest.approx((7 + 3 + 2**1.5 - 1) / (3 * 7))


def test_no_place_to_rerank_is_refused(folder, refused):
    said = refused("score", "lists.tsv", "--rerank", "-k", "0")
    assert "k is 0" in said
    assert "hint: k says how many of the first patterns count: 1 or more" in said


def test_reranking_needs_a_quality_of_every_pattern(folder, refused):
    (folder / "own.tsv").write_text(
        "term\tparaphrase\tann.strict\nkilled\tslain\tyes\nkilled\tshot\t\n", encoding="utf-8"
    )
    said = refused("score", "own.tsv", "--rerank")
    assert "own.tsv:3: pattern 'killed' → 'shot' has no Q by 'judges:strict'" in said
    assert "-s unjudged=wrong or skip" in said


def test_judged_lists_have_the_qualities_of_the_library(folder, output):
    output("judge", "lists.tsv", *OVERLAP, *SENTENCES, "-o", "judged.tsv")
    lists = read_lists(["judged.tsv"])
    sentences = (folder / "sentences.txt").read_text("utf-8").splitlines()
    expected = recognizer_quality(read_lists(["lists.tsv"]), "overlap", sentences)
    np.testing.assert_allclose(lists.columns["quality"], expected)
    assert lists.judgments is not None


def test_judge_takes_the_sentences_of_the_lists_where_none_are_given(folder, output):
    rows = rows_of(output("judge", "lists.tsv", *OVERLAP))
    expected = recognizer_quality(read_lists(["lists.tsv"]), "overlap")
    assert [float(row["quality"]) for row in rows] == pytest.approx(expected.tolist())


def test_judge_grades_and_combines_as_it_is_told(folder, output):
    forward, backward, mean = (
        [
            float(row["quality"])
            for row in rows_of(output("judge", "lists.tsv", *OVERLAP, "--combine", way))
        ]
        for way in ("forward", "backward", "mean")
    )
    assert mean == pytest.approx([(a + b) / 2 for a, b in zip(forward, backward, strict=True)])
    hard = rows_of(output("judge", "lists.tsv", *OVERLAP, "--grade", "hard"))
    assert {float(row["quality"]) for row in hard} <= {0, 1}


def test_judge_takes_settings_of_the_recognizer(folder, output):
    arguments = ["judge", "lists.tsv", *OVERLAP, "--grade", "hard"]
    never = rows_of(output(*arguments, "-s", "cutoff=1"))
    assert {float(row["quality"]) for row in never} == {0}


def test_judged_lists_are_scored_in_a_pipeline(folder, output, piped):
    lists = output("judge", "lists.tsv", *OVERLAP, *SENTENCES)
    options = ["-k", "2", "--quality", "column:quality", "--draws", "20", "--format", "json"]
    row = json.loads(piped(lists, "score", "-", *options))["lists"]["rows"][0]
    first, second = (float(each["quality"]) for each in rows_of(lists)[:2])
    assert row["ep_2"]["value"] == pytest.approx((first + second) / 2)
    # "shot and killed" repeats the term
    gains = 2 ** (3 * first) - 1 + 2**second - 1
    assert row["dimple_2"]["value"] == pytest.approx(gains / (2 * 7))


def test_judge_needs_sentences(folder, refused):
    (folder / "own.tsv").write_text("term\tparaphrase\nkilled\tslain\n", encoding="utf-8")
    said = refused("judge", "own.tsv", *OVERLAP)
    assert "own.tsv: these lists bring no sentences for a recognizer to judge" in said
    assert "hint: add a column 'sentence'" in said


def test_judge_tells_of_terms_without_a_sentence(folder, output, capsys):
    (folder / "own.tsv").write_text(
        "term\tparaphrase\nkilled\tslain\nsang\tcrooned\n", encoding="utf-8"
    )
    assert run(["paraphrase", "judge", "own.tsv", *OVERLAP, *SENTENCES]) == 0
    captured = capsys.readouterr()
    assert "sang" in captured.err
    qualities = {row["term"]: row["quality"] for row in rows_of(captured.out)}
    assert qualities["sang"] == ""
    assert 0 < float(qualities["killed"]) < 1


def test_judge_refuses_a_recognizer_that_does_not_exist(folder, refused):
    said = refused("judge", "lists.tsv", "-r", "ovrlap")
    assert "no recognizer is called 'ovrlap'" in said
    assert "hint: did you mean 'overlap'?" in said


def test_learned_lists_have_what_was_planted(folder, output):
    rows = rows_of(output("learn", "corpus.txt", "--terms", "killed, reached"))
    # murdered shares the contexts of gunmen, rebels and the gang, the others two each
    assert paraphrases(rows, "killed", "pd") == [
        "murdered",
        "assassinated",
        "shot dead",
        "took the lives of",
    ]
    assert [float(row["confidence"]) for row in rows[:4]] == [3, 2, 2, 2]
    assert [row["rank"] for row in rows[:4]] == ["1", "2", "3", "4"]
    assert paraphrases(rows, "reached", "pd") == ["arrived at", "came to", "got to"]


def test_learning_counts_what_it_read(folder, capsys):
    assert run(["paraphrase", "learn", "corpus.txt", "--terms", "killed"]) == 0
    assert "ngrams: 4 paraphrases of 1 term from 46 sentences" in capsys.readouterr().err


def test_learning_may_ask_for_fewer_and_shorter_and_for_more_contexts(folder, output):
    arguments = ["learn", "corpus.txt", "--terms", "killed"]
    assert paraphrases(rows_of(output(*arguments, "--most", "1")), method="pd") == ["murdered"]
    assert paraphrases(rows_of(output(*arguments, "--least", "3")), method="pd") == ["murdered"]
    single = paraphrases(rows_of(output(*arguments, "--longest", "1")), method="pd")
    assert single == ["murdered", "assassinated"]


def test_learning_may_compare_contexts_otherwise(folder, output):
    rows = rows_of(output("learn", "corpus.txt", "--terms", "killed", "--overlap", "cosine"))
    # seven contexts of "killed", three of "murdered", which it shares
    assert float(rows[0]["confidence"]) == pytest.approx(3 / (7 * 3) ** 0.5)


def test_terms_to_learn_may_stand_in_a_file(folder, output):
    (folder / "terms.txt").write_text("accused\n\n returned \n", encoding="utf-8")
    rows = rows_of(output("learn", "corpus.txt", "--terms-file", "terms.txt"))
    assert {row["term"] for row in rows} == {"accused", "returned"}


def test_terms_to_learn_may_be_the_most_frequent_of_a_task(folder, output):
    rows = rows_of(output("learn", "corpus.txt", "--terms", "top:2", "-t", "pairs.jsonl"))
    assert {row["term"] for row in rows} == {"killed", "accused"}


def test_learning_by_noun_phrases_finds_what_was_planted(folder, output):
    options = ["--method", "noun-phrases", "--least", "2"]
    rows = rows_of(output("learn", "corpus.txt", "--terms", "killed", *options))
    found = paraphrases(rows, method="br")
    assert found[0] == "murdered"
    assert {"assassinated", "shot dead"} <= set(found)


def test_learning_by_both_methods_gives_lists_of_both(folder, output):
    methods = ["--method", "noun-phrases", "--method", "ngrams", "--least", "2"]
    rows = rows_of(output("learn", "corpus.txt", "--terms", "killed", *methods))
    assert {row["method"] for row in rows} == {"pd", "br"}


@pytest.mark.parametrize(("name", "format"), [("l.jsonl", None), ("l.txt", "jsonl")])
def test_lists_are_written_in_the_format_of_the_name_or_as_asked(folder, output, name, format):
    options = ["--format", format] if format else []
    output("learn", "corpus.txt", "--terms", "killed", "-o", name, *options)
    first = json.loads((folder / name).read_text("utf-8").splitlines()[0])
    assert (first["term"], first["rank"], first["paraphrase"]) == ("killed", 1, "murdered")


def test_lists_go_into_a_format_that_is_known(folder, refused):
    said = refused("learn", "corpus.txt", "--terms", "killed", "-q", "-o", "lists.foo")
    assert "no format of lists is known by the end of 'lists.foo'" in said
    assert "hint: end the name in .tsv, .csv, .jsonl or .parquet" in said
    assert not (folder / "lists.foo").exists()


def test_term_that_the_corpus_lacks_is_told(folder, capsys):
    assert run(["paraphrase", "learn", "corpus.txt", "--terms", "killed,kissed"]) == 0
    captured = capsys.readouterr()
    assert "warning: the corpus has no 'kissed' [term-not-there]" in captured.err
    assert {row["term"] for row in rows_of(captured.out)} == {"killed"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "name terms with --terms or with --terms-file"),
        (["--terms", "killed", "--terms-file", "t"], "name terms with --terms or with"),
        (["--terms", "top:3"], "--terms top:N counts the verbs of --task PAIRS: name some"),
        (["--terms", "killed", "--most", "0"], "--most"),
    ],
)
def test_learning_needs_terms_said_in_one_way(folder, refused, options, message):
    assert message in refused("learn", "corpus.txt", *options, code=2)


def test_learning_of_no_term_is_refused(folder, refused):
    said = refused("learn", "corpus.txt", "--terms", ",", code=2)
    assert "--terms ',' names no term" in said


def test_learned_confidences_are_no_qualities(folder, output, monkeypatch, refused):
    lists = output("learn", "corpus.txt", "--terms", "killed")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lists.encode())))
    said = refused("score", "-", "--quality", "column:confidence", "-k", "2")
    assert "quality 'confidence' of 'murdered' is 3.0, which is not in [0, 1]" in said
    assert "hint: 4 of 4 are" in said


def test_learned_lists_are_judged_and_scored_in_a_pipeline(folder, output, piped):
    learned = output("learn", "corpus.txt", "--terms", "killed,reached")
    judged = piped(learned, "judge", "-", *OVERLAP, *SENTENCES)
    options = ["-k", "3", "--quality", "column:quality", "--draws", "20", "--format", "json"]
    row = json.loads(piped(judged, "score", "-", *options))["lists"]["rows"][0]
    qualities = [float(each["quality"]) for each in rows_of(judged)[:3]]
    assert row["ep_3"]["value"] == pytest.approx(sum(qualities) / 3)
    # all are new
    gains = [2 ** (3 * quality) - 1 for quality in qualities]
    assert row["dimple_3"]["value"] == pytest.approx(sum(gains) / (3 * 7))


def test_learned_lists_recognize_pairs_in_a_pipeline(folder, output, piped):
    learned = output("learn", "corpus.txt", "--terms", "killed")
    shown = piped(
        learned, "recognize", "-", "-t", "pairs.jsonl", "--draws", "20", "--format", "json"
    )
    (row,) = json.loads(shown)["performance"]["rows"]
    # one by its stem; murdered, assassinated, shot dead, took the lives of
    assert (row["n_by_unigrams"], row["n_by_patterns"]) == (1, 4)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "lists.tsv", "--rerank", "-o", "lists.tsv"],
        ["score", "lists.tsv", "--rerank", "--table", "reranking", "-o", "lists.tsv"],
        ["judge", "lists.tsv", "-r", "overlap", "-o", "./lists.tsv"],
        ["judge", "lists.tsv", "-r", "overlap", *SENTENCES, "-o", "sentences.txt"],
        ["learn", "corpus.txt", "--terms", "killed", "-o", "corpus.txt"],
        ["learn", "corpus.txt", "--terms-file", "sentences.txt", "-o", "sentences.txt"],
        ["learn", "corpus.txt", "--terms", "top:2", "-t", "pairs.jsonl", "-o", "pairs.jsonl"],
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_lists_overwrite_nothing_that_is_read(folder, refused, arguments):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    said = refused(*arguments)
    assert "is read by the same command" in said
    assert "hint: name another file to write" in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_two_outputs_are_not_one_file(folder, refused):
    said = refused("score", "lists.tsv", "-o", "new.html", "--report", "new.html")
    assert "'new.html' is written by the same command" in said
