from .forms import (
    SLASH as SLASH,
    TOGETHER as TOGETHER,
    Forms as Forms,
    column_forms as column_forms,
    find_forms as find_forms,
    form_kinds as form_kinds,
    forms_of as forms_of,
    lemma_forms as lemma_forms,
    tag_forms as tag_forms,
    task_forms as task_forms,
    with_pairs_of_forms as with_pairs_of_forms,
    word_forms as word_forms,
)
from .large.sources import (
    MinedSources as MinedSources,
    Wanted as Wanted,
    mine_pairs as mine_pairs,
    mine_sources as mine_sources,
)
from .resampling import benjamini_hochberg as benjamini_hochberg
from .suspects import (
    Mining as Mining,
    Settings as Settings,
    Suspect as Suspect,
    WorstCase as WorstCase,
    mine as mine,
)
from .suspicion import (
    CONVERGENCE as CONVERGENCE,
    PATIENCE as PATIENCE,
    ErrorKind as ErrorKind,
    Population as Population,
    Stopping as Stopping,
    Suspicion as Suspicion,
    SuspicionMeasure as SuspicionMeasure,
    measured as measured,
    population as population,
    suspicion_rates as suspicion_rates,
)
