"""`ensue features` and `ensue ablate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from ensue.cli.parts.findings import telling
from ensue.cli.parts.inputs import check_files, load_gold, load_gold_of, working
from ensue.cli.parts.jobs import jobs_option, n_jobs, with_jobs
from ensue.cli.parts.options import (
    TABLE_FORMATS,
    Printing,
    file_format,
    output_options,
    pair_options,
    quiet_option,
    recognizer_options,
    rows_options,
    seed_option,
)
from ensue.cli.parts.progress import progress_bar
from ensue.errors import SettingError
from ensue.pairs import Pair, dataset_name, open_output, read_pairs
from ensue.pairs.reading import Reading

if TYPE_CHECKING:
    from ensue.features.writing import FeaturePair
    from ensue.recognizers.features import FeaturesRecognizer


@click.command("features", epilog="Example: ensue features examples/pairs.xml -o features.parquet")
@click.argument("pairs", required=False)
@click.option("--list", "listed", is_flag=True, help="List the features, with examples.")
@rows_options
@click.option(
    "--format",
    "list_format",
    type=click.Choice(TABLE_FORMATS),
    help="How to print the list; table where it is not given.",
)
@click.option(
    "--direction",
    type=click.Choice(["forward", "backward", "both"]),
    default="forward",
    show_default=True,
    help="Backward takes the hypothesis for the text; both gives each pair two rows.",
)
@jobs_option
@pair_options
@quiet_option
def features_command(
    pairs: str | None,
    listed: bool,
    output: str,
    output_format: str | None,
    list_format: str | None,
    direction: str,
    jobs: int | None,
    reading: Reading,
    quiet: bool,
) -> None:
    """Measure the features of the pairs of a file, or list what the features are.

    Columns are id, gold, task, the direction where it is both, and one for each feature. The cells
    of a pair without words on a side are empty.
    """
    if listed == (pairs is not None):
        raise click.UsageError("give PAIRS, or --list")
    if pairs is None:
        if output_format is not None:
            raise click.UsageError("--output-format is for PAIRS; a list takes --format")
        from ensue.reports.contents.features import write_feature_list

        write_feature_list(output=output, format=list_format or "table")
        return
    if list_format is not None:
        raise click.UsageError("--format is for --list; PAIRS take --output-format")
    from ensue.features.reading import open_reader
    from ensue.features.writing import Direction, write_features

    check_files([pairs], [output])
    chosen = file_format(output, output_format)
    directions = list(Direction) if direction == "both" else [Direction(direction)]
    with telling(quiet) as tell_one, progress_bar("measuring", quiet=quiet) as progress:
        stream = map(_feature_pair, read_pairs(pairs, **reading, on_finding=tell_one))
        reader = open_reader(workers=n_jobs(jobs))
        with open_output(output) as file:
            n_pairs = write_features(
                file, stream, reader, format=chosen, directions=directions, progress=progress
            )
    if not quiet:
        click.echo(f"measured {n_pairs:,} pairs", err=True)


def _feature_pair(pair: Pair) -> FeaturePair:
    from ensue.features.writing import FeaturePair

    gold = pair.gold.value if pair.gold else None
    return FeaturePair(pair.id, gold, pair.task, pair.text, pair.hypothesis)


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
@jobs_option
@output_options
@seed_option
@pair_options
@quiet_option
def ablate_command(
    pairs: tuple[str, ...],
    recognizer: str,
    settings: Mapping[str, str],
    test: str | None,
    jobs: int | None,
    printing: Printing,
    seed: int,
    reading: Reading,
    quiet: bool,
) -> None:
    """Show what each group of features is worth.

    The recognizer is trained on PAIRS, of one or more files, with all groups and without each of them. Accuracy is by
    cross-validation with the same folds for all; two more tables show the weights.
    """
    from ensue.recognizers.features.ablation import ablate
    from ensue.reports.contents.ablation import ablation_tables

    check_files([*pairs, *([test] if test else [])], [printing.output])
    on_features = _on_features(recognizer, settings, jobs)
    with working("measuring", quiet):
        gold, name = load_gold_of(pairs, reading, quiet)
        others = load_gold(test, reading, quiet) if test else None
        found = ablate(on_features, gold, on=others, seed=seed)
    judged = dataset_name(test) if test else None
    printing.write(ablation_tables(found, trained_on=name, judged=judged))


def _on_features(name: str, settings: Mapping[str, str], jobs: int | None) -> FeaturesRecognizer:
    """The recognizer of that name, if it is one on features."""
    from ensue.recognizers import load
    from ensue.recognizers.features import FeaturesRecognizer

    found = with_jobs(load(name, settings), jobs)
    if not isinstance(found, FeaturesRecognizer):
        raise SettingError(
            f"recognizer {name!r} has no groups of features to leave out",
            hint="use -r features, or a directory that ensue train -r features wrote",
        )
    return found
