from .catalog import FEATURES as FEATURES, GROUPS as GROUPS, NAMES as NAMES
from .comparison import (
    TERMS as TERMS,
    Feature as Feature,
    FeatureGroup as FeatureGroup,
    PairComparison as PairComparison,
)
from .events import EventComparison as EventComparison
from .extraction import (
    Comparer as Comparer,
    FeatureReader as FeatureReader,
    PairDirection as PairDirection,
    Rarities as Rarities,
    TextPair as TextPair,
    has_words as has_words,
    measured as measured,
    open_reader as open_reader,
    shared_rarities as shared_rarities,
    shared_reader as shared_reader,
)
from .job_input import (
    pair_input as pair_input,
    pairs_of as pairs_of,
    set_keywords as set_keywords,
)
from .jobs import measure_source as measure_source
from .mismatches import (
    Mismatch as Mismatch,
    MismatchKind as MismatchKind,
    find_mismatches as find_mismatches,
)
