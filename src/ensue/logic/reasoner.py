"""From two analyzed texts to an answer: meanings, word facts, a question, a proof."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from ensue.language import Sentence
from ensue.language.lexicon import Lexicon
from ensue.logic.axioms import person_facts, relation_facts, word_facts
from ensue.logic.formulas import Atom, atoms, constants
from ensue.logic.knowledge import KnowledgeSettings, PredicateWord, WordCategory, WordFact
from ensue.logic.meaning.discourse import MOOD
from ensue.logic.meaning.interpretation import (
    Meaning,
    meaning_of,
    names_of_persons,
    referents,
    resolved,
)
from ensue.logic.proving.questions import BUDGET, Budget, Premise, ProofResult, ProofStatus, Prover


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


@dataclass(frozen=True, slots=True)
class ReasoningSettings:
    """What an answer depends on."""

    knowledge: KnowledgeSettings | None = field(default_factory=KnowledgeSettings)
    """None for syntax alone."""
    grammar: bool = True
    """Whether a grammar is asked for a second opinion on the parse."""
    budget: Budget = BUDGET


_PARTS = {"n": WordCategory.NOUN, "v": WordCategory.VERB, "a": WordCategory.ADJECTIVE}


class Reasoner:
    """Answers whether hypotheses follow from texts."""

    def __init__(
        self, lexicon: Lexicon, prover: Prover, settings: ReasoningSettings | None = None
    ) -> None:
        self.lexicon = lexicon
        self.prover = prover
        self.settings = settings or ReasoningSettings()

    def meaning(self, sentence: Sentence, *, asserted: bool) -> Meaning:
        """What a text says, or a hypothesis asks."""
        grammar = self.settings.grammar
        return meaning_of(sentence, lexicon=self.lexicon, asserted=asserted, grammar=grammar)

    def reason(self, text: Meaning, hypothesis: Meaning, *, explain: bool = False) -> Argument:
        """Whether the hypothesis follows from the text."""
        facts = self._facts(text, hypothesis)
        premises = [
            *(Premise(f"t{i}", each) for i, each in enumerate(text.conditions)),
            *(Premise(f"w{i}", each.formula) for i, each in enumerate(facts)),
        ]
        finding = self.prover.ask(
            premises,
            hypothesis.formula,
            refutable=resolved(hypothesis, referents(text)),
            budget=self.settings.budget,
            explain=explain,
        )
        reason = finding.reason
        if finding.answer is ProofStatus.INCONSISTENT:
            reason = "the text contradicts itself, so that everything would follow from it"
        return Argument(_OUTCOMES[finding.answer], text, hypothesis, facts, finding, reason)

    def _facts(self, text: Meaning, hypothesis: Meaning) -> tuple[WordFact, ...]:
        sides = _predicates(text), _predicates(hypothesis)
        lexicon = self.lexicon if self.settings.knowledge is not None else None
        found = relation_facts(*sides, lexicon=lexicon)
        names = sorted({*names_of_persons(text), *names_of_persons(hypothesis)})
        found += person_facts(names, *sides)
        knowledge = self.settings.knowledge
        if knowledge is not None:
            both_ways = not all(isinstance(each, Atom) for each in text.conditions)
            settings = replace(knowledge, backward=knowledge.backward or both_ways)
            said, asked = _words(text), _words(hypothesis)
            for mood in said:
                words = said[mood], asked.get(mood, [])
                found += word_facts(*words, lexicon=self.lexicon, settings=settings)
        return tuple(found)


def _predicates(meaning: Meaning) -> set[str]:
    return {atom.predicate for condition in meaning.conditions for atom in atoms(condition)}


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
