from .analysis_cache import (
    LARGEST_FILE as LARGEST_FILE,
    CachedAnalyzer as CachedAnalyzer,
    TextAnalyzer as TextAnalyzer,
    analysis_counts as analysis_counts,
    cache_file as cache_file,
)
from .analyzer import (
    MODEL_PACKAGE as MODEL_PACKAGE,
    MODELS as MODELS,
    ROOT as ROOT,
    Call as Call,
    CallPool as CallPool,
    PooledAnalyzer as PooledAnalyzer,
    Sentence as Sentence,
    installed_model as installed_model,
    joined as joined,
    load_analyzer as load_analyzer,
    sentence_spans as sentence_spans,
)
from .contexts.clauses import Contexts as Contexts
from .contexts.commitment import find_contexts as find_contexts
from .graphs.builder import build_graphs as build_graphs
from .graphs.graph import Graph as Graph, Sort as Sort
from .lexicon.lexicon import (
    Lexicon as Lexicon,
    load_lexicon as load_lexicon,
    read_lexicon as read_lexicon,
)
from .lexicon.network import Lemma as Lemma
from .lexicon.similarity import SimilarityMeasure as SimilarityMeasure
from .lexicon.vocabulary import PartOfSpeech as PartOfSpeech, Relation as Relation
from .values.extraction import find_values as find_values
from .values.value import Value as Value, agreement as agreement
