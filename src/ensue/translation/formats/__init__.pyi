from .judgments import read_judgments as read_judgments
from .scores import (
    SCORE_FORMATS as SCORE_FORMATS,
    read_all_scores as read_all_scores,
)
from .sets import TranslationSet as TranslationSet, open_set as open_set
