"""A parse that can be changed, and its repairs: attachment, predicates, clefts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ensue.language import ROOT, Sentence
from ensue.language.graphs import RELATIVE_TAGS
from ensue.language.lexicon import Lexicon
from ensue.logic.parsing.categories import closed_classes, given_names

# A parse that can be changed.

NOUNS = frozenset(("NOUN", "PROPN", "PRON"))


@dataclass(slots=True)
class EditableParse:
    """The tokens of a sentence, what each depends on, and what was mended."""

    sentence: Sentence
    lexicon: Lexicon
    words: list[str]
    """The tokens as they are written, in lower case."""
    lemmas: list[str]
    tags: list[str]
    parts: list[str]
    heads: list[int]
    relations: list[str]
    changes: list[str] = field(default_factory=list)
    """What was done, in words."""

    def children(self, token: int, *relations: str) -> list[int]:
        """The dependents of a token, in their order; by some relations, or all of them."""
        return [
            each
            for each, head in enumerate(self.heads)
            if head == token and (not relations or self.relations[each] in relations)
        ]

    def child(self, token: int, *relations: str) -> int:
        """The first dependent by one of these relations; -1 where there is none."""
        return next(iter(self.children(token, *relations)), -1)

    def attach(self, token: int, head: int, relation: str) -> None:
        """Let a token depend on another; nothing where that would make a circle."""
        if (head, relation) == (self.heads[token], self.relations[token]):
            return
        if head >= 0 and self.is_above(token, head):
            return
        was = self.words[self.heads[token]] if self.heads[token] >= 0 else "nothing"
        now = self.words[head] if head >= 0 else "nothing"
        self.changes.append(
            f"{self.words[token]}: {self.relations[token]} of {was} → {relation} of {now}"
        )
        self.heads[token], self.relations[token] = head, relation

    def retag(self, token: int, tag: str, part: str, lemma: str) -> None:
        """Call a token another kind of word."""
        if (tag, part, lemma) != (self.tags[token], self.parts[token], self.lemmas[token]):
            self.changes.append(f"{self.words[token]}: {self.tags[token]} → {tag}")
            self.tags[token], self.parts[token], self.lemmas[token] = tag, part, lemma

    def is_above(self, token: int, other: int) -> bool:
        """Whether a token is another one or above it."""
        while other >= 0:
            if other == token:
                return True
            other = self.heads[other]
        return False

    def put_in_place_of(self, token: int, old: int) -> None:
        """Let a token hang where another one hangs, and that one on it."""
        head, relation = self.heads[old], self.relations[old]
        self.heads[token], self.relations[token] = head, relation
        self.heads[old] = token

    def verb_lemma(self, token: int) -> str:
        """The verb of which a token may be a form; empty for none."""
        found = self.lexicon.lemmas(self.words[token], "verb")
        return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class Repair:
    """A thing that the parser gets wrong, and how it is put right."""

    name: str
    says: str
    apply: Callable[[EditableParse], None]
    examples: tuple[str, ...] = ()
    """Sentences that it puts right."""


def tree_of(sentence: Sentence, lexicon: Lexicon) -> EditableParse:
    """A sentence that can be changed."""
    return EditableParse(
        sentence,
        lexicon,
        [form.lower() for form in sentence.forms],
        list(sentence.lemmas),
        list(sentence.tags),
        list(sentence.parts),
        sentence.heads.tolist(),
        list(sentence.relations),
    )


def sentence_of(tree: EditableParse) -> Sentence:
    """The sentence as it was mended."""
    relations = [
        ROOT if head < 0 else relation
        for head, relation in zip(tree.heads, tree.relations, strict=True)
    ]
    return replace(
        tree.sentence,
        heads=np.array(tree.heads, np.int32),
        lemmas=tuple(tree.lemmas),
        tags=tuple(tree.tags),
        parts=tuple(tree.parts),
        relations=tuple(relations),
    )


# Where prepositional phrases belong.

_KEPT = frozenset(("of",))
"""Prepositions that belong to the noun before them."""


def _reattach(tree: EditableParse) -> None:
    """*showed a vase to a sailor*: what is not said of an event is said of the one that is going on."""
    for token, relation in enumerate(tree.relations):
        if relation not in ("prep", "agent", "dative") or tree.words[token] in _KEPT:
            continue
        head = tree.heads[token]
        if tree.words[token] == "by" and _take_agent(tree, token):
            continue
        # the parser often hangs *to a sailor* on the vase; nouns that take arguments keep theirs:
        # *the gift of a vase to a sailor*
        if head < 0 or tree.parts[head] not in NOUNS or is_eventive(tree, head) or token < head:
            continue
        event = _event_above(tree, head)
        if 0 <= event <= head:
            tree.attach(token, event, "prep")


def _take_agent(tree: EditableParse, token: int) -> bool:
    """*was asked about the delay by David*: a passive verb or an event without its agent takes it."""
    above = tree.heads[token]
    while above >= 0:
        # an agent may stand far from its verb, behind other phrases, so all that is above is tried,
        # the nearest first
        is_passive = bool(tree.children(above, "auxpass")) and above < token
        if is_passive or (is_eventive(tree, above) and _lacks_agent(tree, above, token)):
            others = [
                each
                for each in tree.children(above, "agent", "prep")
                if tree.words[each] == "by" and each != token
            ]
            if not others:
                tree.attach(token, above, "agent" if is_passive else "prep")
                return True
        above = tree.heads[above]
    return False


def _lacks_agent(tree: EditableParse, event: int, by: int) -> bool:
    """Whether an event has what it befalls and not who does it."""
    return (
        event < by
        and not tree.children(event, "poss")
        and any(tree.words[each] == "of" for each in tree.children(event, "prep"))
    )


def _event_above(tree: EditableParse, token: int) -> int:
    """The nearest verb or eventive noun above a token, as long as phrases go."""
    while tree.relations[token] in (
        "pobj",
        "prep",
        "dobj",
        "dative",
        "conj",
        "agent",
        "attr",
        "oprd",
    ):
        token = tree.heads[token]
        if token < 0:
            return -1
        if tree.parts[token] == "VERB" or is_eventive(tree, token):
            return token
    return -1


def is_eventive(tree: EditableParse, token: int) -> bool:
    """Whether a noun names an event and has arguments as its verb has (Grimshaw 1990)."""
    if tree.tags[token] == "VBG":
        return True
    if tree.parts[token] != "NOUN" or not tree.lexicon.event_verbs(tree.words[token]):
        return False
    if tree.words[token].endswith("ing"):
        return True
    return any(
        tree.relations[each] == "poss" or tree.words[each] in ("of", "by")
        for each in tree.children(token, "poss", "prep", "agent")
    )


ATTACHMENT_REPAIRS = (
    Repair(
        "attachment",
        "V dobj(N prep(P)) → V dobj(N) prep(P)",
        _reattach,
        ("Ann showed a vase to a sailor.", "Ann was asked about the delay by Paul."),
    ),
)


# Predicates that the parser takes for something else.

_SUBJECTS = ("nsubj", "csubj")
_THAT_CLAUSE = 26
"""WordNet's frame *somebody ----s that CLAUSE*."""


