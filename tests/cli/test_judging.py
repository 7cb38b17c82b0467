"""`ensue judge`, `train` and `explain`, as a user calls them."""

import io
import json
import subprocess
import sys

import pytest

import ensue
from ensue.cli.app import run
from ensue.pairs import read_run


def test_judge_writes_a_run_that_reads_back(examples, tmp_path, capsys):
    target = tmp_path / "run.jsonl"
    assert run(["judge", str(examples), "-r", "modified-bleu", "-o", str(target)]) == 0
    found = read_run(target)
    pairs = list(ensue.read_pairs(examples))
    assert [verdict.pair_id for verdict in found.verdicts] == [pair.id for pair in pairs]
    assert found.verdicts == tuple(ensue.load("modified-bleu").judge(pairs))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"judged {len(pairs)} pairs" in captured.err


def test_judge_defaults_to_the_joint_recognizer_on_standard_output(examples, capsysbinary):
    assert run(["judge", str(examples)]) == 0
    header, *lines = capsysbinary.readouterr().out.splitlines()
    assert json.loads(header)["signature"]["recognizer"] == "joint"
    assert len(lines) == len(list(ensue.read_pairs(examples)))


def test_judge_reads_standard_input(examples, tmp_path, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(examples.read_bytes()))
    monkeypatch.setattr("sys.stdin", stdin)
    target = str(tmp_path / "run.jsonl")
    assert run(["judge", "-", "-r", "modified-bleu", "-o", target, "-q"]) == 0
    assert read_run(tmp_path / "run.jsonl").header.data["name"] == "standard-input"


def test_judge_takes_settings(examples, tmp_path):
    target = str(tmp_path / "run.jsonl")
    arguments = ["judge", str(examples), "-r", "modified-bleu", "-o", target]
    assert run([*arguments, "-s", "order=2", "-s", "cutoff=0.5"]) == 0
    signature = read_run(target).header.signature
    assert (signature.settings["order"], signature.cutoff) == (2, 0.5)


def test_judge_writes_the_plain_format(examples, tmp_path):
    target = tmp_path / "run.txt"
    arguments = ["judge", str(examples), "-r", "modified-bleu", "-o", str(target)]
    assert run([*arguments, "--format", "plain"]) == 0
    first = target.read_text().splitlines()[0].split()
    assert first[1] in ("TRUE", "FALSE")
    assert 0 <= float(first[2]) <= 1


def test_judge_writes_a_packed_run(examples, tmp_path):
    target = tmp_path / "run.jsonl.gz"
    assert run(["judge", str(examples), "-r", "modified-bleu", "-o", str(target)]) == 0
    assert target.read_bytes()[:2] == b"\x1f\x8b"
    assert read_run(target).header is not None


def test_judge_tells_what_it_finds(tmp_path, capsys):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"id": "1", "text": "A dog barks.", "hypothesis": ""}\n')
    assert run(["judge", str(pairs), "-o", str(tmp_path / "run.jsonl")]) == 0
    message = capsys.readouterr().err
    assert "pairs.jsonl:1: the hypothesis of pair '1' is empty [empty-hypothesis]" in message
    assert "1 abstained" in message
    assert read_run(tmp_path / "run.jsonl").verdicts[0].reason == "the hypothesis has no words"


@pytest.mark.parametrize(
    "options", [["--resume"], ["--restart"], ["--batch-size", "0"], ["--format", "csv"]]
)
def test_judge_used_wrongly_exits_with_two(examples, options, capsys):
    assert run(["judge", str(examples), *options]) == 2
    assert "Error" in capsys.readouterr().err


def test_judge_ends_quietly_when_nobody_reads_on(examples):
    command = f"{sys.executable} -m ensue.cli judge {examples} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stdout.startswith('{"ensue_run"')
    assert done.stderr == ""


def test_output_that_nobody_reads_exits_with_141(examples):
    command = f"set -o pipefail; {sys.executable} -m ensue.cli judge {examples} | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (141, "")


def test_full_disk_is_an_error_and_no_bug(examples):
    command = f"{sys.executable} -m ensue.cli judge {examples} > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 3
    assert "cannot write 'standard output': No space left on device" in done.stderr


HUB = "".join(
    f'{{"premise": "A dog barks.", "hypothesis": "A dog {word}.", "label": {label}}}\n'
    for word, label in [("barks", 0), ("sleeps", 1), ("is silent", 2)]
)


