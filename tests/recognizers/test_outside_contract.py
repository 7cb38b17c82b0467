"""What every recognizer promises, kept by programs and functions; and laws of their answers."""

import importlib.util
import json
import pickle
import shlex
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, strategies as st
from tests.recognizers.threads import in_fork, judged_by_threads, judging

import ensue
from ensue.errors import UnknownNameError
from ensue.pairs import Pair, Status, load_pairs
from ensue.recognizers import Recognizer, Storable, Trainable
from ensue.recognizers.external_process import Exchange

PYTHON = shlex.quote(sys.executable)


def judge(pairs):
    """What the shipped program does, in a function."""
    for pair in pairs:
        text, words = set(pair.text.lower().split()), pair.hypothesis.lower().split()
        score = 1 - sum(word not in text for word in words) / max(len(words), 1)
        yield {"label": "entailment" if score > 0.65 else "not-entailment", "score": score}


@pytest.fixture(scope="module", params=["command", "python"])
def recognizer(request, root):
    if request.param == "command":
        program = shlex.quote(str(root / "examples" / "word_overlap_program.py"))
        yield ensue.load(f"command:{PYTHON} {program}")
        return
    spec = importlib.util.spec_from_file_location("outside_contract", __file__)
    sys.modules["outside_contract"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["outside_contract"])
    yield ensue.load("python:outside_contract:judge")
    del sys.modules["outside_contract"]


def test_recognizer_fills_its_role(recognizer):
    assert isinstance(recognizer, Recognizer)
    assert not isinstance(recognizer, Trainable)
    assert not isinstance(recognizer, Storable)  # nothing in a directory is ever executed


def test_verdicts_keep_order_and_length(recognizer, pairs):
    assert [verdict.pair_id for verdict in recognizer.judge(pairs)] == [pair.id for pair in pairs]
    assert recognizer.judge([]) == []


def test_verdicts_are_deterministic(recognizer, pairs):
    assert recognizer.judge(pairs) == recognizer.judge(pairs)


@pytest.mark.parametrize("size", [1, 7, 55])
def test_verdicts_do_not_depend_on_the_batch(recognizer, examples, size):
    shipped = load_pairs(examples)
    batches = [shipped[i : i + size] for i in range(0, len(shipped), size)]
    assert [v for batch in batches for v in recognizer.judge(batch)] == recognizer.judge(shipped)


def test_verdicts_do_not_depend_on_gold(recognizer, pairs):
    hidden = [Pair(pair.id, pair.text, pair.hypothesis) for pair in pairs]
    assert recognizer.judge(hidden) == recognizer.judge(pairs)


def test_labels_are_those_of_the_signature(recognizer, pairs):
    labels = {verdict.label for verdict in recognizer.judge(pairs)}
    assert labels <= set(recognizer.signature.view.labels)


def test_signature_survives_json(recognizer):
    record = json.loads(json.dumps(recognizer.signature.to_json()))
    assert ensue.Signature.from_json(record) == recognizer.signature


def test_explanation_is_of_the_verdict(recognizer, pairs):
    for pair in pairs[-3:]:
        explanation = recognizer.explain(pair)
        assert explanation.verdict == recognizer.judge([pair])[0]
        assert explanation.pair is pair
        assert explanation.evidence.steps
        json.dumps(explanation.to_json(), allow_nan=False)


def test_odd_input_gets_a_verdict_each(recognizer):
    odd = [
        Pair("1", "", ""),
        Pair("2", "\0", "\ud800"),
        Pair("3", "…", "?!"),
        Pair("4", "word " * 5000, "x" * 5000),
        Pair("\u2028", "a b c", "a b c"),
    ]
    assert [verdict.status for verdict in recognizer.judge(odd)] == [Status.DECIDED] * 5


