"""Rules about clauses: coordination, relative clauses, participles, control, light verbs."""

from __future__ import annotations

from ensue.language.graphs import RELATIVE_TAGS
from ensue.logic.rewriting.draft import (
    GIVING,
    INTRANSITIVE,
    SUBJECTS,
    TRANSITIVE,
    Draft,
    Rule,
    SemanticSort,
)

# Rules about what *and* and *or* join: shared arguments, groups of things.

_OBJECTS = ("dobj", "dative")
_BETWEEN = frozenset(("cc", "punct", "advmod", "neg", "aux", "auxpass"))


def _share_subjects(draft: Draft) -> None:
    """*John came and went*: John went, and in the voice that his verb has."""
    for token in draft.parse.order:
        for second in draft.children(token, "conj"):
            if not (_is_predicate(draft, second) and _is_predicate(draft, token)):
                continue
            # *John came and it rained*, *John said that he came and that she left*: these have a
            # subject, or a beginning, of their own
            if draft.has(second, "expl", "mark", *SUBJECTS):
                continue
            # *the book was written and printed*: the second is passive without saying so
            if _is_bare_participle(draft, second) and token in draft.passive:
                draft.passive.add(second)
            for relation, subject in list(draft.links[token]):
                if relation in SUBJECTS:
                    new = "nsubjpass" if second in draft.passive else "nsubj"
                    draft.add(second, new, subject)


def _is_predicate(draft: Draft, token: int) -> bool:
    return draft.is_event(token) or token in draft.parse.copulas


def _is_bare_participle(draft: Draft, token: int) -> bool:
    return draft.parse.tags[token] in ("VBN", "VBD") and not draft.has(token, "aux", "auxpass")


def _share_objects(draft: Draft) -> None:
    """*John bought and sold a house*: he bought one too."""
    for first, _, second in draft.pairs("conj"):
        if not (draft.is_event(first) and draft.is_event(second)):
            continue
        if draft.has(first, *_OBJECTS) or first in draft.passive:
            continue
        frames = draft.lexicon.frames(draft.words[first], senses=3)
        # *John came and sold a house* does not come a house: a verb that can do without an object
        # is left without, unless *both* announces a parallel (*both sang and recorded a song*)
        if frames & INTRANSITIVE and not (frames & TRANSITIVE and draft.has(first, "preconj")):
            continue
        # *John bought quickly in Rome and sold a house*: anything of its own behind the first verb
        # closes it off
        if not all(draft.parse.relations[each] in _BETWEEN for each in range(first + 1, second)):
            continue
        for thing in draft.children(second, "dobj"):
            draft.add(first, "dobj", thing)


def _join_things(draft: Draft) -> None:
    """*John and Mary*: both of them; *John or Mary*: one of them."""
    for token in draft.parse.order:
        for second in draft.children(token, "conj"):
            if second in draft.parse.copulas:
                continue
            if (
                draft.sorts[token] is SemanticSort.THING
                and draft.sorts[second] is SemanticSort.THING
            ):
                word = draft.parse.conjunctions.get(second, "and")
                if word in ("and", "or", "nor"):  # "but Mary" is not one of them
                    draft.rename(token, "conj", second, "and" if word == "and" else "or")
            # *is poor but happy*: both are said of the same
            elif token in draft.parse.copulas and _are_qualities(draft, token, second):
                word = draft.parse.conjunctions.get(second, "and")
                if word in ("and", "or", "but"):
                    draft.rename(token, "conj", second, "or" if word == "or" else "and")


def _are_qualities(draft: Draft, first: int, second: int) -> bool:
    """Whether two words are qualities, and neither has a subject or a negation of its own."""
    own = draft.has(second, "neg", "advcl", *SUBJECTS)
    sorts = {draft.sorts[first], draft.sorts[second]}
    return sorts == {SemanticSort.QUALITY} and not own


