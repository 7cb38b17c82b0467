"""`ensue paraphrase recognize`, `correlate` and `learn`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ensue.cli.inputs import busy_status, check_files, shown_stages
from ensue.cli.messages import finding_messages, progress_bar, tell
from ensue.cli.options import (
    Printing,
    Setting,
    output_options,
    pair_options,
    quiet_option,
    resampling_options,
    settings_option,
)
from ensue.cli.paraphrase_inputs import (
    FUNCTION_WORDS,
    MATCH,
    MOST_PATTERNS,
    MOST_WORDS,
    ListFiles,
    ScoreOptions,
    TaskFiles,
    list_options,
    list_output_options,
    named_terms,
    read_words,
    scoring_options,
    task_option,
)
from ensue.files import filled_lines
from ensue.pairs import ReadKeywords

if TYPE_CHECKING:
    from ensue.paraphrase.acquisition import AcquiredLists
    from ensue.statistics import Resampling

# `ensue paraphrase recognize`.

DEFAULT_TERMS = "top:10"


@click.command(
    "recognize",
    epilog="Example: ensue paraphrase recognize examples/paraphrase/lists.tsv"
    " -t examples/paraphrase/pairs.jsonl",
)
@list_options(needed=False, with_pairs=True)
@task_option()
@click.option(
    "--terms",
    metavar="top:N|all|TERM,…",
    help="Whose lists: the N terms in the most positive pairs, all, or those named. Without LISTS,"
    f" the N most frequent verbs of the pairs ({DEFAULT_TERMS}).",
)
@click.option(
    "-k",
    type=click.IntRange(max=MOST_PATTERNS),
    default=10,
    show_default=True,
    help="How many paraphrases of a list count.",
)
@settings_option({"match": MATCH, "function-words": FUNCTION_WORDS})
@pair_options
@resampling_options("Resamples of the terms, for the means over lists; 0 for no intervals.")
@output_options(picture="performance by method", page=True)
@quiet_option
def recognize_command(
    files: ListFiles,
    tasks: TaskFiles,
    terms: str | None,
    k: int,
    settings: Mapping[str, Any],
    resampling: Resampling,
    printing: Printing,
    reading: ReadKeywords,
    quiet: bool,
) -> None:
    """Count how many gold pairs each list of LISTS recognizes.

    A pair is in question for a term that stands on one of its sides. It is recognized if the
    term's stems are on both sides, or the term on one and a paraphrase on the other. Without LISTS
    the most frequent verbs of the pairs are counted, of which paraphrases may be learned.
    """
    from ensue.paraphrase.recognition import RecognitionSummary, recognize
    from ensue.reports.paraphrase import (
        recognition_answer,
        recognition_picture,
        recognition_report,
        recognition_tables,
    )

    words = settings["function-words"]
    others = [*tasks.paths, *([words] if words else [])]
    files.check(printing.files, others)
    if not files.paths:
        if printing.plots or printing.report or printing.table == "pairs":
            raise click.UsageError("without LISTS there is nothing to recognize with")
        _print_terms(tasks, terms or DEFAULT_TERMS, reading, printing, quiet)
        return
    lists = files.open(quiet)
    no_content = read_words(words, files.encoding) if words else None
    opened = tasks.open(reading, quiet)
    with busy_status("recognizing", quiet):
        found = recognize(
            lists, opened, k=k, terms=terms or "all", no_content=no_content, match=settings["match"]
        )
    tell(found.findings, quiet)
    summary = RecognitionSummary.of(found, resampling)
    every, pairs = printing.for_programs, printing.table == "pairs"
    printing.write(
        recognition_tables(summary, every=every, pairs=pairs),
        picture=lambda: recognition_picture(summary),
        page=lambda: recognition_report(summary, name=lists.name),
        answer=recognition_answer(summary),
    )


def _print_terms(
    tasks: TaskFiles, terms: str, reading: ReadKeywords, printing: Printing, quiet: bool
) -> None:
    from ensue.paraphrase.recognition import term_counts
    from ensue.reports.paraphrase import term_counts_table

    opened = tasks.open(reading, quiet)
    for task in opened:
        tell(task.findings, quiet)
    if terms == "all":
        raise click.UsageError("without LISTS --terms is top:N, or terms with commas between them")
    chosen = named_terms(terms, opened)
    printing.write([term_counts_table(term_counts(opened, chosen), opened)])


# `ensue paraphrase correlate`.

CORRELATION = {
    "first": Setting(
        "how many paraphrases of a list may recognize a pair",
        10,
        click.IntRange(max=MOST_PATTERNS),
    ),
    "match": MATCH,
    "figure": Setting(
        "what is to be predicted: the share of positive pairs recognized, or the share that the"
        " patterns add to matching stems",
        "performance",
        click.Choice(["performance", "patterns"]),
    ),
    "resample": Setting(
        "what is drawn for the intervals: whole terms, whose lists share their pairs, or lists",
        "terms",
        click.Choice(["terms", "lists"]),
    ),
    "alpha": Setting("a correlation is significant where its p is less", 0.01, click.FLOAT),
}


@click.command(
    "correlate",
    epilog="Example: ensue paraphrase correlate examples/paraphrase/lists.tsv"
    " -t examples/paraphrase/pairs.jsonl --draws 200",
)
@list_options(needed=False, with_pairs=True)
@task_option(required=False)
@scoring_options(**CORRELATION)
@click.option(
    "--terms",
    default="all",
    show_default=True,
    metavar="top:N|all|TERM,…",
    help="Whose lists: the N terms in the most positive pairs, all, or those named.",
)
@click.option(
    "--scores",
    "score_files",
    multiple=True,
    metavar="FILE",
    help="Other scores of lists: columns term, method, and one for each score. May be repeated.",
)
@click.option(
    "--performance",
    "performance_files",
    multiple=True,
    metavar="FILE",
    help="Performance of lists in other tasks: columns term, method, and one for each task. May be"
    " repeated.",
)
@pair_options
@resampling_options("Bootstrap draws; 0 for no intervals.")
@output_options(picture="scatter plots of the first quality at the largest k", page=True)
@quiet_option
def correlate_command(
    files: ListFiles,
    tasks: TaskFiles,
    scoring: ScoreOptions,
    settings: Mapping[str, Any],
    terms: str,
    score_files: tuple[str, ...],
    performance_files: tuple[str, ...],
    resampling: Resampling,
    printing: Printing,
    reading: ReadKeywords,
    quiet: bool,
) -> None:
    """Tell whether scores of lists predict how many gold pairs they recognize.

    Pearson's r, Spearman's ρ and Kendall's τ over the lists between each measure and each task, in
    the layout of the paper's Tables 2 and 3, with p, intervals, and tests of the difference between
    two measures. Scores and performance of other origin come from files.
    """
    from ensue.paraphrase import ListScores, RecognitionSettings, correlate
    from ensue.paraphrase.formats import read_list_numbers
    from ensue.reports.paraphrase import (
        correlation_answer,
        correlation_picture,
        correlation_report,
        correlation_tables,
    )

    others = [*scoring.files(), *tasks.paths, *score_files, *performance_files]
    files.check(printing.files, others)
    if not files.paths and not (score_files and performance_files):
        raise click.UsageError("give LISTS and --task PAIRS, or --scores and --performance")
    if tasks.files and not files.paths:
        raise click.UsageError("--task is for LISTS, which recognize its pairs: name some")
    if files.paths and not (tasks.files or performance_files):
        raise click.UsageError("name gold pairs with --task, or a file with --performance")
    with finding_messages(quiet) as tell_one:
        numbers = partial(read_list_numbers, encoding=files.encoding, on_finding=tell_one)
        known = [ListScores.of_scores(*numbers(path)) for path in score_files]
        known += [ListScores.of_performance(*numbers(path)) for path in performance_files]
    with finding_messages(quiet) as tell_one:
        found = correlate(
            files.open(quiet) if files.paths else None,
            tasks.open(reading, quiet),
            scoring=scoring.scoring(files.encoding),
            recognition=RecognitionSettings(
                settings["first"], terms, settings["match"], settings["figure"] == "patterns"
            ),
            others=known,
            resample=settings["resample"],
            alpha=settings["alpha"],
            resampling=resampling,
            on_finding=tell_one,
            stages=shown_stages(quiet),
        )
    printing.write(
        correlation_tables(found, every=printing.for_programs),
        picture=lambda: correlation_picture(found),
        page=lambda: correlation_report(found, name=", ".join([*files.paths, *score_files])),
        answer=correlation_answer(found),
    )


# `ensue paraphrase learn`.

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
    reading: ReadKeywords,
    quiet: bool,
) -> None:
    """Learn paraphrases of terms from plain text, and write ranked lists.

    CORPUS is plain text, a sentence or a paragraph a line. What stands between the same words, or
    the same noun phrases, as a term may be a paraphrase of it; opposites stand there, too.
    """
    from ensue.paraphrase import joined
    from ensue.paraphrase.acquisition import NgramSettings, NounPhraseSettings, Overlap, learn
    from ensue.paraphrase.formats import write_lists

    named = [terms_file] if terms_file else []
    check_files([*corpus, *tasks.paths, *named], [output])
    if "-" in corpus and len(set(methods)) > 1:
        raise click.UsageError("standard input can be read by one --method only; name a file")
    encoding = reading.get("encoding")
    wanted = _terms(terms, terms_file, tasks, reading, quiet)
    found: list[AcquiredLists] = []
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
    reading: ReadKeywords,
    quiet: bool,
) -> Sequence[str]:
    if (terms is None) == (terms_file is None):
        raise click.UsageError("name terms with --terms or with --terms-file")
    if terms_file:
        return tuple(filled_lines([terms_file], reading.get("encoding")))
    if (terms or "").startswith("top:") and not tasks.files:
        raise click.UsageError("--terms top:N counts the verbs of --task PAIRS: name some")
    return named_terms(terms or "", tasks.open(reading, quiet))


def _say(learned: AcquiredLists, method: str) -> None:
    from ensue.paraphrase import counted

    n_patterns = learned.lists.n_patterns
    n_terms = int((learned.lists.offsets[1:] > learned.lists.offsets[:-1]).sum())
    click.echo(
        f"{method}: {counted(n_patterns, 'paraphrase')} of {counted(n_terms, 'term')} from"
        f" {counted(learned.n_sentences, 'sentence')}, {counted(learned.n_tokens, 'token')}",
        err=True,
    )
