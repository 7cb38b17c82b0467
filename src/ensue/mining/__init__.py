"""Which constructions, words or columns make a recognizer fail: error mining over judged pairs.

`find_forms` says what may be to blame in each case, `mine` ranks it, with intervals and p-values;
both take pairs that are held. `mine_sources` takes the names of gold and runs, is the one call behind
`ensue mine`, and streams what is large. Prints nothing.
"""

from ensue.mining.finding import (
    column_forms,
    find_forms,
    form_kinds,
    lemma_forms,
    tag_forms,
    task_forms,
    word_forms,
)
from ensue.mining.forms import Forms, forms_of, with_pairs_of_forms
from ensue.mining.large.sources import MinedSources, Wanted, mine_pairs, mine_sources
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
    "MinedSources",
    "Mining",
    "Population",
    "Settings",
    "Stopping",
    "Suspect",
    "Suspicion",
    "Wanted",
    "WorstCase",
    "benjamini_hochberg",
    "column_forms",
    "find_forms",
    "form_kinds",
    "forms_of",
    "lemma_forms",
    "measured",
    "mine",
    "mine_pairs",
    "mine_sources",
    "population",
    "suspicion_rates",
    "tag_forms",
    "task_forms",
    "with_pairs_of_forms",
    "word_forms",
]
