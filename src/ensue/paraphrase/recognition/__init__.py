"""Recognition tasks: what lists of paraphrases are good for (Shima & Mitamura 2011, section 3).

`recognize` puts ranked lists to tasks, which are gold pairs; `term_counts` gives the paper's Table
1 for any terms; `method_performances` puts the lists of a method together.
"""

from ensue.paraphrase.recognition.explaining import Means, PairExplanation
from ensue.paraphrase.recognition.frequent import frequent_terms
from ensue.paraphrase.recognition.means import MethodPerformance, method_performances
from ensue.paraphrase.recognition.performing import MOST, recognize
from ensue.paraphrase.recognition.results import ListPerformance, PairCounts, Recognition
from ensue.paraphrase.recognition.searching import Match
from ensue.paraphrase.recognition.tasks import Task
from ensue.paraphrase.recognition.terms import (
    SIDES,
    Side,
    TermCounts,
    asked_number,
    chosen_terms,
    term_counts,
)

__all__ = [
    "MOST",
    "SIDES",
    "ListPerformance",
    "Match",
    "Means",
    "MethodPerformance",
    "PairCounts",
    "PairExplanation",
    "Recognition",
    "Side",
    "Task",
    "TermCounts",
    "asked_number",
    "chosen_terms",
    "frequent_terms",
    "method_performances",
    "recognize",
    "term_counts",
]