def _lift_relatives(draft: Draft) -> None:
    """*Peter and Anna, who married*: both of them did."""
    for first, _, last in reversed(list(draft.pairs("and"))):
        for verb in draft.children(last, "relative"):
            # only a comma lifts it: *a boy and a girl who sang* has one singer
            if not any(draft.form(each) == "," for each in range(last + 1, verb)):
                continue
            draft.move(last, "relative", verb, first, "relative")
            for relation in [name for name, token in draft.links[verb] if token == last]:
                draft.move(verb, relation, last, verb, "was")
                draft.drop(verb, "was", last)
                draft.add(verb, relation, first)


def _share_qualities(draft: Draft) -> None:
    """*a tall and clever man*, *quickly and quietly*: each is said of the same."""
    for token in draft.parse.order:
        if draft.sorts[token] is not SemanticSort.QUALITY or token in draft.parse.copulas:
            continue
        for second in draft.children(token, "conj"):
            for relation, governor in list(draft.heads[token]):
                if relation in ("amod", "advmod") and draft.sorts[second] is SemanticSort.QUALITY:
                    draft.move(token, "conj", second, governor, relation)
                    break


COORDINATION_RULES = (
    Rule(
        "coordination",
        "V nsubj(N) conj(W) → W nsubj(N)",
        _share_subjects,
        ("Paul came and went. > go agent paul",),
    ),
    Rule(
        "coordination",
        "V conj(W dobj(N)) → V dobj(N)",
        _share_objects,
        ("Paul polished and sold a clock. > polish patient clock",),
    ),
    Rule(
        "coordination", "N conj(M) → N and(M)", _join_things, ("Paul and Ann sang. > paul and ann",)
    ),
    Rule(
        "coordination",
        "N and(M relative(V)) → N and(M) relative(V)",
        _lift_relatives,
        ("Paul and Ann, who sang, left. > sing agent paul",),
    ),
    Rule(
        "coordination",
        "N amod(A conj(B)) → N amod(A) amod(B)",
        _share_qualities,
        ("A tall and clever man sang. > man quality clever",),
    ),
)

# Rules about clauses inside noun phrases: relative clauses, reduced relatives and participles.

_PLACES = {"where": "in", "when": "in", "why": "for"}
_NO_RELATIVES = frozenset(("what", "how", "whatever", "whoever"))


def _resolve_relatives(draft: Draft) -> None:
    """Put the noun where the relative pronoun stands, or the gap is."""
    for noun, _, verb in draft.pairs("relcl"):
        pronoun = _pronoun(draft, verb)
        if pronoun is not None:
            governor, relation, token = pronoun
            if relation == "advmod":
                draft.move(governor, relation, token, governor, "wh")
                draft.add(governor, _PLACES.get(draft.form(token), "in"), noun)
            elif relation == "dobj":
                draft.drop(governor, relation, token)
                _fill_object(draft, governor, noun)
            else:
                draft.drop(governor, relation, token)
                draft.add(governor, relation, noun)
        else:
            _fill_gap(draft, verb, noun)
        draft.rename(noun, "relcl", verb, "relative")


def _pronoun(draft: Draft, verb: int) -> tuple[int, str, int] | None:
    """Where the relative pronoun of a clause hangs: governor, relation and pronoun."""
    waiting = [verb]
    seen = {verb}
    while waiting:
        governor = waiting.pop(0)
        for relation, token in draft.links[governor]:
            if _is_relative(draft, relation, token):
                return governor, relation, token
            if relation not in ("relcl", "conj") and token not in seen:
                seen.add(token)
                waiting.append(token)
    return None


def _is_relative(draft: Draft, relation: str, token: int) -> bool:
    word = draft.form(token)
    if draft.parse.tags[token] in RELATIVE_TAGS:
        return word not in _NO_RELATIVES and relation not in ("det", "conj")
    return word == "that" and relation not in ("mark", "det")


def _fill_gap(draft: Draft, verb: int, noun: int) -> None:
    """*the man she saw*, *the house she lives in*: what the clause lacks."""
    # *the man who sang* lacks its subject, *the man she saw* its object: what is missing shows
    # where the noun belongs
    if not draft.has(verb, *SUBJECTS):
        draft.add(verb, "nsubj", noun)
        return
    inner = verb
    while True:
        stranded = draft.child(inner, "stranded")
        if stranded >= 0:
            draft.move(inner, "stranded", stranded, inner, "folded")
            draft.add(inner, draft.parse.preposition(stranded), noun)
            return
        # *the man she wanted to see*: the gap is in the innermost clause
        below = draft.child(inner, "xcomp", "ccomp")
        if below < 0:
            break
        inner = below
    if not draft.has(inner, "dobj"):
        draft.add(inner, "dobj", noun)


