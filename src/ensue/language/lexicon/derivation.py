"""Derived words, and verbs by their frames: the adjective of an adverb, the verb of an event's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ensue.errors import UnknownNameError
from ensue.language.lexicon.network import Network
from ensue.language.lexicon.vocabulary import PartOfSpeech, Relation, base_forms, normalized, walk

# Verb frames of WordNet, and verbs whose object may be their subject.

KEPT = 1 << 15
"""How many words' answers are kept."""

COMMON = 0.1
"""A sense is common if it occurs at least this often for one occurrence of the most frequent."""

_SOMETHING_DOES = 1
_DOES_SOMETHING = frozenset({8, 11})
"""Somebody, and something, does something."""
_LABILE = frozenset({_SOMETHING_DOES, *_DOES_SOMETHING})
_DOES_SOMEBODY = 9
_FIRST_LABILE = 3
"""Among how many senses one with the frames of both uses is sought."""
_FIRST_PAIRED = 8
"""Among how many senses two that are each other's cause are sought."""


class VerbSense(NamedTuple):
    """What one sense of a verb says of its use."""

    synset: int
    frames: frozenset[int]
    common: bool


def common(counts: NDArray[np.integer]) -> list[bool]:
    """Whether each sense of a word is common, by how often they occur; one more is added to each.

    >>> common(np.array([29, 2, 0]))
    [True, True, False]
    """
    most = int(counts.max(initial=0)) + 1
    return [(count + 1) / most >= COMMON for count in counts.tolist()]


