"""Runs: verdicts on disk, in our JSONL with a header line or in the challenge's plain format."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2b, sha256
from itertools import chain
from pathlib import Path
from typing import Any

from ensue.errors import (
    ArgumentError,
    EnsueError,
    LabelError,
    OutputError,
    RunError,
    check_source,
)
from ensue.files import (
    STANDARD,
    RowFormat,
    decoded_lines,
    is_file,
    open_input,
    open_text_output,
    refuse_other_work,
    row_bytes,
    shown_name,
)
from ensue.pairs.model import Label, LabelMapper, Pair, Signature, Status, Verdict

RUN_VERSION = 1
"""The version of the header that `write_run` writes."""

COLUMNS = ("pair_id", "label", "score", "confidence", "status", "reason")
"""The fields of a verdict, which are the columns of a shard."""
NUMBERS = frozenset({"score", "confidence"})
"""Those that hold numbers."""

CHALLENGE_LABELS: Mapping[str, Label | None] = {
    "true": Label.ENTAILMENT,
    "false": Label.NOT_ENTAILMENT,
    "yes": Label.ENTAILMENT,
    "no": Label.NOT_ENTAILMENT,
    "entailment": Label.ENTAILMENT,
    "contradiction": Label.CONTRADICTION,
    "unknown": Label.UNKNOWN,
}
"""The labels of the challenge's plain format; the last three are RTE-4's and later."""

_PLAIN_NAMES = {Label.ENTAILMENT: "TRUE", Label.NOT_ENTAILMENT: "FALSE"}

_HASH_PRIME = (1 << 127) - 1
_HASH_BASE = 0x5C1A9E3B7D2F4806_91C7F35A2B8D6E4F


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run says of itself in its first line."""

    signature: Signature
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Name, number of pairs and hash of the pairs that were judged."""
    started: str | None = None
    """When, as an ISO 8601 time."""
    cost: Mapping[str, Any] | None = field(default=None, hash=False)
    """Pairs judged and seconds since the run was begun or last resumed; None while it goes on."""

    def to_json(self) -> dict[str, Any]:
        """The header line's object."""
        return {
            "ensue_run": RUN_VERSION,
            "signature": self.signature.to_json(),
            "data": dict(self.data),
            "started": self.started,
            "cost": dict(self.cost) if self.cost is not None else None,
        }


@dataclass(frozen=True, slots=True)
class Run:
    """One recorded execution of a recognizer over many pairs."""

    name: str
    """The file's name, or what else the run is called."""
    verdicts: tuple[Verdict, ...]
    lines: tuple[int, ...] = ()
    """The line of each verdict in its file, where there is one."""
    header: RunHeader | None = None
    ranked: bool = False
    """True where the order of the verdicts, kept in their scores, says how sure entailment is."""

    def place(self, i: int) -> str:
        """Where the i-th verdict stands: `file:line`."""
        return f"{self.name}:{self.lines[i]}" if self.lines else self.name


class PairHash:
    """The hash of a data set's content: ids, texts and hypotheses, in order, gold left out.

    The hash of a whole is had from those of its consecutive parts. Each pair has a digest
    d of 127 bits, and n pairs have the polynomial Σ dᵢ·Bⁿ⁻ⁱ modulo the prime 2¹²⁷ − 1.
    """

    def __init__(self) -> None:
        self._value = 0
        self.n_pairs = 0
        """How many pairs went in."""

    def add(self, pair: Pair) -> None:
        """Take one more pair in."""
        self.add_all([pair])

    def add_all(self, pairs: Iterable[Pair]) -> None:
        """Take more pairs in, in their order."""
        value, n_pairs = self._value, self.n_pairs
        for pair in pairs:
            said = f"{pair.id}\x1f{pair.text}\x1f{pair.hypothesis}\x1e"
            digest = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
            value = (value * _HASH_BASE + int.from_bytes(digest, "big")) % _HASH_PRIME
            n_pairs += 1
        self._value, self.n_pairs = value, n_pairs

    def extend(self, other: PairHash) -> None:
        """Take in all the pairs of another hash, after those that are in this one."""
        shifted = self._value * pow(_HASH_BASE, other.n_pairs, _HASH_PRIME)
        self._value = (shifted + other._value) % _HASH_PRIME
        self.n_pairs += other.n_pairs

    def state(self) -> dict[str, Any]:
        """What `from_state` needs to go on, in values that JSON can hold."""
        return {"pairs": self.n_pairs, "value": f"{self._value:032x}"}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> PairHash:
        """The inverse of `state`."""
        found = cls()
        found.n_pairs, found._value = int(state["pairs"]), int(state["value"], 16)
        return found

    def hexdigest(self) -> str:
        """The hash so far, of the pairs and of their number, in hexadecimal."""
        return sha256(f"{self.n_pairs}:{self._value:032x}".encode()).hexdigest()


