"""Sentences, terms and paraphrases as numbered words, with their stems, all cut in one go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ensue.paraphrase.model import Indices
from ensue.paraphrase.recognition.tasks import Flags
from ensue.paraphrase.words import NO_CONTENT, is_content_word
from ensue.surface.stemming import stems
from ensue.surface.tokenizers import WORDS
from ensue.surface.tokens import Tokens, tokenize


@dataclass(frozen=True, eq=False)
class Wording:
    """Groups of strings in words; equal words have equal numbers in all groups."""

    tokens: Tokens
    bounds: tuple[int, ...]
    """Where each group begins among the strings, with the end of the last."""
    no_content: Collection[str]
    """Words that say nothing by themselves."""

    @classmethod
    def of(cls, *groups: Sequence[str], no_content: Collection[str] | None = None) -> Wording:
        """Cut the strings of several groups into words in lower case.

        Args:
            *groups: Of strings.
            no_content: Words that say nothing by themselves; the list that ships where it is None.
        """
        strings = [string for group in groups for string in group]
        bounds = np.cumsum([0, *map(len, groups)]).tolist()
        chosen = NO_CONTENT if no_content is None else {word.lower() for word in no_content}
        return cls(tokenize(strings, WORDS), tuple(bounds), chosen)

    @cached_property
    def vocabulary(self) -> list[str]:
        """The distinct words."""
        return self.tokens.vocabulary()

    @cached_property
    def has_content(self) -> Flags:
        """For each distinct word whether it says something."""
        flags = [is_content_word(word, self.no_content) for word in self.vocabulary]
        return np.array(flags, np.bool_)

    @cached_property
    def _stemmed(self) -> tuple[list[bytes], Indices]:
        number: dict[str, int] = {}
        found = [number.setdefault(stem, len(number)) for stem in stems(self.vocabulary)]
        spelled = [stem.encode("utf-8", "surrogatepass") for stem in number]
        return spelled, np.array(found, np.int64)

    def kin(self, words: Indices) -> tuple[Indices, int]:
        """Which distinct words share a stem with some of them, given by number.

        Returns:
            For each distinct word the number of its stem, -1 where it is the stem of none of those
            words; and how many stems those have.
        """
        _, stem_of = self._stemmed
        wanted = np.unique(stem_of[words])
        number = np.full(int(stem_of.max(initial=-1)) + 1, -1, np.int64)
        number[wanted] = np.arange(len(wanted))
        return number[stem_of], len(wanted)

    def words(self, group: int) -> tuple[Indices, Indices]:
        """The words of a group's strings, one after the other, and for each the number of its string."""
        offsets = self._offsets(group)
        ids = self.tokens.ids[offsets[0] : offsets[-1]].astype(np.int64)
        return ids, np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))

    def says_something(self, group: int) -> Flags:
        """For each string of a group whether it has a content word."""
        ids, string = self.words(group)
        n = self.bounds[group + 1] - self.bounds[group]
        return np.bincount(string[self.has_content[ids]], minlength=n) > 0

    def padded(self, group: int, *, by_stems: bool = False) -> list[bytes]:
        """Each string of a group as its words or stems with one blank around each.

        That makes word boundaries plain characters: " killed " is not in " skilled ". A string
        without words is empty.
        """
        if by_stems:
            spelled, number = self._stemmed
        else:
            spelled, number = self.tokens.encoded_vocabulary(), np.arange(self.tokens.n_distinct)
        offsets = self._offsets(group)
        ids = number[self.tokens.ids[offsets[0] : offsets[-1]]]
        each = list(map(spelled.__getitem__, ids.tolist()))
        ends = (offsets - offsets[0]).tolist()
        return [b" %b " % b" ".join(each[i:j]) if j > i else b"" for i, j in pairwise(ends)]

    def _offsets(self, group: int) -> Indices:
        return self.tokens.offsets[self.bounds[group] : self.bounds[group + 1] + 1]
