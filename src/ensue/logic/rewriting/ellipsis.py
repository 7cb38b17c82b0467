"""Rules about ellipsis of verb phrases, verbs, clauses and nouns.

An elliptical verb is given the word and the links of its antecedent. What is definite is shared with
it; of an indefinite there may be another (*John read a book, and Bill did too*), for which a token
stands that says nothing itself: *too*, *so*, *and* or a punctuation mark. Where there is none, or
where something stands that cannot be said twice, nothing is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ensue.language.contexts import find_contexts
from ensue.logic.rewriting.draft import SUBJECTS, Draft, Link, Rule, SemanticSort
from ensue.logic.rewriting.pronouns import features_of, is_person, stands_for, word_set

_ADDITIVE = word_set("so too also either neither nor")
"""Adverbs that say that all of the antecedent is meant."""
_EMPTY = _ADDITIVE | word_set("then however though")
"""Adverbs beside an elliptical verb that say nothing of what was done."""
_NEGATIVE = word_set("never hardly barely scarcely rarely seldom neither nor not n't")
_OWN = word_set(
    """punct cc conj neg aux auxpass cop mark expl preconj folded stranded det prt fixed nsubj nsubjpass
    csubj csubjpass"""
)
"""Relations that a verb or noun does not share with what stands for it."""
_COMPLEMENTS = word_set("attr acomp xcomp ccomp oprd dative")
_SAID_ONCE = word_set("advcl relcl relative acl pcomp appos and or nummod")
_SHARED = word_set("npadvmod tmod compound")
_PLACES = ("dobj", "pobj", *SUBJECTS)
_DEFINITE = word_set("the this that these those")
_EVERY = word_set("all every each no any everyone everybody everything nobody nothing")
_VAGUE = word_set("most many few several much little both neither")


class _CannotBeSaidTwice(Exception):
    """Something of the antecedent can neither be shared nor said anew."""


@dataclass(slots=True)
class _Copy:
    """A second version of an antecedent, planned before anything is changed."""

    draft: Draft
    subject: int
    """The one that takes the place of the antecedent's."""
    old_subject: int
    spare: list[int]
    """Tokens that may stand for something new."""
    denied: bool = False
    links: list[tuple[int, str, int]] = field(default_factory=list)
    names: list[tuple[int, int]] = field(default_factory=list)
    """Which tokens stand for which others."""

    def take(self, target: int, source: int, without: frozenset[str]) -> None:
        """Plan that one token has what another one has, but for some relations."""
        for relation, each in self.draft.links[source]:
            word = self.draft.form(each)
            if relation in _OWN or relation in without or word in _EMPTY - _NEGATIVE:
                continue
            # `John never smiled, and so did Bill` would need the negation for both; to copy it or
            # to leave it out may each be wrong
            if relation == "advmod" and word in _NEGATIVE:
                raise _CannotBeSaidTwice
            self.links.append((target, relation, self._image(relation, each)))

    def _image(self, relation: str, token: int) -> int:
        """What stands for a dependent of the antecedent in its copy."""
        draft = self.draft
        # `John met a man who sang, and so did Bill`: to say it anew takes a second man who sang,
        # and there are no tokens to stand for a second clause
        if relation in _SAID_ONCE:
            raise _CannotBeSaidTwice
        if relation == "ccomp":  # the same thought, unless it speaks of who thinks it
            if any(draft.parse.tags[each].startswith("PRP") for each in _below(draft, token)):
                raise _CannotBeSaidTwice
            return token
        if relation == "xcomp":
            return self._new(token)
        if draft.sorts[token] is SemanticSort.THING and relation not in _SHARED:
            return self._thing(token)
        if draft.is_event(token) or draft.has(token, *_SAID_ONCE, "ccomp", "xcomp"):
            raise _CannotBeSaidTwice
        return token

    def _thing(self, token: int) -> int:
        draft, word = self.draft, self.draft.form(token)
        # sloppy identity: `John shaved himself, and so did Bill` is that Bill shaved Bill
        if word in ("himself", "herself", "itself", "themselves"):
            return self.subject
        words = {draft.form(each) for _, each in draft.links[token]} | {word}
        # `John read every book, and so did Bill`: the same books, so the token can be shared
        if words & _EVERY and not self.denied:
            return token
        entity = draft.parse.sentence.entities[token][2:]
        if words & (_EVERY | _VAGUE):  # before a negation it would have scope over it
            raise _CannotBeSaidTwice
        # names, pronouns and days mean the same thing for both subjects
        if draft.parse.parts[token] in ("PROPN", "PRON") or entity in ("DATE", "TIME"):
            return token
        owner = draft.child(token, "poss")
        if owner >= 0 and not stands_for(draft, owner, self.old_subject):
            return token
        # `John read the book, and so did Bill` is one book; with `a book` it may be another one,
        # and `his book` is the one of each
        return token if owner < 0 and words & _DEFINITE else self._new(token)

    def _new(self, token: int) -> int:
        """A token that stands for another thing or event of the same kind."""
        if not self.spare or self.draft.has(token, "conj", *_SAID_ONCE):
            raise _CannotBeSaidTwice
        new = self.spare.pop()
        self.names.append((new, token))
        for relation, each in self.draft.links[token]:
            # `John likes his dog, and so does Bill`: Bill's own dog (the sloppy reading)
            if relation == "poss" and stands_for(self.draft, each, self.old_subject):
                self.links.append((new, relation, self.subject))
            elif relation not in _OWN:
                self.links.append((new, relation, self._image(relation, each)))
        return new

    def make(self) -> None:
        """Do what was planned."""
        draft = self.draft
        for new, token in self.names:
            _detach(draft, new)
            draft.call(new, draft.words[token], draft.sorts[token])
            if token in draft.passive:
                draft.passive.add(new)
        for governor, relation, each in self.links:
            draft.add(governor, relation, each)


