"""The approaches that the modified-BLEU paper's section 4.2 calls promising, and their settings.

`python -m benchmarks.approaches settings` cross-validates the settings of each of them on RTE's
development sets: ten folds, pairs with the same text never parted, the cutoff tuned on the others.
`python -m benchmarks.approaches translation -o DIR` makes the translation model that ships.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from ensue.recognizers.validation import judge_held_out

from benchmarks.accuracy import SETS, judged
from benchmarks.timing import data_folder
from ensue.features import NAMES as FEATURE_NAMES
from ensue.pairs import Label, Pair, read_pairs
from ensue.recognizers import FeaturesRecognizer, Trainable, load, save
from ensue.recognizers.translation_model import (
    NAME,
    TableSource,
    TranslationRecognizer,
    TranslationScorer,
    TranslationSettings,
    table_from_arrays,
)
from ensue.statistics import (
    fit_logistic,
    mcnemar,
    random_folds,
    split_folds,
    standardization,
    with_ones,
)
from ensue.surface import WORDS, train_translation

MEASURES = ("path", "wu-palmer", "leacock-chodorow", "resnik", "lin", "jiang-conrath")
SETTINGS: dict[str, list[Mapping[str, object]]] = {
    "semantic-distance": [
        {"measure": measure, "weights": weights}
        for weights in ("rarity", "idf", "uniform")
        for measure in MEASURES
    ],
    "tree-edit": [
        {"costs": "set"},
        {"operations": False},
        {"move": 1.0},
        {"weights": False},
        {"written": True},
        {"negation": 0.0},
        {"subtrees": False},
        {"costs": "learned"},
    ],
    "translation-model": [{"own": 0.6}, {"own": 1.0}, {"weights": False}, {"floor": 0.03}],
    "propositions": [
        {"combination": "least"},
        {"combination": "mean"},
        {"together": False},
        {"reported": False},
    ],
}
"""What is tried of each approach."""


def development_pairs(names: Sequence[str] = SETS) -> list[Pair]:
    """All pairs of some of RTE's sets, their ids made distinct."""
    folder = data_folder() / "rte"
    return [
        replace(pair, id=f"{name}.{pair.id}")
        for name in names
        for pair in read_pairs(folder / f"{name}.xml")
    ]


def settings_table(name: str, pairs: Sequence[Pair]) -> Iterator[str]:
    """The accuracy and cws of each choice of settings, as rows of a table."""
    tried = SETTINGS[name]
    yield "| settings | accuracy % / cws |"
    yield "| --- | --- |"
    for settings in tried:
        recognizer = load(name, settings)
        assert isinstance(recognizer, Trainable)
        found = judged(pairs, judge_held_out(recognizer, pairs)[0])
        shown = ", ".join(f"`{key}={value}`" for key, value in settings.items())
        yield f"| {shown} | {found} |"


def additions_table(pairs: Sequence[Pair]) -> Iterator[str]:
    """What the score of each approach adds to the features as one more column.

    Ten folds, pairs with the same text never parted, at the strength of the features that ship.
    """
    features = load("features")
    assert isinstance(features, FeaturesRecognizer)
    regression = features.scorer.regression
    assert regression is not None
    values = features.scorer.values(pairs, FEATURE_NAMES)
    gold = np.array([pair.gold is Label.ENTAILMENT for pair in pairs])
    numbers: dict[str, int] = {}
    group = np.array([numbers.setdefault(pair.text, len(numbers)) for pair in pairs], np.int64)
    folds = split_folds(random_folds(group, 10, seed=0))

    def right(columns: np.ndarray) -> np.ndarray:
        found = np.zeros(len(pairs), np.bool_)
        for known, held_out in folds:
            means, deviations = standardization(columns[known])
            z = (columns - means) / deviations
            weights = fit_logistic(z[known], gold[known], strength=regression.strength)
            said = with_ones(z[held_out]) @ weights > 0
            found[held_out] = said == gold[held_out]
        return found

    base = right(values)
    yield "| column | accuracy % | right alone with it | without it | p |"
    yield "| --- | --- | --- | --- | --- |"
    yield f"| none | {100 * base.mean():.1f} | | | |"
    for name in ("modified-bleu", *SETTINGS):
        scores = np.array([verdict.score or 0.0 for verdict in load(name).judge(pairs)])
        with_it = right(np.column_stack([values, scores]))
        gained, lost = int((with_it & ~base).sum()), int((base & ~with_it).sum())
        p = mcnemar(gained, lost)
        yield f"| `{name}` | {100 * with_it.mean():.1f} | {gained} | {lost} | {p:.2f} |"


