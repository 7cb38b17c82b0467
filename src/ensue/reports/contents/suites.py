"""Suites and grammars, as tables."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import islice

from ensue.pairs import Label
from ensue.reports.model import Cell, Column, Table
from ensue.suites import Composition, Manifest, Repertoire, phrases
from ensue.suites.describing import Counts
from ensue.suites.grammar import Predicate
from ensue.suites.sentences.repertoire import Entry

_SHOWN_PAIRS = 20
_LABELS = (Label.ENTAILMENT, Label.NOT_ENTAILMENT)
_LOOKED_THROUGH = 5_000
"""So many phrases of a predicate are there to choose an example from."""


def manifest_table(manifest: Manifest) -> Table:
    """What came of each suite."""
    kinds = list(manifest.suites[0].near_misses)
    columns = [
        Column("suite"),
        Column("types"),
        Column("asked"),
        Column("cases"),
        *(Column(kind, title=kind.replace("-", " ")) for kind in kinds),
        Column("unmet", title="unmet quotas"),
    ]
    rows: list[list[Cell]] = [
        [
            suite.name,
            ", ".join(manifest.titles.get(name, name) for name in suite.types),
            suite.asked,
            suite.cases,
            *(suite.near_misses[kind] for kind in kinds),
            ", ".join(f"{form} lacks {n}" for form, n in suite.unmet.items()) or None,
        ]
        for suite in manifest.suites
    ]
    made = f"grammar {manifest.grammar} ({manifest.digest}), seed {manifest.seed}"
    notes = [f"{made}, version {manifest.version}"]
    return Table("suites", "Suites, with their near misses", columns, rows, notes)


def composition_tables(
    composition: Composition, titles: Mapping[str, str], *, every: bool = True
) -> list[Table]:
    """What cases are made of, their tags, and a few of them.

    Args:
        composition: The cases, counted.
        titles: Readable names of subcategorization types.
        every: Whether all tag pairs are shown, for programs.
    """
    return [
        _composition_table(composition, titles),
        _tag_table(composition),
        _tag_pair_table(composition, every),
        _sample_table(composition),
    ]


def _composition_table(composition: Composition, titles: Mapping[str, str]) -> Table:
    columns = [Column("by"), Column("value"), *map(Column, _LABELS), Column("cases")]
    types = {titles.get(name, name): counts for name, counts in composition.types.items()}
    rows = [
        *_rows("clauses in the text", composition.clauses),
        *_rows("subcategorization", types),
        *_rows("hypothesis", composition.made),
        *_rows("change of construction", composition.changes),
    ]
    totals = [composition.labels.get(label, 0) for label in _LABELS]
    rows.append(["all", None, *totals, composition.n_cases])
    notes = [
        f"{composition.n_groups} groups of minimal pairs",
        "a case may have several subcategorization types and changes",
    ]
    return Table("composition", "What the cases are made of", columns, rows, notes)


def _rows(by: str, counts: Counts) -> list[list[Cell]]:
    return [
        [by, value, *(found[label] for label in _LABELS), found.total()]
        for value, found in counts.items()
    ]


def _tag_table(composition: Composition) -> Table:
    rows: list[list[Cell]] = [
        [tag, of_text, of_hypothesis]
        for tag, (of_text, of_hypothesis) in sorted(composition.tags.items())
    ]
    columns = [Column("tag"), Column("texts"), Column("hypotheses")]
    return Table("tags", "Tags: in how many sentences each is", columns, rows, [_TAGS])


_TAGS = (
    "V verb or N noun; A active or P passive; then R relativized, C coordinated, PP0 and PP1"
    " prepositional arguments, Poss possessive, S argument of another clause, Adv adverb of manner"
)


def _tag_pair_table(composition: Composition, every: bool) -> Table:
    found = sorted(composition.tag_pairs.items(), key=lambda each: (-each[1], each[0]))
    shown = found if every else found[:_SHOWN_PAIRS]
    rows: list[list[Cell]] = [[*pair.split("/"), n] for pair, n in shown]
    notes = []
    if len(shown) < len(found):
        notes.append(f"the {len(shown)} most frequent of {len(found)}")
    columns = [Column("hypothesis"), Column("text"), Column("cases")]
    return Table("tag_pairs", "Tag pairs of one predicate", columns, rows, notes)


def _sample_table(composition: Composition) -> Table:
    columns = [
        Column("id"),
        Column("text"),
        Column("hypothesis"),
        Column("gold"),
        Column("made"),
        Column("changes"),
    ]
    rows: list[list[Cell]] = [
        [
            case.id,
            case.text,
            case.hypothesis,
            case.gold,
            case.meta["made"],
            ", ".join(case.meta["changes"]),
        ]
        for case in composition.sample
    ]
    return Table("sample", "Some cases", columns, rows)


def grammar_tables(repertoire: Repertoire, *, seed: int = 0) -> list[Table]:
    """What a grammar has: subcategorization types, semantic types, and a phrase of each family."""
    return [_family_table(repertoire), _type_table(repertoire), _phrase_table(repertoire, seed)]


def _family_table(repertoire: Repertoire) -> Table:
    grammar = repertoire.grammar
    of_type = _by_type(repertoire.entries)
    rows: list[list[Cell]] = []
    for family, patterns in grammar.patterns.items():
        users = [p for p in grammar.predicates.values() if family in _families(p)]
        passive = sum(pattern.voice == "P" for pattern in patterns)
        relative = sum(pattern.head is not None for pattern in patterns)
        counts = (len(patterns), passive, relative, len(users), len(of_type.get(family, ())))
        rows.append([family, grammar.titles.get(family), *counts])
    columns = [
        Column("family"),
        Column("name"),
        Column("patterns"),
        Column("passive"),
        Column("relative"),
        Column("predicates", title="predicates that have it"),
        Column("of_this_type", title="of this type"),
    ]
    notes = [f"{len(repertoire.entries)} predicates, {len(repertoire.siblings)} frames in all"]
    return Table("families", f"Families of {grammar.name}", columns, rows, notes)


def _families(predicate: Predicate) -> set[str]:
    return {each.family for each in predicate.distributions}


def _by_type(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.subcategorization, []).append(entry)
    return found


def _type_table(repertoire: Repertoire) -> Table:
    grammar = repertoire.grammar
    rows: list[list[Cell]] = []
    for name, kind in grammar.types.items():
        own = [phrase.text for phrase in kind.phrases]
        total = len(grammar.phrases(name))
        rows.append([name, len(own), total, ", ".join(own[:4]) or None])
    columns = [
        Column("type"),
        Column("own", title="own strings"),
        Column("all", title="with included"),
        Column("e.g."),
    ]
    notes = [f"{len(repertoire.phrases)} strings in all"]
    return Table("types", "Semantic types", columns, rows, notes)


def _phrase_table(repertoire: Repertoire, seed: int) -> Table:
    rng = random.Random(seed)
    rows: list[list[Cell]] = []
    for family, entries in _by_type(repertoire.entries).items():
        entry = rng.choice(entries)
        found = list(islice(phrases(repertoire, entry.name), _LOOKED_THROUGH))
        rows += [[family, entry.name, phrase] for phrase in rng.sample(found, min(3, len(found)))]
    columns = [Column("type"), Column("predicate"), Column("phrase")]
    return Table("phrases", "Some phrases", columns, rows)
