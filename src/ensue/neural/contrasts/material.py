"""The simple clause of an analyzed sentence, and what else pairs are made of beside it."""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from ensue.language import Lexicon, Relation, Sentence
from ensue.neural.contrasts.clauses import (
    DEMONSTRATIVES,
    FORMS_OF_BE,
    NUMBERS,
    PRONOUNS,
    NounPhrase,
    SimpleClause,
    VerbForm,
    VerbPhrase,
    gerund,
    named,
    past_form,
    third_person,
    word_set,
)
from ensue.pairs import Label

LONGEST = 18
"""Tokens of a sentence."""
_DETERMINERS = DEMONSTRATIVES | {"a", "an", "some"} | set(NUMBERS)
# Words that bind a pronoun, compare, quantify or negate: an exchange elsewhere changes what they say.
_REFUSED = word_set("""not n't never no nobody nothing none without few little hardly only also too both all
    every each most many any other another others together same different else more less than as like so such
    either neither enough just even still already yet again alone his her hers their its my your our mine i we
    me us you it him them himself herself themselves itself who which that what where when why how while
    because if there almost nearly maybe probably much several half one ones own first last least various
    something someone everyone everything anything anyone some up-to""")
_REFUSED_RELATIONS = word_set("""ccomp advcl conj cc relcl acl appos expl csubj neg mark poss parataxis dep
    predet xcomp agent dative intj auxpass case pcomp nmod""")


# Words in the lexicon.


@cache
def hypernyms(lexicon: Lexicon, noun: str) -> frozenset[str]:
    """The first words of all synsets above the first sense of a noun."""
    found: set[int] = set()
    waiting = [int(each) for each in lexicon.synsets(noun, "noun", senses=1)]
    own = set(waiting)
    while waiting:
        synset = waiting.pop()
        if synset not in found:
            found.add(synset)
            waiting += [int(each) for each in lexicon.related(synset, Relation.HYPERNYM)]
    names = {word for each in found - own for word in lexicon.words(each)[:1]}
    return frozenset(names | ({noun} & {"person", "animal", "people"}))


def is_living(lexicon: Lexicon, noun: str) -> bool:
    """Whether a noun stands for a person or an animal."""
    return not hypernyms(lexicon, noun).isdisjoint({"person", "animal"})


def _verb_lemma(lexicon: Lexicon, form: str, tag: str) -> str | None:
    """The lemma that inflects to this very form: so the other forms can be trusted too."""
    for lemma in dict.fromkeys((*lexicon.lemmas(form, "verb"), form)):
        forms = {
            "VBG": gerund(lemma), "VBD": past_form(lemma), "VBN": past_form(lemma, participle=True),
            "VBZ": third_person(lemma), "VBP": lemma,
        }  # fmt: skip
        if forms.get(tag) == form:
            return lemma
    return None


def _is_known(lexicon: Lexicon, form: str, tag: str) -> bool:
    """Whether a common word is in the lexicon: what is not is mostly misspelled."""
    part = {"N": "noun", "V": "verb", "J": "adjective"}.get(tag[0])
    if part is None or tag.startswith("NNP") or "-" in form or form in FORMS_OF_BE:
        return True
    parts = (part, "verb") if part == "adjective" else (part,)
    return any(len(lexicon.synsets(form, each)) for each in parts)


# The clause of a sentence.


