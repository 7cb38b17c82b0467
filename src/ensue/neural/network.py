"""The network at work: pairs as token ids in batches, log odds of the three labels out.

What a pair gets does not depend on what is judged beside it: activations are rounded token by token,
and arrays are as wide as a multiple of eight and have an even number of rows, since kernels treat
a last odd row in another way.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.concurrency import made_once
from ensue.errors import DataError
from ensue.installation import restore_file
from ensue.pairs import Label, Pair

FIRST, SEPARATOR = 101, 102
"""The ids of `[CLS]` and `[SEP]` in the vocabulary of BERT."""
_SPECIAL = 3
_STEP = 8
"""Arrays are as wide as a multiple of it."""
_WINDOWS = 16
"""Windows of one text that are judged at the most."""
_TENTH = 10
_HALF = re.compile("[\ud800-\udfff]")


def is_held_out(pair: Pair) -> bool:
    """Whether a pair is of the tenth that nothing is trained on.

    Drawn by its text, so that the pairs about one text are on one side.
    """
    digest = hashlib.blake2b(" ".join(pair.text.split()).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _TENTH == 0


@dataclass(frozen=True, slots=True)
class TokenizedPair:
    """The ids of one pair's sides, without special tokens."""

    text: list[int]
    hypothesis: list[int]

    def __len__(self) -> int:
        return len(self.text) + len(self.hypothesis) + _SPECIAL

    def cut(self, most: int) -> TokenizedPair:
        """The pair with the end of its text, and then of its hypothesis, cut off."""
        room = most - _SPECIAL
        hypothesis = self.hypothesis[: max(room - min(len(self.text), room // 2), 0)]
        return TokenizedPair(self.text[: room - len(hypothesis)], hypothesis)


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Pairs of about one length as arrays: a row each, zeros behind its end."""

    ids: NDArray[np.int64]
    sides: NDArray[np.int64]
    """0 for the text and the tokens around it, 1 for the hypothesis and its end."""
    mask: NDArray[np.bool_]
    """False at padding."""


class PairTokenizer:
    """WordPiece by the library `tokenizers`, lowercased, from a vocabulary of a token a line.

    Names of special tokens in a text are words like others: none of them gets a special id. Half
    characters, which UTF-8 cannot hold, are left out.
    """

    def __init__(self, vocabulary: Path) -> None:
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

        tokens = vocabulary.read_text("utf-8").split("\n")
        ids = {token: i for i, token in enumerate(tokens) if token}
        self._tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
        self._tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        self._tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()

    def __call__(self, texts: Sequence[str], hypotheses: Sequence[str]) -> list[TokenizedPair]:
        """The ids of each pair; a side that stands several times is tokenized once."""
        distinct = list(dict.fromkeys([*texts, *hypotheses]))
        readable = [_HALF.sub("\ufffd", side) for side in distinct]
        found = self._tokenizer.encode_batch(readable, add_special_tokens=False)
        known = {side: each.ids for side, each in zip(distinct, found, strict=True)}
        return [
            TokenizedPair(known[text], known[hypothesis])
            for text, hypothesis in zip(texts, hypotheses, strict=True)
        ]


def token_batch(pairs: Sequence[TokenizedPair]) -> TokenBatch:
    """One array of all pairs, as wide as the longest of them."""
    width = -(-max(map(len, pairs)) // _STEP) * _STEP
    ids = np.zeros((len(pairs), width), np.int64)
    sides = np.zeros_like(ids)
    mask = np.zeros(ids.shape, np.bool_)
    for i, pair in enumerate(pairs):
        row = [FIRST, *pair.text, SEPARATOR, *pair.hypothesis, SEPARATOR]
        ids[i, : len(row)] = row
        sides[i, len(pair.text) + 2 : len(row)] = 1
        mask[i, : len(row)] = True
    return TokenBatch(ids, sides, mask)


def sorted_batches(lengths: Sequence[int], size: int) -> Iterator[NDArray[np.intp]]:
    """The numbers of pairs in batches of about one length, so that little is padding."""
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), size):
        yield order[start : start + size]


def windows(pair: TokenizedPair, most: int) -> list[TokenizedPair]:
    """The pair where it is short enough; else its text in windows that overlap by a half.

    Of very many windows those are kept that share most tokens with the hypothesis.
    """
    if len(pair) <= most:
        return [pair]
    hypothesis = pair.cut(most).hypothesis
    room = most - _SPECIAL - len(hypothesis)
    step = max(room // 2, 1)
    starts = range(0, max(len(pair.text) - room, 0) + step, step)
    found = [TokenizedPair(pair.text[start : start + room], hypothesis) for start in starts]
    if len(found) > _WINDOWS:
        asked = set(hypothesis)
        shared = [len(asked.intersection(each.text)) for each in found]
        kept = np.sort(np.argsort(shared, kind="stable")[::-1][:_WINDOWS])
        found = [found[i] for i in kept]
    return found


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
