"""What the commands on translations share: their data, and their metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ensue.cli.inputs import check_files
from ensue.cli.messages import finding_messages, tell
from ensue.cli.options import encoding_of, read_option

if TYPE_CHECKING:
    from ensue.translation import TranslationJudgments
    from ensue.translation.formats import TranslationSet

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_METRIC = "pair-comb"
FEATURE_SETS = ("tradmt", "rte", "comb", "tradmt+lexical")
MODELS = ("pair", "abs")


@dataclass(frozen=True, slots=True)
class Sources:
    """What the user named."""

    data: tuple[str, ...]
    references: tuple[str, ...]
    judgments: tuple[str, ...]
    language_pair: str | None
    encoding: str | None

    def check(self, outputs: Sequence[str | None], others: Sequence[str] = ()) -> None:
        """See early that nothing is overwritten that the command reads."""
        check_files([*self.data, *self.references, *self.judgments, *others], outputs)

    def open(self, quiet: bool) -> TranslationSet:
        """Open them, and tell what is found."""
        from ensue.translation.formats import open_set

        with finding_messages(quiet) as tell_one:
            found = open_set(
                self.data,
                references=self.references,
                judgments=self.judgments,
                language_pair=self.language_pair,
                encoding=self.encoding,
                on_finding=tell_one,
            )
        tell_contradictions(found.judgments, quiet)
        return found


_judgments_option = click.option(
    "--judgments",
    multiple=True,
    metavar="FILE",
    help="Human judgments, beside those that DATA hold: WMT's CSV, .rank, rows of scores. May be"
    " repeated.",
)


def feature_set_option(what: str) -> Callable[[F], F]:
    """`--feature-set`, as `feature_set`."""
    return click.option(
        "--feature-set",
        type=click.Choice(FEATURE_SETS),
        default="comb",
        show_default=True,
        help=what,
    )


def translation_options(
    *, needed: bool = True, judged: bool = True
) -> Callable[[Callable[..., Any]], Any]:
    """DATA, `--reference`, `--judgments` and `--read`, as `sources`.

    Args:
        needed: Whether the command makes no sense without data.
        judged: Whether it makes use of judgments.
    """

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def sourced_command(
            *arguments: Any,
            data: tuple[str, ...],
            references: tuple[str, ...],
            judgments: tuple[str, ...] = (),
            reading: Mapping[str, str],
            **others: Any,
        ) -> Any:
            encoding = encoding_of(reading, "language-pair")
            language_pair = reading.get("language-pair")
            sources = Sources(data, references, judgments, language_pair, encoding)
            return command(*arguments, sources=sources, **others)

        return _with_options(sourced_command, needed, judged)

    return with_options


def _with_options(command: Callable[..., Any], needed: bool, judged: bool) -> Callable[..., Any]:
    judgments = [_judgments_option] if judged else []
    for option in reversed(
        [
            click.argument("data", nargs=-1, required=needed, metavar="DATA..."),
            click.option(
                "--reference",
                "references",
                multiple=True,
                metavar="FILE",
                help="Reference of plain text; DATA are then files of outputs, one for each"
                " system. May be repeated.",
            ),
            *judgments,
            read_option(
                "encoding=NAME, where it is not UTF-8, and language-pair=XX-YY, where they do not"
                " say it"
            ),
        ]
    ):
        command = option(command)
    return command


def metric_option(*, multiple: bool, default: str | None = DEFAULT_METRIC) -> Callable[[F], F]:
    """`-m`, as `metric`, or `metrics` where it may be repeated."""
    return click.option(
        "-m",
        "--metric",
        "metrics" if multiple else "metric",
        multiple=multiple,
        default=(default,) if multiple and default else default,
        show_default=default is not None,
        metavar="NAME|DIR",
        help="A metric's name (ensue list metrics), or the directory of a trained one."
        + " May be repeated." * multiple,
    )


def tell_contradictions(judgments: TranslationJudgments, quiet: bool) -> None:
    """Say where judges contradict themselves."""
    from ensue.translation.judgments import contradictions

    tell(contradictions(judgments).findings(), quiet)
