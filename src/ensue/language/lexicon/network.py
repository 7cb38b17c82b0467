"""Synsets, their words, and the ways between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UnknownNameError
from ensue.language.lexicon.graphs import (
    ANY,
    Edges,
    as_steps,
    edges,
    general_steps,
    hypernym_steps,
)
from ensue.language.lexicon.kernels import Numbers, Offsets, Reach, Steps, climb
from ensue.language.lexicon.likeness import Hierarchy
from ensue.language.lexicon.measures import hierarchy_of
from ensue.language.lexicon.morphology import normalized
from ensue.language.lexicon.parts import (
    HOLONYMS,
    KIN,
    PARTS,
    PartOfSpeech,
    Relation,
    part_of_speech,
)
from ensue.language.lexicon.vocabulary import Vocabulary, offsets_of


@dataclass(frozen=True, eq=False)
class Network:
    """The synsets of the table; each graph is made when it is first asked for."""

    vocabulary: Vocabulary

    @property
    def n_synsets(self) -> int:
        """Synsets of all parts of speech."""
        return len(self.vocabulary.table["synsets.offset"])

    @cached_property
    def member_offsets(self) -> Offsets:
        """Where each synset's senses begin in `members`, with the end of the last."""
        return offsets_of(self.vocabulary.table["synsets.members"])

    @cached_property
    def members(self) -> NDArray[np.int64]:
        """The senses of each synset, in its own order of words."""
        table = self.vocabulary.table
        places = self.member_offsets[table["senses.synset"]] + table["senses.rank"]
        found = np.empty(len(places), np.int64)
        found[places] = np.arange(len(places))
        return found

    @cached_property
    def hypernyms(self) -> Steps:
        """Steps up the hierarchy, instances included."""
        return hypernym_steps(self.vocabulary.table.arrays, self.n_synsets)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """All ancestors, depths and information content."""
        reach = climb(self.hypernyms, np.full(self.n_synsets, ANY, np.uint8))
        return hierarchy_of(self.vocabulary.table, self.hypernyms, reach)

    @cached_property
    def generality(self) -> Reach:
        """All that says no more than each synset; an adjective goes one step, others any number."""
        table = self.vocabulary.table
        furthest = np.full(self.n_synsets, ANY, np.uint8)
        start, end = table["synsets.starts"][PartOfSpeech.ADJECTIVE.number :][:2]
        furthest[start:end] = 1
        return climb(general_steps(table.arrays, self.n_synsets), furthest)

    @cached_property
    def wholes(self) -> Steps:
        """Steps to what a synset is part, member or substance of."""
        table = self.vocabulary.table
        return as_steps([edges(table.arrays, kind) for kind in HOLONYMS], self.n_synsets)

    @cached_property
    def is_instance(self) -> NDArray[np.bool_]:
        """Whether each synset is one thing that has a name, as Paris is, and no kind of things."""
        found = np.zeros(self.n_synsets, np.bool_)
        found[edges(self.vocabulary.table.arrays, Relation.INSTANCE_HYPERNYM)[0]] = True
        return found

    @cached_property
    def antonyms(self) -> Steps:
        """Steps from a sense to its opposites."""
        return self._between_senses((Relation.ANTONYM,), both_ways=False)

    @cached_property
    def kin(self) -> Steps:
        """Steps between senses of one root: derivations, pertainyms, participles, both ways."""
        return self._between_senses(KIN, both_ways=True)

    def _between_senses(self, relations: Sequence[Relation], *, both_ways: bool) -> Steps:
        table = self.vocabulary.table
        there = [edges(table.arrays, relation) for relation in relations]
        back = [(target, source) for source, target in there] if both_ways else []
        return as_steps([*there, *back], len(table["senses.synset"]))

    @cached_property
    def backward(self) -> Mapping[Relation, Edges]:
        """Of each relation the targets, increasing, and their sources."""
        found = {}
        for relation in Relation:
            here, there = edges(self.vocabulary.table.arrays, relation)
            order = np.argsort(there, kind="stable")
            found[relation] = there[order], here[order]
        return found

    def part(self, synset: int) -> PartOfSpeech:
        """The part of speech of a synset."""
        starts = self.vocabulary.table["synsets.starts"]
        return PARTS[int(np.searchsorted(starts, synset, "right")) - 1]

    def words(self, synset: int) -> tuple[str, ...]:
        """The words of a synset."""
        start, end = self.member_offsets[synset : synset + 2]
        vocabulary = self.vocabulary
        senses = self.members[start:end].tolist()
        return tuple(vocabulary.word(vocabulary.entry_of_sense(sense)) for sense in senses)

    def words_of(self, synsets: Iterable[int]) -> tuple[str, ...]:
        """The words of many synsets, each once."""
        return tuple(dict.fromkeys(word for synset in synsets for word in self.words(synset)))

    def name(self, synset: int) -> str:
        """The first word of a synset, its part of speech and the number of that word's sense."""
        sense = int(self.members[self.member_offsets[synset]])
        entry = self.vocabulary.entry_of_sense(sense)
        number = sense - int(self.vocabulary.sense_offsets[entry]) + 1
        word = self.vocabulary.word(entry).replace(" ", "_")
        return f"{word}.{self.part(synset).letter}.{number:02d}"

    def called(self, name: str) -> int:
        """The synset of that name: a word, a part of speech and a number, with dots between.

        Raises:
            UnknownNameError: there is none.
        """
        word, letter, number = name.rsplit(".", 2) if name.count(".") > 1 else (name, "n", "")
        found = self.vocabulary.find([normalized(word)])
        entry = int(self.vocabulary.entry(found, part_of_speech(letter))[0])
        senses = self.vocabulary.senses([entry] if entry >= 0 else [])
        if not number.isdecimal() or not 0 < int(number) <= len(senses):
            raise UnknownNameError(f"no synset is called {name!r}", hint="e.g. 'dog.n.01'")
        return int(self.vocabulary.table["senses.synset"][senses[int(number) - 1]])

    def targets(self, relation: Relation, sources: Sequence[int] | NDArray[np.integer]) -> Numbers:
        """Where a relation leads from synsets, or from senses if it is one of words."""
        return _looked_up(*edges(self.vocabulary.table.arrays, relation), sources)

    def sources(self, relation: Relation, targets: Sequence[int] | NDArray[np.integer]) -> Numbers:
        """Whence a relation leads to synsets or senses."""
        return _looked_up(*self.backward[relation], targets)


def _looked_up(
    keys: Numbers, values: Numbers, wanted: Sequence[int] | NDArray[np.integer]
) -> Numbers:
    """The values of the wanted keys, in the order in which they are wanted; keys are sorted."""
    starts = np.searchsorted(keys, wanted, "left")
    ends = np.searchsorted(keys, wanted, "right")
    parts = [values[start:end] for start, end in zip(starts, ends, strict=True)]
    return np.concatenate([np.zeros(0, np.int32), *parts])
