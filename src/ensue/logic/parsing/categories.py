"""Categories that a token may have by the lexicon, and what each costs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import takewhile

from ensue.language import Sentence
from ensue.language.lexicon import Lexicon
from ensue.logic.deadline import Deadline

# What the lexicon knows of a word that matters for its place in a sentence; what was asked once
# is kept.

_KEPT = 1 << 15
_DOUBLING = re.compile("[^aeiou]*[aeiou][^aeiouwxy]")
"""Verbs of one short syllable."""
_THAT_CLAUSE = 26
"""WordNet's frame *somebody ----s that CLAUSE*."""
_WITH_OBJECT = frozenset((8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 30, 31))
"""Its frames with an object."""
_ALONE = frozenset((1, 2, 3, 4, 6, 7, 12, 13, 22, 23, 26, 27, 29, 32, 33))
"""Those without one."""
_WITH_OF = frozenset((16, 18))
"""*somebody ----s something from somebody* and *somebody ----s somebody of something*."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of which a word may be a form."""

    lemma: str
    takes_clause: bool
    """*said that he came*"""
    has_passive: bool
    takes_of: bool
    """*accused him of theft*"""
    has_object: bool
    """Whether it may have an object in its first sense."""
    wants_object: bool
    """Whether it must have one there."""


@dataclass(frozen=True, slots=True)
class WordEntry:
    """A word in lower case, and what it may be."""

    nouns: tuple[str, ...]
    verbs: tuple[Verb, ...]
    """Rather *find* than *found*: what is the word itself comes last."""
    is_adjective: bool
    is_adverb: bool
    events: tuple[str, ...]
    """The verbs whose event it names, as a noun."""
    origins: tuple[str, ...]
    """The verbs that it is derived from, as a noun; the same where it names an event."""
    takes_clause: bool
    """*the claim that he came*"""
    is_person: bool

    @property
    def is_known(self) -> bool:
        """Whether it is a word of the lexicon at all."""
        return bool(self.nouns or self.verbs or self.is_adjective or self.is_adverb)


@lru_cache(_KEPT)
def word_of(word: str, lexicon: Lexicon) -> WordEntry:
    """What is known of a word."""
    nouns = lexicon.lemmas(word, "noun")
    lemmas = sorted(_verb_lemmas(word, lexicon), key=lambda lemma: _remoteness(lemma, word))
    events = lexicon.event_verbs(word)
    derived = lexicon.derivations(word, "noun")
    origins = events or tuple(lemma.word for lemma in derived if lemma.part == "verb")
    return WordEntry(
        nouns,
        tuple(_verb(lemma, lexicon) for lemma in lemmas),
        bool(lexicon.lemmas(word, "adjective")),
        bool(lexicon.lemmas(word, "adverb")),
        events,
        origins,
        any(_THAT_CLAUSE in lexicon.frames(verb) for verb in origins),
        bool(nouns) and "person" in lexicon.hypernyms(nouns[0], "noun"),
    )


def is_transitive(verb: str, lexicon: Lexicon) -> bool:
    """Whether a verb may have an object; of one that the lexicon does not know, it may."""
    frames = lexicon.frames(verb)
    return not frames or not _WITH_OBJECT.isdisjoint(frames)


def _verb_lemmas(word: str, lexicon: Lexicon) -> list[str]:
    """The verbs of which a word may be a form: of *stared* only *stare*, since *star* doubles its r."""
    lemmas = lexicon.lemmas(word, "verb")
    spelled = [lemma for lemma in lemmas if not _lacks_letter(lemma, word)]
    return spelled or list(lemmas)


def _lacks_letter(lemma: str, word: str) -> bool:
    doubles = _DOUBLING.fullmatch(lemma) is not None
    return doubles and word in (f"{lemma}ed", f"{lemma}ing")


