"""The cross-encoder in torch, and its base weights from ONNX.

A BERT encoder (Devlin et al. 2019) over `[CLS] text [SEP] hypothesis [SEP]`; the head reads the first
token and the mean of all, and gives three log odds: entailment, unknown, contradiction. Training and export alone need
this module and torch; judging runs the exported graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

from ensue.errors import DataError

_EPSILON = 1e-12
"""What BERT's layer norms add to the variance."""


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual and a norm behind it."""

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention = nn.Linear(width, 3 * width)
        self.projection = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=_EPSILON)
        self.expansion = nn.Linear(width, inner)
        self.contraction = nn.Linear(inner, width)
        self.output_norm = nn.LayerNorm(width, eps=_EPSILON)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """The states of the next layer; the mask is False where keys are padding."""
        n, length, width = states.shape
        shape = (n, length, 3, self.heads, width // self.heads)
        query, key, value = self.attention(states).view(shape).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = mixed.transpose(1, 2).reshape(n, length, width)
        states = self.attention_norm(states + self.projection(mixed))
        inner = F.gelu(self.expansion(states))
        return self.output_norm(states + self.contraction(inner))


class CrossEncoder(nn.Module):
    """Pairs of token ids in, three log odds a pair out."""

    def __init__(
        self,
        layers: int,
        *,
        width: int = 384,
        heads: int = 12,
        inner: int = 1536,
        words: int = 30522,
        places: int = 512,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(places, width)
        self.sides = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=_EPSILON)
        self.layers = nn.ModuleList([EncoderLayer(width, heads, inner) for _ in range(layers)])
        self.hidden = nn.Linear(2 * width, width)
        self.odds = nn.Linear(width, 3)

    def states(self, ids: Tensor, sides: Tensor, mask: Tensor) -> Tensor:
        """The last layer's state of every token."""
        states = self.words(ids) + self.places.weight[: ids.shape[1]] + self.sides(sides)
        states = self.norm(states)
        for layer in self.layers:
            states = layer(states, mask[:, None, None, :])
        return states

    def forward(self, ids: Tensor, sides: Tensor, mask: Tensor) -> Tensor:
        """Log odds of entailment, unknown and contradiction; the mask is False at padding."""
        states = self.states(ids, sides, mask)
        weights = mask[:, :, None].to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1)
        joined = torch.cat([states[:, 0], mean], dim=-1)
        return self.odds(torch.tanh(self.hidden(joined)))


# Base weights: an exported BERT encoder, read back into the module.

_EMBEDDINGS = {
    "words.weight": "embeddings.word_embeddings.weight",
    "places.weight": "embeddings.position_embeddings.weight",
    "sides.weight": "embeddings.token_type_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}
_LAYER = {
    "projection": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "expansion": "intermediate.dense",
    "contraction": "output.dense",
    "output_norm": "output.LayerNorm",
}


def base_encoder(path: Path, *, seed: int) -> CrossEncoder:
    """A cross-encoder with the weights of an encoder in ONNX, and a head of random ones.

    From a network that was exported here training goes on: its head is kept, too, and all weights
    are what their bytes stand for.

    Raises:
        DataError: the file holds no BERT encoder.
    """
    graph = _graph(path)
    if any(name.endswith(_BYTES) for name in graph.arrays):
        return _exported_encoder(graph.arrays)
    weights = _weights(graph)
    layers = [int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer.")]
    if not layers:
        raise DataError("encoder-none", "this is no BERT encoder", place=str(path))
    torch.manual_seed(seed)
    encoder = CrossEncoder(1 + max(layers))
    found = {ours: weights[theirs] for ours, theirs in _EMBEDDINGS.items()}
    for i in range(1 + max(layers)):
        found.update(_layer(weights, i))
    tensors = {name: torch.tensor(np.ascontiguousarray(each)) for name, each in found.items()}
    encoder.load_state_dict(tensors, strict=False)  # all but the head
    return encoder


def _layer(weights: Mapping[str, NDArray[np.float32]], i: int) -> dict[str, NDArray[np.float32]]:
    found = {}
    for kind in ("weight", "bias"):
        parts = [
            weights[f"encoder.layer.{i}.attention.self.{name}.{kind}"]
            for name in ("query", "key", "value")
        ]
        found[f"layers.{i}.attention.{kind}"] = np.concatenate(parts)
        for ours, theirs in _LAYER.items():
            found[f"layers.{i}.{ours}.{kind}"] = weights[f"encoder.layer.{i}.{theirs}.{kind}"]
    return found


class _Graph(NamedTuple):
    """What of an ONNX file weights are read from."""

    arrays: dict[str, NDArray[Any]]
    products: list[tuple[str, list[str]]]
    """The name and the inputs of each multiplication of matrices."""


def _graph(path: Path) -> _Graph:
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    products = [(node.name, list(node.input)) for node in graph.node if node.op_type == "MatMul"]
    return _Graph(arrays, products)


def _weights(graph: _Graph) -> dict[str, NDArray[np.float32]]:
    """The arrays of an exported encoder by the names of its modules.

    The exporter keeps the names of biases and norms; a matrix that it transposed has lost its own,
    and is found by the node that multiplies with it, whose name is the module's path.
    """
    arrays = graph.arrays
    found = {name: each for name, each in arrays.items() if name.startswith(("embed", "encoder"))}
    for name, inputs in graph.products:
        path = name.strip("/").removesuffix("/MatMul").replace("/", ".")
        found |= {f"{path}.weight": arrays[each].T for each in inputs if each in arrays}
    return found


# Weights that were exported here.

_BYTES = ".bytes"
_ZERO = 128
"""The byte that stands for zero in a matrix."""


def _exported_encoder(arrays: Mapping[str, NDArray[Any]]) -> CrossEncoder:
    """The module of a graph that `ensue.neural.export` wrote."""
    found = {name: each for name, each in arrays.items() if name.endswith((".weight", ".bias"))}
    found["odds.weight"] = arrays["odds.weight"].T
    found["sides.weight"] = arrays["sides.vectors"]
    for name in [each for each in arrays if each.endswith(_BYTES)]:
        module = name.removesuffix(_BYTES)
        found[f"{module}.weight"] = _floats(arrays[name], arrays[f"{module}.scales"])
    layers = [int(name.split(".")[1]) for name in found if name.startswith("layers.")]
    encoder = CrossEncoder(1 + max(layers), words=len(found["words.weight"]))
    tensors = {name: torch.tensor(np.ascontiguousarray(each)) for name, each in found.items()}
    kept = torch.tensor(arrays["places"])  # of the other positions there are no windows
    with torch.no_grad():
        encoder.places.weight[: len(kept)] = kept
    encoder.load_state_dict({**tensors, "places.weight": encoder.places.weight.detach()})
    return encoder


def _floats(packed: NDArray[Any], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """What bytes and their scales stand for: signed with a scale a row, or blocks around 128."""
    if packed.dtype == np.int8:
        return np.asarray(packed * scales, np.float32)
    values = (packed.astype(np.float32) - _ZERO) * scales.reshape(*packed.shape[:2], 1)
    return np.asarray(values.reshape(len(packed), -1), np.float32)
