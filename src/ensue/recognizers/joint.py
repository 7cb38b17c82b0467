"""The recognizer that asks the network, the features and logic, and weighs what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from ensue import __version__
from ensue.concurrency import made_once, no_fork
from ensue.errors import DataError, SettingError
from ensue.features import FeatureReader, open_reader
from ensue.language import CallPool, installed_model
from ensue.logic import Argument, ReasoningOutcome
from ensue.neural import ORDER
from ensue.pairs import Label, Pair, Signature, Status, Verdict, View, pairs_hash
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    EvidenceSection,
    Explanation,
    Link,
    Span,
    Step,
    Weight,
    checked_pair,
    checked_pairs,
    filled,
)
from ensue.recognizers.features import linked, marks
from ensue.recognizers.joint_model import (
    MEASURE,
    Columns,
    JointModel,
    JudgingStage,
    StageAnswers,
    columns_of,
    fitted_model,
    logic_reading,
    model_from_arrays,
)
from ensue.recognizers.logic import (
    LOGIC,
    ArgumentFailure,
    LogicRecognizer,
    LogicSettings,
    turn,
)
from ensue.recognizers.neural import (
    RANGE,
    Chances,
    NetworkSession,
    chances_section,
    decided,
    decision_step,
    wordless,
)
from ensue.statistics import softmax

NAME = "joint"


@dataclass(frozen=True, slots=True)
class JointSettings:
    """Who is asked, and where yes begins."""

    stages: tuple[JudgingStage, ...] = tuple(JudgingStage)
    """`neural`, `features`, `logic`; at least two of them, or `neural` alone."""
    longest: int = 40
    """Words of a text beyond which logic is not asked: it proves next to nothing there."""
    cutoff: float = 0.5
    seconds: float = LogicSettings().seconds
    """What logic may take for one pair."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stages", tuple(s for s in JudgingStage if s in self.stages))
        if not self.stages:
            raise SettingError(
                "setting-cannot",
                "setting 'stages' cannot be empty",
                hint=f"it takes some of {', '.join(JudgingStage)}, separated by commas",
            )
        if not 0 <= self.cutoff <= 1:
            raise SettingError(
                "setting-cutoff-cannot",
                f"setting 'cutoff' cannot be {self.cutoff!r}",
                hint="it takes a number from 0 to 1",
            )


