"""Training that survives a kill, its loss by hand, and the encoder beside its export."""

import json
from functools import partial
from math import log

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper, save_model  # noqa: E402
from tests.neural.test_export import (  # noqa: E402
    LAYERS,
    PLACES,
    ROUNDING,
    WORDS,
    float_odds,
    random_weights,
    run,
)

from ensue.errors import DataError  # noqa: E402
from ensue.neural.export import network_graph  # noqa: E402
from ensue.neural.network import TokenizedPair, token_batch  # noqa: E402
from ensue.neural.training import (  # noqa: E402
    CrossEncoder,
    Trainer,
    TrainingPair,
    TrainingPlan,
    TrainingSource,
    TrainingStage,
    accuracy,
    base_encoder,
    pair_loss,
    read_plan,
)

WIDTH, INNER = 24, 48
VOCABULARY = [
    "[PAD]",
    *(f"[unused{i}]" for i in range(99)),
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *[
        "a",
        "dog",
        "cat",
        "man",
        "sleeps",
        "runs",
        "sees",
        "nobody",
        "old",
        "the",
        ".",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "0",
    ],
    *(f"##{i}" for i in range(10)),
]
MATRICES = {
    "attention.self.query": (WIDTH, WIDTH),
    "attention.self.key": (WIDTH, WIDTH),
    "attention.self.value": (WIDTH, WIDTH),
    "attention.output.dense": (WIDTH, WIDTH),
    "intermediate.dense": (INNER, WIDTH),
    "output.dense": (WIDTH, INNER),
}
EMBEDDINGS = {"word": len(VOCABULARY), "position": 64, "token_type": 2}
SMALL = {"width": WIDTH, "heads": 2, "inner": INNER, "words": len(VOCABULARY), "places": 64}


def bert_weights(layers):
    """The weights of a tiny BERT by the names that its exporter gives them."""
    shapes = {f"embeddings.{name}_embeddings.weight": (n, WIDTH) for name, n in EMBEDDINGS.items()}
    norms = ["embeddings.LayerNorm"]
    for i in range(layers):
        name = f"encoder.layer.{i}"
        shapes |= {f"{name}.{part}.weight": shape for part, shape in MATRICES.items()}
        shapes |= {f"{name}.{part}.bias": shape[:1] for part, shape in MATRICES.items()}
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
    shapes |= {f"{norm}.{kind}": (WIDTH,) for norm in norms for kind in ("weight", "bias")}
    rng = np.random.default_rng(0)
    return {name: rng.normal(0, 0.3, each).astype(np.float32) for name, each in shapes.items()}


def write_bert(weights, path):
    """An ONNX file as exporters write it: matrices transposed, known by the node that multiplies."""
    nodes, constants = [], []
    for i, (name, values) in enumerate(weights.items()):
        module, _, kind = name.rpartition(".")
        if kind == "weight" and module.partition("layer.")[2].partition(".")[2] in MATRICES:
            constants.append(numpy_helper.from_array(values.T.copy(), f"onnx::MatMul_{i}"))
            called = "/" + module.replace("layer.", "layer#").replace(".", "/").replace("#", ".")
            inputs = ["states", f"onnx::MatMul_{i}"]
            nodes.append(helper.make_node("MatMul", inputs, [f"{i}"], name=f"{called}/MatMul"))
        else:
            constants.append(numpy_helper.from_array(values, name))
    states = helper.make_tensor_value_info("states", TensorProto.FLOAT, ["n", None])
    save_model(helper.make_model(helper.make_graph(nodes, "bert", [states], [], constants)), path)


@pytest.fixture
def small(monkeypatch):
    """Encoders of a few hundred weights."""
    monkeypatch.setattr("ensue.neural.training.CrossEncoder", partial(CrossEncoder, **SMALL))


