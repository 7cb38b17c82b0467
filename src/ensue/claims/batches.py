"""Many claims, each against sources of its own: rows, named documents, and pairs of any size as a run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePath

from ensue.claims.checking import BEST, ClaimRow, check_best, check_documents, claim_row
from ensue.claims.decision import shipped_decision
from ensue.claims.sources import ClaimText, SourceText
from ensue.claims.support import CheckedClaim, CheckedClaims, ClaimStatus
from ensue.engine import OnSnapshot, RunOptions
from ensue.errors import ArgumentError, DataError
from ensue.features import FeatureReader, has_words, shared_reader
from ensue.files import Finding, check_outside
from ensue.pairs import Label, Pair, ReadKeywords, RunFormat, Signature, Status, Verdict, View
from ensue.recognizers import (
    DEFAULT,
    Evidence,
    Explanation,
    JudgeAccount,
    JudgeJob,
    Recognizer,
    Side,
    Span,
    Step,
    absolute_name,
    loaded_by_name,
    recognizer_of,
    run_job,
)
from ensue.statistics import Estimate, share_estimate

# Rows: sources that several rows share are read once.

ROWS = 64
"""Rows checked at a time: the documents of so many are in memory."""


def check_many(
    rows: Iterable[tuple[str | Sequence[SourceText], str | Sequence[ClaimText]]],
    recognizer: str | Path | Recognizer = DEFAULT,
    *,
    best: int = BEST,
) -> list[CheckedClaims]:
    """Check many texts, each against sources of its own; what is found of each is what `check` finds.

    Args:
        rows: Sources and claims, as `check` takes them; any number, read as they are needed.
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.
        best: Source sentences to try for each claim.

    Raises:
        ArgumentError: an argument is of another kind.
    """
    if isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise ArgumentError.of("rows", "rows of a source and claims", rows)
    check_best(best)
    judge, reader = recognizer_of(recognizer), shared_reader()
    left = map(_row, rows)
    found: list[CheckedClaims] = []
    while some := list(islice(left, ROWS)):
        checked = check_rows(some, judge, reader, best=best)
        found += [CheckedClaims(tuple(each), judge.signature) for each in checked]
    return found


def _row(row: object) -> ClaimRow:
    if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != 2:
        raise ArgumentError.of("rows", "rows of a source and claims", row)
    return claim_row(*row)


def check_rows(
    rows: Sequence[ClaimRow], recognizer: Recognizer, reader: FeatureReader, *, best: int = BEST
) -> list[list[CheckedClaim]]:
    """As `check_documents`, where sources that rows share are read once.

    Args:
        rows: Sources and claims of each.
        recognizer: Judges claims against passages.
        reader: Finds sentences, and what differs.
        best: Source sentences to try for each claim.
    """
    return [_numbered(each) for each in _by_row(rows, recognizer, reader, best)]


def _numbered(checked: Iterable[tuple[ClaimText, list[CheckedClaim]]]) -> list[CheckedClaim]:
    """What was found of each text, with the id of its row, or its number."""
    found: list[CheckedClaim] = []
    for claim, some in checked:
        for each in some:
            found.append(replace(each, id=claim.id or str(len(found) + 1)))
    return found


def _by_row(
    rows: Sequence[ClaimRow], recognizer: Recognizer, reader: FeatureReader, best: int
) -> list[list[tuple[ClaimText, list[CheckedClaim]]]]:
    """The claims of each row, each with what its sentences came to."""
    found: list[list[tuple[ClaimText, list[CheckedClaim]]]]
    found = [[(claim, []) for claim in claims] for _, claims in rows]
    sharing: dict[tuple[SourceText, ...], list[int]] = {}
    for i, (sources, _) in enumerate(rows):
        sharing.setdefault(tuple(sources), []).append(i)
    merged: list[ClaimRow] = []
    for sources, numbers in sharing.items():
        named = [replace(c, id=f"{n} {k}") for n in numbers for k, c in enumerate(rows[n][1])]
        merged.append((sources, named))
    for some in check_documents(merged, recognizer, reader, best=best):
        for each in some:
            number, _, k = each.id.partition(" ")
            found[int(number)][int(k)][1].append(each)
    return found


# A folder of documents, and a table whose rows name the one that each claim is about.


def check_named(
    sources: Sequence[SourceText],
    claims: Sequence[ClaimText],
    recognizer: Recognizer,
    reader: FeatureReader,
    *,
    best: int = BEST,
) -> list[CheckedClaim]:
    """Check each claim against the source that its row names; those that name none, against all.

    A source is named by the name of its file, with or without its end, and with as many of its
    folders as it takes to tell it from others.

    Args:
        sources: What is taken to be true.
        claims: What is checked.
        recognizer: Judges claims against passages.
        reader: Finds sentences, and what differs.
        best: Source sentences to try for each claim.

    Raises:
        DataError: a row names no source, or one of several.
    """
    named = _by_name(sources)
    rows: list[ClaimRow] = []
    for each in claims:
        own = sources if each.document is None else [_named(each, named)]
        rows.append((own, [each]))
    return _numbered(each for row in _by_row(rows, recognizer, reader, best) for each in row)


def _by_name(sources: Sequence[SourceText]) -> dict[str, list[SourceText]]:
    """Every name by which a source may be called."""
    names: dict[str, list[SourceText]] = {}
    for each in sources:
        parts = PurePath(each.file).parts
        for i in range(len(parts)):
            end = PurePath(*parts[i:])
            for name in dict.fromkeys((str(end), str(end.with_suffix("")))):
                names.setdefault(name, []).append(each)
    return names


def _named(claim: ClaimText, named: Mapping[str, list[SourceText]]) -> SourceText:
    place = f"{claim.file}:{claim.line}"
    found = named.get(str(PurePath(claim.document or "")), [])
    if len(found) == 1:
        return found[0]
    if not found:
        raise DataError(
            "no-document-called",
            f"no source is called {claim.document!r}",
            place=place,
            hint="name its file as it is in the folder that --source names",
        )
    raise DataError(
        "several-documents-called",
        f"several sources are called {claim.document!r}: {', '.join(each.file for each in found[:4])}",
        place=place,
        hint="name its folder, too",
    )


# Pairs of any size, as a run: the text is the document, the hypothesis the claim.

_LABELS = {
    ClaimStatus.SUPPORTED: Label.ENTAILMENT,
    ClaimStatus.CONTRADICTED: Label.CONTRADICTION,
    ClaimStatus.NOT_FOUND: Label.UNKNOWN,
}
_BATCH = 32
"""Pairs checked at a time: documents are long."""


class ClaimChecker:
    """Judges a pair by checking its hypothesis, a claim, against its text, a document."""

    def __init__(self, recognizer: Recognizer, best: int = BEST) -> None:
        """Check claims.

        Args:
            recognizer: Judges claims against passages.
            best: Source sentences to try for each claim.
        """
        self._recognizer = recognizer
        self._best = best
        own = recognizer.signature
        settings = {"best": best, "decision": _decision_name(recognizer)}
        settings |= {"judge": own.recognizer, **own.settings}
        if own.cutoff is not None:
            settings["judge_cutoff"] = own.cutoff
        self.signature = Signature(
            "check",
            own.version,
            settings,
            View.THREE_WAY,
            score_range=(0.0, 1.0),
            tuned_on=own.tuned_on,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Entailment where a claim is supported, unknown where it is not found.

        A claim that claims nothing is abstained from, and so is a pair without words on a side. The
        score is the probability that the claim is supported.
        """
        return [
            _verdict(pair, found) for pair, found in zip(pairs, self.checked(pairs), strict=True)
        ]

    def explain(self, pair: Pair) -> Explanation:
        """The passages, and what differs there."""
        (found,) = self.checked([pair])
        verdict = _verdict(pair, found)
        evidence = Evidence() if found is None else _evidence(found)
        return Explanation(pair, verdict, self.signature, evidence)

    def checked(self, pairs: Sequence[Pair]) -> list[CheckedClaim | None]:
        """What each claim came to; None where a side has no words."""
        asked = [each for each in pairs if has_words(each.text) and has_words(each.hypothesis)]
        rows: list[ClaimRow] = [
            ([SourceText(each.text)], [ClaimText(each.hypothesis, is_one=True)]) for each in asked
        ]
        found = iter(check_rows(rows, self._recognizer, shared_reader(), best=self._best))
        kept = {id(each) for each in asked}
        return [next(iter(next(found)), None) if id(each) in kept else None for each in pairs]