@cache
def listed_verbs() -> frozenset[str]:
    """The verbs that Levin lists as alternating."""
    text = resources.files(__package__).joinpath("alternating.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@dataclass(frozen=True, eq=False)
class Verbs:
    """Verbs and how they are used; what was asked once is kept."""

    network: Network

    @cached_property
    def frames(self) -> Callable[[str, int | None], frozenset[int]]:
        """The frames of a verb's senses, or of the first few of each lemma."""
        return lru_cache(KEPT)(self._frames)

    @cached_property
    def alternates(self) -> Callable[[str], bool]:
        """Whether what a verb is done to may be said to do it."""
        return lru_cache(KEPT)(self._alternates)

    def _entries(self, verb: str) -> list[int]:
        return self.network.vocabulary.entries([verb], PartOfSpeech.VERB)[0]

    def _frames(self, verb: str, senses: int | None) -> frozenset[int]:
        found = self.network.vocabulary.senses(self._entries(verb), senses)
        return frozenset().union(*map(self._of_sense, found.tolist()))

    def _of_sense(self, sense: int) -> frozenset[int]:
        table = self.network.vocabulary.table
        start, end = np.searchsorted(table["frames.senses"], [sense, sense + 1])
        return frozenset(table["frames.numbers"][start:end].tolist())

    def _alternates(self, verb: str) -> bool:
        entries = self._entries(verb)
        lemmas = {self.network.vocabulary.word(entry) for entry in entries}
        listed = not listed_verbs().isdisjoint(lemmas)
        return listed or any(self._entry_alternates(entry) for entry in entries)

    def _entry_alternates(self, entry: int) -> bool:
        """Whether a sense has both uses, or a common one makes happen what another says."""
        senses = self._senses(entry)
        if any(
            frames >= _LABILE and _DOES_SOMEBODY not in frames
            for _, frames, often in senses[:_FIRST_LABILE]
            if often
        ):
            return True
        usual = [sense for sense in senses[:_FIRST_PAIRED] if sense.common]
        makers = [sense for sense in usual if sense.frames & _DOES_SOMETHING]
        return any(self._makes(one, other) for one in makers for other in usual if one != other)

    def _senses(self, entry: int) -> list[VerbSense]:
        table = self.network.vocabulary.table
        numbers = self.network.vocabulary.senses([entry])
        synsets = table["senses.synset"][numbers].tolist()
        frames = map(self._of_sense, numbers.tolist())
        return list(map(VerbSense, synsets, frames, common(table["senses.count"][numbers])))

    def _makes(self, one: VerbSense, other: VerbSense) -> bool:
        """Whether one sense, or a more general one, makes happen the other or what is above it."""
        cause = Relation.CAUSE
        if other.synset in self.network.targets(cause, [one.synset]):
            return True
        if _SOMETHING_DOES in one.frames:
            return False
        if _SOMETHING_DOES not in other.frames or other.frames & _DOES_SOMETHING:
            return False
        above = list(walk(self.network.hypernyms, [one.synset]))
        made = self.network.targets(cause, above).tolist()
        return not walk(self.network.hypernyms, [other.synset]).keys().isdisjoint(made)


# Derived words.

_EVENTS = frozenset({4, 11, 19, 22})
"""The lexicographer files noun.act, noun.event, noun.phenomenon and noun.process."""
_STATES = 26
"""noun.state: an event's name where it is not spelled like its verb (existence, but not wound)."""
_COMMUNICATIONS = 10
"""noun.communication: speech acts are there, and letters too."""
_SAYINGS = (
    "speech_act.n.01",
    "message.n.02",
    "speech.n.02",
    "utterance.n.01",
    "gesture.n.02",
    "facial_expression.n.01",
)
"""What of noun.communication names an event: an apology, a conversation, a smile."""
_PERSONS = 18
"""noun.person: what names a person first of all names no event (president)."""
_POSSESSIONS = 21
"""noun.possession: the same where it is spelled like the verb (gift)."""

UNLINKED = {
    "advice": "advise",
    "appointment": "appoint",
    "choice": "choose",
    "conquest": "conquer",
    "entry": "enter",
    "flight": "fly",
    "laughter": "laugh",
    "loss": "lose",
    "response": "respond",
    "sale": "sell",
    "shot": "shoot",
    "success": "succeed",
    "theft": "steal",
    "thought": "think",
    "threat": "threaten",
}
"""Names of events that WordNet 3.0 does not link with their verb."""

OTHERWISE = frozenset(
    {
        "barely",
        "directly",
        "even",
        "hardly",
        "just",
        "lately",
        "merely",
        "mostly",
        "nearly",
        "only",
        "practically",
        "presently",
        "pretty",
        "scarcely",
        "shortly",
        "together",
        "very",
        "virtually",
    }
)
"""Adverbs that do not say what their adjective does: who hardly works is not hard-working."""

SUPPLIED = {"well": ("good",)}
"""Adverbs whose adjective is of another root."""

_ADJECTIVE_ENDINGS = (
    ("ically", ("ic", "ical")),
    ("ily", ("y",)),
    ("lly", ("ll", "le")),
    ("ly", ("", "le")),
    ("uly", ("ue",)),
)
_VOWELS = "aeiouy"


@dataclass(frozen=True, eq=False)
class Formation:
    """Words and what they are made from; what was asked once is kept."""

    network: Network

    @cached_property
    def manner_adjective(self) -> Callable[[str], tuple[str, ...]]:
        """The adjectives that an adverb is made from."""
        return lru_cache(KEPT)(self._manner_adjective)

    @cached_property
    def event_verbs(self) -> Callable[[str], tuple[str, ...]]:
        """The verbs whose event a noun may name, the most related first."""
        return lru_cache(KEPT)(self._event_verbs)

    @cached_property
    def _sayings(self) -> frozenset[int]:
        found = set()
        for name in _SAYINGS:
            with suppress(UnknownNameError):  # a lexicon of a few words may not have it
                found.add(self.network.called(name))
        return frozenset(found)

    def _known(self, words: Iterable[str], part: PartOfSpeech) -> list[str]:
        """Those that are words of the lexicon, each once."""
        asked = list(dict.fromkeys(words))
        vocabulary = self.network.vocabulary
        entries = vocabulary.entry(vocabulary.find(asked), part).tolist()
        return [word for word, entry in zip(asked, entries, strict=True) if entry >= 0]

    def event_share(self, noun: str) -> float:
        """How often a noun names an event, of all that it names in the texts tagged.

        Half an occurrence is added to each sense. 1 for a form in -ing that is no noun of its own, 0
        for other words that are not there.
        """
        entries = self.network.vocabulary.entries([noun], PartOfSpeech.NOUN)[0][:1]
        senses = self.network.vocabulary.senses(entries)
        if not len(senses):
            return float(bool(self.event_verbs(noun)))
        counts = self.network.vocabulary.table["senses.count"][senses] + 0.5
        events = [self._is_event(sense, noun, "") for sense in senses.tolist()]
        return float(counts[events].sum() / counts.sum())

    # Adverbs

    def _manner_adjective(self, adverb: str) -> tuple[str, ...]:
        word = normalized(adverb)
        if word in OTHERWISE or word in SUPPLIED:
            return SUPPLIED.get(word, ())
        vocabulary = self.network.vocabulary
        senses = vocabulary.senses(vocabulary.entries([word], PartOfSpeech.ADVERB)[0])
        linked = self.network.targets(Relation.PERTAINYM, senses).tolist()
        words = [vocabulary.word(vocabulary.entry_of_sense(sense)) for sense in linked]
        if words:
            return tuple(dict.fromkeys(words))
        stripped = self._known(_stripped(word), PartOfSpeech.ADJECTIVE)
        alike = self._known([word], PartOfSpeech.ADJECTIVE) if len(senses) else []
        return tuple(stripped[:1] or alike)

    # Nouns

    def _event_verbs(self, noun: str) -> tuple[str, ...]:
        exceptions = self.network.vocabulary.exceptions[PartOfSpeech.NOUN]
        forms = base_forms(normalized(noun), PartOfSpeech.NOUN, exceptions)
        known = self._known(forms, PartOfSpeech.NOUN)
        linked = [verb for form in known or forms for verb in self._of_noun(form)]
        return tuple(dict.fromkeys(linked))

    def _of_noun(self, noun: str) -> list[str]:
        links = self._links(noun)
        events = {verb for verb, is_event in links if is_event}
        forms = self._gerund_of(noun)
        if forms and (links or self._may_be_gerund(noun)):
            events.update(forms)
        if noun in UNLINKED:
            events.add(UNLINKED[noun])
        linked = {verb for verb, _ in links}
        return sorted(events, key=lambda verb: self._distance(noun, verb, verb in linked))

    def _links(self, noun: str) -> list[tuple[str, bool]]:
        """Verbs that derive from senses of a noun or it from them, and whether it is an event."""
        vocabulary, kind = self.network.vocabulary, Relation.DERIVATION
        senses = self._senses(noun)
        first = self._file(senses[0][0]) if senses else 0
        found: list[tuple[str, bool]] = []
        for sense, often in senses:
            there = self.network.targets(kind, [sense]), self.network.sources(kind, [sense])
            for other in dict.fromkeys(number for way in there for number in way.tolist()):
                entry = vocabulary.entry_of_sense(other)
                if vocabulary.part(entry) is PartOfSpeech.VERB:
                    verb = vocabulary.word(entry)
                    other_thing = first == _PERSONS or (first == _POSSESSIONS and noun == verb)
                    is_event = often and not other_thing and self._is_event(sense, noun, verb)
                    found.append((verb, is_event))
        return found

    def _senses(self, noun: str) -> list[tuple[int, bool]]:
        vocabulary = self.network.vocabulary
        entries = vocabulary.entry(vocabulary.find([noun]), PartOfSpeech.NOUN).tolist()
        senses = vocabulary.senses([entry for entry in entries if entry >= 0])
        counts = vocabulary.table["senses.count"][senses]
        return list(zip(senses.tolist(), common(counts), strict=True))

    def _may_be_gerund(self, noun: str) -> bool:
        """Whether a noun in -ing is no noun of its own, or is one for an event."""
        senses = self._senses(noun)
        return not senses or any(
            often and self._is_event(sense, noun, "") for sense, often in senses
        )

    def _is_event(self, sense: int, noun: str, verb: str) -> bool:
        """Whether a sense of a noun is what happens when the verb does."""
        file = self._file(sense)
        if noun == verb and not self._occurs(verb):
            return False
        if file == _COMMUNICATIONS:
            synset = int(self.network.vocabulary.table["senses.synset"][sense])
            return not self._sayings.isdisjoint(walk(self.network.hypernyms, [synset]))
        return file in _EVENTS or (file == _STATES and noun != verb)

    def _file(self, sense: int) -> int:
        """The number of the lexicographer file that a sense is in."""
        table = self.network.vocabulary.table
        return int(table["synsets.file"][table["senses.synset"][sense]])

    def _occurs(self, verb: str) -> bool:
        """Whether the texts tagged have the verb; those made of any noun they have not (to war)."""
        vocabulary = self.network.vocabulary
        entry = vocabulary.entry(vocabulary.find([verb]), PartOfSpeech.VERB).tolist()
        return bool(vocabulary.table["senses.count"][vocabulary.senses(entry)].any())

    def _distance(self, noun: str, verb: str, linked: bool) -> tuple[bool, bool, bool, int, str]:
        """The nearer, the more a verb has to do with a noun: linked, in use, spelled like it."""
        listed = UNLINKED.get(noun) == verb
        rare = not self._occurs(verb)
        return not listed, not linked, rare, -_shared(noun, verb), verb

    def _gerund_of(self, noun: str) -> list[str]:
        """The verbs of which a noun is the form in -ing."""
        if not noun.endswith("ing"):
            return []
        exceptions = self.network.vocabulary.exceptions[PartOfSpeech.VERB]
        stem = noun[:-3]
        forms = [form for form in base_forms(noun, PartOfSpeech.VERB, exceptions) if form != noun]
        if len(stem) > 2 and stem[-1] == stem[-2]:
            forms.append(stem[:-1])
        if _doubles(stem) and self._known([stem + "e"], PartOfSpeech.VERB):
            forms = [form for form in forms if form != stem]
        return self._known(forms, PartOfSpeech.VERB)


def _shared(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _stripped(adverb: str) -> list[str]:
    """What an adverb in -ly may be made from, words of the language or not.

    >>> _stripped("noisily")
    ['noisy', 'noisi', 'noisile']
    """
    return [
        adverb[: -len(ending)] + instead
        for ending, instead_of in _ADJECTIVE_ENDINGS
        if adverb.endswith(ending) and len(adverb) > len(ending) + 1
        for instead in instead_of
    ]


def _doubles(stem: str) -> bool:
    """Whether a verb of this spelling doubles its last letter: hop, hopping; so hoping is of hope."""
    if len(stem) < 3 or stem[-1] in _VOWELS + "wx" or stem[-2] not in _VOWELS:
        return False
    return stem[-3] not in _VOWELS and not any(letter in _VOWELS for letter in stem[:-3])
