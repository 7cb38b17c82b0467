"""A parse prepared for a graph: copulas inverted, complex prepositions joined; word lists.

The parser's own relations stay, but for these: what a copula says of its subject takes the
copula's place, `because of` is one preposition, and a by-phrase that the parser hung on the object of
a passive verb, or called an adjunct of it, is its agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ensue.language.analyzer import Sentence

# Words that the graph has to know one by one.

_PHRASES = """
according to, ahead of, apart from, as well as, aside from, because of, due to, except for,
in addition to, in favor of, in front of, in spite of, instead of, next to, on behalf of, on top of,
out of, owing to, prior to, such as, thanks to, together with
"""
_PARTICIPLES = """
according based beginning compared concerning considering depending excluding following given
including owing pending regarding starting
"""
_INTRANSITIVE = """
agree apologize appear arise arrive be belong collapse come cough cry dance die disappear dream
emerge exist faint fall flee fly go grin happen hesitate jump kneel laugh lie listen live look occur
pause remain resign rest retire return rise run scream seem shout sit sleep smile sneeze speak stand
stay step stop struggle suffer swim talk think travel try turn vanish vote wait wake walk weep work
yell
"""
_QUANTITIES = "all any both each few half many most much neither none one several some"
_TIMES = "day evening hour moment month morning night reason time way week year"

PHRASES = frozenset(tuple(phrase.split()) for phrase in _PHRASES.split(","))
"""Prepositions of several words."""
PHRASE_OPENINGS = frozenset(phrase[0] for phrase in PHRASES)
PARTICIPLES = frozenset(_PARTICIPLES.split())
"""Forms of verbs that may be prepositions."""
INTRANSITIVE = frozenset(_INTRANSITIVE.split())
"""Verbs that seldom have an object."""
CONTROLLED_BY_SUBJECT = frozenset(("promise", "vow", "threaten", "swear", "use", "spend"))
"""Verbs with an object whose infinitive is yet what their subject does."""
WITH_SUBJECT = frozenset(("after", "before", "by", "without", "since", "in", "on", "upon", "while"))
"""Prepositions of a participle whose subject is that of the verb above it."""
WITH_OBJECT = frozenset(("of", "from", "into", "for"))
"""Those whose participle's subject is the object of the verb above it: *keep him from leaving*."""
QUANTITIES = frozenset(_QUANTITIES.split())
"""What may be said *of the men*, and is said of men then."""
AMOUNTS = frozenset(("lot", "couple", "majority", "minority", "number", "handful"))
"""Nouns that are such words after *a*."""
ORDINALS = frozenset(("first", "second", "third", "last", "next", "only"))
TIMES = frozenset(_TIMES.split())
"""Nouns that a relative clause without a pronoun tells the time, way or reason of."""
STRANDED = frozenset(("about", "at", "by", "for", "from", "in", "of", "on", "to", "with"))
"""Prepositions that a relative clause may end with: *the house she lives in*."""
HONORIFICS = frozenset(("mr", "mr.", "mrs", "mrs.", "ms", "ms.", "messrs", "messrs."))
"""What stands before a name and says no more than that it is one."""
WHERE = {"where": "prep_in", "when": "prep_in", "why": "prep_for"}
"""Relative adverbs, and the relations of what they stand for."""
CONJUNCTIONS = {"&": "and", "as": "and", "plus": "and", "/": "or"}
"""What stands for conjunctions; *as* is that of *as well as*."""


# A parse made ready for a graph: copulas turned round, prepositions of several words joined.

RELATIVE_TAGS = frozenset(("WDT", "WP", "WP$", "WRB"))
"""Of words that ask, or that stand for the noun of a relative clause."""
FIXED = "fixed"
"""The relation of the words of a preposition of several words to the one that has its place."""
COPULA = "cop"

_PHRASAL = frozenset(("prep", "advmod", "npadvmod", "amod", "pcomp", "cc", "dep"))
"""What the head of such a preposition may be called."""
_AUXILIARIES = frozenset(("aux", "auxpass"))
_NOUNS = frozenset(("NOUN", "PROPN", "PRON"))
_OBJECTS = frozenset(("dobj", "oprd"))
_NO_AGENTS = frozenset(("DATE", "TIME", "CARDINAL", "PERCENT", "MONEY", "QUANTITY", "ORDINAL"))
_MOVED = frozenset(("attr", "acomp"))
_NONE: dict[int, int] = {}


