"""Give every pair the same label: the baseline that a balanced data set makes natural."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ensue import __version__
from ensue.pairs import Label, Pair, Signature, Verdict, View
from ensue.recognizers.contract import Arrays
from ensue.recognizers.explanation import Evidence, Explanation, Step
from ensue.recognizers.settings import filled


@dataclass(frozen=True, slots=True)
class AlwaysSettings:
    """Which label it is."""

    label: Label = Label.ENTAILMENT


@dataclass(frozen=True, slots=True)
class AlwaysRecognizer:
    """Give every pair the same label, with neither score nor confidence."""

    chosen: AlwaysSettings

    @property
    def signature(self) -> Signature:
        """The label is all there is to it."""
        label = self.chosen.label
        fine = label in (Label.CONTRADICTION, Label.UNKNOWN)
        return Signature(
            "always",
            __version__,
            {"label": label.value},
            view=View.THREE_WAY if fine else View.TWO_WAY,
        )

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """The same label for each pair."""
        return [Verdict(pair.id, self.chosen.label) for pair in pairs]

    def explain(self, pair: Pair) -> Explanation:
        """There is nothing to explain, and that is said."""
        steps = [Step("decision", f"always {self.chosen.label}, whatever the pair says")]
        return Explanation(pair, self.judge([pair])[0], self.signature, Evidence(steps=steps))

    def arrays(self) -> Arrays:
        """Nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class AlwaysKind:
    """What the entry point names."""

    name: str = "always"
    summary: str = "the same label for every pair"

    def build(self, settings: Mapping[str, object]) -> AlwaysRecognizer:
        """A recognizer with these settings."""
        return AlwaysRecognizer(filled(AlwaysSettings, settings))

    def restore(self, signature: Signature, arrays: Arrays) -> AlwaysRecognizer:  # noqa: ARG002
        """The recognizer that was kept with this signature."""
        return self.build(signature.settings)


ALWAYS = AlwaysKind()
