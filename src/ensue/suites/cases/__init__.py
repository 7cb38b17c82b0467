"""Cases: texts, hypotheses that follow from them, and near misses that do not."""

from ensue.suites.cases.generating import RESTATED, SuiteGenerator, SuiteSettings
from ensue.suites.cases.near_misses import NearMiss
from ensue.suites.cases.quotas import Quota

__all__ = ["RESTATED", "NearMiss", "Quota", "SuiteGenerator", "SuiteSettings"]
