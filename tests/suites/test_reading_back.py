"""Cases of suites are read back from their words, by a reader that shares nothing with the generator.

The reader parses a sentence with the patterns of a grammar's XML and finds every reading of it, also
those that the generator never means: relative clauses on any noun phrase, with coordination in them,
and whatever can be attached in two places. Tense, agreement, relative pronouns, possessives and
commas are checked, so a sentence in which one of them is wrong has no reading.

Constructions beyond the grammar, which a person may find in its sentences too, are read on request:
see `BEYOND`.
"""

import re
from collections import defaultdict
from functools import cached_property
from importlib.resources import files
from itertools import product
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from ensue.pairs import Label
from ensue.suites import SuiteSettings, suite_generators

SINGULAR, PLURAL = "singular", "plural"
BE = {
    ("present", SINGULAR): "is",
    ("present", PLURAL): "are",
    ("past", SINGULAR): "was",
    ("past", PLURAL): "were",
}
PRONOUNS = {
    "subject": ("that", "who"),
    "object": ("that", "whom"),
    "preposition": ("which", "whom"),
}
"""For things and for humans; `which` for things that have a name."""


BEYOND = {
    "late adverbs": "the man who slept silently left",  # silent was the sleep?
    "shared auxiliaries": "the man was hired and taught Greek",  # was taught Greek?
    "wide adverbs": "the man quickly ate and drank",  # was the drinking quick?
}
"""Constructions beyond the grammar, with what they make ambiguous."""


SHARES = {
    "attachment": 0.003,  # Mary was lent a book that was read by John: lent by John?
    "late adverbs": 0.006,
    "shared auxiliaries": 0.001,
    "wide adverbs": 0.002,
}
"""In which share of the cases, at most, the gold hangs on the reading.

The first is within the grammar; the others are beyond it, and counted where it leaves no doubt. In
8,000 cases of other seeds the shares were 0.15 %, 0.34 %, 0.00 % and 0.06 %.
"""


# A grammar, as the reader sees it


class Phrase(NamedTuple):
    text: str
    plural: bool = False
    human: bool = False

    @property
    def is_name(self):
        return self.text.split()[0] not in ("a", "an", "the")

    def pronoun(self, case):
        thing, human = PRONOUNS[case]
        return human if self.human else "which" if self.is_name else thing

    @property
    def possessive(self):
        return "'" if self.plural and self.text.endswith("s") else "'s"


class Piece(NamedTuple):
    kind: str
    value: object = None


class Predicate(NamedTuple):
    name: str
    verbs: dict
    participle: list
    noun: list
    fillers: dict
    """By role the strings that may fill it; None where an event may."""
    manners: dict
    """Adjectives, each with its adverb."""
    symmetric: str


class Frame(NamedTuple):
    predicate: Predicate
    pieces: tuple
    category: str
    head: bool
    words: frozenset
    """Those without which it is not in a sentence; finite verbs are none of them."""


def tokens_of(words):
    """
    >>> tokens_of("The students' meeting pleased John's wife, who left.")
    ['The', 'students', "'", 'meeting', 'pleased', 'John', "'s", 'wife', ',', 'who', 'left', '.']
    """
    return re.findall(r"[\w-]+|'s\b|[',.]", words)


def lowered(text):
    """A phrase in the middle of a sentence."""
    return re.sub(r"^(An?|The)\b", lambda found: found[0].lower(), " ".join(text.split()))


def rooted(source):
    """XML with a root, which the paper's grammar has not."""
    return f"<Source>{re.sub(r'<[?].*?[?]>', '', source)}</Source>"


