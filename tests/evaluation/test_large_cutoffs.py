"""Cutoffs of gold and runs by their names, held and streamed."""

from __future__ import annotations

import numpy as np
import pytest

from ensue.errors import UndefinedError
from ensue.evaluation import source_cutoffs
from ensue.evaluation.large.sources import MemoryLimits
from ensue.pairs import write_pairs

HELD = MemoryLimits(pairs=10**9)
STREAMED = MemoryLimits(pairs=0, partition=7, buffer=11)


@pytest.fixture
def sources(make_pairs, make_run, write_folder, tmp_path):
    rng = np.random.default_rng(6)
    gold = "".join(rng.choice(list("YN?"), 60))
    scores = [None if i % 7 == 0 else float(round(x, 2)) for i, x in enumerate(rng.random(60))]
    tasks = ["unscored" if score is None else ["QA", "IE"][i % 2] for i, score in enumerate(scores)]
    write_pairs(tmp_path / "gold.parquet", make_pairs(gold, tasks))
    run = make_run("".join(rng.choice(list("YN-"), 60)), score=scores)
    return tmp_path / "gold.parquet", write_folder(tmp_path / "run", run, shard_size=13)


def same_curve(one, other):
    names = ("cutoffs", "right_yes", "right_no", "n_yes", "n_no")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_streamed_cutoffs_are_those_of_held_pairs(sources):
    (held, _), (streamed, _) = (
        source_cutoffs(*sources, tasks=True, limits=limits) for limits in (HELD, STREAMED)
    )
    assert streamed.name == held.name
    assert same_curve(streamed.whole, held.whole)
    assert list(streamed.tasks) == list(held.tasks) == ["IE", "QA"]
    assert all(same_curve(streamed.tasks[task], held.tasks[task]) for task in held.tasks)


def test_streamed_cutoffs_of_tasks_know_what_is_chosen_on_all(sources):
    (held, _), (streamed, _) = (
        source_cutoffs(*sources, tasks=True, precision=0.5, limits=limits)
        for limits in (HELD, STREAMED)
    )
    tuned = streamed.whole.tuned
    assert streamed.tasks["QA"].at(tuned) == held.tasks["QA"].at(tuned)


def test_cutoffs_that_are_asked_for_are_known(sources):
    found, _ = source_cutoffs(*sources, asked=[0.123], limits=STREAMED)
    expected, _ = source_cutoffs(*sources, limits=HELD)
    assert found.whole.at(0.123) == expected.whole.at(0.123)


@pytest.mark.parametrize("limits", [HELD, STREAMED])
def test_cutoffs_of_missing_pairs_are_told(make_pairs, make_run, write_folder, tmp_path, limits):
    write_pairs(tmp_path / "gold.jsonl", make_pairs("YNY"))
    run = write_folder(tmp_path / "run", make_run("Y.Y", score=[0.1, None, 0.3]))
    _, (finding,) = source_cutoffs(tmp_path / "gold.jsonl", run, limits=limits)
    assert (finding.code, finding.pair_ids) == ("not-judged", ("1",))


@pytest.mark.parametrize("limits", [HELD, STREAMED])
def test_cutoffs_of_a_run_without_scores_are_undefined(
    make_pairs, make_run, write_folder, tmp_path, limits
):
    write_pairs(tmp_path / "gold.jsonl", make_pairs("YN"))
    run = write_folder(tmp_path / "run", make_run("YN"))
    with pytest.raises(UndefinedError, match="the run has no scores"):
        source_cutoffs(tmp_path / "gold.jsonl", run, limits=limits)
