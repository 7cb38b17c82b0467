from .contract import (
    Arrays as Arrays,
    Evidence as Evidence,
    EvidenceSection as EvidenceSection,
    Explanation as Explanation,
    Link as Link,
    Parallel as Parallel,
    Recognizer as Recognizer,
    RecognizerKind as RecognizerKind,
    Side as Side,
    Span as Span,
    Step as Step,
    Storable as Storable,
    Trainable as Trainable,
    Weight as Weight,
)
from .cross_validation import (
    Ablation as Ablation,
    FeatureWeight as FeatureWeight,
    ablate as ablate,
    by_group as by_group,
    check_held_out as check_held_out,
    judge_held_out as judge_held_out,
    usable_pairs as usable_pairs,
    write_held_out as write_held_out,
)
from .cutoff import CutoffKind as CutoffKind, PairScores as PairScores
from .external_labels import (
    CLEAR_LEAD as CLEAR_LEAD,
    Guarded as Guarded,
    order_doubt as order_doubt,
)
from .features import (
    Examples as Examples,
    FeaturesRecognizer as FeaturesRecognizer,
    fitted as fitted,
    linked as linked,
    marks as marks,
    scaling as scaling,
)
from .jobs import (
    JudgeAccount as JudgeAccount,
    JudgeJob as JudgeJob,
    absolute_name as absolute_name,
    judge_source as judge_source,
    loaded_by_name as loaded_by_name,
    run_job as run_job,
)
from .storage import (
    DEFAULT as DEFAULT,
    RECORD as RECORD,
    check_saved as check_saved,
    explain as explain,
    judge as judge,
    load as load,
    recognizer_of as recognizer_of,
    save as save,
)
