"""`ensue mt rank`, as a user calls it."""

import csv
import io
import json

import pytest

from ensue.cli.app import run
from ensue.cli.translation import METHODS
from ensue.translation.systems import SystemMethod

PLAIN = ["--reference", "ref.txt", "good", "bad"]
QUICK = ["--draws", "20"]


def by_system(found):
    return {row["system"]: row for row in found["ranks"]["rows"]}


def test_rank_methods_are_those_of_the_library():
    assert set(METHODS) == {method.value for method in SystemMethod}


def test_rank_shows_systems_of_each_language_pair_beside_people(directory, capsys):
    assert run(["mt", "rank", directory, "-m", "bleu", *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "Systems ranked by bleu (with-ties)" in shown
    assert "people's" in shown
    assert "ties first place on 31.2 % of 48 segments; 30.0 % were asked for" in shown
    assert "System scores of bleu beside people's" in shown


def test_rank_of_directory_and_of_rows_is_the_same(directory, rows, answer):
    ours = answer("rank", directory, "-m", "bleu", *QUICK)
    theirs = answer("rank", *rows, "-m", "bleu", *QUICK)
    ranks = [
        {(row["language_pair"], row["system"]): row["rank"] for row in found["ranks"]["rows"]}
        for found in (ours, theirs)
    ]
    assert ranks[0] == ranks[1]
    assert ranks[0]["fr-en", "fluent"] == 1
    assert ours["people"] == theirs["people"]


def test_rank_of_plain_files_has_no_pair_and_no_people(small, answer):
    found = answer("rank", *PLAIN, "-m", "bleu", *QUICK)
    assert list(found) == ["ranks"]
    assert [row["language_pair"] for row in found["ranks"]["rows"]] == [None, None]
    assert [row["system"] for row in found["ranks"]["rows"]] == ["good", "bad"]


def test_rank_is_by_the_shipped_metric_where_none_is_named(small, capsys):
    assert run(["mt", "rank", *PLAIN, "--workers", "1", *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "Systems ranked by pair-comb (with-ties)" in shown
    assert shown.index("good") < shown.index("bad")


def test_rank_names_the_language_pair_that_it_is_told(small, answer):
    found = answer("rank", *PLAIN, "--read", "language-pair=fr-en", "-m", "bleu", *QUICK)
    assert {row["language_pair"] for row in found["ranks"]["rows"]} == {"fr-en"}


def test_rank_is_written_as_csv(small, capsys):
    assert run(["mt", "rank", *PLAIN, "-m", "bleu", *QUICK, "--format", "csv"]) == 0
    best, worst = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (best["system"], best["rank"], best["score"]) == ("good", "1", "1.0")
    # a share of 0.3 ties 2 of 6 segments: 1.8 are needed
    assert (worst["system"], worst["rank"], worst["score"]) == ("bad", "2", str(2 / 6))


def test_rank_prints_only_the_table_that_is_named(directory, answer):
    assert list(answer("rank", directory, "-m", "bleu", *QUICK, "--table", "people")) == ["people"]


def test_rank_goes_to_a_file(small, capsys):
    assert (
        run(["mt", "rank", *PLAIN, "-m", "bleu", *QUICK, "--format", "json", "-o", "r.json"]) == 0
    )
    assert capsys.readouterr().out == ""
    assert "ranks" in json.loads((small / "r.json").read_text("utf-8"))


def test_rank_writes_a_page_with_tables_and_picture(directory, tmp_path, capsys):
    page = tmp_path / "ranks.html"
    assert run(["mt", "rank", directory, "-m", "bleu", *QUICK, "--report", str(page)]) == 0
    written = page.read_text("utf-8")
    assert written.count("<svg") == 1
    assert "Systems ranked by bleu" in written
    assert "beside people" in written
    assert "bleu|13a|case kept" in written


@pytest.mark.parametrize("option", [[], ["-q"]])
def test_rank_tells_of_empty_lines_unless_it_is_quiet(small, capsys, option):
    silent = ["--reference", "ref.txt", "good", "silent"]
    assert run(["mt", "rank", *silent, "-m", "bleu", *QUICK, *option]) == 0
    said = capsys.readouterr().err
    assert said == ("" if option else "note: silent:1: 6 of 6 lines are empty [empty-output]\n")


def test_identical_outputs_share_score_and_rank(small, answer):
    found = by_system(answer("rank", *PLAIN, "twin", "-m", "bleu", *QUICK))
    assert found["good"]["score"] == found["twin"]["score"]
    assert found["good"]["rank"] == found["twin"]["rank"] == 1
    assert found["good"]["cluster"] == found["twin"]["cluster"]
    assert found["good"]["p"] == 1
    assert found["bad"]["rank"] == 3


@pytest.mark.parametrize("method", ["basic", "mean"])
def test_identical_outputs_share_a_rank_by_every_method(small, answer, method):
    found = by_system(answer("rank", *PLAIN, "twin", "-m", "bleu", "--method", method, *QUICK))
    assert found["good"]["score"] == found["twin"]["score"]
    assert [found[name]["rank"] for name in ("good", "twin", "bad")] == [1, 1, 3]


def test_basic_shares_of_identical_outputs_are_halves(small, answer):
    # good and twin are best together on all six segments, and share each
    found = by_system(answer("rank", *PLAIN, "twin", "-m", "bleu", "--method", "basic", *QUICK))
    assert found["twin"]["score"]["value"] == 1 / 2


def test_one_system_alone_has_no_ranking_with_ties(small, refused):
    said = refused("rank", "--reference", "ref.txt", "good", "-m", "bleu", *QUICK)
    assert "no segment has outputs of two systems, so that there are no ties" in said
    assert "hint: score two systems or more on the same segments" in said


def test_one_system_alone_has_no_basic_rank_and_the_reason(small, answer):
    alone = ["--reference", "ref.txt", "good", "-m", "bleu", *QUICK]
    found = answer("rank", *alone, "--method", "basic")["ranks"]
    (row,) = found["rows"]
    assert (row["rank"], row["score"]["value"]) == (None, None)
    assert "good: no other system has an output for any of its segments" in found["notes"]


def test_one_system_alone_is_ranked_by_its_mean(small, answer):
    alone = ["--reference", "ref.txt", "good", "-m", "bleu", *QUICK]
    (row,) = answer("rank", *alone, "--method", "mean")["ranks"]["rows"]
    assert (row["rank"], row["segments"]) == (1, 6)


@pytest.mark.parametrize("metric", ["bleu", "nist", "ter", "lexical"])
def test_rank_by_corpus_is_the_score_of_the_whole_text(small, answer, metric):
    whole = answer("rank", *PLAIN, "-m", metric, "--method", "corpus", *QUICK)
    assert [row["system"] for row in whole["ranks"]["rows"]] == ["good", "bad"]
    assert run(["mt", "score", *PLAIN, "-m", metric, "-o", "scores.tsv", "--report", "s.html"]) == 0
    shown = f"{whole['ranks']['rows'][0]['score']['value']:.4g}"
    assert shown in (small / "s.html").read_text("utf-8")


def test_rank_by_corpus_refuses_a_trained_metric(small, trained, refused):
    name = trained["pair-tradmt"]
    said = refused("rank", *PLAIN, "-m", name, "--method", "corpus")
    assert "metric 'pair-tradmt' has no score of a whole text" in said
    assert "hint: use --method with-ties, basic or mean" in said


@pytest.mark.parametrize(
    "options",
    [
        ["--method", "basic", "--ties", "0.2"],
        ["--method", "mean", "--ties", "epsilon=1"],
        ["--method", "corpus", "--ties", "judges"],
    ],
    ids=lambda options: options[1],
)
def test_ties_go_with_one_method_only(small, refused, options):
    said = refused("rank", *PLAIN, "-m", "bleu", *options, code=2)
    assert "--ties is for --method with-ties" in said


@pytest.mark.parametrize("share", ["-0.1", "1.5", "some", "epsilon=-1", "epsilom=1"])
def test_share_of_ties_is_a_share(small, refused, share):
    assert "--ties" in refused("rank", *PLAIN, "-m", "bleu", f"--ties={share}", code=2)


def test_all_outputs_tie_where_ties_are_asked_for_everywhere(small, answer):
    found = by_system(answer("rank", *PLAIN, "-m", "bleu", "--ties", "1", *QUICK))
    assert [row["score"]["value"] for row in found.values()] == [1, 1]


def test_large_epsilon_ties_all_outputs(small, answer):
    found = answer("rank", *PLAIN, "-m", "bleu", "--ties", "epsilon=100", *QUICK)
    assert {row["rank"] for row in found["ranks"]["rows"]} == {1}
    assert any("ε = 100" in note for note in found["ranks"]["notes"])


def test_ties_of_judges_are_taken_from_their_rankings(directory, answer):
    # 15 of 95 rankings of the shipped set have a tie for first place
    found = answer("rank", directory, "-m", "bleu", "--ties", "judges", *QUICK)
    assert any(f"{15 / 95 * 100:.1f} % were asked for" in note for note in found["ranks"]["notes"])


def test_ties_of_judges_need_judges(small, refused):
    said = refused("rank", *PLAIN, "-m", "bleu", "--ties", "judges")
    assert "there are no rankings to take a share of ties from" in said
    assert "hint: name rankings with --judgments" in said


def test_ties_of_judges_are_those_that_a_metric_learned_from(small, answer):
    options = ["-m", "pair-tradmt", "--ties", "judges", "--draws", "0"]
    notes = answer("rank", *PLAIN, *options)["ranks"]["notes"]
    assert any("25.6 % were asked for" in note for note in notes)


def test_no_draws_give_no_intervals_and_clusters(small, answer):
    found = answer("rank", *PLAIN, "-m", "bleu", "--draws", "0")["ranks"]
    assert {row["cluster"] for row in found["rows"]} == {None}
    assert {row["score"]["low"] for row in found["rows"]} == {None}
    assert any("nothing was drawn" in note for note in found["notes"])


def test_rank_is_the_same_for_the_same_seed(small, answer):
    arguments = ["rank", *PLAIN, "-m", "bleu", "--method", "mean", *QUICK]
    first, again, other = (answer(*arguments, "--seed", seed) for seed in ("3", "3", "4"))
    assert first == again
    assert first["ranks"]["rows"] != other["ranks"]["rows"]
