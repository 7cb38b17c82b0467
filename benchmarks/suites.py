"""Generation of labelled cases in one process, and what a case costs in memory.

Beside ours: a plain reading of the paper in Python, which walks a pattern piece by piece for each
sentence and compares the triples of two sentences about the same predicate. Its cases are of one
clause, random pairs, with no near misses, no tags of the sentence around, and may come twice: less
than half of the work. Memory is the growth of the process from the first to the last of a million
cases.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from itertools import islice

import psutil

from benchmarks.timing import best_seconds, show
from ensue.suites import (
    SuiteGrammar,
    SuiteSettings,
    make_repertoire,
    read_grammar,
    suite_generators,
)
from ensue.suites.grammar import Number, PieceKind, Predicate, SentenceTense
from ensue.suites.repertoire import Repertoire

N_CASES = 20_000
MANY = 1_000_000


def main() -> None:
    """Print cases a second of both, by number of clauses, and bytes a case."""
    grammar = read_grammar()
    repertoire = make_repertoire(grammar)
    plain = best_seconds(lambda: _exhaust(islice(plain_cases(grammar), N_CASES)), repeats=3)
    rows = []
    for clauses in (1, 2, 3):
        seconds = best_seconds(lambda clauses=clauses: _generate(repertoire, N_CASES, clauses), 3)
        rows.append((f"ensue, up to {clauses} clauses", N_CASES / seconds, plain / seconds))
    rows.append(("plain Python, 1 clause, random pairs", N_CASES / plain, 1.0))
    show(f"Generating {N_CASES:,} labelled cases", rows, "cases a second", "× plain")
    process = psutil.Process()
    before = process.memory_info().rss
    _generate(repertoire, MANY, 3)
    grown = process.memory_info().rss - before
    print(f"  {MANY:,} cases: {grown / MANY:.0f} bytes of memory a case")


def _generate(repertoire: Repertoire, size: int, clauses: int) -> None:
    settings = SuiteSettings(size=size, clauses=clauses)
    types = repertoire.subcategorizations
    for _, _, generator in suite_generators(
        repertoire, settings, n_suites=1, seed=0, types=types, n_types=len(types)
    ):
        _exhaust(generator.cases())


def _exhaust(cases: Iterator[object]) -> None:
    deque(cases, maxlen=0)


def plain_cases(grammar: SuiteGrammar) -> Iterator[tuple[str, str, bool]]:
    """Two sentences of one predicate, and whether the triples of one are among the other's."""
    rng = random.Random(0)
    predicates = [p for p in grammar.predicates.values() if "Event" not in p.roles.values()]
    while True:
        predicate = rng.choice(predicates)
        text, of_text = _plain_sentence(grammar, predicate, rng)
        hypothesis, of_hypothesis = _plain_sentence(grammar, predicate, rng)
        yield text, hypothesis, of_hypothesis <= of_text


def _plain_sentence(
    grammar: SuiteGrammar, predicate: Predicate, rng: random.Random
) -> tuple[str, set[tuple[str, str, str]]]:
    distribution = rng.choice(predicate.distributions)
    pattern = rng.choice(grammar.patterns[distribution.family])
    words: list[str] = []
    triples = set()
    for piece in pattern.pieces:
        if piece.kind is PieceKind.ARGUMENT:
            role = distribution.roles[piece.id]
            phrase = rng.choice(grammar.phrases(predicate.roles[role]))
            triples.add((predicate.name, role, phrase.text))
            words.append(phrase.text)
        elif piece.kind is PieceKind.PREPOSITION:
            words.append(distribution.prepositions[piece.id])
        elif piece.kind is PieceKind.VERB:
            words.append(predicate.verbs[SentenceTense.PRESENT, Number.SINGULAR])
        elif piece.kind is PieceKind.PARTICIPLE:
            words.append(str(predicate.participle))
        elif piece.kind is PieceKind.NOUN:
            words.append(str(predicate.noun))
        elif piece.kind is PieceKind.BE:
            words.append("is")
        elif piece.kind is PieceKind.PRONOUN:
            words.append("who")
        elif piece.glued and words:
            words[-1] += piece.word
        elif piece.word:
            words.append(piece.word)
    return " ".join(words).capitalize(), triples
