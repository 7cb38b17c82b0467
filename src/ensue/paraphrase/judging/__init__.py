"""How far the judges of patterns agree, with each other and with themselves."""

from ensue.paraphrase.judging.agreement import (
    JudgeAgreement,
    OneJudge,
    StrictnessAgreement,
    StrictOfLenient,
    TwoJudges,
    judge_agreement,
)
from ensue.paraphrase.judging.repeats import Contradiction, contradictions, pattern_numbers

__all__ = [
    "Contradiction",
    "JudgeAgreement",
    "OneJudge",
    "StrictOfLenient",
    "StrictnessAgreement",
    "TwoJudges",
    "contradictions",
    "judge_agreement",
    "pattern_numbers",
]
