from .columns import (
    ID as ID,
    LABELS as LABELS,
    MISSING_STATUS as MISSING_STATUS,
    NONE as NONE,
    Columns as Columns,
    Files as Files,
    VerdictColumns as VerdictColumns,
    cut_alike as cut_alike,
    gold_columns as gold_columns,
    parquet_files as parquet_files,
    parquet_rows as parquet_rows,
    read_spooled as read_spooled,
    spooled_gold as spooled_gold,
)
from .join import (
    PARTITION as PARTITION,
    OutOfOrderError as OutOfOrderError,
    SideBySide as SideBySide,
    any_order as any_order,
    same_order as same_order,
)
from .sources import (
    MemoryLimits as MemoryLimits,
    Source as Source,
    evaluate_sources as evaluate_sources,
    source_cutoffs as source_cutoffs,
)
from .verdicts import verdict_columns as verdict_columns