class Lexicon:
    """The phrases and frames of a grammar's XML."""

    def __init__(self, *sources):
        roots = [ElementTree.fromstring(rooted(source)) for source in sources]
        self.types = {each.get("id"): each for root in roots for each in root.iter("SemArg")}
        self.phrases = {}
        for each in self.types.values():
            for arg in each.iter("Arg"):
                is_plural, is_human = arg.get("number") == PLURAL, each.get("human") == "yes"
                phrase = Phrase(lowered(arg.text), is_plural, is_human)
                self.phrases[phrase.text] = phrase
        patterns = defaultdict(list)
        for root in roots:
            for const in root.iter("Const"):
                patterns[const.get("id")].append(const)
        self.predicates, self.frames, self.by_form = {}, defaultdict(list), defaultdict(set)
        for root in roots:
            for entry in root.iter("Set"):
                predicate = self.predicate(entry)
                self.predicates[predicate.name] = predicate
                for dist in entry.iter("Dist"):
                    for const in patterns[dist.get("constfam")]:
                        self.frames[predicate.name].append(frame_of(predicate, dist, const))
                for form in (*predicate.verbs.values(), predicate.participle, predicate.noun):
                    self.by_form[" ".join(form[:1])].add(predicate.name)

    def strings(self, name):
        own = {lowered(arg.text): arg.get("adverb") for arg in self.types[name].iter("Arg")}
        for other in self.types[name].get("includes", "").split():
            own |= self.strings(other)
        return own

    def predicate(self, entry):
        parts = entry.find("Parts")
        verbs = {}
        for verb in parts.iter("Verb"):
            tense, form = verb.get("tense", "present"), tokens_of(verb.text)
            verbs.setdefault((tense, PLURAL), form)
            verbs[tense, verb.get("number", SINGULAR)] = form
        types = {arg.get("n"): arg.get("id") for arg in parts.iter("Arg")}
        manner = types.pop("manner", None)
        return Predicate(
            name=entry.get("pred"),
            verbs=verbs,
            participle=tokens_of(parts.findtext("PPVerb", "")),
            noun=tokens_of(parts.findtext("Noun", "")),
            fillers={
                role: None if self.types[name].get("nominal") == "yes" else {*self.strings(name)}
                for role, name in types.items()
            },
            manners=self.strings(manner) if manner else {},
            symmetric=entry.get("symmetric", ""),
        )

    @cached_property
    def manners(self):
        """All adverbs, with their adjectives."""
        each = [predicate.manners.items() for predicate in self.predicates.values()]
        return {adverb: adjective for pairs in each for adjective, adverb in pairs}

    @cached_property
    def by_first_word(self):
        found = defaultdict(list)
        for phrase in self.phrases.values():
            words = tokens_of(phrase.text)
            found[words[0]].append((words, phrase))
        return found


def frame_of(predicate, dist, const):
    roles, prepositions = dist.get("dist"), dist.get("fill", "").split()
    pieces = [Piece("word", word) for word in tokens_of(const.text or "")]
    for node in const:
        match node.tag:
            case "NP":
                pieces.append(Piece("NP", roles[int(node.get("id"))]))
            case "PP":
                words = prepositions[int(node.get("id"))].split("_")
                pieces += [Piece("word", word) for word in words]
            case _:
                pieces.append(Piece(node.tag))
        pieces += [Piece("word", word) for word in tokens_of(node.tail or "")]
    for i, piece in enumerate(pieces):
        if piece.kind == "RelPro":
            before = "preposition" if pieces[i - 1].kind == "word" else None
            after = "object" if pieces[i + 1].kind == "NP" else "subject"
            pieces[i] = Piece("RelPro", before or after)
        elif piece.value == "'s":
            pieces[i] = Piece("possessive")
    category, head = const.get("type").split("-")[0], const.get("relPro") is not None
    forms = {"PPVerb": predicate.participle, "Noun": predicate.noun}
    needed = [[p.value] if p.kind == "word" else forms.get(p.kind, []) for p in pieces]
    words = frozenset(word for each in needed for word in each) - {","}
    return Frame(predicate, tuple(pieces), category, head, words)


# What is read


class Event(NamedTuple):
    predicate: str
    roles: tuple

    @property
    def filled(self):
        return dict(self.roles)

    def having(self, role, filler):
        return Event(
            self.predicate,
            tuple(sorted({**self.filled, role: filler}.items(), key=lambda each: each[0])),
        )


def event(predicate, **roles):
    """
    >>> event("send", _0="John", _1="a book")
    Event(predicate='send', roles=(('0', 'John'), ('1', 'a book')))
    """
    found = Event(predicate, ())
    for role, filler in roles.items():
        found = found.having(role.removeprefix("_"), filler)
    return found


def reading(*events):
    """Events, with those that fill their roles."""
    inner = [f for each in events for _, f in each.roles if isinstance(f, Event)]
    return frozenset(events) | (reading(*inner) if inner else frozenset())


