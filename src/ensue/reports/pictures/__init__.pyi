from .curves import (
    Line as Line,
    cutoff_picture as cutoff_picture,
    reliability_picture as reliability_picture,
    risk_coverage_picture as risk_coverage_picture,
)
from .dots import (
    accuracy_picture as accuracy_picture,
    confusion_picture as confusion_picture,
    group_picture as group_picture,
)
from .svg import escaped as escaped, readable as readable
from .theme import (
    PICTURE_SUFFIXES as PICTURE_SUFFIXES,
    check_picture_path as check_picture_path,
    render as render,
    write_picture as write_picture,
)