@dataclass(frozen=True, slots=True)
class ParsedClause:
    """A sentence of one simple clause: which tokens are what."""

    sentence: Sentence
    words: tuple[str, ...]
    """The forms, the first in lower case unless it is a name."""
    subject: int
    verb: int
    first: int
    """The first token of the predicate, its auxiliary if it has one."""
    object: int | None
    lemma: str
    """Of the verb."""
    lexicon: Lexicon

    def variant(
        self, omitted: Iterable[int] = (), words: Mapping[int, str] | None = None
    ) -> SimpleClause:
        """The clause without some tokens, or with other words for them."""
        gone = set(omitted)
        said = [(words or {}).get(i, word) for i, word in enumerate(self.words)]
        tail = [i for i in range(self.verb + 1, len(said)) if i not in gone]
        subject = self._noun_phrase(self.subject, said, gone)
        predicate = self._verb_phrase(said, tail)
        if self.object is None:
            return SimpleClause(subject, predicate)
        last = self.span(self.object)[-1]
        after = " ".join(said[i] for i in tail if i > last)
        return SimpleClause(subject, predicate, self._noun_phrase(self.object, said, gone), after)

    def span(self, token: int) -> list[int]:
        """The token and all below it."""
        sentence = self.sentence
        return [i for i in range(len(sentence)) if i == token or token in sentence.ancestors(i)]

    def _verb_phrase(self, said: list[str], tail: list[int]) -> VerbPhrase:
        tag, verb, lemma = self.sentence.tags[self.verb], said[self.verb], self.lemma
        if verb != self.words[self.verb]:
            lemma = _verb_lemma(self.lexicon, verb, tag) or lemma
        form = VerbForm.PROGRESSIVE if tag == "VBG" else VerbForm.SIMPLE
        if self.lemma == "be":
            form = VerbForm.COPULA
        return VerbPhrase(
            form,
            self.sentence.tags[self.first] == "VBD",
            lemma,
            verb if form is VerbForm.PROGRESSIVE else "",
            " ".join(said[i] for i in tail),
        )

    def _noun_phrase(self, head: int, said: list[str], gone: set[int]) -> NounPhrase:
        sentence, noun = self.sentence, said[head]
        span = [i for i in self.span(head) if i not in gone]
        determined = said[span[0]].lower() in _DETERMINERS and span[0] != head
        pronoun = noun.lower() in PRONOUNS
        return NounPhrase(
            determiner=said[span[0]] if determined else "",
            core=" ".join(said[i] for i in span[determined:]),
            head=sentence.lemmas[head].lower(),
            plural=sentence.tags[head] in ("NNS", "NNPS") or noun in ("they", "people"),
            animate=pronoun or self._is_animate(head),
            name=(pronoun or sentence.tags[head].startswith("NNP")) and not determined,
        )

    def _is_animate(self, head: int) -> bool:
        sentence = self.sentence
        if "PERSON" in sentence.entities[head]:
            return True
        if any(sentence.relations[i] == "compound" for i in sentence.dependents(head)):
            return False  # a game controller is not a controller
        above = hypernyms(self.lexicon, sentence.lemmas[head].lower())
        return not above.isdisjoint({"person", "animal", "people"})


def parsed_clause(sentence: Sentence, lexicon: Lexicon) -> ParsedClause | None:
    """The clause of a sentence, or None if it is not a simple one."""
    sentence = _without_full_stop(sentence)
    forms = sentence.forms
    if len(sentence.roots) != 1 or not _is_readable(sentence, forms, lexicon):
        return None
    root = sentence.roots[0]
    below = {sentence.relations[i]: i for i in sentence.dependents(root)}
    subject, first = below.get("nsubj"), below.get("aux", root)
    lemma = _finite_lemma(sentence, forms, root, first, lexicon)
    if subject is None or lemma is None or forms[root] != forms[root].lower():
        return None
    lower = not sentence.tags[0].startswith("NNP")
    words = (forms[0].lower() if lower else forms[0], *forms[1:])
    parsed = ParsedClause(sentence, words, subject, root, first, below.get("dobj"), lemma, lexicon)
    return parsed if _is_plain(parsed) and _agrees(parsed) else None


def _without_full_stop(sentence: Sentence) -> Sentence:
    if len(sentence) < 2 or sentence.forms[-1] != ".":
        return sentence
    fields = ("starts", "ends", "heads", "lemmas", "tags", "parts", "relations", "entities")
    return Sentence(sentence.text, *(getattr(sentence, name)[:-1] for name in fields))


