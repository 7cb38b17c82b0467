"""From pairwise probabilities and segment scores to orders of outputs and ranks of systems.

`orders` turns probabilities into total orders; `tie_interval`, `system_scores` and `rank_systems`
turn a metric's segment scores into scores and tables of systems; `human_system_scores` does the
same with what people preferred.
"""

from ensue.translation.ranking.corpus import rank_corpora
from ensue.translation.ranking.human import (
    HumanMethod,
    human_system_scores,
)
from ensue.translation.ranking.ordering import Method, Objective, order, order_value, orders
from ensue.translation.ranking.systems import (
    SEGMENT_METHODS,
    TIED_SHARE,
    ScoreTable,
    SystemKey,
    SystemMethod,
    TieInterval,
    given_interval,
    score_tables,
    segment_credits,
    system_scores,
    tie_interval,
)
from ensue.translation.ranking.tables import SystemRank, rank_systems

__all__ = [
    "SEGMENT_METHODS",
    "TIED_SHARE",
    "HumanMethod",
    "Method",
    "Objective",
    "ScoreTable",
    "SystemKey",
    "SystemMethod",
    "SystemRank",
    "TieInterval",
    "given_interval",
    "human_system_scores",
    "order",
    "order_value",
    "orders",
    "rank_corpora",
    "rank_systems",
    "score_tables",
    "segment_credits",
    "system_scores",
    "tie_interval",
]
