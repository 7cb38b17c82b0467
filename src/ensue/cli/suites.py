"""`ensue suite`: generate, describe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ensue.cli.app import EXIT_NO
from ensue.cli.inputs import check_files
from ensue.cli.messages import RunDisplay, display_options, has_more_to_tell, tell_account
from ensue.cli.options import TABLE_FORMATS, Printing, output_options
from ensue.cli.workers import engine_options
from ensue.files import STANDARD
from ensue.pairs import Pair, read_pairs

if TYPE_CHECKING:
    from ensue.engine import RunOptions
    from ensue.suites import Manifest, Quota, Repertoire

ALSO = ("rte", "csv")
NEAR_MISSES = (
    "roles-swapped",
    "filler-exchanged",
    "argument-added",
    "participants-crossed",
    "predicate-exchanged",
)
TENSES = ("present", "past")

grammar_option = click.option(
    "--grammar",
    "grammars",
    multiple=True,
    metavar="FILE",
    help="A grammar; several are put together, 'english' is the one that comes along.",
)


@click.group("suite", epilog="Example: ensue suite generate --suites 1 --size 100 -o suites")
def suite_command() -> None:
    """Generate test suites whose entailments rest on syntax, with gold and tags, and describe them.

    A grammar gives sentences with their meaning, and the meanings give the gold.
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
@click.option(
    "--clauses",
    type=click.IntRange(1, 3),
    default=3,
    show_default=True,
    help="Clauses in a text, at most.",
)
@click.option("--seed", default=7, show_default=True, help="The same seed gives the same bytes.")
@click.option(
    "-o", "--output", required=True, metavar="DIR", help="The directory to write, a new one."
)
@click.option(
    "--also",
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
    "--near-miss",
    "near_misses",
    multiple=True,
    type=click.Choice(NEAR_MISSES),
    help="Make only these kinds of non-entailments; may be repeated.",
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
@click.option("--tense", type=click.Choice(TENSES), help="Only this tense.")
@click.option("--mixed-tenses", is_flag=True, help="Text and hypothesis may differ in tense.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(TABLE_FORMATS),
    default="table",
    show_default=True,
    help="How to print what was made.",
)
@engine_options
@display_options
def generate_command(
    grammars: tuple[str, ...],
    suites: int,
    size: int,
    clauses: int,
    seed: int,
    output: str,
    also: tuple[str, ...],
    types: tuple[str, ...],
    near_misses: tuple[str, ...],
    quotas: tuple[Quota, ...],
    tense: str | None,
    mixed_tenses: bool,
    output_format: str,
    spread: RunOptions,
    seeing: RunDisplay,
) -> int:
    """Generate suites of entailments and near misses from a grammar.

    Each suite has another combination of three subcategorization types, half of its cases are
    entailments, and texts have one clause or more; no case is in two suites. The directory appears
    whole, at the end: until then what is done is kept in DIR.partial, for --resume. Exit 1 where a
    suite could not be filled.
    """
    from ensue.reports import manifest_table
    from ensue.suites import NearMiss, SentenceTense, SuiteSettings, generate_suites

    if output == STANDARD:
        raise click.UsageError("suites are a directory, which standard output cannot be")
    if "://" in output:
        raise click.UsageError("suites are written to this machine, not to a URL")
    repertoire = _repertoire(grammars)
    _check_types(types, repertoire)
    settings = SuiteSettings(
        size=size,
        clauses=clauses,
        mixed_tenses=mixed_tenses,
        tenses=tuple(map(SentenceTense, [tense] if tense else TENSES)),
        near_misses=tuple(map(NearMiss, near_misses or NEAR_MISSES)),
        quotas=quotas,
    )
    with seeing.run("generating", output) as seen:
        manifest, account = generate_suites(
            output,
            repertoire,
            settings,
            n_suites=suites,
            seed=seed,
            types=types,
            formats=also,
            spread=spread,
            on_snapshot=seen,
        )
    if account is None:
        if not seeing.quiet:
            click.echo(f"nothing to do, the suites are in {output}", err=True)
    elif has_more_to_tell(account, seeing):
        tell_account(account, f"generated {account.n_items:,} suites", "suites", seeing)
    Printing(STANDARD, output_format, None).write([manifest_table(manifest)])
    _tell_shortfalls(manifest, seeing.quiet)
    return 0 if manifest.is_full else EXIT_NO


def _check_types(types: tuple[str, ...], repertoire: Repertoire) -> None:
    from ensue.errors import UnknownNameError

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
@click.option("--seed", default=0, show_default=True, help="Of the choice of cases or phrases.")
@output_options
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
    manifest = read_manifest(suites) if Path(suites).is_dir() else None
    check_files(_files(suites, manifest), [printing.output])
    composition = describe_cases(_cases(suites, manifest), sample=sample, seed=seed)
    titles = manifest.titles if manifest else read_grammar().titles
    tables = composition_tables(composition, titles, every=printing.for_programs)
    printing.write([*([manifest_table(manifest)] if manifest else []), *tables])


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