def _say_again(draft: Draft, source: int, event: int, copy: _Copy, without: frozenset[str]) -> bool:
    """Let a token stand for a predicate with another subject; whether it could."""
    try:
        copy.take(event, source, without)
    except _CannotBeSaidTwice:
        return False
    draft.call(event, draft.words[source], draft.sorts[source])
    for relation, subject in list(draft.links[event]):
        if relation in SUBJECTS:
            draft.drop(event, relation, subject)
    if source in draft.parse.copulas:
        draft.parse.copulas[event] = event  # in *Bill is too* it is its own copula
    if source in draft.passive:
        draft.passive.add(event)
    draft.add(event, "nsubjpass" if source in draft.passive else "nsubj", copy.subject)
    copy.make()
    return True


def _below(draft: Draft, token: int) -> Iterator[int]:
    waiting = [token]
    while waiting:
        token = waiting.pop()
        yield token
        waiting += draft.parse.children.get(token, ())


def _detach(draft: Draft, token: int) -> None:
    for relation, governor in list(draft.heads[token]):
        draft.drop(governor, relation, token)


def _roots(draft: Draft) -> list[int]:
    return [token for token, head in enumerate(draft.parse.heads) if head < 0]


def _root(draft: Draft, token: int) -> int:
    while draft.parse.heads[token] >= 0:
        token = draft.parse.heads[token]
    return token


def _root_before(draft: Draft, token: int) -> int:
    """The root of the sentence before that of a token; -1 for none."""
    heads = draft.parse.heads
    return next((each for each in range(_root(draft, token) - 1, -1, -1) if heads[each] < 0), -1)


def _spare(draft: Draft, verb: int) -> list[int]:
    """The tokens of the sentence of a verb that say nothing."""
    found = []
    for token in _below(draft, _root(draft, verb)):
        is_empty = draft.form(token) in _EMPTY - _NEGATIVE and draft.parse.heads[token] == verb
        is_free = not draft.links[token] and draft.sorts[token] in (
            SemanticSort.NONE,
            SemanticSort.QUALITY,
        )
        if is_free and (is_empty or draft.parse.relations[token] == "punct"):
            found.append(token)
    return sorted(found)


def _fill_verb_phrases(draft: Draft) -> None:
    """*John left, and so did Bill*: Bill left."""
    _turn_predicates(draft)
    for verb, word in enumerate(draft.parse.lemmas):
        # the only verbs of English that stand for a whole verb phrase; modals keep their gap, and
        # are not tried
        if word in ("do", "have", "be"):
            _turn_objects(draft, verb)
            antecedent = _antecedent(draft, verb) if _is_elliptical(draft, verb) else -1
            if antecedent >= 0 and _fits(draft, verb, antecedent):
                _fill(draft, verb, antecedent)


