"""Rules about verbs that take verbs: control and raising, adverbial participles, light verbs."""

from __future__ import annotations

from ensue.logic.rewriting.draft import GIVING, SUBJECTS, Draft, Rule, Sort

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
        if not _is_indefinite(draft, noun):
            continue
        draft.call(verb, verbs[0], Sort.EVENT)
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
    return tuple(verb for verb in verbs if verb[:4] == word[:4])


def _has_person(draft: Draft, verb: int) -> bool:
    """*gave a hug to John*: whom the verb has as its object."""
    frames = draft.lexicon.frames(draft.words[verb], senses=1)
    return _SOMEBODY in frames and not frames & (GIVING | _SAYING) and not draft.has(verb, "dobj")


def _is_indefinite(draft: Draft, noun: int) -> bool:
    determiner = draft.child(noun, "det")
    return determiner < 0 or draft.parse.lemmas[determiner] in ("a", "an", "no", "some", "any")


RULES = (
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
