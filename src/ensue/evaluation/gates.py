"""Gates: the least that runs have to reach, for someone's own continuous integration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ensue.errors import SettingError
from ensue.evaluation.evaluating import find_measures
from ensue.evaluation.results import Evaluation


@dataclass(frozen=True, slots=True)
class Gate:
    """A measure and the least it has to reach."""

    measure: str
    least: float


def read_gate(text: str) -> Gate:
    """Read `MEASURE=LEAST`, or `LEAST` for the accuracy.

    >>> read_gate("cws=0.6"), read_gate("0.55")
    (Gate(measure='cws', least=0.6), Gate(measure='accuracy', least=0.55))

    Raises:
        SettingError: the least is not a number that the measure can reach.
        UnknownNameError: no measure has that name.
    """
    name, equals, number = text.rpartition("=")
    measure = find_measures([name if equals else "accuracy"])[0]
    low, high = measure.range
    try:
        least = float(number)
    except ValueError:
        raise SettingError(f"{number!r} is not a number", hint="e.g. accuracy=0.55") from None
    if not low <= least <= high:
        raise SettingError(
            f"{measure.name} lies in [{low:g}, {high:g}], so it cannot be held against {number}",
            hint="55 % is 0.55",
        )
    return Gate(measure.name, least)


def shortfalls(evaluation: Evaluation, gates: Sequence[Gate]) -> list[str]:
    """What falls short of a gate, one line each.

    An undefined number does, and so does a run for other data, whatever its numbers say.
    """
    if not gates:
        return []
    lines = [
        f"{finding.place}: {finding.message}"
        for finding in evaluation.findings
        if finding.code == "other-data"
    ]
    for gate in gates:
        for run in evaluation.runs:
            found = run.scores.measures[gate.measure]
            if found.value is None:
                lines.append(f"{run.name}: {gate.measure} is undefined: {found.reason}")
            elif found.value < gate.least:
                lines.append(
                    f"{run.name}: {gate.measure} {found.value:.6g} is under {gate.least:g}"
                )
    return lines
