"""Outputs and their references as token numbers: what BLEU, NIST and TER of translations share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ensue.errors import SettingError
from ensue.surface.tokenizers import Tokenizer
from ensue.surface.tokens import Tokens, tokenize

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentTokens:
    """The tokens of many outputs and of the references of each.

    Every different string is there once: the references of a segment are cut once for all systems.
    """

    tokens: Tokens
    """Of the different strings."""
    outputs: Indices
    """The string of each output."""
    references: Indices
    """The strings of all references, output after output."""
    first: Indices
    """Where each output's references begin in `references`, with the end of the last."""
    tokenizer: Tokenizer
    lowercase: bool

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def output_length(self) -> Indices:
        """How many tokens each output has."""
        return self.tokens.lengths[self.outputs]

    @property
    def reference_lengths(self) -> Indices:
        """How many tokens each reference has, output after output."""
        return self.tokens.lengths[self.references]

    def mean_reference_length(self) -> NDArray[np.float64]:
        """The mean length of each output's references."""
        if len(self) == 0:
            return np.zeros(0)
        return np.add.reduceat(self.reference_lengths, self.first[:-1]) / np.diff(self.first)

    def closest_reference_length(self) -> Indices:
        """The length of each output's reference that is nearest to its own; of two, the shorter."""
        lengths = self.reference_lengths
        owner = np.repeat(np.arange(len(self)), np.diff(self.first))
        distance = np.abs(lengths - self.output_length[owner])
        order = np.lexsort((lengths, distance, owner))
        return lengths[order[self.first[:-1]]]


def tokenize_segments(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    tokenizer: Tokenizer,
    *,
    lowercase: bool = True,
) -> SegmentTokens:
    """Cut outputs and their references into tokens.

    Args:
        outputs: What systems wrote, one string a segment.
        references: For each output, one reference or more; they may differ in number.
        tokenizer: How strings are cut.
        lowercase: Whether capitals count as small letters.

    Raises:
        SettingError: outputs and references differ in number, or an output has no reference.
    """
    _check(outputs, references)
    strings = [*outputs, *chain.from_iterable(references)]
    distinct = list(dict.fromkeys(strings))
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    numbers = np.fromiter(map(number.__getitem__, strings), np.int64, len(strings))
    counts = np.fromiter(map(len, references), np.int64, len(references))
    return SegmentTokens(
        tokenize(distinct, tokenizer, lowercase=lowercase),
        numbers[: len(outputs)],
        numbers[len(outputs) :],
        np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
        tokenizer,
        lowercase,
    )


def _check(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    if len(outputs) != len(references):
        raise SettingError(
            f"{len(outputs)} outputs do not go with the references of {len(references)}",
            hint="give one output and its references for each segment",
        )
    for i, several in enumerate(references):
        if isinstance(several, str):
            raise SettingError(
                f"the references of output {i} are one string: {several!r}",
                hint="put it in a list, also where it is the only one",
            )
        if not several:
            raise SettingError(
                f"output {i} has no reference",
                hint="an empty string is a reference that says nothing",
            )
