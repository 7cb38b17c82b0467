"""Kinds of diagnostic sets: known by content, with their phenomena, groups and published figures."""

import json
import shutil

import pytest

from ensue.diagnosis import KINDS, find_sets, published_results
from ensue.pairs import Label, Pair

KIND_OF = {
    "ax-like.tsv": "ax",
    "breaking-nli-like.jsonl": "breaking-nli",
    "conjnli-like.tsv": "conjnli",
    "fracas-like.xml": "fracas",
    "gqnli-like.csv": "gqnli",
    "hans-like.txt": "hans",
    "med-like.tsv": "med",
    "nmonli-like.jsonl": "monli",
    "pmonli-like.jsonl": "monli",
    "sick-like.txt": "sick",
}


def the_set(path):
    (found,) = find_sets([path])
    return found


def phenomena(found):
    return {": ".join(each): len(rows) for each, rows in found.phenomena().items()}


def test_every_shipped_example_is_in_this_table(diagnostic):
    assert {path.name for path in diagnostic.iterdir()} == set(KIND_OF)


@pytest.mark.parametrize("name", KIND_OF)
def test_set_is_known_by_its_content(diagnostic, tmp_path, name):
    """Whatever it is called, and whatever folder it is in."""
    suffix = name.rpartition(".")[2]
    shutil.copy(diagnostic / name, tmp_path / f"x.{suffix}")
    found = the_set(tmp_path)
    assert found.kind.name == KIND_OF[name]
    assert found.n_without_gold == 0


def test_no_kind_takes_what_another_takes(diagnostic):
    names = [each.kind.name for each in find_sets([diagnostic])]
    assert sorted(names) == sorted(set(KIND_OF.values()))


def test_hans_has_two_labels_and_three_facets(diagnostic):
    found = the_set(diagnostic / "hans-like.txt")
    assert {pair.gold for pair in found.pairs} == {Label.ENTAILMENT, Label.NOT_ENTAILMENT}
    assert phenomena(found)["heuristic: subsequence"] == 4
    assert phenomena(found)["heuristic and gold: subsequence, non-entailment"] == 2
    assert phenomena(found)["subcase: ln_subject/object_swap"] == 1
    assert not any(name.endswith("_parse") for pair in found.pairs for name in pair.meta)


def test_hubs_copy_of_hans_has_numbers(tmp_path):
    row = {"premise": "A b saw a c.", "hypothesis": "A c saw a b.", "label": 1}
    row |= {"heuristic": "lexical_overlap", "subcase": "ln_subject/object_swap", "template": "t"}
    (tmp_path / "x.jsonl").write_text(json.dumps(row) + "\n")
    (pair,) = the_set(tmp_path).pairs
    assert (pair.gold, pair.task) == (Label.NOT_ENTAILMENT, "lexical_overlap")


def test_genre_of_med_says_monotonicity_source_and_features(diagnostic):
    found = phenomena(the_set(diagnostic / "med-like.tsv"))
    assert found["monotonicity: downward"] == 5
    assert found["monotonicity: non"] == 1
    assert (found["source: crowd"], found["source: paper"]) == (6, 2)
    assert found["feature: lexical_knowledge"] == 2


def test_ax_has_several_values_in_a_column(diagnostic):
    found = phenomena(the_set(diagnostic / "ax-like.tsv"))
    assert found["Logic: Universal"] == found["Logic: Upward monotone"] == 2
    assert found["category: Logic"] == 4  # two negations, two universals
    assert found["Domain: Artificial"] == 8


def test_digits_of_gqnli_are_entailment_neutral_contradiction(diagnostic):
    found = the_set(diagnostic / "gqnli-like.csv")
    golds = {pair.hypothesis: pair.gold for pair in found.pairs}
    assert golds["At least two students on the platform wear hats."] is Label.ENTAILMENT
    assert golds["Two students on the platform wear red hats."] is Label.UNKNOWN
    assert golds["All students on the platform wear hats."] is Label.CONTRADICTION


def test_tags_of_gqnli_come_from_its_columns_where_there_are_some(tmp_path):
    rows = ["premise,hypothesis,label,quantifier", 'a b,c,0,"all; at least"', "a b,d,2,most"]
    (tmp_path / "x.csv").write_text("\n".join(rows) + "\n")
    assert phenomena(the_set(tmp_path)) == {
        "quantifier: all": 1,
        "quantifier: at least": 1,
        "quantifier: most": 1,
    }


def test_conjunctions_are_counted(diagnostic):
    found = phenomena(the_set(diagnostic / "conjnli-like.tsv"))
    assert found["conjunction: and"] == 4
    assert (found["conjunction: or"], found["conjunction: but"], found["conjunction: nor"]) == (
        1,
        1,
        1,
    )


