"""Recompute "Diversity-aware Evaluation for Paraphrase Patterns" (Shima & Mitamura 2011).

The paper's lists, their judgments and one of its three tasks are not to be had. What can be
recomputed without them is in `dimple_claims`. The whole experiment is run on other lists,
where the directory of data holds some of:

- `paraphrase-rules/daganlevy.txt`: judged relations;
- `wmt12`: English text to learn from;
- `msrpc` and `rte`: the tasks, as far as they are there.

Stand-ins stand beside the paper's tables and neither agree nor differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ensue.errors import DataError
from ensue.pairs import load_pairs
from ensue.paraphrase import (
    Association,
    CorrelationDifference,
    Correlations,
    ListCorrelation,
    ListKey,
    Numbers,
    RankedLists,
    content_words,
    correlate_lists,
    intrinsic_scores,
    joined,
    joined_scores,
    performance_scores,
)
from ensue.paraphrase.acquisition import AcquisitionMethod, NgramSettings, Overlap, learn
from ensue.paraphrase.formats import lists_of_instances, read_instances
from ensue.paraphrase.quality import recognizer_quality
from ensue.paraphrase.recognition import (
    Recognition,
    Task,
    chosen_terms,
    method_performances,
    recognize,
    term_counts,
)
from ensue.paraphrase.scores import KS, MEASURES, ScoredLists, ScoreSettings, Unjudged, score
from ensue.reproduce.dimple_tables import CELLS, NAME, TASKS, VERBS, claims, listings, verb_key
from ensue.reproduce.model import (
    Listing,
    PublishedFigure,
    Reproduction,
    ReproductionKind,
    estimates_side_by_side,
    paper_of,
    published_number,
)
from ensue.statistics import RESAMPLING, Coefficient, Resampling
from ensue.translation.formats import open_set

# Lists in the place of the paper's.
#
# - *judged*: relations of Levy & Dagan (2016) with the relations that people were asked to hold
#   against them, each list in four orders. Q is people's.
# - *learned*: what our own methods learn from English text for the paper's ten verbs, in four ways.
#   Q is a recognizer's.
#
# The tasks are MSRPC and RTE, as far as they are in the directory.

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


_NO_DATA = (
    "the experiment is run on other lists where --data DIR holds msrpc or rte, and"
    " paraphrase-rules or wmt12"
)


def reproduce(directory: Path, seed: int = 0, *, draws: int = RESAMPLING.draws) -> Reproduction:
    """Recompute what can be, and run the experiment on stand-ins that the directory allows.

    Args:
        directory: Holds some of what the module names; without any of it only arithmetic is done.
        seed: Of the resamples.
        draws: How many there are.
    """
    paper, remarks = paper_of(NAME)
    found = list(listings())
    tasks = task_sets(directory)
    if tasks:
        found.append(_verbs_listing(tasks))
        for stand_in in (judged_lists(directory, tasks), learned_lists(directory)):
            if stand_in is not None:
                found += _experiment(stand_in, tasks, Resampling(draws, seed=seed))
    else:
        remarks = (*remarks, _NO_DATA)
    return Reproduction(NAME, paper, _figures(), remarks, tuple(found))


def _figures() -> tuple[PublishedFigure, ...]:
    """All but the cells of the tables, which cannot be recomputed: the listings have them."""
    cells = {cell.key for cell in CELLS} | {
        verb_key(verb, task) for verb in VERBS for task in TASKS
    }
    every = estimates_side_by_side(NAME, claims())
    return tuple(figure for figure in every if figure.key not in cells)


def _verbs_listing(tasks: Sequence[Task]) -> Listing:
    """Table 1 on the pairs at hand."""
    counts = term_counts(tasks, VERBS)
    columns = [name for task in tasks for name in (f"{task.name} here", f"{task.name} published")]
    rows = []
    for verb, here in zip(VERBS, counts.positive.tolist(), strict=True):
        published = [round(published_number(NAME, verb_key(verb, task.name))) for task in tasks]
        rows.append((verb, *(n for both in zip(here, published, strict=True) for n in both)))
    sizes = ", ".join(f"{task.name}: {task.n_positive:,}" for task in tasks)
    return Listing(
        "verbs-here",
        "Table 1 on the pairs at hand: positive pairs with the verb on a side",
        ("verb", *columns),
        tuple(rows),
        (f"positive pairs at hand: {sizes}; the paper has 3,900 of MSRPC and 2,805 of RTE",),
    )


def _experiment(stand_in: StandIn, tasks: Sequence[Task], resampling: Resampling) -> list[Listing]:
    settings = ScoreSettings(unjudged=Unjudged.SKIP)
    scored = score(stand_in.lists, settings, f"column:{QUALITY}")
    recognition = recognize(scored.lists, tasks)
    intrinsic = intrinsic_scores(scored, "")
    whole, added = (
        correlate_lists(
            joined_scores([intrinsic, performance_scores(recognition, by_patterns=by_patterns)]),
            resampling=resampling,
        )
        for by_patterns in (False, True)
    )
    return [
        _means_listing(stand_in, scored, recognition),
        _correlations_listing(stand_in, whole, added),
        _differences_listing(stand_in, whole),
    ]


def _means_listing(stand_in: StandIn, scored: ScoredLists, recognition: Recognition) -> Listing:
    """What the lists of each method score and do."""
    k = max(KS)
    performances = {
        (each.method, each.task): each
        for each in method_performances(recognition, resampling=Resampling(draws=0))
    }
    rows = []
    for method in scored.lists.methods:
        shares = [
            number.value
            for task in recognition.tasks
            for number in (
                performances[method, task].performance,
                performances[method, task].by_patterns,
                performances[method, task].precision,
            )
        ]
        means = [scored.mean(measure, k, method).value for measure in MEASURES]
        n = int(scored.of_method(method).sum())
        rows.append((method, n, *means, *shares))
    columns = [
        f"{task} {what}"
        for task in recognition.tasks
        for what in ("performance", "by patterns", "precision")
    ]
    return Listing(
        f"{stand_in.name}-lists",
        f"Stand-in: {stand_in.what}",
        ("method", "lists", *(f"{measure}@{k}" for measure in MEASURES), *columns),
        tuple(rows),
        (
            f"terms: {', '.join(scored.lists.terms)}",
            f"{scored.lists.n_patterns} patterns; means over lists",
            *(finding.message for finding in (*scored.findings, *recognition.findings)),
        ),
    )


def _correlations_listing(stand_in: StandIn, whole: Correlations, added: Correlations) -> Listing:
    """Tables 2 and 3 for the stand-in, a row each."""
    rows = [
        (one.task, one.variable.measure, one.variable.k, one.n, *_numbers(one, other))
        for one, other in zip(whole.correlations, added.correlations, strict=True)
    ]
    between = [
        f"{each.task}: {each.between_terms:.0%}"
        for each in whole.tasks
        if each.between_terms is not None
    ]
    return Listing(
        f"{stand_in.name}-correlations",
        f"Correlation with performance over the {stand_in.name} lists",
        (
            *("task", "measure", "k", "lists", "r", "low", "high", "p"),
            *("ρ", "τ", "r within terms", "p within terms", "r with what patterns add"),
        ),
        tuple(rows),
        (
            "p takes lists as independent, as the paper does; low and high are from resampled terms",
            "share of the variance of performance that lies between terms:"
            f" {', '.join(between) or 'none, it does not vary'}",
            "within terms: what is left of both when the means of each term are taken away",
            *(each.message for each in whole.findings),
            *_lacks("r within terms", (each.within for each in whole.correlations)),
            *_lacks(
                "r with what patterns add",
                (each.coefficients[Coefficient.PEARSON] for each in added.correlations),
            ),
        ),
    )


def _lacks(column: str, associations: Iterable[Association]) -> list[str]:
    """Why there are dashes in a column."""
    reasons = (each.estimate.reason for each in associations if each.estimate.value is None)
    return [f"{column} –: {reason}" for reason in dict.fromkeys(reasons)]


def _numbers(one: ListCorrelation, added: ListCorrelation) -> Iterator[float | None]:
    pearson = one.coefficients[Coefficient.PEARSON]
    yield from (pearson.estimate.value, pearson.estimate.low, pearson.estimate.high, pearson.p)
    for coefficient in (Coefficient.SPEARMAN, Coefficient.KENDALL):
        yield one.coefficients[coefficient].estimate.value
    yield from (one.within.estimate.value, one.within.p)
    yield _value(added.coefficients[Coefficient.PEARSON])


def _value(association: Association) -> float | None:
    return association.estimate.value


def _differences_listing(stand_in: StandIn, whole: Correlations) -> Listing:
    """Whether one measure predicts better than another."""
    rows = [_difference_row(each) for each in whole.differences if each.first.k == max(KS)]
    return Listing(
        f"{stand_in.name}-differences",
        f"Two measures at {max(KS)} over the {stand_in.name} lists",
        (
            *("task", "first", "second", "r of the first", "r of the second", "r between"),
            *("p, Williams", "p, Holm", "p, bootstrap over terms"),
        ),
        tuple(rows),
        tuple(dict.fromkeys(each.reason for each in whole.differences if each.reason)),
    )


def _difference_row(each: CorrelationDifference) -> tuple[Any, ...]:
    test = each.williams
    return (
        each.task,
        each.first.measure,
        each.second.measure,
        each.first_r,
        each.second_r,
        each.between,
        test.p if test else None,
        each.p_holm,
        each.bootstrap.p,
    )


REPRODUCTION = ReproductionKind(
    NAME,
    "Shima & Mitamura 2011: EP, EPR and DIMPLE for paraphrase patterns, and what they predict",
    reproduce,
    needs_data=False,
)