def _decision_name(recognizer: Recognizer) -> str:
    """What decides beside the recognizer: the model that weighs what is found, or rules alone."""
    model = shipped_decision(recognizer)
    if model is None:
        return "rules"
    return sha256(json.dumps(model.to_json(), sort_keys=True).encode()).hexdigest()[:12]


def _verdict(pair: Pair, found: CheckedClaim | None) -> Verdict:
    if found is None:
        side = "hypothesis" if has_words(pair.text) else "text"
        return Verdict(pair.id, None, status=Status.ABSTAINED, reason=f"the {side} has no words")
    if found.status is ClaimStatus.NOTHING_TO_CHECK:
        return Verdict(pair.id, None, status=Status.ABSTAINED, reason=found.reason)
    first = found.support[0].verdict if found.support else None
    if not found.supported and first is not None and first.status is not Status.DECIDED:
        return Verdict(pair.id, None, status=first.status, reason=found.reason)
    score = found.probability
    confidence = score if score is None or found.supported else 1 - score
    return Verdict(pair.id, _LABELS[found.status], score, confidence, reason=found.reason)


def _evidence(found: CheckedClaim) -> Evidence:
    spans = []
    for each in found.support:
        for place in each.passage.spans or ((each.passage.start, each.passage.end),):
            spans.append(Span(Side.TEXT, *place, "passage", each.coverage))
        for differing in each.mismatches:
            spans.append(Span(Side.HYPOTHESIS, *differing.hypothesis, differing.kind.value, 0.0))
            if differing.text is not None:
                place = each.passage.place(differing.text)
                spans.append(Span(Side.TEXT, *place, differing.kind.value, 0.0))
    steps = [Step(found.status.value, found.reason, found.probability)]
    steps += [
        Step(differing.kind.value, differing.message)
        for each in found.support
        for differing in each.mismatches
    ]
    return Evidence(spans=tuple(dict.fromkeys(spans)), steps=tuple(dict.fromkeys(steps)))


