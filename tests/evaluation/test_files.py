"""What is read from files gives what pairs and runs in memory give, whatever their number."""

from __future__ import annotations

import random
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tests.errors import coded

from ensue.errors import DataError, LabelError, RunError, SettingError
from ensue.evaluation import (
    evaluate,
    evaluate_sources,
    group_scores,
    reliability,
    risk_coverage,
    run_cutoffs,
)
from ensue.pairs import (
    Label,
    Pair,
    Run,
    RunHeader,
    Signature,
    Status,
    Verdict,
    View,
    read_run,
    write_pairs,
    write_run,
)
from ensue.statistics.resampling import Resampling

SAME = {"rel": 1e-12, "abs": 1e-12}
LABELS = {
    View.TWO_WAY: (Label.ENTAILMENT, Label.NOT_ENTAILMENT),
    View.THREE_WAY: (Label.ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN),
}
HEADER = RunHeader(Signature("overlap", "0.1.0"))
UNDECIDED = [status for status in Status if status is not Status.DECIDED]


@st.composite
def numbers(draw, n):
    """Confidences or scores: all, some or none there, with ties."""
    some = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
    kind = draw(st.sampled_from(["all", "some", "none"]))
    if kind == "none":
        return [None] * n
    one = some if kind == "all" else some | st.none()
    return draw(st.lists(one, min_size=n, max_size=n))


@st.composite
def runs_on(draw, pairs, view):
    """A run: answers and none, missing pairs, in the order of the pairs or another."""
    n = len(pairs)
    answers = st.sampled_from([*LABELS[view], *LABELS[view], *UNDECIDED, None])
    is_whole = draw(st.booleans())
    decided = st.sampled_from(LABELS[view])
    said = draw(st.lists(decided if is_whole else answers, min_size=n, max_size=n))
    confidence, score = draw(numbers(n)), draw(numbers(n))
    verdicts = [
        Verdict(pair.id, one, score[i], confidence[i])
        if isinstance(one, Label)
        else Verdict(pair.id, None, score[i], None, one)
        for i, (pair, one) in enumerate(zip(pairs, said, strict=True))
        if one is not None
    ]
    if draw(st.booleans()):
        random.Random(n).shuffle(verdicts)
    return Run("run", tuple(verdicts))


@st.composite
def evaluations(draw):
    """Gold and runs on it."""
    golds = draw(st.sampled_from([View.TWO_WAY, View.THREE_WAY]))
    labels = st.sampled_from([*LABELS[golds], *LABELS[golds], None])
    rows = draw(
        st.lists(
            st.tuples(labels, st.sampled_from(["QA", "IE", None])), min_size=1, max_size=25
        ).filter(lambda rows: any(label for label, _ in rows))
    )
    pairs = [Pair(f"p{i}", "a text", "a text", *row) for i, row in enumerate(rows)]
    views = draw(st.lists(st.sampled_from(list(LABELS)), min_size=1, max_size=3))
    return pairs, [draw(runs_on(pairs, view)) for view in views]


def in_files(folder, pairs, runs, write_folder, *, parquet=True):
    gold = folder / ("gold.parquet" if parquet else "gold.jsonl")
    write_pairs(gold, pairs)
    sources = []
    for i, run in enumerate(runs):
        name = f"run-{i}"
        if run.ranked:
            lines = [
                f"{v.pair_id} {'YES' if v.label == 'entailment' else 'NO'}" for v in run.verdicts
            ]
            (folder / name).write_text("\n".join(["ranked: yes", *lines]) + "\n")
            sources.append(folder / name)
        elif parquet and run.verdicts:
            sources.append(write_folder(folder / name, run))
        else:
            write_run(folder / name, HEADER, run.verdicts)
            sources.append(folder / name)
    return gold, sources


