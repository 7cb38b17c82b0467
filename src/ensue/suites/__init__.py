"""Test suites generated from a grammar: cases whose entailment rests on syntax, with gold and tags.

`read_grammar` and `make_repertoire` make a grammar ready, `suite_generators` generates cases,
`write_suites` writes suites that have no case in common, and `made_suites` gives the same.
"""

from ensue.suites.cases.generating import RESTATED, SuiteGenerator, SuiteSettings
from ensue.suites.cases.near_misses import NearMiss
from ensue.suites.cases.quotas import Quota
from ensue.suites.describing import Composition, describe_cases
from ensue.suites.grammar import ENGLISH, Grammar, Tense, check_grammar, read_grammar
from ensue.suites.making import (
    FORMATS,
    MANIFEST,
    Manifest,
    SuiteRecord,
    made_suites,
    read_manifest,
    suite_generators,
    write_suites,
)
from ensue.suites.sentences.phrases import phrases
from ensue.suites.sentences.repertoire import Repertoire, make_repertoire

__all__ = [
    "ENGLISH",
    "FORMATS",
    "MANIFEST",
    "RESTATED",
    "Composition",
    "Grammar",
    "Manifest",
    "NearMiss",
    "Quota",
    "Repertoire",
    "SuiteGenerator",
    "SuiteRecord",
    "SuiteSettings",
    "Tense",
    "check_grammar",
    "describe_cases",
    "made_suites",
    "make_repertoire",
    "phrases",
    "read_grammar",
    "read_manifest",
    "suite_generators",
    "write_suites",
]
