"""Modality, tense, commitment of the author and monotonicity: all contexts of a sentence.

The polarity of a clause is projected through the signatures of its embedders as in Nairn, Condoravdi and
Karttunen 2006, section 4, from the outside to the inside. What is presupposed (the complements of factives,
relative clauses of definite nouns, appositions, adverbial clauses) passes negations, modals and conditions,
but not what others say or think (Karttunen 1973: holes and plugs).

After van Benthem 1986 and Sánchez Valencia 1991; the quantifiers' effects as in Barwise and Cooper 1981,
the embedders' after Nairn, Condoravdi and Karttunen 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from ensue.language.analyzer import Sentence
from ensue.language.contexts.clauses import (
    SUBJECTS,
    Clause,
    ClauseTree,
    Commitment,
    Contexts,
    Embedding,
    Modality,
    Monotonicity,
    Quantity,
    Tense,
    choice,
    read_rows,
    read_tree,
)
from ensue.language.contexts.embedding import Embeddings, find_embeddings
from ensue.language.contexts.negation import ARGUMENTS, Negation, find_negation
from ensue.language.contexts.quantity import Quantities, find_quantities

# What may or must be, and when it is.

_ACTUAL = Modality.ACTUAL
_FINITE_TENSES = {"VBD": Tense.PAST, "VBZ": Tense.PRESENT, "VBP": Tense.PRESENT}
_WILL = frozenset({"will", "shall", "'ll"})
_FUTURE = _WILL | {"would", "'d"}
_UNREAL = frozenset(
    {Embedding.WANTED, Embedding.MODAL, Embedding.IF_NOT, Embedding.CONDITIONAL, Embedding.UNLESS}
)
"""Embedders whose infinitives say nothing of when."""
_Pair = tuple[Modality, Modality]


class _Kind(StrEnum):
    AUXILIARY = "auxiliary"
    ADVERB = "adverb"
    COMPLEMENT = "complement"


@dataclass(frozen=True, slots=True)
class Modalities:
    """What may or must be; lists over the tokens, meant at predicates."""

    modalities: list[Modality]
    modals: list[int]


@cache
def _words() -> dict[_Kind, dict[str, _Pair]]:
    """For each kind of modal, what each lemma says affirmed and negated."""
    found: dict[_Kind, dict[str, _Pair]] = {kind: {} for kind in _Kind}
    for place, (lemma, kind, affirmed, negated) in read_rows("modals.tsv", 4):
        pair = choice(Modality, affirmed, place), choice(Modality, negated, place)
        found[choice(_Kind, kind, place)][lemma] = pair
    return found


def find_modalities(tree: ClauseTree, polarity: list[bool], embeddings: Embeddings) -> Modalities:
    """The modality of each clause of a sentence, and of all that belongs to it."""
    n = len(tree)
    found = Modalities([_ACTUAL] * n, [-1] * n)
    _find_adverbs(tree, found)
    for clause in tree.clauses.values():
        _find(tree, found, clause, polarity, embeddings)
    _spread_modality(tree, found)
    return found


def _find_adverbs(tree: ClauseTree, found: Modalities) -> None:
    adverbs = _words()[_Kind.ADVERB]
    for i, lemma in enumerate(tree.lemmas):
        if lemma in adverbs and tree.tags[i] == "RB" and tree.heads[i] >= 0:
            predicate = tree.predicates[i]
            negated = tree.lemma(i - 1) == "not"
            found.modalities[predicate] = adverbs[lemma][negated]
            found.modals[predicate] = i


def _find(
    tree: ClauseTree,
    found: Modalities,
    clause: Clause,
    polarity: list[bool],
    embeddings: Embeddings,
) -> None:
    token, words = clause.token, _words()
    for auxiliary in clause.auxiliaries:
        pair = words[_Kind.AUXILIARY].get(tree.lemmas[auxiliary])
        if pair is not None and pair[0] is not _ACTUAL:
            found.modalities[token] = pair[not polarity[token]]
            found.modals[token] = auxiliary
            return
    if clause.partner >= 0:
        found.modalities[token] = found.modalities[clause.partner]
        found.modals[token] = found.modals[clause.partner]
    embedder = embeddings.embedders[token]
    if embedder < 0 or found.modals[token] >= 0:
        return
    pair = words[_Kind.COMPLEMENT].get(tree.lemmas[embedder])
    if pair is not None and embeddings.classes[token] is not Embedding.CONDITIONAL:
        found.modalities[token] = pair[not polarity[embedder]]
        found.modals[token] = embedder


def _spread_modality(tree: ClauseTree, found: Modalities) -> None:
    modalities, modals = found.modalities, found.modals
    if any(modal >= 0 for modal in modals):
        for i, predicate in enumerate(tree.predicates):
            modalities[i], modals[i] = modalities[predicate], modals[predicate]


def find_tenses(tree: ClauseTree, embeddings: Embeddings) -> list[Tense]:
    """The tense of each predicate; no tense at other tokens."""
    tenses = [Tense.NONE] * len(tree)
    for token, clause in tree.clauses.items():
        tenses[token] = _tense(tree, clause, tenses, embeddings)
    return tenses


def _tense(tree: ClauseTree, clause: Clause, tenses: list[Tense], embeddings: Embeddings) -> Tense:
    token = clause.token
    if clause.auxiliaries:
        first = clause.auxiliaries[0]
        tag, lemma = tree.tags[first], tree.lemmas[first]
        has = any(tree.lemmas[each] == "have" for each in clause.auxiliaries)
        if tag == "MD":
            # `must have left`, `would have left` speak of the past; `will have left` does not yet
            if has and lemma not in _WILL:
                return Tense.PAST
            return Tense.FUTURE if lemma in _FUTURE else Tense.PRESENT
        # the perfect, `has left`; the tagger often takes its participle for a past tense. `has to
        # leave` has an infinitive there and is of the present
        if has and _tag_behind_have(tree, clause) in ("VBN", "VBD"):
            return Tense.PAST
        if tag in _FINITE_TENSES:
            return _FINITE_TENSES[tag]
    elif tree.tags[token] in _FINITE_TENSES:
        return _FINITE_TENSES[tree.tags[token]]
    if clause.partner >= 0:
        return tenses[clause.partner]
    return _borrowed_tense(tree, clause, tenses, embeddings.classes[token])


def _tag_behind_have(tree: ClauseTree, clause: Clause) -> str:
    """The tag of what stands behind `have`: the next auxiliary or the verb."""
    chain = (*clause.auxiliaries, clause.token)
    for one, following in pairwise(chain):
        if tree.lemmas[one] == "have":
            return tree.tags[following]
    return ""


def _borrowed_tense(
    tree: ClauseTree, clause: Clause, tenses: list[Tense], embedding: Embedding
) -> Tense:
    """The tense of an infinitive or participle, after what it depends on."""
    token = clause.token
    head = tree.heads[token]
    if head < 0:
        return Tense.NONE
    # `is going to leave`
    if tree.lemmas[head] == "go" and tree.tags[head] == "VBG" and clause.form == "to":
        return Tense.FUTURE
    if (
        # `is to leave`, `is about to leave`
        tree.lemmas[head] in ("be", "about")
        and clause.form == "to"
        and embedding is Embedding.MODAL
    ):
        return Tense.FUTURE
    # `used to smoke`
    if tree.lemmas[head] == "use" and clause.form == "to":
        return Tense.PAST
    # `the car stolen on Monday`: a past participle without an auxiliary tells what happened before
    if tree.tags[token] == "VBN" and tree.relations[token] in ("acl", "relcl", "advcl"):
        return Tense.PAST
    # `wants to leave`, `may leave`: whether and when is open, so the tense above says nothing of it
    if embedding in _UNREAL:
        return Tense.NONE
    return tenses[tree.predicates[head]]


# Whether the author commits to each clause, through all that embeds, negates and weakens it.

_TRUE, _FALSE, _OPEN = Commitment.TRUE, Commitment.FALSE, Commitment.OPEN
_CONTRARY = {_TRUE: _FALSE, _FALSE: _TRUE, _OPEN: _OPEN}
_SIGNATURES = {
    Embedding.FACTIVE: (_TRUE, _TRUE),
    Embedding.COUNTERFACTIVE: (_FALSE, _FALSE),
    Embedding.IMPLICATIVE: (_TRUE, _FALSE),
    Embedding.NEGATIVE_IMPLICATIVE: (_FALSE, _TRUE),
    Embedding.ONE_WAY_POSITIVE: (_TRUE, _OPEN),
    Embedding.ONE_WAY_NEGATIVE: (_FALSE, _OPEN),
    Embedding.IF_NOT: (_OPEN, _FALSE),
    Embedding.UNLESS: (_OPEN, _TRUE),
}
"""Whether the complement holds where the embedder does, and where it does not; others: open."""
_PLUGS = frozenset({Embedding.REPORTED, Embedding.BELIEVED, Embedding.DENIED, Embedding.WANTED})
_SEEKING = frozenset(["want", "need", "seek", "desire", "require", "request", "demand", "lack"])
"""Verbs whose objects need not be there: `wants a car that flies`."""
_PRESUPPOSED = frozenset({Embedding.FACTIVE, Embedding.COUNTERFACTIVE})


@dataclass(frozen=True, slots=True)
class Known:
    """What has been found of a sentence before its commitments."""

    tree: ClauseTree
    negation: Negation
    quantities: list[Quantity]
    embeddings: Embeddings
    modalities: Modalities

    def is_definite(self, token: int) -> bool:
        """Whether a noun is a name, a pronoun or definite."""
        quantity = self.quantities[token]
        if quantity is Quantity.NONE:
            return self.tree.parts[token] == "PROPN" or self.tree.tags[token] == "PRP"
        return quantity is Quantity.THE


def find_commitments(known: Known) -> list[Commitment]:
    """The author's commitment to the clause of each token, or to its phrase where that is negated."""
    tree = known.tree
    found = [_TRUE] * len(tree)
    contents: dict[int, Commitment] = {}
    plugged: set[int] = set()
    for token, clause in tree.clauses.items():
        content = _content(known, clause, found, contents, plugged)
        contents[token] = content
        found[token] = _own(known, clause, content)
    _spread(known, found)
    return found


