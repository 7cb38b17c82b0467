from .agreement import (
    AnswerAgreement as AnswerAgreement,
    HumanScores as HumanScores,
    PreferenceAgreement as PreferenceAgreement,
    ScoreKind as ScoreKind,
    TieShare as TieShare,
    TieUnit as TieUnit,
    agreement_by_language_pair as agreement_by_language_pair,
    human_scores as human_scores,
    judge_agreement as judge_agreement,
    tie_share as tie_share,
)
from .bounds import (
    Ceiling as Ceiling,
    Floor as Floor,
    FloorPolicy as FloorPolicy,
    JudgeSummary as JudgeSummary,
    consistency_ceiling as consistency_ceiling,
    consistency_floors as consistency_floors,
    judge_summary as judge_summary,
)
from .comparisons import (
    MajorityPreferences as MajorityPreferences,
    PreferenceContradiction as PreferenceContradiction,
    PreferenceContradictions as PreferenceContradictions,
    Voting as Voting,
    contradictions as contradictions,
    judged_outputs as judged_outputs,
    judged_segments as judged_segments,
    majority as majority,
    preferences as preferences,
)
