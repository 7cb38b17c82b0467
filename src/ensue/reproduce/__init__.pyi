from .model import (
    Listing as Listing,
    PublishedFigure as PublishedFigure,
    Reproduction as Reproduction,
    ReproductionKind as ReproductionKind,
    files_at_stake as files_at_stake,
)
