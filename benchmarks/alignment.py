"""The searches for the best alignment beside each other, over the pairs of RTE-1's development set.

Exact search along the tree, the Markov chain, and the greedy baseline maximize one objective over
the same candidates. How often each scores more than another, by how much, and what each costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from benchmarks.timing import ROOT, best_seconds, data_folder, show
from ensue.alignment import Alignment, AlignmentSettings, SearchMethod, align
from ensue.language import load_lexicon
from ensue.language.analyzer import load_analyzer
from ensue.language.graphs import Graph, build_graphs
from ensue.pairs import read_pairs

LEAST_GAIN = 1e-6
"""Scores that are nearer to each other are the same."""


def main() -> None:
    """Print what each search scores and costs, and who beats whom."""
    folder = data_folder() / "rte"
    path = folder / "rte1_dev.xml"
    if not path.is_file():
        path = ROOT / "examples" / "pairs.xml"
    pairs = graphs_of(path)
    lexicon = load_lexicon()
    found = {
        search: align(pairs, AlignmentSettings(search=search), lexicon=lexicon)
        for search in SearchMethod
    }
    _show_costs(pairs)
    for one, other in combinations(SearchMethod, 2):
        _compare(one, found[one], other, found[other])
    _show_chain_lengths(pairs, found[SearchMethod.TREE])


def graphs_of(path: Path) -> list[tuple[Graph, Graph]]:
    """The graphs of the texts and hypotheses of a file of pairs."""
    pairs = list(read_pairs(path))
    texts = list(dict.fromkeys(each for pair in pairs for each in (pair.text, pair.hypothesis)))
    sentences = load_analyzer().analyze(texts)
    graphs = dict(zip(texts, build_graphs(sentences, lexicon=load_lexicon()), strict=True))
    return [(graphs[pair.text], graphs[pair.hypothesis]) for pair in pairs]


def _show_costs(pairs: Sequence[tuple[Graph, Graph]]) -> None:
    """What all of an alignment costs with each search: the comparison of words is in it."""
    lexicon = load_lexicon()
    seconds = {}
    for search in SearchMethod:
        settings = AlignmentSettings(search=search)
        seconds[search] = best_seconds(lambda s=settings: align(pairs, s, lexicon=lexicon))
    rows = [
        (search.value, each / len(pairs) * 1e6, each / seconds[SearchMethod.GREEDY])
        for search, each in seconds.items()
    ]
    show(f"Aligning {len(pairs):,} pairs", rows, "µs/pair", "× greedy")


def _compare(
    one: SearchMethod, ones: Sequence[Alignment], other: SearchMethod, others: Sequence[Alignment]
) -> None:
    gains = [a.score - b.score for a, b in zip(ones, others, strict=True)]
    wins = [gain for gain in gains if gain > LEAST_GAIN]
    losses = [gain for gain in gains if gain < -LEAST_GAIN]
    print(
        f"  {one} against {other}: {len(wins)} wins, {len(gains) - len(wins) - len(losses)} ties, "
        f"{len(losses)} losses; mean gain {sum(gains) / max(len(gains), 1):.4f}, "
        f"of wins {sum(wins) / max(len(wins), 1):.4f}, of losses {sum(losses) / max(len(losses), 1):.4f}"
    )


def _show_chain_lengths(pairs: Sequence[tuple[Graph, Graph]], best: Sequence[Alignment]) -> None:
    """How often longer chains find what the exact search does."""
    for sweeps in (10, 60, 300):
        settings = replace(AlignmentSettings(search=SearchMethod.CHAIN), sweeps=sweeps)
        found = align(pairs, settings, lexicon=load_lexicon())
        reached = sum(a.score > b.score - LEAST_GAIN for a, b in zip(found, best, strict=True))
        print(f"  a chain of {sweeps} sweeps is as good in {reached} of {len(found)} pairs")
