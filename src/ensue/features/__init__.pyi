from .arithmetic import (
    Reckoning as Reckoning,
    Restatement as Restatement,
    restated as restated,
)
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
    PairMeasure as PairMeasure,
    Rarities as Rarities,
    TextPair as TextPair,
    has_words as has_words,
    measured as measured,
    open_reader as open_reader,
    shared_rarities as shared_rarities,
    shared_reader as shared_reader,
)
from .figures import (
    Figures as Figures,
    PlainText as PlainText,
    has_figures as has_figures,
    plain_text as plain_text,
)
from .groups import FEATURES as FEATURES, GROUPS as GROUPS, NAMES as NAMES
from .job_input import (
    pair_input as pair_input,
    pairs_of as pairs_of,
    set_keywords as set_keywords,
)
from .jobs import measure_source as measure_source
from .mismatches import (
    DIFFERENCES as DIFFERENCES,
    Mismatch as Mismatch,
    MismatchKind as MismatchKind,
    differences as differences,
    find_mismatches as find_mismatches,
)
