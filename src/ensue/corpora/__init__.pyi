from .agreement import (
    Annotations as Annotations,
    Funnel as Funnel,
    Settlement as Settlement,
    annotations_from_columns as annotations_from_columns,
    annotations_from_files as annotations_from_files,
    read_ids as read_ids,
    settle as settle,
)
from .audit import (
    Audit as Audit,
    Baseline as Baseline,
    OverlapBin as OverlapBin,
    Profile as Profile,
    audit_datasets as audit_datasets,
    hypothesis_baseline as hypothesis_baseline,
    overlap_baseline as overlap_baseline,
    overlap_bins as overlap_bins,
)
from .dataset import (
    Dataset as Dataset,
    DistributionSummary as DistributionSummary,
    Size as Size,
    Statistics as Statistics,
    balance_pairs as balance_pairs,
    data_statistics as data_statistics,
    part_counts as part_counts,
    read_dataset as read_dataset,
    split_pairs as split_pairs,
)
