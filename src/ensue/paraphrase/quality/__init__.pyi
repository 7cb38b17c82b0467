from .agreement import QualityBin as QualityBin, QualityTrial as QualityTrial
from .entailment import (
    Combination as Combination,
    Grade as Grade,
    recognizer_quality as recognizer_quality,
)
from .substitution import (
    SubstitutedSpan as SubstitutedSpan,
    holds_term as holds_term,
    replaced_pieces as replaced_pieces,
    sentences_for as sentences_for,
)
from .validation import (
    AutomaticAgreement as AutomaticAgreement,
    automatic_agreement as automatic_agreement,
)
