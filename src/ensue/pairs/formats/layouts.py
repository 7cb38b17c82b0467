"""Known layouts of columns: which column holds what, and what its labels mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.pairs.formats.model import FIELDS
from ensue.pairs.labels import PLAIN_LABELS, Label, LabelTable

_E, _N = Label.ENTAILMENT, Label.NOT_ENTAILMENT
_C, _U = Label.CONTRADICTION, Label.UNKNOWN

THREE_WAY_LABELS: LabelTable = {"entailment": _E, "neutral": _U, "contradiction": _C, "-": None}
"""SNLI and MultiNLI; `-` is "the annotators did not agree"."""
GLUE_LABELS: LabelTable = {"entailment": _E, "not_entailment": _N, "1": _E, "0": _N}
"""GLUE's own files; only WNLI has digits, and its 1 is entailment."""
PARAPHRASE_LABELS: LabelTable = {"1": _E, "0": _N}
"""MSRPC and MRPC: a paraphrase is entailed."""
NAMED_LABELS: LabelTable = {**PLAIN_LABELS, "-": None, "-1": None}
"""Files of the Hugging Face hub; digits mean something else in each, so they have to be mapped."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that make a layout recognizable, and what they hold."""

    name: str
    columns: Mapping[str, tuple[str, ...]] = field(hash=False)
    """Field → the columns that hold it; several are joined with a hyphen."""
    labels: LabelTable = field(default_factory=lambda: PLAIN_LABELS, hash=False)
    needs: tuple[str, ...] = ()
    """Columns that have to be there beside text and hypothesis."""

    def fits(self, header: Sequence[str]) -> bool:
        """Whether a file with this header has this layout."""
        needed = (*self.columns["text"], *self.columns["hypothesis"], *self.needs)
        return all(column in header for column in needed)


LAYOUTS = (
    Layout(
        "ensue",
        {
            "id": ("id",),
            "text": ("text",),
            "hypothesis": ("hypothesis",),
            "gold": ("gold",),
            "task": ("task",),
            "meta": ("meta",),
        },
    ),
    Layout(
        "snli",
        {
            "id": ("pairID",),
            "text": ("sentence1",),
            "hypothesis": ("sentence2",),
            "gold": ("gold_label",),
            "task": ("genre",),
        },
        THREE_WAY_LABELS,
        needs=("pairID",),
    ),
    Layout(
        "glue",
        {
            "id": ("index",),
            "text": ("sentence1",),
            "hypothesis": ("sentence2",),
            "gold": ("label",),
        },
        GLUE_LABELS,
        needs=("index",),
    ),
    Layout(
        "glue-qnli",
        {
            "id": ("index",),
            "text": ("sentence",),
            "hypothesis": ("question",),
            "gold": ("label",),
        },
        GLUE_LABELS,
        needs=("index",),
    ),
    Layout(
        "msrpc",
        {
            "id": ("#1 ID", "#2 ID"),
            "text": ("#1 String",),
            "hypothesis": ("#2 String",),
            "gold": ("Quality",),
        },
        PARAPHRASE_LABELS,
    ),
    Layout(
        "sick",
        {
            "id": ("pair_ID",),
            "text": ("sentence_A",),
            "hypothesis": ("sentence_B",),
            "gold": ("entailment_judgment",),
        },
        THREE_WAY_LABELS,
    ),
    Layout(
        "hub",
        {
            "id": ("idx",),
            "text": ("sentence1",),
            "hypothesis": ("sentence2",),
            "gold": ("label",),
        },
        NAMED_LABELS,
    ),
    Layout(
        "hub-qnli",
        {
            "id": ("idx",),
            "text": ("sentence",),
            "hypothesis": ("question",),
            "gold": ("label",),
        },
        NAMED_LABELS,
    ),
    Layout(
        "hub-nli",
        {
            "id": ("idx",),
            "text": ("premise",),
            "hypothesis": ("hypothesis",),
            "gold": ("label",),
        },
        NAMED_LABELS,
    ),
)
"""In the order in which they are tried."""

_OTHER_NAMES = {"entailment_judgment": "entailment_label"}
"""Columns that are called otherwise in another release of the same data."""


def find_layout(header: Sequence[str], columns: Mapping[str, str], place: str) -> Layout:
    """The layout of a file with this header, where `columns` of the user come first.

    Raises:
        DataError: no known layout fits, and the user's columns do not say enough; or two columns
            have the name of one that the layout uses.
        UnknownNameError: the user names a field or a column that is not there.
    """
    check_fields(columns)
    for column in columns.values():
        if column not in header:
            error = UnknownNameError.of("column", column, header)
            error.place = place
            raise error
    known = next((layout for layout in LAYOUTS if layout.fits(header)), None)
    if known is None:
        if not {"text", "hypothesis"} <= set(columns):
            raise _no_layout(header, place)
        known = Layout("given", {name: (name,) for name in (*FIELDS, "meta")})
    own = {name: (column,) for name, column in columns.items()}
    found = _present({**known.columns, **own}, header)
    _refuse_doubles(found, header, place)
    return Layout(known.name, found, known.labels)


def telling_columns(columns: Mapping[str, str]) -> frozenset[str]:
    """The columns that `find_layout` looks for; headers that share these share their layout."""
    known = {
        column
        for layout in LAYOUTS
        for held_by in (*layout.columns.values(), layout.needs)
        for column in held_by
    }
    return frozenset(known | set(_OTHER_NAMES.values()) | set(columns.values()))


def check_fields(columns: Mapping[str, str]) -> None:
    """Refuse columns for fields that a pair does not have."""
    for name in columns:
        if name not in FIELDS:
            raise UnknownNameError.of("field", name, FIELDS)


def refuse_columns(columns: Mapping[str, str], format_name: str) -> None:
    """Refuse columns for a format that has none."""
    if columns:
        raise SettingError(
            f"the format {format_name!r} has no columns to map", hint="leave --column out"
        )


def _present(
    columns: Mapping[str, tuple[str, ...]], header: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    found = {}
    for name, held_by in columns.items():
        held_by = tuple(c if c in header else _OTHER_NAMES.get(c, c) for c in held_by)
        if all(column in header for column in held_by):
            found[name] = held_by
    return found


def _refuse_doubles(
    columns: Mapping[str, tuple[str, ...]], header: Sequence[str], place: str
) -> None:
    for held_by in columns.values():
        for column in held_by:
            if header.count(column) > 1:
                raise DataError(
                    f"two columns are called {column!r}", place=place, hint="rename one of them"
                )


def _no_layout(header: Sequence[str], place: str) -> DataError:
    shown = ", ".join(repr(column) for column in header[:12])
    return DataError(
        f"no known layout has these columns: {shown}",
        place=place,
        hint="say which is which: --column text=COLUMN --column hypothesis=COLUMN",
    )