def recorded(events):
    """The reading that a case has in its meta data."""

    def built(i):
        found = Event(events[i]["predicate"], ())
        for role, filler in events[i]["roles"].items():
            found = found.having(role, filler if isinstance(filler, str) else built(filler))
        return found

    return frozenset(built(i) for i in range(len(events)))


class NounPhrase(NamedTuple):
    filler: object
    """A string, or an event."""
    phrase: Phrase
    beside: frozenset = frozenset()
    """What its relative clauses say."""
    pending: bool = False
    """Whether a comma has to follow, or the end."""


class Partial(NamedTuple):
    """A frame, or some pieces of it, in words."""

    event: Event
    beside: frozenset = frozenset()
    pending: bool = False
    first: NounPhrase | None = None
    last: NounPhrase | None = None
    adverb: str | None = None
    """The manner that an adverb at the beginning of the verb phrase says."""
    auxiliary: bool = False
    """Whether the verb phrase begins with a form of `be`."""

    @property
    def facts(self):
        return reading(self.event) | self.beside


EVENT_PHRASE = Phrase("the event")


class Parser:
    """Reads one sentence in one tense, with verbs and nouns that are in it."""

    def __init__(self, lexicon, tokens, tense, beyond):
        self.lexicon, self.tokens, self.tense, self.beyond = lexicon, tokens, tense, beyond
        words = {*tokens, tokens[0].lower()}
        self.main, self.relative, self.nominal = [], [], []
        for name in {name for word in words for name in lexicon.by_form.get(word, ())}:
            for frame in lexicon.frames[name]:
                if words.issuperset(frame.words):
                    kind = self.relative if frame.head else self.main
                    (self.nominal if frame.category == "N" else kind).append(frame)
        self.found = {}

    def after(self, i, words):
        """The place after these words, where they stand here; None where they do not."""
        end = i + len(words)
        there = self.tokens[i:end]
        if i == 0 and there:
            words = [words[0][0].upper() + words[0][1:], *words[1:]]
        return end if words and there == words else None

    def phrases(self, i):
        if i >= len(self.tokens):
            return
        first = self.tokens[i]
        for word in {first, first[0].lower() + first[1:]} if i == 0 else {first}:
            for words, phrase in self.lexicon.by_first_word.get(word, ()):
                end = self.after(i, words)
                if end is not None:
                    yield end, phrase

    def noun_phrases(self, i):
        """Everything that may fill a role, from here on."""
        if i not in self.found:
            found = {(end, NounPhrase(phrase.text, phrase)) for end, phrase in self.phrases(i)}
            found |= {*self.relative_clauses(i)}
            for end, partial in self.nominals(i):
                noun = NounPhrase(partial.event, EVENT_PHRASE, partial.beside, partial.pending)
                found.add((end, noun))
            self.found[i] = found
        return self.found[i]

    def nominals(self, i):
        for frame in self.nominal:
            yield from self.match(frame, 0, i, Partial(Event(frame.predicate.name, ())))

    def relative_clauses(self, i):
        """Noun phrases with relative clauses, also with several that are coordinated."""
        for end, phrase in self.phrases(i):
            head = NounPhrase(phrase.text, phrase)
            start = self.after(end, [","]) if phrase.is_name else end
            if start is None:
                continue
            for place, partial, case in self.bodies(start, head):
                pending = partial.pending or phrase.is_name
                yield place, head._replace(beside=partial.facts, pending=pending)
                for stop, facts, comma in self.with_others(place, partial, head, case):
                    pending = comma or phrase.is_name
                    yield stop, head._replace(beside=facts, pending=pending)

    def with_others(self, i, partial, head, case):
        """The man who slept and left; the man who slept and whom John greeted."""
        if case == "subject":
            for end, others in self.further(head, i, partial):
                yield from self.joined(end, partial, others)
        start = self.after(i, [",", "and"] if partial.pending else ["and"])
        if start is not None:
            for end, other, _ in self.bodies(start, head):
                yield end, partial.facts | other.facts, other.pending

    def bodies(self, i, head):
        """Relative clauses about a noun phrase, without it, and what the pronoun is in them."""
        for frame in self.relative:
            role = frame.pieces[0].value
            if self.fits(frame.predicate, role, head):
                start = Partial(event(frame.predicate.name, **{role: head.filler}), last=head)
                case = next((p.value for p in frame.pieces if p.kind == "RelPro"), "subject")
                for end, partial in self.match(frame, 1, i, start):
                    yield end, partial, case
                    for place, with_manner in self.late_adverbs(end, partial):
                        yield place, with_manner, case

    def late_adverbs(self, i, partial):
        """An adverb at the end of a relative clause."""
        adverb = "".join(self.tokens[i : i + 1])
        if "late adverbs" not in self.beyond or adverb not in self.lexicon.manners:
            return
        if not partial.pending and "manner" not in partial.event.filled:
            manner = self.lexicon.manners[adverb]
            yield i + 1, partial._replace(event=partial.event.having("manner", manner))

    def fits(self, predicate, role, noun):
        fillers = predicate.fillers[role]
        if fillers is None or isinstance(noun.filler, Event):
            return fillers is None and isinstance(noun.filler, Event)
        return noun.filler in fillers

    def clauses(self, i):
        for frame in self.main:
            yield from self.match(frame, 0, i, Partial(Event(frame.predicate.name, ())))
        for end, partial in self.nominals(i):
            start = self.after(end, [","]) if partial.pending else end
            place = None if start is None else self.after(start, [BE[self.tense, SINGULAR]])
            if place is None or "manner" in partial.event.filled:
                continue
            for adjective in self.lexicon.predicates[partial.event.predicate].manners:
                stop = self.after(place, [adjective])
                if stop is not None:
                    yield stop, Partial(partial.event.having("manner", adjective), partial.beside)

    def verb_phrases(self, i, subject, auxiliary):
        """Clauses without their first noun phrase, and without the auxiliary after another one."""
        for frame in self.main:
            if frame.pieces[0].kind != "NP":
                continue
            role = frame.pieces[0].value
            if self.fits(frame.predicate, role, subject):
                start = event(frame.predicate.name, **{role: subject.filler})
                yield from self.match(frame, 1, i, Partial(start, last=subject))
                shared = auxiliary and "shared auxiliaries" in self.beyond
                if shared and frame.pieces[1].kind == "Be":
                    start = Partial(start, last=subject, auxiliary=True)
                    yield from self.match(frame, 2, i, start)

    def match(self, frame, k, i, so_far):
        """All ways to find the pieces of a frame from the k-th on, with the places they end at."""
        pieces = frame.pieces
        if k == len(pieces):
            yield i, so_far
            return
        kind, value = pieces[k]
        if value == "," and k == len(pieces) - 1:
            yield i, so_far._replace(pending=True)
            return
        if so_far.pending:
            i = self.after(i, [","])
            if i is None:
                return
            so_far = so_far._replace(pending=False)
        if kind == "NP":
            yield from self.match_argument(frame, k, i, so_far)
        elif kind in ("Adverb", "Adjective"):
            yield from self.match(frame, k + 1, i, so_far)
            for adjective, adverb in frame.predicate.manners.items():
                end = self.after(i, [adverb if kind == "Adverb" else adjective])
                if end is not None:
                    with_manner = so_far._replace(
                        event=so_far.event.having("manner", adjective),
                        adverb=adjective if pieces[k + 1].kind == "Verb" else None,
                    )
                    yield from self.match(frame, k + 1, end, with_manner)
        else:
            end = self.after(i, self.words(frame.predicate, kind, value, so_far.last))
            if end is not None:
                auxiliary = so_far.auxiliary or kind == "Be"
                yield from self.match(frame, k + 1, end, so_far._replace(auxiliary=auxiliary))

    def words(self, predicate, kind, value, noun):
        match kind:
            case "word":
                return [value]
            case "possessive":
                return [noun.phrase.possessive]
            case "RelPro":
                return [noun.phrase.pronoun(value)]
            case "PPVerb":
                return predicate.participle
            case "Noun":
                return predicate.noun
        number = PLURAL if noun.phrase.plural else SINGULAR
        if kind == "Be":
            return [BE[self.tense, number]]
        return predicate.verbs.get((self.tense, number), [])

    def match_argument(self, frame, k, i, so_far):
        role = frame.pieces[k].value
        if frame.category == "N" and k == 0:
            nouns = [(end, NounPhrase(phrase.text, phrase)) for end, phrase in self.phrases(i)]
        else:
            nouns = self.noun_phrases(i)
        for end, noun in nouns:
            if self.fits(frame.predicate, role, noun):
                more = so_far._replace(
                    event=so_far.event.having(role, noun.filler),
                    beside=so_far.beside | noun.beside,
                    pending=noun.pending,
                    first=noun if k == 0 else so_far.first,
                    last=noun,
                )
                yield from self.match(frame, k + 1, end, more)

    def further(self, subject, i, before, several=False):
        """More verb phrases: "and V"; ", V, and V"."""
        place = self.after(i, [","])
        comma, start = place is not None, i if place is None else place
        end = self.after(start, ["and"])
        if end is not None and comma == (before.pending or several):
            for stop, partial in self.verb_phrases(end, subject, before.auxiliary):
                yield stop, [partial]
        elif end is None and comma:
            for stop, partial in self.verb_phrases(start, subject, before.auxiliary):
                for final, others in self.further(subject, stop, partial, several=True):
                    yield final, [partial, *others]

    def joined(self, end, first, others):
        """What coordinated verb phrases say; an adverb of the first may be one of them all."""
        facts = frozenset().union(first.facts, *(each.facts for each in others))
        yield end, facts, others[-1].pending
        manner = first.adverb
        if "wide adverbs" not in self.beyond or manner is None:
            return
        if not any("manner" in each.event.filled for each in others):
            wide = [each._replace(event=each.event.having("manner", manner)) for each in others]
            facts = frozenset().union(first.facts, *(each.facts for each in wide))
            yield end, facts, wide[-1].pending

    def conjuncts(self, i):
        """Clauses, each with one verb phrase or with several."""
        for end, clause in self.clauses(i):
            yield end, clause.facts, clause.pending
            if clause.first is not None:
                for stop, others in self.further(clause.first, end, clause):
                    yield from self.joined(stop, clause, others)

    def sentences(self, i=0, several=False):
        for end, facts, _ in {*self.conjuncts(i)}:
            if end == len(self.tokens) and not several:
                yield facts
            last, another = self.after(end, [",", "and"]), self.after(end, [","])
            if last is not None:
                for stop, others, _ in self.conjuncts(last):
                    if stop == len(self.tokens):
                        yield facts | others
            elif another is not None:
                for others in self.sentences(another, several=True):
                    yield facts | others


