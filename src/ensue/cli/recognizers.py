"""`ensue judge`, `validate`, `train`, `explain`, `check`, `features` and `ablate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import busy_status, check_files, files_of, load_gold, load_gold_of
from ensue.cli.messages import (
    RunDisplay,
    check_replaced,
    display_options,
    finding_messages,
    force_option,
    progress_bar,
    tell,
    tell_account,
    told_lines,
)
from ensue.cli.options import (
    TABLE_FORMATS,
    Printing,
    encoding_of,
    engine_options,
    files_to_check,
    format_of,
    format_option,
    output_option,
    output_options,
    pair_options,
    quiet_option,
    read_option,
    recognizer_options,
    rows_format,
    rows_options,
    seed_option,
    with_pool,
    workers_option,
)
from ensue.errors import DataError, SettingError
from ensue.files import STANDARD, check_outputs, is_directory, shown_name
from ensue.pairs import Label, Pair, ReadKeywords, Status, View, dataset_name, expand, read_pairs

if TYPE_CHECKING:
    from ensue.engine import Pool, RunOptions
    from ensue.recognizers import FeaturesRecognizer, JudgeAccount

_run_format = click.option(
    "--format",
    "output_format",
    type=click.Choice(["jsonl", "plain"]),
    help="Of a file: ours, with a header line, or the challenge's plain one.  [default: jsonl]",
)


@click.command(
    "judge",
    epilog="Example: ensue judge examples/pairs.xml -r modified-bleu -o run.jsonl",
)
@click.argument("pairs")
@recognizer_options()
@output_option(
    "Where the run goes: a file, or a folder of Parquet shards where the name ends in / or is one.",
    metavar="RUN",
)
@_run_format
@click.option(
    "--batch-size",
    type=click.IntRange(1),
    default=256,
    show_default=True,
    help="Pairs judged at a time.",
)
@engine_options
@pair_options
@display_options
def judge_command(
    pairs: str,
    recognizer: str,
    settings: Mapping[str, str],
    output: str,
    output_format: str | None,
    batch_size: int,
    options: RunOptions,
    reading: ReadKeywords,
    display: RunDisplay,
) -> int:
    """Judge the pairs of a file, a folder, a glob or a URL, and record the run.

    A file appears whole, at the end. Until then what is done is kept in RUN.partial, and --resume
    goes on from there after an interruption. Another run is not replaced without --force. Exit 1
    where every pair failed.
    """
    from ensue.engine import is_folder
    from ensue.pairs import RunFormat
    from ensue.recognizers import judge_source

    if is_folder(output):
        format = RunFormat.PARQUET
    else:
        format = RunFormat(output_format or RunFormat.JSONL)
        check_outputs([output], [pairs, *files_of(recognizer)])
    if recognizer.startswith("python:") or options.resume:
        options = replace(options, isolated=True)  # it may crash, or have been what did
    with finding_messages(display.quiet) as tell_one, display.run("judging", output, pairs) as seen:
        account = judge_source(
            pairs,
            output,
            recognizer,
            settings,
            reading=reading,
            format=format,
            options=options,
            batch_size=batch_size,
            on_finding=tell_one,
            on_snapshot=seen,
            on_survey=seen.survey,
        )
    tell(account.findings, display.quiet)
    if not display.quiet and output != STANDARD:
        for line in _summary(account, output, display.verbose):
            click.echo(line, err=True)
    return _failure(account.statuses)


def _failure(statuses: Counter[str]) -> int:
    """The exit code: 1, and a word about it, where there are pairs and all of them failed."""
    n_pairs, n_failed = statuses.total(), statuses[Status.FAILED.value]
    if not n_pairs or n_failed < n_pairs:
        return 0
    click.echo(f"every pair failed, {n_pairs:,} of {n_pairs:,}: the run says why", err=True)
    return EXIT_NO


def _summary(account: JudgeAccount, output: str, verbose: bool) -> Iterator[str]:
    """What a run came to, and what became of pairs that failed."""
    if account.is_finished_before:
        yield f"nothing to do, {output} is finished, with {account.n_items:,} pairs: {account.signature}"
        return
    resumed = f", {account.n_resumed:,} of them before" if account.n_resumed else ""
    outcomes = ", ".join(f"{n:,} {name}" for name, n in _outcomes(account).items())
    yield (
        f"judged {account.n_items:,} pairs{resumed} in {account.seconds:.1f} s"
        f" ({outcomes or 'no pairs'}): {account.signature}"
    )
    yield from told_lines(account, "pairs", verbose)


def _outcomes(account: JudgeAccount) -> dict[str, int]:
    """How many verdicts have each status; three-way decisions by their labels, all three of them."""
    found = dict(account.statuses.most_common())
    labels = account.labels.keys()
    if labels and not labels <= set(View.TWO_WAY.labels):
        del found[Status.DECIDED.value]
        wanted = [label for label in Label if label in labels or label in View.THREE_WAY.labels]
        return {**{label.value: account.labels[label.value] for label in wanted}, **found}
    return found


@click.command(
    "validate",
    epilog="Example: ensue validate examples/pairs.xml -r overlap -o run.jsonl",
)
@click.argument("pairs")
@recognizer_options()
@click.option(
    "--folds", type=click.IntRange(2), default=10, show_default=True, help="Parts of the pairs."
)
@output_option("Where the run goes.", metavar="RUN")
@_run_format
@force_option
@seed_option
@workers_option
@pair_options
@quiet_option
def validate_command(
    pairs: str,
    recognizer: str,
    settings: Mapping[str, str],
    folds: int,
    output: str,
    output_format: str | None,
    force: bool,
    seed: int,
    pool: Pool | None,
    reading: ReadKeywords,
    quiet: bool,
) -> int:
    """Cross-validate: judge each gold pair by the recognizer trained on the other folds.

    What is written is a run, for 'ensue evaluate'. Pairs with the same text are in the same fold.
    Exit 1 where every pair failed.
    """
    from ensue.recognizers import check_held_out, judge_held_out, load, write_held_out

    check_outputs([output], [pairs, *files_of(recognizer)])
    judge = with_pool(load(recognizer, settings), pool)
    gold, name = load_gold(pairs, reading, quiet), dataset_name(pairs)
    check_replaced(force, check_held_out, output, judge, gold, folds=folds, seed=seed)
    with progress_bar("cross-validating", quiet=quiet) as progress:
        verdicts, signature = judge_held_out(
            judge, gold, folds=folds, seed=seed, name=name, progress=progress
        )
    write_held_out(output, signature, gold, verdicts, name, plain=output_format == "plain")
    if not quiet and output != STANDARD:
        click.echo(f"judged {len(gold):,} pairs in {folds} folds: {signature}", err=True)
    return _failure(Counter(verdict.status.value for verdict in verdicts))


@click.command(
    "train",
    epilog="Example: ensue train examples/pairs.xml -r modified-bleu -o tuned",
)
@click.argument("pairs", nargs=-1, required=True)
@recognizer_options()
@click.option("-o", "--output", required=True, metavar="DIR", help="Where the recognizer goes.")
@force_option
@seed_option
@workers_option
@pair_options
@quiet_option
def train_command(
    pairs: tuple[str, ...],
    recognizer: str,
    settings: Mapping[str, str],
    output: str,
    force: bool,
    seed: int,
    pool: Pool | None,
    reading: ReadKeywords,
    quiet: bool,
) -> None:
    """Train a recognizer, or tune its cutoff, on the gold pairs of one or more files.

    The tuned cutoff is minus infinity or a score that occurs; of those with the highest accuracy,
    the lowest. All of them are shown.
    """
    from ensue.recognizers import RECORD, Storable, Trainable, check_saved, load, save
    from ensue.reports import training_table, write_tables

    check_files(
        [*pairs, *([Path(recognizer) / RECORD] if is_directory(recognizer) else [])],
        [str(Path(output) / RECORD)],
    )
    untrained = with_pool(load(recognizer, settings), pool)
    if not isinstance(untrained, Trainable):
        raise SettingError(
            "recognizer-nothing-learn", f"recognizer {recognizer!r} has nothing to learn"
        )
    if "cutoff" in settings and untrained.tunes:
        raise SettingError(
            "training-tunes-cutoff-cannot",
            "training tunes the cutoff, so it cannot be set",
            hint="leave the cutoff out, or set it when you judge",
        )
    gold, name = load_gold_of(pairs, reading, quiet)
    check_replaced(force, check_saved, untrained, output, name)
    with busy_status("training", quiet):
        trained = untrained.fit(gold, seed=seed, name=name)
    assert isinstance(trained, Storable)
    save(trained, output)
    write_tables([training_table(trained.signature)])


_EXPLAIN_FORMATS = ("table", "json", "tptp")


@click.command(
    "explain",
    epilog="Example: ensue explain 'A dog barks loudly at night' 'A dog barks at night'",
)
@click.argument("text", required=False)
@click.argument("hypothesis", required=False)
@recognizer_options()
@click.option("--pairs", metavar="PAIRS", help="Take the pair from this file.")
@click.option("--id", "pair_id", metavar="ID", help="The pair's id, with --pairs.")
@format_option(*_EXPLAIN_FORMATS)
@click.option(
    "--trace",
    is_flag=True,
    help="Also show how a proof came about: the parse, its rewriting, the formulas.",
)
@output_option(
    "Write here: a page (.html), the picture of what answers what (.svg), or what --format says."
)
@pair_options
def explain_command(
    text: str | None,
    hypothesis: str | None,
    recognizer: str,
    settings: Mapping[str, str],
    pairs: str | None,
    pair_id: str | None,
    output_format: str | None,
    trace: bool,
    output: str,
    reading: ReadKeywords,
) -> None:
    """Show why a recognizer judges one pair as it does.

    --format tptp prints the problem that -r logic leaves to its prover, for any other.
    """
    from ensue.recognizers import load
    from ensue.reports import check_explanation_path, write_explanation, write_explanation_file

    shown_as = format_of(output, output_format, _EXPLAIN_FORMATS)
    if output != STANDARD:
        if shown_as is None:
            check_explanation_path(output)
        check_outputs([output], [] if pairs is None else [pairs])
    given = (text is not None, hypothesis is not None, pairs is not None, pair_id is not None)
    if given not in ((True, True, False, False), (False, False, True, True)):
        raise click.UsageError("give TEXT and HYPOTHESIS, or --pairs PAIRS and --id ID")
    if pairs is not None:
        own: ReadKeywords = {**reading, "needs_gold": False}
        stream = read_pairs(pairs, **own)
        pair = next((each for each in stream if each.id == pair_id), None)
        if pair is None:
            raise DataError("no-pair-id", f"there is no pair with id {pair_id!r}", place=pairs)
    else:
        pair = Pair("1", text or "", hypothesis or "")
    explanation = load(recognizer, settings).explain(pair)
    if output == STANDARD or shown_as:
        write_explanation(explanation, output=output, format=shown_as or "table", trace=trace)
    else:
        write_explanation_file(output, explanation)
    if output != STANDARD:
        click.echo(f"the explanation is in {output}", err=True)


_CHECK_FORMATS = ("table", "json", "jsonl")


@click.command(
    "check",
    epilog="Example: ensue check --source examples/source.txt --claims examples/claims.txt",
)
@click.option(
    "--source",
    "sources",
    required=True,
    multiple=True,
    metavar="FILE",
    help="What is taken to be true: a text, a folder or a glob of texts; may be repeated.",
)
@click.option(
    "--claims",
    required=True,
    multiple=True,
    metavar="FILE",
    help="What is checked: a text, or CSV, TSV, JSONL with a column of claims; may be repeated.",
)
@recognizer_options("What judges claims against sentences of the source.", setting="cutoff=0.6")
@click.option(
    "--best",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Source sentences to try for each claim.",
)
@format_option(*_CHECK_FORMATS)
@output_option()
@read_option("encoding=NAME, where it is not UTF-8; of claims claim=COLUMN, id=COLUMN, format=csv")
@workers_option
@quiet_option
def check_command(
    sources: Sequence[str],
    claims: Sequence[str],
    recognizer: str,
    settings: Mapping[str, str],
    best: int,
    output_format: str | None,
    output: str,
    reading: Mapping[str, str],
    pool: Pool | None,
    quiet: bool,
) -> int:
    """Check each sentence of a text, say a summary, against sources; exit 1 if one fails.

    A claim is supported, contradicted or not found, with the probability that it is supported; a
    question, a greeting or a refusal is nothing to check. What it says is cut into propositions, each is looked
    for in the sources, and what differs (numbers, units, dates, names, roles, negation, modality, quantifiers)
    is shown.
    A file may be `-`. In a table each row is a claim, with its id; its column is found by its name: claim,
    hypothesis, statement, sentence; of answer, summary, response, output each sentence is a claim.
    Places are characters, from 0.
    """
    from ensue.claims import CheckedClaims, check_claims, read_claims, read_sources
    from ensue.features import open_reader
    from ensue.recognizers import load
    from ensue.reports import write_checked

    encoding = encoding_of(reading, "claim", "id", "format")
    known = list(dict.fromkeys(file for name in sources for file in expand(name)))
    check_files([*known, *claims], [output])
    chosen = format_of(output, output_format, _CHECK_FORMATS) or "table"
    judge = with_pool(load(recognizer, settings), pool)
    columns = {"column": reading.get("claim"), "id_column": reading.get("id")}
    with finding_messages(quiet) as tell_one:
        texts = read_sources(sources, encoding, on_finding=tell_one)
        asked = [
            claim
            for each in claims
            for claim in read_claims(
                each, encoding, format=reading.get("format"), on_finding=tell_one, **columns
            )
        ]
    reader = open_reader(pool=pool)
    with busy_status("checking", quiet):
        found = check_claims(texts, asked, judge, reader, best=best)
        checked = CheckedClaims(tuple(found), judge.signature)
    if not checked:
        place = ", ".join(map(shown_name, claims))
        raise DataError("no-claims-file", "there are no claims in this file", place=place)
    write_checked(checked, output=output, format=chosen)
    return 0 if checked.is_supported else EXIT_NO


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
    options: RunOptions,
    reading: ReadKeywords,
    display: RunDisplay,
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
    with (
        finding_messages(display.quiet) as tell_one,
        display.run("measuring", output, pairs) as seen,
    ):
        account = measure_source(
            pairs,
            output,
            format=chosen,
            directions=list(PairDirection) if direction == "both" else [PairDirection(direction)],
            reading=reading,
            options=options,
            on_finding=tell_one,
            on_snapshot=seen,
            on_survey=seen.survey,
        )
    tell_account(account, f"measured {account.n_items:,} pairs", "pairs", display)


@click.command(
    "ablate",
    epilog="Example: ensue ablate examples/pairs.xml -s strength=0.01 --table ablation",
)
@click.argument("pairs", nargs=-1, required=True)
@recognizer_options(
    "The recognizer on features, or a directory with a trained one, whose settings are used.",
    setting="strength=0.01",
    default="features",
)
@click.option(
    "--on", "test", metavar="TEST", help="Train on PAIRS and judge these, without cross-validation."
)
@workers_option
@output_options()
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
            "recognizer-no-groups-features",
            f"recognizer {name!r} has no groups of features to leave out",
            hint="use -r features, or a directory that ensue train -r features wrote",
        )
    return found
