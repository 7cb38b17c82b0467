"""Where a run is kept while it is made, and after it."""

from ensue.engine.folders.places import JOURNAL, PLAN, Folder, LocalFolder, open_folder
from ensue.engine.folders.records import (
    MANIFEST,
    STATUS,
    Plan,
    is_of_run,
    read_journal,
    read_record,
    write_journal,
    write_record,
)

__all__ = [
    "JOURNAL",
    "MANIFEST",
    "PLAN",
    "STATUS",
    "Folder",
    "LocalFolder",
    "Plan",
    "is_of_run",
    "open_folder",
    "read_journal",
    "read_record",
    "write_journal",
    "write_record",
]
