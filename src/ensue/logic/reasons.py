"""Reasons of an answer, part by part: what supports it, is missing or stands against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ensue.logic.chase import Closure, closure_of
from ensue.logic.deadline import Deadline
from ensue.logic.formulas import (
    Atom,
    Constant,
    Formula,
    Not,
    Term,
    atoms,
    conjunction,
    exists,
    free_variables,
    tptp_problem,
)
from ensue.logic.knowledge import FactKind, with_article
from ensue.logic.meaning.interpretation import referents, resolved
from ensue.logic.proving.questions import Budget, Premise, ProofStatus, Prover
from ensue.logic.reasoner import Argument, ReasoningOutcome
from ensue.logic.verbalization import Phraser, TokenLocator, as_atoms, is_name, split
from ensue.logic.worlds import Binding, best_fit, lean

SAME = "same"
"""The kind of a link between words that need no fact about them."""
_MOST_QUESTIONS = 24
"""How often the prover is asked for the largest part that follows."""
_MOST_LINES = 20
"""Lines that a countermodel may have."""


@dataclass(frozen=True, slots=True)
class WordLink:
    """A word of the hypothesis and the word of the text that it was proved from, by their tokens."""

    hypothesis: int
    text: int
    kind: str
    """That of the fact between them, or `same`."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One part of the hypothesis that follows, and why."""

    part: str
    sources: tuple[str, ...]
    """What the text says that it rests on."""
    facts: tuple[str, ...]
    """What it takes about words."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """What an answer rests on, in words."""

    text: tuple[str, ...]
    """What the text says, normalized, as small sentences."""
    hypothesis: tuple[str, ...]
    grounds: tuple[Ground, ...] = ()
    """The parts of the hypothesis that follow, where that can be said part by part."""
    core: tuple[tuple[str, str], ...] = ()
    """All that a proof, a refutation or a contradiction needs: `text` or a kind of fact, and what."""
    missing: tuple[str, ...] = ()
    """The parts of the hypothesis that do not follow."""
    world: tuple[str, ...] = ()
    """What is the case in a world where the text is true and the hypothesis is not."""
    joints: tuple[WordLink, ...] = ()
    lost: tuple[int, ...] = ()
    """The tokens of the hypothesis that nothing in the text answers."""


def premises_of(argument: Argument) -> list[Premise]:
    """What was taken for granted: what the text says, and the facts about words."""
    return [
        *(Premise(f"t{i}", each) for i, each in enumerate(argument.text.conditions)),
        *(Premise(f"w{i}", each.formula) for i, each in enumerate(argument.facts)),
    ]


def problem_of(argument: Argument) -> str:
    """The question as a problem of the TPTP: what was proved, or could not be, is the conjecture."""
    goal = argument.hypothesis.formula
    if argument.outcome is ReasoningOutcome.NO:
        goal = Not(resolved(argument.hypothesis, referents(argument.text)))
    return tptp_problem(premises_of(argument), goal)


def reasons_of(argument: Argument, prover: Prover, budget: Budget) -> Reasons:
    """Find out what an answer rests on.

    Args:
        argument: The answer, whose core should be without what is not needed.
        prover: Is asked for the largest part that follows, where there is no answer.
        budget: What these questions may cost together.

    Raises:
        TimeOver: that, or the argument's own time, was over.
    """
    deadline = argument.deadline.within(budget.seconds)
    return _Finder(argument, prover, budget, deadline).reasons()


class _Finder:
    def __init__(
        self, argument: Argument, prover: Prover, budget: Budget, deadline: Deadline
    ) -> None:
        self.deadline = deadline
        self.argument = argument
        self.prover = prover
        self.budget = budget
        self.premises = premises_of(argument)
        text, hypothesis = argument.text, argument.hypothesis
        self.box = hypothesis.box
        sides = [text, hypothesis]
        self.say_text = Phraser(sides, deadline=deadline).knowing(text.conditions)
        self.say_hypothesis = Phraser(sides[::-1], deadline=deadline).knowing(hypothesis.conditions)
        self.places = TokenLocator(text), TokenLocator(hypothesis)

    def reasons(self) -> Reasons:
        """Whatever there is to say about the outcome."""
        argument = self.argument
        text = tuple(self.say_text.lines(argument.text.conditions))
        hypothesis = tuple(self.say_hypothesis.lines(argument.hypothesis.conditions))
        found = Reasons(text, hypothesis)
        match argument.outcome:
            case ReasoningOutcome.YES | ReasoningOutcome.UNKNOWN | ReasoningOutcome.EXHAUSTED:
                return self._parts(found)
            case ReasoningOutcome.NO | ReasoningOutcome.FAILED:
                names = argument.finding.needed
                joints = (
                    () if argument.outcome is ReasoningOutcome.FAILED else self._core_joints(names)
                )
                return replace(found, core=self._core(names), joints=joints)
        return found

    def _parts(self, found: Reasons) -> Reasons:
        """Part by part: what follows and why, and what is missing."""
        closure = closure_of(self.premises, self.deadline)
        conditions, weights = self.box.conditions, list(map(_weight, self.box.conditions))
        fit = best_fit(closure.world, self.box.variables, conditions, weights)
        needed = [_needed(closure, condition, fit.binding) for condition in conditions]
        proved = self.argument.outcome is ReasoningOutcome.YES
        if proved and None in needed:
            names = self.argument.finding.needed
            return replace(found, core=self._core(names), joints=self._core_joints(names))
        kept = [i for i, each in enumerate(needed) if each is not None]
        missing = [] if proved else self._missing(kept, is_whole=closure.is_whole)
        gone = _whole_events(conditions, missing)
        joints = [
            joint
            for condition, there in zip(conditions, needed, strict=True)
            if there is not None and isinstance(condition, Atom)
            for joint in self._joints(condition, there[0], closure)
        ]
        grounds = [
            self._ground(conditions[i], needed[i] or [], closure) for i in kept if i not in gone
        ]
        return replace(
            found,
            grounds=tuple(grounds),
            missing=tuple(self._missing_lines(missing, gone, fit.binding)),
            world=self._world(),
            joints=tuple(dict.fromkeys(joints)),
            lost=self._lost(gone, joints),
        )

    def _missing_lines(
        self, missing: Sequence[int], gone: Sequence[int], binding: Binding
    ) -> list[str]:
        """What is missing: whole events as such, and what is not said of what is there."""
        conditions = self.box.conditions
        events = {_event(conditions[i]) for i in missing} - {None}
        whole = [conditions[i] for i in gone if _governor(conditions[i]) in events]
        lines = self.say_hypothesis.lines(whole) if whole else []
        rest = [conditions[i] for i in missing if conditions[i] not in whole]
        kept = [each for i, each in enumerate(conditions) if i not in gone]
        return [*lines, *(self._missing_line(each, kept, binding) for each in rest)]

    def _missing_line(self, condition: Formula, kept: Sequence[Formula], binding: Binding) -> str:
        """*The novel is a book*, where a novel stands for the book, or *there is a book*."""
        if isinstance(condition, Atom) and len(condition.terms) == 1:
            (term,) = condition.terms
            lemma, letter = split(condition.predicate)
            spoken = any(isinstance(each, Atom) and term in each.terms for each in kept)
            if letter == "n" and spoken and term.name in binding:
                return f"{self.say_text.the(Constant(binding[term.name]))} is {with_article(lemma)}"
        return self.say_hypothesis.said(condition)

    def _missing(self, kept: Sequence[int], *, is_whole: bool) -> list[int]:
        """The conditions beside some that follow together with which no more does."""
        conditions = self.box.conditions
        following = list(kept)
        others = [i for i in range(len(conditions)) if i not in kept]
        if is_whole or len(others) < 2 or self.argument.outcome is ReasoningOutcome.EXHAUSTED:
            return others  # the last of all cannot follow with the rest, or all would
        asked = others[:_MOST_QUESTIONS]
        share = Budget(self.deadline.left / len(asked), self.budget.steps // len(asked))
        for i in asked:
            self.deadline.check()
            goal = exists(
                self.box.variables, conjunction(conditions[j] for j in sorted([*following, i]))
            )
            found = self.prover.ask(self.premises, goal, budget=share, deadline=self.deadline)
            if found.answer is ProofStatus.PROVED:
                following.append(i)
        return [i for i in others if i not in following]

    def _ground(self, condition: Formula, there: Sequence[Atom], closure: Closure) -> Ground:
        names = closure.premises(there)
        said = [self.say_text.said(self._premise(name)) for name in names if name[0] == "t"]
        facts = [self._fact(name)[1] for name in names if name[0] == "w"]
        return Ground(self.say_hypothesis.said(condition), tuple(said), tuple(facts))

    def _premise(self, name: str) -> Formula:
        return self.argument.text.conditions[int(name[1:])]

    def _fact(self, name: str) -> tuple[str, str]:
        fact = self.argument.facts[int(name[1:])]
        return fact.kind.value, fact.words

    def _core(self, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """What a proof needs: events together with their roles, then facts."""
        named = list(names)
        said = self.say_text.lines(self._premise(name) for name in named if name[0] == "t")
        facts = [self._fact(name) for name in named if name[0] == "w"]
        return (*(("text", line) for line in said), *facts)

    def _joints(self, condition: Atom, atom: Atom, closure: Closure) -> list[WordLink]:
        """The words of the hypothesis in a condition with those of the text that it comes from."""
        in_text, in_hypothesis = self.places
        found: list[WordLink] = []
        if len(condition.terms) == 1:
            asked = in_hypothesis.of_word(condition)
            for root, _ in closure.roots(atom):
                answer = in_text.of_word(root) if len(root.terms) == 1 else None
                if asked is not None and answer is not None:
                    found.append(WordLink(asked, answer, self._kind(closure.premises([atom]))))
            return found
        for term in condition.terms:
            asked, answer = in_hypothesis.of_term(term), in_text.of_term(term)
            if is_name(term) and asked is not None and answer is not None:
                found.append(WordLink(asked, answer, SAME))
        return found

    def _core_joints(self, names: Iterable[str]) -> tuple[WordLink, ...]:
        """The words of the hypothesis and those of a core that are the same, or by a fact."""
        in_text, in_hypothesis = self.places
        said: dict[str, Atom] = {}
        ways: list[tuple[str, str, str]] = []
        for name in names:
            if name[0] == "t":
                said |= {each.predicate: each for each in _words(self._premise(name))}
            else:
                there = [
                    each.predicate for each in _words(self.argument.facts[int(name[1:])].formula)
                ]
                kind = self._kind([name])
                ways += [(one, other, kind) for one in there for other in there if one != other]
        ways += [(each, each, SAME) for each in said]
        found: dict[WordLink, None] = {}
        for atom in _words(self.argument.hypothesis.formula):
            for one, other, kind in ways:
                if other == atom.predicate and one in said:
                    asked, answer = in_hypothesis.of_word(atom), in_text.of_word(said[one])
                    if asked is not None and answer is not None:
                        found[WordLink(asked, answer, kind)] = None
        return tuple(found)

    def _kind(self, names: Sequence[str]) -> str:
        kinds = [self._fact(name)[0] for name in names if name[0] == "w"]
        if kinds and kinds[-1] in (FactKind.VERB_ENTAILMENT, FactKind.CAUSE):
            return "entailed"
        return kinds[-1] if kinds else SAME

    def _lost(self, missing: Sequence[int], joints: Sequence[WordLink]) -> tuple[int, ...]:
        """The tokens of what is missing, but for those that something answers."""
        answered = {joint.hypothesis for joint in joints}
        tokens: dict[int, None] = {}
        for condition in (self.box.conditions[i] for i in missing):
            if isinstance(condition, Atom):
                of_word = self.places[1].of_word(condition) if len(condition.terms) == 1 else None
                of_terms = [self.places[1].of_term(term) for term in condition.terms[1:]]
                tokens |= {each: None for each in (of_word, *of_terms) if each is not None}
        return tuple(sorted(tokens.keys() - answered))

    def _world(self) -> tuple[str, ...]:
        """The countermodel in words."""
        model = self.argument.finding.countermodel
        if model is None:
            return ()
        formulas = [premise.formula for premise in self.premises]
        small = lean(model, formulas, self.argument.hypothesis.formula, self.deadline)
        lines = self.say_text.lines(as_atoms(small.facts))
        same = [
            f"{self.say_text.the(Constant(name))} is {self.say_text.the(Constant(thing))}"
            for name, thing in small.constants
            if name != thing
        ]
        if not lines:
            return ("nothing at all is the case",)
        if len(lines) > _MOST_LINES:
            return (*lines[:_MOST_LINES], f"and {len(lines) - _MOST_LINES} more")
        return (*lines, *same)


def _needed(closure: Closure, condition: Formula, binding: Binding) -> list[Atom] | None:
    """The atoms that make a condition true; None where its variables stand for nothing."""
    free = {variable.name for variable in free_variables(condition)}
    return closure.needed(condition, binding) if free <= binding.keys() else None


def _weight(condition: Formula) -> int:
    """What something is counts more than what it has to do with others."""
    if isinstance(condition, Atom) and len(condition.terms) == 1:
        return 3 if split(condition.predicate)[1] in ("n", "v") else 2
    return 2


def _event(condition: Formula) -> Term | None:
    """The event that a condition says there is."""
    is_event = isinstance(condition, Atom) and split(condition.predicate)[1] == "v"
    return condition.terms[0] if is_event and isinstance(condition, Atom) else None


def _governor(condition: Formula) -> Term | None:
    return condition.terms[0] if isinstance(condition, Atom) and condition.terms else None


def _whole_events(conditions: Sequence[Formula], missing: Sequence[int]) -> list[int]:
    """What is missing, and all else that is said of events that are."""
    events = {_event(conditions[i]) for i in missing} - {None}
    return [
        i
        for i, condition in enumerate(conditions)
        if i in missing or _governor(condition) in events
    ]


def _words(formula: Formula) -> list[Atom]:
    return [atom for atom in atoms(formula) if len(atom.terms) == 1]
