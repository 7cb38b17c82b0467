"""How much the words of the two sides have to do with each other, and whether their names fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ensue.alignment import Match
from ensue.features.comparison import Feature, FeatureGroup, PairComparison
from ensue.language.graphs import Graph, Sort

# How much the words of the two sides have to do with each other.

_EXACT = frozenset((Match.SAME, Match.VALUE, Match.NAME))

_RELATEDNESS_FEATURES = (
    Feature(
        "relatedness.words",
        "The share of the hypothesis's words, function words too but no punctuation, whose lemma the"
        " text has.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "relatedness.rare",
        "Of the hypothesis's nodes, the share that are the same in the text, as words, names or"
        " values, weighted by rarity: Σ rarity of these / Σ rarity.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "relatedness.names",
        "The share of the hypothesis's names that have support in the text; 1 where it has none.",
        ("Anna met Boris.", "Anna left."),
        is_share=True,
    ),
    Feature(
        "relatedness.neighbors",
        "Where over a third of the hypothesis's nodes are without support: the share of the pairs of"
        " neighboring words of the hypothesis that are neighbors in the text too, in lemmas.",
        ("An old dog barks.", "An old dog of the baker's barks at postmen."),
        is_share=True,
    ),
    Feature(
        "relatedness.sequence",
        "The length of the longest sequence of lemmas that both sides have in this order, with gaps or"
        " without, as a share of the hypothesis's number of words.",
        ("A dog barks at night.", "A dog barked."),
        is_share=True,
    ),
    Feature(
        "relatedness.meaning",
        "The mean similarity of those of the hypothesis's nodes that are not the same in the text as"
        " words, names or values, without support 0; 1 where all are.",
        ("A poodle barks.", "A dog barks."),
        is_share=True,
    ),
    Feature(
        "relatedness.length",
        "Where over a third of the hypothesis's nodes are without support: its number of nodes / the"
        " number of nodes of both sides.",
        ("An old dog barks.", "An old dog of the baker's barks at postmen."),
        is_share=True,
    ),
)


def _measure_relatedness(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    text, hypothesis = lemmas(pair.text.graph), lemmas(pair.hypothesis.graph)
    n_hypothesis, n_text = len(pair.hypothesis.graph), len(pair.text.graph)
    both = n_hypothesis + n_text
    loose = pair.is_loose
    return (
        _share_in(hypothesis, text),
        _rare(pair),
        _relatedness_names(pair),
        _share_in(_neighbors(hypothesis), _neighbors(text)) if loose else 0.0,
        _longest(hypothesis, text) / len(hypothesis) if hypothesis else 0.0,
        _meaning(pair),
        n_hypothesis / both if loose and both else 0.0,
    )


def lemmas(graph: Graph) -> list[str]:
    """The lemmas of a text's words, without punctuation, in lower case."""
    sentence = graph.sentence
    return [
        lemma.lower()
        for lemma, part in zip(sentence.lemmas, sentence.parts, strict=True)
        if part not in ("PUNCT", "SPACE", "SYM")
    ]


def _neighbors(words: Sequence[str]) -> list[tuple[str, str]]:
    return list(pairwise(words))


def _share_in(asked: Sequence[object], known: Sequence[object]) -> float:
    there = set(known)
    return sum(each in there for each in asked) / len(asked) if asked else 0.0


def _longest(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence, by bits (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for i, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << i
    every = (1 << len(first)) - 1
    row = every
    for word in second:
        found = row & places.get(word, 0)
        row = ((row + found) | (row - found)) & every
    return len(first) - row.bit_count()


def _rare(pair: PairComparison) -> float:
    total = sum(pair.rarities)
    same = sum(
        rarity for rarity, match in zip(pair.rarities, pair.matches, strict=True) if match in _EXACT
    )
    return same / total if total else 0.0


def _relatedness_names(pair: PairComparison) -> float:
    names = pair.nodes(Sort.NAME)
    return sum(map(pair.is_supported, names)) / len(names) if names else 1.0


def _meaning(pair: PairComparison) -> float:
    others = [
        similarity if pair.is_supported(node) else 0.0
        for node, similarity in enumerate(pair.similarities)
        if pair.matches[node] not in _EXACT
    ]
    return sum(others) / len(others) if others else 1.0


RELATEDNESS = FeatureGroup("Semantic relatedness", _RELATEDNESS_FEATURES, _measure_relatedness)


# Whether the places, persons and other names of the hypothesis fit those of the text.

_PLACES = frozenset(("GPE", "LOC", "FAC"))
_WITHIN = frozenset((Match.PART, Match.SAME, Match.NAME))

_COMPATIBILITY_FEATURES = (
    Feature(
        "compatibility.place-match",
        "A place that the hypothesis names is aligned with the same in the text, or with one that lies"
        " in it.",
        ("Anna lives in Paris.", "Anna lives in France."),
    ),
    Feature(
        "compatibility.place-mismatch",
        "A place that the hypothesis names has no support, and the text names another that nothing is"
        " aligned with.",
        ("Anna lives in Paris.", "Anna lives in London."),
    ),
    Feature(
        "compatibility.person-mismatch",
        "A person that the hypothesis names has no support, and the text names another that nothing is"
        " aligned with.",
        ("Anna Bell met Boris Stone.", "Anna Bell met Clara Wood."),
    ),
    Feature(
        "compatibility.name-mismatch",
        "A name of the hypothesis that is of no place or person has no support, and the text has"
        " another such that nothing is aligned with.",
        ("Anna works for Siemens.", "Anna works for Toyota."),
    ),
)


def _measure_compatibility(pair: PairComparison) -> tuple[float, ...]:
    """The values of the features, in their order."""
    lost = {_kind(kind) for node, kind in _compatibility_names(pair) if not pair.is_supported(node)}
    graph = pair.text.graph
    free = {
        _kind(kind)
        for node, (kind, sort) in enumerate(zip(graph.kinds, graph.sorts, strict=True))
        if sort is Sort.NAME and node not in pair.aligned
    }
    place = any(
        _kind(kind) == "place" and pair.matches[node] in _WITHIN
        for node, kind in _compatibility_names(pair)
    )
    both = lost & free
    return place, "place" in both, "person" in both, "other" in both


def _compatibility_names(pair: PairComparison) -> Iterator[tuple[int, str]]:
    kinds = pair.hypothesis.graph.kinds
    return ((node, kinds[node]) for node in pair.nodes(Sort.NAME))


def _kind(kind: str) -> str:
    if kind in _PLACES:
        return "place"
    return "person" if kind == "PERSON" else "other"


COMPATIBILITY = FeatureGroup(
    "Compatibility of locations and entities", _COMPATIBILITY_FEATURES, _measure_compatibility
)