def _content(
    known: Known,
    clause: Clause,
    found: list[Commitment],
    contents: dict[int, Commitment],
    plugged: set[int],
) -> Commitment:
    """The commitment to a clause as a whole, with its own negation and modals."""
    tree, token = known.tree, clause.token
    head = tree.heads[token]
    if head < 0:
        host = token
        # who asks `did he leave?` commits to neither; the mark may be followed by a closing quote
        asked = any(tree.lemmas[child] == "?" for child in tree.children[token][-2:])
        structural = _OPEN if asked else _TRUE
    else:
        host = tree.predicates[head]
        structural = _unembedded(known, clause, found, contents)
    embedding, embedder = known.embeddings.classes[token], known.embeddings.embedders[token]
    # inside what others say, nothing is the author's own, however deep: `he said that she knew that
    # it rained` (a plug, Karttunen 1973)
    if host in plugged and structural is not _TRUE:
        plugged.add(token)
    if embedding is Embedding.NONE:
        return structural
    if embedding in _PLUGS:
        plugged.add(token)
    # `managed to escape and hide`: both are complements of one embedder and share its effect
    if tree.relations[token] == "conj" and known.embeddings.embedders[host] == embedder:
        return contents.get(host, _OPEN)
    affirmed, denied = _SIGNATURES.get(embedding, (_OPEN, _OPEN))
    outer = structural
    if tree.predicates[embedder] != token:
        outer = _of_embedder(known, embedder, found)
    # factives let their complement through where all else is blocked: `perhaps he knows that it
    # rained` still says that it rained (a hole)
    if outer is _OPEN:
        presupposed = embedding in _PRESUPPOSED and host not in plugged
        return affirmed if presupposed else _OPEN
    return affirmed if outer is _TRUE else denied


