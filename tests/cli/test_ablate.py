import json

import pytest

from ensue.cli.app import run
from ensue.features import FEATURES, GROUPS, NAMES
from ensue.statistics import mcnemar


@pytest.fixture(autouse=True)
def cache(tmp_path, use_cache):
    use_cache(tmp_path / "cache")


@pytest.fixture
def ablate(examples, capsys):
    def ablated(*options):
        arguments = ["ablate", str(examples), "-s", "strength=0.01", "--workers", "1", "-q"]
        assert run([*arguments, "--format", "json", *options]) == 0
        return json.loads(capsys.readouterr().out)

    return ablated


def test_ablate_shows_every_group(ablate):
    everything, *rows = ablate()["ablation"]["rows"]
    assert (everything["without"], everything["features"]) == ("(nothing)", len(FEATURES))
    assert everything["p"] is None
    assert {row["without"] for row in rows} == {group.name for group in GROUPS}
    assert [row["accuracy"] for row in rows] == sorted(row["accuracy"] for row in rows)


def test_ablate_tests_every_difference(ablate):
    found = ablate()["ablation"]
    everything, *rows = found["rows"]
    for row in rows:
        assert row["difference"] == row["accuracy"] - everything["accuracy"]
        assert row["p"] == mcnemar(row["lost"], row["gained"])
        assert row["p_holm"] >= row["p"]
    assert "15 tests are made" in found["notes"][0]


def test_ablate_shows_weights_by_group_and_all(ablate):
    found = ablate()
    weights = {row["feature"]: row for row in found["weights"]["rows"]}
    assert set(weights) == set(NAMES)
    for row in found["groups"]["rows"]:
        own = [weights[name] for name in NAMES if name.startswith(f"{row['group']}.")]
        assert row["features"] == len(own)
        assert row["sum"] == pytest.approx(sum(abs(each["standardized"]) for each in own))
        assert abs(row["largest_weight"]) == max(abs(each["standardized"]) for each in own)
        assert row["largest_weight"] == weights[row["largest"]]["standardized"]


def test_ablate_prints_one_table(ablate):
    assert list(ablate("--table", "groups")) == ["groups"]


def test_ablate_judges_other_pairs(ablate, tmp_path):
    test = tmp_path / "test.csv"
    rows = ["1,A dog barks at night.,A dog barks.,yes", "2,A dog barks.,A cat sleeps.,no"]
    test.write_text("\n".join(["id,text,hypothesis,gold", *rows, "3,A dog.,A dog.,\n"]))
    found = ablate("--on", str(test))["ablation"]
    assert found["notes"][1].startswith("2 pairs, inverse strength 0.01 throughout")
    assert "folds" not in found["notes"][1]
    assert found["notes"][2].startswith("left out: 1 pairs")


def test_ablate_repeats_itself_by_its_seed(ablate):
    assert ablate("--seed", "1") == ablate("--seed", "1")
    assert "seed 1" in ablate("--seed", "1")["ablation"]["notes"][1]


def test_ablate_uses_the_settings_of_a_trained_recognizer(examples, tmp_path, capsys):
    kept = str(tmp_path / "kept")
    options = ["-s", "strength=0.5", "-o", kept, "-q"]
    assert run(["train", str(examples), "-r", "features", *options]) == 0
    capsys.readouterr()
    assert run(["ablate", str(examples), "-r", kept, "--table", "ablation"]) == 0
    assert "inverse strength 0.5 throughout" in capsys.readouterr().out


def test_ablate_chooses_the_strength_where_none_is_set(examples, capsys):
    assert run(["ablate", str(examples), "--table", "ablation"]) == 0
    shown = capsys.readouterr().out
    assert "cross-validated on pairs" in shown
    assert "the same 10 folds for all (seed 0)" in shown


@pytest.mark.parametrize("name", ["overlap", "always"])
def test_ablate_refuses_recognizers_without_features(examples, capsys, name):
    assert run(["ablate", str(examples), "-r", name]) == 3
    message = capsys.readouterr().err
    assert f"recognizer {name!r} has no groups of features to leave out" in message
    assert "hint: use -r features" in message


def test_ablate_says_that_pairs_are_too_few(tmp_path, capsys):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("id,text,hypothesis,gold\n1,A dog.,A dog.,yes\n2,A dog.,A cat.,no\n")
    assert run(["ablate", str(pairs), "-s", "strength=0.01"]) == 3
    assert "hint: give more pairs, or pairs to judge: --on TEST" in capsys.readouterr().err


def test_ablate_says_that_gold_is_missing(tmp_path, capsys):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("id,text,hypothesis\n1,A dog.,A dog.\n")
    assert run(["ablate", str(pairs), "-s", "strength=0.01", "-q"]) == 3
    assert "none of the 1 pairs has gold" in capsys.readouterr().err


def test_ablate_of_no_file_says_so(tmp_path, capsys):
    assert run(["ablate", str(tmp_path / "nobody.xml"), "-s", "strength=1"]) == 3
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["-", "--on", "-"], ["pairs.xml", "--workers", "none"]])
def test_ablate_used_wrongly_exits_with_two(arguments):
    assert run(["ablate", *arguments]) == 2
