"""Which n-grams of one side occur in the other, as spans of characters."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.pairs import Pair
from ensue.recognizers.explanation import Link, Side, Span
from ensue.surface.tokenizers import Located, Tokenizer, located_tokens


def matched_spans(
    pair: Pair, tokenizer: Tokenizer, order: int, *, lowercase: bool, test: Side = Side.HYPOTHESIS
) -> tuple[list[Span], list[Link]]:
    """Cover the test side from left to right with the longest n-grams that the other side has.

    Each is linked with an occurrence in the other side, and each token there is taken once, as
    clipping wants it: what is marked is what the arithmetic counts as matched words.
    """
    other = Side.TEXT if test is Side.HYPOTHESIS else Side.HYPOTHESIS
    tested, sought = (
        located_tokens(getattr(pair, side.value), tokenizer, lowercase=lowercase)
        for side in (test, other)
    )
    free = [True] * len(sought)
    spans: list[Span] = []
    links: list[Link] = []
    i = 0
    while i < len(tested):
        length, at = _longest(tested[i : i + order], sought, free)
        if length:
            free[at : at + length] = [False] * length
            of_test = _span(test, tested[i : i + length], order)
            of_other = _span(other, sought[at : at + length], order)
            links.append(_link(len(spans), test, of_test.kind))
            spans += [of_test, of_other]
        i += max(length, 1)
    return spans, links


def _longest(
    wanted: Sequence[Located], sought: Sequence[Located], free: Sequence[bool]
) -> tuple[int, int]:
    """The longest beginning of what is wanted that stands somewhere free, and where."""
    best, place = 0, 0
    for at in range(len(sought)):
        n = 0
        while (
            n < len(wanted)
            and at + n < len(sought)
            and free[at + n]
            and sought[at + n].token == wanted[n].token
        ):
            n += 1
        if n > best:
            best, place = n, at
    return best, place


def _span(side: Side, tokens: Sequence[Located], order: int) -> Span:
    n = len(tokens)
    return Span(side, tokens[0].start, tokens[-1].end, f"{n}-gram", n / order)


def _link(i: int, test: Side, kind: str) -> Link:
    """The link of the i-th span, on the test side, with the next one, on the other."""
    if test is Side.HYPOTHESIS:
        return Link(hypothesis=i, text=i + 1, kind=kind)
    return Link(hypothesis=i + 1, text=i, kind=kind)
