"""Where the n-grams of the hypothesis occur in the text, as spans of characters."""

from __future__ import annotations

from collections.abc import Sequence

from ensue.pairs import Pair
from ensue.recognizers.explanation import Link, Side, Span
from ensue.surface.tokenizers import Located, Tokenizer, located_tokens


def matched_spans(
    pair: Pair, tokenizer: Tokenizer, order: int, *, lowercase: bool
) -> tuple[list[Span], list[Link]]:
    """Cover the hypothesis from left to right with the longest n-grams that the text has.

    Each span of the hypothesis is linked with its first occurrence in the text.
    """
    hypothesis = located_tokens(pair.hypothesis, tokenizer, lowercase=lowercase)
    text = located_tokens(pair.text, tokenizer, lowercase=lowercase)
    places = _first_places([token.token for token in text], order)
    spans: list[Span] = []
    links: list[Link] = []
    i = 0
    while i < len(hypothesis):
        length, at = _longest(hypothesis, i, places, order)
        if length:
            kind = f"{length}-gram"
            for side, tokens, start in (
                (Side.HYPOTHESIS, hypothesis, i),
                (Side.TEXT, text, at),
            ):
                first, last = tokens[start], tokens[start + length - 1]
                spans.append(Span(side, first.start, last.end, kind, length / order))
            links.append(Link(len(spans) - 2, len(spans) - 1, kind))
        i += max(length, 1)
    return spans, links


def _first_places(tokens: Sequence[str], order: int) -> dict[tuple[str, ...], int]:
    places: dict[tuple[str, ...], int] = {}
    for n in range(1, order + 1):
        for i in range(len(tokens) - n + 1):
            places.setdefault(tuple(tokens[i : i + n]), i)
    return places


def _longest(
    tokens: Sequence[Located], i: int, places: dict[tuple[str, ...], int], order: int
) -> tuple[int, int]:
    for n in range(min(order, len(tokens) - i), 0, -1):
        gram = tuple(token.token for token in tokens[i : i + n])
        if gram in places:
            return n, places[gram]
    return 0, 0
