from .discovery import (
    DiagnosticSet as DiagnosticSet,
    find_sets as find_sets,
)
from .kinds import (
    KINDS as KINDS,
    DiagnosticKind as DiagnosticKind,
    Phenomenon as Phenomenon,
    PublishedResult as PublishedResult,
    published_results as published_results,
)
from .results import (
    Accuracies as Accuracies,
    Diagnosis as Diagnosis,
    PublishedComparison as PublishedComparison,
    SetResult as SetResult,
    diagnose_sources as diagnose_sources,
    measured as measured,
    order_findings as order_findings,
)
