"""Rules about phrases: prepositions, particles, compounds, appositions, qualities."""

from __future__ import annotations

from dataclasses import replace

from ensue.logic.rewriting.draft import Draft, Rule, SemanticSort

# Rules about phrases: prepositions give their name to what they join, particles join their
# verb.

_PREPOSITIONS = ("prep", "agent", "dative")
_GOVERNING = frozenset(
    (
        "about",
        "after",
        "against",
        "at",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "onto",
        "to",
        "upon",
        "with",
    )
)
"""Prepositions that are no particles where their object has become the subject."""
_PORTIONS = frozenset(
    ("%", "fifth", "fraction", "half", "majority", "minority", "percent", "quarter", "third")
)
"""Nouns that say how many of a kind do something."""
_NAMED_KINDS_WORDS = """
borough city commune country county district duchy hamlet island kingdom municipality parish port
province region republic state suburb town township village
"""
_NAMED_KINDS = frozenset(_NAMED_KINDS_WORDS.split())
"""Nouns that have their name behind *of*."""


def _fold_prepositions(draft: Draft) -> None:
    """*sent to Mary*: Mary is the `to` of the sending."""
    for governor, relation, token in sorted(draft.pairs(*_PREPOSITIONS), key=lambda link: link[2]):
        if draft.parse.parts[token] in ("NOUN", "PROPN", "PRON"):
            continue  # a dative without a preposition
        name = draft.parse.preposition(token)
        # *drove from Rome to Paris* has two roles of one event, not a *to* of Rome
        governor = _lifted(draft, governor)
        objects = draft.children(token, "pobj", "pcomp")
        for dependent in objects:
            draft.move(token, _relation(draft, token, dependent), dependent, governor, name)
        draft.rename(draft.parse.heads[token], relation, token, "folded" if objects else "stranded")


def _lifted(draft: Draft, governor: int) -> int:
    """*from Rome to Paris*, where the parser hangs *to* on *from*."""
    while draft.parse.relations[governor] in _PREPOSITIONS and draft.parse.heads[governor] >= 0:
        governor = draft.parse.heads[governor]
    return governor


def _relation(draft: Draft, governor: int, dependent: int) -> str:
    return next(relation for relation, token in draft.links[governor] if token == dependent)


def _fold_conjoined_prepositions(draft: Draft) -> None:
    """*in Rome and in Paris*: each of them belongs to what the first one belongs to."""
    for first, _, second in draft.pairs("conj"):
        if draft.parse.parts[second] == "ADP" and draft.parse.relations[first] in _PREPOSITIONS:
            governor = _lifted(draft, first)
            for dependent in draft.children(second, "pobj", "pcomp"):
                relation = _relation(draft, second, dependent)
                draft.move(second, relation, dependent, governor, draft.parse.preposition(second))


def _raise_portions(draft: Draft) -> None:
    """*half of the dogs bark*: it is dogs that bark, of which half do."""
    for noun, _, kind in draft.pairs("of"):
        if draft.words[noun] not in _PORTIONS or draft.parse.tags[kind] not in ("NNS", "NNPS"):
            continue
        draft.drop(noun, "of", kind)
        for relation, governor in list(draft.heads[noun]):
            draft.drop(governor, relation, noun)
            draft.add(governor, relation, kind)
        draft.add(kind, "portion", noun)
    for part, relation, kind in draft.pairs("out_of", "in"):
        if relation == "in" and draft.form(part) != "one":
            continue
        # *two out of three men*, *one in three men*
        if draft.parse.tags[part] == "CD" and (total := draft.child(kind, "nummod")) > part:
            draft.drop(part, relation, kind)
            for above, governor in list(draft.heads[part]):
                draft.drop(governor, above, part)
                draft.add(governor, above, kind)
            draft.drop(kind, "nummod", total)
            draft.add(kind, "portion", part)
    for kind, _, article in draft.pairs("det"):
        # *half the dogs*: the parser hangs *half* anywhere
        plural = draft.parse.tags[kind] in ("NNS", "NNPS") and not draft.has(kind, "portion")
        half = article > 0 and (draft.form(article - 1), draft.form(article)) == ("half", "the")
        if half and plural:
            for relation, governor in list(draft.heads[article - 1]):
                draft.drop(governor, relation, article - 1)
            draft.add(kind, "portion", article - 1)


