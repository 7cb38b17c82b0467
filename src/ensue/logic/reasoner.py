"""From two analyzed texts to an answer: meanings, word facts, a question, a proof."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from ensue.errors import DataError
from ensue.language import Sentence
from ensue.language.lexicon import Lexicon
from ensue.logic.axioms import relation_facts, word_facts
from ensue.logic.conversives import conversive_facts
from ensue.logic.deadline import Clock, Deadline, TimeOver
from ensue.logic.formulas import Atom, atoms, constants, has_equation
from ensue.logic.knowledge import KnowledgeSettings, PredicateWord, WordCategory, WordFact
from ensue.logic.meaning.discourse import AVERSE, GROUP, MOOD
from ensue.logic.meaning.interpretation import (
    Meaning,
    meaning_of,
    referents,
    resolved,
)
from ensue.logic.monotonicity import monotone_fact
from ensue.logic.naming import (
    count_facts,
    distinct_names,
    habit_facts,
    measure_facts,
    name_facts,
    names_of,
    timeless_facts,
)
from ensue.logic.proving.questions import BUDGET, Budget, Premise, ProofResult, ProofStatus, Prover
from ensue.logic.worlds import World, best_fit


class ReasoningOutcome(StrEnum):
    """What became of a pair."""

    YES = "yes"
    """The hypothesis follows."""
    NO = "no"
    """Its negation follows."""
    UNKNOWN = "unknown"
    """Neither does."""
    EXHAUSTED = "budget exhausted"
    FAILED = "analysis failed"


_OUTCOMES = {
    ProofStatus.PROVED: ReasoningOutcome.YES,
    ProofStatus.REFUTED: ReasoningOutcome.NO,
    ProofStatus.OPEN: ReasoningOutcome.UNKNOWN,
    ProofStatus.EXHAUSTED: ReasoningOutcome.EXHAUSTED,
    ProofStatus.INCONSISTENT: ReasoningOutcome.FAILED,
}


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """An answer, and all that it was found from."""

    outcome: ReasoningOutcome
    text: Meaning
    hypothesis: Meaning
    facts: tuple[WordFact, ...]
    """What was known about the words of the two."""
    finding: ProofResult
    reason: str
    """Why there is no answer, where there is none."""
    false: tuple[int, ...] = ()
    """The conditions of the hypothesis, by number, that do not hold in the countermodel, however
    its things are chosen."""
    deadline: Deadline = field(default_factory=Deadline)
    """When all that is to be said of it must be over."""


@dataclass(frozen=True, slots=True)
class ReasoningSettings:
    """What an answer depends on."""

    knowledge: KnowledgeSettings | None = field(default_factory=KnowledgeSettings)
    """None for syntax alone."""
    grammar: bool = True
    """Whether a grammar is asked for a second opinion on the parse."""
    budget: Budget = BUDGET


_UNFORESEEN = (LookupError, ValueError, TypeError, AttributeError, AssertionError)
_OPEN = (ProofStatus.OPEN, ProofStatus.EXHAUSTED)
_RESERVE = 0.03
"""Seconds in which a busy machine may let a process wait while they are over."""
_FIRST = Sentence(
    "He saw a red dog on arrival in Paris",
    np.array([0, 3, 7, 9, 13, 17, 20, 28, 31], np.int32),
    np.array([2, 6, 8, 12, 16, 19, 27, 30, 36], np.int32),
    np.array([1, -1, 4, 4, 1, 1, 5, 6, 7], np.int32),
    ("he", "see", "a", "red", "dog", "on", "arrival", "in", "Paris"),
    ("PRP", "VBD", "DT", "JJ", "NN", "IN", "NN", "IN", "NNP"),
    ("PRON", "VERB", "DET", "ADJ", "NOUN", "ADP", "NOUN", "ADP", "PROPN"),
    ("nsubj", "ROOT", "det", "amod", "dobj", "prep", "pobj", "prep", "pobj"),
    ("", "", "", "", "", "", "", "", "B-GPE"),
)
"""A parsed sentence with a word of each kind."""
_PARTS = {"n": WordCategory.NOUN, "v": WordCategory.VERB, "a": WordCategory.ADJECTIVE}


class Reasoner:
    """Answers whether hypotheses follow from texts."""

    def __init__(
        self,
        lexicon: Lexicon,
        prover: Prover,
        settings: ReasoningSettings | None = None,
        clock: Clock = time.perf_counter,
    ) -> None:
        self.lexicon = lexicon
        self.prover = prover
        self.settings = settings or ReasoningSettings()
        self._clock = clock

    def load(self) -> None:
        """Read a sentence with nobody waiting, so that the first pair finds all tables loaded."""
        text, asked = (
            self.meaning(_FIRST, asserted=each, deadline=Deadline()) for each in (True, False)
        )
        self._facts(text, asked, Deadline())

    def deadline(self) -> Deadline:
        """When an argument that is begun now must be over."""
        seconds = self.settings.budget.seconds
        return Deadline(seconds - min(_RESERVE, seconds / 10), clock=self._clock)

    def meaning(
        self, sentence: Sentence, *, asserted: bool, deadline: Deadline | None = None
    ) -> Meaning:
        """What a text says, or a hypothesis asks.

        Raises:
            TimeOver: the deadline, where there is one, passed before it was found out.
            DataError: the rules stumbled over the parse.
        """
        deadline = deadline or Deadline()
        deadline.enter(f"reading the {'text' if asserted else 'hypothesis'}")
        grammar = self.settings.grammar
        try:
            return meaning_of(
                sentence,
                lexicon=self.lexicon,
                asserted=asserted,
                grammar=grammar,
                deadline=deadline,
            )
        # a parse that no rule foresaw costs its pair, and not a run of a million
        except _UNFORESEEN as error:
            side = "text" if asserted else "hypothesis"
            raise DataError(
                "text-unreadable",
                f"the {side} could not be read: {type(error).__name__}: {error}",
                hint="the other pairs are judged; please report the sentence",
            ) from error

    def reason(
        self,
        text: Meaning,
        hypothesis: Meaning,
        *,
        explain: bool = False,
        deadline: Deadline | None = None,
    ) -> Argument:
        """Whether the hypothesis follows from the text; exhausted where the deadline comes first."""
        until, deadline = deadline or Deadline(), deadline or self.deadline()
        facts: tuple[WordFact, ...] = ()
        false: tuple[int, ...] = ()
        try:
            deadline.enter("looking words up")
            facts = self._facts(text, hypothesis, deadline)
            deadline.enter("proving")
            finding = self._finding(text, hypothesis, facts, deadline, explain=explain)
            if finding.answer in _OPEN and self.settings.knowledge is not None:
                facts, finding = self._edited(text, hypothesis, facts, finding, deadline)
            false = _false(finding, hypothesis, deadline)
        except TimeOver:
            finding = ProofResult(ProofStatus.EXHAUSTED, reason="seconds")
        outcome = _OUTCOMES[finding.answer]
        reason = finding.reason
        if finding.answer is ProofStatus.INCONSISTENT:
            reason = "the text contradicts itself, so that everything would follow from it"
        elif outcome is ReasoningOutcome.EXHAUSTED:
            reason = self.spent(finding.reason, deadline.stage)
        return Argument(outcome, text, hypothesis, facts, finding, reason, false, until)

    def _edited(
        self,
        text: Meaning,
        hypothesis: Meaning,
        facts: tuple[WordFact, ...],
        finding: ProofResult,
        deadline: Deadline,
    ) -> tuple[tuple[WordFact, ...], ProofResult]:
        """The same with what one edit of the text leads to, where formulas alone gave no answer."""
        fact = monotone_fact(text, hypothesis, lexicon=self.lexicon, deadline=deadline)
        if fact is None:
            return facts, finding
        # the text and the fact give the hypothesis in one step, which no prover need be asked for
        used = (*(f"t{i}" for i in range(len(text.conditions))), f"w{len(facts)}")
        proved = replace(
            finding,
            answer=ProofStatus.PROVED,
            core=used,
            needed=used,
            countermodel=None,
            reason="",
        )
        return (*facts, fact), proved

    def spent(self, what: str, stage: str) -> str:
        """Which setting's limit was met at which stage; else what kept the prover from an answer."""
        budget = self.settings.budget
        limits = {"seconds": f"{budget.seconds:g} s", "steps": f"{budget.steps:,} steps"}
        if what not in limits:
            return what
        return f"its {limits[what]} were over while {stage} (a larger {what!r} gives it more)"

    def _finding(
        self,
        text: Meaning,
        hypothesis: Meaning,
        facts: Sequence[WordFact],
        deadline: Deadline,
        *,
        explain: bool,
    ) -> ProofResult:
        premises = [
            *(Premise(f"t{i}", each) for i, each in enumerate(text.conditions)),
            *(Premise(f"w{i}", each.formula) for i, each in enumerate(facts)),
        ]
        return self.prover.ask(
            premises,
            hypothesis.formula,
            refutable=resolved(hypothesis, referents(text), deadline),
            budget=self.settings.budget,
            deadline=deadline,
            explain=explain,
        )

    def _facts(
        self, text: Meaning, hypothesis: Meaning, deadline: Deadline
    ) -> tuple[WordFact, ...]:
        counts = count_facts(text, hypothesis, self.lexicon)
        both = _predicates(text) | _predicates(hypothesis)
        counted = {atom.predicate for fact in counts for atom in atoms(fact.formula)}
        sides = _predicates(text) | counted, _predicates(hypothesis)
        lexicon = self.lexicon if self.settings.knowledge is not None else None
        found = [*counts, *relation_facts(*sides, lexicon=lexicon)]
        found += measure_facts(text, hypothesis, both)
        found += timeless_facts(text, hypothesis)
        found += habit_facts(sides[0], hypothesis)
        names = [names_of(side, self.lexicon) for side in (text, hypothesis)]
        found += name_facts(names, sides)
        conditions = (*text.conditions, *hypothesis.conditions)
        if any(map(has_equation, conditions)):
            found += distinct_names(*map(_names, (text, hypothesis)), lexicon=lexicon)
        knowledge = self.settings.knowledge
        if knowledge is not None:
            found += conversive_facts(*sides)
            both_ways = not all(isinstance(each, Atom) for each in text.conditions)
            settings = replace(knowledge, backward=knowledge.backward or both_ways)
            said, asked = _words(text), _words(hypothesis)
            for mood in (each for each in said if each.rpartition(" ")[2] not in AVERSE):
                words = said[mood], asked.get(mood, [])
                found += word_facts(
                    *words, lexicon=self.lexicon, settings=settings, deadline=deadline
                )
        return tuple(found)