EVERY = 6
"""Of the 49 outputs of WMT 2012 each sixth is learned from: they are much alike."""


def comparable_texts() -> Iterator[Pair]:
    """Pairs that say the same, or one of which follows from the other: SNLI, MultiNLI, WMT 2012."""
    for name in ("snli_train", "mnli_train"):
        pairs = read_pairs(data_folder() / "nli" / f"{name}.jsonl.gz")
        yield from (pair for pair in pairs if pair.gold is Label.ENTAILMENT)
    folder = data_folder() / "wmt12"
    references = (folder / "reference.en").read_text("utf-8").splitlines()
    for file in sorted((folder / "system-outputs").glob("*/*"))[::EVERY]:
        outputs = file.read_text("utf-8").splitlines()
        for number, (reference, output) in enumerate(zip(references, outputs, strict=True)):
            yield Pair(f"{file.name}.{number}", reference, output, Label.ENTAILMENT)


def train_shipped(directory: Path) -> None:
    """Learn the table from comparable texts, and tune the cutoff on RTE's development sets."""
    own = TranslationScorer(TranslationSettings(table=TableSource.OWN))
    scorer = TranslationScorer(TranslationSettings(), own.learned(list(comparable_texts())))
    untuned = TranslationRecognizer(NAME, scorer, 0.5, (0.0, 1.0))
    # as it is kept, to the last bit of each probability: the cutoff is one of the scores
    kept = table_from_arrays(untuned.arrays())
    untuned = replace(untuned, scorer=replace(scorer, table=kept))
    save(untuned.fit(development_pairs(), seed=0, name="+".join(SETS)), directory)


N_NLTK = 4000
"""Pairs of newspaper sentences on which NLTK's model 1 is measured."""


def _seconds(work: Callable[[], object]) -> float:
    """The least seconds of the processor that three runs of it take."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def training_speed() -> None:
    """How long a step of model 1 takes a sentence pair, here and in NLTK."""
    from nltk.translate import AlignedSent, IBMModel1

    pairs = [pair for pair in comparable_texts() if pair.id.startswith("newstest")]
    texts, outputs = [pair.text for pair in pairs], [pair.hypothesis for pair in pairs]
    train_translation(texts[:N_NLTK], outputs[:N_NLTK], WORDS)  # compiles
    own = _seconds(lambda: train_translation(texts, outputs, WORDS)) / len(pairs)
    few = _seconds(lambda: train_translation(texts[:N_NLTK], outputs[:N_NLTK], WORDS)) / N_NLTK
    aligned = [
        AlignedSent(WORDS.split(pair.hypothesis.lower()), WORDS.split(pair.text.lower()))
        for pair in pairs[:N_NLTK]
    ]
    began = time.process_time()
    IBMModel1(aligned, 5)
    theirs = (time.process_time() - began) / N_NLTK
    print("IBM model 1, five steps, sentences of WMT 2012, microseconds a pair")
    print(f"  ensue, {len(pairs):,} pairs  {1e6 * own:>9.0f}")
    print(f"  ensue, {N_NLTK:,} pairs   {1e6 * few:>9.0f}")
    print(f"  NLTK, {N_NLTK:,} pairs    {1e6 * theirs:>9.0f}, {theirs / few:,.0f} times ours")


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("settings", "translation", "speed", "additions"))
    parser.add_argument("names", nargs="*", help=f"of {', '.join(SETTINGS)}")
    parser.add_argument("-o", "--output", type=Path, help="where the translation model goes")
    asked = parser.parse_args()
    if asked.what == "translation":
        train_shipped(asked.output)
        return
    if asked.what == "speed":
        training_speed()
        return
    pairs = development_pairs()
    if asked.what == "additions":
        for line in additions_table(pairs):
            print(line, flush=True)
        return
    for name in asked.names or SETTINGS:
        print(f"{name}, cross-validated on {len(pairs)} pairs\n")
        for line in settings_table(name, pairs):
            print(line, flush=True)


if __name__ == "__main__":
    main()