def _find_exceptions(draft: Draft) -> None:
    """*all but three dogs*, *everyone but Rex*: of whom something is not said."""
    for but, word in enumerate(draft.parse.words):
        if word not in ("but", "except") or not 0 < but < len(draft.words) - 1:
            continue
        whole = draft.parse.heads[but]
        if (
            whole < 0
            or whole >= but
            or (
                draft.words[whole] not in _WHOLES
                and not any(
                    draft.form(each) in _WHOLES for each in draft.children(whole, "det", "nummod")
                )
            )
        ):
            continue
        for relation in ("conj", "and", "except", "but"):
            for left in draft.children(whole, relation):
                if draft.parse.parts[left] == "PROPN":
                    draft.drop(whole, relation, left)
                    draft.add(whole, "excepted", left)
                elif draft.words[whole] == "all":
                    _leave_out(draft, whole, relation, left)
        # *ate all but three apples*: both words are numbers of the apples there
        for relation, kind in list(draft.heads[whole]):
            if relation == "nummod" and draft.words[whole] == "all":
                draft.drop(kind, relation, whole)
                _count_exceptions(draft, kind)


_WHOLES = frozenset(("all", "every", "everyone", "everybody", "everything", "no", "nobody", "none"))


def _leave_out(draft: Draft, whole: int, relation: str, kind: int) -> None:
    if not draft.has(kind, "nummod"):
        return
    draft.drop(whole, relation, kind)
    for above, governor in list(draft.heads[whole]):
        draft.drop(governor, above, whole)
        draft.add(governor, above, kind)
    _count_exceptions(draft, kind)


def _count_exceptions(draft: Draft, kind: int) -> None:
    for number in draft.children(kind, "nummod")[:1]:
        draft.drop(kind, "nummod", number)
        draft.add(kind, "all-but", number)


_PARTS_WORDS = """
all any both dozens each either few hundreds many millions most much neither none scores several
some thousands
"""
_PARTS = frozenset(_PARTS_WORDS.split())
"""Pronouns for how many of what stands behind their *of*."""


def _raise_kinds(draft: Draft) -> None:
    """*some of the dogs bark*: some dogs do."""
    for part, _, kind in draft.pairs("of"):
        is_number = draft.parse.tags[part] == "CD"
        lot = draft.words[part] in ("lot", "plenty")
        if draft.form(part) not in _PARTS and not (is_number or lot):
            continue
        if draft.parse.parts[kind] != "NOUN" or draft.has(kind, "portion"):
            continue
        for number in draft.children(kind, "nummod"):
            draft.drop(kind, "nummod", number)
            draft.add(kind, "total", number)
        draft.drop(part, "of", kind)
        for relation, governor in list(draft.heads[part]):
            draft.drop(governor, relation, part)
            draft.add(governor, relation, kind)
        for relation, dependent in list(draft.links[part]):
            draft.drop(part, relation, dependent)
            if relation not in ("punct", "det", "quality", "amod"):
                # *spends a lot of time at home*: spends it there
                above = [each for _, each in draft.heads[kind]] if lot else []
                draft.add(above[0] if above else kind, relation, dependent)
        draft.add(kind, "nummod" if is_number else "det", part)


def _name_places(draft: Draft) -> None:
    """*the town of Lindow*: Lindow, a town."""
    for noun, _, name in draft.pairs("of"):
        is_kind = draft.words[noun] in _NAMED_KINDS and draft.parse.parts[noun] == "NOUN"
        definite = any(draft.form(each) == "the" for each in draft.children(noun, "det"))
        if is_kind and definite and draft.parse.parts[name] == "PROPN":
            draft.drop(noun, "of", name)
            draft.add(noun, "appos", name)