def test_judge_needs_no_labels_and_says_how_to_map_them(tmp_path, capsys):
    path, target = tmp_path / "hub.jsonl", str(tmp_path / "run.jsonl")
    path.write_text(HUB)
    assert run(["judge", str(path), "-r", "overlap", "-o", target]) == 0
    expected = (
        f"warning: {path}: labels are not understood, and give no gold: '0', '1', '2'; --label hf,"
        " where 0 is entailment, 1 unknown, 2 contradiction [unknown-labels]"
    )
    assert expected in capsys.readouterr().err
    assert len(read_run(target).verdicts) == 3
    assert run(["evaluate", str(path), target]) == 3
    assert "hint: --label hf, where 0 is entailment" in capsys.readouterr().err
    assert run(["evaluate", str(path), target, "--label", "hf", "--format", "json"]) == 0


def test_explain_needs_no_labels(tmp_path, capsys):
    path = tmp_path / "hub.jsonl"
    path.write_text(HUB)
    assert run(["explain", "--pairs", str(path), "--id", "2", "-r", "overlap"]) == 0


@pytest.mark.parametrize(
    ("options", "golds"),
    [
        (["--label", "hf"], [1, 1, 1]),
        (["--label=hf", "--label", "2=none"], [1, 1, 0]),
        (["--read", "label=wnli", "--label", "2=contradiction"], [1, 0, 1]),
    ],
)
def test_labels_are_named_by_preset_or_one_by_one(tmp_path, capsys, options, golds):
    path = tmp_path / "hub.jsonl"
    path.write_text(HUB)
    assert run(["data", "convert", str(path), "-q", *options]) == 0
    found = [json.loads(line)["gold"] for line in capsys.readouterr().out.splitlines()]
    counts = [found.count(name) for name in ("entailment", "unknown", "contradiction")]
    assert counts == golds


def test_preset_that_is_not_there_is_refused(tmp_path, capsys):
    assert run(["data", "show", "x.jsonl", "--label", "snl"]) == 3
    assert "did you mean 'snli'?" in capsys.readouterr().err


def test_judge_writes_no_header_before_it_can_read(tmp_path, capsys):
    assert run(["judge", str(tmp_path / "nobody.xml")]) == 3
    assert capsys.readouterr().out == ""


def test_judge_does_not_overwrite_its_input(tmp_path, capsys):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"id": "1", "text": "A dog barks.", "hypothesis": "A dog barks."}\n')
    before = pairs.read_bytes()
    (tmp_path / "link.jsonl").symlink_to(pairs)
    (tmp_path / "hard.jsonl").hardlink_to(pairs)
    for target in (pairs, tmp_path / "link.jsonl", tmp_path / "hard.jsonl"):
        assert run(["judge", str(pairs), "-o", str(target)]) == 3
        assert "is read by the same command" in capsys.readouterr().err
    assert pairs.read_bytes() == before


def test_train_shows_the_cutoff_and_keeps_the_recognizer(examples, tmp_path, capsys):
    kept = str(tmp_path / "tuned")
    assert run(["train", str(examples), "-r", "modified-bleu", "-o", kept]) == 0
    shown = capsys.readouterr().out
    trained = ensue.load(kept)
    assert f"{trained.cutoff:.6f}" in shown
    assert trained.tuned_on["name"] == "pairs"
    assert run(["judge", str(examples), "-r", kept, "-o", str(tmp_path / "run.jsonl")]) == 0
    assert read_run(tmp_path / "run.jsonl").header.signature == trained.signature


def test_train_shows_all_cutoffs_that_tie(tmp_path, capsys):
    pairs = tmp_path / "pairs.csv"
    # scores 1, 1/2 and 0: cutoffs 0 and 1/2 get two of three right, and so does minus infinity
    pairs.write_text(
        "id,text,hypothesis,gold\n1,a b,a b,yes\n2,a c,a b,no\n3,c d,a b,yes\n", encoding="utf-8"
    )
    assert run(["train", str(pairs), "-r", "overlap", "-o", str(tmp_path / "tuned")]) == 0
    assert "of which the lowest is taken: -inf, 0.5" in capsys.readouterr().out
    assert ensue.load(tmp_path / "tuned").cutoff == float("-inf")


