"""`ensue paraphrase`: score, recognize, correlate, rerank, judge, validate, learn."""

from __future__ import annotations

import click

from ensue.cli.paraphrase.correlating import correlate_command
from ensue.cli.paraphrase.judging import judge_command
from ensue.cli.paraphrase.learning import learn_command
from ensue.cli.paraphrase.recognizing import recognize_command
from ensue.cli.paraphrase.reranking import rerank_command
from ensue.cli.paraphrase.scoring import score_command
from ensue.cli.paraphrase.validating import validate_command

__all__ = ["paraphrase_command"]


@click.group("paraphrase", epilog="Example: ensue paraphrase score examples/paraphrase/lists.tsv")
def paraphrase_command() -> None:
    """Score ranked lists of paraphrases, put them to use, and see whether a score predicts it.

    LISTS are TSV, CSV or JSONL with a row for each pattern: term, method, rank or confidence,
    paraphrase, and a column for each judge and strictness, such as ann.strict and ann.lenient.
    """


for _command in (
    score_command,
    recognize_command,
    correlate_command,
    rerank_command,
    judge_command,
    validate_command,
    learn_command,
):
    paraphrase_command.add_command(_command)
