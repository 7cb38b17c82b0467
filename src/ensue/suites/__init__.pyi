from .cases import (
    RESTATED as RESTATED,
    Quota as Quota,
    SuiteGenerator as SuiteGenerator,
    SuiteSettings as SuiteSettings,
)
from .grammar import (
    Predicate as Predicate,
    SentenceTense as SentenceTense,
    SuiteGrammar as SuiteGrammar,
    check_grammar as check_grammar,
)
from .grammar_xml import ENGLISH as ENGLISH, read_grammar as read_grammar
from .jobs import generate_suites as generate_suites
from .manifest import (
    FORMATS as FORMATS,
    MANIFEST as MANIFEST,
    Composition as Composition,
    Counts as Counts,
    Manifest as Manifest,
    SuiteRecord as SuiteRecord,
    describe_cases as describe_cases,
    made_suites as made_suites,
    read_manifest as read_manifest,
    suite_generators as suite_generators,
    write_suites as write_suites,
)
from .near_misses import NearMiss as NearMiss
from .repertoire import (
    PredicateEntry as PredicateEntry,
    Repertoire as Repertoire,
    make_repertoire as make_repertoire,
)
from .sentences import phrases as phrases, sample_phrases as sample_phrases
