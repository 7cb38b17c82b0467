"""Q by a recognizer: a sentence with the term against the same with the paraphrase.

A paraphrase keeps the meaning: the sentence with it should follow from the sentence with the term
(*forward*), and the other way round (*backward*).

What Shima & Mitamura (2011, section 4) leave to future work: "If Q function can be also calculated
fully automatically …". People judge such couples of sentences for "same meaning" (section 3.1);
here a recognizer does, as entailment both ways.

A term is found with word boundaries ("skilled" does not hold "killed"), in any case, with any white
space between its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import numpy as np

from ensue.errors import SettingError, UndefinedError
from ensue.files import OnFinding, ignore_finding
from ensue.pairs import Finding, Label, Pair, Severity, Verdict
from ensue.paraphrase.lists import Indices, Numbers, QualityFunction, QualityKind, RankedLists
from ensue.recognizers import DEFAULT, Recognizer, load, recognizer_of
from ensue.statistics import numbered, ratio

MOST = 5
"""Sentences for each term, unless asked otherwise."""

_NOWHERE = re.compile(r"(?!)")


def holds_term(sentence: str, term: str) -> bool:
    """Whether a term is in a sentence.

    >>> holds_term("Two were killed.", "killed"), holds_term("A skilled worker", "killed")
    (True, False)
    """
    return _finder(term).search(sentence) is not None


def with_paraphrase(sentence: str, term: str, paraphrase: str) -> str | None:
    """Put a paraphrase wherever the term is; None where the term is not in the sentence.

    A paraphrase in the place of a term in capitals, or with a first capital that the term has only
    here, is written likewise. What stands around it stays: "a" does not become "an".

    >>> with_paraphrase("Killed were two skilled men.", "killed", "shot and killed")
    'Shot and killed were two skilled men.'
    """
    pieces = replaced_pieces(sentence, term, paraphrase)
    return "".join(piece.there for piece in pieces) if len(pieces) > 1 else None


@dataclass(frozen=True, slots=True)
class SubstitutedSpan:
    """A part of a sentence, and what it is with the paraphrase put in."""

    here: str
    there: str
    is_term: bool


def replaced_pieces(sentence: str, term: str, paraphrase: str) -> list[SubstitutedSpan]:
    """A sentence cut at its terms, each beside what takes its place; one piece where there is none.

    >>> [piece.there for piece in replaced_pieces("Two died.", "died", "were killed")]
    ['Two ', 'were killed', '.']
    """
    new = " ".join(paraphrase.split())
    pieces, end = [], 0
    for found in _finder(term).finditer(sentence):
        before = sentence[end : found.start()]
        pieces.append(SubstitutedSpan(before, before, is_term=False))
        pieces.append(SubstitutedSpan(found.group(), _cased(new, term, found), is_term=True))
        end = found.end()
    return [*pieces, SubstitutedSpan(sentence[end:], sentence[end:], is_term=False)]


def sentences_for(
    terms: Iterable[str], sentences: Iterable[str], most: int = MOST
) -> dict[str, list[str]]:
    """For each term the first few distinct sentences that hold it; none is an empty list.

    Sentences are read one by one, and only as far as they are needed.

    >>> sentences_for(["to take", "broke"], ["He had to take it.", "A broken leg"])
    {'to take': ['He had to take it.'], 'broke': []}

    Raises:
        SettingError: `most` is below 1.
    """
    if most < 1:
        raise SettingError(
            "sentences-term-judge-nothing",
            f"{most!r} sentences a term judge nothing",
            hint="e.g. 5",
        )
    from ensue.paraphrase.words import words_of

    found: dict[str, list[str]] = {term: [] for term in terms}
    wanted = _by_first_word(found)
    for sentence in sentences:
        if not wanted:
            break
        for word in {"", *words_of(sentence)} & wanted.keys():
            for term in [each for each in wanted[word] if holds_term(sentence, each)]:
                if sentence not in found[term]:
                    found[term].append(sentence)
                if len(found[term]) == most:
                    wanted[word].remove(term)
            if not wanted[word]:
                del wanted[word]
    return found


def _by_first_word(terms: Iterable[str]) -> dict[str, list[str]]:
    """Terms by the word that a sentence must have to hold them; "" for terms without a word."""
    from ensue.paraphrase.words import words_of

    wanted: dict[str, list[str]] = {}
    for term in terms:
        wanted.setdefault(next(iter(words_of(term)), ""), []).append(term)
    return wanted


@lru_cache(maxsize=4096)
def _finder(term: str) -> re.Pattern[str]:
    parts = term.split()
    if not parts:
        return _NOWHERE
    inside = r"\s+".join(map(re.escape, parts))
    # a boundary where the term has a letter at its end: what ends in a sign needs none
    before = r"(?<!\w)" if re.match(r"\w", parts[0]) else ""
    after = r"(?!\w)" if re.search(r"\w$", parts[-1]) else ""
    return re.compile(before + inside + after, re.IGNORECASE)


def _cased(paraphrase: str, term: str, found: re.Match[str]) -> str:
    """The paraphrase with the capitals that the place asks for."""
    here, written = found.group(), term.strip()
    if len(here) > 1 and here.isupper() and not written.isupper():
        return paraphrase.upper()
    begins = not any(map(str.isalnum, found.string[: found.start()]))
    if here[0].isupper() and (begins or not written[0].isupper()):
        return paraphrase[:1].upper() + paraphrase[1:]
    return paraphrase


# What a recognizer says of two sentences, each against the other, as one number in [0, 1].


class Grade(StrEnum):
    """What one verdict counts."""

    SOFT = "soft"
    """How sure it is that the hypothesis follows: (1 + confidence)/2 of a yes, (1 − confidence)/2 of
    any other answer. The cutoff becomes 1/2; of `features` that is the probability itself."""
    HARD = "hard"
    """1 for a yes, 0 for any other answer."""


class Combination(StrEnum):
    """How the two ways become one number."""

    PRODUCT = "product"
    LEAST = "least"
    """The smaller one."""
    MEAN = "mean"
    FORWARD = "forward"
    """From the sentence with the term to the one with the paraphrase, alone."""
    BACKWARD = "backward"


@dataclass(frozen=True, slots=True, eq=False)
class OneWay:
    """Verdicts as numbers; NaN where there is no decision."""

    is_yes: Numbers
    """1 for entailment, 0 for any other answer."""
    confidence: Numbers
    """NaN where the recognizer gives none, too."""

    def grades(self, grade: Grade) -> Numbers:
        """What each verdict counts.

        Raises:
            UndefinedError: it is to be soft, and a decision has no confidence.
        """
        if grade is Grade.HARD:
            return self.is_yes
        without = np.isnan(self.confidence) & ~np.isnan(self.is_yes)
        if without.any():
            raise UndefinedError(
                "verdicts-no-confidence-no",
                f"{int(without.sum())} of {len(self.is_yes)} verdicts have no confidence,"
                " so that no soft quality can be made of them",
                hint="take --grade hard, or a recognizer with confidences",
            )
        return np.asarray((1 + (2 * self.is_yes - 1) * self.confidence) / 2, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class BothWays:
    """The verdicts on many couples of sentences."""

    forward: OneWay
    backward: OneWay

    def qualities(self, grade: Grade, combination: Combination) -> Numbers:
        """One number for each couple; NaN where a way that counts was not decided.

        Raises:
            UndefinedError: it is to be soft, and a decision has no confidence.
        """
        if combination is Combination.FORWARD:
            return self.forward.grades(grade)
        if combination is Combination.BACKWARD:
            return self.backward.grades(grade)
        forward, backward = self.forward.grades(grade), self.backward.grades(grade)
        if combination is Combination.PRODUCT:
            return forward * backward
        if combination is Combination.LEAST:
            return np.minimum(forward, backward)
        return (forward + backward) / 2


def judged_both_ways(
    recognizer: Recognizer, with_term: Sequence[str], with_paraphrase: Sequence[str]
) -> BothWays:
    """Ask a recognizer about couples of sentences, both ways; equal questions once, all in one batch."""
    forward = list(zip(with_term, with_paraphrase, strict=True))
    backward = list(zip(with_paraphrase, with_term, strict=True))
    distinct, places = numbered([*forward, *backward])
    pairs = [Pair(str(i), text, hypothesis) for i, (text, hypothesis) in enumerate(distinct)]
    said = _numbers(recognizer.judge(pairs) if pairs else [])
    return BothWays(_at(said, places[: len(forward)]), _at(said, places[len(forward) :]))


def _numbers(verdicts: Sequence[Verdict]) -> OneWay:
    is_yes = [
        np.nan if verdict.label is None else float(verdict.label is Label.ENTAILMENT)
        for verdict in verdicts
    ]
    confidence = [
        np.nan if verdict.label is None or verdict.confidence is None else verdict.confidence
        for verdict in verdicts
    ]
    return OneWay(np.array(is_yes, np.float64), np.array(confidence, np.float64))


def _at(said: OneWay, places: Indices) -> OneWay:
    return OneWay(said.is_yes[places], said.confidence[places])


# Q with no human judge: a recognizer reads the sentence with the term, and with the paraphrase
# in it.

GRADE, COMBINATION = Grade.SOFT, Combination.PRODUCT
"""What comes nearest to people's judgments, of all grades and combinations, on one half of the rules
of Zeichner et al. (2012); see `validation`."""


@dataclass(slots=True)
class _Couples:
    """Sentences with the term and with the paraphrase, and whose they are."""

    pattern: list[int] = field(default_factory=list)
    with_term: list[str] = field(default_factory=list)
    with_paraphrase: list[str] = field(default_factory=list)

    def add(self, pattern: int, sentence: str, replaced: str) -> None:
        self.pattern.append(pattern)
        self.with_term.append(sentence)
        self.with_paraphrase.append(replaced)


def recognizer_quality(
    lists: RankedLists,
    recognizer: str | Path | Recognizer = DEFAULT,
    sentences: Iterable[str] | None = None,
    *,
    grade: Grade = GRADE,
    combine: Combination = COMBINATION,
    most: int = MOST,
    on_finding: OnFinding = ignore_finding,
) -> Numbers:
    """The mean over sentences of how far term and paraphrase say the same there, for each pattern.

    NaN where no sentence holds the term (finding `no-sentence`), and where the recognizer decides
    about none (finding `undecided`).

    Args:
        lists: The patterns, with the term as it stands in sentences.
        recognizer: A name or a directory, as `ensue.load` takes them, or a recognizer.
        sentences: Where terms are looked for; None for the sentences that the lists bring.
        grade: What one verdict counts.
        combine: How the verdicts of both ways become one number.
        most: Sentences for each term, where `sentences` are given: the first that hold it.
        on_finding: Is told which patterns get no quality.

    Raises:
        UndefinedError: there are no sentences, or a soft quality is wanted of a recognizer
            without confidences.
    """
    judging = recognizer_of(recognizer)
    couples = _couples(lists, _sentences(lists, sentences, most), on_finding)
    ways = judged_both_ways(judging, couples.with_term, couples.with_paraphrase)
    quality = ways.qualities(grade, combine)
    decided = ~np.isnan(quality)
    pattern = np.array(couples.pattern, np.int64)
    n = np.bincount(pattern[decided], minlength=lists.n_patterns)
    total = np.bincount(pattern[decided], quality[decided], minlength=lists.n_patterns)
    _report_undecided(lists, pattern[~decided], n, on_finding)
    return ratio(total.astype(np.float64), n.astype(np.float64))


def _sentences(
    lists: RankedLists, sentences: Iterable[str] | None, most: int
) -> Sequence[Sequence[str]]:
    """For each pattern the sentences that may hold its term."""
    if sentences is not None:
        found = sentences_for(lists.terms, sentences, most)
        return [found[lists.keys[i].term] for i in lists.list_of.tolist()]
    if lists.sentences is None:
        raise UndefinedError(
            "lists-bring-no-sentences",
            "these lists bring no sentences for a recognizer to judge",
            place=lists.name or None,
            hint="add a column 'sentence' with an example that holds the term, or name a file with"
            " --sentences of `ensue paraphrase judge`",
        )
    return [[] if sentence is None else [sentence] for sentence in lists.sentences]


def _couples(
    lists: RankedLists, sentences: Sequence[Sequence[str]], on_finding: OnFinding
) -> _Couples:
    couples = _Couples()
    without: dict[str, list[int]] = {}
    for i, (list_number, candidates) in enumerate(
        zip(lists.list_of.tolist(), sentences, strict=True)
    ):
        term = lists.keys[list_number].term
        found = 0
        for sentence, replaced in _replaced(candidates, term, lists.paraphrases[i]):
            couples.add(i, sentence, replaced)
            found += 1
        if not found:
            without.setdefault(term, []).append(i)
    _report_missing(lists, without, on_finding)
    return couples


def _replaced(sentences: Sequence[str], term: str, paraphrase: str) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        replaced = with_paraphrase(sentence, term, paraphrase)
        if replaced is not None:
            yield sentence, replaced


def _report_missing(
    lists: RankedLists, without: Mapping[str, Sequence[int]], on_finding: OnFinding
) -> None:
    for term, patterns in without.items():
        on_finding(
            Finding(
                "no-sentence",
                Severity.WARNING,
                f"no sentence holds {term!r}, so that its patterns get no quality:"
                f" {len(patterns)} of them",
                place=lists.place(patterns[0]),
                details={"term": term, "n_patterns": len(patterns)},
            )
        )


def _report_undecided(
    lists: RankedLists, undecided: Indices, n_decided: Indices, on_finding: OnFinding
) -> None:
    if undecided.size == 0:
        return
    lost = np.unique(undecided[n_decided[undecided] == 0])
    on_finding(
        Finding(
            "undecided",
            Severity.WARNING,
            f"the recognizer did not decide about {undecided.size} sentences with their"
            f" replacements; {lost.size} patterns get no quality for it",
            place=lists.place(int(undecided[0])),
            details={"n_sentences": int(undecided.size), "n_patterns": int(lost.size)},
        )
    )


def _made(argument: str, on_finding: OnFinding) -> QualityFunction:
    recognizer = load(argument or DEFAULT)
    return lambda lists: recognizer_quality(lists, recognizer, on_finding=on_finding)


RECOGNIZER = QualityKind(
    "recognizer",
    "what a recognizer says of each row's sentence with the paraphrase put in:"
    f" recognizer:NAME ({DEFAULT})",
    _made,
)
