"""Train the cross-encoder: stages of pairs, checkpoints that survive a kill, a log with its curve.

    python -m ensue.neural.training PLAN.json -o DIR

A plan names the base encoder and its stages; a stage names files of pairs, how many of each, and
the learning rate. The order of pairs is drawn from the seed and the stage alone, so that a step is all that a checkpoint
has to say about the data. Words' vectors stay as they are in the base encoder: the training pairs
hold a part of the vocabulary, and moving that part away from the rest would cost the rest its meaning.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from ensue.errors import DataError
from ensue.neural.network import (
    ORDER,
    PairTokenizer,
    TokenizedPair,
    is_held_out,
    sorted_batches,
    token_batch,
)
from ensue.pairs import Label, Pair, read_pairs

# The cross-encoder in torch, and its base weights from ONNX: a BERT encoder (Devlin et al. 2019) over
# `[CLS] text [SEP] hypothesis [SEP]`, whose head reads the first token and the mean of all. Judging
# runs the exported graph, without torch.

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


# Plans and the pairs that they name.

_NOT = len(ORDER)
"""The class of 2-way gold that is no entailment: unknown and contradiction together."""
_CLASSES = {**{label: i for i, label in enumerate(ORDER)}, Label.NOT_ENTAILMENT: _NOT}


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """A file of pairs, and what of it one stage learns from."""

    path: str
    count: int | None = None
    """How many pairs at the most; all where it is None."""
    held_out: bool = True
    """Whether the tenth of `held_out` is left out of it."""


@dataclass(frozen=True, slots=True)
class TrainingStage:
    """One pass over a mixture of sources."""

    name: str
    sources: tuple[TrainingSource, ...]
    rate: tuple[float, float]
    """The learning rate at its first step and at its last; linear between them."""
    steps: int | None = None
    """Where it ends, if not with the last of its pairs."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """All that the weights depend on."""

    encoder: str
    """The base encoder in ONNX."""
    vocabulary: str
    stages: tuple[TrainingStage, ...]
    batch: int = 32
    longest: int = 192
    """Tokens of a pair; of longer ones the text is cut."""
    warm_up: int = 300
    """Steps of the first stage in which the rate grows from zero."""
    decay: float = 0.01
    """AdamW's weight decay."""
    seed: int = 0
    development: tuple[str, ...] = ()
    """Files of which a sample of the held-out tenth is judged at every checkpoint."""


def read_plan(path: Path) -> TrainingPlan:
    """A plan from its JSON; paths in it are relative to its folder, or absolute."""
    data = json.loads(path.read_text("utf-8"))
    stages = tuple(
        TrainingStage(
            each["name"],
            tuple(TrainingSource(**source) for source in each["sources"]),
            (each["rate"][0], each["rate"][1]),
            each.get("steps"),
        )
        for each in data.pop("stages")
    )
    development = tuple(data.pop("development", ()))
    return TrainingPlan(stages=stages, development=development, **data)


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """The ids of a pair, and the class that it is to get."""

    tokens: TokenizedPair
    target: int


def _drawn(source: TrainingSource, rng: np.random.Generator, root: Path) -> list[Pair]:
    pairs = [
        pair
        for pair in read_pairs(root / source.path)
        if pair.gold is not None and not (source.held_out and is_held_out(pair))
    ]
    if source.count is not None and source.count < len(pairs):
        pairs = [pairs[i] for i in rng.permutation(len(pairs))[: source.count]]
    return pairs


def _stage_batches(
    stage: TrainingStage, number: int, plan: TrainingPlan, tokenizer: PairTokenizer, root: Path
) -> list[list[TrainingPair]]:
    """The batches of one stage in their order: pairs of like length together, shuffled."""
    rng = np.random.default_rng([plan.seed, number])
    pairs = [pair for source in stage.sources for pair in _drawn(source, rng, root)]
    tokens = tokenizer([pair.text for pair in pairs], [pair.hypothesis for pair in pairs])
    learned = [
        TrainingPair(each.cut(plan.longest), _CLASSES[pair.gold])
        for each, pair in zip(tokens, pairs, strict=True)
        if pair.gold is not None
    ]
    order = rng.permutation(len(learned))
    batches = []
    chunk = plan.batch * 50  # enough to find neighbors in length, few enough to stay mixed
    for start in range(0, len(order), chunk):
        part = [learned[i] for i in order[start : start + chunk]]
        for rows in sorted_batches([len(each.tokens) for each in part], plan.batch):
            batches.append([part[i] for i in rows])
    return [batches[i] for i in rng.permutation(len(batches))][: stage.steps]