@dataclass(frozen=True, slots=True)
class CheckJob(JudgeJob):
    """Check the claims of pairs against their texts."""

    best: int = BEST

    def made(self) -> ClaimChecker:
        """The checker, with the recognizer."""
        # without arguments, super() does not find its class where slots make it anew
        return ClaimChecker(super(CheckJob, self).made(), self.best)


def check_source(
    source: str,
    output: str,
    recognizer: str = DEFAULT,
    settings: Mapping[str, object] | None = None,
    *,
    best: int = BEST,
    reading: ReadKeywords | None = None,
    format: RunFormat | None = None,
    options: RunOptions | None = None,
    on_finding: Callable[[Finding], None] = lambda _: None,
    on_snapshot: OnSnapshot | None = None,
    on_survey: Callable[[int], None] | None = None,
) -> JudgeAccount:
    """Check pairs of any number, whose texts are documents and whose hypotheses are claims, as a run.

    Arguments, run and errors are those of `ensue.recognizers.judge_source`. A claim that is
    supported is an entailment, one that is not found unknown, and one that claims nothing is
    abstained from.

    Args:
        source: A file, folder, glob or URL of pairs; or `-`, which cannot be resumed.
        output: A folder of shards, one file, or `-`.
        recognizer: Its name or directory, as on the command line.
        settings: Of the recognizer.
        best: Source sentences to try for each claim.
        reading: How the source is read.
        format: How verdicts are written.
        options: Engine and workers, and whether to resume or to restart.
        on_finding: Called with each finding of this process.
        on_snapshot: Called with a `Snapshot` every two seconds.
        on_survey: Called with how many more bytes were looked through before the run begins.
    """
    check_outside(output, source)
    checker = ClaimChecker(loaded_by_name(recognizer, settings or {}), best)
    job = CheckJob(
        absolute_name(recognizer),
        tuple((settings or {}).items()),
        checker.signature,
        reading={**(reading or ReadKeywords()), "needs_gold": False},
        batch_size=_BATCH,
        best=best,
    )
    return run_job(
        job,
        checker,
        source,
        output,
        format=format,
        options=options,
        on_finding=on_finding,
        on_snapshot=on_snapshot,
        on_survey=on_survey,
    )


def unsupported_share(n_supported: int, n_checked: int, level: float | None = 0.95) -> Estimate:
    """The share of the checked claims that is contradicted or not found, with Wilson's interval.

    >>> share = unsupported_share(90, 100)
    >>> round(share.value, 3), round(share.low, 3), round(share.high, 3)
    (0.1, 0.055, 0.174)
    """
    reason = "there are no claims to check"
    return share_estimate(n_checked - n_supported, n_checked, level, reason)
