from .columns import pair_to_record as pair_to_record
from .delimited import write_csv as write_csv
from .jsonl import write_jsonl as write_jsonl
from .model import (
    FilePart as FilePart,
    Format as Format,
    LocatedPairs as LocatedPairs,
    OnFinding as OnFinding,
    ReadOptions as ReadOptions,
    cleaned_text as cleaned_text,
    ignore_finding as ignore_finding,
    report_no_gold as report_no_gold,
)
from .parquet import (
    RowMaker as RowMaker,
    open_parquet as open_parquet,
    readable_parquet as readable_parquet,
)