class Reader:
    """Reads sentences with a grammar, and with constructions beyond it."""

    def __init__(self, lexicon, *beyond):
        self.lexicon, self.beyond = lexicon, beyond
        self.known = {}

    def read(self, sentence):
        """Every reading of a sentence."""
        if sentence not in self.known:
            *tokens, stop = tokens_of(sentence)
            self.known[sentence] = {
                facts
                for tense in ("present", "past")
                for facts in Parser(self.lexicon, tokens, tense, self.beyond).sentences()
                if stop == "."
            }
        return self.known[sentence]

    def follows(self, text, hypothesis):
        """Whether some way to map the events of a hypothesis into those of a text keeps it all."""
        events = [*hypothesis]
        return any(
            all(self.is_part(each, images[each], images) for each in events)
            for chosen in product(text, repeat=len(events))
            for images in [dict(zip(events, chosen, strict=True))]
        )

    def is_part(self, part, whole, images):
        if part.predicate != whole.predicate:
            return False
        own, others = part.filled, whole.filled
        exchanges = [{}]
        if symmetric := self.lexicon.predicates[part.predicate].symmetric:
            i, j = symmetric
            exchanges.append({i: j, j: i})
        return any(
            all(others.get(names.get(r, r)) == images.get(f, f) for r, f in own.items())
            for names in exchanges
        )

    def golds(self, case):
        """What follows, under every combination of readings of both sides."""
        texts, hypotheses = self.read(case.text), self.read(case.hypothesis)
        return {self.follows(*both) for both in product(texts, hypotheses)}


