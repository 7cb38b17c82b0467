"""Diagnostic sets judged, and measured as wholes, by phenomenon and by group, beside published figures.

What is judged is kept as pairs and as a run, which `ensue evaluate` and `ensue mine` take.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path

import numpy as np

from ensue import __version__
from ensue.diagnosis.discovery import JUDGED, DiagnosticSet, find_sets
from ensue.diagnosis.kinds import Phenomenon, PublishedResult, published_results
from ensue.engine import OnSnapshot, RunOptions
from ensue.errors import OutputError, SettingError
from ensue.evaluation import (
    ACCURACY_ALL,
    COVERAGE,
    Judged,
    group_scores,
    interval,
    line_up,
)
from ensue.files import (
    Finding,
    OnFinding,
    Severity,
    ignore_finding,
    is_file,
    is_url,
    open_text_output,
)
from ensue.pairs import (
    Label,
    Pair,
    Run,
    RunHeader,
    Verdict,
    View,
    coarser_view,
    read_pairs,
    read_run,
    write_pairs,
)
from ensue.recognizers import CLEAR_LEAD, JudgeAccount, judge_source, load, order_doubt
from ensue.statistics import RESAMPLING, Estimate, Resampling, ratio

LEAST = 10
"""Pairs of each label that it takes to doubt the order of the labels of a set."""

Watch = Callable[[str], AbstractContextManager[OnSnapshot | None]]
"""Called with the name of each set before it is judged; gives what is called with its snapshots."""


# What came of it.


@dataclass(frozen=True, slots=True)
class Accuracies:
    """How often a run is right on some pairs; a pair without an answer is not."""

    n: int
    two_way: Estimate
    """Entailment against the rest."""
    three_way: Estimate
    """Without a value, and with the reason, where gold or answers have two labels."""

    def of(self, view: str | None) -> Estimate:
        """The accuracy in a view; in the finest there is where none is named."""
        if view == View.TWO_WAY or (view is None and self.three_way.value is None):
            return self.two_way
        return self.three_way


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """What others published, beside what was measured here."""

    published: PublishedResult
    ours: Accuracies | None
    """On the same part of the set; None where no pair is of it."""

    @property
    def measured(self) -> Estimate | None:
        """The accuracy in the view of what was published."""
        return None if self.ours is None else self.ours.of(self.published.view)

    @property
    def is_same(self) -> bool | None:
        """Whether there are as many pairs as were published on; None where that is not known."""
        n = self.published.n_pairs
        return None if n is None or self.ours is None else n == self.ours.n


@dataclass(frozen=True, slots=True)
class SetResult:
    """What was measured on one set."""

    found: DiagnosticSet
    accuracies: Accuracies
    coverage: Estimate
    """The share of the pairs that are answered."""
    majority: float
    """The share of the most frequent gold label, in the finest view that gold has."""
    n_groups: int
    """Groups of two pairs or more."""
    groups: Estimate
    """The share of the groups of which every pair is right, in the finest view."""
    phenomena: Mapping[Phenomenon, Accuracies] = field(hash=False)
    published: tuple[PublishedComparison, ...]
    gold_file: str | None = None
    """Where the pairs are kept, with their phenomena; None where nothing is."""
    run_file: str | None = None

    @property
    def best_published(self) -> PublishedResult | None:
        """The highest published accuracy on the whole set; None where there is none."""
        whole = [each.published for each in self.published if each.published.phenomenon is None]
        return max(whole, key=lambda each: each.accuracy, default=None)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A recognizer on diagnostic sets."""

    recognizer: str
    """As it was named."""
    signature: str
    sets: tuple[SetResult, ...]
    findings: tuple[Finding, ...]
    """Files that are no set, problems in those that are, and doubts about the order of labels."""
    resampling: Resampling


# From sources to results.


