from .sources import (
    ClaimText as ClaimText,
    SourceText as SourceText,
    read_claims as read_claims,
    read_sources as read_sources,
)
from .support import (
    CheckedClaim as CheckedClaim,
    Support as Support,
    check as check,
    check_claims as check_claims,
)