def _join_particles(draft: Draft) -> None:
    """*give up*: one verb of two words; but *at* in *was laughed at* is a preposition without its object.

    *Turned on the lamp* and *the lamp was turned on* are of the second kind, so that they look the same.
    """
    for verb, _, particle in draft.pairs("prt"):
        word = draft.form(particle)
        one = f"{draft.words[verb]} {word}"
        # *was laughed at*: no verb *laugh at* has lost its object, the preposition has
        if word in _GOVERNING and draft.has(verb, "auxpass"):
            draft.rename(verb, "prt", particle, "stranded")
            continue
        if word in _GOVERNING and draft.has(verb, "dobj"):
            draft.rename(verb, "prt", particle, "folded")
            draft.rename(verb, "dobj", draft.child(verb, "dobj"), word)
            continue
        # *give up* is a word of its own and no giving; *walk away* is in no lexicon, and still a
        # walking
        if draft.lexicon.lemmas(one, "verb"):
            draft.call(verb, one, draft.sorts[verb])
            draft.rename(verb, "prt", particle, "folded")
        else:  # as other adverbs
            draft.call(particle, word, SemanticSort.QUALITY)
            draft.rename(verb, "prt", particle, "advmod")


def _join_compounds(draft: Draft) -> None:
    """*John Smith*: one name of two words."""
    for noun, _, token in sorted(draft.pairs("compound"), key=lambda link: -link[2]):
        # names are constants, and *John Smith* is one person; in *Paris hotel* the hotel is a thing
        # in its own right
        if draft.parse.parts[noun] == "PROPN" and draft.parse.parts[token] == "PROPN":
            draft.drop(noun, "compound", token)
            draft.call(noun, f"{draft.words[token]} {draft.words[noun]}", draft.sorts[noun])


def _join_ampersands(draft: Draft) -> None:
    """*Johnson & Johnson*: one name, whatever is joined to it."""
    for first, _, second in sorted(draft.pairs("conj"), key=lambda link: -link[2]):
        names = {draft.parse.parts[first], draft.parse.parts[second]} == {"PROPN"}
        start = min([second, *draft.children(second, "compound")])
        if not names or start == 0 or draft.form(start - 1) != "&":
            continue
        draft.drop(first, "conj", second)
        for relation, dependent in list(draft.links[second]):
            draft.move(second, relation, dependent, first, relation)
        draft.add(first, "folded", second)
        one = f"{draft.words[first]} & {draft.words[second]}"
        draft.call(first, one, draft.sorts[first])


def _join_collocations(draft: Draft) -> None:
    """*guinea pig*, *hot dog*: one noun of two words, which need not be what its second word says."""
    for noun, relation, token in sorted(draft.pairs("compound", "amod"), key=lambda link: -link[2]):
        if token != noun - 1 or draft.parse.parts[noun] != "NOUN":
            continue
        one = f"{draft.form(token)} {draft.words[noun]}"
        # a *hot dog* is neither hot nor a dog: as two words they would entail both
        if draft.lexicon.lemmas(one, "noun"):
            draft.rename(noun, relation, token, "folded")
            draft.call(noun, one, draft.sorts[noun])


PHRASE_RULES = (
    Rule(
        "preposition",
        "V prep(to) pobj(N) → V to(N)",
        _fold_prepositions,
        ("Paul sat on a chair. > sit on chair",),
    ),
    Rule(
        "preposition",
        "V prep conj(in) pobj(N) → V in(N)",
        _fold_conjoined_prepositions,
        ("Paul sang in Rome and in Paris. > sing in paris",),
    ),
    Rule(
        "portion",
        "half of(N) → N portion(half)",
        _raise_portions,
        ("Half of the dogs barked. > bark agent dog",),
    ),
    Rule(
        "partitive",
        "some of(N) → N det(some)",
        _raise_kinds,
        ("Some of the dogs barked. > bark agent dog",),
    ),
    Rule(
        "exception",
        "all cc(but) conj(N nummod(3)) → N all-but(3)",
        _find_exceptions,
        ("All but three dogs barked. > bark agent dog",),
    ),
    Rule(
        "place",
        "town of(Lindow) → town appos(Lindow)",
        _name_places,
        ("The town of Lindow sleeps. > sleep agent lindow",),
    ),
    Rule(
        "particle",
        "give prt(up) → give-up",
        _join_particles,
        (
            "Paul picked the book up. > pick up patient book",
            "The lamp was turned on by Paul. > turn on lamp",
        ),
    ),
    Rule(
        "name",
        "Smith compound(John) → john-smith",
        _join_compounds,
        ("John Smith sang. > sing agent john smith",),
    ),
    Rule(
        "name",
        "Johnson conj(Johnson cc(&)) → johnson-&-johnson",
        _join_ampersands,
        ("Paul visited Trinidad & Tobago. > visit patient trinidad & tobago",),
    ),
    Rule(
        "collocation",
        "pig compound(guinea) → guinea-pig",
        _join_collocations,
        ("A guinea pig slept. > sleep agent guinea pig",),
    ),
)