def _fill_object(draft: Draft, verb: int, noun: int) -> None:
    """*the man whom she laughed at*, *the coat that he lent Mary*: what the pronoun is the object of."""
    other = draft.child(verb, "dobj")
    # *the coat that he lent Mary*: with the coat as object, Mary is the one who gets it
    if other >= 0 and not draft.has(verb, "stranded", "xcomp", "ccomp"):
        draft.rename(verb, "dobj", other, "dative")
    _fill_gap(draft, verb, noun)


def _resolve_participles(draft: Draft) -> None:
    """*the book sent to Mary*, *the man sending it*: relative clauses without their beginning."""
    for noun, _, verb in draft.pairs("acl"):
        tag = draft.parse.tags[verb]
        if draft.has(verb, *SUBJECTS) or draft.has(verb, "mark"):
            continue
        if tag == "VBG":
            draft.add(verb, "nsubj", noun)
        elif tag in ("VBN", "VBD"):
            draft.passive.add(verb)
            draft.add(verb, "nsubjpass", noun)
        else:
            continue
        draft.rename(noun, "acl", verb, "relative")


def _resolve_attributes(draft: Draft) -> None:
    """*a sleeping dog*, *the broken vase*: participles before their noun say what befell it."""
    for noun, _, verb in draft.pairs("amod"):
        tag, part = draft.parse.tags[verb], draft.parse.parts[verb]
        if part != "VERB" or draft.sorts[noun] is not SemanticSort.THING:
            continue
        if tag == "VBG":
            draft.add(verb, "nsubj", noun)
        elif tag == "VBN":
            draft.passive.add(verb)
            draft.add(verb, "nsubjpass", noun)
        else:
            continue
        draft.rename(noun, "amod", verb, "relative")


RELATIVE_RULES = (
    Rule(
        "relative-clause",
        "N relcl(V r(who)) → N relative(V r(N))",
        _resolve_relatives,
        (
            "The man who sang left. > sing agent man",
            "The book that Paul sent vanished. > send patient book",
            "The man Ann laughed at left. > laugh at man",
        ),
    ),
    Rule(
        "participle",
        "N acl(sent) → N relative(sent nsubjpass(N))",
        _resolve_participles,
        ("The book sent to Ann by Paul vanished. > send patient book, send agent paul",),
    ),
    Rule(
        "participle",
        "N amod(broken) → N relative(broken nsubjpass(N))",
        _resolve_attributes,
        ("The stolen vase vanished. > steal patient vase",),
    ),
)


# Rules about verbs that take verbs: control and raising, adverbial participles, light verbs.

_CONTROLLED_BY_SUBJECT = frozenset(("promise", "vow", "threaten", "swear"))
"""Verbs with an object whose infinitive is yet what their subject does."""
_WITH_SUBJECT = ("after", "before", "by", "without", "since", "upon", "while")
"""Prepositions of a participle whose subject is that of the verb above it."""
_SOMEBODY = 9
"""WordNet's frame *somebody ----s somebody*."""
_SAYING = frozenset((12, 26, 27))
"""*something ----s to somebody*, *somebody ----s that CLAUSE* and *somebody ----s to somebody*."""
_LIGHT = frozenset(
    ("carry out", "conduct", "do", "give", "have", "make", "pay", "perform", "take", "undertake")
)
"""Verbs that say little more than that what their object names happened (Jespersen 1942)."""


def _give_subject(draft: Draft, verb: int, subject: int) -> None:
    if subject >= 0 and not draft.has(verb, *SUBJECTS):
        draft.add(verb, "nsubjpass" if verb in draft.passive else "nsubj", subject)


