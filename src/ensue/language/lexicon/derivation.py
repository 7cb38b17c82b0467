"""Derived words: the adjective of an adverb, the verb of an event's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile

from ensue.errors import UnknownNameError
from ensue.language.lexicon.network import Network
from ensue.language.lexicon.relations import PartOfSpeech, Relation, walk
from ensue.language.lexicon.verbs import KEPT, common
from ensue.language.lexicon.vocabulary import base_forms, normalized

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
