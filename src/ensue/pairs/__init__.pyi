from .cutoffs import (
    CutoffCurve as CutoffCurve,
    OperatingPoint as OperatingPoint,
    cutoff_curve as cutoff_curve,
)
from .formats.model import FilePart as FilePart
from .model import (
    PLAIN_LABELS as PLAIN_LABELS,
    Finding as Finding,
    Label as Label,
    LabelMapper as LabelMapper,
    Pair as Pair,
    Severity as Severity,
    Signature as Signature,
    Status as Status,
    Verdict as Verdict,
    View as View,
    coarser_view as coarser_view,
    number_from_json as number_from_json,
    number_to_json as number_to_json,
)
from .run_folders import (
    RunFolder as RunFolder,
    is_folder as is_folder,
    open_run_folder as open_run_folder,
)
from .runs import (
    PairHash as PairHash,
    Run as Run,
    RunFormat as RunFormat,
    RunHeader as RunHeader,
    RunOrder as RunOrder,
    header_line as header_line,
    pairs_hash as pairs_hash,
    plain_line as plain_line,
    rank_score as rank_score,
    read_header as read_header,
    read_run as read_run,
    run_items as run_items,
    verdict_bytes as verdict_bytes,
    verdict_from_json as verdict_from_json,
    verdict_line as verdict_line,
    verdict_to_json as verdict_to_json,
    write_plain_run as write_plain_run,
    write_run as write_run,
)
from .sources import (
    ReadKeywords as ReadKeywords,
    check_target as check_target,
    dataset_name as dataset_name,
    doubled_id as doubled_id,
    expand as expand,
    id_prefixes as id_prefixes,
    is_stream as is_stream,
    load_pairs as load_pairs,
    read_files as read_files,
    read_located_pairs as read_located_pairs,
    read_options as read_options,
    read_pairs as read_pairs,
    recognized as recognized,
    with_unique_ids as with_unique_ids,
    write_pairs as write_pairs,
)
from .surveys import (
    Survey as Survey,
    SurveyedFile as SurveyedFile,
    read_part as read_part,
    survey as survey,
)