@dataclass(frozen=True, slots=True)
class JointRecognizer:
    """Asks its stages, and weighs what they say."""

    chosen: JointSettings
    logic: LogicRecognizer
    model: JointModel | None = None
    tuned_on: Mapping[str, Any] | None = field(default=None, hash=False)
    session: NetworkSession = field(default_factory=NetworkSession, compare=False, repr=False)
    reader: FeatureReader | None = field(default=None, compare=False, repr=False)
    tunes: bool = False

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts."""
        settings: dict[str, Any] = {"stages": "+".join(self.chosen.stages)}
        if JudgingStage.NEURAL in self.chosen.stages:
            settings["network"] = self.session.network.identity
        if JudgingStage.LOGIC in self.chosen.stages:
            settings["longest"] = self.chosen.longest
            settings["seconds"] = self.chosen.seconds
        settings["analyzer"] = installed_model()
        return Signature(
            NAME,
            __version__,
            settings,
            view=View.THREE_WAY,
            cutoff=self.chosen.cutoff,
            score_range=RANGE,
            tuned_on=self.tuned_on,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair, in order."""
        asked = checked_pairs(pairs)
        silent = {i: why for i, pair in enumerate(asked) if (why := wordless(pair))}
        kept = [i for i in range(len(asked)) if i not in silent]
        answers = self.answers([asked[i] for i in kept])
        found = dict(zip(kept, self._verdicts(answers), strict=True))
        failed = {
            i: Verdict(asked[i].id, None, status=Status.ABSTAINED, reason=why)
            for i, why in silent.items()
        }
        return [found[i] if i in found else failed[i] for i in range(len(asked))]

    def answers(self, pairs: Sequence[Pair], *, explain: bool = False) -> StageAnswers:
        """What the stages say of pairs that have words."""
        sides = [(pair.text, pair.hypothesis) for pair in pairs]
        stages, found = self.chosen.stages, StageAnswers(pairs)
        if not pairs:
            return found
        if JudgingStage.NEURAL in stages:
            found = replace(found, odds=self.session.odds(sides))
        if JudgingStage.FEATURES in stages:
            found = replace(found, features=(self.reader or _shared_reader()).features(sides))
        if JudgingStage.LOGIC in stages:
            found = replace(found, arguments=self._arguments(pairs, explain=explain))
        return found

    def _arguments(
        self, pairs: Sequence[Pair], *, explain: bool
    ) -> list[Argument | ArgumentFailure | None]:
        """Of texts that are not too long."""
        short = [i for i, pair in enumerate(pairs) if len(pair.text.split()) <= self.chosen.longest]
        found = self.logic.arguments([pairs[i] for i in short], explain=explain)
        argued = dict(zip(short, found, strict=True))
        return [argued.get(i) for i in range(len(pairs))]

    def _verdicts(self, answers: StageAnswers) -> list[Verdict]:
        if not answers.pairs:
            return []
        rows = softmax(self._trained.log_odds(answers.columns()))
        cutoff = self.chosen.cutoff
        return [
            decided(pair.id, chances, cutoff, reason=said)
            for pair, chances, said in zip(answers.pairs, rows, _said(answers), strict=True)
        ]

    @property
    def _trained(self) -> JointModel:
        if self.model is None:
            raise SettingError(
                "recognizer-settings-trained-first",
                f"recognizer {NAME!r} with these settings has to be trained first",
                hint=f"ensue train PAIRS -r {NAME} -o DIR, then use -r DIR",
            )
        return self.model

    def fit(self, pairs: Sequence[Pair], *, seed: int, name: str = "pairs") -> JointRecognizer:
        """Learn what the stages' answers are worth from pairs with gold.

        Raises:
            DataError: no pair has gold, or all have the same.
        """
        gold = [p for p in checked_pairs(pairs) if p.gold is not None and not wordless(p)]
        if len({pair.gold is Label.ENTAILMENT for pair in gold}) < 2:
            raise DataError(
                "all-pairs-same-gold",
                "all pairs have the same gold, or none, so no weights can be learned",
                hint="give pairs of both kinds; --read gold=COLUMN names the column of gold",
            )
        return self.learned(self.answers(gold).columns(), gold, seed=seed, name=name)

    def learned(
        self, columns: Columns, gold: Sequence[Pair], *, seed: int, name: str
    ) -> JointRecognizer:
        """What `fit` gives, from what its stages, or more of them, say of pairs with gold."""
        columns = columns_of(columns, self.chosen.stages)
        model = fitted_model(columns, gold, seed=seed)
        right = softmax(model.log_odds(columns))[:, 0] > self.chosen.cutoff
        accuracy = float(np.mean(right == [pair.gold is Label.ENTAILMENT for pair in gold]))
        tuned_on = {
            "name": name,
            "pairs": len(gold),
            "scored": len(gold),
            "sha256": pairs_hash(gold),
            "seed": seed,
            "right": round(accuracy * len(gold)),
            "accuracy": accuracy,
            "strength": model.strength,
        }
        return replace(self, model=model, tuned_on=tuned_on)

    def explain(self, pair: Pair) -> Explanation:
        """What each stage said, what that was worth, and which of them decided."""
        checked_pair(pair)
        if wordless(pair):
            return Explanation(pair, self.judge([pair])[0], self.signature, Evidence())
        with no_fork, turn:
            answers = self.answers([pair], explain=True)
            (verdict,) = self._verdicts(answers)
            evidence = self._evidence(answers, verdict)
        return Explanation(pair, verdict, self.signature, evidence)

    def _evidence(self, answers: StageAnswers, verdict: Verdict) -> Evidence:
        (pair,) = answers.pairs
        columns = answers.columns()
        (chances,) = softmax(self._trained.log_odds(columns))
        weights = self._weights(columns, chances)
        sections = [self._chances(answers, chances)]
        spans: list[Span] = []
        links: list[Link] = []
        if JudgingStage.FEATURES in self.chosen.stages:
            (compared,) = (self.reader or _shared_reader()).compare([(pair.text, pair.hypothesis)])
            spans, links = linked(compared)
            spans = [*spans, *marks(compared)]
        if answers.arguments is not None:
            (found,) = answers.arguments
            if found is not None:
                sections += self.logic.evidence(found).sections
        steps = [
            *self._steps(answers, weights, verdict),
            decision_step(verdict, self.chosen.cutoff),
        ]
        return Evidence(spans, links, steps, weights, sections)

    def _chances(self, answers: StageAnswers, chances: Chances) -> EvidenceSection:
        rows = {}
        if answers.odds is not None:
            rows[JudgingStage.NEURAL.value] = softmax(
                answers.odds / self.session.network.temperature
            )[0]
        return chances_section({**rows, NAME: chances})

    def _weights(self, columns: Columns, chances: Chances) -> list[Weight]:
        """What speaks for entailment, against the likelier of the other labels."""
        model = self._trained
        other = 1 + int(chances[1:].argmax())
        (added,) = model.contributions(columns, 0, other)
        per_unit = model.weights[:, 0] - model.weights[:, other]
        rows = zip(model.names, per_unit, added, model.means, strict=True)
        return [
            Weight(name, float(columns[name][0]), float(weight), float(contribution), float(mean))
            for name, weight, contribution, mean in rows
        ]

    def _steps(
        self, answers: StageAnswers, weights: Sequence[Weight], verdict: Verdict
    ) -> list[Step]:
        """What each stage adds to the log odds of entailment, and which decided."""
        added = stage_sums(weights)
        toward = 1 if verdict.label is Label.ENTAILMENT else -1
        first = max(added, key=lambda stage: added[stage] * toward)
        (said,) = _said(answers)
        return [
            Step("decided by", f"{first}, most of all ({said})"),
            *(Step(f"log odds from {stage}", "", total) for stage, total in added.items()),
        ]

    def with_pool(self, pool: CallPool | None) -> JointRecognizer:
        """The same recognizer, with one pool for large batches of its stages."""
        return replace(
            self, logic=self.logic.with_pool(pool), reader=open_reader(pool=pool, measure=MEASURE)
        )

    def arrays(self) -> Arrays:
        """What was learned."""
        return {} if self.model is None else self.model.arrays()

    def __reduce__(self) -> tuple[Any, ...]:
        """What was learned: another process opens stages of its own."""
        return _rebuilt, (asdict(self.chosen), self.model, self.tuned_on)