def _unembedded(
    known: Known, clause: Clause, found: list[Commitment], contents: dict[int, Commitment]
) -> Commitment:
    """The commitment to a clause that nothing embeds, for where it stands."""
    tree, token = known.tree, clause.token
    head, relation = tree.heads[token], tree.relations[token]
    host = tree.predicates[head]
    if relation in ("relcl", "acl"):
        if tree.presents(token):
            return _OPEN if found[host] is _OPEN else _TRUE
        # `the man who left was not tall` takes for granted that he left; `the man to see` only
        # wants it
        if known.is_definite(head) and clause.form != "to":
            return _TRUE
        # `wants a car that flies`: there need be no such car
        if tree.relations[head] == "dobj" and tree.lemmas[host] in _SEEKING:
            return _OPEN
        # an indefinite noun is there only where its clause holds: of `a man who sang came` both are
        # true, of `no man who sang came` neither need be
        fresh = found[host] is _TRUE and not known.negation.negators[head]
        return _TRUE if fresh else _OPEN
    content = contents.get(host, _TRUE)
    if relation == "conj":
        return content
    # `that he left surprised us` holds with its clause; denied, it may be that he stayed
    if relation in SUBJECTS:
        return _TRUE if found[host] is _TRUE else _OPEN
    return _OPEN if content is _OPEN else _TRUE