def _turn_predicates(draft: Draft) -> None:
    """*So was Bill*, where the parser takes Bill for what is said of *so*."""
    for noun, copula in list(draft.parse.copulas.items()):
        subject, governor = draft.child(noun, "nsubj"), draft.parse.heads[noun]
        antecedent = governor if governor >= 0 else _root_before(draft, noun)
        if subject < 0 or draft.form(subject) != "so" or antecedent < 0:
            continue
        is_joined = draft.parse.relations[noun] == "conj" or governor < 0
        is_thing = draft.sorts[antecedent] is SemanticSort.THING
        if is_joined and not is_thing and _fits(draft, copula, antecedent):
            del draft.parse.copulas[noun]
            draft.drop(noun, "nsubj", subject)
            draft.move(noun, "cop", copula, noun if governor < 0 else governor, "conj")
            draft.call(copula, "be", SemanticSort.EVENT)
            draft.add(copula, "nsubj", noun)
            if governor >= 0:
                draft.drop(governor, "conj", noun)
            _fill(draft, copula, antecedent)


def _turn_objects(draft: Draft, verb: int) -> None:
    """*So did Bill*, where the parser takes Bill for an object; *did the same*, which is none."""
    things = draft.children(verb, "dobj")
    is_turned = draft.form(max(verb - 1, 0)) in ("so", "neither", "nor") and len(things) == 1
    if [draft.form(each) for each in things] == ["same"]:
        draft.drop(verb, "dobj", things[0])
    elif is_turned and is_person(draft, things[0]):
        for subject in draft.children(verb, "nsubj"):
            draft.drop(verb, "nsubj", subject)
            draft.call(subject, draft.words[subject], SemanticSort.NONE)
        draft.rename(verb, "dobj", things[0], "nsubj")


def _is_elliptical(draft: Draft, verb: int) -> bool:
    parse, word = draft.parse, draft.parse.lemmas[verb]
    if draft.words[verb] != word or parse.tags[verb] not in ("VBD", "VBZ", "VBP"):
        return False
    if parse.relations[verb] in ("aux", "auxpass", "cop") or draft.has(verb, "aux", "expl"):
        return False
    own = {relation for relation, _ in draft.links[verb]} - _OWN
    if own & _COMPLEMENTS or (word != "do" and not own <= {"advmod", "advcl", "dobj"}):
        return False  # *a cat is on the sofa* lacks nothing
    before = parse.words[max(min(_below(draft, verb)) - 1, 0) : verb]
    # `taller than Bill is` compares, and repeats nothing of the event
    if not {"than", "as"}.isdisjoint(before):
        return False
    if any(draft.form(each) not in _EMPTY for each in draft.children(verb, "advmod")):
        return False
    things, noun = draft.children(verb, "dobj"), parse.heads[verb]
    relates = things == [noun] and draft.has(noun, "relative")  # all that John did
    return draft.has(verb, *SUBJECTS) and (relates or not things)


def _antecedent(draft: Draft, verb: int) -> int:
    """The predicate that an elliptical verb stands for; -1 for none."""
    parse, at = draft.parse, verb
    for each in parse.children.get(verb, ()):
        if parse.relations[each] == "advcl" and each < verb:
            return each
    while parse.heads[at] >= 0:
        head, relation = parse.heads[at], parse.relations[at]
        if relation == "conj" or (relation == "advcl" and at == verb):
            return head if head < verb else -1
        if relation == "relcl" and draft.has(verb, "dobj"):
            return next((each for _, each in draft.heads[head] if each < head), -1)
        at = head
    before = _root_before(draft, at)
    return before if before >= 0 and not draft.has(before, "ccomp", "conj") else -1


def _fits(draft: Draft, verb: int, antecedent: int) -> bool:
    """Whether an auxiliary may stand for a predicate."""
    word, parse = draft.parse.lemmas[verb], draft.parse
    helpers = {parse.lemmas[each] for each in draft.children(antecedent, "aux", "auxpass")}
    if word == "be":
        return "be" in helpers or antecedent in parse.copulas or draft.words[antecedent] == "be"
    if antecedent in parse.copulas or not draft.is_event(antecedent):
        return False
    if word == "have":
        return "have" in helpers or draft.words[antecedent] == "have"
    return draft.words[antecedent] != "be" and antecedent not in draft.passive


