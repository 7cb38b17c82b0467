"""Match outputs with references word by word, as METEOR does: exactly, by stem and as synonyms.

After Banerjee & Lavie (2005), Lavie & Denkowski (2009) and Denkowski & Lavie (2011), METEOR 1.3.
It departs from METEOR in these: words are cut by 13a after `prepared`; there is no stage of
paraphrases; function words are a list of closed classes, and as synonyms only verbs and adverbs;
identical strings of a corpus have no chunk.
"""

from ensue.translation.matching.features import DEFINITIONS, NAMES, features_of, matched_features
from ensue.translation.matching.matching import (
    WordAlignment,
    WordMatch,
    match_statistics,
    word_alignment,
)
from ensue.translation.matching.statistics import MatchScorer, MatchStatistics, Stage

__all__ = [
    "DEFINITIONS",
    "NAMES",
    "MatchScorer",
    "MatchStatistics",
    "Stage",
    "WordAlignment",
    "WordMatch",
    "features_of",
    "match_statistics",
    "matched_features",
    "word_alignment",
]