@pytest.fixture
def folder(tmp_path, small):
    """A folder with all that a plan names."""
    write_bert(bert_weights(1), tmp_path / "bert.onnx")
    (tmp_path / "vocabulary.txt").write_text("\n".join(VOCABULARY), "utf-8")
    golds = {"three": ["entailment", "unknown", "contradiction"]}
    golds["two"] = ["entailment", "not-entailment"]
    for name, labels in golds.items():
        lines = [
            {
                "id": str(i),
                "text": f"A dog sees {'the old man ' * (i % 4)}{i}.",
                "hypothesis": ["A dog sees.", "A cat runs.", "Nobody sees."][i % len(labels)],
                "gold": labels[i % len(labels)],
            }
            for i in range(48)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return tmp_path


PLAN = TrainingPlan(
    "bert.onnx",
    "vocabulary.txt",
    (
        TrainingStage("first", (TrainingSource("three.jsonl", 30),), (1e-2, 1e-3)),
        TrainingStage(
            "second",
            (TrainingSource("two.jsonl"), TrainingSource("three.jsonl", 10, held_out=False)),
            (1e-3, 1e-4),
            steps=7,
        ),
    ),
    batch=4,
    longest=32,
    warm_up=3,
    development=("three.jsonl",),
)
STEPS = (8, 7)
"""30 pairs in batches of four, and the seven that the second stage is cut to."""


class Killed(BaseException):
    """What ends a training in its middle."""


def trained(folder, output, *, killed_at=()):
    """The weights of a training that is killed before these steps, and each time begun again."""
    output.mkdir()
    learn, done = Trainer._learn, [0]
    with pytest.MonkeyPatch.context() as patch:

        def learn_or_die(trainer, batch, steps):
            done[0] += 1
            if done[0] in killed_at:
                raise Killed
            return learn(trainer, batch, steps)

        patch.setattr(Trainer, "_learn", learn_or_die)
        while True:
            try:
                trainer = Trainer(PLAN, output, root=folder)
                trainer.run(checkpoint=3)
            except Killed:
                continue
            return trainer.network.state_dict()


def log_of(output):
    return [json.loads(line) for line in (output / "log.jsonl").read_text("utf-8").splitlines()]


# Training.


@pytest.mark.parametrize("killed_at", [(1,), (4,), (6,), (9,), (11,), (2, 5, 12, 16)])
def test_training_that_is_killed_and_resumed_ends_with_the_same_weights(
    folder, tmp_path, killed_at
):
    whole = trained(folder, tmp_path / "whole")
    resumed = trained(folder, tmp_path / "resumed", killed_at=killed_at)
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


def test_training_changes_all_but_the_words(folder, tmp_path):
    before = base_encoder(folder / "bert.onnx", seed=PLAN.seed).state_dict()
    after = trained(folder, tmp_path / "made")
    assert [name for name in after if torch.equal(before[name], after[name])] == ["words.weight"]


def test_training_that_is_over_is_left_as_it_is(folder, tmp_path):
    trained(folder, tmp_path / "made")
    before = (tmp_path / "made" / "checkpoint.safetensors").read_bytes()
    Trainer(PLAN, tmp_path / "made", root=folder).run()
    assert (tmp_path / "made" / "checkpoint.safetensors").read_bytes() == before
    assert [path.name for path in (tmp_path / "made").iterdir() if path.suffix == ".partial"] == []


def test_log_has_a_line_a_checkpoint(folder, tmp_path):
    trained(folder, tmp_path / "made")
    lines = [(line["stage"], line["step"], line["steps"]) for line in log_of(tmp_path / "made")]
    first, second = STEPS
    assert lines == [
        *(("first", step, first) for step in (3, 6, 8)),
        *(("second", step, second) for step in (3, 6, 7)),
    ]


def test_log_tells_the_accuracy_on_what_is_held_out(folder, tmp_path):
    trained(folder, tmp_path / "made")
    assert all(0 <= line["accuracy"]["three"] <= 1 for line in log_of(tmp_path / "made"))


def test_plan_is_read_from_json(tmp_path):
    record = {
        "encoder": "bert.onnx",
        "vocabulary": "vocabulary.txt",
        "stages": [
            {
                "name": "first",
                "sources": [{"path": "three.jsonl", "count": 30}],
                "rate": [1e-2, 1e-3],
            },
            {
                "name": "second",
                "sources": [
                    {"path": "two.jsonl"},
                    {"path": "three.jsonl", "count": 10, "held_out": False},
                ],
                "rate": [1e-3, 1e-4],
                "steps": 7,
            },
        ],
        "batch": 4,
        "longest": 32,
        "warm_up": 3,
        "development": ["three.jsonl"],
    }
    (tmp_path / "plan.json").write_text(json.dumps(record), "utf-8")
    assert read_plan(tmp_path / "plan.json") == PLAN


# What is learned, by hand.


def test_loss_of_three_way_gold_is_the_cross_entropy():
    odds = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.1, 0.8, 0.1]]))
    found = pair_loss(odds, torch.tensor([0, 2, 1]))
    assert float(found) == pytest.approx(-(log(0.5) + log(0.2) + log(0.8)) / 3, abs=1e-6)