# Rules about two noun phrases for one thing: *John, a baker*, *the baker John*.


def _put_names_first(draft: Draft) -> None:
    """*The baker John*: John, who is a baker."""
    for noun, _, name in draft.pairs("appos"):
        parts = draft.parse.parts
        if (
            parts[name] != "PROPN"
            or parts[noun] == "PROPN"
            or draft.sorts[noun] is not SemanticSort.THING
        ):
            continue
        draft.drop(noun, "appos", name)
        for relation, governor in list(draft.heads[noun]):
            draft.move(governor, relation, noun, governor, "was")
            draft.drop(governor, "was", noun)
            draft.add(governor, relation, name)
        draft.add(name, "appos", noun)


def _say_appositions(draft: Draft) -> None:
    """*John, a baker*: a clause that says of John that he is a baker."""
    said = {}
    for noun, _, other in draft.pairs("appos"):
        # said like a relative clause, it holds whatever becomes of the sentence: *John, a baker,
        # did not sing* is that John is a baker
        if draft.sorts[noun] is SemanticSort.THING and draft.sorts[other] is SemanticSort.THING:
            draft.rename(noun, "appos", other, "relative")
            draft.add(other, "nsubj", noun)
            said[other] = other
    if said:
        draft.parse = replace(draft.parse, copulas={**draft.parse.copulas, **said})


APPOSITION_RULES = (
    Rule(
        "apposition",
        "N appos(John) → John appos(N)",
        _put_names_first,
        ("The baker Paul sang. > sing agent paul",),
    ),
    Rule(
        "apposition",
        "N appos(M) → N relative(M nsubj(N))",
        _say_appositions,
        ("Paul, a baker, sang. > paul relative baker",),
    ),
)


# Rules about what is said of things and events: adjectives, adverbs, copulas, appositions.


def _say_qualities(draft: Draft) -> None:
    """*a quick walk*, *the walk was quick*: quick is a quality of the walk."""
    for noun, _, quality in draft.pairs("amod"):
        draft.rename(noun, "amod", quality, "quality")
    for predicate in sorted(draft.parse.copulas):
        for subject in draft.children(predicate, "nsubj"):
            draft.rename(predicate, "nsubj", subject, "said-of")


def _say_manners(draft: Draft) -> None:
    """*quickly sent*: the sending was quick."""
    for verb, _, adverb in draft.pairs("advmod"):
        if not draft.is_event(verb):
            continue
        # *sent it quickly* and *the quick sending* say the same of one event (Davidson 1967), so
        # adverbs of manner have the predicate of their adjective
        adjectives = draft.lexicon.manner_adjective(draft.form(adverb))
        if adjectives:
            draft.call(adverb, adjectives[0], SemanticSort.QUALITY)
            draft.rename(verb, "advmod", adverb, "quality")


PREDICATE_RULES = (
    Rule(
        "copula",
        "A nsubj(N) → N quality(A)",
        _say_qualities,
        ("The walk was quick. > quick said-of walk",),
    ),
    Rule(
        "manner",
        "V advmod(quickly) → V quality(quick)",
        _say_manners,
        ("Paul quickly left. > leave quality quick",),
    ),
)
