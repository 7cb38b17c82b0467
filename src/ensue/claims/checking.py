"""Claims checked against sources: what supports each, what speaks against it, and its status."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ensue.claims.decision import (
    CUTOFF,
    SURE,
    UNHEARD,
    UNLIKELY,
    ClaimEvidence,
    ClaimModel,
    WantedClaim,
    claim_columns,
    idle_reason,
    parts_of,
    shipped_decision,
)
from ensue.claims.documents import Document, Passage, SourceIndex, read_documents
from ensue.claims.sources import ClaimText, SourceText
from ensue.claims.support import CheckedClaim, CheckedClaims, ClaimPart, ClaimStatus, Support
from ensue.errors import ArgumentError, check_list
from ensue.features import (
    EventComparison,
    FeatureReader,
    Figures,
    Mismatch,
    MismatchKind,
    PairComparison,
    Restatement,
    find_mismatches,
    has_figures,
    plain_text,
    restated,
    shared_reader,
)
from ensue.pairs import Label, Pair, Status, Verdict
from ensue.recognizers import DEFAULT, Recognizer, load, recognizer_of

_FIGURES = frozenset((MismatchKind.NUMBER, MismatchKind.UNIT, MismatchKind.DATE))
_HALF = 0.5
_SHORT = 16
"""Words of a claim that the recognizer reads well: one difference makes it false, and what it sees no sign
of is hardly supported."""
_WHOLE = 0.9
"""The coverage at which a passage meets all of a claim."""
_CHUNK = 128
"""Claims that are compared at a time."""
_LONGEST_PROVED = 20
"""Words of a claim that logic is asked about."""
_WITHOUT_LOGIC = "neural+features"
_OF_PARTS = "neural"
"""What judges propositions: they are many, and short."""

BEST = 3
"""Source sentences that are shown, and tried, for each claim."""

_MOST_MERGED = 4
"""Sentences of the claims that may be one of the source."""


def check(
    source: str | Sequence[SourceText],
    claims: str | Sequence[ClaimText],
    recognizer: str | Path | Recognizer = DEFAULT,
    *,
    best: int = BEST,
) -> CheckedClaims:
    """Check each sentence of the claims against the sources; see `check_claims`.

    Args:
        source: What is taken to be true: a text, or several (`ensue.claims.read_sources`).
        claims: What is checked: a text, or several (`ensue.claims.read_claims`).
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.
        best: Source sentences to try for each claim.

    Raises:
        ArgumentError: an argument is of another kind.
    """
    row = claim_row(source, claims)
    check_best(best)
    judge = recognizer_of(recognizer)
    (found,) = check_documents([row], judge, shared_reader(), best=best)
    return CheckedClaims(tuple(found), judge.signature)


ClaimRow = tuple[Sequence[SourceText], Sequence[ClaimText]]
"""Sources, and claims that are checked against these only."""


def claim_row(source: str | Sequence[SourceText], claims: str | Sequence[ClaimText]) -> ClaimRow:
    """A row of texts, or of several sources and claims.

    Raises:
        ArgumentError: source or claims are of another kind.
    """
    sources = [SourceText(source)] if isinstance(source, str) else source
    asked = [ClaimText(claims)] if isinstance(claims, str) else claims
    check_list("source", sources, SourceText, "a SourceText")
    check_list("claims", asked, ClaimText, "a ClaimText")
    return sources, asked


def check_best(best: int) -> None:
    """Refuse what is no number of sentences to try.

    Raises:
        ArgumentError: it is no number from 1.
    """
    if isinstance(best, bool) or not isinstance(best, int) or best < 1:
        raise ArgumentError.of("best", "a number from 1", best)


def check_claims(
    source: str | Sequence[SourceText],
    claims: str | Sequence[ClaimText],
    recognizer: Recognizer,
    reader: FeatureReader,
    *,
    best: int = BEST,
) -> list[CheckedClaim]:
    """Check each sentence of the claims against the sources.

    The source sentences that share most with a claim are tried one by one, and together with their
    neighbors where these may be needed to read them. A claim is supported where it stands in a
    source as a whole sentence, or where the recognizer says that it follows from one of these
    passages, or the passage tells the same event from its other side (sold to, bought by; not until
    1936, in 1936), and nothing in it differs from there: no number, unit, date, name, role,
    negation, modality or quantifier. A passage that meets more of the claim and says otherwise outweighs such a yes;
    so does a sentence that meets as much as the stretch it is a part of, whose other sentences may
    be about something else: "The age is 64. It was raised from 62."

    Args:
        source: What is taken to be true: a text, or several.
        claims: What is checked: a text, or several.
        recognizer: Judges claims against passages.
        reader: Finds sentences, and what differs.
        best: Source sentences to try for each claim.

    Raises:
        ArgumentError: source or claims are of another kind.
    """
    row = claim_row(source, claims)
    check_best(best)
    (found,) = check_documents([row], recognizer, reader, best=best)
    return found


def check_documents(
    rows: Sequence[ClaimRow], recognizer: Recognizer, reader: FeatureReader, *, best: int = BEST
) -> list[list[CheckedClaim]]:
    """Check many rows, each with sources of its own, in one batch; see `check_claims`.

    Args:
        rows: Sources and claims of each.
        recognizer: Judges claims against passages.
        reader: Finds sentences, and what differs.
        best: Source sentences to try for each claim.
    """
    return list(_decided(rows, recognizer, reader, best))


def _decided(
    rows: Sequence[ClaimRow], recognizer: Recognizer, reader: FeatureReader, best: int
) -> Iterator[list[CheckedClaim]]:
    wanted = _wanted(rows, reader, best)
    model = shipped_decision(recognizer)
    found: dict[int, CheckedClaim] = {}
    asked = [claim for some in wanted for claim in some if not claim.is_idle]
    for start in range(0, len(asked), _CHUNK):  # so that memory does not grow with the claims
        chunk = asked[start : start + _CHUNK]
        if model is None:
            supports = supported_by(
                [(c.passage, c.shown, c.copy) for c in chunk], recognizer, reader
            )
            for claim, some in zip(chunk, supports, strict=True):
                found[id(claim)] = checked_by_rules(claim, some)
        else:
            evidence = collected(chunk, recognizer, reader)
            for claim, each in zip(chunk, evidence, strict=True):
                found[id(claim)] = checked_by_model(each, model)
    for row in wanted:
        yield [_idle(claim) if claim.is_idle else found[id(claim)] for claim in row]


def _wanted(rows: Sequence[ClaimRow], reader: FeatureReader, best: int) -> list[list[WantedClaim]]:
    """The claims of each row, with the passages that may support them."""
    texts: list[SourceText | ClaimText] = [each for row in rows for some in row for each in some]
    documents = iter(read_documents([t.text for t in texts], reader, [t.file for t in texts]))
    known: dict[tuple[SourceText, ...], SourceIndex] = {}
    wanted: list[list[WantedClaim]] = []
    for sources, claims in rows:
        read = [next(documents) for _ in sources]
        if (index := known.get(tuple(sources))) is None:
            index = known[tuple(sources)] = SourceIndex(read)
        asked = [next(documents) for _ in claims]
        wanted.append(list(_claims(claims, asked, index, best)))
    return wanted


def _idle(claim: WantedClaim) -> CheckedClaim:
    status = ClaimStatus.NOTHING_TO_CHECK
    return CheckedClaim(claim.passage, status, claim.idle, (), claim.id, claim.line)


JudgedPassages = tuple[Passage, Sequence[Passage], Passage | None]
"""A claim, passages that are tried, and where it stands word for word."""


def claim_evidence(
    rows: Sequence[ClaimRow], recognizer: Recognizer, reader: FeatureReader, *, best: int = BEST
) -> Iterator[ClaimEvidence]:
    """What sources say of claims, before it is weighed: for the training of the model.

    Args:
        rows: Sources and claims of each; claims with nothing to check have no evidence.
        recognizer: Judges claims against passages.
        reader: Finds sentences, and what differs.
        best: Source sentences to try for each claim.
    """
    for start in range(0, len(rows), _CHUNK):
        wanted = _wanted(rows[start : start + _CHUNK], reader, best)
        yield from collected([claim for row in wanted for claim in row], recognizer, reader)


def collected(
    claims: Sequence[WantedClaim], recognizer: Recognizer, reader: FeatureReader
) -> list[ClaimEvidence]:
    """What the sources say of claims and of their propositions."""
    covers = [each.index.cover(each.words) for each in claims]
    tried = [
        list(dict.fromkeys([*each.shown, *([] if cover is None else [cover])]))
        for each, cover in zip(claims, covers, strict=True)
    ]
    rows = [(c.passage, some, c.copy) for c, some in zip(claims, tried, strict=True)]
    supports = _supported(rows, recognizer, reader)
    cut = parts_of(claims, reader)
    asked = [
        (Passage(0, len(each.statement), each.statement), [passage], None)
        for some in cut
        for each, passage in some
        if passage is not None
    ]
    judged = iter(supported_by(asked, load(_OF_PARTS), reader))
    found = []
    for claim, some, cover, parts in zip(claims, supports, covers, cut, strict=True):
        known = tuple(
            ClaimPart(each, None if passage is None else next(judged)[0]) for each, passage in parts
        )
        covering = next((each for each in some if each.passage == cover), None)
        found.append(ClaimEvidence(claim, tuple(some), covering, known))
    return found


def _supported(
    rows: Sequence[JudgedPassages], recognizer: Recognizer, reader: FeatureReader
) -> list[list[Support]]:
    """What supports each claim, long ones without logic: it takes long and proves nothing there."""
    is_long = [len(claim.text.split()) > _LONGEST_PROVED for claim, _, _ in rows]
    settings = {"stages": _WITHOUT_LOGIC, "cutoff": recognizer.signature.cutoff}
    quick = load(recognizer.signature.recognizer, settings) if any(is_long) else recognizer
    found = {
        judge: iter(
            supported_by(
                [row for row, long in zip(rows, is_long, strict=True) if long is judge],
                quick if judge else recognizer,
                reader,
            )
        )
        for judge in (False, True)
    }
    return [next(found[long]) for long in is_long]


# What supports a claim: its passages judged, and compared.


def supported_by(
    rows: Sequence[JudgedPassages], recognizer: Recognizer, reader: FeatureReader
) -> list[list[Support]]:
    """What a recognizer says of each claim against its passages, and what differs there."""
    sides = [(each.text, claim.text) for claim, some, _ in rows for each in some]
    restatements = _restated(sides, reader)
    again = [(r.text.text, r.hypothesis.text) for r in restatements if r is not None]
    asked = list(dict.fromkeys([*sides, *again]))
    pairs = [Pair(str(i), *each) for i, each in enumerate(asked)]
    verdicts = dict(zip(asked, recognizer.judge(pairs), strict=True))
    compared = dict(zip(asked, reader.compare(asked), strict=True))
    at = iter(zip(sides, restatements, strict=True))
    found = []
    for _, some, copy in rows:
        supports = []
        for passage in some:
            side, restatement = next(at)
            if passage == copy:
                supports.append(Support(passage, verdicts[side], (), 1.0, is_copy=True))
                continue
            support = _support(passage, verdicts[side], compared[side])
            if restatement is not None:
                other = restatement.text.text, restatement.hypothesis.text
                support = _reckoned(support, restatement, verdicts[other], compared[other])
            supports.append(support)
        found.append(supports)
    return found


def _restated(sides: Sequence[tuple[str, str]], reader: FeatureReader) -> list[Restatement | None]:
    """The claims in the figures of their passages, where they need reckoning."""
    plain = {text: plain_text(text) for side in sides for text in side}
    needed = [
        (text, claim)
        for text, claim in dict.fromkeys(sides)
        if has_figures(plain[text].text) or has_figures(plain[claim].text)
    ]
    texts = list(dict.fromkeys(plain[text].text for side in needed for text in side))
    analyses = dict(zip(texts, reader.analyze(texts), strict=True))
    figures = {
        text: Figures(plain[text], analyses[plain[text].text]) for side in needed for text in side
    }
    found = {(text, claim): restated(figures[text], figures[claim]) for text, claim in needed}
    return [found.get(each) for each in sides]


def _support(tried: Passage, verdict: Verdict, compared: PairComparison) -> Support:
    events = EventComparison(compared)
    differing = tuple(find_mismatches(compared, events))
    borne_out = not differing and events.bears_out()
    coverage = 1.0 if borne_out else _coverage(compared, differing)
    return Support(tried, verdict, differing, coverage, is_borne_out=borne_out)


def _reckoned(
    support: Support, restatement: Restatement, verdict: Verdict, compared: PairComparison
) -> Support:
    """What a passage says of a claim in its own figures, where that says more."""
    yes = verdict.label is Label.ENTAILMENT or restatement.is_same
    again = _support(support.passage, verdict, compared)
    if not restatement.follows:
        if not yes:
            return support
        differing = tuple(_reckoned_mismatches(restatement))
        return replace(support, mismatches=differing, coverage=1.0)
    mapped = tuple(
        replace(
            each,
            hypothesis=restatement.hypothesis.original(each.hypothesis),
            text=None if each.text is None else restatement.text.original(each.text),
        )
        for each in again.mismatches
    )
    said = restatement.hypothesis.text if restatement.reckonings else ""
    is_same = restatement.is_same
    return replace(
        support,
        verdict=verdict if yes else support.verdict,
        mismatches=() if is_same else mapped,
        coverage=1.0 if is_same else again.coverage,
        is_borne_out=is_same or again.is_borne_out,
        restated=said,
    )


def _reckoned_mismatches(restatement: Restatement) -> Iterator[Mismatch]:
    for each in restatement.reckonings:
        if not each.follows:
            kind = MismatchKind.DATE if each.is_date else MismatchKind.NUMBER
            yield Mismatch(kind, each.hypothesis, each.text, each.message)


def _coverage(compared: PairComparison, differing: Sequence[Mismatch]) -> float:
    """The similarities of the claim's words to their partners; 1 for those that are said otherwise."""
    graph = compared.hypothesis.graph
    otherwise = [each.hypothesis for each in differing if each.text is not None]
    met = 0.0
    for node, similarity in enumerate(compared.similarities):
        start, end = graph.span(node)
        if any(first <= start and end <= last for first, last in otherwise):
            met += 1
        elif compared.is_supported(node):
            met += similarity
    return met / len(graph) if len(graph) else 0.0


