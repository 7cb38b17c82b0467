"""What people's judgments say: preferences, scores, ties, agreement, and the bounds they set."""

from ensue.translation.judgments.absolute import HumanScores, ScoreKind, human_scores
from ensue.translation.judgments.agreement import (
    AnswerAgreement,
    JudgeAgreement,
    agreement_by_language_pair,
    judge_agreement,
)
from ensue.translation.judgments.ceiling import Ceiling, consistency_ceiling
from ensue.translation.judgments.coverage import judged_outputs, judged_segments
from ensue.translation.judgments.floor import Floor, FloorPolicy, consistency_floors
from ensue.translation.judgments.preferences import (
    Contradiction,
    Contradictions,
    contradictions,
    preferences,
)
from ensue.translation.judgments.ties import TieShare, TieUnit, tie_share
from ensue.translation.judgments.votes import MajorityPreferences, Voting, majority

__all__ = [
    "AnswerAgreement",
    "Ceiling",
    "Contradiction",
    "Contradictions",
    "Floor",
    "FloorPolicy",
    "HumanScores",
    "JudgeAgreement",
    "MajorityPreferences",
    "ScoreKind",
    "TieShare",
    "TieUnit",
    "Voting",
    "agreement_by_language_pair",
    "consistency_ceiling",
    "consistency_floors",
    "contradictions",
    "human_scores",
    "judge_agreement",
    "judged_outputs",
    "judged_segments",
    "majority",
    "preferences",
    "tie_share",
]
