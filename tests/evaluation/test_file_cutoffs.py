"""Cutoffs of gold and runs by their names, whatever their number."""

from __future__ import annotations

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import UndefinedError
from ensue.evaluation import cutoffs_by_task, line_up, source_cutoffs
from ensue.pairs import load_pairs, read_run, write_pairs


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


@pytest.mark.usefixtures("many")
def test_cutoffs_of_files_are_those_of_held_pairs(sources):
    gold, run = sources
    judged = line_up(load_pairs(gold), [read_run(run)]).judged[0]
    expected = cutoffs_by_task(judged, tasks=True)
    found, _ = source_cutoffs(*sources, tasks=True)
    assert found.name == expected.name
    assert same_curve(found.whole, expected.whole)
    assert list(found.tasks) == list(expected.tasks) == ["IE", "QA"]
    assert all(same_curve(found.tasks[task], expected.tasks[task]) for task in expected.tasks)


@pytest.mark.usefixtures("many")
def test_cutoffs_of_missing_pairs_are_told(make_pairs, make_run, write_folder, tmp_path):
    write_pairs(tmp_path / "gold.jsonl", make_pairs("YNY"))
    run = write_folder(tmp_path / "run", make_run("Y.Y", score=[0.1, None, 0.3]))
    _, (finding,) = source_cutoffs(tmp_path / "gold.jsonl", run)
    assert (finding.code, finding.pair_ids) == ("not-judged", ("1",))


@pytest.mark.usefixtures("many")
def test_cutoffs_of_a_run_without_scores_are_undefined(
    make_pairs, make_run, write_folder, tmp_path
):
    write_pairs(tmp_path / "gold.jsonl", make_pairs("YN"))
    run = write_folder(tmp_path / "run", make_run("YN"))
    with pytest.raises(UndefinedError, check=coded("run-no-scores-no")):
        source_cutoffs(tmp_path / "gold.jsonl", run)