def _claims(
    asked: Sequence[ClaimText], documents: Sequence[Document], index: SourceIndex, best: int
) -> Iterator[WantedClaim]:
    """The sentences of the claims; those that are one sentence of a source, as one."""
    number = 0
    for each, document in zip(asked, documents, strict=True):
        for first, last in _stretches(each, document, index):
            number += 1
            words = frozenset[str]().union(*document.words[first : last + 1])
            place = document.between(first, last)
            copy = index.copy(place.text)
            found = index.candidates(words, best, copy)
            idle = "" if copy is not None else idle_reason(place.text)
            name = each.id or str(number)
            yield WantedClaim(place, words, copy, found, index, name, each.line, idle)


def _stretches(
    asked: ClaimText, document: Document, index: SourceIndex
) -> Iterator[tuple[int, int]]:
    """The first and the last sentence of each claim."""
    n_sentences = len(document.passages)
    if asked.is_one and n_sentences:
        yield 0, n_sentences - 1
        return
    first = 0
    while first < n_sentences:
        last = first
        if not index.is_sentence(document.passages[first].text):
            furthest = min(first + _MOST_MERGED, n_sentences)
            merged = (
                k
                for k in range(first + 1, furthest)
                if index.is_sentence(document.between(first, k).text)
            )
            last = next(merged, first)
        yield first, last
        first = last + 1


