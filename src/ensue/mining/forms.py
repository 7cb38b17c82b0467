"""The forms of cases as arrays, and how they are found: tag pairs, words, lemmas, columns.

A generated case says in `meta` which constructions realize each predicate on both sides:
`"tags": [{"predicate": "send", "text": ["V-A-R"], "hypothesis": ["V-P"]}, …]`. Its forms are the
pairs (tag in the hypothesis, tag in the text) of the same predicate (Bedaride & Gardent 2010,
section 4), written with the hypothesis first: `V-P/V-A-R`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ensue.errors import DataError, EnsueError, SettingError, UnknownNameError
from ensue.language.lexicon import load_lexicon
from ensue.mining.kernels import occurrences, two_by_two
from ensue.pairs import Pair
from ensue.surface import WORDS, DistinctRows, tokenize_sides

# The forms of cases as arrays: what a case has that may be to blame for an error.

TOGETHER = " + "
"""Stands between two forms that are mined as one."""

_MOST = 200_000_000
"""So many occurrences of two forms together fit into memory; 16 bytes each, and as many to sort."""


@dataclass(frozen=True, slots=True, eq=False)
class Forms:
    """The forms of many cases; in one case each form occurs once or not at all."""

    names: tuple[str, ...]
    """The forms, by their numbers."""
    offsets: NDArray[np.int64]
    """Where each case's forms begin in `ids`, with the end of the last."""
    ids: NDArray[np.int32]
    """The numbers of all cases' forms, case after case, increasing in each."""

    @property
    def n_cases(self) -> int:
        """Cases, those without a form included."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many forms each case has."""
        return np.diff(self.offsets)

    def of(self, case: int) -> tuple[str, ...]:
        """The forms of one case, by name."""
        found = self.ids[self.offsets[case] : self.offsets[case + 1]]
        return tuple(self.names[i] for i in found)

    def counts(
        self, times: NDArray[np.bool_] | NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """In how many cases each form occurs, where the i-th case counts `times[i]` times."""
        weights = np.ones(self.n_cases, np.int64) if times is None else times.astype(np.int64)
        return occurrences(self.offsets, self.ids, weights, len(self.names))

    def subset(self, chosen: NDArray[np.bool_]) -> Forms:
        """The same forms on some of the cases."""
        ids = self.ids[np.repeat(chosen, self.sizes)]
        return Forms(self.names, _offsets(self.sizes[chosen]), ids)

    def take(self, cases: NDArray[np.int64]) -> Forms:
        """The same forms on these cases, in this order."""
        sizes = self.sizes[cases]
        offsets = _offsets(sizes)
        places = np.repeat(self.offsets[cases] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Forms(self.names, offsets, self.ids[places])

    def cases_with(self, form: int) -> NDArray[np.intp]:
        """The cases that have the form."""
        return np.searchsorted(self.offsets, np.flatnonzero(self.ids == form), "right") - 1


def forms_of(cases: Iterable[Iterable[str]]) -> Forms:
    """Number the forms of each case, in the order in which they are first met.

    >>> forms = forms_of([["VP/VA", "N/VA"], [], ["VP/VA", "VP/VA"]])
    >>> forms.names, forms.counts().tolist(), forms.of(2)
    (('VP/VA', 'N/VA'), [2, 1], ('VP/VA',))
    """
    numbers: dict[str, int] = {}
    sizes: list[int] = []
    ids: list[int] = []
    for case in cases:
        found = {numbers.setdefault(name, len(numbers)) for name in case}
        sizes.append(len(found))
        ids.extend(sorted(found))
    return Forms(tuple(numbers), _offsets(np.array(sizes, np.int64)), np.array(ids, np.int32))


def distinct_forms(
    cases: NDArray[np.int64], ids: NDArray[np.int64], names: Sequence[str], n_cases: int
) -> Forms:
    """Forms from occurrences in any order, in which a form may occur in a case many times."""
    return Forms(tuple(names), *distinct_ids(cases, ids, len(names), n_cases))


def distinct_ids(
    cases: NDArray[np.int64], ids: NDArray[np.int64], n_forms: int, n_cases: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The same as offsets and ids, where the forms have no names yet."""
    # sorted by ourselves: where nearly all are different, np.unique takes ten times as long
    keys = np.sort(cases * max(n_forms, 1) + ids)
    occurring = keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
    in_case, form = np.divmod(occurring, max(n_forms, 1))
    sizes = np.bincount(in_case, minlength=n_cases).astype(np.int64)
    return _offsets(sizes), form.astype(np.int32)


def side_by_side(parts: Sequence[Forms]) -> Forms:
    """Forms of several kinds on the same cases, as one.

    Raises:
        SettingError: two kinds have a form of one name, or there is none.
    """
    if not parts:
        raise no_forms()
    names = [name for part in parts for name in part.names]
    if len(set(names)) < len(names):
        raise same_name()
    starts = np.cumsum([0, *(len(part.names) for part in parts)])
    cases = [np.repeat(np.arange(part.n_cases), part.sizes) for part in parts]
    ids = [part.ids.astype(np.int64) + start for part, start in zip(parts, starts, strict=False)]
    return distinct_forms(np.concatenate(cases), np.concatenate(ids), names, parts[0].n_cases)


def no_forms() -> SettingError:
    """What is said where no kind of forms is named."""
    return SettingError("no-forms-mine", "there are no forms to mine", hint="e.g. tags or words")


def same_name() -> SettingError:
    """What is said where two kinds have a form of one name."""
    return SettingError(
        "two-kinds-forms-form",
        "two kinds of forms have a form of one name",
        hint="name each kind of forms once",
    )


def with_pairs_of_forms(
    forms: Forms, support: int, times: NDArray[np.int64] | None = None
) -> Forms:
    """The forms, and every two of them that occur together in at least `support` cases.

    Two forms are named together in alphabetical order.

    Args:
        forms: The forms of each case.
        support: The least number of cases.
        times: How many times each case counts; once, where it is not given.

    Raises:
        SettingError: the support is below 1, or so low that there are too many.
    """
    if support < 1:
        raise SettingError(
            "support-makes-no-sense", f"a support of {support!r} makes no sense", hint="at least 1"
        )
    times = np.ones(forms.n_cases, np.int64) if times is None else times
    frequent = _frequent(forms, support, times)
    n_found = int((frequent.sizes * (frequent.sizes - 1) // 2).sum())
    if n_found > _MOST:
        raise SettingError(
            "times-two-forms-occur",
            f"{n_found:,} times two forms occur together: too many to count",
            hint=f"ask for more support than {support}",
        )
    cases, first, second = two_by_two(frequent.offsets, frequent.ids, n_found)
    keys = first.astype(np.int64) * max(len(forms.names), 1) + second
    found, ids = np.unique(keys, return_inverse=True)
    kept = np.bincount(ids, times[cases], minlength=len(found)) >= support
    names = [_both(forms, int(key)) for key in found[kept]]
    numbers = np.cumsum(kept) - 1
    chosen = kept[ids]
    pairs = distinct_forms(cases[chosen], numbers[ids[chosen]], names, forms.n_cases)
    return side_by_side([forms, pairs])


def _frequent(forms: Forms, support: int, times: NDArray[np.int64]) -> Forms:
    """The forms with that support: no two occur together more often than either does alone."""
    kept = (forms.counts(times) >= support)[forms.ids]
    cases = np.repeat(np.arange(forms.n_cases), forms.sizes)[kept]
    sizes = np.bincount(cases, minlength=forms.n_cases).astype(np.int64)
    return Forms(forms.names, _offsets(sizes), forms.ids[kept])


def _both(forms: Forms, key: int) -> str:
    """What two forms are called together, whichever of them was met first."""
    return TOGETHER.join(sorted(forms.names[i] for i in divmod(key, len(forms.names))))


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])


# Find the forms of pairs: tag pairs, words, lemmas, the task, or the values of any column.

TAGS = "tags"
"""The kind of forms that is mined where nothing else is asked for, and its key in `Pair.meta`."""

SLASH = "/"
"""Stands between the hypothesis' tag and the text's."""

_WORDS_HINT = "mine words or a column instead, e.g. --forms words"
_COLUMN_HINT = "mine words or a column, e.g. --forms words"
_TAGS_HINT = 'a pair needs meta.tags: [{"predicate": …, "text": [tag, …], "hypothesis": [tag, …]}]'


@dataclass(frozen=True, slots=True)
class FormKind:
    """A kind of forms: how they are found, and what it takes to have some."""

    name: str
    find: Callable[[Sequence[Pair]], Forms]
    """The forms of each pair; none, where a pair has nothing to make them of."""
    has: Callable[[Pair], bool]
    """Whether a pair has what they are made of."""
    missing: Callable[[Iterable[str]], EnsueError] | None = None
    """What to raise where no pair has, given the columns that pairs have in `meta`; None where
    every pair has."""

    def of(self, pairs: Sequence[Pair]) -> Forms:
        """The forms of each pair, where at least one has what they are made of."""
        if self.missing is not None and not any(map(self.has, pairs)):
            raise self.missing({name for pair in pairs for name in pair.meta})
        return self.find(pairs)


def form_kind(name: str) -> FormKind:
    """The kind of that name; a name that is not ours is that of a column in `meta`."""
    return _KINDS.get(name) or _column_kind(name)


def find_forms(
    pairs: Sequence[Pair], kinds: Sequence[str] = (TAGS,), *, support: int | None = None
) -> Forms:
    """The forms of each pair.

    Args:
        pairs: The cases.
        kinds: `tags`, `words` (of the hypothesis as `H:word` and of the text as `T:word`),
            `lemmas` (the same in base forms), `task`, or the name of a column in `meta`, whose values, or the parts of whose lists, are
            forms as `column=value`.
        support: Every two forms that occur together in so many cases are a form, too.

    Raises:
        DataError: no pair has tags or a task, or tags or a column cannot be read.
        UnknownNameError: no pair has such a column.
        SettingError: a kind is named twice, or the support is too low.
    """
    forms = side_by_side([form_kind(kind).of(pairs) for kind in kinds])
    return forms if support is None else with_pairs_of_forms(forms, support)


def form_kinds(pairs: Sequence[Pair]) -> list[str]:
    """The kinds of forms that these pairs have, the most telling first.

    A column is none where it holds anything but texts, numbers and truth values, or where hardly a
    value comes twice: it is a name then, and says nothing of other pairs.

    >>> pairs = [Pair(str(i), "a", "b", meta={"clauses": i % 2, "group": i}) for i in range(9)]
    >>> form_kinds(pairs)
    ['clauses', 'words', 'lemmas']
    """
    first = [name for name in (TAGS, "task") if any(map(_KINDS[name].has, pairs))]
    columns = dict.fromkeys(name for pair in pairs for name in pair.meta)
    own = [name for name in columns if name not in _KINDS and _repeats(pairs, name)]
    return [*first, *own, "words", "lemmas"]


def _repeats(pairs: Sequence[Pair], column: str) -> bool:
    try:
        forms = column_forms(pairs, column)
    except DataError:
        return False
    return 2 * len(forms.names) < len(forms.ids)


def tag_forms(pairs: Sequence[Pair]) -> Forms:
    """The tag pairs of each pair, from `meta.tags`.

    Raises:
        DataError: no pair has tags, or they are not what they should be.
    """
    return form_kind(TAGS).of(pairs)


def word_forms(pairs: Sequence[Pair]) -> Forms:
    """The words of each pair in lower case, those of the two sides apart: `H:book`, `T:book`."""
    return _of_words(pairs, lambda word: word)


def lemma_forms(pairs: Sequence[Pair]) -> Forms:
    """The same with each word's most frequent lemma in WordNet: `H:send` for "sent"."""
    return _of_words(pairs, load_lexicon().base_form)


def task_forms(pairs: Sequence[Pair]) -> Forms:
    """The task of each pair, as `task=QA`.

    Raises:
        DataError: no pair has a task.
    """
    return form_kind("task").of(pairs)


def column_forms(pairs: Sequence[Pair], column: str) -> Forms:
    """The values of a column of `meta`, as `column=value`; each part of a list is a form.

    Raises:
        UnknownNameError: no pair has the column.
        DataError: a value is neither text, number nor truth value, nor a list of these.
    """
    return _column_kind(column).of(pairs)


def _of_words(pairs: Sequence[Pair], form: Callable[[str], str]) -> Forms:
    tokens, *sides = tokenize_sides(
        [pair.hypothesis for pair in pairs], [pair.text for pair in pairs], WORDS
    )
    numbers: dict[str, int] = {}
    number_of = [numbers.setdefault(form(word), len(numbers)) for word in tokens.vocabulary()]
    ids = np.array(number_of, np.int64)[tokens.ids]
    ids[sides[1][0] :] += len(numbers)
    cases = [np.repeat(np.arange(len(pairs)), np.diff(offsets)) for offsets in sides]
    names = [f"{mark}:{word}" for mark in "HT" for word in numbers]
    return distinct_forms(np.concatenate(cases), ids, names, len(pairs))


_KINDS = {
    kind.name: kind
    for kind in (
        FormKind(
            TAGS,
            lambda pairs: forms_of([list(_tag_pairs(pair)) for pair in pairs]),
            lambda pair: TAGS in pair.meta,
            lambda _: DataError("no-pair-tags", "no pair has tags", hint=_WORDS_HINT),
        ),
        FormKind("words", word_forms, lambda _: True),
        FormKind("lemmas", lemma_forms, lambda _: True),
        FormKind(
            "task",
            lambda pairs: forms_of(
                [f"task={pair.task}"] if pair.task is not None else [] for pair in pairs
            ),
            lambda pair: pair.task is not None,
            lambda _: DataError("no-pair-task", "no pair has a task", hint=_COLUMN_HINT),
        ),
    )
}


def _column_kind(column: str) -> FormKind:
    def find(pairs: Sequence[Pair]) -> Forms:
        return forms_of(
            [f"{column}={_plain(value, column, pair)}" for value in _values(pair.meta.get(column))]
            for pair in pairs
        )

    def missing(columns: Iterable[str]) -> EnsueError:
        return UnknownNameError.of("kind of forms or column", column, {*_KINDS, *columns})

    return FormKind(column, find, lambda pair: column in pair.meta, missing)


def _tag_pairs(pair: Pair) -> Iterator[str]:
    entries = pair.meta.get(TAGS, [])
    if not isinstance(entries, list):
        raise _tags_error(pair, entries)
    sides: dict[str, tuple[list[str], list[str]]] = {}
    for entry in entries:
        hypothesis, text = _tags(pair, entry, "hypothesis"), _tags(pair, entry, "text")
        of_predicate = sides.setdefault(str(entry["predicate"]), ([], []))
        of_predicate[0].extend(hypothesis)
        of_predicate[1].extend(text)
    for in_hypothesis, in_text in sides.values():
        yield from (f"{of_h}{SLASH}{of_t}" for of_h in in_hypothesis for of_t in in_text)


def _tags(pair: Pair, entry: Any, side: str) -> list[str]:
    tags = entry.get(side, []) if isinstance(entry, Mapping) and "predicate" in entry else None
    if not isinstance(tags, list) or not all(map(_is_tag, tags)):
        raise _tags_error(pair, entry)
    return tags


def _is_tag(tag: Any) -> bool:
    return isinstance(tag, str) and tag != "" and SLASH not in tag


def _tags_error(pair: Pair, found: Any) -> DataError:
    return DataError(
        "pair-tags-make-no",
        f"pair {pair.id!r} has tags that make no sense: {found!r}",
        hint=_TAGS_HINT,
    )


def _values(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _plain(value: Any, column: str, pair: Pair) -> str:
    if isinstance(value, str | int | float):
        return str(value)
    raise DataError(
        "pair-column-no-form",
        f"pair {pair.id!r} has {value!r} in the column {column!r}, which is no form",
        hint="a column holds texts, numbers, truth values, or lists of these",
    )


# The distinct sets of forms among very many cases, met batch after batch.

MOST = 5_000_000
"""So many sets of forms, or profiles, are counted, at some 100 bytes each."""

MOST_FORMS = 200_000_000
"""So many forms there may be in all sets together, at 4 bytes each."""

_FEWER = "mine fewer kinds of forms, or such as many cases share: tags or a column, not words"


@dataclass(frozen=True, slots=True, eq=False)
class CaseForms:
    """The forms of very many cases: 4 bytes a case, and each distinct set of forms once."""

    sets: Forms
    """The distinct sets of forms."""
    of_case: NDArray[np.int32]
    """The number of each case's set."""

    @classmethod
    def of(cls, forms: Forms) -> CaseForms:
        """The same of forms that are held case by case."""
        rows = DistinctRows()
        numbers = rows.numbers(forms.offsets, forms.ids)
        return cls(Forms(forms.names, rows.offsets, rows.values), numbers.astype(np.int32))

    @property
    def n_cases(self) -> int:
        """Cases, those without a form included."""
        return len(self.of_case)

    def with_pairs_of_forms(self, support: int) -> CaseForms:
        """As `with_pairs_of_forms`, for the cases behind the sets."""
        times = np.bincount(self.of_case, minlength=self.sets.n_cases).astype(np.int64)
        return CaseForms(with_pairs_of_forms(self.sets, support, times), self.of_case)


class FormSets:
    """Numbers the distinct sets of forms as cases come along, and holds each once."""

    def __init__(self, kinds: Sequence[str]) -> None:
        if not kinds:
            raise no_forms()
        self.kinds = tuple(map(form_kind, kinds))
        self._numbers: dict[str, int] = {}
        self._kinds_of: list[int] = []
        self._sets = DistinctRows()
        self._seen = [False] * len(kinds)
        self._columns: set[str] = set()

    def of_pairs(self, pairs: Sequence[Pair]) -> NDArray[np.int64]:
        """The number of each pair's set of forms.

        Raises:
            DataError: as the kinds of forms raise it.
            SettingError: as `add`.
        """
        self.look_at(pairs)
        return self.add([kind.find(pairs) for kind in self.kinds])

    def look_at(self, pairs: Sequence[Pair]) -> None:
        """See whether these pairs have what the forms are made of."""
        for k, kind in enumerate(self.kinds):
            if not self._seen[k]:
                self._seen[k] = any(map(kind.has, pairs))
                self._columns.update(name for pair in pairs for name in pair.meta)

    def saw(self, name: str) -> None:
        """Note that some case has what the forms of that kind are made of."""
        self._seen = [
            seen or kind.name == name for seen, kind in zip(self._seen, self.kinds, strict=True)
        ]

    def add(self, parts: Sequence[Forms]) -> NDArray[np.int64]:
        """The number of each case's set, from its forms of each kind.

        Raises:
            SettingError: two kinds have a form of one name, or there are too many sets.
        """
        n_cases = parts[0].n_cases
        cases = np.concatenate([np.repeat(np.arange(n_cases), part.sizes) for part in parts])
        ids = np.concatenate([self._renumbered(k, part) for k, part in enumerate(parts)])
        rows = distinct_ids(cases, ids, len(self._numbers), n_cases)
        found = self._sets.numbers(*rows).astype(np.int64)
        check_number(self._sets.n_rows, MOST, "different sets of forms")
        check_number(self._sets.n_values, MOST_FORMS, "forms in different sets")
        return found

    def forms(self) -> Forms:
        """The sets, by their numbers.

        Raises:
            DataError, UnknownNameError: no case has what the forms of a kind are made of.
        """
        for kind, seen in zip(self.kinds, self._seen, strict=True):
            if kind.missing is not None and not seen:
                raise kind.missing(self._columns)
        return Forms(tuple(self._numbers), self._sets.offsets, self._sets.values)

    def _renumbered(self, k: int, part: Forms) -> NDArray[np.int64]:
        """The numbers that the forms of one kind have here; new ones get the next."""
        known = np.zeros(len(part.names), np.int64)
        for i in np.unique(part.ids).tolist():
            number = self._numbers.setdefault(part.names[i], len(self._numbers))
            if number == len(self._kinds_of):
                self._kinds_of.append(k)
            elif self._kinds_of[number] != k:
                raise same_name()
            known[i] = number
        return known[part.ids]


def check_number(n: int, most: int, what: str) -> None:
    """Refuse more of something than fit into memory.

    Raises:
        SettingError: there are more than `most`.
    """
    if n > most:
        raise SettingError("too-many", f"there are more than {most:,} {what}", hint=_FEWER)