def pairs_hash(pairs: Iterable[Pair]) -> str:
    """The hash of these pairs' ids, texts and hypotheses, in order."""
    total = PairHash()
    total.add_all(pairs)
    return total.hexdigest()


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """The object of a verdict's line."""
    return {
        "pair_id": verdict.pair_id,
        "label": verdict.label.value if verdict.label else None,
        "score": verdict.score,
        "confidence": verdict.confidence,
        "status": verdict.status.value,
        "reason": verdict.reason,
    }


def verdict_line(verdict: Verdict) -> str:
    """A verdict as one line of a run, with its line end."""
    return json.dumps(verdict_to_json(verdict)) + "\n"


def header_line(header: RunHeader) -> str:
    """A header as the first line of a run, with its line end."""
    return json.dumps(header.to_json()) + "\n"


def verdict_from_json(record: Any, *, place: str | None = None) -> Verdict:
    """The verdict that a line's object stands for.

    Raises:
        RunError: a field is missing, of the wrong kind or out of range.
    """
    if not isinstance(record, dict) or "pair_id" not in record:
        raise RunError(
            "verdict-needs-pair-id", "a verdict needs a 'pair_id'", place=place, hint=_LINE_HINT
        )
    pair_id = str(record["pair_id"])
    try:
        label = _label(record.get("label"))
        default = Status.DECIDED if label else Status.ABSTAINED
        return Verdict(
            pair_id=pair_id,
            label=label,
            score=_number(record, "score"),
            confidence=_number(record, "confidence"),
            status=Status(record.get("status") or default),
            reason=record.get("reason"),
        )
    except ValueError as error:
        raise RunError(
            "bad-verdict", f"verdict on {pair_id!r}: {error}", place=place, hint=_LINE_HINT
        ) from None


def read_run(source: str | Path, *, labels: Mapping[str, Label | None] | None = None) -> Run:
    """Read a run in our format or in the challenge's plain one; which, its first line says.

    Args:
        source: A file, packed or not, a folder of shards, or `-`.
        labels: What names in a plain run mean, beside or instead of the challenge's own.

    Raises:
        RunError: a line is neither, a pair is judged twice, a confidence is not in [0, 1], a folder
            is not finished or has lost a shard.
        ArgumentError: the source is no name.
    """
    check_source("source", source)
    from ensue.pairs.run_folders import is_folder, open_run_folder

    if is_folder(source):
        run = open_run_folder(source).run()
    else:
        run = _gathered(shown_name(source), run_items(source, labels=labels))
    _check_doubles(run)
    return run


@dataclass(frozen=True, slots=True)
class RunOrder:
    """What a plain run says of its order before its first verdict."""

    is_so: bool
    """Whether the order says how sure entailment is."""


RunItems = Iterator[tuple[int, RunHeader | RunOrder | Verdict]]
"""What a file of verdicts says, one thing after the other, with its line."""


def run_items(source: str | Path, *, labels: Mapping[str, Label | None] | None = None) -> RunItems:
    """Yield what a file of verdicts says, line by line, so that nothing has to be held.

    Raises:
        RunError: as `read_run`; that no pair is judged twice is not looked after.
    """
    name = shown_name(source)
    with open_input(source) as file:
        lines = ((n, line) for n, line in decoded_lines(file, name) if line.strip())
        first = next(lines, None)
        if first is None:
            raise RunError("run-empty", "the run is empty", place=name, hint=_LINE_HINT)
        if first[1].lstrip().startswith("<"):
            raise RunError("xml-not-run", "this is XML, not a run", place=name, hint=_LINE_HINT)
        if first[1].lstrip().startswith("{"):
            yield from _jsonl_items(name, chain([first], lines))
        else:
            yield from _plain_items(name, chain([first], lines), labels)