# The reader, by hand

TOY = """
<Const id="nV" type="V-A"><NP id="0"/> <Adverb/> <Verb/></Const>
<Const id="nV" type="V-R0-A" relPro="0"><NP id="0"/> <RelPro/> <Adverb/> <Verb/></Const>
<Const id="nVn" type="V-A"><NP id="0"/> <Adverb/> <Verb/> <NP id="1"/></Const>
<Const id="nVn" type="V-P"><NP id="1"/> <Be/> <Adverb/> <PPVerb/> by <NP id="0"/></Const>
<Const id="nVn" type="V-P"><NP id="1"/> <Be/> <Adverb/> <PPVerb/></Const>
<Const id="nVn" type="V-R1-A" relPro="1"><NP id="1"/> <RelPro/> <NP id="0"/> <Verb/></Const>
<Const id="nVn" type="V-R1-P" relPro="1"
  ><NP id="1"/> <RelPro/> <Be/> <PPVerb/> by <NP id="0"/></Const>
<Const id="nVn" type="V-R1-P" relPro="1"><NP id="1"/> <RelPro/> <Be/> <PPVerb/></Const>
<Const id="nVnn" type="V-A"><NP id="0"/> <Verb/> <NP id="1"/> <NP id="2"/></Const>
<Const id="nVnn" type="V-P"><NP id="1"/> <Be/> <PPVerb/> <NP id="2"/> by <NP id="0"/></Const>
<Const id="nVnn" type="V-P"><NP id="1"/> <Be/> <PPVerb/> <NP id="2"/></Const>
<Const id="nVnn" type="V-R1-A" relPro="1"
  ><NP id="1"/> <PP id="0"/> <RelPro/> <NP id="0"/> <Verb/> <NP id="2"/></Const>
<Const id="possN" type="N-Poss"><NP id="0"/>'s <Adjective/> <Noun/></Const>
<Const id="possN" type="N-PP0">the <Adjective/> <Noun/> of <NP id="0"/></Const>
<Set pred="sleep">
  <Parts>
    <Verb>sleeps</Verb> <Verb number="plural">sleep</Verb> <Verb tense="past">slept</Verb>
    <Noun>sleep</Noun> <Arg n="0" id="Person"/> <Arg n="manner" id="Noise"/>
  </Parts>
  <Dists><Dist constfam="nV" dist="0"/> <Dist constfam="possN" dist="0"/></Dists>
</Set>
<Set pred="read">
  <Parts>
    <Verb>reads</Verb> <Verb number="plural">read</Verb> <Verb tense="past">read</Verb>
    <PPVerb>read</PPVerb> <Arg n="0" id="Person"/> <Arg n="1" id="Text"/>
    <Arg n="manner" id="Noise"/>
  </Parts>
  <Dists><Dist constfam="nVn" dist="01"/></Dists>
</Set>
<Set pred="lend">
  <Parts>
    <Verb>lends</Verb> <Verb number="plural">lend</Verb> <Verb tense="past">lent</Verb>
    <PPVerb>lent</PPVerb>
    <Arg n="0" id="Person"/> <Arg n="1" id="Text"/> <Arg n="2" id="Person"/>
  </Parts>
  <Dists><Dist constfam="nVnn" dist="021" fill="to"/></Dists>
</Set>
<Set pred="marry" symmetric="01">
  <Parts>
    <Verb>marries</Verb> <Verb number="plural">marry</Verb> <Verb tense="past">married</Verb>
    <PPVerb>married</PPVerb> <Arg n="0" id="Person"/> <Arg n="1" id="Person"/>
  </Parts>
  <Dists><Dist constfam="nVn" dist="01"/></Dists>
</Set>
<Set pred="annoy">
  <Parts>
    <Verb>annoys</Verb> <Verb tense="past">annoyed</Verb> <PPVerb>annoyed</PPVerb>
    <Arg n="0" id="Event"/> <Arg n="1" id="Person"/>
  </Parts>
  <Dists><Dist constfam="nVn" dist="01"/></Dists>
</Set>
<SemArgs>
  <SemArg id="Person" human="yes">
    <Arg>John</Arg> <Arg>Mary</Arg> <Arg>the man</Arg> <Arg number="plural">the girls</Arg>
  </SemArg>
  <SemArg id="Text"> <Arg>a book</Arg> <Arg>the map</Arg> <Arg>Emma</Arg> </SemArg>
  <SemArg id="Noise"> <Arg adverb="loudly">loud</Arg> <Arg adverb="silently">silent</Arg> </SemArg>
  <SemArg id="Event" nominal="yes"/>
</SemArgs>
"""

