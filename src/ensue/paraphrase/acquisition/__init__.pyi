from .methods import (
    AcquiredLists as AcquiredLists,
    AcquisitionMethod as AcquisitionMethod,
    NgramSettings as NgramSettings,
    NounPhraseSettings as NounPhraseSettings,
    Overlap as Overlap,
    learn as learn,
)
