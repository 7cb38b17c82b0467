"""Matches of words by form, spelling, name, nation and value, for all pairs of a batch."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.graph_arrays import NodeWord
from ensue.alignment.settings import AlignmentSettings, Match
from ensue.compiling import compiled
from ensue.language.graphs import Sort
from ensue.language.lexicon import PartOfSpeech
from ensue.language.values import ValueAgreement, agreement

# Whether two names may mean one.

TITLES = frozenset(
    (
        *("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "dame", "lord", "lady"),
        *("president", "minister", "prime", "premier", "chancellor", "senator", "sen", "governor"),
        *("gov", "general", "gen", "colonel", "col", "captain", "capt", "major", "sergeant"),
        *("lieutenant", "judge", "justice", "king", "queen", "prince", "princess", "pope"),
        *("bishop", "archbishop", "saint", "st", "reverend", "rev", "secretary", "chairman"),
        *("mayor", "ambassador", "inc", "corp", "corporation", "co", "company", "ltd", "plc"),
        *("llc", "gmbh", "ag", "sa", "nv", "group", "holdings"),
    )
)
"""What is put before persons' names and behind companies' and can be left out."""

_SMALL = frozenset(
    (
        *("of", "the", "and", "for", "de", "la", "le", "du", "des"),
        *("von", "van", "der", "den", "di", "da"),
    )
)
_PLACES = frozenset(("GPE", "LOC", "FAC"))
_LEAST_ACRONYM = 2
_LEAST_PLURAL = 5


@dataclass(frozen=True, slots=True)
class Name:
    """A name with nothing that may be written one way or the other."""

    tokens: frozenset[str]
    """Its words without accents, small words, titles and a plural's ending."""
    joined: str
    """Its letters and digits without what is between them."""
    initials: str
    """Of its words; empty for names of one word."""
    is_place: bool


def name_of(lemma: str, kind: str) -> Name:
    """A name from a node's lemma and its kind of entity.

    >>> name_of("dr. zoë o'hara-smith's", "PERSON").initials
    'dzos'
    """
    words = _words(lemma)
    large = [word for word in words if word not in _SMALL] or words
    tokens = [word for word in large if word not in TITLES] or large
    initials = "".join(word[0] for word in large) if len(large) > 1 else ""
    singular = frozenset(word[:-1] if _may_be_plural(word) else word for word in tokens)
    return Name(singular, "".join(words), initials, kind in _PLACES)


def _may_be_plural(word: str) -> bool:
    return len(word) >= _LEAST_PLURAL and word.endswith("s") and not word.endswith("ss")


def _words(lemma: str) -> list[str]:
    """The words of a name: accents, possessives, points and apostrophes dropped, hyphens opened."""
    plain = lemma.lower()
    if not plain.isascii():
        split = unicodedata.normalize("NFKD", plain)
        plain = "".join(letter for letter in split if not unicodedata.combining(letter))
    plain = plain.replace("’", "'").replace("'s ", " ").removesuffix("'s").removesuffix("'")
    plain = plain.replace("-", " ").replace("&", " and ")
    words = ("".join(filter(str.isalnum, word)) for word in plain.split())
    return [word for word in words if word]


def mean_one(one: Name, other: Name) -> bool:
    """Whether two names may be one's: equal, one within the other, or one the other's initials.

    A place within another's name is another place: Korea, North Korea.
    """
    if not one.tokens or not other.tokens:
        return False
    if one.joined == other.joined or one.tokens == other.tokens:
        return True
    if _is_acronym(one, other) or _is_acronym(other, one):
        return True
    if one.is_place or other.is_place:
        return False
    if one.tokens <= other.tokens or other.tokens <= one.tokens:
        return True
    return _abbreviates(one, other) or _abbreviates(other, one)


def _abbreviates(short: Name, long: Name) -> bool:
    """Whether a name is another with some words left out or cut to a letter: John J. Famous.

    One word of it at least is whole.
    """
    cut = {token for token in short.tokens if len(token) == 1}
    whole = short.tokens - cut
    initials = {token[0] for token in long.tokens - whole}
    return bool(cut) and bool(whole) and whole <= long.tokens and cut <= initials