def _control(draft: Draft) -> None:
    """*John wants to sleep*, *Mary told John to sleep*: who sleeps is said by the verb above."""
    for verb in draft.parse.order:
        for inner in draft.children(verb, "xcomp"):
            if not draft.is_event(inner) and inner not in draft.parse.copulas:
                continue
            # *told John to sleep*: the object sleeps; *promised John to sleep*: the subject does, a
            # known exception
            controller = draft.child(verb, "dobj", "dative")
            if controller < 0 or draft.words[verb] in _CONTROLLED_BY_SUBJECT:
                controller = draft.child(verb, *SUBJECTS)
            _give_subject(draft, inner, controller)


def _share_adverbial_subjects(draft: Draft) -> None:
    """*Sleeping on the sofa, John snored*; *he left without eating*: the same John."""
    for verb, relation, inner in draft.pairs("advcl", *_WITH_SUBJECT):
        if not draft.is_event(inner) or draft.parse.tags[inner] not in ("VBG", "VBN"):
            continue
        bare = not draft.has(inner, "aux", "auxpass", *SUBJECTS)
        if relation == "advcl" and draft.parse.tags[inner] == "VBN" and bare:
            draft.passive.add(inner)
        _give_subject(draft, inner, draft.child(verb, *SUBJECTS))


def _lighten(draft: Draft) -> None:
    """*John took a walk*, *made a decision about it*: he walked, he decided."""
    for verb, _, noun in draft.pairs("dobj"):
        if draft.words[verb] not in _LIGHT:
            continue
        if draft.parse.parts[noun] != "NOUN" or len(draft.children(verb, "dobj")) > 1:
            continue
        verbs = draft.lexicon.event_verbs(draft.words[noun]) or _described(draft, noun)
        if not verbs or draft.has(noun, "poss") or verb in draft.passive:
            continue
        # *took the walk* is about a certain walk, which other sentences may speak of; only *a walk*
        # is as good as the verb
        if not _is_indefinite(draft, noun):
            continue
        draft.call(verb, verbs[0], SemanticSort.EVENT)
        draft.drop(verb, "dobj", noun)
        for relation, dependent in list(draft.links[noun]):
            if relation not in ("det", "punct"):
                draft.move(
                    noun, relation, dependent, verb, "dobj" if relation == "of" else relation
                )
        for dependent in draft.children(verb, "dative"):
            draft.rename(verb, "dative", dependent, "to")
        if _has_person(draft, verb):
            for dependent in draft.children(verb, "to"):
                draft.rename(verb, "to", dependent, "dobj")


def _described(draft: Draft, noun: int) -> tuple[str, ...]:
    """*gave a description of it*: nouns that name what an event brings about."""
    if not draft.has(noun, "of"):
        return ()
    word = draft.words[noun]
    derived = draft.lexicon.derivations(word, "noun")
    verbs = [lemma.word for lemma in derived if lemma.part == "verb" and lemma.word != word]
    # *description* from *describe*, but not what only shares a root with it further off
    return tuple(verb for verb in verbs if verb[:4] == word[:4])


def _has_person(draft: Draft, verb: int) -> bool:
    """*gave a hug to John*: whom the verb has as its object."""
    frames = draft.lexicon.frames(draft.words[verb], senses=1)
    return _SOMEBODY in frames and not frames & (GIVING | _SAYING) and not draft.has(verb, "dobj")


def _is_indefinite(draft: Draft, noun: int) -> bool:
    determiner = draft.child(noun, "det")
    return determiner < 0 or draft.parse.lemmas[determiner] in ("a", "an", "no", "some", "any")


COMPLEMENT_RULES = (
    Rule(
        "control",
        "V nsubj(N) xcomp(W) → W nsubj(N)",
        _control,
        (
            "Paul wants to sing. > sing agent paul",
            "Ann told Paul to sing. > sing agent paul",
        ),
    ),
    Rule(
        "adverbial",
        "V nsubj(N) advcl(W) → W nsubj(N)",
        _share_adverbial_subjects,
        ("Paul left without eating. > eat agent paul",),
    ),
    Rule(
        "light-verb",
        "take dobj(walk) → walk",
        _lighten,
        (
            "Paul took a walk. > walk agent paul",
            "Ann gave a description of the thief. > describe patient thief",
        ),
    ),
)
