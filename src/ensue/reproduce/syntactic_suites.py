"""Recompute the tables of Bedaride & Gardent (2010), and judge suites made as theirs were."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ensue.evaluation import Judged, group_scores, line_up
from ensue.mining import ErrorKind, Settings, find_forms, mine
from ensue.pairs import Label, Pair, Run
from ensue.recognizers import Recognizer, Trainable, load
from ensue.reproduce.model import (
    Listing,
    Reproduction,
    ReproductionKind,
    paper_of,
    published,
    side_by_side,
)
from ensue.statistics import Resampling
from ensue.suites import SuiteGrammar, SuiteSettings, made_suites, make_repertoire, read_grammar

NAME = "syntactic-suites"
N_SUITES, SIZE = 10, 1000
RECOGNIZERS = ("bleu", "modified-bleu", "linear-bleu", "overlap")
"""Each as it comes, and tuned on other suites."""
_TUNING_SUITES = 2
_MINED = "modified-bleu, tuned"
_SUSPECTS = 10


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of one of the paper's tables."""

    hypothesis: str
    text: str
    suspicion: float
    errors: int
    cases: int

    @property
    def ln_cases(self) -> float:
        return self.suspicion * math.log(self.cases)

    @property
    def ln_errors(self) -> float:
        return self.suspicion * math.log(self.errors)

    @property
    def gain(self) -> float:
        return self.suspicion * self.errors


def reproduce(directory: Path, seed: int = 0) -> Reproduction:  # noqa: ARG001 - there are no data
    """Recompute the tables from their own columns, and judge ten suites of a thousand cases."""
    record = published(NAME)
    tables = {name: [_Row(*row) for row in rows] for name, rows in record["suspects"].items()}
    grammar = read_grammar()
    suites = _suites(grammar, seed, N_SUITES)
    cases = [case for suite in suites.values() for case in suite]
    runs = _runs(cases, [c for s in _suites(grammar, seed + 1, _TUNING_SUITES).values() for c in s])
    judged = {each.name: each for each in line_up(cases, runs).judged}
    paper, remarks = paper_of(NAME)
    return Reproduction(
        NAME,
        paper,
        side_by_side(NAME, {**_own_figures(record, tables), **_suite_figures(grammar, cases)}),
        remarks,
        (
            *(_table_listing(name, rows) for name, rows in tables.items()),
            _answers_listing(record["afazio"], judged),
            _accuracy_listing("suites", "suite", judged, _by_suite(suites, grammar)),
            _accuracy_listing("clauses", "clauses in the text", judged, _by(cases, _clauses)),
            _accuracy_listing(
                "types", "subcategorization", judged, _by(cases, lambda case: _types(case, grammar))
            ),
            _accuracy_listing("near_misses", "hypothesis", judged, _by(cases, _made)),
            _suspects_listing(judged[_MINED], ErrorKind.FALSE_NEGATIVES),
            _suspects_listing(judged[_MINED], ErrorKind.FALSE_POSITIVES),
        ),
    )


def _suites(grammar: SuiteGrammar, seed: int, n_suites: int) -> dict[tuple[str, ...], list[Pair]]:
    """Suites by their combination of types, in the order in which they are made."""
    made = made_suites(
        make_repertoire(grammar), SuiteSettings(size=SIZE), n_suites=n_suites, seed=seed
    )
    return {(suite.name, *suite.types): cases for suite, cases in made}


def _runs(cases: Sequence[Pair], other: Sequence[Pair]) -> list[Run]:
    runs = []
    for name in RECOGNIZERS:
        recognizer = load(name)
        runs.append(_run(name, recognizer, cases))
        if isinstance(recognizer, Trainable):
            runs.append(_run(f"{name}, tuned", recognizer.fit(other, seed=0), cases))
    return runs


def _run(name: str, recognizer: Recognizer, cases: Sequence[Pair]) -> Run:
    return Run(name, tuple(recognizer.judge(cases)))


def _own_figures(
    record: Mapping[str, object], tables: Mapping[str, Sequence[_Row]]
) -> dict[str, float | None]:
    afazio = record["afazio"]
    assert isinstance(afazio, dict)
    correct, incorrect, without = afazio["correct"], afazio["incorrect"], afazio["no answer"]
    total = sum(correct) + sum(incorrect) + sum(without)
    figures: dict[str, float | None] = {
        "cases": total,
        "correct": sum(correct),
        "incorrect": sum(incorrect),
        "no-answer": sum(without),
        "true": correct[0] + incorrect[0] + without[0],
        "false": correct[1] + incorrect[1] + without[1],
        "accuracy": sum(correct) / total,
        "answered-false": correct[1] + incorrect[1],
        "gain": tables["1"][0].gain,
    }
    for name, rows in tables.items():
        figures |= {f"table-{name}-{i}": row.ln_cases for i, row in enumerate(rows, start=1)}
        figures[f"table-{name}-order"] = sum(
            one.ln_errors < other.ln_errors for one, other in pairwise(rows)
        )
    return figures


