from .entailment import (
    Combination as Combination,
    Grade as Grade,
    SubstitutedSpan as SubstitutedSpan,
    holds_term as holds_term,
    recognizer_quality as recognizer_quality,
    replaced_pieces as replaced_pieces,
    sentences_for as sentences_for,
)
from .validation import (
    AutomaticAgreement as AutomaticAgreement,
    QualityBin as QualityBin,
    QualityTrial as QualityTrial,
    automatic_agreement as automatic_agreement,
)
