"""`ensue paraphrase learn`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ensue.cli.paraphrase.options import (
    MOST_WORDS,
    TaskFiles,
    list_output_options,
    named_terms,
    task_option,
)
from ensue.cli.parts.findings import tell
from ensue.cli.parts.inputs import check_files
from ensue.cli.parts.options import pair_options, quiet_option
from ensue.cli.parts.progress import progress_bar
from ensue.pairs.files import filled_lines
from ensue.pairs.reading import Reading

if TYPE_CHECKING:
    from ensue.paraphrase.learning import Learned

METHODS = ("ngrams", "noun-phrases")
OVERLAPS = ("shared", "jaccard", "cosine")


@click.command(
    "learn",
    epilog="Example: ensue paraphrase learn examples/paraphrase/corpus.txt --terms killed",
)
@click.argument("corpus", nargs=-1, required=True)
@click.option(
    "--terms",
    metavar="TERM,…|top:N",
    help="Terms with commas between them; with --task also the N most frequent verbs of the pairs.",
)
@click.option("--terms-file", metavar="FILE", help="A file with a term a line.")
@task_option(required=False)
@pair_options
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(METHODS),
    default=("ngrams",),
    show_default=True,
    help="By the words around (Pasca & Dienes 2005), or by the noun phrases (Bhagat & Ravichandran"
    " 2008), which parses the text. May be repeated.",
)
@click.option(
    "--context",
    type=click.IntRange(1, MOST_WORDS),
    default=2,
    show_default=True,
    help="ngrams: words on either side that have to be the same.",
)
@click.option(
    "--overlap",
    type=click.Choice(OVERLAPS),
    default="shared",
    show_default=True,
    help="ngrams: how contexts are compared.",
)
@click.option(
    "--longest",
    type=click.IntRange(1, MOST_WORDS),
    default=4,
    show_default=True,
    help="Words of a paraphrase, at most.",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Paraphrases of a term, at most.",
)
@click.option(
    "--least",
    type=click.IntRange(1),
    help="Contexts that a paraphrase shares with its term, at least; for noun-phrases also how often"
    " it occurs. 2 for ngrams and 4 for noun-phrases where it is not given.",
)
@list_output_options
@quiet_option
def learn_command(
    corpus: tuple[str, ...],
    terms: str | None,
    terms_file: str | None,
    tasks: TaskFiles,
    methods: tuple[str, ...],
    context: int,
    overlap: str,
    longest: int,
    most: int,
    least: int | None,
    output: str,
    output_format: str | None,
    reading: Reading,
    quiet: bool,
) -> None:
    """Learn paraphrases of terms from plain text, and write ranked lists.

    CORPUS is plain text, a sentence or a paragraph a line. What stands between the same words, or
    the same noun phrases, as a term may be a paraphrase of it; opposites stand there, too.
    """
    from ensue.paraphrase.learning import NgramSettings, NounPhraseSettings, Overlap, learn
    from ensue.paraphrase.model import joined
    from ensue.paraphrase.reading import write_lists

    named = [terms_file] if terms_file else []
    check_files([*corpus, *tasks.paths, *named], [output])
    if "-" in corpus and len(set(methods)) > 1:
        raise click.UsageError("standard input can be read by one --method only; name a file")
    encoding = reading.get("encoding")
    wanted = _terms(terms, terms_file, tasks, reading, quiet)
    found: list[Learned] = []
    for method in dict.fromkeys(methods):
        with progress_bar(f"learning by {method}", quiet=quiet) as progress:
            found.append(
                learn(
                    corpus,
                    wanted,
                    method=method,
                    ngrams=NgramSettings(context, context, longest, Overlap(overlap)),
                    noun_phrases=NounPhraseSettings(longest),
                    most=most,
                    least=least,
                    encoding=encoding,
                    progress=progress,
                )
            )
        tell(found[-1].findings, quiet)
        if not quiet:
            _say(found[-1], method)
    write_lists(output, joined([each.lists for each in found]), output_format)


def _terms(
    terms: str | None,
    terms_file: str | None,
    tasks: TaskFiles,
    reading: Reading,
    quiet: bool,
) -> Sequence[str]:
    if (terms is None) == (terms_file is None):
        raise click.UsageError("name terms with --terms or with --terms-file")
    if terms_file:
        return tuple(filled_lines([terms_file], reading.get("encoding")))
    if (terms or "").startswith("top:") and not tasks.files:
        raise click.UsageError("--terms top:N counts the verbs of --task PAIRS: name some")
    return named_terms(terms or "", tasks.open(reading, quiet))


def _say(learned: Learned, method: str) -> None:
    from ensue.paraphrase.counting import counted

    n_patterns = learned.lists.n_patterns
    n_terms = int((learned.lists.offsets[1:] > learned.lists.offsets[:-1]).sum())
    click.echo(
        f"{method}: {counted(n_patterns, 'paraphrase')} of {counted(n_terms, 'term')} from"
        f" {counted(learned.n_sentences, 'sentence')}, {counted(learned.n_tokens, 'token')}",
        err=True,
    )
