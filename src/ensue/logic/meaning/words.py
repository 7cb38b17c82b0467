"""Words that meaning has to know one by one."""

from __future__ import annotations

PRONOUNS = {
    **dict.fromkeys("anybody anyone everybody everyone nobody somebody someone".split(), "person"),
    **dict.fromkeys("anything everything nothing something".split(), ""),
}
"""What is said of what some pronouns stand for: that they are persons, or nothing at all."""
COLLECTIVES = frozenset(
    "bunch couple crowd flock gang group handful herd lot majority number pack pair set team".split()
)
"""What a number of things may be called: what a group of children does, children do."""
NOT_REALLY = frozenset(
    """alleged apparent artificial bogus counterfeit erstwhile ex fake false fictitious former future
    hypothetical imaginary imitation mock possible potential presumed pretend probable putative
    so-called supposed toy virtual would-be""".split()
)
"""Adjectives after which a thing need not be what its noun says (Kamp and Partee 1995)."""
INTENSIFIERS = frozenset(
    """absolutely completely deeply entirely especially even extremely fairly highly incredibly just
    particularly perfectly pretty quite rather really remarkably simply so terribly thorough
    thoroughly too totally truly unusually utterly very wholly""".split()
)
"""Adverbs of degree after which a quality is there all the same: *very happy*, not *nearly empty*
(Quirk et al. 1985, 8.104 to 8.115)."""
FACTUAL = frozenset(
    "after although as because before once since though when where while".split()
)
"""Conjunctions of clauses that are said to be true."""
CONDITIONAL = frozenset(("if", "unless"))
"""Conjunctions of clauses that are supposed."""
SAYING_NOTHING = frozenset(
    """accordingly also anyway besides consequently either finally first furthermore hence here however
    instead likewise meanwhile moreover namely neither nevertheless nonetheless now otherwise so still
    then therefore thus too well yet""".split()
)
"""Adverbs that join a clause to the one before it, and say nothing of what it tells."""
FACTUAL_PREPOSITIONS = frozenset(("after", "by", "since", "upon"))
"""Prepositions of participles that are said to be true: *after eating*."""
WISHING = frozenset(("hopefully", "ideally"))
"""Adverbs that say what the speaker would like to be the case."""
