"""Boxes: what is introduced, and what is said of it (Kamp and Reyle 1993)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ensue.logic.formulas import Formula, Variable, conjunction, exists


@dataclass(slots=True)
class Box:
    """Referents and conditions on them; a formula that there are such things."""

    variables: list[Variable] = field(default_factory=list)
    conditions: list[Formula] = field(default_factory=list)

    def say(self, *conditions: Formula) -> None:
        """Add conditions that are not there yet."""
        for condition in conditions:
            if condition not in self.conditions:
                self.conditions.append(condition)

    def formula(self) -> Formula:
        """That there is what the box introduces, of which all conditions hold."""
        return exists(self.variables, conjunction(self.conditions))
