"""`ensue paraphrase validate`, as a user calls it."""

import json

import pytest

from ensue.cli.app import run
from ensue.cli.paraphrase import COMBINATIONS, GRADES
from ensue.paraphrase.formats.instances import read_instances
from ensue.paraphrase.quality.entailment import Combination, Grade
from ensue.paraphrase.quality.validation import automatic_agreement
from ensue.statistics.resampling import Resampling

QUICK = ["--draws", "20"]
OVERLAP = ["-r", "overlap"]


@pytest.fixture
def answer(answering):
    """Validate; give what is said as JSON."""
    return answering("validate", *QUICK)


@pytest.fixture
def refused(refusing):
    """Run a command that has to fail; give the message."""
    return refusing("validate")


def test_choices_are_those_of_the_library():
    assert set(GRADES) == {each.value for each in Grade}
    assert set(COMBINATIONS) == {each.value for each in Combination}


def test_validation_is_that_of_the_library(folder, answer):
    found = answer("instances.csv", *OVERLAP, "--seed", "1")
    judged = read_instances("instances.csv")
    expected = automatic_agreement(
        judged, "overlap", resampling=Resampling(draws=20, seed=1)
    ).figures
    (row,) = found["automatic"]["rows"]
    assert row["area"]["value"] == pytest.approx(expected.area.value)
    assert row["brier"]["value"] == pytest.approx(expected.brier.value)
    assert (row["area"]["low"], row["area"]["high"]) == (expected.area.low, expected.area.high)


def test_validation_uses_the_half_that_nothing_was_chosen_on(folder, answer):
    found = answer("instances.csv", *OVERLAP)
    (row,) = found["automatic"]["rows"]
    assert row["chosen"] is True
    assert 0 < row["n"] < 30
    taken = [each for each in found["trials"]["rows"] if each["taken"]]
    assert [(each["grade"], each["combination"]) for each in taken] == [
        (row["grade"], row["combination"])
    ]
    assert len(found["trials"]["rows"]) == len(GRADES) * len(COMBINATIONS)
    assert min(each["brier"] for each in found["trials"]["rows"]) == taken[0]["brier"]


def test_grade_and_combination_may_be_given(folder, answer):
    options = ["--grade", "hard", "--combine", "forward"]
    found = answer("instances.csv", *OVERLAP, *options)
    (row,) = found["automatic"]["rows"]
    assert (row["grade"], row["combination"], row["chosen"]) == ("hard", "forward", False)


def test_recognizers_stand_beside_each_other_once(folder, answer):
    recognizers = [*OVERLAP, "-r", "modified-bleu", *OVERLAP]
    rows = answer("instances.csv", *recognizers)["automatic"]["rows"]
    assert [row["recognizer"] for row in rows] == ["overlap", "modified-bleu"]
    assert len({row["n"] for row in rows}) == 1


def test_own_columns_are_read_as_well(folder, answer):
    words = ["murdered", "slain", "sang", "shot", "fed", "hit"]
    records = [
        {
            "term": "killed",
            "paraphrase": word,
            "text": f"He killed the {name}.",
            "hypothesis": f"He {word} the {name}.",
            "judgment": "yes" if i % 2 else "no",
        }
        for i, word in enumerate(words)
        for name in ("wolf", "fox")
    ]
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    (folder / "own.jsonl").write_text(lines, encoding="utf-8")
    (row,) = answer("own.jsonl", *OVERLAP)["automatic"]["rows"]
    assert row["n"] < len(records)
    assert row["share_right"] is not None


def test_validation_prints_tables_for_people(folder, capsys):
    assert run(["paraphrase", "validate", "instances.csv", *OVERLAP, *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "overlap" in shown
    assert "on the half of the rules that nothing was chosen on" in shown


def test_validation_draws_and_writes_a_page(folder, capsys):
    options = ["--plot", "bins.svg", "--report", "quality.html", "-o", "quality.txt"]
    assert run(["paraphrase", "validate", "instances.csv", *OVERLAP, *QUICK, *options]) == 0
    assert capsys.readouterr().out == ""
    assert (folder / "bins.svg").read_text("utf-8").startswith("<svg")
    assert "overlap" in (folder / "quality.html").read_text("utf-8")
    assert "overlap" in (folder / "quality.txt").read_text("utf-8")


def test_instances_that_are_none_are_refused(folder, refused):
    said = refused("lists.tsv", *OVERLAP)
    assert "lists.tsv:1:" in said
    assert "hint: " in said


def test_broken_judgment_is_refused_with_its_place(folder, refused):
    text = (folder / "instances.csv").read_text("utf-8").replace("Yes,0.78", "Perhaps,0.78")
    (folder / "broken.csv").write_text(text, encoding="utf-8")
    said = refused("broken.csv", *OVERLAP)
    assert "broken.csv:6:" in said
    assert "'Perhaps'" in said


def test_too_few_instances_are_refused_and_not_a_number(folder, refused):
    lines = (folder / "instances.csv").read_text("utf-8").splitlines()[:2]
    (folder / "one.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = refused("one.csv", *OVERLAP)
    assert said.startswith("error: ")
    assert "nan" not in said.lower()


def test_recognizer_that_does_not_exist_is_refused(folder, refused):
    assert "no recognizer is called 'nobody'" in refused("instances.csv", "-r", "nobody")


def test_validation_keeps_the_instances(folder, refused):
    before = (folder / "instances.csv").read_bytes()
    said = refused("instances.csv", *OVERLAP, "-o", "instances.csv")
    assert "'instances.csv' is read by the same command" in said
    assert (folder / "instances.csv").read_bytes() == before