def diagnose_sources(
    sources: Sequence[str | Path],
    recognizer: str,
    settings: Mapping[str, object] | None = None,
    *,
    output: str | None = None,
    sample: int | None = None,
    options: RunOptions | None = None,
    resampling: Resampling = RESAMPLING,
    on_finding: OnFinding = ignore_finding,
    on_sets: Callable[[Sequence[DiagnosticSet]], None] = lambda _: None,
    watch: Watch = lambda _: nullcontext(None),
) -> Diagnosis:
    """Find diagnostic sets, judge them with a recognizer, and measure it.

    Args:
        sources: Files and folders; see `find_sets`.
        recognizer: Its name or directory, as on the command line.
        settings: Of the recognizer.
        output: A folder to keep pairs and runs in, from which an interrupted run goes on; None to
            keep nothing.
        sample: At most so many pairs of each set, drawn by the seed of the resampling.
        options: Engine and workers, and whether to resume or to restart.
        resampling: Of the intervals.
        on_finding: Called with each finding as it is made.
        on_sets: Called with the sets that were found, before any is judged.
        watch: Shows how a set is being judged.

    Raises:
        DataError: there is no set, or one cannot be read.
        OutputError: the folder holds other sets, or runs, and nobody asked to replace them.
        EnsueError: as `judge_source`.
    """
    findings: list[Finding] = []

    def found(finding: Finding) -> None:
        findings.append(finding)
        on_finding(finding)

    loaded = load(recognizer, settings or {})
    sets = find_sets(sources, on_finding=found)
    if sample is not None:
        sets = [each.sampled(sample, resampling.seed) for each in sets]
    on_sets(sets)
    doubt = order_doubt(loaded)
    if doubt is not None:
        found(Finding("label-order", Severity.WARNING, doubt, place=recognizer))
    results = []
    options = options or RunOptions()
    with _folder(output) as folder:
        _keep(folder, sets, str(loaded.signature), options.restart)
        for each in sets:
            with watch(each.title) as seen:
                run, account = _judged(each, folder, recognizer, settings or {}, options, seen)
            for finding in account.findings:
                found(finding)
            result = measured(each, run, resampling=resampling)
            if output is not None:
                gold_file, run_file = _files(folder, each)
                result = replace(result, gold_file=str(gold_file), run_file=str(run_file))
            results.append(result)
            for finding in order_findings(each, run):
                found(finding)
    return Diagnosis(recognizer, str(loaded.signature), tuple(results), tuple(findings), resampling)


def _files(folder: Path, found: DiagnosticSet) -> tuple[Path, Path]:
    """Where the pairs of a set are kept, and its run."""
    return folder / f"{found.name}.pairs.jsonl", folder / f"{found.name}.run.jsonl"


@contextmanager
def _folder(output: str | None) -> Iterator[Path]:
    """The folder for what is judged; one that goes away where nothing is to be kept."""
    if output is None:
        with tempfile.TemporaryDirectory(prefix="ensue-") as made:
            yield Path(made)
        return
    if is_url(output):
        raise SettingError(
            "diagnosis-not-kept-url",
            f"what is judged cannot be kept at {output!r}",
            hint="name a folder of this machine",
        )
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            "cannot-make", f"cannot make {output!r}: {error.strerror or error}"
        ) from None
    if not is_file(folder / JUDGED) and any(folder.iterdir()):
        raise OutputError(
            "holds-other-files-than",
            f"{output!r} holds other files than what was judged",
            hint="name a folder that is not there, or is empty",
        )
    yield folder


