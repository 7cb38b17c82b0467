"""Which constructions, words or columns make a recognizer fail: error mining over judged pairs.

`find_forms` says what may be to blame in each case, `mine` ranks it, with intervals and p-values.
Prints nothing, opens no file.
"""

from ensue.mining.finding import (
    column_forms,
    find_forms,
    lemma_forms,
    tag_forms,
    task_forms,
    word_forms,
)
from ensue.mining.forms import Forms, forms_of, with_pairs_of_forms
from ensue.mining.mining import mine
from ensue.mining.population import ErrorKind, Population, population
from ensue.mining.resampling import benjamini_hochberg
from ensue.mining.results import Mining, Settings, Suspect, WorstCase
from ensue.mining.suspicion import (
    CONVERGENCE,
    Measure,
    Stopping,
    Suspicion,
    measured,
    suspicion_rates,
)

__all__ = [
    "CONVERGENCE",
    "ErrorKind",
    "Forms",
    "Measure",
    "Mining",
    "Population",
    "Settings",
    "Stopping",
    "Suspect",
    "Suspicion",
    "WorstCase",
    "benjamini_hochberg",
    "column_forms",
    "find_forms",
    "forms_of",
    "lemma_forms",
    "measured",
    "mine",
    "population",
    "suspicion_rates",
    "tag_forms",
    "task_forms",
    "with_pairs_of_forms",
    "word_forms",
]
