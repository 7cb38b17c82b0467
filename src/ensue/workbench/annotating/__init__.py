"""Annotation, as PASCAL's organizers and DIMPLE's authors had it done: several judges, blind.

Whoever makes a pair judges it first; a second judge sees text and hypothesis alone; pairs on which
they disagree are discarded, or decided by the organizer, who also removes what seems controversial
(Dagan, Glickman & Magnini 2005, section 2.3). Paraphrase patterns are judged in a sentence, strictly
and leniently (Shima & Mitamura 2011, section 3.1).
"""

from ensue.workbench.annotating.answers import Kind, answers
from ensue.workbench.annotating.gathering import Judged, Standing
from ensue.workbench.annotating.judging import find_question, judge
from ensue.workbench.annotating.leasing import next_question
from ensue.workbench.annotating.lists import judged_lists, pattern_agreement
from ensue.workbench.annotating.pairs import import_pairs, make_pair
from ensue.workbench.annotating.patterns import import_patterns
from ensue.workbench.annotating.projects import (
    Plan,
    ProjectRecord,
    add_annotator,
    find_project,
    make_project,
    projects_for,
)
from ensue.workbench.annotating.reviewing import decide, review, set_removed
from ensue.workbench.annotating.settling import make_datasets, pair_agreement, settled_pairs

__all__ = [
    "Judged",
    "Kind",
    "Plan",
    "ProjectRecord",
    "Standing",
    "add_annotator",
    "answers",
    "decide",
    "find_project",
    "find_question",
    "import_pairs",
    "import_patterns",
    "judge",
    "judged_lists",
    "make_datasets",
    "make_pair",
    "make_project",
    "next_question",
    "pair_agreement",
    "pattern_agreement",
    "projects_for",
    "review",
    "set_removed",
    "settled_pairs",
]
