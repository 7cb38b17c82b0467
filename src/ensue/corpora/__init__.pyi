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
    Statistics as Statistics,
    data_statistics as data_statistics,
    read_dataset as read_dataset,
)
from .split import (
    Size as Size,
    balance_pairs as balance_pairs,
    part_counts as part_counts,
    split_pairs as split_pairs,
)