def _of_embedder(known: Known, embedder: int, found: list[Commitment]) -> Commitment:
    """The commitment to what embeds a clause: a predicate, or a noun or adjective of one."""
    tree = known.tree
    host = tree.predicates[embedder]
    if embedder == host:
        return found[host]
    # a noun that embeds is a thing of its own: `no attempt to flee was seen` has no attempt, and
    # the clause above it is not what decides
    if tree.relations[embedder] != "attr" and tree.parts[embedder] == "NOUN":
        if known.negation.negators[embedder]:
            return _FALSE
        if known.is_definite(embedder) and found[host] is not _OPEN:
            return _TRUE  # `their failure to pay did not surprise us`: they failed
    return found[host]


def _own(known: Known, clause: Clause, content: Commitment) -> Commitment:
    """The commitment to a predicate, without the negation and the modals of its clause."""
    token = clause.token
    affirmed = known.negation.polarity[token]
    # of `he left or slept` neither is said to be so; of `he did not leave or sleep` both are denied
    if affirmed and _is_alternative(known.tree, clause):
        return _OPEN
    modality, modal = known.modalities.modalities[token], known.modalities.modals[token]
    # `cannot leave` is as much as did not where the author says it; all other modals leave it open.
    # A modal of another clause has had its effect there
    if modality is not Modality.ACTUAL and _is_inside(known.tree, clause, modal):
        return _FALSE if modality is Modality.NOT_POSSIBLE and content is _TRUE else _OPEN
    return content if affirmed else _CONTRARY[content]


def _is_inside(tree: ClauseTree, clause: Clause, modal: int) -> bool:
    return tree.predicates[modal] in (clause.token, clause.partner)


def _is_alternative(tree: ClauseTree, clause: Clause) -> bool:
    """Whether a clause is joined to another by `or`."""
    if clause.coordinator == "or":
        return True
    for child in tree.children[clause.token]:
        joined = tree.clauses.get(child)
        if joined is not None and joined.coordinator == "or":
            return True
    return False


def _spread(known: Known, found: list[Commitment]) -> None:
    tree, flips = known.tree, known.negation.flips
    heads, relations, clauses = tree.heads, tree.relations, tree.clauses
    for i in tree.order:
        if i in clauses:
            continue
        # `Paris, the capital of France, was not hit`: an apposition of something definite is the
        # author's aside, outside of the negation
        if relations[i] == "appos" and known.is_definite(heads[i]):
            value = _TRUE
        else:
            value = found[heads[i]]
        found[i] = _CONTRARY[value] if flips[i] else value


# Which way the words of a sentence may be exchanged for more general or more special ones.

_UP, _DOWN = Monotonicity.POSITIVE, Monotonicity.NEGATIVE
_UNIVERSAL, _NEITHER = Monotonicity.UNIVERSAL, Monotonicity.NEITHER
_TURNED = {_UP: _DOWN, _DOWN: _UP, _UNIVERSAL: _UP, _NEITHER: _NEITHER}
_TURNING = frozenset(
    {
        Embedding.COUNTERFACTIVE,
        Embedding.NEGATIVE_IMPLICATIVE,
        Embedding.ONE_WAY_NEGATIVE,
        Embedding.DENIED,
        Embedding.UNLESS,
    }
)
_OUTSIDE = frozenset({Quantity.SOME, Quantity.NUMBER, Quantity.MANY})
"""Quantities of subjects to which the negation of a verb does not reach: `a dog did not bark`."""


def find_monotonicity(known: Known, quantities: Quantities) -> list[Monotonicity]:
    """The monotonicity of the place of each token."""
    tree = known.tree
    weak = known.negation.weak | _weakened(tree, quantities)
    if not (weak or True in known.negation.flips or _has_cause(known, quantities)):
        return [_UP] * len(tree)
    found = [_UP] * len(tree)
    outside: dict[int, Monotonicity] = {}
    for i in tree.order:
        clause = tree.clauses.get(i)
        if clause is not None:
            outside[i] = _entering(known, clause, found, outside)
            # `few dogs bark` and `dogs hardly bark` turn the way as `not` does, without denying;
            # two turns cancel
            turned = known.negation.flips[i] != (i in weak)
            found[i] = _TURNED[outside[i]] if turned else outside[i]
        else:
            found[i] = _inside(known, quantities, i, found, outside)
    return found


def _has_cause(known: Known, quantities: Quantities) -> bool:
    """Whether anything but negation may turn the way; most sentences have nothing."""
    if Quantity.ALL in quantities.quantities or Quantity.MOST in quantities.quantities:
        return True
    if quantities.bounded:
        return True
    classes = known.embeddings.classes
    return Embedding.CONDITIONAL in classes or any(each in _TURNING for each in classes)