def test_loss_of_two_way_gold_asks_how_likely_entailment_is():
    odds = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.9, 0.06, 0.04]]))
    found = pair_loss(odds, torch.tensor([3, 3]))
    assert float(found) == pytest.approx(-(log(0.3 + 0.2) + log(0.06 + 0.04)) / 2, abs=1e-6)


def test_accuracy_takes_two_way_gold_in_its_own_view():
    def network(ids, sides, mask):
        return torch.log(torch.tensor([[0.4, 0.35, 0.25]])).repeat(len(ids), 1)

    pairs = [TrainingPair(TokenizedPair([1], [2]), target) for target in (0, 1, 2, 3)]
    # entailment is likeliest and yet below a half: right for entailment and for not-entailment
    assert accuracy(network, pairs) == 2 / 4


# The encoder.


@pytest.mark.parametrize("layers", [1, 2])
def test_base_encoder_has_the_weights_of_the_file(tmp_path, small, layers):
    weights = bert_weights(layers)
    write_bert(weights, tmp_path / "bert.onnx")
    found = {
        k: v.numpy() for k, v in base_encoder(tmp_path / "bert.onnx", seed=0).state_dict().items()
    }
    assert (found["words.weight"] == weights["embeddings.word_embeddings.weight"]).all()
    assert (found["norm.bias"] == weights["embeddings.LayerNorm.bias"]).all()
    for i in range(layers):
        theirs = f"encoder.layer.{i}"
        asked = [
            weights[f"{theirs}.attention.self.{name}.weight"] for name in ("query", "key", "value")
        ]
        assert (found[f"layers.{i}.attention.weight"] == np.concatenate(asked)).all()
        inner = weights[f"{theirs}.intermediate.dense.weight"]
        assert (found[f"layers.{i}.expansion.weight"] == inner).all()
        norm = weights[f"{theirs}.output.LayerNorm.weight"]
        assert (found[f"layers.{i}.output_norm.weight"] == norm).all()


def test_base_encoder_draws_its_head_by_the_seed(folder):
    one, same, other = (base_encoder(folder / "bert.onnx", seed=seed) for seed in (1, 1, 2))
    assert torch.equal(one.odds.weight, same.odds.weight)
    assert not torch.equal(one.odds.weight, other.odds.weight)


def test_exported_network_is_read_back_as_far_as_its_bytes_tell(tmp_path):
    weights = random_weights(5)
    save_model(network_graph(weights), tmp_path / "network.onnx")
    found = {
        name: each.numpy()
        for name, each in base_encoder(tmp_path / "network.onnx", seed=0).state_dict().items()
    }
    kept = len(found["places.weight"][:256])
    for name, each in weights.items():
        if name == "places.weight":
            assert (found[name][:kept] == each[:kept]).all()
        elif name == "words.weight" or (
            each.ndim == 2 and name not in ("odds.weight", "sides.weight")
        ):
            # a byte is off by half a step at most, and a step is a 127th of the largest
            assert np.abs(found[name] - each).max() <= np.abs(each).max() / 254 * 1.001
        else:
            assert (found[name] == each).all()


def test_file_without_an_encoder_is_an_error_that_names_it(tmp_path):
    write_bert({"embeddings.other": np.zeros(3, np.float32)}, tmp_path / "other.onnx")
    with pytest.raises(DataError) as caught:
        base_encoder(tmp_path / "other.onnx", seed=0)
    assert (caught.value.code, caught.value.place) == ("encoder-none", str(tmp_path / "other.onnx"))


@pytest.fixture(scope="module")
def encoder():
    made = CrossEncoder(LAYERS, words=WORDS, places=PLACES)
    made.load_state_dict({name: torch.tensor(each) for name, each in random_weights(3).items()})
    return made.eval()


@pytest.fixture(scope="module")
def batch():
    return token_batch([TokenizedPair([110, 120, 130], [140]), TokenizedPair([150] * 9, [160] * 4)])


def odds_of(encoder, batch):
    with torch.inference_mode():
        return encoder(*map(torch.from_numpy, (batch.ids, batch.sides, batch.mask))).numpy()


def test_encoder_agrees_with_the_network_in_numpy(encoder, batch):
    assert np.abs(odds_of(encoder, batch) - float_odds(random_weights(3), batch)).max() < 1e-4


def test_exported_graph_agrees_with_the_encoder(encoder, batch):
    weights = {name: values.numpy() for name, values in encoder.state_dict().items()}
    assert np.abs(run(network_graph(weights), batch) - odds_of(encoder, batch)).max() < ROUNDING
