"""Data sets as wholes: statistics, audit, split, agreement. Knows pairs, surface, evaluation."""

from ensue.corpora.agreement import (
    Annotations,
    Funnel,
    Settlement,
    annotations_from_columns,
    annotations_from_files,
    settle,
)
from ensue.corpora.audit import Audit, Profile, audit_datasets
from ensue.corpora.dataset import Dataset, read_dataset
from ensue.corpora.shortcuts import (
    Baseline,
    OverlapBin,
    hypothesis_baseline,
    overlap_baseline,
    overlap_bins,
)
from ensue.corpora.split import balance_pairs, part_counts, split_pairs
from ensue.corpora.statistics import Distribution, Statistics, data_statistics

__all__ = [
    "Annotations",
    "Audit",
    "Baseline",
    "Dataset",
    "Distribution",
    "Funnel",
    "OverlapBin",
    "Profile",
    "Settlement",
    "Statistics",
    "annotations_from_columns",
    "annotations_from_files",
    "audit_datasets",
    "balance_pairs",
    "data_statistics",
    "hypothesis_baseline",
    "overlap_baseline",
    "overlap_bins",
    "part_counts",
    "read_dataset",
    "settle",
    "split_pairs",
]
