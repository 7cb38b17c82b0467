"""Atomic propositions: does each statement of the hypothesis match one that the text makes?

Akhmatova (2005, "Textual entailment resolution via atomic propositions") compares the propositions
of the text with those of the hypothesis, each with each; the modified-BLEU paper (section 4.1)
proposes its own score for that. A text makes the statements that its author stands for: what is
denied, or only said or believed by somebody, is none of them, unless it is asked for. A statement
has no words of another one that is embedded in it and not made, as *John likes ice cream* in *it is
not the case that John likes ice cream*, unless the hypothesis has the embedding word, too.

The recognizer is here and not among the others since it needs the propositions of this room.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import numpy as np

from ensue.claims.attitudes import Attitude
from ensue.claims.proposition import Proposition, find_propositions
from ensue.concurrency import made_once, no_fork
from ensue.errors import SettingError
from ensue.features import has_words
from ensue.language import (
    CachedAnalyzer,
    cache_file,
    installed_model,
    load_analyzer,
    load_lexicon,
)
from ensue.pairs import Label, Pair, Status
from ensue.recognizers import (
    Arrays,
    CutoffKind,
    Evidence,
    EvidenceSection,
    Link,
    PairScores,
    Side,
    Span,
    Step,
    load,
)

NAME = "propositions"
_KEPT = 20_000
"""Texts whose statements are kept."""


class StatementCombination(StrEnum):
    """What the statements of a hypothesis come to together."""

    LEAST = "least"
    """Each has to follow."""
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class PropositionSettings:
    """How statements are compared, and which of them a text makes."""

    by: str = "modified-bleu"
    """The recognizer that compares two statements: `modified-bleu`, `logic`, or any other."""
    combination: StatementCombination = StatementCombination.LEAST
    together: bool = True
    """Whether all that the text says to be so may answer, too, taken together."""
    reported: bool = True
    """Whether what somebody says counts as said by the text."""

    def __post_init__(self) -> None:
        if self.by == NAME:
            raise SettingError(
                "setting-cannot",
                f"setting 'by' cannot be {self.by!r}",
                hint="the recognizer that compares two statements is another one",
            )


@dataclass(frozen=True, slots=True)
class MadeStatement:
    """A statement that a text makes, and what of it is not said where a word is missing."""

    statement: str
    spans: tuple[tuple[int, int], ...]
    embedders: frozenset[str]
    """The words that embed what is not made, in lower case; none for most statements."""
    rest: str
    """The statement without what they embed."""
    denied: bool
    """Whether it says that something is not so."""

    def seen_by(self, hypothesis: MadeStatement) -> str:
        """What of it a statement of a hypothesis is compared with; empty where it is denied."""
        if self.denied != hypothesis.denied:
            return ""
        if not self.embedders or self.embedders & set(hypothesis.statement.lower().split()):
            return self.statement
        return self.rest


@made_once
def _analyzer() -> CachedAnalyzer:
    return CachedAnalyzer(load_analyzer(), cache_file())


def _is_made(proposition: Proposition, *, reported: bool) -> bool:
    """Whether a text makes a statement."""
    allowed = {Attitude.KNOWN, Attitude.SAID} if reported else {Attitude.KNOWN}
    return all(
        each.attitude in allowed or (each.inside and each.attitude is Attitude.NEGATED)
        for each in proposition.embedding
    )


@lru_cache(maxsize=_KEPT)
def statements(text: str, *, reported: bool, together: bool = False) -> tuple[MadeStatement, ...]:
    """The statements that a text makes.

    >>> [each.rest for each in statements("Mary denied that John left early.", reported=True)]
    ['Mary denied that .']
    """
    found = list(find_propositions(text, _analyzer(), load_lexicon()))
    if not found:  # a heading, a name: no clause, and still something that may be compared
        return (MadeStatement(text, ((0, len(text)),), frozenset(), "", False),)
    made = [each for each in found if _is_made(each, reported=reported)]
    others = [each for each in found if not _is_made(each, reported=reported)]
    single = tuple(_made(text, each, others) for each in made)
    return (*single, *_together(single)) if together else single


def _made(text: str, proposition: Proposition, others: Sequence[Proposition]) -> MadeStatement:
    """A statement, with what others that are not made leave of it."""
    inside = [
        other
        for other in others
        if all(_is_within(span, proposition.spans) for span in other.spans)
    ]
    words = frozenset(
        each.word.lower()
        for other in inside
        for each in other.embedding
        if _is_within((each.start, each.end), proposition.spans)
    )
    gone = [span for other in inside for span in other.spans]
    rest = "".join(_left(text, span, gone) for span in proposition.spans) if gone else ""
    negations = [each for each in proposition.embedding if each.attitude is Attitude.NEGATED]
    denied = len(negations) % 2 == 1
    rest = " ".join(rest.split())
    return MadeStatement(proposition.statement, proposition.spans, words, rest, denied)


def _together(made: Sequence[MadeStatement]) -> tuple[MadeStatement, ...]:
    """All that a text says to be so, as one: a hypothesis may say what two of its statements do."""
    said = [each for each in made if not each.denied]
    if len(said) < 2:
        return ()
    text = " ".join(each.rest or each.statement for each in said)
    spans = tuple(span for each in said for span in each.spans)
    return (MadeStatement(text, spans, frozenset(), "", False),)


def _is_within(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)


def _left(text: str, span: tuple[int, int], gone: Sequence[tuple[int, int]]) -> str:
    """The characters of a span that are in no other, with a space after them."""
    kept = (
        character if not _is_within((i, i + 1), gone) else " "
        for i, character in enumerate(text[span[0] : span[1]], span[0])
    )
    return "".join(kept) + " "


@dataclass(frozen=True, slots=True)
class StatementMatch:
    """A statement of a hypothesis, and the one of the text that answers it best."""

    hypothesis: MadeStatement
    text: MadeStatement | None
    score: float


@dataclass(frozen=True, slots=True)
class PropositionScorer:
    """Score pairs by how well the statements of the hypothesis match those of the text."""

    chosen: PropositionSettings

    ready = True

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value, and what analyzes."""
        combination = self.chosen.combination.value
        return {**asdict(self.chosen), "combination": combination, "analyzer": installed_model()}

    def scores(self, pairs: Sequence[Pair]) -> PairScores:
        """How well the statements of each hypothesis match."""
        values = np.zeros(len(pairs))
        reasons: dict[int, str] = {}
        for i, matches in enumerate(self._matches(pairs)):
            if isinstance(matches, str):
                reasons[i] = matches
            else:
                values[i] = self._combined(matches)
        return PairScores(values, reasons)

    def evidence(self, pair: Pair) -> Evidence:
        """Each statement of the hypothesis with the statement of the text that answers it."""
        matches = next(self._matches([pair]))
        assert not isinstance(matches, str)
        spans: list[Span] = []
        links: list[Link] = []
        rows = []
        for match in matches:
            kind = "same" if match.text is not None and match.score > 0 else "unaligned"
            for place in match.hypothesis.spans:
                spans.append(Span(Side.HYPOTHESIS, *place, kind, match.score))
            if match.text is not None and match.score > 0:
                first = len(spans) - 1
                spans += [Span(Side.TEXT, *place, kind, match.score) for place in match.text.spans]
                links.append(Link(first, first + 1, kind))
            seen = match.text.seen_by(match.hypothesis) if match.text else ""
            rows.append((match.hypothesis.statement, seen, f"{match.score:.4f}"))
        scores = [f"{match.score:.4f}" for match in matches]
        how = f"{self.chosen.combination.value} of {', '.join(scores)}"
        title = f"statements of the hypothesis, and those that answer them by {self.chosen.by}"
        section = EvidenceSection("statements", title, ("hypothesis", "text", "score"), rows)
        steps = [Step("statements together", how, self._combined(matches))]
        return Evidence(spans, links, steps, sections=[section])

    def fitted(self, pairs: Sequence[Pair], *, seed: int) -> PropositionScorer:  # noqa: ARG002
        """Itself: nothing but the cutoff is learned."""
        return self

    def arrays(self) -> Arrays:
        """Nothing."""
        return {}

    def _combined(self, matches: Sequence[StatementMatch]) -> float:
        scores = [match.score for match in matches]
        return (
            min(scores)
            if self.chosen.combination is StatementCombination.LEAST
            else float(np.mean(scores))
        )

    def _matches(self, pairs: Sequence[Pair]) -> Iterator[list[StatementMatch] | str]:
        """For each pair its matches, or why it has none."""
        with no_fork:
            sides = [
                (
                    self._statements(pair.text, together=self.chosen.together),
                    self._statements(pair.hypothesis),
                )
                for pair in pairs
            ]
        asked = [
            Pair("", seen, statement.statement)
            for text, hypothesis in sides
            for statement in hypothesis
            for each in text
            if has_words(seen := each.seen_by(statement))
        ]
        compared = self._compared(list(dict.fromkeys((p.text, p.hypothesis) for p in asked)))
        for text, hypothesis in sides:
            if not hypothesis:
                yield "the hypothesis makes no statement"
                continue
            found = []
            for statement in hypothesis:
                best = StatementMatch(statement, None, 0.0)
                for each in text:
                    key = each.seen_by(statement), statement.statement
                    if compared.get(key, 0.0) > best.score:
                        best = StatementMatch(statement, each, compared[key])
                found.append(best)
            yield found

    def _statements(self, text: str, *, together: bool = False) -> tuple[MadeStatement, ...]:
        if not has_words(text):
            return ()
        return statements(text, reported=self.chosen.reported, together=together)

    def _compared(self, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
        """How well each two statements match; 0 where they cannot be compared.

        A recognizer whose scores are no numbers from 0 to 1 answers 1 for a yes and 0 for any other
        answer.
        """
        recognizer = load(self.chosen.by)
        verdicts = recognizer.judge([Pair(str(i), *each) for i, each in enumerate(asked)])
        scored = recognizer.signature.score_range == (0.0, 1.0)
        found = {}
        for key, verdict in zip(asked, verdicts, strict=True):
            yes = float(verdict.label is Label.ENTAILMENT)
            score = verdict.score if scored and verdict.score is not None else yes
            found[key] = score if verdict.status is Status.DECIDED else 0.0
        return found


PROPOSITIONS = CutoffKind(
    NAME,
    "each statement of the hypothesis against the statements of the text, by modified BLEU or logic",
    PropositionSettings,
    PropositionScorer,
    lambda settings, _: PropositionScorer(settings),
    0.212,  # tuned on RTE's three development sets together
    described=("analyzer",),
)