def both_ways(pairs, runs, write_folder, few_are_many, *, parquet=True, **settings):
    """Evaluate what is held, and the same from files as if they were too many pairs to compare."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        gold, sources = in_files(Path(name), pairs, runs, write_folder, parquet=parquet)
        held = evaluate(pairs, [read_run(source) for source in sources], **settings)
        few_are_many(patch)
        return held, evaluate_sources(gold, sources, **settings)


def assert_same_estimate(held, streamed):
    assert streamed.reason == held.reason
    assert (streamed.value is None) == (held.value is None)
    if held.value is not None:
        assert streamed.value == pytest.approx(held.value, **SAME)


def assert_same_scores(held, streamed):
    assert streamed.counts == held.counts
    assert streamed.confusion == held.confusion
    assert streamed.measures.keys() == held.measures.keys()
    for name, estimate in held.measures.items():
        assert_same_estimate(estimate, streamed.measures[name])
    assert_same_estimate(held.macro_f, streamed.macro_f)
    for ours, theirs in zip(held.labels, streamed.labels, strict=True):
        assert (ours.n_gold, ours.n_answered, ours.n_right) == (
            theirs.n_gold,
            theirs.n_answered,
            theirs.n_right,
        )
        for name in ("precision", "recall", "f"):
            assert_same_estimate(getattr(ours, name), getattr(theirs, name))
    assert streamed.chance[0] == held.chance[0]
    if held.prior is not None:
        for name in ("accuracy", "precision", "recall", "f"):
            assert_same_estimate(getattr(held.prior, name), getattr(streamed.prior, name))


def assert_same_comparisons(held, streamed):
    for ours, theirs in zip(held.comparisons, streamed.comparisons, strict=True):
        for name in ("first", "second", "n", "only_first", "only_second", "p", "p_holm", "differs"):
            assert getattr(ours, name) == getattr(theirs, name), name
        for name, difference in ours.differences.items():
            assert_same_estimate(difference, theirs.differences[name])
    assert streamed.clusters == held.clusters


def assert_same_curves(held, streamed):
    judged, summarized = held.judged, streamed.judged
    if held.scores.measures["cws"].value is not None:
        ours, theirs = risk_coverage(judged), risk_coverage(summarized)
        for name in ("coverage", "risk", "confidence", "area"):
            assert getattr(theirs, name) == pytest.approx(getattr(ours, name), **SAME)
        for floor in (0.0, judged.view.chance):
            ours, theirs = (reliability(each, floor=floor) for each in (judged, summarized))
            assert (theirs.n, theirs.floor) == (ours.n, ours.floor)
            assert theirs.error == pytest.approx(ours.error, **SAME)
            for one, other in zip(ours.bins, theirs.bins, strict=True):
                assert (other.low, other.high, other.n) == (one.low, one.high, one.n)
                if one.n:
                    assert other.accuracy == pytest.approx(one.accuracy, **SAME)
                    assert other.confidence == pytest.approx(one.confidence, **SAME)
    if not np.isnan(judged.score).all():
        ours, theirs = run_cutoffs(judged), run_cutoffs(summarized)
        for name in ("cutoffs", "right_yes", "right_no", "n_yes", "n_no", "tuned"):
            assert np.array_equal(getattr(theirs, name), getattr(ours, name)), name


def assert_same(held, streamed):
    for name in ("view", "n_pairs", "n_without_gold", "findings"):
        assert getattr(streamed, name) == getattr(held, name), name
    for ours, theirs in zip(held.runs, streamed.runs, strict=True):
        for name in ("name", "signature", "given"):
            assert getattr(ours, name) == getattr(theirs, name)
        assert_same_scores(ours.scores, theirs.scores)
        assert list(ours.by_task) == list(theirs.by_task)
        for task, scores in ours.by_task.items():
            assert_same_scores(scores, theirs.by_task[task])
        assert_same_curves(ours, theirs)
    assert_same_comparisons(held, streamed)


@given(evaluations())
@settings(max_examples=40)
def test_evaluation_of_columns_is_that_of_held_pairs(write_folder, few_are_many, data):
    assert_same(
        *both_ways(
            *data,
            write_folder,
            few_are_many,
            by_task=True,
            resampling=Resampling(draws=0),
            prior=0.2,
        )
    )


@given(evaluations())
@settings(max_examples=30)
def test_evaluation_of_lines_is_that_of_held_pairs(write_folder, few_are_many, data):
    assert_same(
        *both_ways(
            *data,
            write_folder,
            few_are_many,
            parquet=False,
            by_task=True,
            resampling=Resampling(draws=0),
        )
    )


@given(evaluations())
@settings(max_examples=30)
def test_evaluation_in_two_labels_is_that_of_held_pairs(write_folder, few_are_many, data):
    assert_same(
        *both_ways(
            *data, write_folder, few_are_many, resampling=Resampling(draws=0), view=View.TWO_WAY
        )
    )


@given(st.permutations(range(12)), st.lists(st.booleans(), min_size=12, max_size=12))
@settings(max_examples=20)
def test_evaluation_of_ranked_runs_is_that_of_held_pairs(write_folder, few_are_many, order, said):
    labels = LABELS[View.TWO_WAY]
    pairs = [Pair(str(i), "a text", "a text", labels[i % 2]) for i in range(12)]
    verdicts = tuple(Verdict(str(i), labels[said[i]]) for i in order)
    assert_same(
        *both_ways(
            pairs,
            [Run("run", verdicts, ranked=True)],
            write_folder,
            few_are_many,
            resampling=Resampling(draws=0),
        )
    )


def test_numbers_are_those_worked_by_hand(make_pairs, make_run, write_folder, few_are_many):
    run = make_run("YYNN", [0.9, 0.8, 0.8, 0.1])
    _, streamed = both_ways(
        make_pairs("YNNY"), [run], write_folder, few_are_many, resampling=Resampling(draws=0)
    )
    measures = streamed.runs[0].scores.measures
    assert measures["accuracy"].value == 2 / 4
    # by confidence: right, then one right of two that tie, then wrong
    expected = (1 + (1 + 1 / 2) / 2 + 2 / 3 + 2 / 4) / 4
    assert measures["cws"].value == pytest.approx(expected, **SAME)
    # by entailment: yes at 0.9, no at 0.8, yes at -0.1, no at -0.8
    assert measures["average-precision"].value == pytest.approx((1 + 2 / 3) / 2, **SAME)


def test_average_precision_is_that_of_scikit_learn(
    make_pairs, make_run, write_folder, few_are_many
):
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(0)
    gold, confidence = rng.random(200) < 0.4, rng.random(200)
    run = make_run("Y" * 200, confidence.tolist())
    letters = "".join("Y" if yes else "N" for yes in gold)
    _, streamed = both_ways(
        make_pairs(letters), [run], write_folder, few_are_many, resampling=Resampling(draws=0)
    )
    found = streamed.runs[0].scores.measures["average-precision"].value
    assert found == pytest.approx(average_precision_score(gold, confidence))


def test_cws_is_tested_by_its_normal_approximation(
    make_pairs, make_run, write_folder, few_are_many
):
    rng = np.random.default_rng(2)
    gold = "".join(rng.choice(list("YN"), 400))
    answers = "".join(g if rng.random() < 0.54 else "N" for g in gold)
    run = make_run(answers, np.round(rng.random(400), 2).tolist())
    held, streamed = both_ways(
        make_pairs(gold), [run], write_folder, few_are_many, resampling=Resampling(draws=4000)
    )
    simulated, normal = (each.runs[0].scores.chance[1] for each in (held, streamed))
    assert (simulated.method, normal.method) == ("simulation", "normal approximation")
    assert normal.p == pytest.approx(simulated.p, abs=0.02)


def test_runs_of_one_name_are_told_apart(make_pairs, make_run, write_folder, tmp_path):
    gold = tmp_path / "gold.jsonl"
    write_pairs(gold, make_pairs("YN"))
    folder = write_folder(tmp_path / "run", make_run("YN"))
    found = evaluate_sources(gold, [folder, folder], resampling=Resampling(draws=0))
    assert [run.name for run in found.runs] == [f"{folder} (1)", f"{folder} (2)"]


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("parquet", [True, False])
@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("YNYY", r"pair '3' is not in the gold"),
        ("...YYY", r"a run for other data: 3 of its 3 pair ids are not in the gold, the first is"),
    ],
)
def test_pairs_that_the_gold_lacks_are_an_error(
    make_pairs, make_run, write_folder, tmp_path, parquet, answers, message
):
    gold, runs = in_files(
        tmp_path, make_pairs("YNY"), [make_run(answers)], write_folder, parquet=parquet
    )
    with pytest.raises(RunError, match=message):
        evaluate_sources(gold, runs, resampling=Resampling(draws=0))


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("parquet", [True, False])
def test_pair_that_is_judged_twice_is_an_error(
    make_pairs, make_run, write_folder, tmp_path, parquet
):
    run = make_run("YNY")
    doubled = replace(run, verdicts=(*run.verdicts, run.verdicts[1]))
    gold, runs = in_files(tmp_path, make_pairs("YNYY"), [doubled], write_folder, parquet=parquet)
    with pytest.raises(RunError, match="pair '1' is judged a second time; the first is at"):
        evaluate_sources(gold, runs, resampling=Resampling(draws=0))


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("parquet", [True, False])
def test_gold_pairs_with_one_id_are_an_error(make_pairs, make_run, write_folder, tmp_path, parquet):
    pairs = make_pairs("YNYN")
    pairs[3] = replace(pairs[3], id="1")
    run = make_run("YNYN")
    alike = replace(run, verdicts=(*run.verdicts[:3], replace(run.verdicts[3], pair_id="1")))
    gold, runs = in_files(tmp_path, pairs, [alike], write_folder, parquet=parquet)
    with pytest.raises((DataError, RunError)) as raised:
        evaluate_sources(gold, runs, resampling=Resampling(draws=0))
    assert raised.value.message == f"two pairs have the id '1'; the first is at {gold}:2"
    assert raised.value.place == f"{gold}:4"


@pytest.mark.usefixtures("many")
def test_gold_without_labels_is_an_error(make_pairs, make_run, write_folder, tmp_path):
    gold, runs = in_files(tmp_path, make_pairs("??"), [make_run("YN")], write_folder)
    with pytest.raises(DataError, check=coded("no-pair-gold")):
        evaluate_sources(gold, runs, resampling=Resampling(draws=0))


@pytest.mark.usefixtures("many")
def test_label_without_a_place_in_the_view_is_an_error(
    make_pairs, make_run, write_folder, tmp_path
):
    gold, runs = in_files(tmp_path, make_pairs("ECU"), [make_run("YNY")], write_folder)
    with pytest.raises(LabelError, match="'not-entailment' has no place in a 3-way view"):
        evaluate_sources(gold, runs, resampling=Resampling(draws=0), view=View.THREE_WAY)


def test_evaluation_of_no_run_is_refused(tmp_path):
    with pytest.raises(SettingError, check=coded("no-run-evaluate")):
        evaluate_sources(tmp_path, [])


def test_cutoffs_that_were_not_asked_for_are_not_given(
    make_pairs, make_run, write_folder, tmp_path
):
    run = make_run("YN", score=[0.5, 0.1])
    gold, runs = in_files(tmp_path, make_pairs("YN"), [run], write_folder)
    found = evaluate_sources(gold, runs, resampling=Resampling(draws=0), cutoffs=False)
    with pytest.raises(SettingError, check=coded("scores-run-not-kept")):
        run_cutoffs(found.runs[0].judged)


@pytest.mark.usefixtures("many")
def test_groups_are_ranked_where_they_are_asked_for(make_run, write_folder, tmp_path):
    labels = LABELS[View.TWO_WAY]
    pairs = [Pair(str(i), f"text {i}", f"claim {i // 3}", labels[i % 2]) for i in range(9)]
    runs = [make_run("YNYNYNYNY", np.linspace(0.1, 0.9, 9).tolist())]
    gold, sources = in_files(tmp_path, pairs, runs, write_folder)
    (found,) = evaluate_sources(gold, sources, groups=True).runs
    (expected,) = evaluate(pairs, runs).runs
    assert group_scores(found.judged) == group_scores(expected.judged)
    (without,) = evaluate_sources(gold, sources).runs
    with pytest.raises(SettingError, check=coded("groups-pairs-not-read")):
        group_scores(without.judged)


def test_many_pairs_take_few_bytes_each(make_pairs, make_run, write_folder, tmp_path):
    n = 3000
    gold, runs = in_files(
        tmp_path, make_pairs("YN" * (n // 2)), [make_run("Y" * n, [0.5] * n)], write_folder
    )
    judged = (
        evaluate_sources(gold, runs, resampling=Resampling(draws=0), cutoffs=False).runs[0].judged
    )
    arrays = (judged.gold, judged.answer, judged.status, judged.confidence, judged.tasks.codes)
    assert sum(each.nbytes for each in arrays) == 12 * n
    assert judged.score.strides == (0,)
    assert judged.pairs == ()
