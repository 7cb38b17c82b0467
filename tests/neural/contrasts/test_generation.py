"""Pairs of all kinds from sentences, and the command that writes them."""

import json
import subprocess
import sys
from collections import Counter
from itertools import pairwise

from ensue.neural.contrasts import balanced, contrasts
from ensue.neural.contrasts.generation import KINDS, main, short_sentences
from ensue.neural.network import is_held_out
from ensue.pairs import Label, Pair, read_pairs, write_pairs

_SENTENCES = [
    "A young man is riding a horse in the park.",
    "A dog is chasing a cat.",
    "Two women are sitting on a bench.",
    "The boy threw the ball.",
    "A girl in a red dress is dancing.",
    "The teacher is happy.",
    "A man is walking.",
    "An artist paints the wall.",
]


def test_contrasts_repeat_with_their_seed_and_have_unique_ids(analyzer):
    first = list(contrasts(_SENTENCES * 3, seed=3, analyzer=analyzer))
    assert first == list(contrasts(_SENTENCES * 3, seed=3, analyzer=analyzer))
    assert first != list(contrasts(_SENTENCES * 3, seed=4, analyzer=analyzer))
    assert len({pair.id for pair in first}) == len(first)
    assert len({(pair.text, pair.hypothesis) for pair in first}) == len(first)


def test_contrasts_have_all_labels_and_kinds(analyzer):
    pairs = list(contrasts(_SENTENCES * 8, seed=0, analyzer=analyzer))
    assert {pair.task for pair in pairs} == {f"contrast-{kind}" for kind in KINDS}
    assert {pair.gold for pair in pairs} == {Label.ENTAILMENT, Label.UNKNOWN, Label.CONTRADICTION}


def test_balanced_gives_no_kind_more_than_its_share(analyzer):
    pairs = balanced(contrasts(_SENTENCES * 8, seed=0, analyzer=analyzer), 40, share=0.2)
    assert max(Counter(pair.task for pair in pairs).values()) <= 0.2 * 40


def _pairs():
    return [
        Pair(str(i), text, hypothesis, Label.UNKNOWN)
        for i, (text, hypothesis) in enumerate(pairwise(_SENTENCES))
    ]


def test_sentences_are_short_and_not_held_out():
    long = Pair("long", "word " * 19, "A dog.")
    kept = next(p for p in _pairs() if not is_held_out(p))
    held = next(
        pair
        for i in range(100)
        if is_held_out(pair := Pair(str(i), f"A dog {i}.", "A cat is here."))
    )
    assert short_sentences([kept, kept, held]) == [kept.text, kept.hypothesis]
    assert set(short_sentences([long])) <= {"A dog."}


def test_main_writes_contrasts_of_files(tmp_path):
    write_pairs(tmp_path / "pairs.jsonl", _pairs())
    made = [tmp_path / "first.jsonl", tmp_path / "again.jsonl.gz"]
    for path in made:
        main([str(tmp_path / "pairs.jsonl"), "-o", str(path), "--count", "12", "--seed", "1"])
    pairs = list(read_pairs(made[0]))
    assert pairs == list(read_pairs(made[1]))
    assert 0 < len(pairs) <= 12
    assert {pair.task for pair in pairs} <= {f"contrast-{kind}" for kind in KINDS}
    assert json.loads(made[0].read_text("utf-8").splitlines()[0])["id"].startswith("contrast-")


def test_command_needs_no_torch():
    code = "import sys, ensue.neural.contrasts.generation; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
