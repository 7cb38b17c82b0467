"""`ensue mt evaluate`, as a user calls it."""

import json

import pytest

from ensue.cli.app import run
from ensue.cli.translation_metrics import CROSSED
from ensue.translation.features import FeatureSet
from ensue.translation.metrics import metric_name
from ensue.translation.metrics.linear_models import ModelKind

TEXTS = ["--reference", "ref.txt", "good", "bad"]
PLAIN = [*TEXTS, "--judgments", "ranks.jsonl"]
QUICK = ["--draws", "20", "-s", "permutations=20"]
SEGMENTS = [str(i) for i in range(1, 7)]


def rankings(judges):
    """What each judge says of all segments: pairs of a name and ranks."""
    return [
        {"segment": segment, "judge": judge, "ranks": ranks}
        for segment in SEGMENTS
        for judge, ranks in judges
    ]


AGREED = {"good": 1, "bad": 2}
REVERSED = {"good": 2, "bad": 1}


def test_crossed_metrics_are_all_models_on_all_sets():
    assert set(CROSSED) == {metric_name(kind, each) for kind in ModelKind for each in FeatureSet}


def test_evaluation_of_the_shipped_directory_counts_preferences(directory, answer):
    found = answer("evaluate", directory, "-m", "bleu", "-m", "ter", *QUICK)
    bleu, ter = found["preferences"]["rows"]
    assert bleu["right"] + bleu["wrong"] + bleu["ties"] == 649
    assert bleu["share"]["value"] == bleu["right"] / 649
    assert (ter["metric"], ter["ties"]) == ("ter", 107)
    assert [row["metric"] for row in found["systems"]["rows"]] == ["bleu", "ter"]
    assert found["preference_tests"]["rows"][0]["first"] == "bleu"
    assert {"judges", "ceiling", "floor", "first_place", "places", "margins"} <= set(found)


def test_evaluation_of_directory_and_rows_is_the_same(directory, rows, answer):
    arguments = ["-m", "bleu", *QUICK, "--table", "preferences"]
    ours = answer("evaluate", directory, *arguments)["preferences"]["rows"][0]
    theirs = answer("evaluate", *rows, *arguments)["preferences"]["rows"][0]
    assert ours["right"] == theirs["right"]
    assert ours["share"]["value"] == theirs["share"]["value"]


def test_evaluation_shows_tables_to_people(small, capsys):
    assert run(["mt", "evaluate", *PLAIN, "-m", "bleu", *QUICK]) == 0
    captured = capsys.readouterr()
    assert "Agreement with preferences" in captured.out
    assert "100.0 [100.0, 100.0]" in captured.out
    assert "preferences of people: 6 of 6 comparisons, 0 human ties left out" in captured.out
    assert captured.err == ""


def test_shipped_metric_is_evaluated_where_none_is_named(small, answer):
    found = answer("evaluate", *PLAIN, "--workers", "1", *QUICK)
    (row,) = found["preferences"]["rows"]
    assert (row["metric"], row["right"]) == ("pair-comb", 6)


def test_evaluation_is_written_as_csv_table_by_table(small, capsys):
    arguments = ["mt", "evaluate", *PLAIN, "-m", "bleu", *QUICK, "--format", "csv"]
    assert run(arguments) == 0
    assert capsys.readouterr().out.startswith("# preferences\nmetric,right,wrong,ties,share")
    assert run([*arguments, "--table", "preferences", "-o", "p.csv"]) == 0
    _, row = (small / "p.csv").read_text("utf-8").splitlines()
    assert row.startswith("bleu,6,0,0,1.0,")


def test_unknown_table_is_an_error_with_those_there_are(small, refused):
    said = refused("evaluate", *PLAIN, "-m", "bleu", *QUICK, "--table", "nobody")
    assert "no table is called 'nobody'" in said
    assert "preferences" in said


def test_evaluation_writes_a_page_with_tables_and_pictures(small, judged, trained, capsys):
    # the metric and the judge disagree everywhere, so that disagreements are drawn
    said = judged(rankings([("anna", REVERSED)]))
    page = ["--report", "evaluation.html"]
    assert run(["mt", "evaluate", *TEXTS, *said, "-m", "bleu", *QUICK, *page]) == 0
    written = (small / "evaluation.html").read_text("utf-8")
    for heading in ("Agreement with preferences", "Judges", "Worst disagreements"):
        assert f"<h2>{heading}" in written
    assert written.count("<svg") >= 2
    assert "two trains" in written.lower()


