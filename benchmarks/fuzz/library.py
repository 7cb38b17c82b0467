"""The public names with odd texts and wrong arguments, and what is wrong with what comes back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import ensue
from benchmarks.fuzz import oddities
from benchmarks.fuzz.commands import Result, complaints_of_verdict
from benchmarks.fuzz.outcome import LONGEST, TimeLimitError, called
from ensue import registry
from ensue.pairs import RunHeader
from ensue.recognizers import Trainable

SECONDS = 600
"""What logic may take, alone and within `joint`: the machine has other things to do, and steps are limited all the same."""
FAST = ("bleu", "modified-bleu", "linear-bleu", "overlap", "overlap-tree", "always", "random")
SLOW = ("features", "logic", "neural", "joint")


@cache
def recognizer(name: str) -> Any:
    """A recognizer, loaded once."""
    found = ensue.load(name, {"seconds": SECONDS} if name in ("logic", "joint") else None)
    if isinstance(found, Trainable) and name == "overlap-tree":
        found = found.fit(_gold(), seed=0)
    return found


@cache
def _gold() -> tuple[ensue.Pair, ...]:
    return tuple(ensue.read_pairs(Path(__file__).parents[2] / "examples" / "pairs.xml"))


# A pair of odd texts: every recognizer keeps its contract.


def odd_texts(rng: Random, folder: Path) -> tuple[str, Callable[[], Iterator[str]]]:  # noqa: ARG001
    """Judge and explain a pair of odd texts."""
    name = rng.choice([*FAST, *SLOW * 2])
    sides = oddities.text(rng), oddities.text(rng)
    if rng.random() < 0.2:
        sides = sides[0], sides[0]

    def work() -> Iterator[str]:
        judge, pair = recognizer(name), ensue.Pair("1", *sides)
        (verdict,) = judge.judge([pair])
        yield from complaints_of_verdict(verdict)
        if judge.judge([ensue.Pair("0", "It rains.", "It snows."), pair])[1] != verdict:
            yield "another verdict beside another pair"
        explanation = judge.explain(pair)
        if explanation.verdict != verdict:
            yield "the explanation has another verdict"
        json.dumps(explanation.to_json(), allow_nan=False)
        for span in explanation.evidence.spans:
            if not 0 <= span.start <= span.end <= len(getattr(pair, span.side.value)):
                yield f"a span from {span.start} to {span.end} of {span.side}"
        explanation._repr_html_()

    return f"judge and explain by {name}: {', '.join(map(oddities.shown, sides))}", work


# Pairs and runs that are written and read again.


def written_pairs(rng: Random, folder: Path) -> tuple[str, Callable[[], Iterator[str]]]:
    """Write odd pairs, and read them again."""
    format = rng.choice(["jsonl", "csv", "tsv", "parquet", "xml", "jsonl.gz"])
    pairs = [_odd_pair(rng, number) for number in range(rng.randint(0, 5))]

    def work() -> Iterator[str]:
        path = folder / f"out.{format}"
        try:
            ensue.write_pairs(path, pairs)
        except ensue.EnsueError:
            if path.exists():
                yield "the pairs are refused, and a file is left"
            raise
        again = list(ensue.read_pairs(path))
        if format != "xml" and [_kept(p) for p in again] != [_kept(p) for p in pairs]:
            yield "other pairs come back"
        if [pair.id for pair in again] != [pair.id for pair in pairs]:
            yield "other ids come back"

    return f"write_pairs and read_pairs as {format}: {oddities.shown(pairs)}", work


def _odd_pair(rng: Random, number: int) -> ensue.Pair:
    task = rng.choice([None, "QA", oddities.text(rng, with_long=False)])
    meta = rng.choice(
        [{}, {"note": oddities.text(rng, with_long=False)}, {"n": 3, "of": [1, {"a": None}]}]
    )
    gold = rng.choice([None, *ensue.Label])
    pair_id = rng.choice([str(number), str(number), f" {number}", f"{number}\n", f"{number}é👍"])
    return ensue.Pair(
        pair_id, oddities.text(rng), oddities.text(rng, with_long=False), gold, task, meta
    )


def _kept(pair: ensue.Pair) -> tuple[Any, ...]:
    return pair.id, pair.text, pair.hypothesis, pair.gold, pair.task, dict(pair.meta)


def written_run(rng: Random, folder: Path) -> tuple[str, Callable[[], Iterator[str]]]:
    """Write odd verdicts, and read them again."""
    verdicts = [_odd_verdict(rng, number) for number in range(rng.randint(0, 5))]

    def work() -> Iterator[str]:
        header = RunHeader(recognizer("overlap").signature, {"name": oddities.text(rng)})
        ensue.write_run(folder / "run.jsonl", header, verdicts)
        if list(ensue.read_run(folder / "run.jsonl").verdicts) != verdicts:
            yield "other verdicts come back"

    return f"write_run and read_run: {oddities.shown(verdicts)}", work


def _odd_verdict(rng: Random, number: int) -> ensue.Verdict:
    score = rng.choice([None, 0.0, -0.0, 1e308, 5e-324, float("inf"), float("-inf"), -3])
    reason = oddities.text(rng, with_long=False)
    if rng.random() < 0.3:
        status = rng.choice([each for each in ensue.Status if each != "decided"])
        return ensue.Verdict(f"{number}", None, score, None, status, reason)
    return ensue.Verdict(
        f"{number}", rng.choice(list(ensue.Label)), score, rng.choice([None, 0, 1, 0.5])
    )


# Evaluation of runs that lack verdicts, or have some that nobody asked for.


def odd_evaluation(rng: Random, folder: Path) -> tuple[str, Callable[[], Iterator[str]]]:  # noqa: ARG001
    """Evaluate a run on part of the gold, in any order, with answers missing and added."""
    gold = [*rng.sample(_gold(), rng.randint(0, 12))]
    verdicts = [_odd_verdict(rng, 0) for _ in gold]
    verdicts = [
        ensue.Verdict(p.id, v.label, v.score, v.confidence, v.status, v.reason)
        for p, v in zip(gold, verdicts, strict=True)
        if rng.random() < 0.9
    ]
    added = rng.random()
    if added < 0.15 and verdicts:
        verdicts.append(verdicts[0])
    elif added < 0.3:
        verdicts.append(_odd_verdict(rng, 10_000))
    rng.shuffle(verdicts)

    def work() -> Iterator[str]:
        found = ensue.evaluate(gold, [ensue.Run("run", tuple(verdicts))], by_task=True)
        if added < 0.3 and verdicts:
            yield "verdicts that are doubled or of no pair count"
        scores = found.runs[0].scores
        n_answered = sum(verdict.label is not None for verdict in verdicts)
        if scores.counts.n_answered != n_answered:
            yield f"{scores.counts.n_answered} answers, counted: {n_answered}"
        for name, estimate in scores.measures.items():
            if estimate.value is not None and not 0 <= estimate.value <= 1:
                yield f"{name} is {estimate.value}"

    return f"evaluate {len(verdicts)} verdicts on {len(gold)} pairs", work


# Settings, and arguments of a wrong kind: errors of ours, and nothing else.


def odd_settings(rng: Random, folder: Path) -> tuple[str, Callable[[], Iterator[str]]]:  # noqa: ARG001
    """Load a recognizer with a setting that may make no sense, and judge by it."""
    name = rng.choice(registry.names("recognizer"))
    known = list(ensue.load(name).signature.settings)
    setting = rng.choice([*known, "cutoff", "cutoff", "colour", ""])
    value = rng.choice(
        [oddities.cell(rng), oddities.argument(rng), "0.3", "-inf", "nan", "yes", "3"]
    )

    def work() -> Iterator[str]:
        found = ensue.load(name, {setting: value})
        for verdict in found.judge([ensue.Pair("1", *oddities.PLAIN[:2])]):
            yield from complaints_of_verdict(verdict)
        json.dumps(found.signature.to_json(), allow_nan=False)
        str(found.signature)

    return f"load({name!r}, {{{setting!r}: {oddities.shown(value)}}})", work


def _calls() -> dict[str, tuple[Callable[..., Any], list[Any]]]:
    """Functions with arguments that are right; each is replaced by something else in turn."""
    gold = list(_gold()[:4])
    overlap = recognizer("overlap")
    run = ensue.Run("run", tuple(overlap.judge(gold)))
    header = RunHeader(overlap.signature)
    return {
        "judge": (ensue.judge, ["A dog barks.", "A dog barks.", "overlap"]),
        "explain": (ensue.explain, ["A dog barks.", "A dog barks.", "overlap"]),
        "load": (ensue.load, ["overlap", {}]),
        "read_pairs": (lambda source: list(ensue.read_pairs(source)), ["nowhere.xml"]),
        "read_run": (ensue.read_run, ["nowhere.jsonl"]),
        "write_pairs": (ensue.write_pairs, ["out.jsonl", gold]),
        "write_run": (ensue.write_run, ["out.jsonl", header, run.verdicts]),
        "evaluate": (ensue.evaluate, [gold, [run]]),
        "Recognizer.judge": (overlap.judge, [gold]),
        "Recognizer.explain": (overlap.explain, [gold[0]]),
    }


def wrong_arguments(rng: Random, folder: Path) -> tuple[str, Callable[[], Iterator[str]]]:
    """Call a public function with one argument of a wrong kind."""
    calls = _calls()
    name = rng.choice(list(calls))
    function, arguments = calls[name]
    position, value = rng.randrange(len(arguments)), oddities.argument(rng)
    if isinstance(arguments[0], str) and arguments[0].startswith("out."):
        arguments[0] = str(folder / arguments[0])
    arguments[position] = value

    def work() -> Iterator[str]:
        function(*arguments)
        if not _may_be(name, position, value):
            yield f"{oddities.shown(value)} is taken for what it is not"

    return f"{name}, argument {position + 1}: {oddities.shown(value)}", work


def _may_be(name: str, position: int, value: Any) -> bool:
    """Whether a value is right in that place after all."""
    if name in ("load",) and position == 1:
        return value is None or value == {}
    if name in ("evaluate", "Recognizer.judge", "write_pairs") and position in (0, 1):
        return (isinstance(value, Sequence | set | dict) and not value) or _is_spent(value)
    if name == "write_run" and position == 2:
        return _is_spent(value) or (hasattr(value, "__len__") and not len(value))
    return False


def _is_spent(value: Any) -> bool:
    return isinstance(value, Iterator) and next(value, None) is None


CALLS: Sequence[Callable[[Random, Path], tuple[str, Callable[[], Iterator[str]]]]] = (
    odd_texts,
    odd_texts,
    odd_texts,
    written_pairs,
    written_run,
    odd_evaluation,
    odd_settings,
    wrong_arguments,
    wrong_arguments,
)


def library_case(number: int, rng: Random, folder: Path, stock: Path, limit: float) -> Result:  # noqa: ARG001
    """Make a call and look at what comes back."""
    make = rng.choice(CALLS)
    what, work = make(rng, folder)
    began = time.perf_counter()
    complaints, error = called(lambda: list(work()), limit)
    seconds = time.perf_counter() - began
    end, told = "answered", list(complaints or ())
    if isinstance(error, ensue.EnsueError):
        end, told = "refused with an error", list(_complaints_of_error(error))
    elif isinstance(error, TimeLimitError):
        end, told = "TIME LIMIT", [f"it took more than {seconds:.0f} s"]
    elif error is not None:
        told = [f"{type(error).__name__}: {error}"]
    if told and end != "TIME LIMIT":
        end = "DEFECT"
    subject = f"library: {make.__name__.replace('_', ' ')}"
    return Result(number, subject, what, end, tuple(told), seconds, str(error or ""))


def _complaints_of_error(error: ensue.EnsueError) -> Iterator[str]:
    if not error.message or not error.code:
        yield "an error without a message"
    if len(str(error)) > LONGEST:
        yield f"an error of {len(str(error)):,} characters"
