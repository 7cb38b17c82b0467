"""`ensue check` and `propositions`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import busy_status, check_files, files_of
from ensue.cli.messages import RunDisplay, finding_messages, tell, told_lines
from ensue.cli.options import (
    encoding_of,
    engine_options,
    format_of,
    format_option,
    open_pool,
    output_option,
    plot_option,
    quiet_option,
    read_keywords,
    read_option,
    recognizer_options,
    with_pool,
)
from ensue.errors import DataError, brief
from ensue.files import STANDARD, check_outputs, is_directory, is_file, shown_name
from ensue.pairs import Label, Status, Verdict, expand, run_items

if TYPE_CHECKING:
    from ensue.claims import CheckedClaims, ClaimText, SourceText
    from ensue.engine import RunOptions
    from ensue.recognizers import JudgeAccount
    from ensue.reports import Located

# Claims against sources: a few texts, or pairs of any number as a run.

_CHECK_FORMATS = ("table", "json", "jsonl", "sarif", "lines", "github")
_COLUMNS = ("claim", "id", "document")
"""What `--read` may name of a table of claims."""


def _share(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """The callback of `--fail-under`: a share, as 0.9 or as 90%."""
    if value is None:
        return None
    number = value.removeprefix("supported=")
    try:
        share = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise click.BadParameter(f"{value!r} is no share, e.g. 0.9 or 90%", ctx, param)
    return share


@click.command(
    "check",
    epilog="Example: ensue check --source examples/source.txt --claims examples/claims.txt",
)
@click.argument("texts", nargs=-1, metavar="[CLAIMS]...")
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="FILE",
    help="What is taken to be true: a text, a folder or a glob of texts; may be repeated.",
)
@click.option(
    "--claims",
    multiple=True,
    metavar="FILE",
    help="What is checked: a text, or CSV, TSV, JSONL with a column of claims; may be repeated.",
)
@click.option(
    "--pairs",
    metavar="PAIRS",
    help="Check the hypothesis of each pair against its text, and write a run.",
)
@recognizer_options("What judges claims against sentences of the source.", setting="cutoff=0.6")
@click.option(
    "--best",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Source sentences to try for each claim.",
)
@click.option(
    "--fail-under",
    "least",
    callback=_share,
    metavar="[supported=]X",
    help="Exit with 1 where a smaller share of the claims is supported, e.g. 0.9; without it, where"
    " one is not.",
)
@format_option(*_CHECK_FORMATS)
@output_option("Write here instead of standard output; with --pairs, the run.")
@engine_options
@read_option(
    "encoding=NAME, where it is not UTF-8; of claims claim=COLUMN, id=COLUMN, document=COLUMN (which"
    " names the source of each), format=csv; of pairs what ensue judge takes"
)
@quiet_option
def check_command(
    texts: Sequence[str],
    sources: Sequence[str],
    claims: Sequence[str],
    pairs: str | None,
    recognizer: str,
    settings: Mapping[str, str],
    best: int,
    least: float | None,
    output_format: str | None,
    output: str,
    options: RunOptions,
    reading: Mapping[str, str],
    quiet: bool,
) -> int:
    """Check each sentence of a text, say a summary, against sources; exit 1 if one fails.

    A claim is supported, contradicted or not found, with the probability that it is supported; a
    question, a greeting or a refusal is nothing to check. What it says is cut into propositions, each is looked
    for in the sources, and what differs (numbers, units, dates, names, roles, negation, modality, quantifiers)
    is shown.
    A file may be `-`. In a table each row is a claim, with its id; its column is found by its name: claim,
    hypothesis, statement, sentence; of answer, summary, response, output each sentence is a claim.
    CLAIMS are files as those of --claims. Places are characters, from 0; --format sarif, lines
    (file:line:column) and github (annotations of a workflow) give lines of what is not supported.

    With --pairs, the claims of any number of pairs are checked as 'ensue judge' judges: by as many
    processes as there are cores, with --resume. The run is for 'ensue evaluate'; the share of claims
    without support is told, and --fail-under alone says when to exit with 1.
    """
    claims = [*claims, *texts]
    if pairs is None:
        if not (sources and claims):
            raise click.UsageError("give --source FILE and --claims FILE, or --pairs PAIRS")
        if options.resume or options.restart or options.shard_size:
            raise click.UsageError("--resume, --restart and --shard-size are for --pairs")
        work = output, options.workers
        how = recognizer, settings, best
        checked, read = _checked(sources, claims, how, work, reading, quiet)
        from ensue.reports import write_checked

        chosen = format_of(output, output_format, _CHECK_FORMATS) or "table"
        write_checked(checked, output=output, format=chosen, texts=read)
        return _exit_code(checked, least)
    if sources or claims:
        raise click.UsageError("--pairs has sources and claims in it; leave the others out")
    if output_format not in (None, "jsonl"):
        raise click.UsageError(f"a run is written as jsonl, not as {output_format}")
    account = _checked_pairs(pairs, recognizer, settings, best, output, options, reading, quiet)
    return _pairs_exit_code(account, output, least, quiet)


def _checked(
    sources: Sequence[str],
    claims: Sequence[str],
    how: tuple[str, Mapping[str, str], int],
    work: tuple[str, int | None],
    reading: Mapping[str, str],
    quiet: bool,
) -> tuple[CheckedClaims, list[SourceText | ClaimText]]:
    """Read sources and claims, and check these; give what was read, too."""
    from ensue.claims import CheckedClaims, check_claims, check_named, read_sources
    from ensue.features import open_reader
    from ensue.recognizers import load

    (recognizer, settings, best), (output, workers) = how, work
    encoding = encoding_of(reading, *_COLUMNS, "format")
    known = list(dict.fromkeys(file for name in sources for file in expand(name)))
    check_files([*known, *claims], [output])
    with open_pool(workers) as pool:
        judge, reader = with_pool(load(recognizer, settings), pool), open_reader(pool=pool)
        with finding_messages(quiet) as tell_one:
            texts = read_sources(sources, encoding, on_finding=tell_one)
        asked = _claims_of(claims, encoding, reading, quiet)
        check_all = check_named if "document" in reading else check_claims
        with busy_status("checking", quiet):
            found = check_all(texts, asked, judge, reader, best=best)
    if not found:
        place = ", ".join(map(shown_name, claims))
        raise DataError("no-claims-file", "there are no claims in this file", place=place)
    return CheckedClaims(tuple(found), judge.signature), [*texts, *asked]


def _claims_of(
    files: Sequence[str], encoding: str | None, reading: Mapping[str, str], quiet: bool
) -> list[ClaimText]:
    from ensue.claims import read_claims

    column, id_column, document_column = (reading.get(name) for name in _COLUMNS)
    with finding_messages(quiet) as tell_one:
        return [
            claim
            for each in files
            for claim in read_claims(
                each,
                encoding,
                format=reading.get("format"),
                column=column,
                id_column=id_column,
                document_column=document_column,
                on_finding=tell_one,
            )
        ]


def _exit_code(checked: CheckedClaims, least: float | None) -> int:
    """1 where a claim is not supported, or where too few are."""
    if least is None:
        return 0 if checked.is_supported else EXIT_NO
    from ensue.claims import ClaimStatus

    counts = checked.counts
    n_checked = len(checked) - counts[ClaimStatus.NOTHING_TO_CHECK]
    return _gate(counts[ClaimStatus.SUPPORTED], n_checked, least)


def _gate(n_supported: int, n_checked: int, least: float) -> int:
    if not n_checked or n_supported / n_checked >= least:
        return 0
    said = f"{n_supported:,} of {n_checked:,} claims are supported, which is under {least:g}"
    click.echo(said, err=True)
    return EXIT_NO


def _checked_pairs(
    pairs: str,
    recognizer: str,
    settings: Mapping[str, str],
    best: int,
    output: str,
    options: RunOptions,
    reading: Mapping[str, str],
    quiet: bool,
) -> JudgeAccount:
    """Check the claims of pairs, as a run."""
    from ensue.claims import check_source
    from ensue.engine import is_folder

    if not is_folder(output):
        check_outputs([output], [pairs, *files_of(recognizer)])
    if recognizer.startswith("python:") or options.resume:
        options = replace(options, isolated=True)  # it may crash, or have been what did
    display = RunDisplay(quiet, verbose=False, log=None)
    with finding_messages(quiet) as tell_one, display.run("checking", output, pairs) as seen:
        account = check_source(
            pairs,
            output,
            recognizer,
            settings,
            best=best,
            reading=read_keywords(reading),
            options=options,
            on_finding=tell_one,
            on_snapshot=seen,
            on_survey=seen.survey,
        )
    tell(account.findings, quiet)
    return account


def _pairs_exit_code(account: JudgeAccount, output: str, least: float | None, quiet: bool) -> int:
    """Tell the share of claims without support; 1 where it is too large, or every pair failed."""
    from ensue.claims import unsupported_share

    counts = _labels(account, output)
    n_checked, n_supported = counts.total(), counts[Label.ENTAILMENT.value]
    n_failed = account.statuses[Status.FAILED.value]
    if account.is_finished_before and not quiet:
        click.echo(f"nothing to do, {output} is finished: {account.signature}", err=True)
    elif not quiet and output != STANDARD:
        others = f", {n:,} without a decision" if (n := account.n_items - n_checked) else ""
        outcomes = (
            f"{n_supported:,} supported, {counts[Label.CONTRADICTION.value]:,} contradicted,"
            f" {counts[Label.UNKNOWN.value]:,} not found{others}"
        )
        click.echo(
            f"checked {account.n_items:,} pairs in {account.seconds:.1f} s ({outcomes}):"
            f" {account.signature}",
            err=True,
        )
        for line in told_lines(account, "pairs", False):
            click.echo(line, err=True)
    share = unsupported_share(n_supported, n_checked)
    if share.value is not None:
        said = f"{share.value:.1%} of {n_checked:,} claims are not supported"
        click.echo(f"{said} [{share.low:.1%}, {share.high:.1%}]", err=output == STANDARD)
    if n_failed and n_failed == account.n_items:
        click.echo(f"every pair failed, {n_failed:,} of them: the run says why", err=True)
        return EXIT_NO
    return 0 if least is None else _gate(n_supported, n_checked, least)


def _labels(account: JudgeAccount, output: str) -> Counter[str]:
    """How often each label was decided for; by the run where it was finished before."""
    if not account.is_finished_before or account.labels:
        return account.labels
    said = (item for _, item in run_items(output))
    return Counter(each.label.value for each in said if isinstance(each, Verdict) and each.label)


# Sentences as statements.

_FORMATS = ("table", "json", "jsonl")


@click.command(
    "propositions",
    epilog="Example: ensue propositions 'Police said that the driver, a man of 40, had fled.'",
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT|FILE...")
@format_option(*_FORMATS)
@output_option()
@plot_option("each statement with the stretches of the text that it is made of")
@read_option("encoding=NAME, where it is not UTF-8")
@quiet_option
def propositions_command(
    texts: Sequence[str],
    output_format: str | None,
    output: str,
    plots: tuple[str, ...],
    reading: Mapping[str, str],
    quiet: bool,
) -> None:
    """Cut sentences into statements that can be read by themselves.

    Main, subordinate and relative clauses, appositions, participles and what is joined by *and*
    become statements, each with the places of its words and of what embeds it: said, believed,
    known, denied, negated, possible, necessary, conditional, asked. A text with a blank in it is
    taken as it is; a name without one is that of a file, a folder, or `-`. Places are characters,
    from 0.
    """
    from ensue.claims import find_propositions
    from ensue.language import load_analyzer, load_lexicon
    from ensue.reports import propositions_picture, write_propositions
    from ensue.reports.pictures import write_picture

    files = [each for each in texts if _is_named(each)]
    check_files(files, [output, *plots])
    sources = list(_sources(texts, encoding_of(reading), quiet))
    analyzer, lexicon = load_analyzer(), load_lexicon()
    kept = []

    def located() -> Iterator[Located]:
        for source in sources:
            for each in find_propositions(source.text, analyzer, lexicon):
                if plots and source is sources[0]:
                    kept.append(each)
                yield source.file, source.text, each

    with busy_status("cutting", quiet):
        chosen = format_of(output, output_format, _FORMATS) or "table"
        n = write_propositions(located(), output=output, format=chosen)
    if n == 0:
        shown = ", ".join(map(repr, texts))
        raise DataError(
            "no-statements",
            f"there is no statement in {brief(shown)}",
            hint="a statement has a verb; headings and lists have none",
        )
    for plot in plots:
        write_picture(plot, propositions_picture(sources[0].text, kept))


def _is_named(text: str) -> bool:
    """Whether an argument is the name of a file, and not a text."""
    if text == STANDARD or is_file(text) or is_directory(text):
        return True
    return not any(map(str.isspace, text)) and bool(PurePath(text).suffix or "/" in text)


def _sources(texts: Sequence[str], encoding: str | None, quiet: bool) -> Iterator[SourceText]:
    from ensue.claims import SourceText, read_sources

    with finding_messages(quiet) as tell_one:
        for each in texts:
            if _is_named(each):
                yield from read_sources([each], encoding, on_finding=tell_one)
            else:
                yield SourceText(each, "")
