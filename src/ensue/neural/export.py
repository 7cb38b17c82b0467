"""Write a trained cross-encoder as an ONNX graph of eight-bit weights, with what it takes to run it.

Matrices are kept as bytes in blocks of 128 with a scale each, word vectors as bytes with a scale a
word. At run time `MatMulNBits` rounds each token's activations to bytes, block by block: what a pair gets does not depend on the
pairs of its batch, as it would if one scale were taken from the whole of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper, save_model

from ensue.neural.network import GRAPH, RECORD, VOCABULARY, Bundle

_OURS = "com.microsoft"
"""The domain of onnxruntime's own operators."""
_BLOCK = 128
_HEADS = 12
_EPSILON = 1e-12
_PLACES = 256
"""Positions that are kept: windows are no longer."""
_OPSET, _IR = 18, 9

Weights = Mapping[str, NDArray[np.float32]]


@dataclass(slots=True)
class GraphBuilder:
    """Nodes and constants of a graph in the making."""

    nodes: list[NodeProto] = field(default_factory=list)
    constants: list[TensorProto] = field(default_factory=list)

    def constant(self, name: str, values: NDArray[Any]) -> str:
        """Keep an array under a name."""
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operator with one output; its name."""
        return self.nodes_of(operator, *inputs, outputs=1, domain=domain, **attributes)[0]

    def nodes_of(
        self, operator: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Add an operator; the names of its outputs."""
        names = [f"{operator}.{len(self.nodes)}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, domain=domain, **attributes))
        return names

    def linear(self, states: str, name: str, weights: Weights) -> str:
        """A matrix in bytes and its bias."""
        matrix, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        n, k = matrix.shape
        blocks = matrix.reshape(n, k // _BLOCK, _BLOCK)
        scales = np.abs(blocks).max(axis=2) / 127
        scales[scales == 0] = 1.0
        packed = (np.rint(blocks / scales[:, :, None]) + 128).astype(np.uint8)
        return self.node(
            "MatMulNBits",
            states,
            self.constant(f"{name}.bytes", packed),
            self.constant(f"{name}.scales", scales.reshape(-1).astype(np.float32)),
            "",  # zeros are at 128
            "",
            self.constant(f"{name}.bias", bias),
            domain=_OURS,
            K=k,
            N=n,
            bits=8,
            block_size=_BLOCK,
            accuracy_level=4,  # multiply in bytes
        )

    def norm(self, states: str, skipped: str, name: str, weights: Weights) -> str:
        """The norm of a sum."""
        return self.node(
            "SkipLayerNormalization",
            states,
            skipped,
            self.constant(f"{name}.weight", weights[f"{name}.weight"]),
            self.constant(f"{name}.bias", weights[f"{name}.bias"]),
            domain=_OURS,
            epsilon=_EPSILON,
        )


def _embedded(graph: GraphBuilder, weights: Weights) -> str:
    vectors = weights["words.weight"]
    scales = np.abs(vectors).max(axis=1, keepdims=True) / 127
    scales[scales == 0] = 1.0
    packed = np.rint(vectors / scales).astype(np.int8)
    words = graph.node("Gather", graph.constant("words.bytes", packed), "ids")
    words = graph.node("Cast", words, to=TensorProto.FLOAT)
    scale = graph.node("Gather", graph.constant("words.scales", scales.astype(np.float32)), "ids")
    states = graph.node("Mul", words, scale)
    length = graph.node("Shape", "ids", start=1, end=2)
    start = graph.constant("start", np.array([0], np.int64))
    places = graph.constant("places", np.ascontiguousarray(weights["places.weight"][:_PLACES]))
    states = graph.node("Add", states, graph.node("Slice", places, start, length))
    sides = graph.node("Gather", graph.constant("sides.vectors", weights["sides.weight"]), "sides")
    return graph.node(
        "LayerNormalization",
        graph.node("Add", states, sides),
        graph.constant("norm.weight", weights["norm.weight"]),
        graph.constant("norm.bias", weights["norm.bias"]),
        epsilon=_EPSILON,
    )


def _layer(graph: GraphBuilder, states: str, mask: str, name: str, weights: Weights) -> str:
    joined = graph.linear(states, f"{name}.attention", weights)
    sides = graph.nodes_of("Split", joined, outputs=3, axis=2, num_outputs=3)
    mixed = graph.node("MultiHeadAttention", *sides, "", mask, domain=_OURS, num_heads=_HEADS)
    mixed = graph.linear(mixed, f"{name}.projection", weights)
    states = graph.norm(mixed, states, f"{name}.attention_norm", weights)
    inner = graph.node("Gelu", graph.linear(states, f"{name}.expansion", weights), domain=_OURS)
    inner = graph.linear(inner, f"{name}.contraction", weights)
    return graph.norm(inner, states, f"{name}.output_norm", weights)


def _head(graph: GraphBuilder, states: str, weights: Weights) -> None:
    along = graph.constant("along", np.array([1], np.int64))
    last = graph.constant("last", np.array([2], np.int64))
    mask = graph.node("Unsqueeze", graph.node("Cast", "mask", to=TensorProto.FLOAT), last)
    total = graph.node("ReduceSum", graph.node("Mul", states, mask), along, keepdims=0)
    mean = graph.node("Div", total, graph.node("ReduceSum", mask, along, keepdims=0))
    first = graph.node("Gather", states, graph.constant("first", np.array(0, np.int64)), axis=1)
    joined = graph.node("Concat", first, mean, axis=1)
    hidden = graph.node("Tanh", graph.linear(joined, "hidden", weights))
    odds = graph.node(
        "MatMul", hidden, graph.constant("odds.weight", weights["odds.weight"].T.copy())
    )
    bias = graph.constant("odds.bias", weights["odds.bias"])
    graph.nodes.append(helper.make_node("Add", [odds, bias], ["odds"]))


def network_graph(weights: Weights) -> ModelProto:
    """The graph of a cross-encoder's weights, by the names of its modules."""
    graph = GraphBuilder()
    states = _embedded(graph, weights)
    mask = graph.node("Cast", "mask", to=TensorProto.INT32)
    n_layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    for i in range(n_layers):
        states = _layer(graph, states, mask, f"layers.{i}", weights)
    _head(graph, states, weights)
    shape = ["pairs", "tokens"]
    kinds = {"ids": TensorProto.INT64, "sides": TensorProto.INT64, "mask": TensorProto.BOOL}
    inputs = [helper.make_tensor_value_info(name, kind, shape) for name, kind in kinds.items()]
    output = helper.make_tensor_value_info("odds", TensorProto.FLOAT, ["pairs", 3])
    whole = helper.make_graph(graph.nodes, "cross-encoder", inputs, [output], graph.constants)
    operators = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_OURS, 1)]
    return helper.make_model(whole, opset_imports=operators, ir_version=_IR)


def write_bundle(
    weights: Weights, vocabulary: Path, about: Mapping[str, Any], folder: Path
) -> None:
    """Write graph, vocabulary and record; the record, with the hashes of both, comes last."""
    folder.mkdir(parents=True, exist_ok=True)
    save_model(network_graph(weights), folder / GRAPH)
    (folder / VOCABULARY).write_bytes(vocabulary.read_bytes())
    hashes = {
        name: sha256((folder / name).read_bytes()).hexdigest() for name in (GRAPH, VOCABULARY)
    }
    bundle = Bundle(folder, hashes, dict(about))
    (folder / RECORD).write_text(json.dumps(bundle.to_json(), indent=1) + "\n", "utf-8")


def main() -> None:
    """Export the last checkpoint of a training."""
    import argparse

    from safetensors.numpy import load_file

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--about", type=Path, help="JSON to keep in the record")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    prefix = "network."
    weights = {
        name.removeprefix(prefix): values
        for name, values in load_file(asked.checkpoint).items()
        if name.startswith(prefix)
    }
    about = json.loads(asked.about.read_text("utf-8")) if asked.about else {}
    write_bundle(weights, asked.vocabulary, about, asked.output)


if __name__ == "__main__":
    main()
