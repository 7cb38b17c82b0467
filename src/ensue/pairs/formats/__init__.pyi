from .columns import (
    columns_of as columns_of,
    joined_id as joined_id,
    names_of as names_of,
    pair_to_record as pair_to_record,
)
from .markup import FRACAS as FRACAS, RTE as RTE
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
from .parquet import PARQUET as PARQUET, RowMaker as RowMaker
from .text_rows import (
    CSV as CSV,
    JSONL as JSONL,
    TSV as TSV,
    write_jsonl as write_jsonl,
    write_table as write_table,
)