def _is_readable(sentence: Sentence, forms: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether it has one verb, known words, and none that reach beyond their phrase."""
    if not 3 <= len(forms) <= LONGEST:
        return False
    if any(not re.fullmatch(r"[A-Za-z]+(-[A-Za-z]+)*|\d{1,4}", form) for form in forms):
        return False
    if {form.lower() for form in forms[1:]} & _REFUSED or forms[0].lower() in _REFUSED - {"some"}:
        return False
    if not _REFUSED_RELATIONS.isdisjoint(sentence.relations):
        return False
    if not {"WDT", "WP", "WRB", "MD"}.isdisjoint(sentence.tags):
        return False
    tagged = list(zip(forms, sentence.tags, sentence.relations, strict=True))
    verbs = {relation for _, tag, relation in tagged if tag.startswith("VB")}
    if verbs - {"ROOT", "aux", "amod"}:
        return False
    return not any(
        (form.isupper() and len(form) > 1) or not _is_known(lexicon, form, tag)
        for form, tag, _ in tagged
    )


def _finite_lemma(
    sentence: Sentence, forms: tuple[str, ...], root: int, first: int, lexicon: Lexicon
) -> str | None:
    """The lemma of a copula, a progressive or a simple verb that can be put in other forms."""
    tag = sentence.tags[root]
    if first == root and forms[root] in FORMS_OF_BE:
        return "be"
    progressive = first != root and forms[first] in FORMS_OF_BE and tag == "VBG"
    simple = first == root and tag in ("VBD", "VBZ", "VBP")
    lemma = _verb_lemma(lexicon, forms[root], tag) if progressive or simple else None
    return None if lemma in ("say", "go", "be") else lemma


def _is_plain(parsed: ParsedClause) -> bool:
    """Whether subject, verb and object follow each other as in a plain statement."""
    sentence = parsed.sentence
    if parsed.span(parsed.subject) != list(range(parsed.first)):
        return False  # adverbs between or before would be lost
    if parsed.verb - parsed.first > 1:
        return False
    tag = sentence.tags[parsed.subject]
    if tag not in ("NN", "NNS", "NNP", "NNPS", "PRP"):
        return False
    if tag == "PRP" and parsed.words[parsed.subject] not in PRONOUNS:
        return False
    if parsed.lemma == "be":
        below = {sentence.relations[i] for i in sentence.dependents(parsed.verb)}
        return not below.isdisjoint({"attr", "acomp", "prep"})
    if parsed.object is None:
        return True
    held = parsed.span(parsed.object)
    return held[0] == parsed.verb + 1 and held == list(range(held[0], held[-1] + 1))


def _agrees(parsed: ParsedClause) -> bool:
    """Whether the subject has a determiner where it needs one, and the number of its verb."""
    subject, finite = parsed.variant().subject, parsed.sentence.tags[parsed.first]
    if not (subject.determiner or subject.name or subject.plural):
        return False
    past_be = {"was": False, "were": True}.get(parsed.words[parsed.first], subject.plural)
    return past_be == subject.plural and (finite == "VBD" or (finite == "VBP") == subject.plural)


# Pairs, and what they are made of.

E, U, C = Label.ENTAILMENT, Label.UNKNOWN, Label.CONTRADICTION


class PairDraft(NamedTuple):
    """A pair without its id, its sides not yet sentences."""

    text: str
    hypothesis: str
    gold: Label


Drafts = Iterator[PairDraft]


def both_ways(first: str, second: str, there: Label, back: Label) -> Drafts:
    """A pair and the same the other way round."""
    yield PairDraft(first, second, there)
    yield PairDraft(second, first, back)


@dataclass(frozen=True, slots=True)
class ContrastMaterial:
    """A clause to make pairs of, and what else may be put beside it."""

    parsed: ParsedClause
    clause: SimpleClause
    others: tuple[SimpleClause, ...]
    """Clauses of earlier sentences, with definite subjects."""
    people: tuple[NounPhrase, ...]
    """Definite singular phrases for persons, of different nouns."""
    rng: random.Random


NAMES = ("Mary", "John", "Susan", "Peter", "Alice", "Thomas", "Laura", "David", "Emma", "Robert")
LOOKS = word_set("young old small tall little elderly big older younger bald blond short")
"""Adjectives that keep a phrase for a person short and its noun what it is."""
_NO_PEOPLE = word_set("taco trailer coaster slider cutter cat controller tender")
"""Nouns whose first sense in WordNet is a person, and is rare."""
_REMEMBERED = 300


@dataclass(slots=True)
class MaterialPool:
    """The clauses and the people of earlier sentences, of which some are put beside a new one."""

    rng: random.Random
    _clauses: deque[SimpleClause] = field(
        init=False, default_factory=lambda: deque(maxlen=_REMEMBERED)
    )
    _people: dict[str, NounPhrase] = field(
        init=False, default_factory=lambda: {name: named(name) for name in NAMES}
    )

    def material(self, parsed: ParsedClause) -> ContrastMaterial:
        """A clause with others that were drawn from the pool, which it is then added to."""
        clause = parsed.variant()
        head, known = clause.subject.head, list(self._people.values())
        others = self.rng.sample(list(self._clauses), min(4, len(self._clauses)))
        people = {p.head: p for p in self.rng.sample(known, min(8, len(known))) if p.head != head}
        self._clauses.append(clause.definite)
        for phrase in (clause.subject, clause.object):
            if phrase and _is_short(phrase) and _is_person(phrase, parsed.lexicon):
                self._people[str(phrase.definite)] = phrase.definite
        return ContrastMaterial(
            parsed,
            clause,
            tuple(other for other in others if other.subject.head != head),
            tuple(people.values()),
            self.rng,
        )


def _is_short(phrase: NounPhrase) -> bool:
    """Whether it is short enough to stand in a sentence with two others."""
    *before, _ = phrase.core.split()
    short = LOOKS.issuperset(before) and len(before) <= 1 and phrase.core == phrase.core.lower()
    return (
        short and not phrase.name and not phrase.plural and phrase.determiner in ("a", "an", "the")
    )


def _is_person(phrase: NounPhrase, lexicon: Lexicon) -> bool:
    return phrase.head not in _NO_PEOPLE and "person" in hypernyms(lexicon, phrase.head)
