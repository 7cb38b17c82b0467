"""The lexicon: meanings of words and relations between them; the one that is shipped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ensue.concurrency import made_once
from ensue.errors import DataError, SettingError
from ensue.language.lexicon.derivation import Formation, Verbs
from ensue.language.lexicon.kernels import any_shared, any_step, fewest_steps
from ensue.language.lexicon.network import Lemma, Meanings, Network, meanings_of
from ensue.language.lexicon.similarity import (
    as_synsets,
    measure_called,
    require_hierarchy,
    synset_likenesses,
    word_likenesses,
)
from ensue.language.lexicon.vocabulary import (
    HINT,
    KIN,
    PARTS,
    LexiconTable,
    PartOfSpeech,
    Relation,
    Vocabulary,
    normalized,
    part_of_speech,
    read_table,
    relation as relation_called,
    walk,
)

# The lexicon: what words mean, and what their meanings are to one another.


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words and the relations between them, over a table that is mapped into memory.

    Words may be in any case and inflected; collocations are written with spaces or underscores. A
    part of speech is noun, verb, adjective or adverb, or WordNet's letter for it. A word that is not
    there has no synsets. Words come back in lower case with spaces. Synsets are numbers.
    """

    table: LexiconTable

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Words, entries and senses."""
        return Vocabulary(self.table)

    @cached_property
    def network(self) -> Network:
        """Synsets and the ways between them."""
        return Network(self.vocabulary)

    @cached_property
    def verbs(self) -> Verbs:
        """The uses of verbs."""
        return Verbs(self.network)

    @cached_property
    def formation(self) -> Formation:
        """What words are made from."""
        return Formation(self.network)

    # One word

    def lemmas(self, word: str, pos: str) -> tuple[str, ...]:
        """The base forms that a word may have, itself first if it is one."""
        return tuple(self.vocabulary.word(entry) for entry in self._entries(word, pos))

    def base_form(self, word: str) -> str:
        """The lemma that a word most often is, whatever its part of speech; itself where none.

        How often is counted over the texts that WordNet's makers tagged; of equals the first.
        """
        counts = self.table["senses.count"]
        best, most = normalized(word), -1
        for part in PARTS:
            for entry in self.vocabulary.entries([word], part)[0]:
                count = int(counts[self.vocabulary.senses([entry])].sum())
                if count > most:
                    best, most = self.vocabulary.word(entry), count
        return best

    def synsets(self, word: str, pos: str, *, senses: int | None = None) -> NDArray[np.int32]:
        """The synsets of a word, most frequent first; of each lemma the first `senses` only."""
        found = self.vocabulary.senses(self._entries(word, pos), senses)
        return np.array(_distinct(self.table["senses.synset"][found]), np.int32)

    def counts(self, word: str, pos: str) -> NDArray[np.int64]:
        """How often the word's lemmas stand for each of its synsets in the texts tagged."""
        senses = self.vocabulary.senses(self._entries(word, pos))
        found = dict.fromkeys(self.table["senses.synset"][senses].tolist(), 0)
        for sense in senses.tolist():
            found[int(self.table["senses.synset"][sense])] += int(self.table["senses.count"][sense])
        return np.array(list(found.values()), np.int64)

    def synonyms(self, word: str, pos: str) -> tuple[str, ...]:
        """The other words of its synsets."""
        return self._others(word, pos, self.synsets(word, pos))

    def hypernyms(self, word: str, pos: str) -> dict[str, int]:
        """All words above it, with the fewest steps to each; the nearest first."""
        return self._words_at(walk(self.network.hypernyms, self.synsets(word, pos)))

    def holonyms(self, word: str) -> dict[str, int]:
        """All that a noun is part, member or substance of, with the fewest steps to each."""
        return self._words_at(walk(self.network.wholes, self.synsets(word, "noun")))

    def instances(self, word: str) -> tuple[str, ...]:
        """All that have a name and are a kind of what the noun means: of "city", cities."""
        sources, targets = (
            self.table[f"instance hypernym.{end}"] for end in ("sources", "targets")
        )
        reach = self.network.hierarchy.reach
        wanted = np.isin(reach.synsets, self.synsets(word, "noun"))
        under = np.add.reduceat(wanted, reach.offsets[:-1]) > 0 if wanted.size else wanted
        return self.network.words_of(_distinct(sources[under[targets]]))

    def entailments(self, word: str) -> tuple[str, ...]:
        """What happens whenever the verb does: to snore is to sleep."""
        return self._related_words(word, PartOfSpeech.VERB, Relation.ENTAILMENT)

    def causes(self, word: str) -> tuple[str, ...]:
        """What the verb makes happen: to kill makes die."""
        return self._related_words(word, PartOfSpeech.VERB, Relation.CAUSE)

    def similar(self, word: str) -> tuple[str, ...]:
        """Adjectives with a similar meaning."""
        return self._related_words(word, PartOfSpeech.ADJECTIVE, Relation.SIMILAR)

    def antonyms(self, word: str, pos: str) -> tuple[str, ...]:
        """Words of the opposite meaning."""
        senses = self.vocabulary.senses(self._entries(word, pos))
        found = self.network.targets(Relation.ANTONYM, senses).tolist()
        return tuple(dict.fromkeys(self._lemma(sense).word for sense in found))

    def derivations(self, word: str, pos: str) -> tuple[Lemma, ...]:
        """Words of the same root, mostly of other parts of speech: destroy, destruction.

        Derivations proper, pertainyms (quick, quickly) and participles, in both directions.
        """
        senses = self.vocabulary.senses(self._entries(word, pos))
        ways = (self.network.targets, self.network.sources)
        found = [sense for kind in KIN for way in ways for sense in way(kind, senses).tolist()]
        return tuple(dict.fromkeys(self._lemma(sense) for sense in found))

    def frames(self, verb: str, *, senses: int | None = None) -> frozenset[int]:
        """The sentence frames of a verb, of each lemma those of the first `senses` only.

        They are the numbers of wninput(5WN): 1 "Something ----s", 2 "Somebody ----s", 8 "Somebody
        ----s something", 9 "Somebody ----s somebody", to 35.
        """
        return self.verbs.frames(verb, senses)

    def alternates(self, verb: str) -> bool:
        """Whether what a verb is done to may be said to do it: she boils water, and water boils.

        Either one of the first three senses has the frames of both uses, or of the first eight one
        with an object makes happen what another says, directly or by what is above the two: change
        makes change, move makes move. Senses far rarer than the most frequent one do not count.
        """
        return self.verbs.alternates(verb)

    def manner_adjective(self, adverb: str) -> tuple[str, ...]:
        """The adjectives that an adverb is made from: of quickly, quick.

        WordNet's links where there are some; else the ending -ly is taken off, and an adverb may be
        written like its adjective (fast). Not for those that mean something else, as hardly.
        """
        return self.formation.manner_adjective(adverb)

    def event_verbs(self, noun: str) -> tuple[str, ...]:
        """The verbs whose event a noun may name, the most related first: of arrival, arrive.

        Those derived from a common sense of the noun that is an act, event, process or saying; a
        state only where it is not spelled like the verb. Forms in -ing always, but for those that
        are nouns of their own (evening).
        """
        return self.formation.event_verbs(noun)

    def says_no_more(self, original: str, other: str, pos: str) -> bool:
        """Whether a word in place of another may say the same or something more general.

        As `is_as_general`, and always where the two are the same string.
        """
        if normalized(original) == normalized(other):
            part_of_speech(pos)
            return True
        return bool(self.is_as_general([original], [other], pos)[0])

    # Many words

    def frequencies(self, words: Sequence[str]) -> NDArray[np.int64]:
        """How often each word stands for any of its meanings in the texts tagged; 0 for unknown.

        Of a word that is of several parts of speech, or a form of several lemmas, all are added.
        """
        counts = self.table["senses.count"]
        found = np.zeros(len(words), np.int64)
        for part in PARTS:
            for i, entries in enumerate(self.vocabulary.entries(words, part)):
                if entries:
                    found[i] += int(counts[self.vocabulary.senses(entries)].sum())
        return found

    # Many pairs of words

    def is_synonym(
        self, first: Sequence[str], second: Sequence[str], pos: str
    ) -> NDArray[np.bool_]:
        """Whether the two words of each pair share a synset."""
        return any_shared(self.vocabulary.synset_pairs(first, second, part_of_speech(pos)))

    def hypernym_distance(
        self,
        first: Sequence[str],
        second: Sequence[str],
        pos: str,
        *,
        senses: int | None = None,
    ) -> NDArray[np.int32]:
        """The fewest steps from any sense of the first word up to any of the second; -1 for none."""
        pairs = self.vocabulary.synset_pairs(first, second, part_of_speech(pos), senses)
        return fewest_steps(pairs, self.network.hierarchy.reach)

    def is_as_general(
        self, first: Sequence[str], second: Sequence[str], pos: str
    ) -> NDArray[np.bool_]:
        """Whether the second word of each pair may say the same as the first or less.

        In some of their senses, the second is a synonym; or it is reached by any number of steps to
        a hypernym, to the place that something is part of, from a place to what it is a member of,
        from a verb to what it entails or causes; or it is an adjective similar to the first. A place
        is what WordNet's authors filed under noun.location or noun.object; no person is part of one.
        """
        pairs = self.vocabulary.synset_pairs(first, second, part_of_speech(pos))
        return fewest_steps(pairs, self.network.generality) >= 0

    def generality_distance(
        self,
        first: Sequence[str],
        second: Sequence[str],
        pos: str,
        *,
        senses: int | None = None,
    ) -> NDArray[np.int32]:
        """The fewest of the steps of `is_as_general` from the first word to the second; -1 for none."""
        pairs = self.vocabulary.synset_pairs(first, second, part_of_speech(pos), senses)
        return fewest_steps(pairs, self.network.generality)

    def is_antonym(
        self, first: Sequence[str], second: Sequence[str], pos: str
    ) -> NDArray[np.bool_]:
        """Whether the second word of each pair is an opposite of the first, as in `antonyms`."""
        part = part_of_speech(pos)
        pairs = self.vocabulary.sense_pairs(first, part, second, part)
        return any_step(pairs, self.network.antonyms)

    def is_derivation(
        self, first: Sequence[str], first_pos: str, second: Sequence[str], second_pos: str
    ) -> NDArray[np.bool_]:
        """Whether the two words of each pair have one root, as in `derivations`."""
        parts = part_of_speech(first_pos), part_of_speech(second_pos)
        pairs = self.vocabulary.sense_pairs(first, parts[0], second, parts[1])
        return any_step(pairs, self.network.kin)

    def meanings(self, lemmas: Sequence[Lemma]) -> Meanings:
        """Look words up once, to ask several questions about pairs; no base forms are sought."""
        return meanings_of(self.network, lemmas)

    def similarity(
        self,
        measure: str,
        first: Sequence[str],
        second: Sequence[str],
        pos: str,
        *,
        senses: int | None = None,
    ) -> NDArray[np.float64]:
        """How alike the most alike senses of two words are; NaN where a word is not there.

        Raises:
            UndefinedError: adjectives and adverbs have no hypernyms, so there is no measure.
        """
        chosen, part = measure_called(measure), part_of_speech(pos)
        require_hierarchy(part)
        pairs = self.vocabulary.synset_pairs(first, second, part, senses)
        return word_likenesses(chosen.number, self.network.hierarchy, pairs)

    def is_collocation(self, words: Sequence[str], pos: str | None = None) -> NDArray[np.bool_]:
        """Whether each string is of several words and in the lexicon, as it is or inflected."""
        parts = PARTS if pos is None else (part_of_speech(pos),)
        found = [self.vocabulary.entries(words, part) for part in parts]
        several = (" " in normalized(word) for word in words)
        return np.array(
            [many and any(each) for many, *each in zip(several, *found, strict=True)], np.bool_
        )

    # Synsets

    def synset(self, name: str) -> int:
        """The number of a synset by its name, as `dog.n.01`."""
        return self.network.called(name)

    def name(self, synset: int) -> str:
        """The name of a synset: its first word, part of speech and sense."""
        return self.network.name(self._checked(synset))

    def words(self, synset: int) -> tuple[str, ...]:
        """The words of a synset."""
        return self.network.words(self._checked(synset))

    def related(self, synset: int, relation: str) -> NDArray[np.int32]:
        """The synsets to which a relation leads from a synset, or from a word of it."""
        kind, number = relation_called(relation), self._checked(synset)
        if not kind.of_words:
            return self.network.targets(kind, [number])
        start, end = self.network.member_offsets[number : number + 2]
        found = self.network.targets(kind, self.network.members[start:end])
        return np.array(_distinct(self.table["senses.synset"][found]), np.int32)

    def information_content(self, synsets: Sequence[int]) -> NDArray[np.float64]:
        """How much each synset says, in nats: 0 for what is always the case."""
        return self.network.hierarchy.content[as_synsets(synsets, self.network.n_synsets)]

    def synset_similarity(
        self, measure: str, first: Sequence[int], second: Sequence[int]
    ) -> NDArray[np.float64]:
        """How alike two synsets are; NaN for other than two nouns or two verbs.

        One synset may be compared with many.

        Raises:
            SettingError: there are more first than second synsets, or fewer.
        """
        number, n = measure_called(measure).number, self.network.n_synsets
        a, b = as_synsets(first, n), as_synsets(second, n)
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            raise SettingError(
                "synsets-cannot-paired", f"{len(a)} synsets cannot be paired with {len(b)}"
            )
        a, b = (np.array(each) for each in np.broadcast_arrays(a, b))
        return synset_likenesses(number, self.network.hierarchy, a, b)

    def _checked(self, synset: int) -> int:
        return int(as_synsets([synset], self.network.n_synsets)[0])

    def _entries(self, word: str, pos: str) -> list[int]:
        return self.vocabulary.entries([word], part_of_speech(pos))[0]

    def _lemma(self, sense: int) -> Lemma:
        entry = self.vocabulary.entry_of_sense(sense)
        return Lemma(self.vocabulary.word(entry), self.vocabulary.part(entry))

    def _others(self, word: str, pos: str, synsets: Iterable[int]) -> tuple[str, ...]:
        """The words of synsets that are not lemmas of the word."""
        own = {normalized(word), *self.lemmas(word, pos)}
        return tuple(each for each in self.network.words_of(synsets) if each not in own)

    def _related_words(self, word: str, pos: str, relation: Relation) -> tuple[str, ...]:
        return self.network.words_of(self.network.targets(relation, self.synsets(word, pos)))

    def _words_at(self, away: dict[int, int]) -> dict[str, int]:
        """The words of synsets at some distance, but not of those at none."""
        found: dict[str, int] = {}
        for synset, steps in away.items():
            for word in self.network.words(synset) if steps else ():
                found.setdefault(word, steps)
        return found


def _distinct(numbers: NDArray[np.int32]) -> list[int]:
    """Each number once, in the order in which they are first met."""
    return list(dict.fromkeys(numbers.tolist()))


# The lexicon that the package ships.

TABLE = Path(__file__).with_name("wordnet.table")
"""WordNet 3.0, compiled."""

LICENSE = "WORDNET-LICENSE.txt"
"""The name of WordNet's license, which lies beside its table."""

FRAMES = ("frames.senses", "frames.numbers")
"""The arrays of verbs' sentence frames, which came to the table last."""


def read_lexicon(path: Path) -> Lexicon:
    """Map a compiled lexicon into memory.

    Raises:
        DataError: there is none, or it is damaged, or it was compiled without sentence frames.
    """
    table = read_table(path)
    for name in FRAMES:
        if name not in table.arrays:
            raise DataError(
                "table-older-than-lexicon",
                f"the table is older than the lexicon: it has no {name!r}",
                place=str(path),
                hint=HINT,
            )
    return Lexicon(table)


@made_once
def load_lexicon() -> Lexicon:
    """The shipped lexicon, mapped into memory when it is first asked for.

    >>> load_lexicon().lemmas("geese", "noun")
    ('goose',)
    """
    return read_lexicon(TABLE)
