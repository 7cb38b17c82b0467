"""What a proof costs after the parse, and whether the budget is kept.

Suite cases: spaCy on their distinct sentences is the peer; what comes after it is reading (grammar,
rewriting, meaning), once a sentence and side, and proving, once a pair. Questions that never end show what
becomes of the budget, and so do long texts, while the machine has nothing else to do and beside ten
processes that do not rest. To keep those from slowing others down, run it by `nice`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

import ensue
from ensue.compiling import compile_seconds
from ensue.language.analyzer import Sentence, load_analyzer
from ensue.language.lexicon import load_lexicon
from ensue.logic.formulas import Atom, Constant, Exists, ForAll, Formula, Implies, Not, Or, Variable
from ensue.logic.proving import Budget, Premise, Prover, open_prover
from ensue.logic.reasoner import Reasoner, ReasoningOutcome
from ensue.pairs import Pair
from ensue.recognizers.logic import shared_analyzer
from ensue.suites import SuiteSettings, make_repertoire, read_grammar, suite_generators

N_SUITES, SIZE = 10, 1_000
SEED = 2026
SECONDS = (1.0, 0.3)
LENGTHS = (30, 50, 100)
BUSY = 10


def main() -> None:
    """Print the cost of the parts, and the slowest against the budget in a process with nothing else."""
    _show_budget(open_prover("z3"))
    _show_long_texts()
    cases = list(suite_cases(SEED))
    texts = list(dict.fromkeys(text for case in cases for text in (case.text, case.hypothesis)))
    counted = _Counted()
    began = time.perf_counter()
    analyses = dict(zip(texts, counted.analyze(texts), strict=True))
    parse = time.perf_counter() - began
    reasoner = Reasoner(load_lexicon(), open_prover("z3"))
    for case in cases[:50]:  # kernels and tables are loaded
        _answer(reasoner, analyses, case)
    costs = [_answer(reasoner, analyses, case) for case in cases]
    _show(cases, texts, counted, parse, costs)


def suite_cases(seed: int) -> Iterator[Pair]:
    """The cases of ten suites of a thousand, as `ensue suite generate` makes them."""
    repertoire = make_repertoire(read_grammar())
    settings = SuiteSettings(size=SIZE)
    for _, _, generator in suite_generators(repertoire, settings, n_suites=N_SUITES, seed=seed):
        yield from islice(generator.cases(), SIZE)


class _Counted:
    """An analyzer that counts what it is given."""

    def __init__(self) -> None:
        self._analyzer = load_analyzer()
        self.n_texts = 0

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        self.n_texts += len(texts)
        return self._analyzer.analyze(texts)


def _answer(
    reasoner: Reasoner, analyses: dict[str, Sentence], case: Pair
) -> tuple[float, float, ReasoningOutcome]:
    """Seconds for reading both sides and for proving, and what came of it."""
    began = time.perf_counter()
    text = reasoner.meaning(analyses[case.text], asserted=True)
    hypothesis = reasoner.meaning(analyses[case.hypothesis], asserted=False)
    read = time.perf_counter()
    argument = reasoner.reason(text, hypothesis)
    return read - began, time.perf_counter() - read, argument.outcome


def _show(
    cases: Sequence[Pair],
    texts: Sequence[str],
    counted: _Counted,
    parse: float,
    costs: Sequence[tuple[float, float, ReasoningOutcome]],
) -> None:
    print(f"Proving {len(cases):,} suite cases, {len(texts):,} distinct sentences")
    print(f"  sentences parsed / distinct sentences:  {counted.n_texts / len(texts):.2f}")
    rows = (
        ("parse, both sides, nothing shared", [2 * parse / len(texts)]),
        ("reading both sides", [read for read, _, _ in costs]),
        ("proving", [proof for _, proof, _ in costs]),
        ("after the parse", [read + proof for read, proof, _ in costs]),
    )
    print(f"  {'ms a pair':<36}{'median':>9}{'99 %':>9}{'slowest':>9}{'x parse':>9}")
    for name, seconds in rows:
        ordered = sorted(seconds)
        median = statistics.median(ordered)
        high = ordered[int(0.99 * (len(ordered) - 1))]
        times = median / (2 * parse / len(texts))
        print(
            f"  {name:<36}{1e3 * median:>9.2f}{1e3 * high:>9.2f}{1e3 * ordered[-1]:>9.2f}{times:>9.2f}"
        )
    print(f"  out of budget: {sum(outcome is ReasoningOutcome.EXHAUSTED for *_, outcome in costs)}")


def _show_budget(prover: Prover) -> None:
    """The seconds of questions that never end, as shares of what they may take."""
    print("Questions that never end, seconds taken / seconds allowed")
    for seconds in SECONDS:
        budget = Budget(seconds=seconds, steps=10**9)
        for name, premises, goal in endless():
            began = time.perf_counter()
            finding = prover.ask(premises, goal, budget=budget)
            share = (time.perf_counter() - began) / seconds
            print(f"  {name:<26}{seconds:>5.1f} s  {finding.answer:<10}{share:>6.2f}")


def _show_long_texts() -> None:
    """The seconds that long texts take from their parse on, as shares of what they may take."""
    text = " ".join(dict.fromkeys(case.text for case in suite_cases(SEED)))
    pairs = {n: Pair(str(n), text[: n * 1_000], "A judge slept.") for n in LENGTHS}
    shared_analyzer().analyze(
        [side for each in pairs.values() for side in (each.text, each.hypothesis)]
    )
    print("Long texts, seconds taken / seconds allowed, parse not counted")
    print(f"  {'':<34}{'nothing else':>14}{f'beside {BUSY} processes':>22}")
    for seconds in SECONDS:
        free = {n: _taken(pair, seconds) for n, pair in pairs.items()}
        with _busy():
            loaded = {n: _taken(pair, seconds) for n, pair in pairs.items()}
        for n in pairs:
            share, found = free[n]
            name = f"{n} kB in {seconds:.1f} s, {found}"
            print(f"  {name:<34}{share:>14.2f}{loaded[n][0]:>22.2f}")


def _taken(pair: Pair, seconds: float) -> tuple[float, str]:
    """The share of the seconds that a pair may take, and what becomes of it."""
    recognizer = ensue.load("logic", {"seconds": seconds})
    recognizer.judge([Pair("0", "A dog barks.", "A dog barks.")])  # tables are loaded
    began = time.perf_counter()
    shared_analyzer().analyze([pair.text, pair.hypothesis])  # from the cache, as it is below
    parsed, compiled = time.perf_counter(), compile_seconds()
    verdict = recognizer.judge([pair])[0]
    taken = time.perf_counter() - parsed - (parsed - began) - (compile_seconds() - compiled)
    return taken / seconds, str(verdict.status)


@contextmanager
def _busy() -> Iterator[None]:
    """Ten processes that do not rest."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(BUSY)]
    try:
        yield
    finally:
        for each in processes:
            each.kill()
            each.wait()


