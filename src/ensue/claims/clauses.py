"""The clauses of an analyzed text: which are statements of their own, and what embeds each."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ensue.language import Contexts, Sentence, find_contexts
from ensue.language.contexts import Embedding, Modality, Quantity
from ensue.language.graphs import RELATIVE_TAGS


class Construction(StrEnum):
    """What a statement was in its sentence."""

    MAIN = "main"
    COMPLEMENT = "complement"
    """What is said, believed, known or asked: *that the bridge is safe*."""
    ADVERBIAL = "adverbial"
    """*because the harvest failed*."""
    RELATIVE = "relative"
    PARTICIPLE = "participle"
    """*founded in 1962*, *carrying banners*."""
    APPOSITION = "apposition"


SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass", "expl")
AUXILIARIES = ("aux", "auxpass")
MOST_TOKENS = 400
"""Of a sentence that is cut; a longer one is hardly a sentence, and stays one statement."""

_SCOPES = (
    Quantity.ALL,
    Quantity.MOST,
    Quantity.MANY,
    Quantity.FEW,
    Quantity.NO,
    Quantity.NOT_ALL,
)
"""Of whom only those are meant of whom a relative clause is true."""
_CHOICES = "any first fifth fourth last latest next only second such sole third"
_CHOOSING = frozenset(_CHOICES.split())
"""*the only bank that lends*: without the clause, something else is said."""
CONDITIONS = frozenset(("if", "unless", "provided", "providing"))
_COMPARING = frozenset(("as", "than", "that", "so", "lest", "like", "except"))
_OCCASIONS = "day manner moment place point reason time way"
_TIMES = frozenset(_OCCASIONS.split())
"""Nouns of whose relative clauses the gap has no name: *the way he works*."""
NOUNS = ("NOUN", "PROPN")
_PLACES = frozenset(("GPE", "LOC", "FAC"))
_AMOUNTS = frozenset(("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL"))
_APART = ("case", "conj", "cc", "preconj", "appos", "relcl", "acl", "punct", "parataxis")
"""What depends on a noun, and is no part of what it is called."""
HYPHENS = ("-", "–", "/", "'")
"""Signs that belong to a name."""
_EFFECTS = (
    "allow bring cause create enable force kill lead leave make mean pit prompt raise result wound"
)
_TENSED = ("VBD", "VBZ", "VBP", "MD")
_BRINGING = frozenset(_EFFECTS.split())
"""Verbs whose participle at the end tells what all before it brings about."""
_ABBREVIATIONS = frozenset(("e.g.", "i.e.", "e.g", "i.e", "cf.", "including"))
_JOINING = frozenset(("and", "but", "&", "yet", "then", "while", ",", ";"))


@dataclass(frozen=True, slots=True)
class StatedClause:
    """A clause that is a statement of its own."""

    token: int
    """Its verb, or the noun of an apposition."""
    construction: Construction
    host: int
    """The verb of the clause whose subject it has where it has none, or its noun; -1 for none."""


class ClauseAnalysis:
    """The clauses of a text, and the tree they are cut from."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.written = sentence.forms
        self.forms = [form.lower() for form in self.written]
        self.lemmas = [lemma.lower() for lemma in sentence.lemmas]
        self.relations = sentence.relations
        self.tags = sentence.tags
        self.parts = sentence.parts
        self.heads, self.children, self.order = _tree(sentence.heads.tolist())
        self.contexts: Contexts = find_contexts(sentence)
        self.clauses: dict[int, StatedClause] = {}
        self._closed: set[int] = set()
        """Tokens below which nothing is cut: what is said there holds of no one thing."""
        self._find()

    # The tree

    def child(self, token: int, *relations: str) -> int:
        """The first dependent by one of these relations; -1 where there is none."""
        return next(
            (each for each in self.children[token] if self.relations[each] in relations), -1
        )

    def subject(self, token: int) -> int:
        """The subject that stands in a clause; -1 for none."""
        return self.child(token, *SUBJECTS)

    def subtree(self, token: int, cut: Sequence[int] = ()) -> list[int]:
        """The tokens of a phrase in their order, without those below the ones that are cut off."""
        found, waiting, off = [], [token], set(cut)
        while waiting:
            at = waiting.pop()
            found.append(at)
            waiting += [each for each in self.children[at] if each not in off]
        return sorted(found)

    def own_tokens(self, token: int) -> list[int]:
        """The tokens of a clause without what is cut off it: relatives, adverbials, conjuncts."""
        found, waiting = [], [token]
        while waiting:
            at = waiting.pop()
            found.append(at)
            waiting += [each for each in self.children[at] if not self._is_off(each, token)]
        return sorted(found)

    def _is_off(self, token: int, clause: int) -> bool:
        """Whether a token is cut off the statement of a clause; complements stay in it."""
        known = self.clauses.get(token)
        if known is None:
            return False
        if self.relations[token] == "conj":  # *he said that it rained and snowed* keeps both
            return known.host == clause
        return known.construction is not Construction.COMPLEMENT

    def span(self, token: int) -> tuple[int, int]:
        """Where a token stands."""
        return int(self.sentence.starts[token]), int(self.sentence.ends[token])

    def predicate(self, token: int) -> int:
        """The verb of the clause that a token stands in, or its root."""
        at = token
        while self.heads[at] >= 0 and at not in self.clauses and not self._is_finite(at):
            at = self.heads[at]
        return at

    def _is_finite(self, token: int) -> bool:
        return self.parts[token] in ("VERB", "AUX") and self.relations[token] not in AUXILIARIES

    # Which clauses there are

    def _find(self) -> None:
        sizes = [1] * len(self.heads)
        for token in reversed(self.order):
            if self.heads[token] >= 0:
                sizes[self.heads[token]] += sizes[token]
        for token in self.order:
            head = self.heads[token]
            if head < 0:
                self.clauses[token] = StatedClause(token, Construction.MAIN, -1)
                if sizes[token] > MOST_TOKENS or self._asks(token):
                    self._closed.add(token)
                continue
            if head in self._closed:
                self._closed.add(token)
                continue
            found = self._clause(token, head)
            if found is not None:
                self.clauses[token] = found
            elif self._closes(token):
                self._closed.add(token)

    def _closes(self, token: int) -> bool:
        """Whether a clause stays where it is, with all that is in it."""
        relation = self.relations[token]
        if self._is_infinitive(token):  # *to fund the prize, which he won*: he won it
            return False
        return relation in ("relcl", "advcl", "csubj") or (
            relation == "conj" and self._is_verb(token)
        )

    def _clause(self, token: int, head: int) -> StatedClause | None:
        find = _FINDERS.get(self.relations[token])
        return None if find is None else find(self, token, head)

    def _complement(self, token: int, head: int) -> StatedClause | None:
        subject = self.subject(token)
        if subject < 0 or not self.is_tensed(token):
            return None  # *made him happy*, *saw her leave*
        opening = [each for each in self.subtree(token) if each < subject]
        if any(self.tags[each] in RELATIVE_TAGS for each in opening) or self._has_relative(subject):
            return None  # *said who had won* says nothing yet
        embedding = self.contexts.embeddings[token]
        loose = self.relations[token] == "ccomp" and token < head and embedding is Embedding.NONE
        if loose and token < self.subject(head):  # *It rained, we left*: two sentences
            return StatedClause(token, Construction.MAIN, head)
        if self.relations[token] == "ccomp" and embedding is Embedding.NONE:
            return None
        return StatedClause(token, Construction.COMPLEMENT, head)

    def _beside(self, token: int, head: int) -> StatedClause | None:
        """*It rained; we left*: two sentences in one, unless the second says who said the first."""
        if self.contexts.embedders[self.predicate(head)] == token or token < head:
            return None
        subject = self.subject(token)
        if subject < 0 or not self.is_tensed(token) or self._has_relative(subject):
            return None
        return StatedClause(token, Construction.MAIN, head)

    def is_tensed(self, token: int) -> bool:
        """Whether a clause has a verb with a tense of its own."""
        return any(self.tags[each] in _TENSED for each in (token, *self.auxiliaries(token)))

    def _has_relative(self, token: int) -> bool:
        return any(self.tags[each] in RELATIVE_TAGS for each in self.subtree(token))

    def _noun_clause(self, token: int, head: int) -> StatedClause | None:
        """A participle after its noun, or what a noun says: *the claim that he left*."""
        if self.subject(token) >= 0:
            mark = self.child(token, "mark")
            is_said = mark >= 0 and self.forms[mark] == "that"
            return self._complement(token, head) if is_said else None
        if self.tags[token] not in ("VBN", "VBG", "VBD") or self.child(token, "mark") >= 0:
            return None
        if self._is_infinitive(token) or token < head or not self._is_separable(token, head):
            return None
        return StatedClause(token, Construction.PARTICIPLE, head)

    def _relative(self, token: int, head: int) -> StatedClause | None:
        if self._is_infinitive(token) or not self._is_verb(token):
            return None
        if self.lemmas[head] in _TIMES or not self._is_separable(token, head):
            return None
        tokens = self.subtree(token)
        marked = any(
            self.tags[each] in RELATIVE_TAGS or self.forms[each] == "that" for each in tokens
        )
        if not marked and self.forms[tokens[0] - 1] in (",", "-", "–", "—"):
            return None  # *…, the agency confirmed* is no relative clause
        if self.child(token, "mark") >= 0 or (not marked and self.child(token, "auxpass") >= 0):
            return None  # without a gap there is nothing that the noun would be in it
        return StatedClause(token, Construction.RELATIVE, self._antecedent(token, tokens, head))

    def _antecedent(self, verb: int, tokens: Sequence[int], noun: int) -> int:
        """The noun that a clause is said of, or one that this is a part of.

        In *the man from London, who slept* it is no place, in *the fall of prices, which has …* not
        what the verb does not agree with.
        """
        is_person = any(self.forms[each] == "who" for each in tokens)
        while self.relations[noun] == "pobj" and self.parts[self.heads[self.heads[noun]]] in NOUNS:
            is_place = is_person and self.sentence.entities[noun][2:] in _PLACES
            if not is_place and not self._disagrees(verb, noun):
                break
            noun = self.heads[self.heads[noun]]
        return noun

    def _disagrees(self, verb: int, noun: int) -> bool:
        """Whether a verb cannot have a noun as its subject."""
        subject = self.subject(verb)
        if subject < 0 or self.tags[subject] not in RELATIVE_TAGS:
            return False
        forms = {self.forms[each] for each in (verb, *self.auxiliaries(verb))}
        single = self.tags[verb] == "VBZ" or bool(forms & {"has", "is", "was"})
        many = bool(forms & {"have", "are", "were"})
        plural = self.tags[noun] in ("NNS", "NNPS")
        return (single and plural) or (many and not single and self.tags[noun] == "NN")

    def _is_separable(self, token: int, noun: int) -> bool:
        """Whether a noun stands for the same without the clause that is said of it."""
        if self.parts[noun] not in NOUNS:
            return False
        first = min(self.subtree(token))
        if first > 0 and self.forms[first - 1] in (",", "(", "-", "–", "—"):
            return True
        if self.contexts.quantities[noun] in _SCOPES:
            return False
        if any(
            self.lemmas[each] in _CHOOSING or self.tags[each] == "JJS"
            for each in self._around(noun)
        ):
            return False
        is_verbal = self.relations[token] == "relcl"
        bare = self.contexts.quantities[noun] is Quantity.NONE and self.parts[noun] == "NOUN"
        host = self.predicate(noun)
        if bare and is_verbal and not self._is_past(host):
            return False  # *farmers who use it must register* is not about farmers
        definite = self.parts[noun] == "PROPN" or self.contexts.quantities[noun] is Quantity.THE
        return definite or not (self.negators(host) or self._is_open(host))

    def _around(self, noun: int) -> list[int]:
        return [each for each in self.children[noun] if each < noun]

    def _is_past(self, verb: int) -> bool:
        return self.contexts.tenses[verb] == "past"

    def _is_open(self, verb: int) -> bool:
        """Whether what a verb says only may or must be."""
        is_actual = self.contexts.modalities[verb] in (Modality.ACTUAL, Modality.HYPOTHETICAL)
        return not is_actual or self.contexts.embeddings[verb] is Embedding.CONDITIONAL

    def _adverbial(self, token: int, head: int) -> StatedClause | None:
        marks = {self.forms[each] for each in self.children[token] if self._is_mark(each)}
        if self._is_infinitive(token) or marks & _COMPARING - (
            {"as"} if self.subject(token) >= 0 else set()
        ):
            return None
        before = self.forms[marks_at - 1] if (marks_at := min(self.subtree(token))) > 0 else ""
        if before in ("even", "as") and "if" in marks:
            return None
        host = self.predicate(head)
        subject = self.subject(token)
        if subject < 0:
            is_participle = self.tags[token] in ("VBN", "VBG") and not marks & CONDITIONS
            if not is_participle or self.subject(host) < 0 or not self._is_set_off(token, head):
                return None
            if self.lemmas[token] in _BRINGING and token > head and self.tags[token] == "VBG":
                return None  # *he fell, forcing them to stop*: that he fell did
            return StatedClause(token, Construction.PARTICIPLE, host)
        if not self.is_tensed(token) or self._has_relative(subject):
            return None  # *his hands shaking*
        if "as" in marks and subject > token:
            return None  # *as are the doubts*
        if "as" in marks and self.lemmas[token] in ("say", "know", "expect"):
            return None
        return StatedClause(token, Construction.ADVERBIAL, host)

    def _is_set_off(self, token: int, head: int) -> bool:
        """Whether a participle is said of the subject: *Leaving, he …*, *he …, leaving*."""
        tokens = self.subtree(token)
        return token < head or self.forms[tokens[0] - 1] == ","

    def _is_mark(self, token: int) -> bool:
        return self.relations[token] == "mark" or self.tags[token] == "WRB"

    def is_opening(self, token: int) -> bool:
        """Whether a token only joins its clause to another one: *because*, *that*, *and*."""
        return self._is_mark(token) or self.relations[token] in ("cc", "preconj")

    def _apposition(self, token: int, head: int) -> StatedClause | None:
        if self.parts[head] not in NOUNS or self.parts[token] not in NOUNS or token < head:
            return None
        entities = self.sentence.entities
        if not _AMOUNTS.isdisjoint((entities[token][2:], entities[head][2:])):
            return None
        tokens = self.subtree(token)
        if self.forms[tokens[0]] in _ABBREVIATIONS or self._is_numbered(token):
            return None
        before = tokens[0] - 2
        said = [each for each in self.children[head] if self.relations[each] in ("relcl", "acl")]
        apart = before not in self.subtree(head, said)
        if before > head and apart and self.parts[before] in NOUNS:
            head = before  # *drugs that block the enzyme, a protein*: what stands beside it
        between = self.forms[head + 1 : tokens[0]]
        if not between or between[-1] not in (",", "(", "-", "–", "—"):
            return None
        # *Orvik, Denmark*: a place in a place; *Kobe Steel (KBS)*: a name again; *Ann, coach Bob*: a list
        listed = self.child(token, "conj") >= 0
        if listed and self.parts[head] == "NOUN":
            return None  # *people, the land and the sea*
        determined = self.child(token, "det", "poss", "amod", "prep") >= 0 and not listed
        if self.parts[token] == "PROPN" and (
            not determined or entities[head][2:] in ("GPE", "LOC")
        ):
            return (
                None
                if self.parts[head] == "PROPN"
                else StatedClause(token, Construction.APPOSITION, head)
            )
        return StatedClause(token, Construction.APPOSITION, head)

    def _is_numbered(self, token: int) -> bool:
        """*Article 15, paragraph 3*."""
        return token + 1 < len(self.tags) and self.tags[token + 1] == "CD"

    def _conjunct(self, token: int, head: int) -> StatedClause | None:
        if not self._is_verb(token):
            return None
        if self.relations[head] in ("acomp", "attr") and self.is_tensed(token):
            head = self.heads[head]  # *is ill and cannot walk*
        first = self.clauses.get(head)
        if first is None or self.coordinator(token) not in _JOINING:
            return None
        if self.subject(token) < 0 and self._is_infinitive(token):
            return None
        # *agreed to cut aid and open markets*, hung on *agreed*
        is_bare = self.tags[token] == "VB" and not self.auxiliaries(token)
        if is_bare and self.subject(token) < 0 and self.is_tensed(head):
            own = self.auxiliaries(head)
            if not own or all(self.forms[each] in ("have", "has", "had") for each in own):
                return None
        if first.construction is Construction.APPOSITION:
            return None
        return StatedClause(token, first.construction, head)

    def coordinator(self, token: int) -> str:
        """The word that joins a conjunct: of *eat, drink or smoke* always *or*."""
        at = self.heads[token]
        while at >= 0:
            words = [each for each in self.children[at] if self.relations[each] == "cc"]
            if words:
                return self.forms[words[-1]]
            following = [each for each in self.children[at] if self.relations[each] == "conj"]
            at = following[-1] if following else -1
        return ","

    def _is_verb(self, token: int) -> bool:
        return self.parts[token] in ("VERB", "AUX") and self.tags[token].startswith(("V", "MD"))

    def _is_infinitive(self, token: int) -> bool:
        return any(
            self.relations[each] == "aux" and self.tags[each] == "TO"
            for each in self.children[token]
        )

    def _asks(self, root: int) -> bool:
        return any(self.forms[each] == "?" for each in self.children[root][-2:])

    def nearest(self, token: int) -> int:
        """The nearest clause above a token, or what it hangs on in the end."""
        at = token
        while at not in self.clauses and self.heads[at] >= 0:
            at = self.heads[at]
        return at

    # What it says

    def negators(self, token: int) -> list[int]:
        """The words that negate a clause: its *not*, or the *no* of its subject or object."""
        found = list(self.contexts.negators[token])
        for child in self.children[token]:
            if self.relations[child] in (*SUBJECTS, "dobj", "attr"):
                found += self.contexts.negators[child]
                quantifier = self.contexts.quantifiers[child]
                if self.contexts.quantities[child] is Quantity.NO:
                    found.append(quantifier if quantifier >= 0 else child)
        return sorted(set(found))

    def noun_phrase(self, noun: int) -> list[int]:
        """What a thing is called: *the tall man*, without what else is said of it."""
        off = {
            token
            for each in self.children[noun]
            if self.relations[each] in _APART and self.forms[each] not in HYPHENS
            for token in self.subtree(each)
        }
        return [each for each in self.own_tokens(noun) if each not in off]

    def is_plural(self, noun: int, tokens: Container[object]) -> bool:
        """Whether a noun is many, by itself or by what is joined to it among these tokens."""
        if self.tags[noun] in ("NNS", "NNPS") or self.forms[noun] in ("they", "we", "you"):
            return True
        joined = (each for each in self.children[noun] if self.relations[each] == "conj")
        return any(each in tokens for each in joined) or self._agrees_with_many(noun)

    def _agrees_with_many(self, noun: int) -> bool:
        """Whether the verb of a subject says that it is many, where its own form does not."""
        if self.relations[noun] not in SUBJECTS or self.child(noun, "conj") >= 0:
            return False
        verb = self.heads[noun]
        return any(self.forms[each] in ("are", "were") for each in (verb, *self.auxiliaries(verb)))

    def auxiliaries(self, verb: int) -> list[int]:
        """The auxiliaries of a verb."""
        return [each for each in self.children[verb] if self.relations[each] in AUXILIARIES]


_FINDERS = {
    "ccomp": ClauseAnalysis._complement,
    "csubj": ClauseAnalysis._complement,
    "csubjpass": ClauseAnalysis._complement,
    "acl": ClauseAnalysis._noun_clause,
    "relcl": ClauseAnalysis._relative,
    "advcl": ClauseAnalysis._adverbial,
    "parataxis": ClauseAnalysis._beside,
    "appos": ClauseAnalysis._apposition,
    "conj": ClauseAnalysis._conjunct,
}
"""What sees whether a token is a clause of its own, by its relation."""


def _tree(heads: list[int]) -> tuple[list[int], list[list[int]], list[int]]:
    """The heads, the dependents of each token, and all tokens with heads before dependents."""
    children: list[list[int]] = [[] for _ in heads]
    order: list[int] = []
    for token, head in enumerate(heads):
        (children[head] if head >= 0 else order).append(token)
    for token in order:  # grows as it goes
        order += children[token]
    return heads, children, order