def checked_by_rules(claim: WantedClaim, support: Sequence[Support]) -> CheckedClaim:
    """A claim by what its passages say, without a model of how much each is worth."""
    contrary = [each for each in support if each.is_contrary]
    standing = [each for each in support if _stands(each, contrary)]
    rest = [each for each in support if each not in standing]
    ordered = (*sorted(standing, key=_merit), *sorted(rest, key=_relevance))
    reason = _reason(ordered, is_supported=bool(standing))
    status = _status(ordered, is_supported=bool(standing))
    return CheckedClaim(claim.passage, status, reason, ordered, claim.id, claim.line)


def checked_by_model(evidence: ClaimEvidence, model: ClaimModel) -> CheckedClaim:
    """A claim by what its passages and those of its propositions say together.

    What stands in a source word for word, or is made true by arithmetic, is supported; a short claim of which a
    passage has everything, and one thing otherwise, or which no passage makes likely, is not, whatever the model says.
    """
    ruled = checked_by_rules(evidence.claim, evidence.supports)
    columns = claim_columns(evidence)
    low, high = _bounds(evidence.claim, ruled, columns)
    probability = min(max(model.probability(columns), low), high)
    is_supported = probability > CUTOFF
    if is_supported == ruled.supported:
        return replace(ruled, probability=probability, parts=evidence.parts)
    if is_supported:
        support = tuple(sorted(ruled.support, key=_merit))
        status, reason = ClaimStatus.SUPPORTED, _reason_for(support)
    else:
        support = ruled.support
        status, reason = ClaimStatus.NOT_FOUND, _reason_against(evidence.parts)
    return replace(
        ruled,
        status=status,
        reason=reason,
        support=support,
        probability=probability,
        parts=evidence.parts,
    )


