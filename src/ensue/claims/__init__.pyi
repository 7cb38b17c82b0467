from .attitudes import Attitude as Attitude
from .batches import (
    ClaimChecker as ClaimChecker,
    check_many as check_many,
    check_named as check_named,
    check_source as check_source,
    unsupported_share as unsupported_share,
)
from .clauses import Construction as Construction
from .documents import Passage as Passage
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
    ClaimRow as ClaimRow,
    ClaimStatus as ClaimStatus,
    Support as Support,
    check as check,
    check_claims as check_claims,
    check_documents as check_documents,
)
from .wording import Change as Change, Reason as Reason
