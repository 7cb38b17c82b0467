from .extraction import find_values as find_values
from .value import (
    Value as Value,
    ValueAgreement as ValueAgreement,
    ValueKind as ValueKind,
    agreement as agreement,
    figure_follows as figure_follows,
)
