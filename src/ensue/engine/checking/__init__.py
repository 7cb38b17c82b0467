"""Checks the claims of one text against another that is taken to be true."""

from ensue.engine.checking.claims import BEST, CheckedClaim, Support, check_claims
from ensue.engine.checking.documents import Document, Passage, read_documents

__all__ = [
    "BEST",
    "CheckedClaim",
    "Document",
    "Passage",
    "Support",
    "check_claims",
    "read_documents",
]