def _suite_figures(grammar: SuiteGrammar, cases: Sequence[Pair]) -> dict[str, float | None]:
    return {
        "suites": N_SUITES,
        "types": len(make_repertoire(grammar).subcategorizations),
        "balance": sum(case.gold is Label.ENTAILMENT for case in cases) / len(cases),
        "clauses": max(case.meta["clauses"] for case in cases),
    }


def _table_listing(name: str, rows: Sequence[_Row]) -> Listing:
    columns = ("rank", "H", "T", "S", "errors", "cases", "S·ln|O|", "S·ln|O_err|", "S·|O_err|")
    return Listing(
        f"table_{name}",
        f"The paper's Table {name} from its own columns",
        columns,
        tuple(
            (
                rank,
                row.hypothesis,
                row.text,
                row.suspicion,
                row.errors,
                row.cases,
                row.ln_cases,
                row.ln_errors,
                row.gain,
            )
            for rank, row in enumerate(rows, start=1)
        ),
    )


def _answers_listing(afazio: Mapping[str, Sequence[int]], judged: Mapping[str, Judged]) -> Listing:
    rows: list[tuple[object, ...]] = [
        ("Afazio (published)", kind, *counts, sum(counts), None, None)
        for kind, counts in afazio.items()
    ]
    for name, each in judged.items():
        wrong = each.answered & ~each.right
        accuracy, in_groups = float(each.right.mean()), group_scores(each).accuracy
        for kind, chosen in (
            ("correct", each.right),
            ("incorrect", wrong),
            ("no answer", ~each.answered),
        ):
            of_true, of_false = (
                int((chosen & each.is_yes).sum()),
                int((chosen & ~each.is_yes).sum()),
            )
            last = (accuracy, in_groups) if kind == "correct" else (None, None)
            rows.append((name, kind, of_true, of_false, of_true + of_false, *last))
    return Listing(
        "answers",
        "Answers in the layout of section 3.3",
        ("recognizer", "answers", "true", "false", "total", "accuracy", "groups all right"),
        tuple(rows),
        (
            f"ours: {N_SUITES} suites of {SIZE:,} cases of our own grammar, half of them near"
            " misses of the other half; the published row is on other cases",
            f"tuned: on {_TUNING_SUITES * SIZE:,} cases of another seed",
            "groups all right: the share of minimal pairs of which both cases are right; a guess"
            " gives 0.25, one answer to everything 0",
        ),
    )


Parts = Mapping[str, list[int]]
"""The cases of each part, by number."""


def _accuracy_listing(name: str, by: str, judged: Mapping[str, Judged], parts: Parts) -> Listing:
    rows = tuple(
        (part, len(chosen), *(float(each.right[chosen].mean()) for each in judged.values()))
        for part, chosen in parts.items()
    )
    return Listing(name, f"Accuracy by {by}", (by, "cases", *judged), rows)


def _by_suite(suites: Mapping[tuple[str, ...], Sequence[Pair]], grammar: SuiteGrammar) -> Parts:
    parts, at = {}, 0
    for (name, *types), cases in suites.items():
        titled = ", ".join(map(grammar.title, types))
        parts[f"{name}: {titled}"] = list(range(at, at + len(cases)))
        at += len(cases)
    return parts


def _by(cases: Sequence[Pair], values: Callable[[Pair], Iterable[str]]) -> Parts:
    parts: dict[str, list[int]] = {}
    for i, case in enumerate(cases):
        for value in values(case):
            parts.setdefault(value, []).append(i)
    return dict(sorted(parts.items()))


def _clauses(case: Pair) -> list[str]:
    return [str(case.meta["clauses"])]


def _types(case: Pair, grammar: SuiteGrammar) -> list[str]:
    return [grammar.title(name) for name in case.meta["subcategorization"]]


def _made(case: Pair) -> list[str]:
    return [str(case.meta["made"])]


def _suspects_listing(judged: Judged, kind: ErrorKind) -> Listing:
    mining = mine(
        judged,
        find_forms(judged.pairs),
        kind,
        settings=Settings(resampling=Resampling(draws=0), top=_SUSPECTS),
    )
    rows = tuple(
        (
            each.rank,
            *each.form.split("/"),
            each.suspicion.value,
            f"{each.n_errors}/{each.n_cases}",
            each.measures[mining.settings.measure],
            each.q,
        )
        for each in mining.suspects[:_SUSPECTS]
    )
    return Listing(
        f"suspects_{kind.value}",
        f"{kind.called} of {judged.name}, in the layout of Tables 1 and 2",
        ("rank", "H", "T", "S", "errors/cases", "S·ln|O_err|", "q"),
        rows,
    )


REPRODUCTION = ReproductionKind(
    NAME,
    "tables of the syntactic test suites paper, and our recognizers on suites like its own",
    reproduce,
    needs_data=False,
)