def test_threads_give_the_verdicts_of_one(recognizer, pairs):
    alone = {verdict.pair_id: verdict for verdict in recognizer.judge(pairs)}
    by_threads = judged_by_threads(recognizer, pairs[:16])
    assert by_threads == [alone[verdict.pair_id] for verdict in by_threads]


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forks_judge_while_threads_of_the_parent_do(recognizer, pairs):
    alone = recognizer.judge(pairs)
    with judging(recognizer, pairs):
        for _ in range(3):
            assert in_fork(lambda: recognizer.judge(pairs)) == alone
    assert recognizer.judge(pairs) == alone


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_fork_waits_for_no_lock_of_the_check_of_labels(recognizer, pairs):
    alone = recognizer.judge(pairs)
    with recognizer.checked._cond:  # as another thread would that is setting it
        assert in_fork(lambda: recognizer.judge(pairs)) == alone


def test_recognizer_is_pickled_as_its_recipe(recognizer, pairs):
    again = pickle.loads(pickle.dumps(recognizer))
    assert again.signature == recognizer.signature
    assert again.judge(pairs) == recognizer.judge(pairs)


_calling = threading.Lock()


def judge_alone(pairs):
    """What cannot be called by two threads at once, as many models cannot."""
    assert _calling.acquire(blocking=False)
    time.sleep(0.001)
    _calling.release()
    return ["entailment" for _ in pairs]


def test_function_is_called_by_one_thread_at_a_time(pairs):
    target = f"python:{__name__}:judge_alone"
    barrier = threading.Barrier(8)

    def ask(_):
        barrier.wait()
        return ensue.load(target, {"guard": False}).judge(pairs)

    with ThreadPoolExecutor(8) as pool:
        verdicts = [verdict for said in pool.map(ask, range(8)) for verdict in said]
    assert {verdict.label for verdict in verdicts} == {"entailment"}


def test_program_and_function_agree(root, examples):
    program = shlex.quote(str(root / "examples" / "word_overlap_program.py"))
    shipped = load_pairs(examples)
    said = ensue.load(f"command:{PYTHON} {program}").judge(shipped)
    assert [(v.label, v.score) for v in said] == [
        (record["label"], record["score"]) for record in judge(shipped)
    ]


def test_other_prefixes_are_unknown_names():
    with pytest.raises(UnknownNameError, match="no recognizer is called 'comand:true'"):
        ensue.load("comand:true")


def test_transformers_model_is_a_recognizer(root, tmp_path):
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "dog", "barks", "cat"]
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n")
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    names = {0: "contradiction", 1: "neutral", 2: "entailment"}
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        id2label=names,
        label2id={name: i for i, name in names.items()},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    program = shlex.join([str(root / "examples" / "cross_encoder.py"), str(tmp_path)])
    labels = "contradiction=contradiction,neutral=unknown,entailment=entailment"
    recognizer = ensue.load(f"command:{PYTHON} {program}", {"labels": labels, "guard": False})
    verdicts = recognizer.judge([Pair("1", "a dog barks", "a cat"), Pair("2", "猫", "")])
    assert [verdict.status for verdict in verdicts] == [Status.DECIDED] * 2
    assert all(1 / 3 <= verdict.confidence <= 1 for verdict in verdicts)


ids = st.lists(st.text(max_size=4), min_size=1, max_size=8, unique=True)


@given(ids, st.data())
def test_answers_by_id_find_their_pairs_in_any_order(names, data):
    exchange = Exchange([Pair(name, "", "") for name in names])
    for name in data.draw(st.permutations(names)):
        assert not exchange.complete
        exchange.take(json.dumps({"pair_id": name, "label": "unknown", "told": name}).encode())
    assert exchange.complete
    assert [answer.record["told"] for answer in exchange.answers] == names


@given(ids, st.data())
def test_answers_fail_just_where_a_plain_count_is_not_one(names, data):
    said = data.draw(st.lists(st.sampled_from(names), max_size=10 * len(names)))
    exchange = Exchange([Pair(name, "", "") for name in names])
    for name in said:
        exchange.take(json.dumps({"pair_id": name, "label": "unknown"}).encode())
    counts = [said.count(name) for name in names]
    found = [answer and answer.record is not None for answer in exchange.answers]
    assert found == [None if n == 0 else n == 1 for n in counts]
