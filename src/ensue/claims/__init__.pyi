from .support import CheckedClaim as CheckedClaim, Support as Support, check_claims as check_claims
