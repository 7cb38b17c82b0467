from .judgments import (
    QuestionStatus as QuestionStatus,
    find_question as find_question,
    given_by as given_by,
    judge as judge,
    next_question as next_question,
)
from .projects import (
    ProjectKind as ProjectKind,
    ProjectPlan as ProjectPlan,
    ProjectRecord as ProjectRecord,
    add_annotator as add_annotator,
    annotators as annotators,
    answers as answers,
    find_project as find_project,
    make_project as make_project,
    n_changes as n_changes,
    projects_for as projects_for,
    remove_annotator as remove_annotator,
    set_closed as set_closed,
    set_guidelines as set_guidelines,
)
from .questions import (
    import_pairs as import_pairs,
    import_patterns as import_patterns,
    make_pair as make_pair,
)
from .settlement import (
    decide as decide,
    judged_lines as judged_lines,
    make_datasets as make_datasets,
    pair_agreement as pair_agreement,
    pattern_agreement as pattern_agreement,
    review as review,
    set_removed as set_removed,
    settled_pairs as settled_pairs,
)