MAN_SLEEPS, JOHN_SLEEPS = event("sleep", _0="the man"), event("sleep", _0="John")
JOHN_READS, BOOK_IS_READ = event("read", _0="John", _1="a book"), event("read", _1="a book")


@pytest.fixture(scope="module")
def toy():
    return Lexicon(TOY)


@pytest.mark.parametrize(
    ("sentence", "events"),
    [
        ("John reads a book.", [JOHN_READS]),
        ("A book was read by John.", [JOHN_READS]),
        ("The girls silently sleep.", [event("sleep", _0="the girls", manner="silent")]),
        ("John, who sleeps, reads a book.", [JOHN_READS, JOHN_SLEEPS]),
        ("A book is read by John, who sleeps.", [JOHN_READS, JOHN_SLEEPS]),
        ("The man slept, and John read a book.", [MAN_SLEEPS, JOHN_READS]),
        ("John sleeps and reads a book.", [JOHN_SLEEPS, JOHN_READS]),
        ("John slept, read a book, and married Mary.",
         [JOHN_SLEEPS, JOHN_READS, event("marry", _0="John", _1="Mary")]),
        ("The man slept, John slept, and a book was read.", [MAN_SLEEPS, JOHN_SLEEPS, BOOK_IS_READ]),
        ("Emma, which John lent Mary, was read.", []),  # no pattern for it
        ("Mary, to whom John lent Emma, which was read, slept.",
         [event("lend", _0="John", _1="Emma", _2="Mary"), event("read", _1="Emma"),
          event("sleep", _0="Mary")]),
        ("The loud sleep of John annoys Mary.",
         [event("annoy", _0=event("sleep", _0="John", manner="loud"), _1="Mary")]),
        ("The girls' sleep was silent.", [event("sleep", _0="the girls", manner="silent")]),
    ],
)  # fmt: skip
def test_reader_finds_the_one_reading(toy, sentence, events):
    assert Reader(toy).read(sentence) == ({reading(*events)} if events else set())