def _remoteness(lemma: str, word: str) -> tuple[bool, int]:
    """Rather *find* than *found* for *found*, and rather *install* than *instal* for *installed*."""
    shared = takewhile(lambda both: both[0] == both[1], zip(lemma, word, strict=False))
    return lemma == word, -sum(1 for _ in shared)


def _verb(lemma: str, lexicon: Lexicon) -> Verb:
    frames = lexicon.frames(lemma)
    first = lexicon.frames(lemma, senses=1)
    has_object = not _WITH_OBJECT.isdisjoint(first)
    takes_clause = _THAT_CLAUSE in frames
    return Verb(
        lemma,
        takes_clause,
        takes_clause or not frames or not _WITH_OBJECT.isdisjoint(frames),
        not _WITH_OF.isdisjoint(frames),
        has_object,
        has_object and _ALONE.isdisjoint(first),
    )


# What kinds of words a token may be, and what each costs.

_PREDICTED = {"q": ("WDT", "WP"), "w": ("IN",), "d": ("IN", "WDT"), "pr": ("IN", "WDT")}
"""Of *that*: the tags that speak against a kind."""
_FUNCTIONS = frozenset(("ADP", "SCONJ", "CCONJ", "DET", "PART", "AUX"))
"""Parts of speech whose words are all listed, or not known to the grammar: *than*."""
_OTHERWISE = 1.0
"""The cost of another kind of word than the tagger's."""
_FINITE = 0.6
"""The cost of a finite verb that the tagger takes for an infinitive: *let the girl leave*."""
_OTHER_FORM = 0.1
"""The cost of another form of the same verb: *sent* as a participle or not."""
_AS_PARTICLE = 0.3
"""The cost of a preposition that the tagger calls a particle."""
_UNEXPECTED = 0.2
"""The cost of another kind of *that* than the tagger's, who is often wrong there."""


@dataclass(frozen=True, slots=True)
class TokenReading:
    """One way to take a token."""

    kind: str
    cost: float
    tag: str
    part: str
    lemma: str


@dataclass(frozen=True, slots=True)
class Closed:
    """A kind that a word of a closed class may be; empty where the tagger's tag and part stay."""

    kind: str
    tag: str
    part: str


@cache
def closed_classes() -> dict[str, tuple[Closed, ...]]:
    """The kinds of the words of closed classes, from the file that comes along."""
    found: dict[str, tuple[Closed, ...]] = {}
    for head, words in _lines("kinds.txt"):
        kind, tag, part = (name.replace("-", "") for name in head.split())
        for word in words.split():
            found[word] = (*found.get(word, ()), Closed(kind, tag, part))
    return found


@cache
def irregular_forms() -> dict[str, str]:
    """Forms of irregular verbs, with which form each of them is."""
    return {word: head for head, words in _lines("irregular.txt") for word in words.split()}


def _lines(name: str) -> list[tuple[str, str]]:
    """The lines of a file that comes along, each in two at its colon."""
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.partition(" : ")[0], line.partition(" : ")[2]) for line in lines]


def readings(sentence: Sentence, lexicon: Lexicon, deadline: Deadline) -> list[list[TokenReading]]:
    """The ways to take each token, the tagger's own without cost."""
    forms = sentence.forms
    found: list[list[TokenReading]] = []
    verbs: set[str] = set()
    for token, form in enumerate(forms):
        deadline.check()
        ways = _closed(sentence, token, form, verbs, lexicon)
        if form == "case" and token and forms[token - 1].lower() == "in":
            found[-1].append(TokenReading("ui", 0, "IN", "SCONJ", "in"))
            ways = [TokenReading("u", 0, "IN", "SCONJ", "case")]
        if (
            form.lower() == "as" and sentence.tags[token] == "RB"
        ):  # "as tall as": not of this grammar
            found.append([])
            continue
        if form.lower() in ("least", "most") and token and forms[token - 1].lower() == "at":
            found[-1] = [TokenReading("r", 0, "RB", "ADV", "at")]
            ways = [TokenReading("r", 0, "RBS", "ADV", form.lower())]
        if all(way.kind in ("hf", "df", "o", "u", "x") for way in ways):
            ways += _open(sentence, token, form, lexicon)
        verbs.update(way.lemma for way in ways if way.kind.startswith("v"))
        found.append(ways)
    return found