@made_once
def _shared_reader() -> FeatureReader:
    """The reader of all joint recognizers in this process who have none of their own."""
    return open_reader(measure=MEASURE)


def stage_sums(weights: Sequence[Weight]) -> dict[str, float]:
    """What all columns of each stage add together."""
    sums: dict[str, float] = {}
    for weight in weights:
        stage = JudgingStage.FEATURES.value
        if weight.name.startswith((JudgingStage.NEURAL.value, JudgingStage.LOGIC.value)):
            stage = weight.name.partition(".")[0].partition(":")[0]
        sums[stage] = sums.get(stage, 0.0) + weight.contribution
    return sums


def _said(answers: StageAnswers) -> list[str]:
    """What the stages say of each pair, in a few words."""
    n = len(answers.pairs)
    parts: list[list[str]] = [[] for _ in range(n)]
    if answers.odds is not None:
        for part, chances in zip(parts, softmax(answers.odds), strict=True):
            part.append(f"neural: {ORDER[int(chances.argmax())].value} {chances.max():.2f}")
    if answers.arguments is not None:
        for part, found in zip(parts, answers.arguments, strict=True):
            part.append(f"logic: {_heard(found)}")
    return ["; ".join(part) for part in parts]


def _heard(found: Argument | ArgumentFailure | None) -> str:
    if found is None:
        return "not asked, the text is long"
    if isinstance(found, Argument) and found.outcome is not ReasoningOutcome.FAILED:
        return logic_reading(found)[0].value
    return found.reason


def _rebuilt(
    settings: Mapping[str, object], model: JointModel | None, tuned_on: Mapping[str, Any] | None
) -> JointRecognizer:
    return replace(JOINT.untrained(settings), model=model, tuned_on=tuned_on)


@dataclass(frozen=True, slots=True)
class JointKind:
    """What the entry point names."""

    name: str = NAME
    summary: str = "network, features and logic decide together; three-way, comes trained"

    def build(self, settings: Mapping[str, object]) -> JointRecognizer:
        """The recognizer with these settings; it comes trained for every choice of stages."""
        built = self.untrained(settings)
        kept = shipped("+".join(built.chosen.stages))
        return built if kept is None else replace(built, model=kept.model, tuned_on=kept.tuned_on)

    def untrained(self, settings: Mapping[str, object]) -> JointRecognizer:
        """The recognizer with these settings before it has learned anything."""
        given = dict(settings)
        if isinstance(given.get("stages"), str):
            given["stages"] = str(given["stages"]).replace("+", ",")
        chosen = filled(JointSettings, given)
        return JointRecognizer(chosen, LOGIC.build({"seconds": chosen.seconds}))

    def restore(self, signature: Signature, arrays: Arrays) -> JointRecognizer:
        """The recognizer that was kept with this signature and these numbers."""
        told = ("network", "analyzer")
        kept = {name: value for name, value in signature.settings.items() if name not in told}
        stages = tuple(str(kept.pop("stages")).split("+"))
        settings = {**kept, "stages": stages, "cutoff": signature.cutoff}
        model = model_from_arrays(arrays) if arrays else None
        return replace(JOINT.untrained(settings), model=model, tuned_on=signature.tuned_on)


JOINT = JointKind()


SHIPPED = tuple(
    "+".join(each)
    for each in (
        tuple(JudgingStage),
        *combinations(JudgingStage, 2),
        (JudgingStage.NEURAL,),
    )
)
"""The choices of stages that come trained."""


def shipped(stages: str) -> JointRecognizer | None:
    """The recognizer that comes trained for these stages, joined by `+`; None for other choices."""
    from ensue.recognizers.storage import load_shipped

    if stages not in SHIPPED:
        return None
    found = load_shipped(f"trained_joint/{stages}")
    assert isinstance(found, JointRecognizer)
    return found
