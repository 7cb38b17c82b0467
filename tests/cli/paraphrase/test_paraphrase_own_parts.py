"""Parts of one's own: pairs in other layouts, qualities and diversities by entry points."""

import io
import json
import sys

import pytest

from ensue import registry
from ensue.cli.app import run

NUGGETS = """response\tnugget\tjudgment
The editor was killed by two men on Friday.\tThe editor was murdered.\tvital
The bus reached the border after midnight.\tThe bus arrived at the border.\tokay
The troops returned to base.\tThe troops fled.\twrong
"""
MODULE = """
import numpy as np
from ensue.paraphrase.lists import DiversityKind, QualityKind


def lengths(argument, *_):
    return lambda lists: np.array([len(each) / 100 for each in lists.paraphrases])


def constant(argument):
    return lambda lists, words: np.full(lists.n_patterns, float(argument))


LENGTH = QualityKind("length", "characters over 100", lengths)
CONSTANT = DiversityKind("constant", "the same for all", constant, largest=4.0)
"""
POINTS = """[ensue.qualities]
length = own_parts:LENGTH

[ensue.diversities]
constant = own_parts:CONSTANT
"""


@pytest.fixture
def own_package(folder, monkeypatch):
    """A package with a quality and a diversity, found as an installed one is."""
    (folder / "own_parts.py").write_text(MODULE)
    described = folder / "own_parts-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: own-parts\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(folder))
    registry._points.cache_clear()
    yield
    registry._points.cache_clear()
    sys.modules.pop("own_parts", None)


def test_quality_and_diversity_of_another_package_are_used(own_package, folder, capsys):
    (folder / "own.tsv").write_text("term\tparaphrase\nkilled\tmurdered\nkilled\tslain\n")
    parts = ["--quality", "length", "-s", "diversity=constant:2"]
    asked = ["own.tsv", *parts, "-k", "2", "--draws", "0", "--format", "json", "-q"]
    assert run(["paraphrase", "score", *asked]) == 0
    (row,) = json.loads(capsys.readouterr().out)["lists"]["rows"]
    # "murdered" has 8 characters and "slain" 5; the largest D is 4, so that Z = 2 · (2^4 − 1)
    assert row["ep_2"]["value"] == pytest.approx((0.08 + 0.05) / 2)
    gains = (2 ** (0.08 * 2) - 1) + (2 ** (0.05 * 2) - 1)
    assert row["dimple_2"]["value"] == pytest.approx(gains / (2 * 15))


def test_responses_and_nuggets_are_a_task(folder, capsys):
    (folder / "nuggets.tsv").write_text(NUGGETS)
    layout = ["--read", "text=response", "--read", "hypothesis=nugget"]
    layout += ["--read", "gold=judgment"]
    for name, label in (
        ("vital", "entailment"),
        ("okay", "entailment"),
        ("wrong", "not-entailment"),
    ):
        layout += ["--read", f"label:{name}={label}"]
    asked = ["lists.tsv", "-t", "cqae=nuggets.tsv", *layout, "--draws", "0", "--format", "json"]
    assert run(["paraphrase", "recognize", *asked]) == 0
    rows = json.loads(capsys.readouterr().out)["performance"]["rows"]
    found = {(row["term"], row["method"]): row["performance"]["value"] for row in rows}
    assert found["killed", "ngrams"] == 1.0  # "murdered"
    assert found["killed", "pivot"] == 0.0
    assert found["reached", "ngrams"] == 1.0  # "arrived at"


def test_standard_input_is_for_one_method_only(folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"A man was killed.\n")))
    both = ["--method", "ngrams", "--method", "noun-phrases"]
    assert run(["paraphrase", "learn", "-", "--terms", "killed", *both]) == 2
    assert "standard input can be read by one --method only" in capsys.readouterr().err


def test_unjudged_candidates_can_be_reranked_as_wrong(folder, capsys):
    content = "term\tparaphrase\tann.strict\nkilled\tfed\t\nkilled\tslain\tyes\nkilled\tshot\tyes\n"
    (folder / "own.tsv").write_text(content)
    assert run(["paraphrase", "score", "own.tsv", "--rerank"]) == 3
    assert "'killed' → 'fed'" in capsys.readouterr().err
    assert (
        run(["paraphrase", "score", "own.tsv", "--rerank", "-s", "unjudged=wrong", "-k", "2"]) == 0
    )
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split("\t")[3] for line in lines] == ["slain", "shot", "fed"]
