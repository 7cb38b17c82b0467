"""Pairs, labels, verdicts and runs, and the files that hold them. Knows no other room."""

from ensue.pairs.files import open_input
from ensue.pairs.labels import Label, LabelMapper, View, coarser_view
from ensue.pairs.model import Finding, Pair, Severity, Status, Verdict
from ensue.pairs.outputs import open_output, open_text_output
from ensue.pairs.parts import Part, Survey, read_part, survey
from ensue.pairs.reading import (
    check_target,
    dataset_name,
    load_pairs,
    read_located_pairs,
    read_pairs,
    write_pairs,
)
from ensue.pairs.runs import (
    PairHash,
    Run,
    RunHeader,
    pairs_hash,
    read_run,
    write_plain_run,
    write_run,
)
from ensue.pairs.signature import Signature
from ensue.pairs.sources import expand

__all__ = [
    "Finding",
    "Label",
    "LabelMapper",
    "Pair",
    "PairHash",
    "Part",
    "Run",
    "RunHeader",
    "Severity",
    "Signature",
    "Status",
    "Survey",
    "Verdict",
    "View",
    "check_target",
    "coarser_view",
    "dataset_name",
    "expand",
    "load_pairs",
    "open_input",
    "open_output",
    "open_text_output",
    "pairs_hash",
    "read_located_pairs",
    "read_pairs",
    "read_part",
    "read_run",
    "survey",
    "write_pairs",
    "write_plain_run",
    "write_run",
]