def probability_bounds(evidence: ClaimEvidence) -> tuple[float, float]:
    """Between what the probability of a claim has to lie, whatever the model says."""
    ruled = checked_by_rules(evidence.claim, evidence.supports)
    return _bounds(evidence.claim, ruled, claim_columns(evidence))


def _bounds(
    claim: WantedClaim, ruled: CheckedClaim, columns: Mapping[str, float]
) -> tuple[float, float]:
    if not ruled.support:
        return 0.0, 1 - SURE
    first = ruled.support[0]
    if ruled.supported and (first.is_copy or first.is_borne_out):
        return SURE, 1.0
    is_heard = any(columns[name] >= UNHEARD for name in ("yes: best passage", "parts: least yes"))
    if not is_heard and len(claim.passage.text.split()) <= _SHORT:
        return 0.0, UNLIKELY
    return (0.0, UNLIKELY) if _is_excluded(ruled) else (0.0, 1.0)


def _is_excluded(ruled: CheckedClaim) -> bool:
    """Whether the passage that meets most of a short claim differs from it in more than a name."""
    if ruled.supported or not ruled.support or len(ruled.claim.text.split()) > _SHORT:
        return False
    first = ruled.support[0]
    told = {each.kind for each in first.mismatches if each.text is not None} - {MismatchKind.NAME}
    if told and first.coverage >= _WHOLE and not first.passage.spans:
        return True
    # a figure that is in none of the passages
    return first.coverage >= _HALF and any(
        each.kind in _FIGURES and each.text is None for each in first.mismatches
    )