def _false(finding: ProofResult, hypothesis: Meaning, deadline: Deadline) -> tuple[int, ...]:
    """What of the hypothesis does not hold in the world that stands against it."""
    model, box = finding.countermodel, hypothesis.box
    if finding.answer is not ProofStatus.OPEN or model is None:
        return ()
    return best_fit(World(model, deadline=deadline), box.variables, box.conditions).false


def _predicates(meaning: Meaning) -> set[str]:
    return {atom.predicate for condition in meaning.conditions for atom in atoms(condition)}


def _names(meaning: Meaning) -> set[str]:
    """The names of things that a meaning speaks of, and of groups, which are none of these."""
    found = (each.name for condition in meaning.conditions for each in constants(condition))
    return {name for name in found if "#" not in name or GROUP in name}


def _words(meaning: Meaning) -> dict[str, list[PredicateWord]]:
    """The words of a meaning, each once, and its names, by the mood that they are said in."""
    found: dict[str, dict[PredicateWord, None]] = {}
    for condition in meaning.conditions:
        for atom in atoms(condition):
            word, _, letter = atom.predicate.rpartition(":")
            if letter in _PARTS:
                mood, _, lemma = word.rpartition(MOOD)
                found.setdefault(mood, {})[PredicateWord(atom.predicate, lemma, _PARTS[letter])] = (
                    None
                )
        for constant in constants(condition):
            if "#" not in constant.name:
                name = PredicateWord(constant.name, constant.name, WordCategory.NAME)
                found.setdefault("", {})[name] = None
    return {mood: list(words) for mood, words in found.items()}
