"""`ensue suite`: generate, describe, judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import check_files
from ensue.cli.messages import (
    RunDisplay,
    display_options,
    finding_messages,
    has_more_to_tell,
    tell_account,
)
from ensue.cli.options import (
    TABLE_FORMATS,
    Printing,
    Setting,
    engine_options,
    output_options,
    quiet_option,
    recognizer_options,
    report_option,
    resampling_options,
    seed_option,
    settings_option,
)
from ensue.errors import UnknownNameError
from ensue.files import STANDARD, is_directory
from ensue.pairs import Pair, read_pairs

if TYPE_CHECKING:
    from ensue.diagnosis import DiagnosticSet
    from ensue.engine import OnSnapshot, RunOptions
    from ensue.statistics import Resampling
    from ensue.suites import Manifest, Quota, Repertoire, SuiteSettings

E = TypeVar("E", bound=StrEnum)

ALSO = ("rte", "csv")

SETTINGS = {
    "clauses": Setting("clauses of a text, at most", 3, click.IntRange(1, 3)),
    "tenses": Setting("TENSE,… (present, past)"),
    "mixed-tenses": Setting("text and hypothesis may differ in tense", False, click.BOOL),
    "near-misses": Setting("KIND,… of non-entailments"),
}

grammar_option = click.option(
    "--grammar",
    "grammars",
    multiple=True,
    metavar="FILE",
    help="A grammar; several are put together, 'english' is the one that comes along.",
)


@click.group("suite", epilog="Example: ensue suite generate --suites 1 --size 100 -o suites")
def suite_command() -> None:
    """Generate test suites whose entailments rest on syntax, describe them, judge all such sets.

    A grammar gives sentences with their meaning, and the meanings give the gold. What others made
    to find out what a recognizer understands is judged beside what is generated.
    """


def _quotas(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[Quota, ...]:
    from ensue.suites import Quota

    quotas = []
    for value in values:
        form, _, least = value.rpartition("=")
        if not form or not least.isdecimal():
            message = f"{value!r} is not FORM=N, e.g. V-P-R/V-A-C=50"
            raise click.BadParameter(message, ctx=ctx, param=param)
        quotas.append(Quota(form, int(least)))
    return tuple(quotas)


@suite_command.command(
    "generate", epilog="Example: ensue suite generate --suites 2 --size 500 -o suites"
)
@grammar_option
@click.option("--suites", type=click.IntRange(1), default=10, show_default=True)
@click.option(
    "--size", type=click.IntRange(1), default=1000, show_default=True, help="Cases in each suite."
)
@partial(seed_option, default=7)
@click.option(
    "-o", "--output", required=True, metavar="DIR", help="The directory to write, a new one."
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(ALSO),
    help="Write RTE XML or CSV beside the JSONL; may be repeated.",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="FAMILY",
    help="Combine only these subcategorization types; may be repeated.",
)
@click.option(
    "--quota",
    "quotas",
    multiple=True,
    callback=_quotas,
    metavar="FORM=N",
    help="At least N cases of each suite with a tag (V-P-R), a tag pair (V-P/V-A, the hypothesis"
    " first), a change of construction (voice) or a near miss; may be repeated.",
)
@settings_option(SETTINGS)
@engine_options
@display_options
def generate_command(
    grammars: tuple[str, ...],
    suites: int,
    size: int,
    seed: int,
    output: str,
    formats: tuple[str, ...],
    types: tuple[str, ...],
    quotas: tuple[Quota, ...],
    settings: Mapping[str, Any],
    options: RunOptions,
    display: RunDisplay,
) -> int:
    """Generate suites of entailments and near misses from a grammar.

    Each suite has another combination of three subcategorization types, half of its cases are
    entailments, and texts have one clause or more; no case is in two suites. The directory appears
    whole, at the end: until then what is done is kept in DIR.partial, for --resume. Exit 1 where a
    suite could not be filled.
    """
    from ensue.reports import manifest_table, write_tables
    from ensue.suites import generate_suites

    if output == STANDARD:
        raise click.UsageError("suites are a directory, which standard output cannot be")
    if "://" in output:
        raise click.UsageError("suites are written to this machine, not to a URL")
    repertoire = _repertoire(grammars)
    _check_types(types, repertoire)
    with display.run("generating", output) as seen:
        manifest, account = generate_suites(
            output,
            repertoire,
            _suite_settings(size, quotas, settings),
            n_suites=suites,
            seed=seed,
            types=types,
            formats=formats,
            options=options,
            on_snapshot=seen,
        )
    if account is None:
        if not display.quiet:
            click.echo(f"nothing to do, the suites are in {output}", err=True)
    elif has_more_to_tell(account, display):
        tell_account(account, f"generated {account.n_items:,} suites", "suites", display)
    write_tables([manifest_table(manifest)])
    _tell_shortfalls(manifest, display.quiet)
    return 0 if manifest.is_full else EXIT_NO


def _suite_settings(
    size: int, quotas: tuple[Quota, ...], settings: Mapping[str, Any]
) -> SuiteSettings:
    """What the user said, as the library takes it.

    Raises:
        UnknownNameError: a setting names a kind that is unknown.
    """
    from ensue.suites import NearMiss, SentenceTense, SuiteSettings

    return SuiteSettings(
        size=size,
        clauses=settings["clauses"],
        mixed_tenses=settings["mixed-tenses"],
        tenses=_members(SentenceTense, "tense", settings["tenses"]),
        near_misses=_members(NearMiss, "near miss", settings["near-misses"]),
        quotas=quotas,
    )


def _members(kinds: type[E], what: str, named: str | None) -> tuple[E, ...]:
    """Those that are named, with commas between them; all where none is."""
    if named is None:
        return tuple(kinds)
    known = [each.value for each in kinds]
    for name in named.split(","):
        if name not in known:
            raise UnknownNameError.of(what, name, known)
    return tuple(kinds(name) for name in named.split(","))


def _check_types(types: tuple[str, ...], repertoire: Repertoire) -> None:
    for name in types:
        if name not in repertoire.subcategorizations:
            raise UnknownNameError.of("subcategorization type", name, repertoire.subcategorizations)


def _tell_shortfalls(manifest: Manifest, quiet: bool) -> None:
    if quiet:
        return
    for suite in manifest.suites:
        if suite.cases < suite.asked:
            click.echo(
                f"{suite.name}: only {suite.cases} distinct cases were found of {suite.asked}",
                err=True,
            )
        for form, lacking in suite.unmet.items():
            click.echo(f"{suite.name}: the quota of {form!r} lacks {lacking} cases", err=True)


@suite_command.command("describe", epilog="Example: ensue suite describe --grammar english")
@click.argument("suites", required=False)
@grammar_option
@click.option(
    "--sample", type=click.IntRange(0), default=5, show_default=True, help="Cases to show."
)
@seed_option
@output_options()
def describe_command(
    suites: str | None, grammars: tuple[str, ...], sample: int, seed: int, printing: Printing
) -> None:
    """Show what SUITES, a directory or a file of cases, are made of; or what a grammar has."""
    from ensue.reports import composition_tables, grammar_tables, manifest_table
    from ensue.suites import describe_cases, read_grammar, read_manifest

    if suites is None:
        printing.write(grammar_tables(_repertoire(grammars), seed=seed))
        return
    if grammars:
        raise click.UsageError("describe either suites or a grammar, not both at once")
    manifest = read_manifest(suites) if is_directory(suites) else None
    check_files(_files(suites, manifest), [printing.output])
    composition = describe_cases(_cases(suites, manifest), sample=sample, seed=seed)
    titles = manifest.titles if manifest else read_grammar().titles
    tables = composition_tables(composition, titles, every=printing.for_programs)
    printing.write([*([manifest_table(manifest)] if manifest else []), *tables])


@suite_command.command(
    "judge", epilog="Example: ensue suite judge examples/diagnostic -r overlap --by phenomenon"
)
@click.argument("sets", nargs=-1, required=True)
@recognizer_options()
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    help="Keep pairs and runs here, for --resume, 'ensue evaluate' and 'ensue mine'; a new directory"
    " or that of an earlier call.",
)
@click.option(
    "--by",
    type=click.Choice(["phenomenon"]),
    help="Show each phenomenon of each set, too. Pages and what programs read have them always.",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Judge at most N pairs of each set, drawn by --seed; minimal pairs stay together.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(TABLE_FORMATS),
    default="table",
    show_default=True,
    help="How to print.",
)
@click.option("--table", metavar="NAME", help="Print only this table.")
@report_option
@resampling_options()
@engine_options
@quiet_option
def judge_sets_command(
    sets: tuple[str, ...],
    recognizer: str,
    settings: Mapping[str, str],
    output: str | None,
    by: str | None,
    sample: int | None,
    output_format: str,
    table: str | None,
    report: str | None,
    resampling: Resampling,
    options: RunOptions,
    quiet: bool,
) -> None:
    """Judge diagnostic SETS with a recognizer, and show them in one table, with intervals.

    SETS are files, or folders that are searched: HANS, MED, MoNLI, GQNLI, ConjNLI, Breaking NLI,
    FraCaS, SICK, GLUE's AX, CURRICULUM and generated suites, as they are published, are known by
    their content. Another file of pairs is judged where it is named itself. Beside each set is the
    share of its minimal pairs that are all right, and what others published on it.
    """
    from ensue.diagnosis import diagnose_sources
    from ensue.reports import diagnosis_answer, diagnosis_report, diagnosis_tables

    if output == STANDARD:
        raise click.UsageError("runs are kept in a directory, which standard output cannot be")
    if output is None and (options.resume or options.restart):
        raise click.UsageError("--resume and --restart need --output")
    if recognizer.startswith("python:") or options.resume:
        options = replace(options, isolated=True)  # it may crash, or have been what did
    printing = Printing(STANDARD, output_format, table, (), report)
    check_files([each for each in sets if not is_directory(each)], [report])
    display = RunDisplay(quiet, False, None)

    @contextmanager
    def watch(title: str) -> Iterator[OnSnapshot]:
        with display.run(f"judging {title}", output or STANDARD) as seen:
            yield seen

    with finding_messages(quiet) as tell_one:
        diagnosis = diagnose_sources(
            sets,
            recognizer,
            settings,
            output=output,
            sample=sample,
            options=options,
            resampling=resampling,
            on_finding=tell_one,
            on_sets=lambda found: _tell_sets(found, quiet),
            watch=watch,
        )
    every = printing.for_programs
    printing.write(
        diagnosis_tables(diagnosis, phenomena=every or by is not None, every=every),
        page=lambda: diagnosis_report(diagnosis),
        answer=diagnosis_answer(diagnosis),
    )


def _tell_sets(found: Sequence[DiagnosticSet], quiet: bool) -> None:
    if quiet:
        return
    for each in found:
        first, *others = each.files
        more = f" and {len(others)} more" if others else ""
        drawn = len(each.pairs)
        n = f"{drawn:,}" if drawn == each.n_pairs else f"{drawn:,} of {each.n_pairs:,}"
        click.echo(f"found {each.title}: {n} pairs in {first}{more}", err=True)


def _cases(suites: str, manifest: Manifest | None) -> Iterator[Pair]:
    if manifest is None:
        yield from read_pairs(suites)
        return
    for suite in manifest.suites:
        yield from read_pairs(Path(suites) / suite.files[0])


def _files(suites: str, manifest: Manifest | None) -> list[Path]:
    """Everything that belongs to suites, none of which is to be written over."""
    if manifest is None:
        return [Path(suites)]
    from ensue.suites import MANIFEST

    names = [name for suite in manifest.suites for name in suite.files]
    return [Path(suites) / name for name in (MANIFEST, *names)]


def _repertoire(grammars: tuple[str, ...]) -> Repertoire:
    from ensue.suites import check_grammar, make_repertoire, read_grammar

    grammar = read_grammar(*grammars)
    check_grammar(grammar)
    return make_repertoire(grammar)
