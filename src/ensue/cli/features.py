"""`ensue features` and `ensue ablate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from ensue.cli.inputs import busy_status, check_files, load_gold, load_gold_of
from ensue.cli.messages import RunDisplay, display_options, finding_messages, tell_account
from ensue.cli.options import (
    TABLE_FORMATS,
    Printing,
    files_to_check,
    format_of,
    output_options,
    pair_options,
    quiet_option,
    recognizer_options,
    rows_format,
    rows_options,
    seed_option,
)
from ensue.cli.workers import engine_options, with_pool, workers_option
from ensue.errors import SettingError
from ensue.pairs import ReadKeywords, dataset_name

if TYPE_CHECKING:
    from ensue.engine import Pool, RunOptions
    from ensue.recognizers import FeaturesRecognizer


@click.command("features", epilog="Example: ensue features examples/pairs.xml -o features.parquet")
@click.argument("pairs", required=False)
@click.option("--list", "listed", is_flag=True, help="List the features, with examples.")
@rows_options(*TABLE_FORMATS)
@click.option(
    "--direction",
    type=click.Choice(["forward", "backward", "both"]),
    default="forward",
    show_default=True,
    help="Backward takes the hypothesis for the text; both gives each pair two rows.",
)
@engine_options
@pair_options
@display_options
def features_command(
    pairs: str | None,
    listed: bool,
    output: str,
    output_format: str | None,
    direction: str,
    spread: RunOptions,
    reading: ReadKeywords,
    seeing: RunDisplay,
) -> None:
    """Measure the features of pairs, or list what the features are.

    PAIRS are a file, a folder, a glob or a URL. Columns are id, gold, task, the direction where it
    is both, and one for each feature. The cells of a pair without words on a side are empty. A file
    appears whole, at the end: until then what is done is kept in FILE.partial, for --resume.
    """
    if listed == (pairs is not None):
        raise click.UsageError("give PAIRS, or --list")
    if pairs is None:
        from ensue.reports import write_feature_list

        write_feature_list(
            output=output, format=format_of(output, output_format, TABLE_FORMATS) or "table"
        )
        return
    from ensue.features import PairDirection, measure_source

    chosen = rows_format(output, output_format)
    check_files([pairs], files_to_check(output))
    with finding_messages(seeing.quiet) as tell_one, seeing.run("measuring", output, pairs) as seen:
        account = measure_source(
            pairs,
            output,
            format=chosen,
            directions=list(PairDirection) if direction == "both" else [PairDirection(direction)],
            reading=reading,
            spread=spread,
            on_finding=tell_one,
            on_snapshot=seen,
            on_survey=seen.survey,
        )
    tell_account(account, f"measured {account.n_items:,} pairs", "pairs", seeing)


@click.command(
    "ablate",
    epilog="Example: ensue ablate examples/pairs.xml -s strength=0.01 --table ablation",
)
@click.argument("pairs", nargs=-1, required=True)
@recognizer_options(
    "The recognizer on features, or a directory with a trained one, whose settings are used.",
    setting="strength=0.01",
)
@click.option(
    "--on", "test", metavar="TEST", help="Train on PAIRS and judge these, without cross-validation."
)
@workers_option
@output_options
@seed_option
@pair_options
@quiet_option
def ablate_command(
    pairs: tuple[str, ...],
    recognizer: str,
    settings: Mapping[str, str],
    test: str | None,
    pool: Pool | None,
    printing: Printing,
    seed: int,
    reading: ReadKeywords,
    quiet: bool,
) -> None:
    """Show what each group of features is worth.

    The recognizer is trained on PAIRS, of one or more files, with all groups and without each of them. Accuracy is by
    cross-validation with the same folds for all; two more tables show the weights.
    """
    from ensue.recognizers import ablate
    from ensue.reports import ablation_tables

    check_files([*pairs, *([test] if test else [])], [printing.output])
    on_features = _on_features(recognizer, settings, pool)
    with busy_status("measuring", quiet):
        gold, name = load_gold_of(pairs, reading, quiet)
        others = load_gold(test, reading, quiet) if test else None
        found = ablate(on_features, gold, on=others, seed=seed)
    judged = dataset_name(test) if test else None
    printing.write(ablation_tables(found, trained_on=name, judged=judged))


def _on_features(name: str, settings: Mapping[str, str], pool: Pool | None) -> FeaturesRecognizer:
    """The recognizer of that name, if it is one on features."""
    from ensue.recognizers import FeaturesRecognizer, load

    found = with_pool(load(name, settings), pool)
    if not isinstance(found, FeaturesRecognizer):
        raise SettingError(
            f"recognizer {name!r} has no groups of features to leave out",
            hint="use -r features, or a directory that ensue train -r features wrote",
        )
    return found