@dataclass(frozen=True, slots=True)
class Parse:
    """A parse in lists, which are quicker to read than arrays; no token hangs on itself."""

    sentence: Sentence
    words: list[str]
    """The tokens as they are written, in lower case."""
    lemmas: list[str]
    """In lower case."""
    tags: tuple[str, ...]
    parts: tuple[str, ...]
    heads: list[int]
    relations: list[str]
    order: list[int]
    """All tokens, heads before what depends on them."""
    children: dict[int, list[int]]
    """The dependents of the tokens that have some."""
    first: dict[str, dict[int, int]]
    """For each relation, the first dependent of each token that has one by it."""
    copulas: dict[int, int]
    """The copula of each predicate that is not a verb."""
    prepositions: dict[int, str]
    """The names of prepositions of several words, as `because_of`."""
    conjunctions: dict[int, str]
    """For each conjunct the word that joins it with the one before it."""

    def child(self, token: int, *relations: str) -> int:
        """The first dependent by the first of these relations that there is; -1 where there is none."""
        for relation in relations:
            found = self.first.get(relation, _NONE).get(token, -1)
            if found >= 0:
                return found
        return -1

    def has(self, token: int, relation: str) -> bool:
        """Whether a token has a dependent by a relation."""
        return token in self.first.get(relation, _NONE)

    def preposition(self, token: int) -> str:
        """The name of a preposition."""
        return self.prepositions.get(token) or self.words[token]


def parse_of(sentence: Sentence) -> Parse:
    """The parse of a sentence, made ready."""
    heads: list[int] = sentence.heads.tolist()
    relations = list(sentence.relations)
    text = sentence.text.lower()
    if len(text) == len(sentence.text):
        spans = zip(sentence.starts.tolist(), sentence.ends.tolist(), strict=True)
        words = [text[start:end] for start, end in spans]
    else:  # a few letters are longer in lower case
        words = [form.lower() for form in sentence.forms]
    lemmas = [lemma.lower() for lemma in sentence.lemmas]
    children, order = _without_circles(heads)
    prepositions = _join_prepositions(words, heads, relations, children)
    copulas = _turn_copulas_round(sentence, lemmas, heads, relations, children, order)
    agents = _find_agents(sentence, words, heads, relations, children)
    if prepositions or copulas or agents:
        children, order = _without_circles(heads)
    first: dict[str, dict[int, int]] = {}
    for token, relation in enumerate(relations):
        if relation in first:
            first[relation].setdefault(heads[token], token)
        else:
            first[relation] = {heads[token]: token}
    return Parse(
        sentence,
        words,
        lemmas,
        sentence.tags,
        sentence.parts,
        heads,
        relations,
        order,
        children,
        first,
        copulas,
        prepositions,
        _conjunctions(lemmas, heads, order, first),
    )


def _without_circles(heads: list[int]) -> tuple[dict[int, list[int]], list[int]]:
    """The dependents of each token, and all tokens with heads before what depends on them."""
    children: dict[int, list[int]] = {}
    for token, head in enumerate(heads):
        if head in children:
            children[head].append(token)
        else:
            children[head] = [token]
    order = children.pop(-1, [])
    for token in order:  # grows as it goes
        if token in children:
            order += children[token]
    if len(order) < len(heads):  # circles, which no analyzer makes: their tokens stand alone
        for token in set(range(len(heads))).difference(order):
            heads[token] = -1
        return _without_circles(heads)
    return children, order


def _conjunctions(
    lemmas: list[str], heads: list[int], order: list[int], first: dict[str, dict[int, int]]
) -> dict[int, str]:
    """What joins each conjunct with the one before it: of *apples, pears or plums* always *or*."""
    found: dict[int, str] = {}
    words, conjuncts = first.get("cc", _NONE), first.get("conj", _NONE)
    for token in reversed(order) if conjuncts else ():
        head = heads[token]
        if head >= 0 and head in words:
            word = lemmas[words[head]]
            found[token] = CONJUNCTIONS.get(word, word)
        else:
            found[token] = found.get(conjuncts.get(token, -1), "and")
    return found


