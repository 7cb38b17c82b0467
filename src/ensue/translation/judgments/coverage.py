"""Which outputs people judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ensue.translation.model import Judgments, OutputKey, Segment


def judged_outputs(judgments: Judgments) -> set[OutputKey]:
    """All outputs that somebody ranked or scored."""
    ranked = {key for ranking in judgments.rankings for key in ranking.output_keys()}
    return ranked | {assessment.key for assessment in judgments.assessments}


def judged_segments(segments: Iterable[Segment], judgments: Judgments) -> Iterator[Segment]:
    """The segments that somebody judged, each with its judged outputs only."""
    judged = judged_outputs(judgments)
    for segment in segments:
        outputs = {
            key.system: segment.outputs[key.system]
            for key in segment.output_keys()
            if key in judged
        }
        if outputs:
            yield replace(segment, outputs=outputs)
