"""What is found of a claim and its parts, put together into one status and a probability.

A logistic regression of a few numbers: what the recognizer says of the claim and of each of its
propositions, what differs, and how much of the claim is in the source at all. It is learned from
claims that people have checked (`python -m benchmarks.claims train`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import numpy as np

from ensue.claims.documents import Passage, SourceIndex, read_documents, tokens
from ensue.claims.proposition import Proposition, propositions_of
from ensue.claims.support import ClaimPart, Support
from ensue.concurrency import made_once
from ensue.features import FeatureReader, MismatchKind
from ensue.language import load_lexicon
from ensue.pairs import Label, Status, Verdict
from ensue.recognizers import Recognizer
from ensue.statistics import LinearModel, Numbers, probabilities, softmax, with_ones

# Claims before they are checked, and those in which there is nothing to check.

_MOST_PARTS = 6
"""Propositions of a claim that are looked at one by one."""
_PART_SENTENCES = 2
"""Source sentences that are read together for a proposition."""
_GREETINGS = (
    r"(?:hi|hello|hey|good (?:morning|evening|afternoon)|thanks|thank you|welcome|goodbye|bye"
    r"|you're welcome|best regards|kind regards|sincerely|sure|certainly|of course|great question)"
)
_GREETED = r"(?:there|all|everyone|everybody|again|you|very much|so much|a lot|for [\w ]{1,30}|(?-i:[A-Z]\w+))"
_GREETING = re.compile(
    rf"(?:dear [\w .]{{1,40}}|{_GREETINGS}(?:[ ,]+{_GREETED})*)[,.!:]*", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"(?:(?:i'?m|i am|we are|we're) (?:very |really )?sorry|as an ai\b|i apologi[sz]e"
    r"|(?:unfortunately,? )?(?:i|we) (?:can ?not|can't|could not|couldn't|do not|don't|am unable|'m unable|won't)"
    r" (?:to )?(?:help|assist|answer|provide|say|tell|know|find|determine|verify|have (?:enough|access|any)))",
    re.IGNORECASE,
)  # fmt: skip
_OFFER = re.compile(
    r"(?:please )?(?:let me know|feel free|i hope (?:this|that) helps|here (?:is|are) (?:the|a|my)"
    r" (?:summary|answer|list))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class WantedClaim:
    """A claim before it is checked."""

    passage: Passage
    words: frozenset[str]
    copy: Passage | None
    """Where it stands word for word."""
    shown: Sequence[Passage]
    """The passages in which it may be found."""
    index: SourceIndex
    id: str
    line: int | None
    idle: str
    """Why there is nothing to check; empty where there is something."""

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to check."""
        return bool(self.idle)


def idle_reason(text: str) -> str:
    """Why a sentence claims nothing; empty where it claims something.

    >>> idle_reason("Who sold the depot?")
    'a question'
    """
    plain = text.strip().replace("’", "'")
    if plain.rstrip("\"'”)").endswith("?"):
        return "a question"
    if _GREETING.fullmatch(plain):
        return "a greeting"
    if _REFUSAL.match(plain):
        return "a refusal"
    return "an offer" if _OFFER.match(plain) else ""


# What is found of a claim: its passages, and those of its parts.


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """What the sources say of a claim and of its propositions."""

    claim: WantedClaim
    supports: tuple[Support, ...]
    """Single sentences first, the one that shares most with the claim before the others."""
    cover: Support | None
    """The sentences, wherever they stand, that together share most with it."""
    parts: tuple[ClaimPart, ...]


def parts_of(
    claims: Sequence[WantedClaim], reader: FeatureReader
) -> list[list[tuple[Proposition, Passage | None]]]:
    """The propositions of claims, each with the sentences that share most with it."""
    lexicon = load_lexicon()
    analyses = reader.analyze([each.passage.text for each in claims])
    cut = [
        _distinct(propositions_of(claim.passage.start, analysis, lexicon))
        for claim, analysis in zip(claims, analyses, strict=True)
    ]
    texts = list(dict.fromkeys(each.statement for some in cut for each in some))
    words = {
        text: frozenset[str]().union(*document.words)
        for text, document in zip(texts, read_documents(texts, reader), strict=True)
    }
    return [
        [(each, claim.index.cover(words[each.statement], _PART_SENTENCES)) for each in some]
        for claim, some in zip(claims, cut, strict=True)
    ]


def _distinct(found: Iterator[Proposition]) -> list[Proposition]:
    """The first propositions, each once."""
    known: dict[str, Proposition] = {}
    for each in found:
        known.setdefault(each.statement, each)
    return list(known.values())[:_MOST_PARTS]