def _find_passives(tree: EditableParse) -> None:
    """*is worried*, *was sung*: a participle after *be* is a passive verb."""
    for token, relation in enumerate(tree.relations):
        be = tree.heads[token]
        if relation != "acomp" or be < 0 or tree.lemmas[be] != "be":
            continue
        verb = tree.verb_lemma(token)
        # *is open* is an adjective though *open* is a verb, too: only forms that differ from the
        # infinitive are participles
        if not verb or verb == tree.words[token] or not _is_participle(tree, token):
            continue
        tree.retag(token, "VBN", "VERB", verb)
        tree.put_in_place_of(token, be)
        tree.relations[be] = "auxpass"
        for each in tree.children(be):
            tree.heads[each] = token
            if tree.relations[each] in _SUBJECTS:
                tree.relations[each] += "pass"


def _is_participle(tree: EditableParse, token: int) -> bool:
    return tree.tags[token] == "VBN" or tree.words[token].endswith(("ed", "en"))


def _join_clauses(tree: EditableParse) -> None:
    """*He came, she saw, and they won*: the first of the clauses is not what the second says."""
    for token in range(len(tree.words)):
        # *he came, she saw, they won*: each clause hangs on the next, until the last
        while _join_to_next(tree, token):
            pass


def _join_to_next(tree: EditableParse, token: int) -> bool:
    """Join the clause above a clause to it, where it is the next in a row; whether that was done."""
    head, relation = tree.heads[token], tree.relations[token]
    if relation not in ("ccomp", "dep", "parataxis", "advcl") or head < 0 or token > head:
        return False
    if tree.children(token, "mark") or tree.parts[token] not in ("VERB", "AUX"):
        return False
    if not tree.children(token, "nsubj", "nsubjpass", "csubj", "csubjpass"):
        return False
    subject = tree.child(head, "nsubj", "nsubjpass", "csubj", "csubjpass")
    # with a subject between the two verbs, the second is a clause of its own, and the first is no
    # complement that was moved before it
    if not token < subject < head or _may_embed(tree, token, head):
        return False
    tree.changes.append(f"{tree.words[head]} is joined to {tree.words[token]}")
    tree.heads[token], tree.relations[token] = tree.heads[head], tree.relations[head]
    tree.heads[head], tree.relations[head] = token, "conj"
    return True


