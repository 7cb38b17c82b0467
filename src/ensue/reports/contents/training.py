"""What training came to, as a table."""

from __future__ import annotations

from ensue.pairs import Signature
from ensue.pairs.signature import number_from_json
from ensue.reports.model import Column, Table


def training_table(signature: Signature) -> Table:
    """The tuned cutoff with its accuracy, and all cutoffs that do as well."""
    tuned_on = signature.tuned_on or {}
    tied = [number_from_json(each) for each in tuned_on.get("tied_cutoffs", [])]
    notes = [f"signature: {signature}"]
    if len(tied) > 1:
        shown = ", ".join(repr(cutoff) for cutoff in tied)
        notes.insert(0, f"equally accurate cutoffs, of which the lowest is taken: {shown}")
    validated = tuned_on.get("cross_validated", {})
    more = [
        (Column("strength"), tuned_on.get("strength")),
        (Column("validated", "cross-validated", 1, True), validated.get("accuracy")),
        (Column("error", "±", 1, True), validated.get("standard_error")),
    ]
    if "strength" not in tuned_on:
        more = []
    return Table(
        "training",
        f"{signature.recognizer}, trained on {tuned_on.get('name')}",
        [
            Column("pairs"),
            Column("scored"),
            Column("cutoff", digits=6),
            Column("right"),
            Column("accuracy", digits=1, percent=True),
            *(column for column, _ in more),
        ],
        [
            [
                tuned_on.get("pairs"),
                tuned_on.get("scored"),
                signature.cutoff,
                tuned_on.get("right"),
                tuned_on.get("accuracy"),
                *(cell for _, cell in more),
            ]
        ],
        notes,
    )
