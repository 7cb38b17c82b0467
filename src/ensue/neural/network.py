"""The network at work: pairs in, log odds of the three labels out, by onnxruntime on a CPU.

What a pair gets does not depend on what is judged beside it: activations are rounded token by token,
and arrays are as wide as a multiple of eight and have an even number of rows, since kernels treat
a last odd row in another way.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.concurrency import made_once
from ensue.errors import DataError
from ensue.installation import restore_file
from ensue.neural.tokens import (
    PairTokenizer,
    TokenizedPair,
    sorted_batches,
    token_batch,
    windows,
)
from ensue.pairs import Label

GRAPH, VOCABULARY, RECORD = "network.onnx", "vocabulary.txt", "network.json"
"""The files of a network, side by side in one folder."""
SHIPPED = Path(__file__).with_name("trained")
"""The folder of the network that comes with the package."""
ORDER = (Label.ENTAILMENT, Label.UNKNOWN, Label.CONTRADICTION)
"""Which label each output stands for."""
_FORMAT = 1
_LONGEST = 192
"""Tokens of both sides and the three around them: what it was trained on."""
_BATCH = 16
_DIGITS = 5
"""To which log odds are rounded: sums in another order differ behind them."""

LogOdds = NDArray[np.float64]
"""A row for each pair, a column for each label of `ORDER`."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a folder says of the network in it."""

    folder: Path
    hashes: Mapping[str, str]
    about: Mapping[str, Any] = field(default_factory=dict)
    """What it was trained from: the base encoder, the data, the figures."""

    @property
    def identity(self) -> str:
        """A short name of the weights, for signatures."""
        return self.hashes[GRAPH][:12]

    def to_json(self) -> dict[str, Any]:
        """The record in values that JSON can hold."""
        return {"ensue_network": _FORMAT, "hashes": dict(self.hashes), **self.about}


def read_bundle(folder: Path | None = None) -> Bundle:
    """The record of a network, whose files are there and are those that it tells of.

    Args:
        folder: Where it is; None is the network that comes with the package.

    Raises:
        DataError: a file is missing, damaged or of another version.
    """
    folder = SHIPPED if folder is None else folder
    try:
        record = json.loads((folder / RECORD).read_text("utf-8"))
        version = record.pop("ensue_network")
        told = record.pop("hashes")
        hashes = {name: str(told[name]) for name in (GRAPH, VOCABULARY)}
    except OSError as error:
        raise _broken(folder / RECORD, f"the network is not there ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _broken(folder / RECORD, f"the network's record cannot be read ({error})") from None
    if version != _FORMAT:
        raise _broken(folder / RECORD, f"the network is of format {version!r}, not {_FORMAT}")
    for name, due in hashes.items():
        try:
            found = sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise _broken(folder / name, f"the network is not there ({error.strerror})") from None
        if found != due:
            raise _broken(folder / name, "the network's file is damaged or was changed")
    return Bundle(folder, hashes, record)


def _broken(path: Path, message: str) -> DataError:
    return DataError(
        "network-unreadable", message, place=str(path), hint=f"run: {restore_file(path.parent)}"
    )


class PairNetwork:
    """A cross-encoder that any number of threads may ask; another process opens its own."""

    def __init__(self, folder: Path) -> None:
        # Its packages identify the machine and report to their makers, unless told before they are
        # loaded; who has said otherwise for a program of their own is heard.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        from onnxruntime import InferenceSession, SessionOptions

        self.folder = folder
        self.bundle = read_bundle(folder)
        self.tokenizer = PairTokenizer(folder / VOCABULARY)
        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # pairs are many and short: processes share them out better than threads share one
        options.enable_cpu_mem_arena = False  # keeps the largest batch ever seen
        options.log_severity_level = 3
        try:
            self._session = InferenceSession(
                folder / GRAPH, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's errors have no class of their own to name
            raise _broken(folder / GRAPH, f"the network cannot be run ({error})") from None

    @property
    def identity(self) -> str:
        """A short name of the weights, for signatures."""
        return self.bundle.identity

    @property
    def temperature(self) -> float:
        """What log odds are divided by, so that probabilities are what they say."""
        return float(self.bundle.about.get("temperature", 1.0))

    def log_odds(self, texts: Sequence[str], hypotheses: Sequence[str]) -> LogOdds:
        """Three log odds a pair; of a long text the window decides that speaks most for entailment."""
        if not texts:
            return np.zeros((0, len(ORDER)))
        pairs = self.tokenizer(texts, hypotheses)
        cut = [windows(pair, _LONGEST) for pair in pairs]
        counts = [len(each) for each in cut]
        found = self._run([window for each in cut for window in each])
        ends = np.cumsum(counts)
        rows = [found[end - n : end] for n, end in zip(counts, ends, strict=True)]
        return np.stack([each[_margin(each).argmax()] for each in rows])

    def _run(self, pairs: Sequence[TokenizedPair]) -> LogOdds:
        found = np.zeros((len(pairs), len(ORDER)))
        for rows in sorted_batches([len(each) for each in pairs], _BATCH):
            asked = [pairs[i] for i in rows]
            # the head has a row a pair, and kernels add up a last odd row in another order
            batch = token_batch(asked + asked[-1:] if len(asked) % 2 else asked)
            inputs = {"ids": batch.ids, "sides": batch.sides, "mask": batch.mask}
            (odds,) = self._session.run(None, inputs)
            found[rows] = odds[: len(rows)]
        return found.round(_DIGITS)

    def __reduce__(self) -> tuple[Any, ...]:
        """The folder: another process opens the network there."""
        return PairNetwork, (self.folder,)


def _margin(odds: LogOdds) -> NDArray[np.float64]:
    """How much speaks for entailment against what speaks most against it."""
    return np.asarray(odds[:, 0] - odds[:, 1:].max(axis=1))


@made_once
def shipped_network() -> PairNetwork:
    """The network that comes with the package."""
    return PairNetwork(SHIPPED)