def _closed(
    sentence: Sentence, token: int, form: str, verbs: set[str], lexicon: Lexicon
) -> list[TokenReading]:
    """The ways to take a word of a closed class; none for others."""
    word, tag = form.lower(), sentence.tags[token]
    if word == "there":
        if tag == "EX":
            return [TokenReading("ex", 0, tag, "PRON", word)]
        return [TokenReading("r", 0, "RB", "ADV", word)]
    found: list[TokenReading] = []
    for way in closed_classes().get(word, ()):
        cost = _AS_PARTICLE if way.kind == "p" and tag == "RP" else 0.0
        if way.kind == "x":
            cost = _particle_cost(word, tag, verbs, lexicon)
        elif word == "that" and tag in _PREDICTED.get(way.kind, ()):
            cost = _UNEXPECTED
        lemma = (
            {"b": "be", "h": "have", "d": "do"}.get(way.kind[0], "") if way.part == "AUX" else ""
        )
        found.append(
            TokenReading(
                way.kind,
                cost,
                way.tag or tag,
                way.part or sentence.parts[token],
                lemma or sentence.lemmas[token],
            )
        )
    return found


def _particle_cost(word: str, tag: str, verbs: set[str], lexicon: Lexicon) -> float:
    """Little where a verb before it makes one verb with it: *pick up*.

    A tag of a preposition is believed after verbs without an object: *walk up the hill*.
    """
    known = [verb for verb in verbs if lexicon.lemmas(f"{verb} {word}", "verb")]
    if known and tag == "IN":
        has_object = any(each.has_object for verb in known for each in word_of(verb, lexicon).verbs)
        return -0.15 if has_object and word not in ("in", "on") else 0.2
    return 0.0 if known or tag == "RP" else 0.3 if tag == "RB" else 0.9


def _open(sentence: Sentence, token: int, form: str, lexicon: Lexicon) -> list[TokenReading]:
    tag, part, lemma = sentence.tags[token], sentence.parts[token], sentence.lemmas[token]
    if part == "NUM" or tag == "CD":
        return [TokenReading("num", 0, tag, part, lemma)]
    written = form.lower()
    word = word_of(written, lexicon)
    found = _names(form, token, tag, word)
    if found and (token > 0 or not word.is_known):
        return found
    found += _verbs(written, tag, word)
    found += _nouns(written, tag, lemma, word)
    found += _qualities(written, (tag, lemma), word, found)
    if not found and part not in _FUNCTIONS:  # such a word is not of this grammar
        kind = {"VERB": "vf", "ADJ": "a", "ADV": "r", "PROPN": "pn"}.get(part, "n")
        found.append(TokenReading(kind, 0, tag, part, lemma))
    return found


def _names(form: str, token: int, tag: str, word: WordEntry) -> list[TokenReading]:
    """Capitals are names; at the beginning where they are no other word, or the tagger says so."""
    if not form[:1].isupper():
        return []
    cost = 0.0
    if token == 0 and word.is_known:
        is_plural = form.endswith("s") and bool(word.nouns) and form.lower() not in word.nouns
        cost = 1.5 if is_plural or not tag.startswith("NNP") else 0.0
    return [TokenReading("pn", cost, "NNP", "PROPN", form)]


