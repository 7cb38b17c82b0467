"""Run every benchmark, or those named, e.g. `python -m benchmarks bleu mining suites`."""

from __future__ import annotations

import sys

from benchmarks import (
    alignment,
    bleu,
    edits,
    evaluation_scale,
    features,
    installation,
    joint_speed,
    lexicon,
    logic,
    matching,
    mining,
    paraphrase,
    paraphrase_learning,
    paraphrase_recognition,
    scale,
    startup,
    suites,
    threads,
    translation,
    tree_edits,
)
from benchmarks.web import marks

BENCHMARKS = {
    "bleu": bleu.main,
    "edits": edits.main,
    "matching": matching.main,
    "translation": translation.main,
    "tree-edits": tree_edits.main,
    "paraphrase": paraphrase.main,
    "paraphrase-recognition": paraphrase_recognition.main,
    "paraphrase-learning": paraphrase_learning.main,
    "scale": scale.main,
    "evaluation-scale": evaluation_scale.main,
    "mining": mining.main,
    "suites": suites.main,
    "lexicon": lexicon.main,
    "alignment": alignment.main,
    "features": features.main,
    "logic": logic.main,
    "installation": installation.main,
    "joint-speed": joint_speed.main,
    "startup": startup.main,
    "threads": threads.main,
    "web": marks.main,
}


def main() -> None:
    """Run what the arguments name, all of it where they name nothing."""
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"no benchmark is called {unknown[0]!r}; known are: {', '.join(BENCHMARKS)}")
    for name in names:
        BENCHMARKS[name]()
        print()


if __name__ == "__main__":
    main()