def _may_embed(tree: EditableParse, token: int, head: int) -> bool:
    """*Mary left, John said*; *had Mary left, John would weep*: clauses of which one says the other."""
    says = _THAT_CLAUSE in tree.lexicon.frames(tree.lemmas[head], senses=2)
    supposes = any(tree.tags[each] == "MD" for each in tree.children(head, "aux"))
    first = min([token, *tree.children(token)])
    return says or (supposes and tree.words[first] in ("had", "were", "should"))


def _name_gerunds(tree: EditableParse) -> None:
    """*John's sending a book*: a noun that has an object as its verb has."""
    for token, relation in enumerate(tree.relations):
        verb = tree.heads[token]
        if relation == "poss" and tree.tags[verb] == "VBG" and tree.parts[verb] == "VERB":
            tree.changes.append(f"{tree.words[verb]} is a noun")
            tree.parts[verb] = "NOUN"
            if tree.relations[verb] in ("csubj", "csubjpass"):
                tree.relations[verb] = tree.relations[verb].replace("csubj", "nsubj")


def _find_particles(tree: EditableParse) -> None:
    """*threw the box away*, *picked it up*: a word that makes one verb with its verb."""
    for token, relation in enumerate(tree.relations):
        verb = tree.heads[token]
        if relation not in ("advmod", "prep") or tree.parts[verb] != "VERB" or token < verb:
            continue
        if not _is_particle(tree, token) or (relation == "prep" and not _is_bare(tree, token)):
            continue
        # only where WordNet has the verb of two words: *threw the box away*, but not *put the box
        # inside*
        if tree.lexicon.lemmas(f"{tree.lemmas[verb]} {tree.words[token]}", "verb"):
            tree.attach(token, verb, "prt")


def _is_bare(tree: EditableParse, token: int) -> bool:
    """Whether a preposition has no object, neither after it nor as the noun of a relative clause."""
    verb = tree.heads[token]
    has_object = bool(tree.children(verb, "dobj")) and tree.relations[verb] != "relcl"
    return has_object and not tree.children(token)


def _is_particle(tree: EditableParse, token: int) -> bool:
    return any(way.kind == "x" for way in closed_classes().get(tree.words[token], ()))


PARTICLES = Repair(
    "particle",
    "throw advmod(away) → throw prt(away)",
    _find_particles,
    ("Ann threw the box away.",),
)
GERUNDS = Repair(
    "gerund",
    "sending/VERB poss(N) → sending/NOUN poss(N)",
    _name_gerunds,
    ("John's sending a book to Mary surprised Ann.",),
)


def _find_names(tree: EditableParse) -> None:
    """*Hector is tall*: a capital and no article make a name, at the beginning of an unknown word."""
    forms = tree.sentence.forms
    for token, form in enumerate(forms):
        # *Hector*, *the PC-6082*
        model = form.isupper() and any(map(str.isdigit, form))
        if model and tree.tags[token] == "NN":
            tree.retag(token, "NNP", "PROPN", form)
        if form[:1].isupper() and tree.words[token] in given_names():
            _place_name(tree, token)
        if tree.tags[token] != "NN" or not (form[:1].isupper() and form[1:].islower()):
            continue
        if tree.words[token] in closed_classes():  # "Everyone"
            continue
        is_first = token == 0 or not any(map(str.isalnum, forms[token - 1]))
        known = is_first and bool(tree.lexicon.lemmas(form, "noun"))
        if known or tree.children(token, "det", "poss", "amod", "compound", "nummod"):
            continue
        if tree.relations[token] in ("compound", "nmod"):
            continue
        tree.retag(token, "NNP", "PROPN", form)


_BEFORE = frozenset(("is", "was", "has", "did", "does"))


