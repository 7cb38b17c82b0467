"""Labels, the views in which two labellings are compared, and the tables that map other names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from ensue.errors import LabelError


class Label(StrEnum):
    """What holds between a text and a hypothesis."""

    ENTAILMENT = "entailment"
    """The hypothesis follows from the text."""
    CONTRADICTION = "contradiction"
    """The hypothesis is false if the text is true."""
    UNKNOWN = "unknown"
    """Neither follows nor is excluded."""
    NOT_ENTAILMENT = "not-entailment"
    """Contradiction or unknown, in 2-way gold and 2-way recognizers."""


class View(StrEnum):
    """The set of labels in which two labellings are compared."""

    TWO_WAY = "2-way"
    THREE_WAY = "3-way"

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels of this view, entailment first."""
        if self is View.TWO_WAY:
            return (Label.ENTAILMENT, Label.NOT_ENTAILMENT)
        return (Label.ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN)

    @property
    def chance(self) -> float:
        """The accuracy of guessing: 1 over the number of labels."""
        return 1 / len(self.labels)

    def of(self, label: Label) -> Label:
        """The label as this view sees it.

        >>> View.TWO_WAY.of(Label.CONTRADICTION)
        <Label.NOT_ENTAILMENT: 'not-entailment'>
        """
        if self is View.TWO_WAY and label is not Label.ENTAILMENT:
            return Label.NOT_ENTAILMENT
        if self is View.THREE_WAY and label is Label.NOT_ENTAILMENT:
            raise LabelError("'not-entailment' has no place in a 3-way view")
        return label


def coarser_view(*labellings: Iterable[Label]) -> View:
    """The finest view in which all the labellings can be compared.

    3-way needs a contradiction or an unknown somewhere and a not-entailment nowhere.

    >>> coarser_view([Label.ENTAILMENT, Label.UNKNOWN], [Label.ENTAILMENT])
    <View.THREE_WAY: '3-way'>
    >>> coarser_view([Label.ENTAILMENT, Label.UNKNOWN], [Label.NOT_ENTAILMENT])
    <View.TWO_WAY: '2-way'>
    """
    seen = {label for labelling in labellings for label in labelling}
    fine = Label.CONTRADICTION in seen or Label.UNKNOWN in seen
    return View.THREE_WAY if fine and Label.NOT_ENTAILMENT not in seen else View.TWO_WAY


LabelTable = Mapping[str, Label | None]
"""Names in a file, in lower case, and what they mean; None is "no gold"."""

PLAIN_LABELS: LabelTable = {label.value: label for label in Label} | {
    "not_entailment": Label.NOT_ENTAILMENT,
    "neutral": Label.UNKNOWN,
    "true": Label.ENTAILMENT,
    "false": Label.NOT_ENTAILMENT,
    "yes": Label.ENTAILMENT,
    "no": Label.NOT_ENTAILMENT,
}
"""What names mean where no format says otherwise."""


class LabelMapper:
    """Map the labels of one file by an explicit table, and notice when the file is ambiguous.

    `NO` is "not entailed" in a 2-way file and "contradicted" in RTE-3's 3-way files. Which of the
    two is never guessed: a `NO` (or `FALSE`) beside an `UNKNOWN` is an error until it is mapped.
    """

    def __init__(
        self, table: LabelTable, overrides: Mapping[str, Label | None] | None = None
    ) -> None:
        overrides = {name.strip().lower(): label for name, label in (overrides or {}).items()}
        self.table: LabelTable = {**table, **overrides}
        """The names known here, in lower case."""
        self.vague = frozenset(
            name
            for name in ("no", "false")
            if table.get(name) is Label.NOT_ENTAILMENT and name not in overrides
        )
        """The names that mean something else beside one of `fine`."""
        self.fine = frozenset(
            name
            for name, label in self.table.items()
            if label in (Label.CONTRADICTION, Label.UNKNOWN)
        )
        """The names of what is finer than "not entailed"."""
        self._seen_vague: str | None = None
        self._seen_fine: str | None = None

    @property
    def telling(self) -> frozenset[str]:
        """The names, in lower case, that can make a file ambiguous; none where nothing can."""
        return self.vague | self.fine if self.vague else frozenset()

    def are_clear(self, names: Iterable[str]) -> bool:
        """Whether labels of these names go together in one file, whatever their order."""
        keys = {name.strip().lower() for name in names}
        return not (keys & self.vague and keys & self.fine)

    def __call__(self, name: str, *, place: str | None = None) -> Label | None:
        """The label of that name, whatever its case.

        Raises:
            LabelError: the table does not have the name, or the file's labels are ambiguous.
        """
        key = name.strip().lower()
        if key not in self.table:
            raise LabelError(
                f"unknown label {name!r}; known here are: {', '.join(sorted(self.table))}",
                place=place,
                hint=f"map it, e.g. --read label:{name.strip() or 'NAME'}=not-entailment",
            )
        label = self.table[key]
        if key in self.vague:
            self._seen_vague = name
        elif key in self.fine:
            self._seen_fine = name
        if self._seen_vague and self._seen_fine:
            vague = self._seen_vague
            raise LabelError(
                f"{vague!r} and {self._seen_fine!r} in one file: {vague!r} may mean"
                " contradiction or not-entailment",
                place=place,
                hint=f"say which: --read label:{vague}=contradiction or --read label:{vague}=not-entailment",
            )
        return label