def test_fracas_is_told_by_section_and_number_of_premises(diagnostic):
    found = phenomena(the_set(diagnostic / "fracas-like.xml"))
    assert found["section: generalized quantifiers"] == 3
    assert found["premises: several"] == 2
    assert found["section and premises: comparatives, several"] == 1


def test_parts_of_sick_in_one_file_are_told_apart(tmp_path):
    columns = "pair_ID sentence_A sentence_B entailment_label relatedness_score SemEval_set"
    rows = ["1 a b NEUTRAL 3.6 TRAIN", "2 a not-b ENTAILMENT 4 TEST", "3 c d NEUTRAL 1 TEST"]
    content = "\n".join([columns, *rows, ""]).replace(" ", "\t").replace("-b", " b")
    (tmp_path / "SICK.txt").write_text(content)
    found = phenomena(the_set(tmp_path))
    assert (found["SemEval_set: TRAIN"], found["SemEval_set: TEST"]) == (1, 2)
    assert (found["negation: some"], found["negation: none"]) == (1, 2)


def test_two_files_of_monli_are_one_set_of_two_parts(diagnostic):
    found = next(each for each in find_sets([diagnostic]) if each.kind.name == "monli")
    assert len(found.files) == 2
    assert phenomena(found) == {"part: NMoNLI": 4, "part: PMoNLI": 4}
    assert len({pair.id for pair in found.pairs}) == 8


def test_part_of_monli_is_seen_in_the_words_where_the_file_does_not_say_it(diagnostic, tmp_path):
    shutil.copy(diagnostic / "nmonli-like.jsonl", tmp_path / "test.jsonl")
    assert phenomena(the_set(tmp_path)) == {"part: NMoNLI": 4}


def test_pair_and_its_reverse_are_a_group(diagnostic):
    found = the_set(diagnostic / "med-like.tsv")
    groups = [pair.meta["group"] for pair in found.pairs]
    assert groups[0] == groups[1] != groups[2]
    assert len(set(groups)) == 5


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_published_figure_has_its_source_and_is_a_share(kind):
    for each in published_results(kind):
        assert 0 <= each.accuracy <= 1
        assert each.view in ("2-way", "3-way", None)
        assert each.source.count(";") >= 2, "the citation; where in it; how it was checked"
        assert each.system
        assert each.on


def test_every_recorded_source_is_of_a_known_kind(root):
    folder = root / "src" / "ensue" / "diagnosis" / "published"
    assert {path.stem for path in folder.glob("*.json")} <= {kind.name for kind in KINDS}


def by_facet(kind, facet, system=None):
    return [
        each
        for each in published_results(kind)
        if (each.phenomenon or ("",))[0] == facet and system in (None, each.system)
    ]


def test_published_parts_of_hans_make_up_the_whole():
    """30 subcases of 1,000 pairs each, in six parts of five."""
    (whole,) = by_facet("hans", "")
    subcases = by_facet("hans", "subcase")
    halves = by_facet("hans", "heuristic and gold")
    assert (len(subcases), len(halves)) == (30, 6)
    assert sum(each.accuracy for each in subcases) / 30 == pytest.approx(whole.accuracy, abs=1e-4)
    assert sum(each.accuracy for each in halves) / 6 == pytest.approx(whole.accuracy, abs=1e-4)


def test_published_sections_of_fracas_make_up_the_whole():
    """129 of 183 problems with one premise are right: 70.49 %."""
    sections = by_facet("fracas", "section and premises")
    right = [round(each.accuracy * each.n_pairs) for each in sections]
    assert (sum(right), sum(each.n_pairs for each in sections)) == (129, 183)
    best = max(each.accuracy for each in by_facet("fracas", "premises"))
    assert best == pytest.approx(129 / 183, abs=1e-4)


@pytest.mark.parametrize(
    "system", ["BERT on MNLI", "BERT on MNLI and HELP", "ESIM on SNLI", "NeuralLog"]
)
def test_published_parts_of_med_leave_a_share_for_the_rest(system):
    """1,820 upward, 3,270 downward, 292 of neither: the last share is what is left."""
    (whole,) = by_facet("med", "", system)
    shares = {each.phenomenon[1]: each.accuracy for each in by_facet("med", "monotonicity", system)}
    rest = 5382 * whole.accuracy - 1820 * shares["upward"] - 3270 * shares["downward"]
    assert -0.02 < rest / 292 < 1.02  # each is rounded to a tenth of a percent


def test_pair_of_a_set_keeps_what_its_file_says(diagnostic):
    pair = the_set(diagnostic / "breaking-nli-like.jsonl").pairs[0]
    assert isinstance(pair, Pair)
    assert pair.meta["annotator_labels"] == ["contradiction"] * 3
    assert pair.task == "colors"