def _weakened(tree: ClauseTree, quantities: Quantities) -> set[int]:
    """Predicates with few or at most so many as an argument."""
    found = set()
    nouns = [token for token, most in quantities.bounded.items() if most]
    if Quantity.FEW in quantities.quantities:
        few = quantities.quantities
        nouns += [i for i, quantity in enumerate(few) if quantity is Quantity.FEW]
    for noun in nouns:
        if noun in tree.clauses or tree.relations[noun] in ARGUMENTS:
            found.add(tree.predicates[noun])
    return found


def _entering(
    known: Known,
    clause: Clause,
    found: list[Monotonicity],
    outside: dict[int, Monotonicity],
) -> Monotonicity:
    """The way of the place where a clause stands, before its own negation."""
    tree, token = known.tree, clause.token
    head = tree.heads[token]
    if head < 0:
        return _UP
    relation, embedding = tree.relations[token], known.embeddings.classes[token]
    host = tree.predicates[head]
    # a relative clause restricts its noun and takes the noun's way: `no man who sings` is `no man
    # who sings well`
    if relation in ("relcl", "acl") and embedding is Embedding.NONE:
        return outside.get(host, _UP) if tree.presents(token) else found[head]
    if relation == "conj" or embedding is Embedding.NONE:
        return outside.get(host, _UP)
    # what is known is so, whatever is said about the knowing
    if embedding is Embedding.FACTIVE:
        return _UP
    # `if an animal barks` is `if a dog barks`, so conditions go down; what depends on them stays up
    if embedding is Embedding.CONDITIONAL:
        way = outside.get(host, _UP)
        return _TURNED[way] if relation == "advcl" else way
    embedder = known.embeddings.embedders[token]
    inner = tree.predicates[embedder] == token
    way = outside.get(host, _UP) if inner else found[embedder]
    return _TURNED[way] if embedding in _TURNING else way


def _inside(
    known: Known,
    quantities: Quantities,
    i: int,
    found: list[Monotonicity],
    outside: dict[int, Monotonicity],
) -> Monotonicity:
    """The way of a token within its clause."""
    tree = known.tree
    head, quantity = tree.heads[i], quantities.quantities[i]
    # `the dog did not bark` is about that dog, and so about an animal that did not: definites are
    # outside of every operator
    if known.is_definite(i) or (tree.relations[i] == "appos" and known.is_definite(head)):
        return _TURNED[_UP] if known.negation.flips[i] else _UP
    way = found[head]
    # `a dog did not bark`: there is a dog, hence an animal, that did not. Indefinite subjects are
    # read outside of the negation of their verb, objects inside: `did not see a dog`
    if quantity in _OUTSIDE and tree.relations[i] in SUBJECTS and i not in quantities.bounded:
        predicate = tree.predicates[i]
        if not known.negation.negators[i] and head == predicate:
            way = outside.get(predicate, way)
    if known.negation.flips[i]:
        way = _TURNED[way]
    return _restricted(quantities, i, way)


def _restricted(quantities: Quantities, i: int, way: Monotonicity) -> Monotonicity:
    """The way of a noun that its quantity restricts."""
    quantity = quantities.quantities[i]
    # `every animal` is `every dog`, and, since kinds are taken to have members, `every dog` is
    # `some animal` too; under a negation, only up is left
    if quantity is Quantity.ALL or quantity is Quantity.NOT_ALL:
        return _UP if way is _DOWN else _UNIVERSAL
    # of `most dogs` follows neither `most animals` nor `most poodles`; of `exactly two dogs`
    # neither as well
    if quantity is Quantity.MOST or quantities.bounded.get(i) is False:
        return _NEITHER
    return way


# All contexts of a sentence, each topic after those that it builds on.


def find_contexts(sentence: Sentence) -> Contexts:
    """The negations, quantities, modalities, tenses and embeddings of a sentence, with their scope."""
    tree = read_tree(sentence)
    negation = find_negation(tree)
    embeddings = find_embeddings(tree)
    quantities = find_quantities(tree, negation, embeddings)
    modalities = find_modalities(tree, negation.polarity, embeddings)
    known = Known(tree, negation, quantities.quantities, embeddings, modalities)
    return Contexts(
        tuple(negation.polarity),
        tuple(negation.negators),
        tuple(find_monotonicity(known, quantities)),
        tuple(quantities.quantities),
        tuple(quantities.quantifiers),
        tuple(modalities.modalities),
        tuple(modalities.modals),
        tuple(find_tenses(tree, embeddings)),
        tuple(embeddings.classes),
        tuple(embeddings.embedders),
        tuple(find_commitments(known)),
    )