# The numbers that are weighed.

_FIGURE = re.compile(r"\d(?:[\d,.]*\d)?")
_CAPITAL = re.compile(r"(?<=\s)[A-Z]\w+")
_LEAST = 1e-4
"""The least probability whose log odds are taken."""


def claim_columns(evidence: ClaimEvidence) -> dict[str, float]:
    """What is weighed of a claim, by name."""
    supports = evidence.supports
    single = [each for each in supports if each is not evidence.cover]
    every = [*single, *([] if evidence.cover is None else [evidence.cover])]
    chances = [_chances(each.verdict) for each in every] or [(0.0, 0.0)]
    return {
        "yes: best passage": _odds(max(yes for yes, _ in chances)),
        "yes: first sentence": _odds(chances[0][0]),
        "yes: sentences together": _odds(chances[-1][0]),
        "no: first sentence": _odds(chances[0][1]),
        "no: sentences together": _odds(chances[-1][1]),
        "open: first sentence": _odds(1 - sum(chances[0])),
        "open: sentences together": _odds(1 - sum(chances[-1])),
        **_part_columns(evidence, chances),
        **_difference_columns(every),
        **_source_columns(evidence.claim),
    }


def _chances(verdict: Verdict) -> tuple[float, float]:
    """The probabilities of entailment and of contradiction that a verdict tells."""
    if verdict.status is not Status.DECIDED or verdict.score is None:
        return 0.0, 0.0
    yes = verdict.score
    sure = verdict.confidence or 0.0
    if verdict.label is Label.CONTRADICTION:
        return yes, sure
    rest = max(1 - yes, 0.0)
    # of a yes, it is not known how the rest is shared out
    return yes, rest / 2 if verdict.label is Label.ENTAILMENT else max(rest - sure, 0.0)


def _odds(chance: float) -> float:
    chance = min(max(chance, _LEAST), 1 - _LEAST)
    return math.log(chance / (1 - chance))


def _part_columns(
    evidence: ClaimEvidence, chances: Sequence[tuple[float, float]]
) -> dict[str, float]:
    known = [
        _chances(each.support.verdict) if each.support else (0.0, 0.0) for each in evidence.parts
    ]
    known = known or [max(chances)]
    odds = [_odds(yes) for yes, _ in known]
    return {
        "parts: least yes": min(odds),
        "parts: mean yes": sum(odds) / len(odds),
        "parts: most no": _odds(max(no for _, no in known)),
        "parts: number": math.log(len(known)),
    }


def _difference_columns(every: Sequence[Support]) -> dict[str, float]:
    """What differs where most of the claim is met, and how much that is."""
    nearest = max(every, key=lambda each: each.coverage, default=None)
    found = () if nearest is None else nearest.mismatches
    columns = {
        f"differs: {kind.value}": float(any(each.kind is kind and each.text for each in found))
        for kind in MismatchKind
    }
    missing = [each for each in found if each.text is None]
    names = sum(each.kind is MismatchKind.NAME for each in missing)
    covering = every[-1] if every else None
    return {
        **columns,
        "absent: names": math.log1p(names),
        "absent: values": math.log1p(len(missing) - names),
        "coverage": 0.0 if nearest is None else nearest.coverage,
        "coverage: sentences together": 0.0 if covering is None else covering.coverage,
        "holds": float(any(each.holds for each in every)),
    }


def _source_columns(claim: WantedClaim) -> dict[str, float]:
    """How much of a claim is in its sources at all, in whichever place."""
    text, index = claim.passage.text, claim.index
    n_words = max(len(claim.words), 1)
    missing = claim.words - index.vocabulary
    together = index.cover_words(claim.words)
    one, two, three = index.copied.shares(text)
    figures = [each for each in _FIGURE.findall(text) if not index.has_figure(each)]
    capitals = [each for each in _CAPITAL.findall(text) if not index.copied.has(each.lower())]
    return {
        "source: words missing": len(missing) / n_words,
        "source: words missing, log": math.log1p(len(missing)),
        "source: words in sentences together": len(together) / n_words,
        "source: tokens copied": one,
        "source: pairs copied": two,
        "source: triples copied": three,
        "source: figures missing": math.log1p(len(figures)),
        "source: capitals missing": math.log1p(len(capitals)),
        "length: claim": math.log(max(len(tokens(text)), 1)),
        "length: source": math.log(max(index.n_tokens, 1)),
    }


# The model, and the status that follows.