@pytest.mark.parametrize("name", ["always", "random"])
def test_train_refuses_what_has_nothing_to_learn(examples, tmp_path, capsys, name):
    assert run(["train", str(examples), "-r", name, "-o", str(tmp_path / "x")]) == 3
    assert f"recognizer {name!r} has nothing to learn" in capsys.readouterr().err


def test_train_does_not_overwrite_the_recognizer_that_it_reads(examples, tmp_path, capsys):
    kept = str(tmp_path / "tuned")
    assert run(["train", str(examples), "-r", "overlap", "-o", kept]) == 0
    assert run(["train", str(examples), "-r", kept, "-o", kept]) == 3
    assert "is read by the same command" in capsys.readouterr().err


def test_train_refuses_a_cutoff_that_it_would_tune(examples, tmp_path, capsys):
    arguments = ["train", str(examples), "-r", "modified-bleu", "-o", str(tmp_path / "x")]
    assert run([*arguments, "-s", "cutoff=0.5"]) == 3
    assert "training tunes the cutoff" in capsys.readouterr().err


def test_train_counts_the_pairs_that_it_could_score(tmp_path, capsys):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("id,text,hypothesis,gold\n1,a b,a b,yes\n2,a b,c d,no\n3,a b,,no\n")
    assert run(["train", str(pairs), "-r", "overlap", "-o", str(tmp_path / "tuned"), "-q"]) == 0
    tuned_on = ensue.load(tmp_path / "tuned").tuned_on
    assert (tuned_on["pairs"], tuned_on["scored"], tuned_on["right"]) == (3, 2, 2)


def test_explain_shows_matches_and_arithmetic(capsys):
    assert run(["explain", "The cat sat on the mat.", "The cat sat.", "-r", "modified-bleu"]) == 0
    shown = capsys.readouterr().out
    assert "[The cat sat]" in shown
    assert "1-grams matched  4 / 4 = 1.0000" in shown
    assert "0.25·1.0000 + 0.25·0.6667 + 0.25·0.5000 + 0.25·0.0000 = 0.5417" in shown
    assert "verdict: entailment, score 0.5417" in shown


def test_explain_uses_color_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert run(["explain", "The cat sat on the mat.", "The cat sat."]) == 0
    assert "\x1b[" in capsys.readouterr().out


def test_explain_takes_a_pair_from_a_file(examples, capsys):
    pair = next(ensue.read_pairs(examples))
    arguments = ["explain", "--pairs", str(examples), "--id", pair.id, "-r", "overlap"]
    assert run([*arguments, "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["text"], shown["hypothesis"]) == (pair.text, pair.hypothesis)
    assert shown["verdict"]["pair_id"] == pair.id


def test_explain_says_that_there_is_no_such_pair(examples, capsys):
    assert run(["explain", "--pairs", str(examples), "--id", "nobody"]) == 3
    assert "there is no pair with id 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["a"], ["a", "b", "--id", "1"], ["--pairs", "x"]])
def test_explain_used_wrongly_exits_with_two(arguments):
    assert run(["explain", *arguments]) == 2


def test_train_takes_several_files(examples, tmp_path):
    pairs = tmp_path / "more.csv"
    pairs.write_text("id,text,hypothesis,gold\n1,a b,a b,yes\n2,a b,c d,no\n")
    target = str(tmp_path / "tuned")
    assert run(["train", str(examples), str(pairs), "-r", "overlap", "-o", target, "-q"]) == 0
    tuned_on = ensue.load(target).tuned_on
    assert (tuned_on["name"], tuned_on["pairs"]) == ("pairs+more", 58)


def test_validate_trains_on_the_other_folds(examples, tmp_path, capsys):
    target = str(tmp_path / "run.jsonl")
    assert run(["validate", str(examples), "-r", "overlap", "--folds", "5", "-o", target]) == 0
    found = read_run(target)
    assert len(found.verdicts) == 56
    assert found.header.signature.tuned_on["name"] == "pairs, 5 folds"
    assert "judged 56 pairs in 5 folds" in capsys.readouterr().err


def test_validate_writes_the_plain_format(examples, tmp_path):
    target = tmp_path / "run.txt"
    arguments = ["validate", str(examples), "-r", "overlap", "-o", str(target), "-q"]
    assert run([*arguments, "--format", "plain"]) == 0
    assert len(target.read_text().splitlines()) == 56


def test_validate_needs_something_to_learn(examples, capsys):
    assert run(["validate", str(examples), "-r", "always"]) == 3
    assert "nothing to learn" in capsys.readouterr().err