def read_header(source: str | Path) -> RunHeader | None:
    """The header of a run; None where its first line is none."""
    name = shown_name(source)
    with open_input(source) as file:
        line = file.readline()
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or "ensue_run" not in record:
        return None
    return header_from_json(record, place=f"{name}:1")


def check_replaced_run(target: str | Path, is_same: Callable[[RunHeader], bool]) -> None:
    """See that a run that is written takes the place of no other run, and of nothing else.

    Args:
        target: Where it is to go.
        is_same: Whether the run with this header is the one that is to be written.

    Raises:
        OutputError: a file is there that is not known to be the same run.
    """
    if target == STANDARD or not is_file(target) or not Path(target).stat().st_size:
        return
    try:
        header = read_header(target)
    except EnsueError:
        header = None
    if header is None:
        refuse_other_work(target, "something that is not known to be this run")
    if not is_same(header):
        refuse_other_work(target, f"another run, {header.signature}")


class RunFormat(StrEnum):
    """How verdicts are written."""

    PARQUET = "parquet"
    JSONL = "jsonl"
    PLAIN = "plain"


def verdict_bytes(verdicts: Sequence[Verdict], format: RunFormat) -> bytes:
    """Verdicts as a file without any header."""
    if format is RunFormat.PARQUET:
        rows = map(_verdict_row, verdicts)
        return row_bytes(COLUMNS, rows, format=RowFormat.PARQUET, numbers=NUMBERS)
    line = plain_line if format is RunFormat.PLAIN else verdict_line
    return "".join(map(line, verdicts)).encode()


def _verdict_row(verdict: Verdict) -> tuple[str | float | None, ...]:
    label = verdict.label.value if verdict.label else None
    status = verdict.status.value
    return verdict.pair_id, label, verdict.score, verdict.confidence, status, verdict.reason


def write_run(target: str | Path, header: RunHeader, verdicts: Iterable[Verdict]) -> None:
    """Write a run in our format; the file appears whole or not at all.

    Raises:
        ArgumentError: an argument is of another kind.
    """
    check_source("target", target)
    if not isinstance(header, RunHeader):
        raise ArgumentError.of("header", "a RunHeader", header)
    with open_text_output(target) as file:
        file.write(header_line(header))
        file.writelines(map(verdict_line, map(_verdict, verdicts)))


def _verdict(verdict: Verdict) -> Verdict:
    if not isinstance(verdict, Verdict):
        raise ArgumentError.of("verdicts", "verdicts", verdict)
    return verdict


def write_plain_run(target: str | Path, verdicts: Iterable[Verdict]) -> None:
    """Write a run in the challenge's plain format; pairs without a decision are left out."""
    with open_text_output(target) as file:
        file.writelines(map(plain_line, verdicts))


def plain_line(verdict: Verdict) -> str:
    """A verdict as a line of the challenge's plain format; nothing where there is no decision.

    Raises:
        OutputError: the format cannot hold the id.
    """
    if verdict.label is None:
        return ""
    _check_plain_id(verdict.pair_id)
    label = _PLAIN_NAMES.get(verdict.label, verdict.label.value.upper())
    confidence = "" if verdict.confidence is None else f" {verdict.confidence!r}"
    return f"{verdict.pair_id} {label}{confidence}\n"


def _check_plain_id(pair_id: str) -> None:
    """Refuse an id that the reader would take for something else."""
    is_other = pair_id[:1] == "{" or pair_id.lower().startswith("ranked:")
    is_halved = pair_id != pair_id.encode("utf-8", "replace").decode("utf-8")
    if len(pair_id.split()) != 1 or is_other or is_halved:
        raise OutputError(
            "plain-format-cannot-hold",
            f"the plain format cannot hold the id {pair_id!r}",
            hint="write the run as JSONL, or rename the pair",
        )


_LINE_HINT = (
    'a line is {"pair_id": …, "label": …, "score": …, "confidence": …, "status": …, "reason": …}'
    " or, in the challenge's plain format, ID TRUE|FALSE|YES|NO [CONFIDENCE]"
)


def _gathered(name: str, items: RunItems) -> Run:
    header: RunHeader | None = None
    ranked = False
    verdicts: list[Verdict] = []
    numbers: list[int] = []
    for number, item in items:
        if isinstance(item, Verdict):
            verdicts.append(item)
            numbers.append(number)
        elif isinstance(item, RunOrder):
            ranked = item.is_so
        else:
            header = item
    if ranked:
        n = len(verdicts)
        verdicts = [replace(each, score=rank_score(i, n)) for i, each in enumerate(verdicts)]
    return Run(name, tuple(verdicts), tuple(numbers), header, ranked)


