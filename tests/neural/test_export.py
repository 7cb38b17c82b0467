"""The exported graph beside the same network in plain numpy floats."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

import onnxruntime  # noqa: E402
from scipy.special import erf  # noqa: E402

from ensue.neural.export import network_graph, write_bundle  # noqa: E402
from ensue.neural.network import (  # noqa: E402  # noqa: E402
    SHIPPED,
    VOCABULARY,
    PairNetwork,
    TokenBatch,
    TokenizedPair,
    token_batch,
)

WIDTH, INNER, HEADS, LAYERS, WORDS, PLACES = 384, 1536, 12, 2, 300, 260
LINEAR = {
    "attention": (3 * WIDTH, WIDTH),
    "projection": (WIDTH, WIDTH),
    "expansion": (INNER, WIDTH),
    "contraction": (WIDTH, INNER),
}
ROUNDING = 0.06
"""What bytes cost: values are off by up to 1 / 254 of the largest in their block, which is some three
times a usual one, so by 3 / 254 / √3 = 0.7 % of a usual one in the mean square. Both sides of nine
products one after the other make √18 times that, 3 % of log odds that are some 0.4; at worst five
times that mean."""
ONES = ("norm.weight", "attention_norm.weight", "output_norm.weight")


def random_weights(seed, words=WORDS):
    """Weights of a tiny encoder, large enough that every part of it moves the odds."""
    rng = np.random.default_rng(seed)
    shapes = {
        "words.weight": (words, WIDTH),
        "places.weight": (PLACES, WIDTH),
        "sides.weight": (2, WIDTH),
        "norm.weight": (WIDTH,),
        "norm.bias": (WIDTH,),
        "hidden.weight": (WIDTH, 2 * WIDTH),
        "hidden.bias": (WIDTH,),
        "odds.weight": (3, WIDTH),
        "odds.bias": (3,),
    }
    for i in range(LAYERS):
        for name, shape in LINEAR.items():
            shapes[f"layers.{i}.{name}.weight"] = shape
            shapes[f"layers.{i}.{name}.bias"] = shape[:1]
        for name in ("attention_norm", "output_norm"):
            shapes[f"layers.{i}.{name}.weight"] = shapes[f"layers.{i}.{name}.bias"] = (WIDTH,)
    spreads = {1: 0.3, 2: 0.05}  # of vectors, of matrices
    weights = {name: rng.normal(0, spreads[len(shape)], shape) for name, shape in shapes.items()}
    return {
        name: (values + name.endswith(ONES)).astype(np.float32) for name, values in weights.items()
    }


def softmax(values):
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def float_odds(weights, batch):
    """The network of Devlin et al. (2019) with our head, in 64-bit floats."""
    kept = {name: values.astype(np.float64) for name, values in weights.items()}

    def linear(states, name):
        return states @ kept[f"{name}.weight"].T + kept[f"{name}.bias"]

    def norm(states, name):
        centered = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centered**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centered / spread * kept[f"{name}.weight"] + kept[f"{name}.bias"]

    def attended(states, name):
        n, length, _ = states.shape
        shape = (n, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = linear(states, name).reshape(shape).transpose(2, 0, 3, 1, 4)
        scores = query @ key.swapaxes(-1, -2) / np.sqrt(WIDTH // HEADS)
        scores = np.where(batch.mask[:, None, None, :], scores, -np.inf)
        return (softmax(scores) @ value).transpose(0, 2, 1, 3).reshape(n, length, WIDTH)

    def gelu(states):
        return states * (1 + erf(states / np.sqrt(2))) / 2

    places = kept["places.weight"][: batch.ids.shape[1]]
    states = kept["words.weight"][batch.ids] + places + kept["sides.weight"][batch.sides]
    states = norm(states, "norm")
    for i in range(LAYERS):
        name = f"layers.{i}"
        mixed = linear(attended(states, f"{name}.attention"), f"{name}.projection")
        states = norm(states + mixed, f"{name}.attention_norm")
        inner = linear(gelu(linear(states, f"{name}.expansion")), f"{name}.contraction")
        states = norm(states + inner, f"{name}.output_norm")
    mask = batch.mask[:, :, None]
    mean = (states * mask).sum(axis=1) / mask.sum(axis=1)
    joined = np.concatenate([states[:, 0], mean], axis=1)
    return linear(np.tanh(linear(joined, "hidden")), "odds")


def run(graph, batch):
    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (odds,) = session.run(None, {"ids": batch.ids, "sides": batch.sides, "mask": batch.mask})
    return odds


@pytest.fixture(scope="module")
def weights():
    return random_weights(3)


@pytest.fixture(scope="module")
def floats(weights, batch):
    return float_odds(weights, batch)


@pytest.fixture(scope="module")
def graph(weights):
    return network_graph(weights)


@pytest.fixture(scope="module")
def batch():
    """Pairs of several lengths, so that some of it is padding."""
    rng = np.random.default_rng(2)
    return token_batch(
        [
            TokenizedPair(
                rng.integers(103, WORDS, n).tolist(), rng.integers(103, WORDS, m).tolist()
            )
            for n, m in [(1, 1), (5, 3), (9, 20), (30, 6), (12, 12), (0, 2)]
        ]
    )


def test_graph_is_well_formed(graph):
    onnx.checker.check_model(graph)


def test_graph_agrees_with_the_network_in_floats(graph, floats, batch):
    assert np.abs(run(graph, batch) - floats).max() < ROUNDING


@pytest.mark.parametrize("name", random_weights(3))
def test_tolerance_is_too_small_for_a_graph_without_a_part(weights, floats, batch, name):
    changed = {**weights, name: np.zeros_like(weights[name])}
    assert np.abs(float_odds(changed, batch) - floats).max() > 1.5 * ROUNDING


def test_graph_does_not_see_padding(graph, batch):
    wide = [np.pad(part, ((0, 0), (0, 16))) for part in (batch.ids, batch.sides, batch.mask)]
    assert np.abs(run(graph, TokenBatch(*wide)) - run(graph, batch)).max() < 1e-5


def test_graph_keeps_matrices_and_word_vectors_as_bytes(graph, weights):
    floats = sum(
        np.prod(each.dims)
        for each in graph.graph.initializer
        if each.data_type == onnx.TensorProto.FLOAT
    )
    assert floats < 0.06 * sum(values.size for values in weights.values())


def test_matrix_of_zeros_is_kept(weights, batch):
    zero = np.zeros_like(weights["layers.0.projection.weight"])
    changed = {**weights, "layers.0.projection.weight": zero}
    difference = run(network_graph(changed), batch) - float_odds(changed, batch)
    assert np.abs(difference).max() < ROUNDING


def test_bundle_is_a_folder_that_the_network_opens(tmp_path):
    about = {"temperature": 1.5, "base": "none"}
    write_bundle(random_weights(4, words=30522), SHIPPED / VOCABULARY, about, tmp_path / "made")
    network = PairNetwork(tmp_path / "made")
    assert network.temperature == 1.5
    assert network.bundle.about == about
    assert network.log_odds(["A dog."], ["A cat."]).shape == (1, 3)


def test_bundle_of_other_weights_has_another_name(tmp_path, weights):
    for name, each in {"one": weights, "same": weights, "other": random_weights(4)}.items():
        write_bundle(each, SHIPPED / VOCABULARY, {}, tmp_path / name)
    one, same, other = (PairNetwork(tmp_path / name).identity for name in ("one", "same", "other"))
    assert one == same != other
