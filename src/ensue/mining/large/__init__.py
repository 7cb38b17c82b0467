"""Mining more cases than are held: by the profiles that they share.

`read_cases` finds the forms of gold of any size (`tables`, `tags`, `sets`), `count_profiles` counts
its cases beside the runs, `mine_profiles` ranks the forms as `ensue.mining.mine` does, and
`with_worst_cases` reads the few cases that are shown. Memory grows with the distinct sets of forms,
not with the cases.
"""

from ensue.mining.large.cases import LargeCases, read_cases
from ensue.mining.large.counting import ProfiledRuns, count_profiles
from ensue.mining.large.mining import mine_profiles, with_pairs_of_profiles, with_worst_cases
from ensue.mining.large.profiles import Profiles

__all__ = [
    "LargeCases",
    "ProfiledRuns",
    "Profiles",
    "count_profiles",
    "mine_profiles",
    "read_cases",
    "with_pairs_of_profiles",
    "with_worst_cases",
]
