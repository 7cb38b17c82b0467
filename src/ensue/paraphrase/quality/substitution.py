"""Sentences with a term in them, and the same sentences with a paraphrase in its place.

A term is found with word boundaries ("skilled" does not hold "killed"), in any case, with any white
space between its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ensue.errors import SettingError

MOST = 5
"""Sentences for each term, unless asked otherwise."""

_NOWHERE = re.compile(r"(?!)")


def holds_term(sentence: str, term: str) -> bool:
    """Whether a term is in a sentence.

    >>> holds_term("Two were killed.", "killed"), holds_term("A skilled worker", "killed")
    (True, False)
    """
    return _finder(term).search(sentence) is not None


def with_paraphrase(sentence: str, term: str, paraphrase: str) -> str | None:
    """Put a paraphrase wherever the term is; None where the term is not in the sentence.

    A paraphrase in the place of a term in capitals, or with a first capital that the term has only
    here, is written likewise. What stands around it stays: "a" does not become "an".

    >>> with_paraphrase("Killed were two skilled men.", "killed", "shot and killed")
    'Shot and killed were two skilled men.'
    """
    pieces = replaced_pieces(sentence, term, paraphrase)
    return "".join(piece.there for piece in pieces) if len(pieces) > 1 else None


@dataclass(frozen=True, slots=True)
class SubstitutedSpan:
    """A part of a sentence, and what it is with the paraphrase put in."""

    here: str
    there: str
    is_term: bool


def replaced_pieces(sentence: str, term: str, paraphrase: str) -> list[SubstitutedSpan]:
    """A sentence cut at its terms, each beside what takes its place; one piece where there is none.

    >>> [piece.there for piece in replaced_pieces("Two died.", "died", "were killed")]
    ['Two ', 'were killed', '.']
    """
    new = " ".join(paraphrase.split())
    pieces, end = [], 0
    for found in _finder(term).finditer(sentence):
        before = sentence[end : found.start()]
        pieces.append(SubstitutedSpan(before, before, is_term=False))
        pieces.append(SubstitutedSpan(found.group(), _cased(new, term, found), is_term=True))
        end = found.end()
    return [*pieces, SubstitutedSpan(sentence[end:], sentence[end:], is_term=False)]


def sentences_for(
    terms: Iterable[str], sentences: Iterable[str], most: int = MOST
) -> dict[str, list[str]]:
    """For each term the first few distinct sentences that hold it; none is an empty list.

    Sentences are read one by one, and only as far as they are needed.

    >>> sentences_for(["to take", "broke"], ["He had to take it.", "A broken leg"])
    {'to take': ['He had to take it.'], 'broke': []}

    Raises:
        SettingError: `most` is below 1.
    """
    if most < 1:
        raise SettingError(f"{most!r} sentences a term judge nothing", hint="e.g. 5")
    from ensue.paraphrase.words import words_of

    found: dict[str, list[str]] = {term: [] for term in terms}
    wanted = _by_first_word(found)
    for sentence in sentences:
        if not wanted:
            break
        for word in {"", *words_of(sentence)} & wanted.keys():
            for term in [each for each in wanted[word] if holds_term(sentence, each)]:
                if sentence not in found[term]:
                    found[term].append(sentence)
                if len(found[term]) == most:
                    wanted[word].remove(term)
            if not wanted[word]:
                del wanted[word]
    return found


def _by_first_word(terms: Iterable[str]) -> dict[str, list[str]]:
    """Terms by the word that a sentence must have to hold them; "" for terms without a word."""
    from ensue.paraphrase.words import words_of

    wanted: dict[str, list[str]] = {}
    for term in terms:
        wanted.setdefault(next(iter(words_of(term)), ""), []).append(term)
    return wanted


@lru_cache(maxsize=4096)
def _finder(term: str) -> re.Pattern[str]:
    parts = term.split()
    if not parts:
        return _NOWHERE
    inside = r"\s+".join(map(re.escape, parts))
    # a boundary where the term has a letter at its end: what ends in a sign needs none
    before = r"(?<!\w)" if re.match(r"\w", parts[0]) else ""
    after = r"(?!\w)" if re.search(r"\w$", parts[-1]) else ""
    return re.compile(before + inside + after, re.IGNORECASE)


def _cased(paraphrase: str, term: str, found: re.Match[str]) -> str:
    """The paraphrase with the capitals that the place asks for."""
    here, written = found.group(), term.strip()
    if len(here) > 1 and here.isupper() and not written.isupper():
        return paraphrase.upper()
    begins = not any(map(str.isalnum, found.string[: found.start()]))
    if here[0].isupper() and (begins or not written[0].isupper()):
        return paraphrase[:1].upper() + paraphrase[1:]
    return paraphrase
