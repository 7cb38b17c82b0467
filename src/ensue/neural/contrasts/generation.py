"""Generate pairs of every kind, from sentences or from small worlds, and write them to a file.

python -m ensue.neural.contrasts.generation FILE... -o OUT --count N
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from ensue.language import TextAnalyzer, load_analyzer, load_lexicon
from ensue.neural.contrasts.clauses import as_sentence
from ensue.neural.contrasts.material import (
    LONGEST,
    ContrastMaterial,
    Drafts,
    MaterialPool,
    PairDraft,
    parsed_clause,
)
from ensue.neural.contrasts.propositions import (
    comparison,
    coordination,
    modality,
    negation,
    roles,
    voice,
)
from ensue.neural.contrasts.quantities import clock, dates, drawn, durations, parts, quantities
from ensue.neural.contrasts.situations import (
    attributes,
    comparisons,
    coordination as who_did_what,
    implications,
    order_in_time,
    quantifiers as how_many,
    relations,
)
from ensue.neural.contrasts.substitutions import lexical, modifiers, numbers, quantifiers
from ensue.neural.network import is_held_out
from ensue.pairs import Label, Pair, read_pairs, write_pairs

KINDS: Mapping[str, Callable[[ContrastMaterial], Drafts]] = {
    "roles": roles,
    "voice": voice,
    "negation": negation,
    "quantifiers": quantifiers,
    "numbers": numbers,
    "modifiers": modifiers,
    "lexical": lexical,
    "modality": modality,
    "coordination": coordination,
    "comparison": comparison,
}
"""Each kind of contrast, and the drafts that it makes of a clause."""
SITUATIONS: Mapping[str, Callable[[random.Random], Drafts]] = {
    "quantities": quantities,
    "durations": durations,
    "parts": parts,
    "dates": dates,
    "clock": clock,
    "comparisons": comparisons,
    "how-many": how_many,
    "attributes": attributes,
    "who-did-what": who_did_what,
    "order-in-time": order_in_time,
    "implications": implications,
    "relations": relations,
}
"""Each kind of small world, and the drafts about one of them."""
_OF_ONE_WORLD = 3
"""Pairs that are made of one small world."""
_SEVERAL = {"voice": 3, "modifiers": 2, "roles": 4}
"""Kinds that few sentences give, and how many pairs are made of one that does."""
_COMMON = {"negation", "modality", "coordination", "comparison", "numbers", "quantifiers"}
"""Kinds that nearly all give: made of one in three, so that the pairs are of more sentences."""
_BATCH = 256
"""Sentences that are analyzed at once."""


@dataclass(slots=True)
class _Selection:
    """Which drafts become pairs: none twice, and of each kind as many of one label as of another."""

    rng: random.Random
    labels: dict[str, Counter[Label]] = field(
        default_factory=lambda: {kind: Counter() for kind in KINDS}
    )
    seen: set[tuple[str, str]] = field(default_factory=set)

    def drawn(self, kind: str, material: ContrastMaterial) -> Iterator[PairDraft]:
        """Drafts of a kind, of the labels that this kind has had least often."""
        if kind in _COMMON and self.rng.random() > 1 / 3:
            return
        drafts, labels = list(KINDS[kind](material)), self.labels[kind]
        self.rng.shuffle(drafts)
        for _ in range(min(_SEVERAL.get(kind, 1), len(drafts))):
            drafts.sort(key=lambda each: labels[each.gold])
            text, hypothesis, gold = drafts.pop(0)
            sides = (as_sentence(text), as_sentence(hypothesis))
            if sides not in self.seen and sides[0] != sides[1]:
                self.seen.add(sides)
                labels[gold] += 1
                yield PairDraft(*sides, gold)


def contrasts(
    sentences: Iterable[str], *, seed: int, analyzer: TextAnalyzer | None = None
) -> Iterator[Pair]:
    """Yield pairs made from the simple clauses among some sentences.

    Each sentence gives a few pairs at the most of each kind. Sentences that are not one simple
    statement give none: about three in four of SNLI's and MNLI's.

    Args:
        sentences: Of English, one statement each.
        seed: Decides which pairs are made.
        analyzer: What finds their dependencies; the installed one if it is None.
    """
    rng, lexicon = random.Random(seed), load_lexicon()
    pool, selection = MaterialPool(rng), _Selection(rng)
    analyzer = analyzer or load_analyzer()
    waiting, number = iter(sentences), 0
    while batch := list(islice(waiting, _BATCH)):
        for sentence in analyzer.analyze(batch):
            parsed = parsed_clause(sentence, lexicon)
            if parsed is None:
                continue
            material = pool.material(parsed)
            for kind in KINDS:
                for draft in selection.drawn(kind, material):
                    yield Pair(f"contrast-{number}", *draft, task=f"contrast-{kind}")
                    number += 1


def situation_pairs(count: int, *, seed: int) -> list[Pair]:
    """Make pairs about small worlds, as many of each kind, none of them twice."""
    rng, made = random.Random(seed), []
    seen: set[tuple[str, str]] = set()
    for kind, drafts in SITUATIONS.items():
        number = 0
        while number < count // len(SITUATIONS):
            for draft in drawn(rng, drafts(rng), _OF_ONE_WORLD):
                sides = (as_sentence(draft.text), as_sentence(draft.hypothesis))
                if sides not in seen:
                    seen.add(sides)
                    made.append(
                        Pair(f"{kind}-{number}", *sides, draft.gold, task=f"situation-{kind}")
                    )
                    number += 1
    rng.shuffle(made)
    return made


def balanced(pairs: Iterable[Pair], count: int, *, share: float = 0.11) -> list[Pair]:
    """The first pairs, so many in all, none of the kinds with more than its share."""
    kept: list[Pair] = []
    of_kind: Counter[str | None] = Counter()
    for pair in pairs:
        if of_kind[pair.task] < share * count:
            of_kind[pair.task] += 1
            kept.append(pair)
            if len(kept) == count:
                break
    return kept


def short_sentences(pairs: Iterable[Pair]) -> list[str]:
    """The different sides of pairs that are not held out, as far as they are short."""
    sides = (
        side for pair in pairs if not is_held_out(pair) for side in (pair.text, pair.hypothesis)
    )
    return [side for side in dict.fromkeys(sides) if len(side.split()) <= LONGEST]


def main(arguments: list[str] | None = None) -> None:
    """Write contrasts made from the sentences of files of pairs, or of small worlds without a file."""
    parser = argparse.ArgumentParser(
        prog="python -m ensue.neural.contrasts.generation", description=main.__doc__
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="pairs, in any format")
    parser.add_argument("-o", "--output", required=True, help="JSONL, packed if it ends in .gz")
    parser.add_argument("--count", type=int, required=True, help="pairs to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    if not options.files:
        write_pairs(options.output, situation_pairs(options.count, seed=options.seed))
        return
    sentences = short_sentences(pair for file in options.files for pair in read_pairs(file))
    random.Random(options.seed).shuffle(sentences)
    pairs = balanced(contrasts(sentences, seed=options.seed), options.count)
    random.Random(options.seed).shuffle(pairs)
    write_pairs(options.output, pairs)


if __name__ == "__main__":
    main()