_RECORD = "decision.json"
_FORMAT = 1
KIND_COLUMNS = (
    "length: source",
    "length: claim",
    "source: tokens copied",
    "source: pairs copied",
    "source: triples copied",
)
"""The columns by which kinds are told apart."""
CUTOFF = 0.5
SURE = 0.98
"""The least probability of a copy, and of what arithmetic makes true: none of 51 was judged otherwise."""
UNLIKELY = 0.3
"""The largest probability of a claim that differs, or that no passage makes likely: of the claims that were
learned from, less than three of ten such are supported."""
UNHEARD = math.log(0.2 / 0.8)
"""The log odds below which a passage does not make a claim likely."""


@dataclass(frozen=True, slots=True, eq=False)
class KindGate:
    """Which kind a claim is of, by how long it and its source are, and how much of it is copied."""

    means: Numbers
    """Of the numbers of `kind_shape`."""
    deviations: Numbers
    weights: Numbers
    """A row for each of the numbers and for the bias, a column for each kind."""

    def shares(self, values: Numbers) -> Numbers:
        """How much each kind is heard: a row for each claim, which adds up to 1.

        Args:
            values: A row for each claim, a column for each of `KIND_COLUMNS`.
        """
        shape = (kind_shape(values) - self.means) / self.deviations
        return softmax(with_ones(shape) @ self.weights)


def kind_shape(values: Numbers) -> Numbers:
    """Two lengths, their squares and their product, and what is copied."""
    source, claim = values[:, 0], values[:, 1]
    lengths = np.stack([source, claim, source**2, claim**2, source * claim], axis=1)
    return np.concatenate([lengths, values[:, 2:]], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class ClaimModel:
    """What each number is worth, for several kinds of claims.

    Yes begins elsewhere for a sentence beside a sentence than for a long claim beside an article.
    The log odds of a claim are those of the kinds, weighed by how much it looks like each.
    """

    kinds: Mapping[str, LinearModel]
    """By the name of what each was learned from."""
    gate: KindGate
    recognizer: str
    """The beginning of the signature of the recognizer that it was learned with."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What it was learned from, and how well it did."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the numbers are called."""
        return next(iter(self.kinds.values())).names

    def probability(self, columns: Mapping[str, float]) -> float:
        """That a claim is supported, where half of the claims are."""
        return float(self.probabilities(np.array([[columns[name] for name in self.names]]))[0])

    def probabilities(self, values: Numbers) -> Numbers:
        """The probability of each claim, a row of numbers each."""
        shape = values[:, [self.names.index(name) for name in KIND_COLUMNS]]
        odds = np.stack([each.predicted(values) for each in self.kinds.values()], axis=1)
        return probabilities((self.gate.shares(shape) * odds).sum(axis=1))

    def to_json(self) -> dict[str, Any]:
        """The model in values that JSON can hold."""
        return {
            "ensue_decision": _FORMAT,
            "recognizer": self.recognizer,
            "gate": {
                "means": self.gate.means.tolist(),
                "deviations": self.gate.deviations.tolist(),
                "weights": self.gate.weights.tolist(),
            },
            "kinds": [
                {
                    "name": name,
                    "bias": each.bias,
                    "strength": each.strength,
                    "columns": [
                        {"name": column, "weight": weight, "mean": mean}
                        for column, weight, mean in zip(
                            each.names, each.weights.tolist(), each.means.tolist(), strict=True
                        )
                    ],
                }
                for name, each in self.kinds.items()
            ],
            "about": dict(self.about),
        }


def read_model(text: str) -> ClaimModel:
    """The model of a record."""
    record = json.loads(text)
    gate = KindGate(*(np.array(record["gate"][n]) for n in ("means", "deviations", "weights")))
    kinds = {each["name"]: _linear(each) for each in record["kinds"]}
    return ClaimModel(kinds, gate, record["recognizer"], record["about"])


def _linear(kind: Mapping[str, Any]) -> LinearModel:
    rows = kind["columns"]
    return LinearModel(
        tuple(each["name"] for each in rows),
        np.array([each["weight"] for each in rows]),
        np.array([each["mean"] for each in rows]),
        kind["bias"],
        kind["strength"],
    )


@made_once
def _shipped() -> ClaimModel:
    return read_model((resources.files("ensue.claims") / _RECORD).read_text("utf-8"))


def shipped_decision(recognizer: Recognizer) -> ClaimModel | None:
    """The model for a recognizer; None for one that it was not learned with."""
    model = _shipped()
    signature = str(recognizer.signature)
    return model if signature.startswith(model.recognizer) else None