def _verbs(written: str, tag: str, word: WordEntry) -> list[TokenReading]:
    if not word.verbs:
        return []
    cost = 0.0 if tag.startswith("V") else 0.8 * _OTHERWISE
    if cost and not word.nouns:
        cost = 0.3
    elif cost and written.endswith("ing"):
        cost = 0.4
    if tag.startswith("JJ") and all(verb.lemma != written for verb in word.verbs):
        cost = 0.0
    found: dict[tuple[str, str], TokenReading] = {}
    for verb in word.verbs:
        for form, way in _forms(written, verb.lemma):
            kinds = [_verb_kind(form, verb)]
            if verb.takes_clause:
                kinds.append(f"vc{form}")
            other = 0.0 if tag == way or cost else _FINITE if tag == "VB" else _OTHER_FORM
            for kind in kinds:
                reading = TokenReading(kind, cost + other, way, "VERB", verb.lemma)
                found.setdefault((kind, way), reading)
    return list(found.values())


def _verb_kind(form: str, verb: Verb) -> str:
    """The kind of a form: those that want an object, and participles without a passive, are their own."""
    if form == "n":
        return "vn" if verb.has_passive else "vin"
    return f"vo{form}" if verb.wants_object else f"v{form}"


def _forms(written: str, lemma: str) -> list[tuple[str, str]]:
    """The forms of a verb that a word may be, as letters and tags."""
    how = irregular_forms().get(written, "")
    if written == lemma:
        found = [("b", "VB"), ("f", "VBP")]
        found += [("f", "VBD")] if how == "both" else []
        return found + ([("n", "VBN")] if how in ("both", "participle") else [])
    if written.endswith("ing"):
        return [("g", "VBG")]
    if written.endswith("s") and not written.endswith("ss"):
        return [("f", "VBZ")]
    found = [("f", "VBD")] if how != "only-participle" else []
    return found + ([("n", "VBN")] if how != "only-past" else [])


def _nouns(written: str, tag: str, lemma: str, word: WordEntry) -> list[TokenReading]:
    if not word.nouns and not word.events and tag not in ("NN", "NNS"):
        return []
    is_gerund = written.endswith("ing")
    cost = 0.0 if tag.startswith("NN") else 0.3 if is_gerund else _OTHERWISE
    if tag.startswith("JJ"):
        cost = 0.6
    if not word.nouns and not word.events and word.is_known:
        cost = 2 * _OTHERWISE
    base = word.nouns[0] if word.nouns else written if is_gerund else lemma.lower()
    if tag == "NNS":
        base = next((noun for noun in word.nouns if noun != written), base)
    is_plural = base != written and written.endswith("s")
    found = "NNS" if is_plural else tag if tag in ("NN", "NNS") else "NN"
    kinds = ["nh" if word.is_person else "n"]
    kinds += ["ne"] if word.origins else []
    kinds += ["nc"] if word.takes_clause else []
    return [TokenReading(kind, cost, found, "NOUN", base) for kind in kinds]


def _qualities(
    written: str, tagged: tuple[str, str], word: WordEntry, found: list[TokenReading]
) -> list[TokenReading]:
    qualities = []
    tag, lemma = tagged
    if tag.startswith("JJ") or word.is_adjective:
        cost = 0.0 if tag.startswith("JJ") else _OTHERWISE
        if any(way.kind == "vn" for way in found):
            cost = max(cost, 0.6)  # what is worried is somebody who was
        elif not word.is_adjective and found:
            cost = _OTHERWISE
        # *biggest* says of all others of its kind that they are less big
        ranked = tag == "JJS" and lemma != written
        base, kind = (lemma, tag) if ranked else (written, "JJ")
        qualities.append(TokenReading("a", cost, kind, "ADJ", base))
    if tag.startswith("RB") or word.is_adverb:
        cost = 0.0 if tag.startswith("RB") else _OTHERWISE
        qualities.append(TokenReading("r", cost, "RB", "ADV", written))
    return qualities


@cache
def given_names() -> frozenset[str]:
    """Common names of persons, in lower case."""
    table = resources.files(__package__).joinpath("given_names.txt").read_text("utf-8")
    lines = (line for line in table.splitlines() if not line.startswith("#"))
    return frozenset(name for line in lines for name in line.split())
