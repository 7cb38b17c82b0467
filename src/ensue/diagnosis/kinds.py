"""The kinds of diagnostic sets: how each is recognized, what its pairs test, which belong together.

A kind looks at pairs that any format has read: their columns are in `meta`. What the columns of a
set do not say (which quantifiers, which conjunctions) is seen in the words of the pair.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from ensue.pairs import PRESETS, Label, Pair

# What a kind is.

Phenomenon = tuple[str, str]
"""A facet and what a pair has of it, e.g. `("heuristic", "subsequence")`."""

LabelTable = Mapping[str, Label | None]


@dataclass(frozen=True, slots=True)
class Sample:
    """The first pairs of a file, and where they are from."""

    path: PurePosixPath
    format: str
    """The name of its format, e.g. `tsv`."""
    pairs: tuple[Pair, ...]

    def has(self, *columns: str) -> bool:
        """Whether every pair has these in its meta."""
        return all(column in pair.meta for pair in self.pairs for column in columns)

    def share(self, holds: Callable[[Pair], object]) -> float:
        """The share of the pairs of which something holds."""
        return sum(bool(holds(pair)) for pair in self.pairs) / len(self.pairs)


@dataclass(frozen=True, slots=True)
class DiagnosticKind:
    """A published diagnostic set, as it is known by its content."""

    name: str
    title: str
    tests: str
    """What it is about, in a few words."""
    fits: Callable[[Sample], bool]
    phenomena: Callable[[Pair, str], Iterable[Phenomenon]]
    """Of a pair, and the name of the part (the file or its folder) that it is from."""
    group: Callable[[Pair], str | None] = lambda _: None
    """What pairs of one group share: those of which a person would judge all alike well."""
    labels: LabelTable = field(default_factory=dict, hash=False)
    """What labels mean beyond what the layout of the file says."""
    part: Callable[[PurePosixPath, Pair], str] = lambda path, _: stem_of(path)
    """What the part that a pair is from is called."""
    is_joined: bool = False
    """Whether the files of one folder are one set."""


def stem_of(path: PurePosixPath) -> str:
    """The name of a file without its endings.

    >>> stem_of(PurePosixPath("a/boolean.jsonl.gz"))
    'boolean'
    """
    return path.name.split(".", 1)[0] or path.name


# What the pairs of a set have in common.


def both_ways(pair: Pair) -> str:
    """The same for a pair and for its reverse."""
    return " ⇄ ".join(sorted((pair.text, pair.hypothesis)))


def same_text(pair: Pair) -> str:
    """The same for pairs with one text."""
    return pair.text


# Words that tell what a pair is about where no column does.

_NUMBER_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred"
_QUANTIFIERS = {
    "universal": r"\b(all|every|each|both|everyone|everybody|everything)\b",
    "negative": r"\b(no|none|neither|nobody|nothing|zero)\b",
    "existential": r"\b(some|a few|several|any|someone|somebody|something)\b",
    "few or many": r"\b(few|fewer|many|much|most|majority|minority|less)\b",
    "proportion": r"\b(half|third|quarter|thirds|quarters|percent|most|majority)\b|%",
    "comparison": r"\b(more|less|fewer|at least|at most|exactly|between|over|under|only)\b",
    "number": rf"\b(\d+|{_NUMBER_WORDS})\b",
}
_CONJUNCTIONS = ("and", "or", "but", "nor")
_NEGATION = r"\b(not|no|never|nobody|nothing|none|without|neither|nor)\b|n't\b"


def words_of(pair: Pair) -> str:
    """Both sides in lower case."""
    return f"{pair.text}\n{pair.hypothesis}".lower()


def quantifiers_in(pair: Pair) -> list[str]:
    """Which kinds of quantifiers the sides of a pair have.

    >>> quantifiers_in(Pair("1", "More than half of the dogs ran.", "Two dogs ran."))
    ['proportion', 'comparison', 'number']
    """
    words = words_of(pair)
    return [name for name, pattern in _QUANTIFIERS.items() if re.search(pattern, words)]


def conjunctions_in(pair: Pair) -> list[str]:
    """Which coordinating conjunctions the sides of a pair have."""
    found = set(re.findall(r"[a-z]+", words_of(pair)))
    return [each for each in _CONJUNCTIONS if each in found]


# The columns of the sets.

_AX = ("Lexical Semantics", "Predicate-Argument Structure", "Logic", "Knowledge")
_BREAKING = {
    *("antonyms", "synonyms", "cardinals", "nationalities", "drinks", "antonyms_wordnet"),
    *("colors", "ordinals", "countries", "rooms", "materials", "vegetables", "instruments"),
    "planets",
}
_CURRICULUM = {
    *("analytic", "atomic", "boolean", "comparative", "conditional", "context_align", "control"),
    *("coreference", "cosmoqa", "counterfactual", "counting", "drop", "entailment_tree", "ester"),
    *("hellaswag", "hypernymy", "hyponymy", "kg_relations", "lexical", "logiqa"),
    *("monotonicity_infer", "negation", "ner", "physicalqa", "puns", "quantifier", "sentiment"),
    *("socialqa", "spatial", "sprl", "syntactic_alternation", "syntactic_variation", "temporal"),
    *("transitive", "verbcorner", "verbnet", "defeasible"),
}
_MED_SOURCES = {"crowd", "paper", "glue", "fracas_gq"}
_MONOTONE = "_monotone"
_GENRE_ENDS = re.compile(r"[:;,|\s]+")


def _genre(pair: Pair) -> str:
    return str(pair.task or pair.meta.get("genre") or "")


def _med_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    parts = [part for part in _GENRE_ENDS.split(_genre(pair)) if part]
    for part in sorted(parts, key=lambda part: not part.endswith(_MONOTONE)):
        if part.endswith(_MONOTONE):
            yield "monotonicity", part.removesuffix(_MONOTONE)
        else:
            yield "source" if part.lower() in _MED_SOURCES else "feature", part


def _hans_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    heuristic = str(pair.meta["heuristic"])
    yield "heuristic", heuristic
    if pair.gold is not None:
        said = "entailment" if pair.gold is Label.ENTAILMENT else "non-entailment"
        yield "heuristic and gold", f"{heuristic}, {said}"
    yield "subcase", str(pair.meta["subcase"])


def _monli_phenomena(pair: Pair, part: str) -> Iterator[Phenomenon]:
    named = next((side for side in ("PMoNLI", "NMoNLI") if side.lower() in part.lower()), None)
    yield "part", named or ("NMoNLI" if re.search(_NEGATION, words_of(pair)) else "PMoNLI")


def _ax_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    for facet in (*_AX, "Domain"):
        for value in str(pair.meta.get(facet) or "").split(";"):
            if value.strip():
                yield facet, value.strip()
    for facet in _AX:
        if str(pair.meta.get(facet) or "").strip():
            yield "category", facet


def _gqnli_tags(pair: Pair) -> list[str]:
    """What its columns say of quantifiers."""
    return [
        tag.strip()
        for column, value in pair.meta.items()
        if "quantifier" in column.lower() and isinstance(value, str | list)
        for tag in (value if isinstance(value, list) else re.split(r"[;,|]", value))
        if str(tag).strip()
    ]


def _gqnli_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    for tag in _gqnli_tags(pair) or quantifiers_in(pair):
        yield "quantifier", tag


def _conjnli_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    found = conjunctions_in(pair)
    for each in found:
        yield "conjunction", each
    yield "conjunctions", "several" if len(found) > 1 else "one" if found else "none"


def _fracas_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    premises = "one" if len(pair.meta["premises"]) == 1 else "several"
    yield "section", pair.task or "none"
    yield "premises", premises
    yield "section and premises", f"{pair.task}, {premises}"


def _sick_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    yield "negation", "some" if re.search(_NEGATION, words_of(pair)) else "none"
    if "SemEval_set" in pair.meta:  # the release of all parts in one file
        yield "SemEval_set", str(pair.meta["SemEval_set"])


def _suite_phenomena(pair: Pair, _: str) -> Iterator[Phenomenon]:
    yield "hypothesis", str(pair.meta["made"])
    for change in pair.meta.get("changes") or ():
        yield "change of construction", str(change)
    if "clauses" in pair.meta:
        yield "clauses in the text", str(pair.meta["clauses"])


def _curriculum_part(path: PurePosixPath, pair: Pair) -> str:
    named = (pair.task or "", path.parent.name, stem_of(path))
    return next((name for name in named if name in _CURRICULUM), stem_of(path))


def _is_gqnli(sample: Sample) -> bool:
    if not sample.format.startswith(("csv", "tsv", "jsonl", "parquet")):
        return False
    if "gqnli" in str(PurePosixPath(*sample.path.parts[-2:])).lower():
        return True
    if sample.share(_gqnli_tags) == 1:
        return True
    # without a name and tags: several hypotheses to each of a few texts, about quantities
    texts = Counter(pair.text for pair in sample.pairs)
    is_bare = all(not pair.meta and pair.task is None for pair in sample.pairs)
    return is_bare and len(sample.pairs) >= 3 * len(texts) and sample.share(quantifiers_in) >= 0.8


def _is_conjnli(sample: Sample) -> bool:
    if sample.format != "tsv" or any(pair.meta or pair.task for pair in sample.pairs):
        return False
    is_named = sample.path.name.lower().startswith("conj")
    return is_named or (len(sample.pairs) >= 5 and sample.share(conjunctions_in) >= 0.9)


def _is_curriculum(sample: Sample) -> bool:
    names = {_curriculum_part(sample.path, pair) for pair in sample.pairs}
    if not names <= _CURRICULUM or sample.format != "jsonl":
        return False
    if any(pair.meta for pair in sample.pairs):
        return False
    return all(pair.task is None or pair.id.startswith(f"{pair.task}-") for pair in sample.pairs)


KINDS = (
    DiagnosticKind(
        "suite",
        "own suites",
        "syntax: what follows, and near misses",
        lambda sample: sample.has("group", "made") and sample.format == "jsonl",
        _suite_phenomena,
        lambda pair: str(pair.meta["group"]),
        is_joined=True,
    ),
    DiagnosticKind(
        "hans",
        "HANS",
        "syntactic heuristics that mislead",
        lambda sample: sample.has("heuristic", "subcase"),
        _hans_phenomena,
    ),
    DiagnosticKind(
        "ax",
        "GLUE AX",
        "a broad sample of phenomena",
        lambda sample: sample.has(*_AX),
        _ax_phenomena,
        both_ways,
    ),
    DiagnosticKind(
        "med",
        "MED",
        "monotonicity",
        lambda sample: sample.share(lambda pair: _MONOTONE in _genre(pair)) == 1,
        _med_phenomena,
        both_ways,
    ),
    DiagnosticKind(
        "monli",
        "MoNLI",
        "hypernyms under negation",
        lambda sample: sample.has("sentence1_lex", "sentence2_lex"),
        _monli_phenomena,
        both_ways,
        is_joined=True,
    ),
    DiagnosticKind(
        "breaking-nli",
        "Breaking NLI",
        "one word replaced",
        lambda sample: (
            sample.has("category")
            and sample.share(lambda pair: pair.meta["category"] in _BREAKING) == 1
        ),
        lambda pair, _: [("category", str(pair.meta["category"]))],
        same_text,
    ),
    DiagnosticKind(
        "fracas",
        "FraCaS",
        "what semanticists discuss",
        lambda sample: sample.format == "fracas",
        _fracas_phenomena,
    ),
    DiagnosticKind(
        "sick",
        "SICK",
        "composition in captions",
        lambda sample: sample.has("relatedness_score"),
        _sick_phenomena,
    ),
    DiagnosticKind(
        "curriculum",
        "CURRICULUM",
        "a set for each phenomenon",
        _is_curriculum,
        lambda _, part: [("set", part)],
        labels={"entailed": Label.ENTAILMENT, "not-entailed": Label.NOT_ENTAILMENT},
        part=_curriculum_part,
        is_joined=True,
    ),
    DiagnosticKind(
        "conjnli",
        "ConjNLI",
        "conjunctions",
        _is_conjnli,
        _conjnli_phenomena,
        same_text,
    ),
    DiagnosticKind(
        "gqnli",
        "GQNLI",
        "generalized quantifiers",
        _is_gqnli,
        _gqnli_phenomena,
        same_text,
        labels=PRESETS["hf"],
    ),
)
"""In the order in which they are tried: those with columns of their own first."""


def plain_kind(name: str) -> DiagnosticKind:
    """The kind of a file that is no known set: its tasks are its phenomena."""
    return DiagnosticKind(
        "pairs",
        name,
        "pairs with gold",
        lambda _: True,
        lambda pair, _: [("task", pair.task)] if pair.task else [],
        lambda pair: str(pair.meta["group"]) if "group" in pair.meta else None,
    )


def kind_of(sample: Sample) -> DiagnosticKind | None:
    """The first kind that a file fits; None where it fits none."""
    return next((kind for kind in KINDS if kind.fits(sample)), None)


# What others published on the sets.


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """What one system reached on a set, or on a part of it."""

    system: str
    accuracy: float
    """In [0, 1]."""
    phenomenon: Phenomenon | None
    """The part of the set; None for all of it."""
    view: str | None
    """`2-way` or `3-way`; None where the source does not say it."""
    source: str
    """The paper, where in it, and how the figure was checked."""
    on: str
    """The pairs, e.g. `test set`."""
    n_pairs: int | None
    """How many there are, where that is known."""


_UNCHECKED = "quoted, not compared with the paper"


def published_results(kind: str) -> tuple[PublishedResult, ...]:
    """The published figures on a kind of sets, as they are recorded; none where there are none.

    >>> published_results("gqnli")[0].accuracy
    0.427
    """
    file = files("ensue.diagnosis").joinpath("published", f"{kind}.json")
    if not file.is_file():
        return ()
    record: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return tuple(_results(record["sources"]))


def _results(sources: Sequence[Mapping[str, Any]]) -> Iterator[PublishedResult]:
    for source in sources:
        for figure in source["figures"]:
            facet = figure.get("facet", source.get("facet"))
            part = figure.get("part")
            yield PublishedResult(
                figure.get("system") or source["system"],
                round(figure["accuracy"] / 100, 6),
                (facet, part) if part else None,
                source["view"],
                f"{source['citation']}; {source['where']}; {source['checked'] or _UNCHECKED}",
                source["on"],
                figure.get("pairs", source.get("pairs")),
            )