def endless() -> Iterator[tuple[str, list[Premise], Formula]]:
    """Questions that no budget is enough for."""
    x, y, z = (Variable(name) for name in "xyz")

    def before(one: Variable, other: Variable) -> Atom:
        return Atom("before", (one, other))

    chain = [
        ForAll((x,), Exists((y,), before(x, y))),
        ForAll((x,), Not(before(x, x))),
        ForAll((x, y, z), Implies(before(x, y), Implies(before(y, z), before(x, z)))),
    ]
    yield "a chain without end", _premises(chain), Atom("end", (Constant("a"),))
    holes, pigeons = range(10), range(11)
    rules: list[Formula] = [
        Or(tuple(Atom(f"in{hole}", (Constant(f"p{pigeon}"),)) for hole in holes))
        for pigeon in pigeons
    ]
    rules += [
        Not(_both(f"in{hole}", one, other))
        for hole in holes
        for one in pigeons
        for other in pigeons
        if one < other
    ]
    yield "eleven pigeons, ten holes", _premises(rules), Atom("end", (Constant("a"),))


def _both(predicate: str, one: int, other: int) -> Formula:
    first, second = (Atom(predicate, (Constant(f"p{each}"),)) for each in (one, other))
    return Not(Implies(first, Not(second)))


def _premises(formulas: Sequence[Formula]) -> list[Premise]:
    return [Premise(f"t{i}", each) for i, each in enumerate(formulas)]


if __name__ == "__main__":
    main()