@pytest.mark.parametrize(
    ("policy", "share"), [("wrong", 0), ("half", 0.5), ("left-out", None)], ids=str
)
def test_ties_of_a_metric_count_as_is_said(small, judged, answer, policy, share):
    said = judged(rankings([("anna", {"good": 1, "twin": 2})]))
    texts = ["--reference", "ref.txt", "good", "twin"]
    options = ["-m", "bleu", *QUICK, "-s", f"metric-ties={policy}"]
    (row,) = answer("evaluate", *texts, *said, *options)["preferences"]["rows"]
    assert (row["ties"], row["share"]["value"]) == (6, share)


def test_scores_of_a_file_are_evaluated_as_the_metric_is(small, answer, capsys):
    assert run(["mt", "score", *TEXTS, "-m", "bleu", "-m", "ter", "-o", "scores.csv"]) == 0
    capsys.readouterr()
    arguments = [*QUICK, "--table", "preferences"]
    by_name = answer("evaluate", *PLAIN, "-m", "bleu", "-m", "ter", *arguments)
    by_file = answer("evaluate", *PLAIN, "--scores", "scores.csv", *arguments)
    assert by_name == by_file


def test_judgments_and_scores_are_enough(small, answer, capsys):
    assert run(["mt", "score", *TEXTS, "-m", "bleu", "-o", "bleu.tsv"]) == 0
    capsys.readouterr()
    alone = ["--judgments", "ranks.jsonl", "--scores", "bleu.tsv", *QUICK]
    (row,) = answer("evaluate", *alone)["preferences"]["rows"]
    assert (row["metric"], row["right"]) == ("bleu", 6)


def test_all_outputs_can_be_scored(small, judged, answer):
    said = judged([{"segment": "1", "judge": "anna", "ranks": AGREED}])
    judged_only = answer("evaluate", *TEXTS, *said, "-m", "bleu", *QUICK)
    everything = answer("evaluate", *TEXTS, *said, "-m", "bleu", *QUICK, "-s", "outputs=all")
    assert judged_only["preferences"] == everything["preferences"]


def test_crossed_metric_is_evaluated_on_what_it_has_not_seen(small, answer):
    options = ["--cross", "pair-tradmt", "-m", "bleu", *QUICK]
    found = answer("evaluate", *PLAIN, *options)
    assert [row["metric"] for row in found["preferences"]["rows"]] == ["bleu", "pair-tradmt"]
    signatures = {row["metric"]: row["signature"] for row in found["metrics"]["rows"]}
    assert (
        signatures["pair-tradmt"] == "pair-tradmt|each tenth of the segments by the others|seed:0"
    )


def test_crossed_metrics_share_what_is_measured(small, trained, answer):
    crossed = ["--cross", "abs-rte", "--cross", "pair-comb", "--cross", "abs-tradmt"]
    found = answer("evaluate", *PLAIN, *crossed, *QUICK, "--workers", "1")
    names = [row["metric"] for row in found["preferences"]["rows"]]
    assert sorted(names) == ["abs-rte", "abs-tradmt", "pair-comb"]


@pytest.mark.parametrize("name", ["pair-tradmt", "abs-tradmt"])
def test_crossing_needs_two_segments(small, judged, refused, name):
    said = judged([{"segment": "1", "judge": "anna", "ranks": AGREED}])
    shown = refused("evaluate", *TEXTS, *said, "--cross", name, *QUICK)
    assert "all judged outputs are of one segment, and without it nothing can be learned" in shown
    assert "hint: give judgments of two segments or more" in shown


def test_crossed_metric_that_is_none_is_used_wrongly(small, refused):
    said = refused("evaluate", *PLAIN, "--cross", "pair-bleu", code=2)
    assert "'pair-bleu'" in said
    assert "pair-comb" in said


def test_judges_who_contradict_each_other_cancel(small, judged, answer):
    said = judged(rankings([("anna", AGREED), ("bert", REVERSED)]))
    found = answer("evaluate", *TEXTS, *said, "-m", "bleu", *QUICK)
    (row,) = found["preferences"]["rows"]
    assert (row["right"], row["wrong"], row["share"]["value"]) == (6, 6, 0.5)
    inter = found["judges"]["rows"][0]
    assert (inter["couples"], inter["agreement"]["value"]) == (6, 0)


