"""How fast the network and the joint recognizer judge, beside torch and beside the parse.

`neural` is held against the same network in torch's eager float32, both on one thread and in
batches; `joint` against the parse of the same sentences by the same analyzer, each pair new to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice

from benchmarks.timing import best_seconds, data_folder, show
from ensue.language import load_analyzer
from ensue.neural import shipped_network
from ensue.neural.network import TokenizedPair, sorted_batches, token_batch
from ensue.pairs import Pair, read_pairs
from ensue.recognizers import load

PAIRS = 400


def main() -> None:
    """Print pairs a second and ratios."""
    path = data_folder() / "nli" / "snli_train.jsonl.gz"
    if not path.exists():
        print(f"joint-speed: not measured, as {path} is not there")
        return
    pairs = list(islice(read_pairs(path), 40_000, 40_000 + PAIRS))
    texts, hypotheses = [p.text for p in pairs], [p.hypothesis for p in pairs]
    network = shipped_network()
    ours = best_seconds(lambda: network.log_odds(texts, hypotheses), 3)
    rows = [("neural, eight bits", PAIRS / ours, 1.0)]
    eager = torch_eager(network.tokenizer(texts, hypotheses))
    if eager is not None:
        seconds = best_seconds(eager, 2)
        rows.append(("the same in torch, eager float32", PAIRS / seconds, seconds / ours))
    show(f"{PAIRS} pairs of SNLI, one thread", rows, "pairs/s", "neural is × faster")
    print()
    beside_the_parse(pairs)


def torch_eager(tokens: list[TokenizedPair]) -> Callable[[], object] | None:
    """The network of random weights in torch; None where torch is not installed."""
    try:
        import torch

        from ensue.neural.training import CrossEncoder
    except ImportError:
        return None
    torch.set_num_threads(1)
    network = CrossEncoder(12).eval()

    def run() -> None:
        with torch.inference_mode():
            for rows in sorted_batches([len(each) for each in tokens], 16):
                batch = token_batch([tokens[i] for i in rows])
                network(*map(torch.from_numpy, (batch.ids, batch.sides, batch.mask)))

    return run


def beside_the_parse(pairs: list[Pair]) -> None:
    """The cost of each choice of stages in parses of the same pairs."""
    analyzer = load_analyzer()
    sides = list(dict.fromkeys(side for pair in pairs for side in (pair.text, pair.hypothesis)))
    analyzer.analyze(sides[:20])
    parse = best_seconds(lambda: analyzer.analyze(sides), 2)
    rows = [("the parse alone", len(pairs) / parse, 1.0)]
    for i, stages in enumerate(("neural,features", "neural,logic", "neural,features,logic")):
        recognizer = load("joint", {"stages": stages, "seconds": 60})
        warm = [Pair("w", f"Warm pair {i} runs.", f"A pair {i} runs.")]
        recognizer.judge(warm)
        # each time other words, so that nothing is found in a cache
        fresh = [
            Pair(p.id, f"{p.text} This is the end {i}.", f"{p.hypothesis} So it is {i}.")
            for p in pairs
        ]
        began = time.perf_counter()
        recognizer.judge(fresh)
        seconds = time.perf_counter() - began
        again = list(dict.fromkeys(side for p in fresh for side in (p.text, p.hypothesis)))
        parsed = best_seconds(lambda again=again: analyzer.analyze(again), 1)
        rows.append((f"joint, stages {stages}", len(pairs) / seconds, seconds / parsed))
    show(f"{len(pairs)} pairs of SNLI, all new", rows, "pairs/s", "parses")


if __name__ == "__main__":
    main()