@pytest.mark.parametrize(
    "sentence",
    [
        "john sleeps.",  # no capital
        "John sleep.",  # agreement
        "The girls is married.",
        "John sleeps, and a book was read.",  # tenses
        "John who sleeps reads a book.",  # commas
        "John, who sleeps reads a book.",
        "The man, who sleeps, reads a book.",
        "John sleeps, and reads a book.",
        "John sleeps and Mary sleeps.",
        "Mary is married by John, who sleeps,.",
        "The man that sleeps reads a book.",  # pronouns
        "A book which John reads is read.",
        "The man who Mary marries sleeps.",
        "The girls's sleep is loud.",  # possessives
        "John's silent sleep is loud.",  # two manners
        "A book reads John.",  # types
        "John annoys Mary.",
    ],
)
def test_reader_refuses_what_is_wrong(toy, sentence):
    assert Reader(toy).read(sentence) == set()


def test_reader_finds_both_readings_of_an_attachment(toy):
    lent = {"_1": "a book", "_2": "Mary"}
    assert Reader(toy).read("Mary was lent a book that was read by John.") == {
        reading(event("lend", **lent), JOHN_READS),
        reading(event("lend", _0="John", **lent), BOOK_IS_READ),
    }


def test_reader_finds_coordination_in_a_relative_clause(toy):
    married = event("marry", _0="John", _1="the man")
    assert Reader(toy).read("John marries the man who sleeps and reads a book.") == {
        reading(married, MAN_SLEEPS, JOHN_READS),
        reading(married, MAN_SLEEPS, event("read", _0="the man", _1="a book")),
    }


@pytest.mark.parametrize(
    ("beyond", "sentence", "common", "plain", "other"),
    [
        ("late adverbs", "The man who slept silently read a book.", [],
         [MAN_SLEEPS, event("read", _0="the man", _1="a book", manner="silent")],
         [event("sleep", _0="the man", manner="silent"),
          event("read", _0="the man", _1="a book")]),
        ("shared auxiliaries", "Mary was married and lent a book.", [event("marry", _1="Mary")],
         [], [event("lend", _1="a book", _2="Mary")]),
        ("wide adverbs", "John silently slept and read a book.",
         [event("sleep", _0="John", manner="silent")], [JOHN_READS],
         [event("read", _0="John", _1="a book", manner="silent")]),
    ],
)  # fmt: skip
def test_reader_goes_beyond_the_grammar_on_request(toy, beyond, sentence, common, plain, other):
    plainly = {reading(*common, *plain)} if plain else set()
    assert Reader(toy).read(sentence) == plainly
    assert Reader(toy, beyond).read(sentence) == {*plainly, reading(*common, *other)}


