"""What `ensue judge` will take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ensue.engine.delivering import is_folder
from ensue.engine.estimating.counting import count_pairs
from ensue.engine.estimating.model import Estimate, Sample
from ensue.engine.estimating.sampling import SECONDS, estimate
from ensue.engine.inputs import PairInput, survey_pairs
from ensue.engine.jobs.encoding import RunFormat
from ensue.engine.jobs.judging import BATCH, HASHED, judge_job, load_once
from ensue.engine.running import Spread
from ensue.engine.runs.judging import run_format
from ensue.errors import SettingError
from ensue.pairs import Finding, Severity
from ensue.pairs.files import STANDARD
from ensue.pairs.reading import Reading

_SHORT = 1.0
"""Seconds of looking through the input that are mostly for loading the means to do so."""


def estimate_judging(
    source: str,
    output: str,
    recognizer: str,
    settings: Mapping[str, object] | None = None,
    *,
    reading: Reading | None = None,
    format: RunFormat | None = None,
    spread: Spread | None = None,
    batch_size: int = BATCH,
    seconds: float = SECONDS,
    on_finding: Callable[[Finding], None] = lambda _: None,
    on_survey: Callable[[int], None] | None = None,
    on_sample: Callable[[int], None] = lambda _: None,
) -> Estimate:
    """Say what `judge_source` would take; nothing is written.

    Args:
        source: As there, and so are the other arguments.
        output: Asked only whether it is a folder.
        recognizer: Its name or directory.
        settings: Of the recognizer.
        reading: How the source is read.
        format: How verdicts are written; as there where it is not given.
        spread: How many workers, and how large shards are.
        batch_size: Pairs judged at a time.
        seconds: How long the sample takes, about.
        on_finding: Is told what is found while this process reads, and of pairs of the sample that
            failed.
        on_survey: Is told of more bytes that were looked through.
        on_sample: Is told how many more pairs of the sample are done.

    Raises:
        SettingError: the source is standard input.
        EnsueError: as `judge_source`.
    """
    if source == STANDARD:
        raise SettingError(
            "how long standard input is cannot be known", hint="put the pairs into a file"
        )
    spread, written = spread or Spread(), format or run_format(output)
    job = judge_job(recognizer, settings or {}, written, reading or Reading(), batch_size)
    survey = partial(survey_pairs, source, job.reading)
    given, surveyed = _timed(survey, on_finding=on_finding, progress=on_survey)
    if surveyed < _SHORT:
        _, surveyed = _timed(survey, on_finding=lambda _: None)
    job = replace(job, is_hashed=given.n_estimated <= HASHED)
    try:
        found = estimate(
            job,
            given,
            spread,
            what=f"{given.name} with {job.signature.recognizer}",
            count=count_pairs(given.survey) if given.survey.files else None,  # a pipe
            is_joined=output != STANDARD and not is_folder(output),
            surveyed=surveyed,
            seconds=seconds,
            on_sample=on_sample,
        )
    finally:
        load_once.cache_clear()  # a program is to end
    _tell_failed(found.sample, on_finding)
    return found


def _tell_failed(sample: Sample, on_finding: Callable[[Finding], None]) -> None:
    if sample.n_failed:
        message = (
            f"{sample.n_failed:,} of {sample.n_tried:,} pairs that were tried failed, and they may"
            f" take another time than others: {sample.failure}"
        )
        on_finding(Finding("sample-failed", Severity.WARNING, message))


def _timed(survey: Callable[..., PairInput], **options: Any) -> tuple[PairInput, float]:
    clock = time.monotonic()
    return survey(**options), time.monotonic() - clock
