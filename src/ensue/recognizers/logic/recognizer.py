"""Say yes where the hypothesis is proved from the text, and no where its negation is.

The design of Afazio (Bedaride and Gardent 2010, section 3.1): both sides are parsed, rewritten until
paraphrases look the same, and left to a theorem prover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from ensue import __version__
from ensue.language.analysis import installed_model
from ensue.language.analysis.spreading import Spreading
from ensue.language.lexicon import load_lexicon
from ensue.logic.proving import Prover, open_prover
from ensue.logic.reasoning import Argument, Outcome, Reasoner
from ensue.logic.reasons.worlds import World, best_fit
from ensue.pairs import Label, Pair, Signature, Status, Verdict, View
from ensue.recognizers.contract import Arrays
from ensue.recognizers.explanation import Evidence, Explanation
from ensue.recognizers.logic.evidence import evidence_of
from ensue.recognizers.logic.reading import Failure, MeaningReader, open_meaning_reader
from ensue.recognizers.logic.settings import LogicSettings
from ensue.recognizers.settings import filled

NAME = "logic"
_ANALYZER, _VERSION = "analyzer", "prover_version"
_RANGE = (-1.0, 1.0)
_WORD_FACT = 0.9
"""How sure a proof still is after each fact about words that it uses."""
_DECISIONS = {
    Outcome.YES: (Label.ENTAILMENT, 1.0),
    Outcome.NO: (Label.CONTRADICTION, -1.0),
    Outcome.UNKNOWN: (Label.UNKNOWN, 0.0),
}
"""The label and the score of each outcome that is a decision."""


@dataclass(slots=True, eq=False)
class Mind:
    """A prover, and what is opened with it when the first pair comes."""

    chosen: LogicSettings
    prover: Prover
    pool: Spreading | None = None
    """Parses large batches; what is parsed is proved in this process."""
    _reader: MeaningReader | None = None

    @property
    def reader(self) -> MeaningReader:
        """What reads pairs."""
        if self._reader is None:
            reasoner = Reasoner(load_lexicon(), self.prover, self.chosen.reasoning)
            self._reader = open_meaning_reader(reasoner, pool=self.pool)
        return self._reader


@dataclass(frozen=True, slots=True)
class LogicRecognizer:
    """Proves, refutes, or finds that neither can be done."""

    chosen: LogicSettings
    mind: Mind = field(compare=False, repr=False)

    @property
    def settings(self) -> dict[str, object]:
        """Every setting with its value, what analyzes, and the version of the prover."""
        version = {_VERSION: self.mind.prover.version} if self.mind.prover.version else {}
        return {**asdict(self.chosen), **version, _ANALYZER: installed_model()}

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts."""
        return Signature(NAME, __version__, self.settings, view=View.THREE_WAY, score_range=_RANGE)

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair, in order."""
        found = self.arguments(pairs)
        return [verdict_of(pair.id, each) for pair, each in zip(pairs, found, strict=True)]

    def arguments(self, pairs: Sequence[Pair]) -> list[Argument | Failure]:
        """What each verdict rests on."""
        return list(self.mind.reader.arguments(pairs)) if pairs else []

    def explain(self, pair: Pair) -> Explanation:
        """The proof, or what is missing for one."""
        verdict = self.judge([pair])[0]
        return Explanation(pair, verdict, self.signature, self.evidence(pair))

    def evidence(self, pair: Pair) -> Evidence:
        """What the verdict rests on; nothing where a side could not be read."""
        (found,) = self.mind.reader.arguments([pair], explain=True)
        if isinstance(found, Failure):
            return Evidence()
        return evidence_of(found, self.mind.prover, self.chosen.reasoning.budget)

    def with_pool(self, pool: Spreading | None) -> LogicRecognizer:
        """The same recognizer, with a pool that parses large batches."""
        return LogicRecognizer(self.chosen, Mind(self.chosen, self.mind.prover, pool))

    def arrays(self) -> Arrays:
        """Nothing: there is nothing to learn."""
        return {}


@dataclass(frozen=True, slots=True)
class LogicKind:
    """What the entry point names."""

    name: str = NAME
    summary: str = "proves the hypothesis, or its negation, from the text; says why"

    def build(self, settings: Mapping[str, object]) -> LogicRecognizer:
        """A recognizer with these settings, whose prover is there."""
        chosen = filled(LogicSettings, settings)
        return LogicRecognizer(chosen, Mind(chosen, open_prover(chosen.prover)))

    def restore(self, signature: Signature, arrays: Arrays) -> LogicRecognizer:  # noqa: ARG002
        """The recognizer that was kept with this signature."""
        return self.build(own_settings(signature))


LOGIC = LogicKind()


def own_settings(signature: Signature) -> dict[str, object]:
    """The settings of a signature without what it says of the installation."""
    told = (_ANALYZER, _VERSION)
    return {name: value for name, value in signature.settings.items() if name not in told}


def verdict_of(pair_id: str, found: Argument | Failure) -> Verdict:
    """The verdict that an argument comes to."""
    if isinstance(found, Failure):
        return Verdict(pair_id, None, status=Status.FAILED, reason=found.reason)
    if found.outcome in _DECISIONS:
        label, score = _DECISIONS[found.outcome]
        return Verdict(pair_id, label, score, confidence_of(found))
    if found.outcome is Outcome.EXHAUSTED:
        reason = f"neither proof nor countermodel within the budget: {found.reason}"
        return Verdict(pair_id, None, status=Status.BUDGET_EXHAUSTED, reason=reason)
    return Verdict(pair_id, None, status=Status.FAILED, reason=found.reason)


def confidence_of(argument: Argument) -> float:
    """How sure an answer is, from 0 to 1.

    A proof from what the text says is certain; each fact about words makes it less so, since words
    have senses. That nothing is proved is the surer the more of the hypothesis is missing: the
    share of its conditions that are false in the countermodel, however its things are chosen.
    """
    if argument.outcome is not Outcome.UNKNOWN:
        n_facts = sum(name.startswith("w") for name in argument.finding.core)
        return float(_WORD_FACT**n_facts)
    model, box = argument.finding.countermodel, argument.hypothesis.box
    if model is None:
        return 0.0
    fit = best_fit(World(model), box.variables, box.conditions)
    return len(fit.false) / len(box.conditions)