def test_gold_needs_all_of_a_role_in_one_event(toy):
    reader = Reader(toy)
    text = reading(JOHN_READS, event("read", _0="Mary", _1="the map"))
    assert reader.follows(text, reading(BOOK_IS_READ, event("read", _0="Mary")))
    assert not reader.follows(text, reading(event("read", _0="Mary", _1="a book")))
    assert not reader.follows(reading(BOOK_IS_READ), reading(JOHN_READS))


def test_gold_exchanges_symmetric_roles_and_follows_events(toy):
    reader = Reader(toy)
    wedding = reading(event("marry", _0="John", _1="Mary"))
    assert reader.follows(wedding, reading(event("marry", _0="Mary", _1="John")))
    assert reader.follows(wedding, reading(event("marry", _0="Mary")))
    annoyed = reading(event("annoy", _0=event("sleep", _0="John", manner="loud"), _1="Mary"))
    assert reader.follows(annoyed, reading(event("annoy", _0=JOHN_SLEEPS)))
    assert reader.follows(annoyed, reading(JOHN_SLEEPS))
    assert not reader.follows(annoyed, reading(event("annoy", _0=MAN_SLEEPS)))
    # John sleeps, and something loud of the man's annoys Mary
    text = reading(JOHN_SLEEPS, event("annoy", _0=MAN_SLEEPS, _1="Mary"))
    assert not reader.follows(text, reading(event("annoy", _0=JOHN_SLEEPS)))


# Cases, read back


class Sample(NamedTuple):
    lexicon: Lexicon
    cases: list
    reader: Reader
    """Of the grammar, with nothing beyond."""


def sample(repertoire, *sources, n_suites=1, **settings):
    settings = SuiteSettings(**settings)
    suites = suite_generators(repertoire, settings, n_suites=n_suites, seed=11)
    lexicon = Lexicon(*sources)
    cases = [case for _, _, generator in suites for case in generator.cases()]
    return Sample(lexicon, cases, Reader(lexicon))


@pytest.fixture(scope="module")
def paper_suite(paper, paper_files):
    return sample(paper, *(path.read_text("utf-8") for path in paper_files), size=60)


@pytest.fixture(scope="module")
def small_suite(small, small_text):
    return sample(small, small_text, size=200)


@pytest.fixture(scope="module")
def english_text():
    return files("ensue.suites").joinpath("english.xml").read_text("utf-8")


@pytest.fixture(scope="module")
def english_suites(english, english_text):
    return sample(english, english_text, n_suites=60, size=20)


@pytest.fixture(scope="module")
def long_suites(english, english_text):
    return sample(english, english_text, n_suites=20, size=20, clauses=5)


@pytest.fixture(params=["paper_suite", "small_suite", "english_suites", "long_suites"])
def suites(request):
    return request.getfixturevalue(request.param)


def test_cases_are_read_as_they_are_meant(suites):
    lost = [
        (case.id, sentence)
        for case in suites.cases
        for side, sentence in (("text", case.text), ("hypothesis", case.hypothesis))
        if recorded(case.meta["events"][side]) not in suites.reader.read(sentence)
    ]
    assert lost == []


def test_gold_is_what_follows_by_definition(suites):
    wrong = []
    for case in suites.cases:
        events = case.meta["events"]
        follows = suites.reader.follows(recorded(events["text"]), recorded(events["hypothesis"]))
        if follows != (case.gold is Label.ENTAILMENT):
            wrong.append((case.id, case.text, case.hypothesis))
    assert wrong == []


@pytest.mark.parametrize("name", ["paper_suite", "small_suite"])
def test_no_ambiguity_of_a_small_grammar_matters(request, name):
    suite = request.getfixturevalue(name)
    assert [case.id for case in suite.cases if len(suite.reader.golds(case)) > 1] == []


@pytest.mark.parametrize(("construction", "most"), SHARES.items())
def test_ambiguity_that_matters_is_rare(english_suites, construction, most):
    beyond = [construction] if construction in BEYOND else []
    reader = Reader(english_suites.lexicon, *beyond) if beyond else english_suites.reader
    found = [
        (case.text, case.hypothesis)
        for case in english_suites.cases
        if len(reader.golds(case)) > 1
        if not beyond or len(english_suites.reader.golds(case)) == 1
    ]
    assert len(found) <= most * len(english_suites.cases), found
