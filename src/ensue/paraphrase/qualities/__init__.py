"""Q, the quality of a pattern: by judges, by a column, by judged instances, by a recognizer.

And how far the last of these agrees with people.
"""

from ensue.paraphrase.qualities.both_ways import Combination, Grade
from ensue.paraphrase.qualities.recognizer import recognizer_quality
from ensue.paraphrase.qualities.validation import AutomaticAgreement, automatic_agreement

__all__ = [
    "AutomaticAgreement",
    "Combination",
    "Grade",
    "automatic_agreement",
    "recognizer_quality",
]