def rank_score(i: int, n: int) -> float:
    """The score that stands for the i-th place, from 0, in a ranked run of n verdicts."""
    return (n - i) / n


def _jsonl_items(name: str, lines: Iterable[tuple[int, str]]) -> RunItems:
    begun = False
    for number, line in lines:
        place = f"{name}:{number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", str(error))
            raise RunError(
                "not-json", f"not JSON: {reason}", place=place, hint=_LINE_HINT
            ) from None
        if not begun and isinstance(record, dict) and "ensue_run" in record:
            yield number, header_from_json(record, place=place)
            continue
        begun = True
        yield number, verdict_from_json(record, place=place)


def header_from_json(record: Mapping[str, Any], *, place: str | None = None) -> RunHeader:
    """The inverse of `RunHeader.to_json`."""
    if record.get("ensue_run") != RUN_VERSION:
        raise RunError(
            "run-format-not-known",
            f"run format {record.get('ensue_run')!r} is not known here",
            place=place,
            hint=f"this version reads format {RUN_VERSION}",
        )
    try:
        return RunHeader(
            signature=Signature.from_json(record["signature"]),
            data=dict(record.get("data") or {}),
            started=record.get("started"),
            cost=record.get("cost"),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RunError(
            "broken-header",
            f"broken header: {type(error).__name__}: {error}",
            place=place,
            hint="a header has a signature with recognizer, version and settings",
        ) from None


def _plain_items(
    name: str,
    lines: Iterable[tuple[int, str]],
    labels: Mapping[str, Label | None] | None,
) -> RunItems:
    mapper = LabelMapper(CHALLENGE_LABELS, labels)
    begun = False
    for number, line in lines:
        head, _, tail = line.partition(":")
        if not begun and head.strip().lower() == "ranked":
            yield number, RunOrder(_ranked(tail, f"{name}:{number}"))
            continue
        begun = True
        yield number, _plain_verdict(line, mapper, f"{name}:{number}")


def _ranked(answer: str, place: str) -> bool:
    if answer.strip().lower() not in ("yes", "no"):
        raise RunError(
            "ranked-takes-yes-no", f"'ranked:' takes yes or no, not {answer.strip()!r}", place=place
        )
    return answer.strip().lower() == "yes"


def _plain_verdict(line: str, mapper: LabelMapper, place: str) -> Verdict:
    parts = line.split()
    if len(parts) not in (2, 3):
        raise RunError(
            "fields-due",
            f"{len(parts)} fields where 2 or 3 are due: {line[:60]!r}",
            place=place,
            hint=_LINE_HINT,
        )
    try:
        label = mapper(parts[1], place=place)
    except LabelError as error:
        raise RunError(error.code, error.message, place=place, hint=error.hint) from None
    try:
        confidence = float(parts[2]) if len(parts) == 3 else None
        status = Status.DECIDED if label else Status.ABSTAINED
        return Verdict(parts[0], label, confidence=confidence, status=status)
    except ValueError:
        raise RunError(
            "confidence-pair-not-number",
            f"confidence {parts[2]!r} of pair {parts[0]!r} is not a number in [0, 1]",
            place=place,
            hint="0 is no confidence in the judgment, 1 is full confidence",
        ) from None


def _check_doubles(run: Run) -> None:
    first: dict[str, int] = {}
    for i, verdict in enumerate(run.verdicts):
        if verdict.pair_id in first:
            raise RunError(
                "pair-judged-second-time",
                f"pair {verdict.pair_id!r} is judged a second time;"
                f" the first is at {run.place(first[verdict.pair_id])}",
                place=run.place(i),
                hint="keep one verdict a pair",
            )
        first[verdict.pair_id] = i


def _label(name: Any) -> Label | None:
    if name is None:
        return None
    try:
        return Label(name)
    except ValueError:
        known = ", ".join(Label)
        raise ValueError(f"unknown label {name!r}; known are: {known}") from None


def _number(record: Mapping[str, Any], key: str) -> float | None:
    value = record.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{key} {value!r} is not a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{key} is not a finite number")
    return number
