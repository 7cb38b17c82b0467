"""From instances to rules: how often each is right, and lists made of rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ensue.errors import SettingError
from ensue.paraphrase.model import ListKey, RankedLists
from ensue.paraphrase.reading.instances import Instances

MOST_RIGHT = 0.8
"""Szpektor, Shnarch & Dagan (2007) call a rule right where at least this share of its instances is."""

Rule = tuple[str, str]
"""Term and paraphrase, in lower case with single blanks."""


@dataclass(frozen=True, slots=True)
class InstanceShare:
    """How often a rule is right."""

    share: float
    """Of its instances that are right; 1 or 0 where rules are right or wrong as a whole."""
    n_instances: int
    sentence: str
    """The text of its first instance."""


def instance_shares(
    instances: Instances,
    *,
    right_from: float | None = None,
    weighted: bool = False,
    with_inverse: bool = False,
) -> Mapping[Rule, InstanceShare]:
    """The share of right instances of each rule, in the order of the file.

    Args:
        instances: What people judged.
        right_from: A rule is right (1) where its share is at least this, else wrong (0); see
            `MOST_RIGHT`. Where it is None, the share itself counts.
        weighted: Whether an instance weighs as much as the confidence in its judgment.
        with_inverse: Whether instances count in which the arguments change places: there the
            paraphrase cannot take the term's place in a sentence.

    Raises:
        SettingError: the share from which a rule is right is not above 0 and at most 1.
    """
    # not above: it brings the compiler with it
    from ensue.paraphrase.words import normalized

    if right_from is not None and not 0 < right_from <= 1:
        raise SettingError(
            f"a share of {right_from!r} is not above 0 and at most 1", hint=f"e.g. {MOST_RIGHT}"
        )
    found: dict[Rule, list[int]] = {}
    for i, (term, paraphrase) in enumerate(
        zip(instances.terms, instances.paraphrases, strict=True)
    ):
        if with_inverse or not instances.is_inverse[i]:
            found.setdefault((normalized(term), normalized(paraphrase)), []).append(i)
    shares = {}
    for rule, which in found.items():
        share = _share(instances, which, weighted)
        if share is not None:
            value = share if right_from is None else float(share >= right_from)
            shares[rule] = InstanceShare(value, len(which), instances.texts[which[0]])
    return shares


def _share(instances: Instances, which: list[int], weighted: bool) -> float | None:
    """The share of right ones; None where no confidence is left to weigh them by."""
    right = instances.is_right[which]
    weights = instances.confidence[which] if weighted else np.ones(len(which))
    total = float(weights.sum())
    return float(weights[right].sum()) / total if total > 0 else None


def lists_of_instances(
    instances: Instances,
    *,
    least: int = 1,
    right_from: float | None = None,
    with_inverse: bool = False,
    method: str = "",
) -> RankedLists:
    """Make lists of judged rules: each term with its paraphrases.

    Nobody ranked the rules: those with more instances come first, then the alphabet decides. The
    share of right instances is the column `quality`, their number `n_instances`, and the text of
    the first is the sentence.

    Args:
        instances: What people judged.
        least: How many paraphrases a term needs.
        right_from: As in `instance_shares`.
        with_inverse: As there.
        method: Of all lists.
    """
    shares = instance_shares(instances, right_from=right_from, with_inverse=with_inverse)
    by_term: dict[str, list[Rule]] = {}
    for rule in shares:
        by_term.setdefault(rule[0], []).append(rule)
    kept = {
        ListKey(term, method): sorted(rules, key=lambda rule: (-shares[rule].n_instances, rule[1]))
        for term, rules in by_term.items()
        if len(rules) >= least
    }
    chosen = [shares[rule] for rules in kept.values() for rule in rules]
    sizes = [len(rules) for rules in kept.values()]
    return RankedLists(
        instances.name,
        tuple(kept),
        np.cumsum([0, *sizes]).astype(np.int64),
        [paraphrase for rules in kept.values() for _, paraphrase in rules],
        columns={
            "quality": np.array([each.share for each in chosen], np.float64),
            "n_instances": np.array([each.n_instances for each in chosen], np.float64),
        },
        sentences=[each.sentence for each in chosen],
    )
