from .profiles import (
    LargeCases as LargeCases,
    ProfiledRuns as ProfiledRuns,
    Profiles as Profiles,
    count_profiles as count_profiles,
    read_cases as read_cases,
)
from .sources import (
    MinedSources as MinedSources,
    Wanted as Wanted,
    mine_pairs as mine_pairs,
    mine_profiles as mine_profiles,
    mine_sources as mine_sources,
    with_pairs_of_profiles as with_pairs_of_profiles,
    with_worst_cases as with_worst_cases,
)
