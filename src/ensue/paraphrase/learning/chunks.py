"""Noun phrases by their tags, and what stands between two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ensue.language.analysis import Sentence
from ensue.paraphrase.words import normalized

# one letter a token, so that a regular expression can find noun phrases
_LETTERS = {
    **dict.fromkeys(("DT", "PDT", "PRP$", "WP$", "$"), "D"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "J"),
    **dict.fromkeys(("NN", "NNS", "NNP", "NNPS"), "N"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "R"),
    "CD": "C",
    "POS": "S",
    "PRP": "P",
}
_OTHER, _MODIFIER = "O", "J"
_BEFORE_NOUNS = frozenset({"amod", "compound", "nmod"})
_CHUNK = re.compile("P|(?:D+R*)?[JC]*N+(?:S[JC]*N+)*|D*C+")
"""A pronoun; or nouns with what stands before them, adverbs only behind a determiner, and with their
owners; or a number by itself."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A noun phrase without what hangs behind its head."""

    first: int
    end: int
    """The token after its last."""
    head: str
    """The lemma of its last noun, in lower case; of a pronoun or a number the word itself."""
    words: str
    """All of it, in lower case."""


def noun_phrases(sentence: Sentence) -> list[Chunk]:
    """The noun phrases of a text, in their order; no two overlap."""
    forms = sentence.forms
    found = []
    for match in _CHUNK.finditer(_letters(sentence)):
        first, end = match.span()
        last = end - 1
        is_noun = match[0][-1] == "N"
        head = sentence.lemmas[last] if is_noun else forms[last]
        words = " ".join(forms[first:end]).lower()
        found.append(Chunk(first, end, head.lower(), words))
    return found


def _letters(sentence: Sentence) -> str:
    """The kind of each token; a participle before a noun, as the parser sees it, is an adjective."""
    tagged = zip(sentence.tags, sentence.relations, strict=True)
    return "".join(
        _MODIFIER
        if tag in ("VBG", "VBN") and relation in _BEFORE_NOUNS
        else _LETTERS.get(tag, _OTHER)
        for tag, relation in tagged
    )


@dataclass(frozen=True, slots=True)
class Between:
    """A phrase between two noun phrases."""

    left: Chunk
    phrase: str
    """As it is written, in lower case and with single blanks."""
    right: Chunk


def between_noun_phrases(sentence: Sentence, longest: int) -> Iterator[Between]:
    """The phrases of at most `longest` tokens between neighboring noun phrases of a text.

    What has punctuation in it is none, whatever the tagger takes it for.
    """
    forms = sentence.forms
    for left, right in pairwise(noun_phrases(sentence)):
        if not 0 < right.first - left.end <= longest:
            continue
        if not all(any(map(str.isalnum, form)) for form in forms[left.end : right.first]):
            continue
        written = sentence.text[sentence.starts[left.end] : sentence.ends[right.first - 1]]
        yield Between(left, normalized(written), right)