def _reason_for(support: Sequence[Support]) -> str:
    """Why a claim is supported where no passage bears it out by itself."""
    kinds = dict.fromkeys(each.kind.value for each in support[0].mismatches)
    though = f", though one thing is told otherwise: {', '.join(kinds)}" if kinds else ""
    if support[0].verdict.label is Label.ENTAILMENT:
        return f"follows from the source{though}"
    return f"most of it is in the source{though}"


def _reason_against(parts: Sequence[ClaimPart]) -> str:
    """Why a claim is not supported though a passage bears it out."""
    weakest = min(
        parts, key=lambda each: _score(each.support) if each.support else -1, default=None
    )
    if weakest is None or weakest.supported or len(parts) < 2:
        return "does not follow from the source as a whole"
    return f"a part of it does not follow from the source: {weakest.proposition.statement}"


def _status(ordered: Sequence[Support], *, is_supported: bool) -> ClaimStatus:
    """What the best passage makes of a claim."""
    if is_supported:
        return ClaimStatus.SUPPORTED
    is_denied = ordered and (
        ordered[0].is_contrary or ordered[0].verdict.label is Label.CONTRADICTION
    )
    return ClaimStatus.CONTRADICTED if is_denied else ClaimStatus.NOT_FOUND


def _reason(ordered: Sequence[Support], *, is_supported: bool) -> str:
    """What the best passage says of a claim, in words."""
    if not ordered:
        return "the source has no sentence"
    first = ordered[0]
    if is_supported:
        return f"{'stands in' if first.is_copy else 'follows from'} the source"
    if first.verdict.status is not Status.DECIDED:
        return first.verdict.reason or first.verdict.status.value
    if first.mismatches:
        kinds = dict.fromkeys(each.kind.value for each in first.mismatches)
        return f"differs from the source: {', '.join(kinds)}"
    return "does not follow from the source"


def _stands(support: Support, contrary: Sequence[Support]) -> bool:
    if support.is_copy:
        return True
    return support.holds and not any(each.outweighs(support) for each in contrary)


def _merit(support: Support) -> tuple[bool, float, int]:
    """What makes a passage the better support: that it is a copy, the score, and brevity."""
    return not support.is_copy, -_score(support), len(support.passage.text)


def _relevance(support: Support) -> tuple[bool, float, float, int]:
    """What tells more of a claim that is not supported: no yes, the coverage, then as above."""
    return support.holds, -round(support.coverage, 9), -_score(support), len(support.passage.text)


def _score(support: Support) -> float:
    return support.verdict.score if support.verdict.score is not None else -math.inf
