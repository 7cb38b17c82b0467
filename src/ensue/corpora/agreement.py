"""From annotators to gold: how far they agree, and which pairs survive.

The challenge had each pair judged by the annotator who made it and by a second one, discarded the
pairs on which they disagreed, and let an organizer remove what still seemed controversial (Dagan,
Glickman & Magnini 2005, section 2.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ensue.corpora.dataset import Dataset, check_ids
from ensue.errors import DataError, SettingError, UnknownNameError
from ensue.pairs import PLAIN_LABELS, Label, LabelMapper, Pair, View, coarser_view
from ensue.statistics import RESAMPLING, AnnotatorAgreement, Resampling, annotator_agreement

GOLD = "gold"
"""The annotator who is the file's own gold."""

Labels = tuple[Label | None, ...]


@dataclass(frozen=True, slots=True)
class Annotations:
    """What each annotator says of each pair."""

    annotators: tuple[str, ...]
    pairs: tuple[Pair, ...]
    labels: tuple[Labels, ...]
    """For each pair a label from each annotator, or None where there is none."""

    @property
    def view(self) -> View:
        """The view in which all annotators can be compared."""
        return coarser_view(label for row in self.labels for label in row if label)


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many pairs were left after each step."""

    created: int
    judged: int
    """By all annotators."""
    agreed: int
    kept: int
    """After the review."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What came of annotations."""

    kept: tuple[Pair, ...]
    """With the label that was agreed on as gold."""
    discarded: tuple[Pair, ...]
    """Without gold; `meta.discarded` says why and `meta.labels` what the annotators said."""
    funnel: Funnel
    agreement: AnnotatorAgreement
    view: View


def annotations_from_columns(
    dataset: Dataset,
    annotators: Sequence[str],
    labels: Mapping[str, Label | None] | None = None,
) -> Annotations:
    """Annotations that stand in columns of one file; `gold` is the file's own gold.

    Raises:
        UnknownNameError: no pair has a column of that name.
        LabelError: an annotator gives a label that is not known.
        DataError: an id is there twice.
    """
    check_ids(dataset)
    columns = {column for pair in dataset.pairs for column in pair.meta}
    for name in annotators:
        if name != GOLD and name not in columns:
            raise UnknownNameError.of("annotator", name, {GOLD, *columns})
    mappers = {name: LabelMapper({**PLAIN_LABELS, "-": None}, labels) for name in annotators}
    rows = [
        tuple(_label(pair, name, mappers[name], dataset.place(i)) for name in annotators)
        for i, pair in enumerate(dataset.pairs)
    ]
    return Annotations(tuple(annotators), dataset.pairs, tuple(rows))


def annotations_from_files(datasets: Sequence[Dataset], names: Sequence[str]) -> Annotations:
    """Annotations that stand in one file each, as gold, for pairs with the same ids.

    Raises:
        DataError: an id is there twice in a file, or stands for different pairs in two.
    """
    spots: dict[str, tuple[Dataset, int]] = {}
    for dataset in datasets:
        check_ids(dataset)
        for i, pair in enumerate(dataset.pairs):
            home, j = spots.setdefault(pair.id, (dataset, i))
            if _sides(home.pairs[j]) != _sides(pair):
                raise _clash(pair.id, dataset.place(i), home.place(j))
    golds = [{pair.id: pair.gold for pair in dataset.pairs} for dataset in datasets]
    pairs = tuple(home.pairs[j] for home, j in spots.values())
    rows = tuple(tuple(mine.get(pair.id) for mine in golds) for pair in pairs)
    return Annotations(tuple(names), pairs, rows)


def settle(
    annotations: Annotations,
    *,
    votes: int | None = None,
    removed: Collection[str] = (),
    resampling: Resampling = RESAMPLING,
) -> Settlement:
    """Keep the pairs on which annotators agree and which no reviewer removed.

    Args:
        annotations: What the annotators say.
        votes: How many of them have to say the same; all of them where it is None.
        removed: Ids of pairs that a reviewer took out.
        resampling: Draws, level and seed of the intervals.

    Raises:
        SettingError: fewer than two annotators, or a number of votes that could go both ways.
        UndefinedError: no pair is judged by all annotators.
    """
    needed = _votes(votes, len(annotations.annotators))
    view = annotations.view
    kept: list[Pair] = []
    discarded: list[Pair] = []
    n_judged = n_agreed = 0
    for pair, row in zip(annotations.pairs, annotations.labels, strict=True):
        label = _winner(row, needed, view)
        n_judged += None not in row
        n_agreed += label is not None
        if label is not None and pair.id not in removed:
            kept.append(replace(pair, gold=label))
        else:
            reason = "review" if label else "disagreement" if None not in row else "not judged"
            discarded.append(_discarded(pair, reason, annotations.annotators, row))
    return Settlement(
        kept=tuple(kept),
        discarded=tuple(discarded),
        funnel=Funnel(len(annotations.pairs), n_judged, n_agreed, len(kept)),
        agreement=annotator_agreement(_codes(annotations), resampling=resampling),
        view=view,
    )


def _label(pair: Pair, annotator: str, mapper: LabelMapper, place: str) -> Label | None:
    if annotator == GOLD:
        return pair.gold
    name = str(pair.meta.get(annotator) or "")
    return mapper(name, place=place) if name.strip() else None


def _sides(pair: Pair) -> tuple[str, str]:
    return pair.text, pair.hypothesis


def _clash(pair_id: str, place: str, first: str) -> DataError:
    return DataError(
        "id-stands-another-pair",
        f"the id {pair_id!r} stands for another pair than at {first}",
        place=place,
        hint="annotators' files need the same ids for the same texts and hypotheses",
    )


def _votes(votes: int | None, n_annotators: int) -> int:
    if n_annotators < 2:
        raise SettingError(
            "agreement-needs-two-annotators",
            "agreement needs two annotators or more",
            hint="name them all",
        )
    if votes is not None and not n_annotators / 2 < votes <= n_annotators:
        raise SettingError(
            "votes-annotators-not-decide",
            f"{votes} votes of {n_annotators} annotators do not decide",
            hint=f"give {n_annotators // 2 + 1} to {n_annotators}",
        )
    return votes or n_annotators


def _winner(row: Labels, needed: int, view: View) -> Label | None:
    """The label with enough votes among annotators who all judged the pair."""
    if None in row:
        return None
    ((label, n),) = Counter(view.of(label) for label in row if label).most_common(1)
    return label if n >= needed else None


def _discarded(pair: Pair, reason: str, annotators: Sequence[str], row: Labels) -> Pair:
    said = {
        name: label.value if label else None for name, label in zip(annotators, row, strict=True)
    }
    return replace(pair, gold=None, meta={**pair.meta, "discarded": reason, "labels": said})


def _codes(annotations: Annotations) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The labels of the pairs that all annotators judged, as numbers."""
    view = annotations.view
    codes = {label: code for code, label in enumerate(view.labels)}
    rows = [
        [codes[view.of(label)] for label in row if label]
        for row in annotations.labels
        if None not in row
    ]
    shape = (len(rows), len(annotations.annotators))
    return np.array(rows, dtype=np.int64).reshape(shape)


def read_ids(lines: Iterator[tuple[int, str]], name: str, known: Collection[str]) -> set[str]:
    """The ids in a list, one a line.

    Raises:
        DataError: no pair has one of these ids.
    """
    found = set()
    for number, line in lines:
        pair_id = line.strip()
        if pair_id and pair_id not in known:
            raise DataError(
                "no-pair-id", f"no pair has the id {pair_id!r}", place=f"{name}:{number}"
            )
        found.add(pair_id)
    return found - {""}
