"""Lists in the place of Shima & Mitamura's (2011), which are not to be had.

- *judged*: relations of Levy & Dagan (2016) with the relations that people were asked to hold
  against them, each list in four orders. Q is people's.
- *learned*: what our own methods learn from English text for the paper's ten verbs, in four ways.
  Q is a recognizer's.

The tasks are MSRPC and RTE, as far as they are in the directory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ensue.errors import DataError
from ensue.pairs import load_pairs
from ensue.paraphrase import ListKey, Numbers, RankedLists, content_words, joined
from ensue.paraphrase.acquisition import AcquisitionMethod, NgramSettings, Overlap, learn
from ensue.paraphrase.formats import lists_of_instances, read_instances
from ensue.paraphrase.quality import recognizer_quality
from ensue.paraphrase.recognition import Task, chosen_terms, term_counts
from ensue.reproduce.dimple_tables import VERBS
from ensue.translation.formats import open_set

RULES = "paraphrase-rules/daganlevy.txt"
CORPUS = "wmt12"
N_TERMS = 10
LONGEST = 10
"""Patterns of a list, as in the paper."""
EVERY = 5
"""One of so many outputs is parsed."""
QUALITY = "quality"
"""The column with Q."""
JUDGE = "features"
"""The recognizer whose Q stands for people's."""
ORDERS = ("features", "overlap", "modified-bleu")
"""Recognizers by which candidates are ordered; the fourth order is by the number of instances."""
_BY_NUMBER = "instances"

_WAYS: Mapping[str, NgramSettings | None] = {
    "pd": NgramSettings(),
    "pd-cosine": NgramSettings(overlap=Overlap.COSINE),
    "pd-narrow": NgramSettings(left=1, right=1),
    "br": None,
}
"""Methods of learning; None is that by noun phrases."""
_TASKS = {
    "MSRPC": ("msrpc/msr_paraphrase_train.txt", "msrpc/msr_paraphrase_test.txt"),
    "RTE": tuple(f"rte/rte{n}_{part}.xml" for n in (1, 2, 3) for part in ("dev", "test")),
}
"""Files of which some are in the directory."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """Lists with a Q for each pattern, in the column `quality`."""

    name: str
    what: str
    lists: RankedLists


def task_sets(directory: Path) -> list[Task]:
    """MSRPC and RTE, of the files that are there."""
    found = []
    for name, files in _TASKS.items():
        there = [directory / file for file in files if (directory / file).is_file()]
        if there:
            found.append(Task.of(name, [pair for path in there for pair in load_pairs(path)]))
    return found


def judged_lists(directory: Path, tasks: Sequence[Task]) -> StandIn | None:
    """Judged relations in four orders, for the terms in the most positive pairs of the tasks.

    A candidate answer (the second triple) was judged to answer a question (the first) or not; the
    question's relation is the term here, of which each has many candidates, so that what was
    judged is whether the paraphrase entails the term. The other direction nobody judged.
    """
    if not (directory / RULES).is_file():
        return None
    answers = read_instances(directory / RULES)
    questions = replace(
        answers,
        terms=answers.paraphrases,
        paraphrases=answers.terms,
        texts=answers.hypotheses,
        hypotheses=answers.texts,
    )
    candidates = _saying_something(lists_of_instances(questions, least=LONGEST))
    wanted = set(chosen_terms(f"top:{N_TERMS}", term_counts(tasks, candidates.terms)))
    which = [i for i, key in enumerate(candidates.keys) if key.term in wanted]
    chosen = candidates.chosen_lists(which)
    orders = {name: recognizer_quality(chosen, name) for name in ORDERS}
    orders[_BY_NUMBER] = chosen.columns["n_instances"]
    lists = joined([_ordered(chosen, name, each) for name, each in orders.items()])
    what = "judged relations of Levy & Dagan (2016), each list in four orders; Q by people"
    return StandIn("judged", what, lists)


def _saying_something(lists: RankedLists) -> RankedLists:
    return lists.chosen_lists([i for i, key in enumerate(lists.keys) if content_words(key.term)])


def _ordered(lists: RankedLists, method: str, confidence: Numbers) -> RankedLists:
    """The lists by falling confidence, under the name of a method, cut to the paper's length."""
    order = np.lexsort((np.arange(lists.n_patterns), -confidence, lists.list_of))
    sorted_lists = lists.chosen(order)
    first = sorted_lists.chosen(np.flatnonzero(sorted_lists.ranks <= LONGEST))
    return replace(first, keys=tuple(ListKey(key.term, method) for key in first.keys), places=None)


def learned_lists(directory: Path) -> StandIn | None:
    """Lists that were learned from English text which is in no task, for the paper's verbs."""
    if not (directory / CORPUS).is_dir():
        return None
    with TemporaryDirectory() as folder:
        whole, part = Path(folder, "whole.txt"), Path(folder, "part.txt")
        sentences = _write_corpus(directory / CORPUS, whole, part)
        parts = []
        for name, settings in _WAYS.items():
            by_words = settings is not None
            learned = learn(
                [whole if by_words else part],
                VERBS,
                method=AcquisitionMethod.NGRAMS if by_words else AcquisitionMethod.NOUN_PHRASES,
                ngrams=settings,
                most=LONGEST,
            )
            keys = tuple(ListKey(key.term, name) for key in learned.lists.keys)
            parts.append(replace(learned.lists, keys=keys))
    lists = _filled(joined(parts))
    quality = recognizer_quality(lists, JUDGE, sentences)
    n_empty = len(_WAYS) * len(VERBS) - len(lists)
    what = (
        f"learned by us from WMT 2012's English, in four ways ({n_empty} lists came out empty and"
        f" are left out); Q by the recognizer {JUDGE}"
    )
    lists = replace(lists, columns={**lists.columns, QUALITY: quality})
    return StandIn("learned", what, lists)


def _filled(lists: RankedLists) -> RankedLists:
    """Those with a pattern: where nothing was learned, there is nothing to score."""
    return lists.chosen_lists(np.flatnonzero(np.diff(lists.offsets)).tolist())


def _write_corpus(directory: Path, whole: Path, part: Path) -> list[str]:
    """Write references and outputs in English, each sentence once; give the references.

    To find noun phrases takes a parse of every sentence, so that these are looked for in the
    references and in one of `EVERY` outputs.
    """
    references = dict.fromkeys(_english(directory, with_outputs=False))
    if not references:
        raise DataError("no-segment-english", "no segment is into English", place=str(directory))
    outputs = dict.fromkeys(_english(directory, with_outputs=True))
    whole.write_text("\n".join([*references, *outputs]) + "\n", "utf-8")
    part.write_text("\n".join([*references, *list(outputs)[::EVERY]]) + "\n", "utf-8")
    return list(references)


def _english(directory: Path, *, with_outputs: bool) -> Iterator[str]:
    for segment in open_set([str(directory)]).segments():
        if segment.language_pair.endswith("-en"):
            texts = segment.outputs.values() if with_outputs else segment.references
            yield from (" ".join(text.split()) for text in texts)