def _place_name(tree: EditableParse, token: int) -> None:
    """*Shawn is taller than Tim*: a given name before an auxiliary is its subject."""
    after = tree.words[token + 1 : token + 2]
    if not after or after[0] not in _BEFORE:
        if tree.relations[token] == "advcl" and tree.words[token - 1] == "than":
            tree.attach(token - 1, tree.heads[token], "prep")
            tree.heads[token], tree.relations[token] = token - 1, "pobj"
        return
    if tree.tags[token] in ("NN", "NNP", "VBZ") and not tree.children(token):
        tree.retag(token, "NNP", "PROPN", tree.sentence.forms[token])
        if tree.relations[token] in ("npadvmod", "dep", "compound", "advmod"):
            verb = tree.heads[token]
            tree.attach(token, verb, "nsubj")


def _find_contents(tree: EditableParse) -> None:
    """*a lie that she left*: a clause that lacks nothing says what the noun is about."""
    for token, relation in enumerate(tree.relations):
        if relation != "relcl" or tree.child(token, "mark") < 0:
            continue
        that = tree.words[tree.child(token, "mark")] == "that"
        if that and tree.child(token, "nsubj", "nsubjpass") >= 0:
            tree.attach(token, tree.heads[token], "acl")


_PARTITIVE = frozenset(
    [
        "all",
        "any",
        "both",
        "each",
        "either",
        "few",
        "half",
        "many",
        "most",
        "much",
        "neither",
        "none",
        "several",
        "some",
    ]
)
"""Words for how many, before what they are some of."""
_FRACTIONS = frozenset(["%", "percent", "quarter", "quarters", "third", "thirds"])
_OCCASIONS = frozenset(("time", "day", "moment", "week", "month", "year", "night", "morning"))
_EACH = frozenset(("every", "each", "any"))


def _find_portions(tree: EditableParse) -> None:
    """*bought all of these*: of what there is all of, and not where it was bought."""
    for token, word in enumerate(tree.words[:-1]):
        if (word in _PARTITIVE or tree.tags[token] == "CD") and tree.words[token + 1] == "of":
            tree.attach(token + 1, token, "prep")


def _find_occasions(tree: EditableParse) -> None:
    """*cries every time she sees him*: a clause right behind a time says which times."""
    for token, word in enumerate(tree.words[:-1]):
        if word not in _OCCASIONS or tree.words[token - 1 : token] not in [[e] for e in _EACH]:
            continue
        verb = tree.heads[token + 1]
        begins = tree.relations[token + 1] in ("nsubj", "nsubjpass") and verb > token
        if begins and tree.relations[verb] in ("ccomp", "advcl") and verb != tree.heads[token]:
            tree.attach(verb, token, "relcl")
            if tree.relations[token] == "dobj":
                tree.attach(token, tree.heads[token], "npadvmod")


def _find_verbs_of_portions(tree: EditableParse) -> None:
    """*more than half of the dogs barked*: no participle, since there is no other verb."""
    root = next((each for each, head in enumerate(tree.heads) if head < 0), -1)
    if root < 0 or "of" not in tree.words[root + 1 : root + 2] or tree.parts[root] == "VERB":
        return
    if tree.words[root] not in _PARTITIVE | _FRACTIONS:
        return
    verbs = [each for each, part in enumerate(tree.parts) if part in ("VERB", "AUX")]
    if len(verbs) == 1 and tree.relations[verbs[0]] == "acl" and tree.tags[verbs[0]] == "VBN":
        verb = verbs[0]
        if tree.child(verb, "agent") < 0 and tree.is_above(root, verb):
            tree.retag(verb, "VBD", "VERB", tree.lemmas[verb])
            tree.heads[verb], tree.relations[verb] = -1, "ROOT"
            tree.heads[root], tree.relations[root] = verb, "nsubj"
            for each in tree.children(root, "punct"):
                tree.heads[each] = verb


PORTION_VERBS = Repair(
    "portion",
    "half prep(of pobj(N acl(V))) → V nsubj(half prep(of pobj(N)))",
    _find_verbs_of_portions,
    ("More than half of the dogs barked.",),
)
PORTIONS = Repair(
    "portion",
    "V dobj(all) prep(of) → V dobj(all prep(of))",
    _find_portions,
    ("Ann bought all of these televisions.",),
)
OCCASIONS = Repair(
    "occasion",
    "V npadvmod(time) ccomp(W) → V npadvmod(time relcl(W))",
    _find_occasions,
    ("Ann weeps every time she watches that film.",),
)


def _find_replacements(tree: EditableParse) -> None:
    """*owns a blue one*: a noun, whatever the parser makes of it."""
    for one in range(2, len(tree.words)):
        if tree.words[one] != "one" or tree.words[one - 2] not in ("a", "an", "the", "another"):
            continue
        if tree.lexicon.lemmas(tree.words[one - 1], "adjective") and one + 1 < len(tree.words):
            tree.retag(one, "NN", "NOUN", "one")
            tree.retag(one - 1, "JJ", "ADJ", tree.words[one - 1])
            if tree.is_above(one - 1, one):
                tree.put_in_place_of(one, one - 1)
            tree.attach(one - 1, one, "amod")
            tree.attach(one - 2, one, "det")


