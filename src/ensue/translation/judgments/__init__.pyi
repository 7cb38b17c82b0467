from .agreement import (
    AnswerAgreement as AnswerAgreement,
    PreferenceAgreement as PreferenceAgreement,
    TieShare as TieShare,
    TieUnit as TieUnit,
    agreement_by_language_pair as agreement_by_language_pair,
    judge_agreement as judge_agreement,
    tie_share as tie_share,
)
from .assessments import (
    HumanScores as HumanScores,
    ScoreKind as ScoreKind,
    human_scores as human_scores,
)
from .bounds import (
    Ceiling as Ceiling,
    Floor as Floor,
    FloorPolicy as FloorPolicy,
    consistency_ceiling as consistency_ceiling,
    consistency_floors as consistency_floors,
)
from .comparisons import (
    PreferenceContradiction as PreferenceContradiction,
    PreferenceContradictions as PreferenceContradictions,
    contradictions as contradictions,
    judged_outputs as judged_outputs,
    judged_segments as judged_segments,
    preferences as preferences,
)
from .judges import JudgeSummary as JudgeSummary, judge_summary as judge_summary
from .majority_votes import (
    MajorityPreferences as MajorityPreferences,
    Voting as Voting,
    majority as majority,
)
