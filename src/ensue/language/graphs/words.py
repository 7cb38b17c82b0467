"""Words that the graph has to know one by one."""

from __future__ import annotations

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