REPLACEMENTS = Repair(
    "replacement",
    "dobj(blue) dobj(one) → dobj(one amod(blue))",
    _find_replacements,
    ("Ann owns a red car and Paul owns a blue one.",),
)
CONTENTS = Repair(
    "content",
    "lie relcl(V mark(that)) → lie acl(V mark(that))",
    _find_contents,
    ("It is a lie that the painter saw the nurse.",),
)
NAMES = Repair(
    "name",
    "Hector/NOUN → Hector/PROPN",
    _find_names,
    ("Hector is taller than Ann.",),
)
PREDICATE_REPAIRS = (
    Repair(
        "passive",
        "is acomp(worried) → worried auxpass(is)",
        _find_passives,
        ("Ann is worried by the noise.",),
    ),
    Repair(
        "clauses",
        "V ccomp(W) → W conj(V)",
        _join_clauses,
        ("Ann came, Paul saw her, and they won.",),
    ),
)


# Sentences that are cut in two to stress a part of them, put together again (Jespersen 1937).


def _join_clefts(tree: EditableParse) -> None:
    """*It was John who sent it*: John sent it."""
    for be in range(len(tree.words)):
        subject = tree.child(be, "nsubj") if tree.lemmas[be] == "be" else -1
        if subject < 0 or tree.words[subject] != "it":
            continue
        noun = tree.child(be, "attr")
        verb = tree.child(noun, "relcl") if noun >= 0 else -1
        if verb < 0:
            continue
        pronoun = _pronoun(tree, verb)
        # without a relative pronoun *it was a book* may just describe something
        if pronoun >= 0:
            _put_together(tree, be, noun, verb, pronoun)
            tree.relations[subject] = "expl"


def _join_free_relatives(tree: EditableParse) -> None:
    """*What John sent was a book*: John sent a book."""
    for be in range(len(tree.words)):
        noun = tree.child(be, "attr") if tree.lemmas[be] == "be" else -1
        verb = tree.child(be, "csubj") if noun >= 0 else -1
        if verb < 0:
            continue
        pronoun = tree.child(verb, "dobj", "nsubj", "nsubjpass")
        if pronoun >= 0 and tree.words[pronoun] == "what":
            _put_together(tree, be, noun, verb, pronoun)


def _pronoun(tree: EditableParse, verb: int) -> int:
    """The relative pronoun of a clause, of its verb or of a preposition there; -1 for none."""
    for each in tree.children(verb):
        for token in (each, *tree.children(each, "pobj")):
            is_that = tree.words[token] == "that" and tree.relations[token] != "mark"
            if tree.tags[token] in RELATIVE_TAGS or is_that:
                return token
    return -1


def _put_together(tree: EditableParse, be: int, noun: int, verb: int, pronoun: int) -> None:
    """Let the clause take the place of the copula, and the noun that of its pronoun."""
    tree.changes.append(f"{tree.words[noun]} stands for {tree.words[pronoun]}")
    stranded = _stranded(tree, verb) if tree.relations[pronoun] == "dobj" else -1
    # *it was John that they laughed at*: the parser takes *that* for an object, but the preposition
    # is what lacks one
    place = (stranded, "pobj") if stranded >= 0 else (tree.heads[pronoun], tree.relations[pronoun])
    tree.heads[noun], tree.relations[noun] = place
    tree.put_in_place_of(verb, be)
    for each in (be, pronoun):
        tree.heads[each], tree.relations[each] = verb, "expl"
    for each in tree.children(be):
        tree.heads[each] = verb


def _stranded(tree: EditableParse, verb: int) -> int:
    """The preposition of a verb that lacks its object: *laughed at*; -1 for none."""
    found = [each for each in tree.children(verb, "prep") if tree.child(each, "pobj", "pcomp") < 0]
    return found[0] if found else -1


CLEFT_REPAIRS = (
    Repair(
        "cleft",
        "is nsubj(it) attr(N relcl(V nsubj(who))) → V nsubj(N)",
        _join_clefts,
        ("It was John who sent the book.", "It was a book that John sent."),
    ),
    Repair(
        "cleft",
        "is csubj(V dobj(what)) attr(N) → V dobj(N)",
        _join_free_relatives,
        ("What John sent was a book.",),
    ),
)