def _tensors(pairs: Sequence[TokenizedPair]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    batch = token_batch(pairs)
    return torch.from_numpy(batch.ids), torch.from_numpy(batch.sides), torch.from_numpy(batch.mask)


def pair_loss(odds: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The mean cross-entropy; 2-way gold asks only how likely entailment is."""
    logs = F.log_softmax(odds, dim=-1)
    logs = torch.cat([logs, torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)], dim=-1)
    return F.nll_loss(logs, targets)


class Trainer:
    """A network on its way through a plan."""

    def __init__(self, plan: TrainingPlan, folder: Path, *, root: Path) -> None:
        self.plan, self.folder, self.root = plan, folder, root
        self.tokenizer = PairTokenizer(root / plan.vocabulary)
        self.network = base_encoder(root / plan.encoder, seed=plan.seed)
        self.network.words.weight.requires_grad_(False)
        learned = [each for each in self.network.parameters() if each.requires_grad]
        kept = [each for each in learned if each.ndim < 2]  # biases and norms do not decay
        decayed = [each for each in learned if each.ndim >= 2]
        groups = [{"params": decayed, "weight_decay": plan.decay}, {"params": kept}]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.0, fused=True)
        self.stage, self.step = 0, 0
        self._resume()

    def run(self, *, checkpoint: int = 500) -> None:
        """Train to the end of the plan, with a checkpoint every so many steps."""
        development = self._development()
        while self.stage < len(self.plan.stages):
            stage = self.plan.stages[self.stage]
            batches = _stage_batches(stage, self.stage, self.plan, self.tokenizer, self.root)
            losses: list[float] = []
            began = time.perf_counter()
            while self.step < len(batches):
                losses.append(self._learn(batches[self.step], len(batches)))
                self.step += 1
                if self.step % checkpoint == 0 or self.step == len(batches):
                    seconds = time.perf_counter() - began
                    self._log(stage.name, len(batches), losses, seconds, development)
                    self._save()
                    losses, began = [], time.perf_counter()
            self.stage, self.step = self.stage + 1, 0
            self._save()

    def _rate(self, steps: int) -> float:
        first, last = self.plan.stages[self.stage].rate
        rate = first + (last - first) * self.step / max(steps, 1)
        warm = (self.step + 1) / self.plan.warm_up if self.stage == 0 else 1.0
        return rate * min(warm, 1.0)

    def _learn(self, batch: Sequence[TrainingPair], steps: int) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate(steps)
        targets = torch.tensor([each.target for each in batch])
        with torch.autocast("cpu", torch.bfloat16):
            odds = self.network(*_tensors([each.tokens for each in batch]))
        loss = pair_loss(odds.float(), targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return float(loss.detach())

    # What a kill leaves behind: the weights and the optimizer's moments, written whole.

    @property
    def _state_path(self) -> Path:
        return self.folder / "checkpoint.safetensors"

    def _save(self) -> None:
        tensors = {f"network.{k}": v.contiguous() for k, v in self.network.state_dict().items()}
        for i, state in self.optimizer.state_dict()["state"].items():
            tensors.update({f"optimizer.{i}.{name}": value for name, value in state.items()})
        where = {"stage": str(self.stage), "step": str(self.step)}
        partial = self._state_path.with_suffix(".partial")
        save_file(tensors, partial, metadata=where)
        partial.replace(self._state_path)

    def _resume(self) -> None:
        if not self._state_path.exists():
            return
        from safetensors import safe_open

        with safe_open(self._state_path, "pt") as file:
            where = file.metadata()
        self.stage, self.step = int(where["stage"]), int(where["step"])
        tensors = load_file(self._state_path)
        self.network.load_state_dict(_under(tensors, "network."))
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, value in _under(tensors, "optimizer.").items():
            i, _, key = name.partition(".")
            state.setdefault(int(i), {})[key] = value
        whole = self.optimizer.state_dict()
        self.optimizer.load_state_dict({**whole, "state": state})

    # What the curve is drawn from.

    def _development(self) -> dict[str, list[TrainingPair]]:
        found = {}
        for path in self.plan.development:
            pairs = [p for p in read_pairs(self.root / path) if p.gold and is_held_out(p)][:600]
            tokens = self.tokenizer([p.text for p in pairs], [p.hypothesis for p in pairs])
            found[Path(path).name.partition(".")[0]] = [
                TrainingPair(each.cut(self.plan.longest), _CLASSES[pair.gold])
                for each, pair in zip(tokens, pairs, strict=True)
                if pair.gold
            ]
        return found

    def _log(
        self,
        stage: str,
        steps: int,
        losses: Sequence[float],
        seconds: float,
        development: dict[str, list[TrainingPair]],
    ) -> None:
        line = {
            "stage": stage,
            "step": self.step,
            "steps": steps,
            "loss": round(float(np.mean(losses)), 4),
            "pairs_per_second": round(len(losses) * self.plan.batch / seconds, 1),
            "accuracy": {
                name: round(accuracy(self.network, pairs), 4) for name, pairs in development.items()
            },
        }
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def _under(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}


def all_odds(network: CrossEncoder, pairs: Sequence[TokenizedPair]) -> torch.Tensor:
    """The log odds of many pairs, in their order."""
    found = torch.zeros(len(pairs), len(ORDER))
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for rows in sorted_batches([len(each) for each in pairs], 64):
            found[rows] = network(*_tensors([pairs[i] for i in rows])).float()
    return found


def accuracy(network: CrossEncoder, pairs: Sequence[TrainingPair]) -> float:
    """The share of pairs whose likeliest label is the gold one, in the view of the gold."""
    chances = torch.softmax(all_odds(network, [each.tokens for each in pairs]), dim=-1)
    best = chances.argmax(dim=-1).tolist()
    right = 0
    for each, label, chance in zip(pairs, best, chances[:, 0].tolist(), strict=True):
        right += (chance <= 0.5) if each.target == _NOT else label == each.target
    return right / len(pairs)


def main() -> None:
    """Run a plan from its last checkpoint to its end."""
    import argparse

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("plan", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    asked.output.mkdir(parents=True, exist_ok=True)
    Trainer(read_plan(asked.plan), asked.output, root=asked.plan.parent).run()


if __name__ == "__main__":
    main()
