"""Translations ranked with entailment features: data, features, models, ranks, agreement.

`evaluate` holds metrics against human judgments, `rank` ranks systems by a metric, `score_set` and
`measure_set` score and measure all outputs, `train_metric` and `study_weights` learn from judgments.
`translation.formats` opens data, `translation.metrics` has the metrics, `translation.judgments` what
people said, and `translation.evaluation` the parts of an evaluation.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