def _join_prepositions(
    words: list[str], heads: list[int], relations: list[str], children: dict[int, list[int]]
) -> dict[int, str]:
    """Let the words of a preposition hang on the one in its place, and its object too."""
    found: dict[int, str] = {}
    if PHRASE_OPENINGS.isdisjoint(words):
        return found
    end = 0
    for token, word in enumerate(words):
        if word not in PHRASE_OPENINGS or token < end:
            continue
        for length in (2, 3):
            phrase = tuple(words[token : token + length])
            if len(phrase) == length and phrase in PHRASES:
                span = range(token, token + length)
                tops = [each for each in span if heads[each] not in span]
                if len(tops) == 1 and heads[tops[0]] >= 0 and relations[tops[0]] in _PHRASAL:
                    _join(span, tops[0], heads, relations, children)
                    found[tops[0]] = "_".join(phrase)
                    end = span.stop
    return found


def _join(
    span: range, top: int, heads: list[int], relations: list[str], children: dict[int, list[int]]
) -> None:
    if relations[top] != "cc":
        relations[top] = "prep"
    outside = [child for each in span for child in children.pop(each, ()) if child not in span]
    for each in span:
        if each != top:
            heads[each], relations[each] = top, FIXED
    for child in outside:
        heads[child] = top
    children[top] = sorted([*outside, *(each for each in span if each != top)])


def _turn_copulas_round(
    sentence: Sentence,
    lemmas: list[str],
    heads: list[int],
    relations: list[str],
    children: dict[int, list[int]],
    order: list[int],
) -> dict[int, int]:
    copulas: dict[int, int] = {}
    if "be" not in lemmas:
        return copulas
    for token in order:
        if lemmas[token] != "be" or relations[token] in _AUXILIARIES:
            continue
        predicate = _predicate(sentence.tags, relations, token, children.get(token, ()))
        if predicate < 0:
            continue
        copulas[predicate] = token
        heads[predicate], relations[predicate] = heads[token], relations[token]
        others = [
            child
            for child in children.pop(token)
            if child != predicate and relations[child] != COPULA
        ]
        for child in others:
            heads[child] = predicate
            if relations[child] in _MOVED:
                relations[child] = "dep"
        heads[token], relations[token] = predicate, COPULA
        children[predicate] = sorted([*children.get(predicate, ()), *others, token])
    return copulas


def _predicate(
    tags: tuple[str, ...], relations: list[str], copula: int, dependents: Sequence[int]
) -> int:
    """What a copula says of its subject; in a question for it, the subject; -1 for neither."""
    adjective = subject = -1
    asks = False
    for token in dependents:
        relation = relations[token]
        if relation == "attr":
            if tags[token] not in RELATIVE_TAGS:
                return token
            asks = True
        elif relation == "acomp" and adjective < 0:
            adjective = token
        elif relation == "nsubj" and token > copula and tags[token] not in RELATIVE_TAGS:
            subject = token
    return subject if asks and adjective < 0 else adjective


def _find_agents(
    sentence: Sentence,
    words: list[str],
    heads: list[int],
    relations: list[str],
    children: dict[int, list[int]],
) -> bool:
    """Whether any was found: the parser misses those of passive verbs with an object."""
    open_passives: dict[int, bool] = {}
    found = False
    for token in range(len(words)) if "by" in words and "nsubjpass" in relations else ():
        if words[token] != "by" or relations[token] != "prep" or heads[token] < 0:
            continue
        verb = heads[token]
        if relations[verb] == "dobj" and heads[verb] >= 0:
            verb = heads[verb]
        if verb not in open_passives:
            has = {relations[child] for child in children.get(verb, ())}
            open_passives[verb] = "nsubjpass" in has and bool(has & _OBJECTS) and "agent" not in has
        if open_passives[verb] and _may_act(sentence, relations, children.get(token, ())):
            heads[token], relations[token] = verb, "agent"
            open_passives[verb], found = False, True
    return found


def _may_act(sentence: Sentence, relations: list[str], dependents: Sequence[int]) -> bool:
    """Whether a preposition has an object that is somebody or something, and no day or number."""
    return any(
        relations[token] == "pobj"
        and sentence.parts[token] in _NOUNS
        and sentence.entities[token][2:] not in _NO_AGENTS
        for token in dependents
    )
