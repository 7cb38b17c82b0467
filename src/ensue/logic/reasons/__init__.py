"""Reasons: why something follows, or what is missing, in words."""

from ensue.logic.reasons.support import Ground, Joint, Reasons, problem_of, reasons_of

__all__ = ["Ground", "Joint", "Reasons", "problem_of", "reasons_of"]
