"""`ensue mt`: features, train, score, order, rank, evaluate, weights."""

from __future__ import annotations

import click

from ensue.cli.translation.evaluating import evaluate_command
from ensue.cli.translation.measuring import features_command
from ensue.cli.translation.ordering import order_command
from ensue.cli.translation.ranking import rank_command
from ensue.cli.translation.scoring import score_command
from ensue.cli.translation.training import train_command
from ensue.cli.translation.weighing import weights_command

__all__ = ["mt_command"]


@click.group("mt", epilog="Example: ensue mt rank examples/translation -m bleu")
def mt_command() -> None:
    """Score and rank translations; train metrics on human judgments, and hold them against some.

    DATA are directories as the WMT lays them out, or JSONL, CSV or TSV with a row an output; with
    --reference they are plain text, a file for each system and a segment a line.
    """


for _command in (
    features_command,
    train_command,
    score_command,
    order_command,
    rank_command,
    evaluate_command,
    weights_command,
):
    mt_command.add_command(_command)