def _keep(folder: Path, sets: Sequence[DiagnosticSet], signature: str, restart: bool) -> None:
    """Write the pairs of the sets, unless they stand there, and what the folder holds."""
    for each in sets:
        path, _ = _files(folder, each)
        if is_file(path) and tuple(read_pairs(path)) == each.pairs:
            continue  # a run that is not finished goes on with the file that it began with
        if is_file(path) and not restart:
            raise OutputError(
                "other-pairs-judged-before",
                f"other pairs of {each.title} were judged here before",
                place=str(path),
                hint="begin anew with --restart, or name another folder",
            )
        write_pairs(path, each.pairs)
    record = {
        "version": __version__,
        "signature": signature,
        "sets": [
            {
                "name": each.name,
                "kind": each.kind.name,
                "title": each.title,
                "files": list(each.files),
                "pairs": len(each.pairs),
                "gold": _files(folder, each)[0].name,
                "run": _files(folder, each)[1].name,
            }
            for each in sets
        ],
    }
    with open_text_output(folder / JUDGED) as file:
        file.write(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def _judged(
    found: DiagnosticSet,
    folder: Path,
    recognizer: str,
    settings: Mapping[str, object],
    options: RunOptions,
    on_snapshot: OnSnapshot | None,
) -> tuple[Run, JudgeAccount]:
    gold_file, run_file = _files(folder, found)
    account = judge_source(
        str(gold_file),
        str(run_file),
        recognizer,
        settings,
        options=options,
        on_snapshot=on_snapshot,
    )
    return read_run(run_file), account


# Measuring.


def measured(found: DiagnosticSet, run: Run, *, resampling: Resampling = RESAMPLING) -> SetResult:
    """Measure a run on a set.

    Raises:
        RunError: the run judges a pair twice, or one that the set does not have.
    """
    by_id = {verdict.pair_id: verdict for verdict in run.verdicts}
    whole = line_up(found.pairs, [run]).judged[0]
    parts: dict[Phenomenon, Accuracies] = {}
    for phenomenon, rows in found.phenomena().items():
        some = [found.pairs[i] for i in rows]
        verdicts = tuple(by_id[pair.id] for pair in some if pair.id in by_id)
        own = _part_of(run, verdicts)
        parts[phenomenon] = _accuracies(some, own, resampling, found.pairs)
    n_groups, groups = _groups(found, whole, resampling)
    accuracies = _accuracies(found.pairs, run, resampling)
    return SetResult(
        found,
        accuracies,
        interval(whole, COVERAGE, resampling=resampling),
        _majority(found.pairs),
        n_groups,
        groups,
        parts,
        tuple(
            PublishedComparison(each, parts.get(each.phenomenon) if each.phenomenon else accuracies)
            for each in published_results(found.kind.name)
        ),
    )


def _part_of(run: Run, verdicts: tuple[Verdict, ...]) -> Run:
    """The run on some of its pairs: its header says what labels it may give, and no more."""
    header = run.header
    about = None if header is None else RunHeader(header.signature, {}, header.started)
    return Run(run.name, verdicts, header=about)


def _accuracies(
    pairs: Sequence[Pair], run: Run, resampling: Resampling, whole: Sequence[Pair] = ()
) -> Accuracies:
    """The accuracies on pairs.

    Args:
        pairs: Those that are measured.
        run: What is said of each of them, and of no other.
        resampling: Of the intervals.
        whole: The set that they are of, where they are a part: the entailments of a set of two
            labels are no set of three.
    """
    lined = line_up(pairs, [run], view=_view_of_part(pairs, whole))
    finest = interval(lined.judged[0], ACCURACY_ALL, resampling=resampling)
    if lined.view is View.TWO_WAY:
        return Accuracies(len(pairs), finest, Estimate(None, reason=_two_way_reason(pairs)))
    coarse = line_up(pairs, [run], view=View.TWO_WAY).judged[0]
    return Accuracies(len(pairs), interval(coarse, ACCURACY_ALL, resampling=resampling), finest)


def _view_of_part(pairs: Sequence[Pair], whole: Sequence[Pair]) -> View | None:
    """2-way where a part does not show which labels it has, and its set has two; else None."""
    shows = any(pair.gold in (Label.CONTRADICTION, Label.UNKNOWN) for pair in pairs)
    is_coarse = any(pair.gold is Label.NOT_ENTAILMENT for pair in whole)
    return View.TWO_WAY if is_coarse and not shows else None


def _two_way_reason(pairs: Sequence[Pair]) -> str:
    golds = {pair.gold for pair in pairs}
    if Label.NOT_ENTAILMENT in golds:
        is_all = golds <= {Label.ENTAILMENT, Label.NOT_ENTAILMENT}
        return "gold is 2-way" if is_all else "gold is 2-way in part"
    return "the recognizer is 2-way" if len(golds) > 1 else "gold has one label"


def _majority(pairs: Sequence[Pair]) -> float:
    golds = [pair.gold for pair in pairs if pair.gold is not None]
    view = coarser_view(golds)
    return max(Counter(view.of(gold) for gold in golds).values()) / len(golds)


def _groups(found: DiagnosticSet, judged: Judged, resampling: Resampling) -> tuple[int, Estimate]:
    """How many groups there are, and the share of them of which all is right."""
    if not any("group" in pair.meta for pair in found.pairs):
        return 0, Estimate(None, reason="the set has no groups")
    groups = group_scores(judged).groups
    right = np.array([[group.all_right, 1.0] for group in groups]).reshape(-1, 2)
    sums = resampling.sums(right)
    return len(groups), resampling.estimate(ratio(sums[:, 0], sums[:, 1]), "no group of two pairs")


# The order of the labels of a set: numbers in a file may mean something else than they are taken for.


def order_findings(found: DiagnosticSet, run: Run) -> Iterator[Finding]:
    """Doubts about what the labels of a set mean.

    They arise where the answers fit the gold clearly better if its labels are exchanged. Asked of
    sets that have all three labels: a recognizer may be wrong in nearly every pair of a set that has
    two, in good faith.
    """
    judged = line_up(found.pairs, [run]).judged[0]
    if judged.view is not View.THREE_WAY or min(judged.confusion.sum(axis=1)) < LEAST:
        return
    shares = judged.confusion[:, :-1] / judged.confusion.sum(axis=1, keepdims=True)
    orders = {order: _fit(shares, order) for order in permutations(range(len(shares)))}
    best = max(orders, key=lambda order: orders[order])
    given = orders[tuple(range(len(shares)))]
    if orders[best] - given < CLEAR_LEAD:
        return
    labels = judged.view.labels
    said = ", ".join(
        f"{labels[i].value} for {labels[k].value}" for i, k in enumerate(best) if i != k
    )
    yield Finding(
        "label-order",
        Severity.WARNING,
        f"the answers fit {given:.0%} of the labels of {found.title}, and would fit"
        f" {orders[best]:.0%} with {said}: is that what its labels mean?",
        place=found.files[0],
    )


def _fit(shares: np.ndarray[tuple[int, ...], np.dtype[np.float64]], order: Sequence[int]) -> float:
    """The mean over gold labels of the share that is answered as the order says."""
    return float(np.mean([shares[i, k] for i, k in enumerate(order)]))
