from .claims import (
    MarkedSegment as MarkedSegment,
    checked_to_sarif as checked_to_sarif,
    marked_claim as marked_claim,
    marked_source as marked_source,
    write_checked as write_checked,
)
from .cutoffs import (
    CutoffStudy as CutoffStudy,
    cutoff_answer as cutoff_answer,
    cutoff_report as cutoff_report,
    cutoff_study_picture as cutoff_study_picture,
    cutoff_tables as cutoff_tables,
    power_tables as power_tables,
)
from .data import (
    agreement_tables as agreement_tables,
    audit_tables as audit_tables,
    composition_tables as composition_tables,
    grammar_tables as grammar_tables,
    manifest_table as manifest_table,
    split_table as split_table,
    statistics_tables as statistics_tables,
)
from .diagnosis import (
    diagnosis_answer as diagnosis_answer,
    diagnosis_report as diagnosis_report,
    diagnosis_tables as diagnosis_tables,
    reproduction_report as reproduction_report,
    reproduction_tables as reproduction_tables,
)
from .evaluation import (
    EvaluationExtras as EvaluationExtras,
    evaluation_answer as evaluation_answer,
    evaluation_report as evaluation_report,
    evaluation_tables as evaluation_tables,
)
from .explanation import (
    check_explanation_path as check_explanation_path,
    explanation_text as explanation_text,
    explanation_values as explanation_values,
    write_explanation as write_explanation,
    write_explanation_file as write_explanation_file,
)
from .mining import (
    mining_answer as mining_answer,
    mining_report as mining_report,
    mining_tables as mining_tables,
    suspects_picture as suspects_picture,
)
from .model import (
    DASHES as DASHES,
    Cell as Cell,
    Column as Column,
    Figure as Figure,
    Interval as Interval,
    Picture as Picture,
    Report as Report,
    Section as Section,
    Table as Table,
    is_numeric as is_numeric,
    names_in_words as names_in_words,
    number_in_words as number_in_words,
    share as share,
    shown_cell as shown_cell,
)
from .page import (
    check_page_path as check_page_path,
    part_helpers as part_helpers,
    render_page as render_page,
    write_page as write_page,
)
from .progress import (
    progress_line as progress_line,
    shown_size as shown_size,
    status_tables as status_tables,
    worker_lines as worker_lines,
)
from .propositions import (
    Located as Located,
    propositions_fragment as propositions_fragment,
    propositions_picture as propositions_picture,
    write_propositions as write_propositions,
)
from .recognizers import (
    ablation_tables as ablation_tables,
    components_table as components_table,
    training_table as training_table,
    write_feature_list as write_feature_list,
)
from .text import (
    harmless as harmless,
    table_to_csv as table_to_csv,
    tables_to_json as tables_to_json,
    write_tables as write_tables,
)
