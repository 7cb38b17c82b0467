"""What every registered recognizer promises."""

import asyncio
import json
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests.recognizers.threads import (
    explained_by_threads,
    in_fork,
    judged_by_threads,
    judging,
    unseen,
)

import ensue
from ensue import registry
from ensue.errors import ArgumentError
from ensue.pairs import Pair, Status, load_pairs
from ensue.recognizers import Recognizer, RecognizerKind, Trainable, save

NAMES = registry.names("recognizer")
SETTINGS = {"logic": {"seconds": 600}, "joint": {"seconds": 600}}
"""A busy machine takes its time; steps are limited all the same."""


@pytest.fixture(scope="module", params=NAMES)
def recognizer(request, pairs) -> Recognizer:
    built = ensue.load(request.param, SETTINGS.get(request.param))
    return built.fit(pairs, seed=0, name="made") if isinstance(built, Trainable) else built


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Another process, spawned and with one thread, that keeps analyses of its own."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "kernels").symlink_to(Path(os.environ["ENSUE_CACHE"]) / "kernels")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ENSUE_CACHE", str(folder))
            pool.submit(os.getpid).result()  # which spawns it
        yield pool


def test_our_recognizers_are_registered():
    assert {
        "always",
        "bleu",
        "linear-bleu",
        "modified-bleu",
        "overlap",
        "overlap-tree",
        "random",
    } <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_kind_has_its_name_and_a_summary(name):
    kind: RecognizerKind = registry.find("recognizer", name)
    assert kind.name == name
    assert kind.summary


def test_recognizer_fills_its_role(recognizer):
    assert isinstance(recognizer, Recognizer)


def test_verdicts_keep_order_and_length(recognizer, pairs):
    assert [verdict.pair_id for verdict in recognizer.judge(pairs)] == [pair.id for pair in pairs]


def test_verdicts_are_deterministic(recognizer, pairs):
    assert recognizer.judge(pairs) == recognizer.judge(pairs)


@pytest.mark.parametrize("given", [None, "A dog.", [("A dog.", "A cat.")], [None], iter(())])
def test_what_is_no_pair_is_an_error_that_names_the_argument(recognizer, given):
    with pytest.raises(ArgumentError, match=r"^pairs"):
        recognizer.judge(given)
    with pytest.raises(ArgumentError, match=r"^pair has"):
        recognizer.explain(given)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 55])
def test_verdicts_do_not_depend_on_the_batch(recognizer, examples, size):
    # to the last bit: a tuned cutoff is one of the scores
    shipped = load_pairs(examples)
    batches = [shipped[i : i + size] for i in range(0, len(shipped), size)]
    assert [v for batch in batches for v in recognizer.judge(batch)] == recognizer.judge(shipped)


def test_verdicts_do_not_depend_on_gold(recognizer, pairs):
    hidden = [Pair(pair.id, pair.text, pair.hypothesis) for pair in pairs]
    assert recognizer.judge(hidden) == recognizer.judge(pairs)


def test_no_pairs_give_no_verdicts(recognizer):
    assert recognizer.judge([]) == []


def test_labels_are_those_of_the_signature(recognizer, pairs):
    labels = {verdict.label for verdict in recognizer.judge(pairs)} - {None}
    assert labels <= set(recognizer.signature.view.labels)


def test_score_above_the_cutoff_is_a_yes(recognizer, pairs):
    cutoff = recognizer.signature.cutoff
    for verdict in recognizer.judge(pairs):
        if verdict.score is not None and cutoff is not None:
            assert (verdict.label == "entailment") == (verdict.score > cutoff)


def test_scores_lie_in_the_range_of_the_signature(recognizer, pairs):
    scores = [v.score for v in recognizer.judge(pairs) if v.score is not None]
    if scores:
        low, high = recognizer.signature.score_range
        assert low <= min(scores) <= max(scores) <= high


def test_explanation_is_of_the_verdict(recognizer, pairs):
    for pair in pairs[-3:]:
        explanation = recognizer.explain(pair)
        assert explanation.verdict == recognizer.judge([pair])[0]
        assert explanation.pair is pair
        json.dumps(explanation.to_json(), allow_nan=False)


def test_explained_spans_lie_inside_their_side(recognizer, pairs):
    for pair in pairs:
        for span in recognizer.explain(pair).evidence.spans:
            side = getattr(pair, span.side.value)
            assert 0 <= span.start <= span.end <= len(side)
            assert 0 <= span.strength <= 1


def test_odd_input_gets_a_verdict_each(recognizer):
    odd = [
        Pair("1", "", ""),
        Pair("2", "\0", "\ud800"),
        Pair("3", "…", "?!"),
        Pair("4", "word " * 5000, "x" * 5000),
        Pair("\u2028", "a b c", "a b c"),
    ]
    verdicts = recognizer.judge(odd)
    assert len(verdicts) == len(odd)
    proves = (
        recognizer.signature.recognizer == "logic"
    )  # which says why it could not read something
    silent = (Status.ABSTAINED, Status.FAILED) if proves else (Status.ABSTAINED,)
    assert all(v.status in (Status.DECIDED, *silent) for v in verdicts)
    assert all(v.reason for v in verdicts if v.status is not Status.DECIDED)


def test_recognizer_comes_back_from_its_directory(recognizer, pairs, tmp_path):
    save(recognizer, tmp_path / "kept")
    again = ensue.load(tmp_path / "kept")
    assert again.signature == recognizer.signature
    assert again.signature.to_json() == recognizer.signature.to_json()
    assert again.judge(pairs) == recognizer.judge(pairs)


def test_training_leaves_the_untrained_as_it_was(pairs):
    for name in NAMES:
        untrained = ensue.load(name)
        if isinstance(untrained, Trainable):
            before = untrained.signature
            untrained.fit(pairs, seed=1, name="made")
            assert untrained.signature == before


def test_threads_give_the_verdicts_of_one(recognizer, examples, elsewhere):
    pairs = unseen(load_pairs(examples), 32)
    by_threads = judged_by_threads(recognizer, pairs)
    alone = {
        verdict.pair_id: verdict for verdict in elsewhere.submit(recognizer.judge, pairs).result()
    }
    assert by_threads == [alone[verdict.pair_id] for verdict in by_threads]


def test_threads_give_the_explanations_of_one(recognizer, examples, elsewhere):
    pairs = unseen(load_pairs(examples), 8)
    by_threads = explained_by_threads(recognizer, pairs)
    alone = [elsewhere.submit(recognizer.explain, pair) for pair in pairs]
    assert [each.to_json() for each in by_threads] == [each.result().to_json() for each in alone]


def test_threads_of_asyncio_give_the_verdicts_of_one(recognizer, examples):
    pairs = unseen(load_pairs(examples), 8)

    async def judge_all():
        return await asyncio.gather(*(asyncio.to_thread(recognizer.judge, [p]) for p in pairs))

    by_threads = [verdict for verdicts in asyncio.run(judge_all()) for verdict in verdicts]
    assert by_threads == recognizer.judge(pairs)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forks_judge_while_threads_of_the_parent_do(recognizer, examples):
    shipped = load_pairs(examples)
    with judging(recognizer, shipped):
        for _ in range(3):
            pairs = unseen(shipped, 2)
            assert in_fork(lambda pairs=pairs: recognizer.judge(pairs)) == recognizer.judge(pairs)
