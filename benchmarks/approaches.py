"""The approaches that the modified-BLEU paper's section 4.2 calls promising, and their settings.

`python -m benchmarks.approaches settings` cross-validates the settings of each of them on RTE's
development sets: ten folds, pairs with the same text never parted, the cutoff tuned on the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from benchmarks.accuracy import SETS, judged
from benchmarks.timing import data_folder
from ensue.pairs import Pair, read_pairs
from ensue.recognizers import Trainable, load
from ensue.recognizers.validation import judge_held_out

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


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("settings",))
    parser.add_argument("names", nargs="*", help=f"of {', '.join(SETTINGS)}")
    asked = parser.parse_args()
    pairs = development_pairs()
    for name in asked.names or SETTINGS:
        print(f"{name}, cross-validated on {len(pairs)} pairs\n")
        for line in settings_table(name, pairs):
            print(line, flush=True)


if __name__ == "__main__":
    main()
