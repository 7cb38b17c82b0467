from .kernels import Steps as Steps
from .lexicon import (
    TABLE as TABLE,
    Lexicon as Lexicon,
    load_lexicon as load_lexicon,
    read_lexicon as read_lexicon,
)
from .network import Lemma as Lemma, Meanings as Meanings
from .similarity import SimilarityMeasure as SimilarityMeasure
from .vocabulary import (
    PARTS as PARTS,
    PERSONS as PERSONS,
    PLACES as PLACES,
    Edges as Edges,
    PartOfSpeech as PartOfSpeech,
    Relation as Relation,
    as_steps as as_steps,
    edges as edges,
    offsets_of as offsets_of,
    ranges as ranges,
    read_table as read_table,
    walk as walk,
)