def _fill(draft: Draft, verb: int, antecedent: int) -> None:
    subject, old = draft.child(verb, *SUBJECTS), draft.child(antecedent, *SUBJECTS)
    if subject < 0 or old < 0:
        return
    words = {draft.form(each) for _, each in draft.links[verb]} | {draft.form(max(verb - 1, 0))}
    inner = draft.child(antecedent, "xcomp")
    is_same = draft.words[subject] == draft.words[old] or stands_for(draft, subject, old)
    if inner >= 0 and is_same:
        antecedent = inner  # *he wanted to leave, and he did*
    elif inner >= 0 and not words & _ADDITIVE:
        return  # *John wanted to leave, and Bill did*: he wanted to, or he left?
    denied = draft.has(verb, "neg") or bool(words & _NEGATIVE)
    if denied and not find_contexts(draft.parse.sentence).negators[verb]:
        return  # an inverted *nor* that the reading would pass over
    spare = [each for each in _spare(draft, verb) if not denied or each > verb]
    copy = _Copy(draft, subject, old, spare, denied)
    if _say_again(draft, antecedent, verb, copy, _replaced(draft, verb, antecedent)):
        for each in draft.children(verb, "advmod"):
            if draft.form(each) in _EMPTY:
                draft.drop(verb, "advmod", each)


def _replaced(draft: Draft, verb: int, antecedent: int) -> frozenset[str]:
    """The relations in which a verb has something of its own, or stands itself."""
    related = draft.child(verb, "dobj")
    if related >= 0:  # the noun of a relative clause has the role that it has for the antecedent
        relation = next((name for name, each in draft.links[antecedent] if each == related), "dobj")
        draft.rename(verb, "dobj", related, relation)
    own = {name for name, _ in draft.links[verb]} - {"advmod", "advcl"}
    inside = {name for name, each in draft.links[antecedent] if verb in _below(draft, each)}
    return frozenset(own | inside)


def _fill_gaps(draft: Draft) -> None:
    """*Anna came by boat, and Paul by bus*: Paul came by bus."""
    for verb in range(len(draft.words)):
        if not draft.is_event(verb) or not _is_outright(draft, verb):
            continue
        for second, conjunction, governor in _joined(draft, verb):
            before = {relation for relation, each in draft.links[verb] if each < second}
            rest, on = _behind(draft, verb, second), verb
            if not rest and governor == verb:
                rest, on = _behind(draft, second, second), second
            is_like = not before.isdisjoint(relation for relation, _ in rest)
            if is_like and _fill_gap(draft, verb, conjunction, second, rest, on):
                draft.drop(governor, "conj", second)
                draft.add(verb, "conj", conjunction)
                break


def _behind(draft: Draft, governor: int, token: int) -> list[Link]:
    """The things that depend on a word behind a token; none where there is something else."""
    links = [link for link in draft.links[governor] if link[1] > token and link[0] not in _OWN]
    return links if all(draft.sorts[each] is SemanticSort.THING for _, each in links) else []


def _is_outright(draft: Draft, verb: int) -> bool:
    """Whether nothing is said of a verb that would have to be said of its copy, and cannot."""
    if draft.has(verb, "neg", "mark") or not draft.has(verb, *SUBJECTS):
        return False
    return not any(draft.parse.tags[each] == "MD" for each in draft.children(verb, "aux"))


def _joined(draft: Draft, verb: int) -> Iterator[tuple[int, int, int]]:
    """Nouns that may be the subject of a second clause, the conjunction, and what they hang on."""
    for governor in (verb, *(each for _, each in draft.links[verb] if each > verb)):
        conjunction = draft.parse.child(governor, "cc")
        for second in draft.children(governor, "conj"):
            if draft.sorts[second] is not SemanticSort.THING or not governor < conjunction < second:
                continue
            is_marked = draft.parse.parts[second] == "PROPN" or draft.form(conjunction - 1) == ","
            if not is_marked or draft.form(conjunction) not in ("and", "but"):
                continue
            if governor == verb or (is_person(draft, second) and not is_person(draft, governor)):
                yield second, conjunction, governor


def _fill_gap(
    draft: Draft, verb: int, event: int, subject: int, rest: list[Link], governor: int
) -> bool:
    """Let a token stand for a verb that is missing; whether it could."""
    spare = dict.fromkeys((*_spare(draft, verb), *_spare(draft, subject)))
    spare.pop(event, None)
    copy = _Copy(draft, subject, draft.child(verb, *SUBJECTS), list(spare))
    if not _say_again(draft, verb, event, copy, frozenset(relation for relation, _ in rest)):
        return False
    _detach(draft, event)
    for relation, each in rest:
        draft.move(governor, relation, each, event, relation)
    return True


