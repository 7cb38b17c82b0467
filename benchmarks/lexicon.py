"""The lexicon beside NLTK over the same WordNet files: loading, look-ups, path similarity.

Both are warm but for loading, and both are asked for the same words and synsets. NLTK keeps the
synsets that it has read in memory, so its second look at them, which is what is measured, is its
fast one. Ours is asked one word at a time and many at a time; NLTK has no way to ask for many.
Ours has compiled its kernels; what the first similarity costs, on top of loading, is printed.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.timing import best_seconds, show
from ensue.language import Lexicon, load_lexicon, read_lexicon
from ensue.language.lexicon.lexicon import TABLE

N_WORDS = 5_000
N_PAIRS = 2_000
N_LEXICOGRAPHER_FILES = 45


def main() -> None:
    """Print milliseconds and rates of both with their ratios, or what is missing."""
    files = Path(os.environ.get("ENSUE_WNDB", "/usr/share/wordnet"))
    if not (files / "data.noun").is_file():
        print(f"The lexicon: skipped, no WordNet files in {files}; name them with ENSUE_WNDB")
        return
    with tempfile.TemporaryDirectory() as folder, readable_by_nltk(files, Path(folder)):
        _loading(Path(folder))
        lexicon, wordnet = load_lexicon(), nltk_reader(Path(folder))
        _looking_up(lexicon, wordnet)
        _comparing_synsets(lexicon, wordnet)
        _comparing_words(lexicon, wordnet)
        wordnet.close()


@contextmanager
def readable_by_nltk(files: Path, folder: Path) -> Iterator[None]:
    """Copy WordNet's files to where NLTK reads them, and add the list that some packages lack."""
    import nltk.data

    for path in files.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    names = (f"{i:02}\tfile{i}\t1\n" for i in range(N_LEXICOGRAPHER_FILES))
    (folder / "lexnames").write_text("".join(names))
    nltk.data.path.append(str(folder))
    yield
    nltk.data.path.remove(str(folder))


def nltk_reader(folder: Path) -> Any:
    """NLTK's reader, without the map from other versions, which needs NLTK's own data."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        def map_wn(self, version: str = "wordnet") -> None:
            """No map."""

        def close(self) -> None:
            """Close the files."""
            for file in self._data_file_map.values():
                file.close()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has WordNet in no other language
        return Reader(str(folder), omw_reader=None)


def _loading(folder: Path) -> None:
    def with_nltk() -> None:
        wordnet = nltk_reader(folder)
        wordnet.synsets("dogs", "n")
        wordnet.close()

    ours = best_seconds(lambda: read_lexicon(TABLE).synsets("dogs", "noun"))
    nltks = best_seconds(with_nltk, repeats=2)
    rows = [("ensue", ours * 1e3, nltks / ours), ("NLTK", nltks * 1e3, 1.0)]
    show("Loading the lexicon, and the synsets of one word", rows, "milliseconds", "× NLTK")
    pair = ["dog"], ["cat"]
    first = best_seconds(lambda: read_lexicon(TABLE).similarity("path", *pair, "noun"))
    print(f"  the first similarity, loading included: {first * 1e3:.0f} milliseconds")


def _looking_up(lexicon: Lexicon, wordnet: Any) -> None:
    names = sorted(wordnet.all_lemma_names("n"))
    words = [f"{word}s" for word in random.Random(0).sample(names, N_WORDS)]
    half = N_WORDS // 2
    ours = best_seconds(lambda: [lexicon.synsets(word, "noun") for word in words])
    many = best_seconds(lambda: lexicon.is_synonym(words[:half], words[half:], "noun"))
    nltks = best_seconds(lambda: [wordnet.synsets(word, "n") for word in words])
    rows = [
        ("ensue, one at a time: synsets", N_WORDS / ours, nltks / ours),
        ("ensue, all at once: is_synonym", N_WORDS / many, nltks / many),
        ("NLTK, synsets", N_WORDS / nltks, 1.0),
    ]
    show(f"Looking up {N_WORDS:,} plurals", rows, "words/s", "× NLTK")


def _comparing_synsets(lexicon: Lexicon, wordnet: Any) -> None:
    words = random.Random(1).sample(sorted(wordnet.all_lemma_names("n")), 2 * N_PAIRS)
    synsets = [wordnet.synsets(word, "n")[0] for word in words]
    numbers = [lexicon.synset(synset.name()) for synset in synsets]
    first, second = numbers[:N_PAIRS], numbers[N_PAIRS:]
    ours = best_seconds(lambda: lexicon.synset_similarity("path", first, second))
    nltks = best_seconds(
        lambda: [
            a.path_similarity(b) for a, b in zip(synsets[:N_PAIRS], synsets[N_PAIRS:], strict=True)
        ],
        repeats=2,
    )
    rows = [
        ("ensue, all at once", N_PAIRS / ours, nltks / ours),
        ("NLTK", N_PAIRS / nltks, 1.0),
    ]
    show(f"Path similarity of {N_PAIRS:,} pairs of synsets", rows, "pairs/s", "× NLTK")


def _comparing_words(lexicon: Lexicon, wordnet: Any) -> None:
    words = random.Random(2).sample(sorted(wordnet.all_lemma_names("v")), 2 * N_PAIRS)
    first, second = words[:N_PAIRS], words[N_PAIRS:]

    def with_nltk() -> list[float]:
        return [
            max(
                one.path_similarity(other)
                for one in wordnet.synsets(a, "v")
                for other in wordnet.synsets(b, "v")
            )
            for a, b in zip(first, second, strict=True)
        ]

    ours = best_seconds(lambda: lexicon.similarity("path", first, second, "verb"))
    nltks = best_seconds(with_nltk, repeats=2)
    rows = [
        ("ensue, all at once", N_PAIRS / ours, nltks / ours),
        ("NLTK", N_PAIRS / nltks, 1.0),
    ]
    title = f"Path similarity of {N_PAIRS:,} pairs of verbs, by their most alike senses"
    show(title, rows, "pairs/s", "× NLTK")
