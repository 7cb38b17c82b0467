"""Statements about small worlds: gold is inclusion, whatever the words."""

import random
import re
from collections import Counter
from itertools import product

import pytest

from ensue.neural.contrasts import situation_pairs
from ensue.neural.contrasts.clauses import as_sentence
from ensue.neural.contrasts.generation import SITUATIONS, main
from ensue.neural.contrasts.quantities import Action, Situation, Statement, drawn, relation
from ensue.pairs import Label, read_pairs

E, U, C = Label.ENTAILMENT, Label.UNKNOWN, Label.CONTRADICTION


def worlds(*numbers):
    return Statement("", frozenset(numbers))


def test_gold_is_inclusion_of_worlds():
    assert relation(worlds(1, 2), worlds(1, 2, 3)) is E
    assert relation(worlds(1, 2), worlds(3)) is C
    assert relation(worlds(1, 2), worlds(2, 3)) is U
    assert relation(worlds(1, 2, 3), worlds(1)) is U


def test_what_is_always_or_never_so_is_not_said():
    situation = Situation(range(4))
    situation.add("it is a number", lambda n: n >= 0)
    situation.add("it is negative", lambda n: n < 0)
    situation.add("it is odd", lambda n: n % 2 == 1)
    assert [each.words for each in situation.statements] == ["it is odd"]


def test_texts_and_hypotheses_keep_their_part():
    situation = Situation(range(10))
    situation.add("at least five", lambda n: n >= 5, "text")
    situation.add("more than two", lambda n: n > 2, "hypothesis")
    situation.add("less than four", lambda n: n < 4)
    assert {tuple(draft) for draft in situation.drafts()} == {
        ("at least five", "more than two", E),
        ("at least five", "less than four", C),
        ("less than four", "more than two", U),
    }


def test_drawn_pairs_have_all_labels():
    situation = Situation(product((0, 1), repeat=3))
    for i in range(3):
        situation.add(f"{i}", lambda w, i=i: w[i] == 1)
        situation.add(f"not {i}", lambda w, i=i: w[i] == 0)
        situation.add(f"{i} and the next", lambda w, i=i: w[i] == w[(i + 1) % 3] == 1)
    labels = Counter(each.gold for each in drawn(random.Random(0), situation.drafts(), 9))
    assert labels == {E: 3, U: 3, C: 3}


def test_an_action_has_all_forms():
    action = Action("write", "a letter")
    assert (action.past, action.perfect) == ("wrote a letter", "written a letter")
    assert (action.gerund, action.present) == ("writing a letter", "writes a letter")


@pytest.mark.parametrize("kind", SITUATIONS)
def test_every_kind_makes_sentences_of_all_labels(kind):
    rng = random.Random(kind)
    drafts = [draft for _ in range(12) for draft in SITUATIONS[kind](rng)]
    assert {draft.gold for draft in drafts} == {E, U, C}
    for text, hypothesis, _ in drafts:
        for side in (text, hypothesis):
            assert not re.search(r"[{}]|  |^ | $", side), side


# Gold of each kind beside what a reader says, by a rule of its own that reads the words.

_BOUNDS = (
    (r"no (?:less|fewer) than (\S+)", ">="), (r"no more than (\S+)", "<="), (r"not more than (\S+)", "<="),
    (r"more than (\S+)", ">"), (r"(?:less|fewer) than (\S+)", "<"), (r"at least (\S+)", ">="),
    (r"at most (\S+)", "<="), (r"over (\S+)", ">"), (r"under (\S+)", "<"), (r"exactly (\S+)", "=="),
    (r"(\S+) or more", ">="),
)  # fmt: skip


def _said(sentence):
    """The bound that a sentence about one size states, read from its words."""
    for pattern, sign in _BOUNDS:
        if (found := re.search(pattern, sentence)) and found[1].replace(",", "").isdigit():
            return sign, int(found[1].replace(",", ""))
    return None


def test_gold_of_sizes_is_what_their_bounds_say():
    rng, checked = random.Random(5), Counter()
    holds = {
        ">=": lambda x, n: x >= n,
        "<=": lambda x, n: x <= n,
        ">": lambda x, n: x > n,
        "<": lambda x, n: x < n,
        "==": lambda x, n: x == n,
    }
    for _ in range(60):
        for text, hypothesis, gold in SITUATIONS["quantities"](rng):
            first, second = _said(text), _said(hypothesis)
            if first is None or second is None or gold is U:
                continue
            (sign, n), (other, m) = first, second
            both = [
                x / 4
                for x in range(4 * (max(n, m) + 2))
                if holds[sign](x / 4, n) and (x % 4 == 0 or "kilo" in text)
            ]
            expected = gold is E
            assert all(holds[other](x, m) is expected for x in both if x == int(x))
            checked[gold] += 1
    assert min(checked.values()) > 50


def test_situations_repeat_with_their_seed_and_share_the_kinds():
    first = situation_pairs(240, seed=1)
    assert first == situation_pairs(240, seed=1)
    assert first != situation_pairs(240, seed=2)
    assert len({(pair.text, pair.hypothesis) for pair in first}) == len(first)
    kinds = Counter(pair.task for pair in first)
    assert set(kinds) == {f"situation-{kind}" for kind in SITUATIONS}
    assert all(20 <= n <= 22 for n in kinds.values())


def test_without_files_the_command_writes_situations(tmp_path):
    target = tmp_path / "pairs.jsonl"
    main(["-o", str(target), "--count", "24"])
    assert {pair.task.partition("-")[0] for pair in read_pairs(target)} == {"situation"}


def test_every_sentence_begins_with_a_capital():
    assert as_sentence("if it rains, it pours. it rains") == "If it rains, it pours. It rains."
