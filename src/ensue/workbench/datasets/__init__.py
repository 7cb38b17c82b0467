"""Data sets and runs over them: taken in, found, looked through."""

from ensue.workbench.datasets.browsing import Filter, LookedAt, look
from ensue.workbench.datasets.runs import RunRecord, add_run, find_run, read_kept_run, runs_over
from ensue.workbench.datasets.storing import (
    DataRecord,
    add_dataset,
    datasets_for,
    find_dataset,
    kept_pairs,
    remove_dataset,
    share_dataset,
)
from ensue.workbench.datasets.uploads import Upload

__all__ = [
    "DataRecord",
    "Filter",
    "LookedAt",
    "RunRecord",
    "Upload",
    "add_dataset",
    "add_run",
    "datasets_for",
    "find_dataset",
    "find_run",
    "kept_pairs",
    "look",
    "read_kept_run",
    "remove_dataset",
    "runs_over",
    "share_dataset",
]