def test_judge_who_contradicts_themselves_is_a_finding(small, judged, capsys):
    said = judged(rankings([("anna", AGREED), ("anna", REVERSED)]))
    arguments = ["mt", "evaluate", *TEXTS, *said, "-m", "bleu", *QUICK, "--format", "json"]
    assert run(arguments) == 0
    captured = capsys.readouterr()
    assert "judgments.jsonl:2: 6 of 6 repeated comparisons are contradicted" in captured.err
    assert "[contradicting-ranks]" in captured.err
    notes = json.loads(captured.out)["judges"]["notes"]
    assert "6 of 6 comparisons that a judge repeated contradict each other" in notes
    assert run([*arguments, "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_contradiction_is_told_without_texts_too(small, judged, capsys):
    assert run(["mt", "score", *TEXTS, "-m", "bleu", "-o", "bleu.tsv"]) == 0
    said = judged(rankings([("anna", AGREED), ("anna", REVERSED)]))
    assert run(["mt", "evaluate", *said, "--scores", "bleu.tsv", *QUICK]) == 0
    assert "[contradicting-ranks]" in capsys.readouterr().err


def test_one_system_is_evaluated_where_it_has_scores(small, judged, answer):
    said = judged(
        {"segment": segment, "system": "good", "judge": "anna", "score": 10 * int(segment)}
        for segment in SEGMENTS
    )
    found = answer("evaluate", "--reference", "ref.txt", "good", *said, "-m", "bleu", *QUICK)
    assert found["correlation"]["rows"][0]["metric"] == "bleu"
    assert "preferences" not in found
    notes = found["judged"]["notes"]
    assert "no consistency: there are no rankings of two outputs or more" in notes
    assert any(note.startswith("no system level: ") for note in notes)


def test_evaluation_without_judgments_is_refused(small, refused):
    said = refused("evaluate", *TEXTS, "-m", "bleu")
    assert "nobody has judged these outputs" in said
    assert "hint: name a file of judgments with --judgments" in said


def test_evaluation_needs_something_to_evaluate(small, refused):
    assert "give DATA, or --judgments and --scores" in refused("evaluate", code=2)
    said = refused("evaluate", "--judgments", "ranks.jsonl", code=2)
    assert "give DATA, or --judgments and --scores" in said


@pytest.mark.parametrize(
    "option", [["-m", "bleu"], ["--cross", "pair-tradmt"]], ids=["-m", "cross"]
)
def test_metrics_need_texts(small, refused, option):
    said = refused("evaluate", "--judgments", "ranks.jsonl", *option, code=2)
    assert "metrics need DATA to score" in said


def test_scores_beyond_the_judged_outputs_change_nothing(small, directory, answer, capsys):
    assert run(["mt", "score", directory, "-m", "bleu", "-o", "bleu.tsv", "-q"]) == 0
    more = (small / "bleu.tsv").read_text("utf-8") + "de-en\t1\tnobody\t99.0\n"
    (small / "more.tsv").write_text(more, encoding="utf-8")
    capsys.readouterr()
    options = ["--scores", "bleu.tsv", "--scores", "more.tsv", *QUICK]
    first, second = answer("evaluate", directory, *options)["systems"]["rows"]
    assert {**first, "metric": ""} == {**second, "metric": ""}
    assert run(["mt", "evaluate", directory, *options, "--table", "systems"]) == 0
    said = capsys.readouterr().err
    assert "of 217 scores are of outputs that are not judged, and are left out" in said


def test_no_permutations_make_no_tests(small, answer):
    found = answer(
        "evaluate", *PLAIN, "-m", "bleu", "-m", "ter", "--draws", "20", "-s", "permutations=0"
    )
    assert "preference_tests" not in found
    assert any(
        "no permutations were asked for" in str(row) for row in found["judged"]["rows"]
    ) or any("no permutations were asked for" in note for note in found["judged"]["notes"])


def test_no_worst_disagreements_can_be_asked_for(small, answer):
    found = answer("evaluate", *PLAIN, "-m", "bleu", "-s", "worst=0", *QUICK)
    assert not found.get("disagreements", {"rows": []})["rows"]


def test_crossed_metrics_score_the_judged_outputs(small, capsys):
    assert run(["mt", "evaluate", *PLAIN, "--cross", "pair-tradmt", "-s", "outputs=all"]) == 2
    assert "leave -s outputs=all out" in capsys.readouterr().err


def test_crossed_metric_of_a_name_that_is_taken_gets_another(small, answer):
    options = ["-m", "pair-tradmt", "--cross", "pair-tradmt", *QUICK]
    names = [row["metric"] for row in answer("evaluate", *PLAIN, *options)["preferences"]["rows"]]
    assert names == ["pair-tradmt", "pair-tradmt (crossed)"]


def test_metric_that_knows_the_judgments_is_told_of(small, capsys):
    assert run(["mt", "train", *PLAIN, "--feature-set", "tradmt", "-o", "own"]) == 0
    capsys.readouterr()
    assert run(["mt", "evaluate", *PLAIN, "-m", "own", *QUICK]) == 0
    assert "own was trained on good, and knows these judgments" in capsys.readouterr().err
