"""Generated pairs in which the words of text and hypothesis overlap, whatever their meaning.

A template is a sentence and a hypothesis with slots for people, verbs and places, and one 2-way
label. The templates come in three groups, after the shortcut that they punish: the hypothesis
uses the words of the text (`lexical-overlap`), is a contiguous part of it (`subsequence`), or is
a whole clause of it (`constituent`). Each group has templates of both labels, so that neither
"always" nor "never" is a good answer.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from ensue.pairs import Label, Pair

PAIRS_PER_TEMPLATE = 14
"""Pairs that each template yields."""

_YES = Label.ENTAILMENT
_NO = Label.NOT_ENTAILMENT


@dataclass(frozen=True, slots=True)
class Verb:
    """The forms of a verb."""

    base: str
    past: str
    done: str
    """The past participle."""
    ing: str
    """The present participle."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text and a hypothesis with slots, and the label of every pair made from them.

    Slots: `a`, `b`, `c` people; `v`, `w` transitive verbs; `i`, `j` intransitive verbs; `p` a
    preposition; `k` a relation between people; `g` a verb of giving; `t` a thing; `m`, `n` places;
    `x` one of the template's own words. All of one kind differ within a pair.
    """

    name: str
    text: str
    hypothesis: str
    gold: Label
    words: tuple[str, ...] = ("",)
    """What `x` may be."""


def _verbs(lines: str) -> tuple[Verb, ...]:
    """Read verbs, one a line: base, past, past participle, present participle."""
    return tuple(Verb(*line.split()) for line in lines.strip().splitlines())


_PEOPLE = (
    "baker", "pilot", "gardener", "nurse", "painter", "farmer", "sailor", "plumber", "judge",
    "guard", "barber", "tailor", "singer", "dentist", "miner", "florist", "mechanic", "librarian",
    "drummer", "waiter", "surgeon", "goalkeeper", "carpenter", "detective",
)  # fmt: skip

_TRANSITIVE = _verbs("""
praise praised praised praising
follow followed followed following
greet greeted greeted greeting
warn warned warned warning
trick tricked tricked tricking
photograph photographed photographed photographing
rescue rescued rescued rescuing
see saw seen seeing
choose chose chosen choosing
forgive forgave forgiven forgiving
visit visited visited visiting
ignore ignored ignored ignoring
comfort comforted comforted comforting
thank thanked thanked thanking
insult insulted insulted insulting
recognize recognized recognized recognizing
draw drew drawn drawing
interrupt interrupted interrupted interrupting
""")

_INTRANSITIVE = _verbs("""
sleep slept slept sleeping
laugh laughed laughed laughing
cough coughed coughed coughing
sing sang sung singing
dance danced danced dancing
swim swam swum swimming
complain complained complained complaining
wait waited waited waiting
stumble stumbled stumbled stumbling
yawn yawned yawned yawning
whistle whistled whistled whistling
cry cried cried crying
smile smiled smiled smiling
sneeze sneezed sneezed sneezing
""")

_GIVING = ("gave", "sent", "handed", "sold", "lent", "showed")
_THINGS = ("letter", "map", "ticket", "umbrella", "parcel", "photo", "book", "key")
_PREPOSITIONS = ("near", "behind", "beside", "next to", "in front of")
_RELATIONS = ("neighbour", "cousin", "brother", "colleague", "friend")
_PLACES = (
    "harbour", "market", "station", "park", "museum", "bakery", "village", "forest", "hotel",
)  # fmt: skip

_NON_FACTIVE = ("claimed", "believed", "hoped", "suspected", "said", "thought")
_FACTIVE = ("knew", "noticed", "realized", "forgot", "discovered", "remembered")
_REPORTS = ("claim", "rumour", "suspicion", "suggestion", "idea")
_FAILING = (
    "refused", "failed", "forgot", "hoped", "promised", "wanted", "planned", "pretended",
    "was unable", "did not manage", "did not bother",
)  # fmt: skip
_SUCCEEDING = ("managed", "remembered", "happened", "bothered", "did not fail", "did not forget")
_ASKING = ("asked", "told", "urged", "invited", "begged", "advised", "expected", "wanted")
_FORCING = ("forced", "compelled", "got")
_DOUBTING = ("probably", "supposedly", "allegedly", "perhaps", "possibly", "presumably")
_AFFIRMING = ("truly", "definitely", "really", "actually", "certainly", "indeed")
_DOUBTS = ("Probably", "Supposedly", "Allegedly", "Perhaps", "Possibly", "Presumably", "Maybe")
_COMMENTS = ("Certainly", "Undoubtedly", "Luckily", "Sadly", "Surprisingly", "Unfortunately")
_DOING = ("following", "photographing", "comforting", "drawing", "watching", "helping", "guiding")
_REFLEXIVE = ("dressed", "undressed", "shaved", "washed", "hid")
_CLAUSE_OR_NOUN = ("believed", "heard", "feared", "understood")

_LEXICAL = (
    Template("swapped-roles", "The {a} {v.past} the {b}.", "The {b} {v.past} the {a}.", _NO),
    Template("passive-kept", "The {a} was {v.done} by the {b}.", "The {a} {v.past} the {b}.", _NO),
    Template("passive-undone", "The {a} was {v.done} by the {b}.", "The {b} {v.past} the {a}.", _YES),
    Template("passive-made", "The {a} {v.past} the {b}.", "The {b} was {v.done} by the {a}.", _YES),
    Template("passive-swapped", "The {a} {v.past} the {b}.", "The {a} was {v.done} by the {b}.", _NO),
    Template("subject-pp-head", "The {a} {p} the {b} {v.past} the {c}.", "The {a} {v.past} the {c}.", _YES),
    Template("subject-pp-crossed", "The {a} {p} the {b} {v.past} the {c}.", "The {a} {v.past} the {b}.", _NO),
    Template("object-pp-noun", "The {a} {v.past} the {b} {p} the {c}.", "The {a} {v.past} the {c}.", _NO),
    Template("subject-relative-main", "The {a} who {v.past} the {b} {w.past} the {c}.", "The {a} {w.past} the {c}.", _YES),
    Template("subject-relative-crossed", "The {a} who {v.past} the {b} {w.past} the {c}.", "The {c} {v.past} the {b}.", _NO),
    Template("object-relative-inner", "The {a} who the {b} {v.past} {w.past} the {c}.", "The {b} {v.past} the {a}.", _YES),
    Template("object-relative-crossed", "The {a} who the {b} {v.past} {w.past} the {c}.", "The {b} {w.past} the {c}.", _NO),
    Template("object-relative-turned", "The {a} who the {b} {v.past} {i.past}.", "The {a} {v.past} the {b}.", _NO),
    Template("relative-on-object-inner", "The {a} {v.past} the {b} who {i.past}.", "The {b} {i.past}.", _YES),
    Template("relative-on-object-outer", "The {a} {v.past} the {b} who {i.past}.", "The {a} {i.past}.", _NO),
    Template("joint-subjects-first", "The {a} and the {b} {v.past} the {c}.", "The {a} {v.past} the {c}.", _YES),
    Template("joint-subjects-crossed", "The {a} and the {b} {v.past} the {c}.", "The {a} {v.past} the {b}.", _NO),
    Template("joint-objects-second", "The {a} {v.past} the {b} and the {c}.", "The {a} {v.past} the {c}.", _YES),
    Template("joint-objects-crossed", "The {a} {v.past} the {b} and the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("joint-verbs-second", "The {a} {v.past} the {b} and {i.past}.", "The {a} {i.past}.", _YES),
    Template("joint-verbs-crossed", "The {a} {v.past} the {b} and {i.past}.", "The {b} {i.past}.", _NO),
    Template("joint-clauses-crossed", "The {a} {i.past}, and the {b} {v.past} the {c}.", "The {a} {v.past} the {c}.", _NO),
    Template("not-but-second", "The {a} {v.past} not the {b} but the {c}.", "The {a} {v.past} the {c}.", _YES),
    Template("not-but-first", "The {a} {v.past} not the {b} but the {c}.", "The {a} {v.past} the {b}.", _NO),
    Template("possessor-subject", "The {a}'s {k} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO),
    Template("possessor-rephrased", "The {a}'s {k} {v.past} the {b}.", "The {k} of the {a} {v.past} the {b}.", _YES),
    Template("apposition-subject", "The {a}, a {k} of the {b}, {i.past}.", "The {a} {i.past}.", _YES),
    Template("apposition-relation", "The {a}, a {k} of the {b}, {i.past}.", "The {a} is a {k} of the {b}.", _YES),
    Template("participle-ing-head", "The {a} {x} the {b} {i.past}.", "The {a} {i.past}.", _YES, _DOING),
    Template("participle-done-inner", "The {a} {v.done} by the {b} {i.past}.", "The {b} {v.past} the {a}.", _YES),
    Template("participle-done-turned", "The {a} {v.done} by the {b} {i.past}.", "The {a} {v.past} the {b}.", _NO),
    Template("cleft-subject", "It was the {a} who {v.past} the {b}.", "The {a} {v.past} the {b}.", _YES),
    Template("cleft-object", "It was the {a} who the {b} {v.past}.", "The {a} {v.past} the {b}.", _NO),
    Template("giving-turned", "The {a} {g} the {b} the {t}.", "The {b} {g} the {a} the {t}.", _NO),
    Template("giving-rephrased", "The {a} {g} the {b} the {t}.", "The {a} {g} the {t} to the {b}.", _YES),
    Template("control-failing", "The {a} {x} to {v.base} the {b}.", "The {a} {v.past} the {b}.", _NO, _FAILING),
    Template("control-succeeding", "The {a} {x} to {v.base} the {b}.", "The {a} {v.past} the {b}.", _YES, _SUCCEEDING),
    Template("control-asking", "The {a} {x} the {b} to {i.base}.", "The {b} {i.past}.", _NO, _ASKING),
    Template("control-forcing", "The {a} {x} the {b} to {i.base}.", "The {b} {i.past}.", _YES, _FORCING),
    Template("control-preventing", "The {a} {x} the {b} from {i.ing}.", "The {b} {i.past}.", _NO, ("prevented", "stopped", "kept")),
    Template("without", "The {a} {i.past} without {v.ing} the {b}.", "The {a} {v.past} the {b}.", _NO),
    Template("adverb-doubting", "The {a} {x} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO, _DOUBTING),
    Template("adverb-affirming", "The {a} {x} {v.past} the {b}.", "The {a} {v.past} the {b}.", _YES, _AFFIRMING),
    Template("adverb-missing", "The {a} {x} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO, ("almost", "nearly", "never")),
    Template("ellipsis-too", "The {a} {v.past} the {b}, and the {c} did too.", "The {c} {v.past} the {b}.", _YES),
    Template("ellipsis-not", "The {a} {v.past} the {b}, but the {c} did not.", "The {c} {v.past} the {b}.", _NO),
    Template("parenthesis", "The {a}, the {b} {x}, {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO, ("claimed", "said", "believed", "thought")),
    Template("before-could", "Before the {a} could {v.base} the {b}, the {c} {i.past}.", "The {a} {v.past} the {b}.", _NO),
    Template("origin-place", "The {a} from the {m} {i.past} in the {n}.", "The {a} {i.past} in the {m}.", _NO),
    Template("origin-kept", "The {a} from the {m} {i.past} in the {n}.", "The {a} {i.past} in the {n}.", _YES),
    Template("every-restricted", "Every {a} {i.past}.", "Every {a} who {v.past} the {b} {i.past}.", _YES),
    Template("every-widened", "Every {a} who {v.past} the {b} {i.past}.", "Every {a} {i.past}.", _NO),
    Template("some-to-all", "Some {a}s {v.past} the {b}.", "All {a}s {v.past} the {b}.", _NO),
    Template("all-to-the", "All the {a}s {v.past} the {b}.", "The {a}s {v.past} the {b}.", _YES),
    Template("no-to-some", "No {a} {v.past} the {b}.", "Some {a} {v.past} the {b}.", _NO),
    Template("order-turned", "The {a} {i.past} after the {b} {j.past}.", "The {b} {j.past} after the {a} {i.past}.", _NO),
    Template("order-rephrased", "The {a} {i.past} after the {b} {j.past}.", "The {b} {j.past} before the {a} {i.past}.", _YES),
)  # fmt: skip
"""The hypothesis is made of words of the text, in another order or form, or with gaps."""

_SUBSEQUENCE = (
    Template("pp-noun-intransitive", "The {a} {p} the {b} {i.past}.", "The {b} {i.past}.", _NO),
    Template("pp-noun-transitive", "The {a} {p} the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("pp-dropped", "The {a} {v.past} the {b} {p} the {c}.", "The {a} {v.past} the {b}.", _YES),
    Template("place-dropped", "The {a} {v.past} the {b} in the {m}.", "The {a} {v.past} the {b}.", _YES),
    Template("relative-noun", "The {a} who {v.past} the {b} {i.past}.", "The {b} {i.past}.", _NO),
    Template("relative-dropped", "The {a} {v.past} the {b} who {i.past}.", "The {a} {v.past} the {b}.", _YES),
    Template("joint-subjects-last", "The {a} and the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _YES),
    Template("both-last", "Both the {a} and the {b} {i.past}.", "The {b} {i.past}.", _YES),
    Template("or-last", "Either the {a} or the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("neither-last", "Neither the {a} nor the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("rather-than-last", "The {a} rather than the {b} {i.past}.", "The {b} {i.past}.", _NO),
    Template("as-well-as-last", "The {a} as well as the {b} {i.past}.", "The {b} {i.past}.", _YES),
    Template("like-last", "The {a}, like the {b}, {i.past}.", "The {b} {i.past}.", _YES),
    Template("unlike-last", "The {a}, unlike the {b}, {i.past}.", "The {b} {i.past}.", _NO),
    Template("joint-objects-first", "The {a} {v.past} the {b} and the {c}.", "The {a} {v.past} the {b}.", _YES),
    Template("joint-verbs-first", "The {a} {v.past} the {b} and {i.past}.", "The {a} {v.past} the {b}.", _YES),
    Template("possessor-object", "The {a} {v.past} the {b}'s {k}.", "The {a} {v.past} the {b}.", _NO),
    Template("relation-of", "A {k} of the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO),
    Template("apposition-noun", "The {a}, a {k} of the {b}, {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("participle-ing-noun", "The {a} {x} the {b} {i.past}.", "The {b} {i.past}.", _NO, _DOING),
    Template("participle-done-noun", "The {a} {v.done} by the {b} {i.past}.", "The {b} {i.past}.", _NO),
    Template("participle-sent", "The {a} {x} the {t} {i.past}.", "The {a} {x} the {t}.", _NO, ("sent", "sold", "lent")),
    Template("noun-or-clause", "The {a} {x} the {b} {v.past} the {c}.", "The {a} {x} the {b}.", _NO, _CLAUSE_OR_NOUN),
    Template("noun-and-verb", "The {a} {x} the {b} and {v.past} the {c}.", "The {a} {x} the {b}.", _YES, _CLAUSE_OR_NOUN),
    Template("object-or-subject", "While the {a} {x} the {b} {i.past}.", "The {a} {x} the {b}.", _NO, _REFLEXIVE),
    Template("everyone-except", "Everyone except the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO),
    Template("everyone-including", "Everyone including the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _YES),
    Template("not-every", "Not every {a} {v.past} the {b}.", "Every {a} {v.past} the {b}.", _NO),
    Template("every-joined", "Every {a} and every {b} {i.past}.", "Every {b} {i.past}.", _YES),
)  # fmt: skip
"""The hypothesis is a contiguous part of the text, but no clause of it."""

_CONSTITUENT = (
    Template("factive", "The {a} {x} that the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _YES, _FACTIVE),
    Template("factive-negated", "The {a} did not {x} that the {b} {i.past}.", "The {b} {i.past}.", _YES, ("know", "notice", "realize", "forget")),
    Template("non-factive", "The {a} {x} that the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO, _NON_FACTIVE),
    Template("denied", "The {a} {x} that the {b} {i.past}.", "The {b} {i.past}.", _NO, ("denied", "doubted", "imagined", "pretended")),
    Template("feeling", "The {a} was {x} that the {b} {i.past}.", "The {b} {i.past}.", _YES, ("glad", "sad", "sorry", "angry", "surprised")),
    Template("conviction", "The {a} was {x} that the {b} {i.past}.", "The {b} {i.past}.", _NO, ("sure", "certain", "convinced", "afraid")),
    Template("question", "The {a} {x} the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO, ("wondered whether", "asked whether", "asked if", "wondered if")),
    Template("fact-noun", "The fact that the {a} {v.past} the {b} {x} the {c}.", "The {a} {v.past} the {b}.", _YES, ("annoyed", "pleased", "worried", "amused")),
    Template("report-noun", "The {x} that the {a} {v.past} the {b} annoyed the {c}.", "The {a} {v.past} the {b}.", _NO, _REPORTS),
    Template("true-that", "It is {x} that the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _YES, ("true", "a fact", "well known", "certain")),
    Template("false-that", "It is {x} that the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO, ("not true", "false", "a lie", "a myth")),
    Template("conditional-if", "If the {a} {i.past}, the {b} {v.past} the {c}.", "The {a} {i.past}.", _NO),
    Template("conditional-then", "If the {a} {i.past}, the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("unless-clause", "Unless the {a} {i.past}, the {b} {v.past} the {c}.", "The {a} {i.past}.", _NO),
    Template("unless-main", "Unless the {a} {i.past}, the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("whether-main", "Whether or not the {a} {i.past}, the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _YES),
    Template("whether-clause", "Whether or not the {a} {i.past}, the {b} {v.past} the {c}.", "The {a} {i.past}.", _NO),
    Template("reason-clause", "{x} the {a} {i.past}, the {b} {v.past} the {c}.", "The {a} {i.past}.", _YES, ("Because", "Since", "Although", "Even though")),
    Template("reason-main", "{x} the {a} {i.past}, the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _YES, ("Because", "Since", "Although", "Even though")),
    Template("time-clause", "{x} the {a} {i.past}, the {b} {v.past} the {c}.", "The {a} {i.past}.", _YES, ("After", "While", "When", "As soon as")),
    Template("time-main", "The {b} {v.past} the {c} before the {a} {i.past}.", "The {b} {v.past} the {c}.", _YES),
    Template("supposition", "{x} the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO, ("Suppose", "Imagine", "Assume")),
    Template("in-case", "The {a} {x} in case the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO, ("waited", "stayed awake", "stayed nearby", "came along")),
    Template("subject-after-comma", "While the {a} {x}, the {b} {i.past}.", "The {b} {i.past}.", _YES, _REFLEXIVE),
    Template("joint-clauses", "The {a} {i.past}, and the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _YES),
    Template("alternative-clauses", "Either the {a} {i.past}, or the {b} {v.past} the {c}.", "The {b} {v.past} the {c}.", _NO),
    Template("sentence-doubting", "{x} the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _NO, _DOUBTS),
    Template("sentence-comment", "{x}, the {a} {v.past} the {b}.", "The {a} {v.past} the {b}.", _YES, _COMMENTS),
)  # fmt: skip
"""The hypothesis is a clause of the text."""

TEMPLATES = {"lexical-overlap": _LEXICAL, "subsequence": _SUBSEQUENCE, "constituent": _CONSTITUENT}
"""All templates, by the shortcut that they punish."""


def traps(seed: int) -> list[Pair]:
    """Generate the pairs of all templates.

    Args:
        seed: what the choice of words depends on; the same seed gives the same pairs.

    Returns:
        `PAIRS_PER_TEMPLATE` different pairs for each template, in the order of the templates. A
        pair's task is `trap-<template>`, and its `meta["shortcut"]` the group of the template.
    """
    return [
        pair
        for shortcut, templates in TEMPLATES.items()
        for template in templates
        for pair in _pairs_of(template, shortcut, seed)
    ]


def _pairs_of(template: Template, shortcut: str, seed: int) -> list[Pair]:
    """Fill one template until it has given `PAIRS_PER_TEMPLATE` different pairs."""
    rng = random.Random(f"{seed} {template.name}")
    filled: dict[tuple[str, str], None] = {}
    while len(filled) < PAIRS_PER_TEMPLATE:
        filled[_fill(template, rng)] = None
    return [
        Pair(
            id=f"trap-{template.name}-{number:02}",
            text=text,
            hypothesis=hypothesis,
            gold=template.gold,
            task=f"trap-{template.name}",
            meta={"shortcut": shortcut},
        )
        for number, (text, hypothesis) in enumerate(filled, start=1)
    ]


def _fill(template: Template, rng: random.Random) -> tuple[str, str]:
    """Put random words into the slots of a template, and return its text and hypothesis."""
    slots = {
        **dict(zip("abc", rng.sample(_PEOPLE, 3), strict=True)),
        **dict(zip("mn", rng.sample(_PLACES, 2), strict=True)),
        "p": rng.choice(_PREPOSITIONS),
        "k": rng.choice(_RELATIONS),
        "g": rng.choice(_GIVING),
        "t": rng.choice(_THINGS),
        "x": rng.choice(template.words),
    }
    v, w = rng.sample(_TRANSITIVE, 2)
    i, j = rng.sample(_INTRANSITIVE, 2)
    verbs = {"v": v, "w": w, "i": i, "j": j}
    return template.text.format(**slots, **verbs), template.hypothesis.format(**slots, **verbs)
