from .attitudes import Attitude as Attitude
from .batches import (
    ClaimChecker as ClaimChecker,
    check_many as check_many,
    check_named as check_named,
    check_source as check_source,
    unsupported_share as unsupported_share,
)
from .checking import (
    ClaimRow as ClaimRow,
    check as check,
    check_claims as check_claims,
    check_documents as check_documents,
    claim_evidence as claim_evidence,
    probability_bounds as probability_bounds,
)
from .clauses import Construction as Construction
from .decision import (
    KIND_COLUMNS as KIND_COLUMNS,
    ClaimEvidence as ClaimEvidence,
    ClaimModel as ClaimModel,
    KindGate as KindGate,
    claim_columns as claim_columns,
    kind_shape as kind_shape,
)
from .documents import (
    Passage as Passage,
    PassageRanking as PassageRanking,
    read_documents as read_documents,
)
from .proposition import (
    Embedder as Embedder,
    Proposition as Proposition,
    Propositions as Propositions,
    find_propositions as find_propositions,
    propositions as propositions,
)
from .sources import (
    ClaimText as ClaimText,
    SourceText as SourceText,
    read_claims as read_claims,
    read_sources as read_sources,
)
from .support import (
    CheckedClaim as CheckedClaim,
    CheckedClaims as CheckedClaims,
    ClaimPart as ClaimPart,
    ClaimStatus as ClaimStatus,
    Support as Support,
)
from .wording import Change as Change, Reason as Reason
