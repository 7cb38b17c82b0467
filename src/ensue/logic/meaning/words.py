"""Words that meaning has to know one by one."""

from __future__ import annotations

PRONOUNS = {
    **dict.fromkeys(
        ["anybody", "anyone", "everybody", "everyone", "nobody", "somebody", "someone"], "person"
    ),
    **dict.fromkeys(["anything", "everything", "nothing", "something"], ""),
}
"""What is said of what some pronouns stand for: that they are persons, or nothing at all."""
_COLLECTIVES_WORDS = """
bunch couple crowd flock gang group handful herd lot pack pair set team
"""
COLLECTIVES = frozenset(_COLLECTIVES_WORDS.split())
"""What a number of things may be called: what a group of children does, children do."""
_NOT_REALLY_WORDS = """
accused alleged almost apparent artificial assistant attempted bogus counterfeit deputy dummy
erstwhile ex fake false fictitious former future half hypothetical imaginary imitation intended
mock model next nominal planned possible potential presumed pretend probable proposed prospective
putative rumored self-styled so-called supposed suspected threatened toy vice virtual would-be
"""
NOT_REALLY = frozenset(_NOT_REALLY_WORDS.split())
"""Adjectives after which a thing need not be what its noun says (Kamp and Partee 1995)."""
_INTENSIFIERS_WORDS = """
absolutely completely deeply entirely especially even extremely fairly highly incredibly just
particularly perfectly pretty quite rather really remarkably simply so terribly thorough
thoroughly too totally truly unusually utterly very wholly
"""
INTENSIFIERS = frozenset(_INTENSIFIERS_WORDS.split())
"""Adverbs of degree after which a quality is there all the same: *very happy*, not *nearly empty*
(Quirk et al. 1985, 8.104 to 8.115)."""
_FACTUAL_WORDS = """
after although as because once since though when where while
"""
FACTUAL = frozenset(_FACTUAL_WORDS.split())
"""Conjunctions of clauses that are said to be true."""
CONDITIONAL = frozenset(("if", "unless"))
"""Conjunctions of clauses that are supposed."""
_SAYING_NOTHING_WORDS = """
accordingly also anyway besides consequently either finally first furthermore hence here however
instead likewise meanwhile moreover namely neither nevertheless nonetheless now otherwise so still
then therefore thus too well yet
"""
SAYING_NOTHING = frozenset(_SAYING_NOTHING_WORDS.split())
"""Adverbs that join a clause to the one before it, and say nothing of what it tells."""
FACTUAL_PREPOSITIONS = frozenset(("after", "by", "since", "upon"))
"""Prepositions of participles that are said to be true: *after eating*."""
WISHING = frozenset(("hopefully", "ideally"))
"""Adverbs that say what the speaker would like to be the case."""
_INTENSIONAL_WORDS = """
avert avoid await ban cancel consider demand deny discourage doubt envisage exclude expect fear
forbid foresee hope imagine intend lack need oppose order plan postpone predict prevent prohibit
promise propose refuse reject request require resist risk seek suggest suspect threaten urge want
wish
"""
INTENSIONAL = frozenset(_INTENSIONAL_WORDS.split())
"""Verbs whose object need not be there: who fears a war is not at war (Quine 1956)."""
_NEGATIVE_WORDS = """
hardly neither never no nobody none nor not nothing nowhere n't
"""
NEGATIVE = frozenset(_NEGATIVE_WORDS.split())
"""Words that deny; none may be passed over."""
EXCEPTING = frozenset(("but", "except", "rather", "instead", "minus", "save"))
"""Words that take something out of what is said, where they join nouns."""
ATTRIBUTING = ("according_to", "parataxis")
"""Relations of those who say what a clause says."""