def _is_acronym(short: Name, long: Name) -> bool:
    return len(short.joined) >= _LEAST_ACRONYM and short.joined == long.initials


# Places by their several names, and by the words for what or who is from there.


@cache
def nations() -> dict[str, tuple[int, bool]]:
    """For each word the number of its place, and whether it is the place's own name."""
    found: dict[str, tuple[int, bool]] = {}
    lines = (files("ensue.alignment") / "nations.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    for number, (names, words) in enumerate(rows):
        found |= dict.fromkeys(words.split("|"), (number, False))
        found |= dict.fromkeys(names.split("|"), (number, True))
    return found


def nation_of(lemma: str) -> tuple[int, bool]:
    """The number of the place that a word is of, -1 for none, and whether it is its name.

    >>> nation_of("swedes") == nation_of("swedish") and not nation_of("swedish")[1]
    True
    """
    known = nations()
    plain = lemma.removeprefix("the ")
    if plain in known:
        return known[plain]
    return known.get(plain.removesuffix("s"), (-1, False))


# Words that are spelled nearly alike.

LEAST_LETTERS = 5
"""Shorter words are other words when one letter differs: Iran, Iraq."""

_SPACE = ord(" ")


def letters_of(words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The letters of all words, one behind the other, and where each word's begin."""
    encoded = "".join(words).encode("utf-32-le", "surrogatepass")
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    return np.frombuffer(encoded, np.int32), np.concatenate([[0], np.cumsum(lengths)])


@compiled
def spelling_likenesses(
    letters: NDArray[np.int32],
    offsets: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    cutoff: float,
) -> NDArray[np.float64]:
    """One less the edits between two names by the longer one's length; 0 where they are not near.

    They are near where they have as many words, and each two of these are equal, or long and not
    less alike than the cutoff. An edit inserts, removes or changes a letter, or swaps two neighbors,
    none of them twice (optimal string alignment).
    """
    found = np.zeros(first.size)
    for k in range(first.size):
        one = letters[offsets[first[k]] : offsets[first[k] + 1]]
        other = letters[offsets[second[k]] : offsets[second[k] + 1]]
        longest = max(one.size, other.size)
        if abs(one.size - other.size) <= (1.0 - cutoff) * longest:
            edits = edits_by_word(one, other, cutoff)
            if edits >= 0:
                found[k] = 1.0 - edits / longest
    return found


@compiled
def edits_by_word(one: NDArray[np.int32], other: NDArray[np.int32], cutoff: float) -> int:
    """The edits between the words of two names; -1 where they are not near."""
    edits, i, j = 0, 0, 0
    while i <= one.size and j <= other.size:
        i_end, j_end = word_end(one, i), word_end(other, j)
        longest = max(i_end - i, j_end - j)
        most = int((1.0 - cutoff) * longest + 1e-9)
        if min(i_end - i, j_end - j) < LEAST_LETTERS:
            most = 0
        if abs((i_end - i) - (j_end - j)) > most:
            return -1
        own = edits_between(one[i:i_end], other[j:j_end], most)
        if own > most:
            return -1
        edits, i, j = edits + own, i_end + 1, j_end + 1
    return edits if i > one.size and j > other.size else -1


@compiled
def word_end(letters: NDArray[np.int32], start: int) -> int:
    """Where the word that begins at a letter ends."""
    while start < letters.size and letters[start] != _SPACE:
        start += 1
    return start


@compiled
def edits_between(one: NDArray[np.int32], other: NDArray[np.int32], most: int) -> int:
    """The fewest edits from one word to another; one more than `most` where there are more."""
    width = other.size + 1
    rows = np.empty((3, width), np.int64)
    rows[0] = np.arange(width)
    for i in range(1, one.size + 1):
        row, above, before = rows[i % 3], rows[(i - 1) % 3], rows[(i - 2) % 3]
        row[0] = i
        for j in range(1, width):
            change = 0 if one[i - 1] == other[j - 1] else 1
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + change)
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                best = min(best, before[j - 2] + 1)
            row[j] = best
        if row.min() > most:
            return most + 1
    return min(int(rows[one.size % 3][width - 1]), most + 1)


# How two words match, whatever is around them: all distinct pairs of a batch at once.

PARTS = {
    Sort.NOUN: PartOfSpeech.NOUN,
    Sort.NAME: PartOfSpeech.NOUN,
    Sort.VERB: PartOfSpeech.VERB,
    Sort.ADJECTIVE: PartOfSpeech.ADJECTIVE,
    Sort.ADVERB: PartOfSpeech.ADVERB,
}
"""As what words of each sort are in the lexicon."""

NO_PART = -1
_AGREEING = frozenset((ValueAgreement.SAME, ValueAgreement.FOLLOWS))

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class WordMatches:
    """Pairs of words, and how they match as far as that is known."""

    words: Sequence[NodeWord]
    """Distinct ones."""
    first: Numbers
    """The hypothesis's word of each pair."""
    second: Numbers
    """The text's."""
    codes: NDArray[np.uint8]
    """The number of each pair's match."""
    similarities: NDArray[np.float64]
    parts: Numbers
    """The number of each word's part of speech; -1 for what is in no lexicon."""

    @classmethod
    def unmatched(cls, words: Sequence[NodeWord], first: Numbers, second: Numbers) -> WordMatches:
        """Pairs of which nothing is known."""
        numbers = {sort: part.number for sort, part in PARTS.items()}
        parts = np.array([numbers.get(word.sort, NO_PART) for word in words], np.int64)
        codes = np.full(len(first), Match.NONE.number, np.uint8)
        return cls(words, first, second, codes, np.zeros(len(first)), parts)

    def open(self, among: Flags | None = None) -> Numbers:
        """The numbers of the pairs for which no match was found yet."""
        is_open = self.codes == Match.NONE.number
        return np.flatnonzero(is_open if among is None else is_open & among)

    def both(self, has: Sequence[bool]) -> Flags:
        """For which pairs both words have something."""
        flags = np.array(has, np.bool_)
        return flags[self.first] & flags[self.second]

    def same_part(self) -> Flags:
        """Which pairs are of one part of speech."""
        one, other = self.parts[self.first], self.parts[self.second]
        same: Flags = (one == other) & (one != NO_PART)
        return same

    def put(self, where: Numbers, match: Match, similarities: float | NDArray[np.float64]) -> None:
        """Set the match of pairs."""
        self.codes[where] = match.number
        self.similarities[where] = similarities


def match_values(pairs: WordMatches, settings: AlignmentSettings) -> None:
    """Match values by what they say; those of two kinds stay open."""
    words, matches = pairs.words, settings.matches
    where = pairs.open(pairs.both([word.value is not None for word in words]))
    found: dict[Match, list[int]] = {Match.SAME: [], Match.VALUE: [], Match.CONFLICT: []}
    for k, i, j in _numbered(pairs, where):
        match = _match_of_values(words[i], words[j])
        if match is not None:
            found[match].append(k)
    for match, places in found.items():
        pairs.put(np.array(places, np.int64), match, getattr(matches, match))


def _match_of_values(hypothesis: NodeWord, text: NodeWord) -> Match | None:
    if hypothesis.value is None or text.value is None:
        return None
    answer = agreement(text.value, hypothesis.value)
    if answer is ValueAgreement.INCOMPARABLE:
        return None
    if answer not in _AGREEING:
        return Match.CONFLICT
    same = answer is ValueAgreement.SAME and hypothesis.lemma == text.lemma
    return Match.SAME if same else Match.VALUE


def _numbered(pairs: WordMatches, where: Numbers) -> Iterator[tuple[int, int, int]]:
    """Some pairs, each with the numbers of its two words."""
    return zip(
        where.tolist(), pairs.first[where].tolist(), pairs.second[where].tolist(), strict=True
    )


def match_equals(pairs: WordMatches, settings: AlignmentSettings) -> None:
    """Match words with one lemma or one form, a little less where their part of speech differs."""
    numbers: dict[str, int] = {}
    lemmas = np.array([numbers.setdefault(word.lemma, len(numbers)) for word in pairs.words])
    forms = np.array([numbers.setdefault(word.form, len(numbers)) for word in pairs.words])
    first, second = pairs.first, pairs.second
    equal = (lemmas[first] == lemmas[second]) | (forms[first] == forms[second])
    other_part = pairs.parts[first] != pairs.parts[second]
    same = settings.matches.same
    pairs.put(pairs.open(equal & ~other_part), Match.SAME, same)
    pairs.put(pairs.open(equal & other_part), Match.SAME, same * settings.other_sort)


def match_names(pairs: WordMatches, settings: AlignmentSettings) -> None:
    """Match names that may mean one."""
    names = [
        name_of(word.lemma, word.kind) if word.sort is Sort.NAME else None for word in pairs.words
    ]
    where = pairs.open(pairs.both([name is not None for name in names]))
    found = []
    for k, i, j in _numbered(pairs, where):
        one, other = names[i], names[j]
        if one is not None and other is not None and mean_one(one, other):
            found.append(k)
    pairs.put(np.array(found, np.int64), Match.NAME, settings.matches.name)


def match_nations(pairs: WordMatches, settings: AlignmentSettings) -> None:
    """Match the names of one place, and the words for what or who is from it: Sweden, Swedish."""
    found = [nation_of(word.lemma) for word in pairs.words]
    places = np.array([place for place, _ in found], np.int64)
    are_names = pairs.both([is_name for _, is_name in found])
    one = (places[pairs.first] == places[pairs.second]) & (places[pairs.first] >= 0)
    pairs.put(pairs.open(one & are_names), Match.NAME, settings.matches.name)
    pairs.put(pairs.open(one & ~are_names), Match.DERIVATION, settings.matches.derivation)


def match_heads(pairs: WordMatches, settings: AlignmentSettings) -> None:
    """Match the name of something with what its last word says it is: Ohio University, university.

    Not of persons: somebody called Baker is no baker.
    """
    numbers: dict[str, int] = {}
    lemmas, heads = np.zeros(len(pairs.words), np.int64), np.zeros(len(pairs.words), np.int64)
    for i, (lemma, sort, kind, _, _) in enumerate(pairs.words):
        is_noun, is_name = sort is Sort.NOUN, sort is Sort.NAME and kind != "PERSON"
        head = lemma.partition(" of ")[0].rpartition(" ")[2] if is_name and " " in lemma else ""
        lemmas[i] = numbers.setdefault(lemma, len(numbers)) if is_noun else -1
        heads[i] = numbers.setdefault(head, len(numbers)) if head else -2
    first, second, matches = pairs.first, pairs.second, settings.matches
    pairs.put(pairs.open(lemmas[first] == heads[second]), Match.HYPERNYM, matches.hypernym)
    pairs.put(pairs.open(heads[first] == lemmas[second]), Match.HYPONYM, matches.hyponym)


def match_spelling(pairs: WordMatches, known: Flags, settings: AlignmentSettings) -> None:
    """Match words that are spelled nearly alike, unless the lexicon knows both.

    Args:
        pairs: Those of which no other match was found.
        known: Which words are in the lexicon.
        settings: How similar two words have to be.
    """
    both_known = known[pairs.first] & known[pairs.second]
    where = pairs.open(pairs.same_part() & ~both_known)
    letters, offsets = letters_of([word.lemma for word in pairs.words])
    cutoff = settings.spelling_cutoff
    alike = spelling_likenesses(letters, offsets, pairs.first[where], pairs.second[where], cutoff)
    near = alike > 0
    pairs.put(where[near], Match.SPELLING, settings.matches.spelling * alike[near])