def _fill_fragments(draft: Draft) -> None:
    """*Paul by bus*, *And to Eva*: sentences of what the one before does not say already."""
    for root in _roots(draft):
        verb = _root_before(draft, root)
        if verb < 0 or not draft.is_event(verb) or not _is_outright(draft, verb):
            continue
        if draft.parse.parts[root] == "ADP":
            _fill_clause(draft, root, verb)
        elif draft.sorts[root] is SemanticSort.THING and root not in draft.parse.copulas:
            rest = _behind(draft, root, root)
            is_gap = _can_only_be_subject(draft, verb, root)
            if rest:  # *A woman in a coat* is whole, *Paul by bus* is not
                is_name = draft.parse.parts[root] == "PROPN"
                is_gap = is_name and all(draft.has(verb, relation) for relation, _ in rest)
            spare = [each for each in _spare(draft, root) if each > root]
            if spare and is_gap and _fill_gap(draft, verb, spare[-1], root, rest, root):
                draft.add(root, "conj", spare[-1])


def _can_only_be_subject(draft: Draft, verb: int, noun: int) -> bool:
    """*Two men sang. And some girls*: nothing else there is a person."""
    if draft.parse.child(noun, "cc") < 0:
        return False
    kind = is_person(draft, noun)
    for relation, each in draft.links[verb]:
        is_thing = draft.sorts[each] is SemanticSort.THING
        if is_thing and (is_person(draft, each) == kind) != (relation in SUBJECTS):
            return False
    return True


def _fill_clause(draft: Draft, preposition: int, verb: int) -> None:
    """*Anna waved to Paul. And to Eva*: to her as well; *At noon*: that was when she did."""
    things = draft.children(preposition, "pobj")
    if len(things) != 1:
        return
    name, subject = draft.parse.preposition(preposition), draft.child(verb, *SUBJECTS)
    if not draft.has(verb, name) and draft.parse.child(preposition, "cc") < 0:
        draft.move(preposition, "pobj", things[0], verb, name)
        return
    copy = _Copy(draft, subject, subject, _spare(draft, preposition))
    if _say_again(draft, verb, preposition, copy, frozenset((name,))):
        draft.rename(preposition, "pobj", things[0], name)


def _fill_nouns(draft: Draft) -> None:
    """*Anna has an old boat. Paul has a small one*: a boat too; how old, nobody says."""
    for one in range(len(draft.words)):
        if draft.form(one) not in ("one", "ones") or draft.sorts[one] is not SemanticSort.THING:
            continue
        relation = draft.parse.relations[one]
        if draft.has(one, "of", "compound") or relation not in _PLACES:
            continue
        noun = _noun_like(draft, one, relation)
        if noun >= 0 and (relation == "dobj" or draft.has(one, "amod")):
            draft.call(one, draft.words[noun], SemanticSort.THING)


def _noun_like(draft: Draft, one: int, relation: str) -> int:
    """The noun before it that alone may be meant, or is the object of the same verb; -1 for none."""
    places: dict[int, str] = {}
    for token in range(one):
        place = draft.parse.relations[token]
        if place == "conj":
            place = places.get(draft.parse.heads[token], "")
        is_noun = draft.parse.parts[token] == "NOUN" and features_of(draft, token) is not None
        if is_noun and place in _PLACES:
            places[token] = place
    alike = [token for token in places if places[token] == relation]
    if not alike or len({draft.words[token] for token in alike}) > 1:
        return -1
    verbs = {draft.words[verb] for _, verb in draft.heads[one]}
    same = any(draft.words[verb] in verbs for _, verb in draft.heads[alike[-1]])
    alone = len({draft.words[token] for token in places}) == 1
    return alike[-1] if alone or (relation == "dobj" and same) else -1


RULES = (
    Rule("ellipsis", "V nsubj(N) r(M). did nsubj(K) → V nsubj(K) r(M)", _fill_verb_phrases),
    Rule("gapping", "V nsubj(N) r(M), and K r(L) → V nsubj(K) r(L)", _fill_gaps),
    Rule("fragment", "V nsubj(N) to(M). And to(L) → V nsubj(N) to(L)", _fill_fragments),
    Rule("one", "V dobj(car). W dobj(one) → W dobj(car)", _fill_nouns),
)
