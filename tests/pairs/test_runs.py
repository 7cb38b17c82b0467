"""Runs on disk: our format, the challenge's, and what is refused."""

from __future__ import annotations

import pytest

from ensue.errors import RunError
from ensue.pairs import (
    Label,
    Pair,
    RunHeader,
    Signature,
    Status,
    Verdict,
    View,
    pairs_hash,
    read_run,
    write_plain_run,
    write_run,
)

E, N = Label.ENTAILMENT, Label.NOT_ENTAILMENT
VERDICTS = (
    Verdict("1", E, 0.8, 0.5),
    Verdict("2", N, 0.1, None),
    Verdict("3", None, None, None, Status.FAILED, "no parse"),
)
HEADER = RunHeader(
    Signature("bleu", "0.1.0", {"order": 4}, View.TWO_WAY, float("-inf"), (0.0, 1.0)),
    {"name": "x", "n_pairs": 3},
    "2005-04-11T10:00:00+00:00",
    {"seconds": 1.5},
)


@pytest.mark.parametrize("name", ["run.jsonl", "run.jsonl.gz"])
def test_run_is_read_back(tmp_path, name):
    write_run(tmp_path / name, HEADER, VERDICTS)
    run = read_run(tmp_path / name)
    assert (run.header, run.verdicts, run.lines) == (HEADER, VERDICTS, (2, 3, 4))


def test_plain_run_is_read_back_without_the_undecided(tmp_path):
    write_plain_run(tmp_path / "run.txt", VERDICTS)
    assert (tmp_path / "run.txt").read_text() == "1 TRUE 0.5\n2 FALSE\n"
    run = read_run(tmp_path / "run.txt")
    assert [(v.pair_id, v.label, v.confidence) for v in run.verdicts] == [
        ("1", E, 0.5),
        ("2", N, None),
    ]


def test_plain_run_in_utf_16_is_read(written):
    run = read_run(written("run.txt", "1 YES\n2 NO\n".encode("utf-16")))
    assert [verdict.label for verdict in run.verdicts] == [E, N]


def test_ranked_run_keeps_its_order_as_scores(written):
    run = read_run(written("run.txt", "ranked: yes\n1 YES\n2 NO\n"))
    assert run.ranked
    assert [verdict.score for verdict in run.verdicts] == [2 / 2, 1 / 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the run is empty"),
        ("1 TRUE 1.7\n", r":1: confidence '1.7' of pair '1' is not a number in \[0, 1\]"),
        ("1 TRUE x\n", r":1: confidence 'x' of pair '1'"),
        ("1 TRUE 0.5 more\n", r":1: 4 fields where 2 or 3 are due"),
        ("1 TRUE\n2 PERHAPS\n", r":2: unknown label 'PERHAPS'"),
        ("ranked: maybe\n", r":1: 'ranked:' takes yes or no, not 'maybe'"),
        ("1 TRUE\n2 TRUE\n1 FALSE\n", r":3: pair '1' is judged a second time; .*:1"),
        ('{"label": "entailment"}\n', r":1: a verdict needs a 'pair_id'"),
        (
            '{"pair_id": "1", "label": "yes"}\n',
            r":1: verdict on '1': unknown label 'yes'; known are",
        ),
        ('{"pair_id": "1", "label": "entailment", "confidence": 1.7}\n', r":1: .*1.7 is not in"),
        ('{"pair_id": "1", "label": "entailment", "score": "x"}\n', r":1: .*'x' is not a number"),
        ('{"ensue_run": 99}\n', r":1: run format 99 is not known here"),
        ('{"ensue_run": 1}\n', r":1: broken header"),
        ('{"pair_id": "1"\n', r":1: not JSON"),
    ],
)
def test_broken_run_is_refused_with_its_place(written, content, message):
    with pytest.raises(RunError, match=message):
        read_run(written("run", content))


def test_run_labels_option_maps_other_names(written):
    run = read_run(written("run.txt", "1 OUI\n"), labels={"oui": E})
    assert run.verdicts[0].label is E


def test_pairs_hash_sees_content_and_order_but_not_gold():
    one, other = Pair("1", "a", "b"), Pair("2", "c", "d")
    assert pairs_hash([one]) == pairs_hash([Pair("1", "a", "b", E, "QA")])
    assert len({pairs_hash([one, other]), pairs_hash([other, one]), pairs_hash([one])}) == 3


def test_signature_reads_as_a_recipe():
    signature = Signature("bleu", "0.1.0", {"order": 4, "lower": True}, cutoff=0.25)
    assert str(signature) == "bleu|order:4|lower:yes|cutoff:0.25|version:0.1.0"
