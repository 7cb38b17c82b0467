"""The cases of a suite: generator, quotas, and replacements for duplicate cases."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from ensue.errors import SettingError
from ensue.pairs import Label, Pair
from ensue.suites.composer import Composer
from ensue.suites.frames import COORDINATED, Meaning, PredicateFrame, meaning_to_json
from ensue.suites.grammar import SentenceTense
from ensue.suites.near_misses import Alterer, Hypothesis, NearMiss, Sampler
from ensue.suites.repertoire import PredicateEntry, Repertoire
from ensue.suites.sentences import Readings, Renderer, SentencePlan

# Quotas: at least so many cases of a suite with a tag, a tag pair, a change or a near miss.


@dataclass(frozen=True, slots=True)
class Quota:
    """At least so many cases that have something."""

    form: str
    """A tag pair (`V-P/V-A`, the hypothesis first), a tag of either side, a change, or a near miss."""
    least: int


def quota_forms(case: Pair) -> Iterator[str]:
    """What a quota may ask for that a case has; a form may come several times."""
    yield case.meta["made"]
    yield from case.meta["changes"]
    for entry in case.meta["tags"]:
        yield from entry["text"]
        yield from entry["hypothesis"]
        yield from (f"{h}/{t}" for h in entry["hypothesis"] for t in entry["text"])


class Quotas:
    """What is still to be found, and whether a group of cases leaves room for it."""

    def __init__(self, quotas: Sequence[Quota], size: int) -> None:
        self._lacking: dict[str, int] = {}
        for quota in quotas:
            if quota.form in self._lacking:
                raise SettingError(
                    "quota-asked-twice", f"a quota for {quota.form!r} is asked for twice"
                )
            if quota.least > size:
                raise SettingError(
                    "quota-more-than-suite",
                    f"a quota of {quota.least} for {quota.form!r} is more than the suite's {size}",
                    hint="ask for a larger suite or a smaller quota",
                )
            self._lacking[quota.form] = quota.least
        self._room = size
        self._given_up = False

    def admit(self, cases: Sequence[Pair]) -> bool:
        """Whether cases help a quota, or leave enough room for those that will.

        Room is kept for two cases for each that is lacking, since they come in groups of two.
        """
        lacking = self.lacking
        if not lacking or self._given_up:
            return True
        if self._room - len(cases) >= 2 * sum(lacking.values()):
            return True
        return any(form in lacking for case in cases for form in quota_forms(case))

    def give_up(self) -> bool:
        """Look no longer for what is lacking, and say whether that changes anything."""
        changes = bool(self.lacking) and not self._given_up
        self._given_up = True
        return changes

    def count(self, cases: Sequence[Pair]) -> None:
        """Take note of cases that were admitted."""
        self._room -= len(cases)
        if not self._lacking:
            return
        for case in cases:
            for form in set(quota_forms(case)) & self._lacking.keys():
                self._lacking[form] -= 1

    @property
    def lacking(self) -> dict[str, int]:
        """How many cases each unmet quota still lacks."""
        return {form: n for form, n in self._lacking.items() if n > 0}


# Cases of a suite: texts, hypotheses that follow, and near misses of these that do not.

RESTATED = "restated"
"""How a hypothesis that follows was made: the text said again, in whole or in part."""

PATIENCE = 20_000
"""So many groups in a row that bring nothing new end a suite."""

_HYPOTHESES = 3
"""How many hypotheses are tried for one text."""


@dataclass(frozen=True, slots=True)
class SuiteSettings:
    """What the cases of a suite are like."""

    size: int = 1000
    clauses: int = 3
    """Of a text, at most."""
    mixed_tenses: bool = False
    """Whether text and hypothesis may differ in tense."""
    tenses: tuple[SentenceTense, ...] = tuple(SentenceTense)
    near_misses: tuple[NearMiss, ...] = tuple(NearMiss)
    quotas: tuple[Quota, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 1 or self.clauses < 1:
            raise SettingError(
                "suite-least-case-text",
                "a suite has at least one case, and a text at least one clause",
            )
        if not self.near_misses or not self.tenses:
            raise SettingError("suite-needs-near-misses", "a suite needs near misses and a tense")


class _Side(NamedTuple):
    """One sentence: what it says, its plan, and its words."""

    meaning: Meaning
    sentence: SentencePlan
    words: str


class _Seen:
    """Which cases there are already, as one hash each."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def add(self, cases: Sequence[Pair]) -> bool:
        """Remember cases that are new, and say whether all of them are."""
        hashes = set(map(case_hash, cases))
        if len(hashes) < len(cases) or not self._hashes.isdisjoint(hashes):
            return False
        self._hashes |= hashes
        return True


class SuiteGenerator:
    """Makes the cases of one suite, group after group.

    A group has one text, a hypothesis that follows from it, and a near miss of that hypothesis.
    """

    def __init__(
        self,
        repertoire: Repertoire,
        entries: Sequence[PredicateEntry],
        settings: SuiteSettings,
        *,
        name: str,
        seed: str,
    ) -> None:
        self._random: Callable[[], float] = random.Random(seed).random
        self._repertoire = repertoire
        self._settings = settings
        self._name = name
        self._seen = _Seen()
        self._sampler = Sampler(repertoire, entries, self._random)
        readings = Readings(repertoire)
        self._composer = Composer(repertoire, readings, self._random)
        self._alterer = Alterer(repertoire, readings, self._random)
        self._renderer = Renderer(repertoire)
        self._tenses = [tense for tense in settings.tenses if tense in repertoire.tenses]
        self.quotas = Quotas(settings.quotas, settings.size)
        self.near_misses: Counter[NearMiss] = Counter(dict.fromkeys(settings.near_misses, 0))
        """How many there are of each kind so far."""
        self.n_cases = 0
        """How many cases were made so far."""
        if self._sampler.is_empty:
            raise SettingError(
                "no-sentence-made-grammar",
                "no sentence can be made with this grammar",
                hint="it needs a verbal pattern that is no relative clause, and a predicate for it",
            )
        if not self._tenses:
            asked = " or ".join(settings.tenses)
            raise SettingError(
                "no-sentence-made-predicate",
                f"no sentence can be made in the {asked}: some predicate lacks that tense",
                hint='every predicate needs it, e.g. <Verb tense="past">sent</Verb>',
            )

    def cases(self) -> Iterator[Pair]:
        """The cases; fewer than asked for where no more distinct ones were found."""
        group, in_vain = 0, 0
        size = self._settings.size
        while self.n_cases < size:
            if in_vain == PATIENCE:
                if not self.quotas.give_up():
                    return
                in_vain = 0
            found = self.group(f"{self._name}-{group + 1:05d}")
            in_vain += 1
            if found is None:
                continue
            found = found[: size - self.n_cases]
            if not self.quotas.admit(found) or not self._seen.add(found):
                continue
            in_vain = 0
            group += 1
            self.n_cases += len(found)
            for case in found:
                if case.gold is not Label.ENTAILMENT:
                    self.near_misses[NearMiss(case.meta["made"])] += 1
            self.quotas.count(found)
            yield from found

    def group(self, name: str, kind: NearMiss | None = None) -> list[Pair] | None:
        """One more group, whether or not there is the same already.

        Args:
            name: What it is called: the beginning of its cases' ids.
            kind: How its near miss is made; where it is None, as few were made so far.

        Returns:
            Its two cases; None where this time none was found.
        """
        random_ = self._random
        text = self._sampler.text(1 + int(random_() * self._settings.clauses))
        sentence = None if text is None else self._composer.compose(text)
        if text is None or sentence is None:
            return None
        tense = self._tenses[int(random_() * len(self._tenses))]
        of_hypothesis = tense
        if self._settings.mixed_tenses:
            of_hypothesis = self._tenses[int(random_() * len(self._tenses))]
        given = _Side(text, sentence, self._renderer.sentence(sentence, text, tense))
        for _ in range(_HYPOTHESES):
            found = self._hypotheses(given, of_hypothesis, kind)
            if found is not None:
                break
        else:
            return None
        following, near_miss, missed, parts = found
        sides = [
            (following, Label.ENTAILMENT, RESTATED),
            (near_miss, Label.NOT_ENTAILMENT, missed.value),
        ]
        if random_() < 0.5:
            sides.reverse()
        of_text = _Described(given, self._repertoire)
        return [
            Pair(
                id=f"{name}{letter}",
                text=given.words,
                hypothesis=side.words,
                gold=gold,
                meta={
                    "group": name,
                    "made": made,
                    "changes": changes(of_text.places, side.sentence, parts),
                    "clauses": len(text),
                    "hypothesis_clauses": len(side.meaning),
                    "subcategorization": of_text.types,
                    "tense": tense.value,
                    "tags": _tags(of_text.tags, side.sentence),
                    "events": {
                        "text": of_text.events,
                        "hypothesis": meaning_to_json(side.meaning, self._repertoire),
                    },
                },
            )
            for letter, (side, gold, made) in zip("ab", sides, strict=True)
        ]

    def _hypotheses(
        self, given: _Side, tense: SentenceTense, only: NearMiss | None
    ) -> tuple[_Side, _Side, NearMiss, list[int]] | None:
        """A hypothesis that follows and a near miss of it; None where this time none was found."""
        meaning, parts = self._sampler.hypothesis(given.meaning)
        alone = given.sentence.clauses[0].frame if len(given.meaning) == 1 else None
        sentence = self._composer.compose(meaning, unlike=alone)
        if sentence is None:
            return None
        words = self._renderer.sentence(sentence, meaning, tense)
        if words == given.words:
            return None
        hypothesis = Hypothesis(meaning, parts, sentence)
        kinds = (
            sorted(self.near_misses, key=self.near_misses.__getitem__) if only is None else [only]
        )
        for kind in kinds:
            altered = self._alterer.alter(kind, given.meaning, hypothesis)
            if altered is not None:
                near = _Side(*altered, self._renderer.sentence(altered[1], altered[0], tense))
                return _Side(meaning, sentence, words), near, kind, parts
        return None


def case_hash(case: Pair) -> int:
    """A hash of 64 bits of both sides, by which two cases are known to be the same."""
    key = f"{case.text}\n{case.hypothesis}".encode()
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "little")


class _Described:
    """What the cases of a group say of their text."""

    __slots__ = ("events", "places", "tags", "types")

    def __init__(self, side: _Side, repertoire: Repertoire) -> None:
        self.events = meaning_to_json(side.meaning, repertoire)
        self.types = sorted({event.entry.subcategorization for event in side.meaning})
        self.places = {
            clause.event: (clause.frame, around) for clause, around in side.sentence.parts
        }
        self.tags: dict[str, list[str]] = _side_tags(side.sentence)


def _side_tags(sentence: SentencePlan) -> dict[str, list[str]]:
    """The tags of each predicate."""
    tags: dict[str, list[str]] = {}
    for (frame, _, _), around in sentence.parts:
        found = frame.tags[around]
        known = tags.get(frame.predicate)
        tags[frame.predicate] = found if known is None else list(dict.fromkeys([*known, *found]))
    return tags


def _tags(of_text: dict[str, list[str]], hypothesis: SentencePlan) -> list[dict[str, Any]]:
    """The tags of both sides for each predicate, as error mining reads them."""
    of_hypothesis = _side_tags(hypothesis)
    found = [
        {"predicate": name, "text": tags, "hypothesis": of_hypothesis.pop(name, [])}
        for name, tags in of_text.items()
    ]
    for name, tags in of_hypothesis.items():
        found.append({"predicate": name, "text": [], "hypothesis": tags})
    return found


def changes(
    text: Mapping[int, tuple[PredicateFrame, str]], hypothesis: SentencePlan, parts: Sequence[int]
) -> list[str]:
    """In what the constructions of a hypothesis differ from those of its text.

    Args:
        text: The frame of each event of the text, and what the sentence adds to it.
        hypothesis: The plan of the hypothesis.
        parts: For each event of the hypothesis, that of the text which it was taken from.
    """
    found = {"clause-omitted"} if len(parts) < len(text) else set()
    for (after, event, _), around in hypothesis.parts:
        before, around_before = text[parts[event]]
        if before is after and around == around_before:
            continue
        old, new = before.pattern, after.pattern
        if old.category is not new.category:
            found.add("category")
        elif old.voice is not new.voice:
            found.add("voice")
        elif before.mask == after.mask and old.family != new.family:
            found.add("alternation")
        if (before.head >= 0) != (after.head >= 0):
            found.add("relativization")
        if around != around_before:
            found.add("coordination" if COORDINATED in (around, around_before) else "embedding")
        if before.mask & ~after.mask:
            found.add("argument-omitted")
    return sorted(found) or ["order"]


# Other cases for those that another suite has: of the same kind, and in no suite yet.

Types = tuple[str, ...]


class Replacer:
    """Makes groups of cases anew, in the order in which they are asked for.

    There is one stream of random numbers for each combination of subcategorization types.
    """

    def __init__(self, repertoire: Repertoire, settings: SuiteSettings, seed: int) -> None:
        self._repertoire = repertoire
        self._settings = settings
        self._seed = seed
        self._wanted = frozenset(quota.form for quota in settings.quotas)
        self._generators: dict[Types, SuiteGenerator] = {}
        self._exhausted: set[tuple[Types, NearMiss | None]] = set()

    def group(
        self, lost: Sequence[Pair], types: Types, is_free: Callable[[Sequence[int]], bool]
    ) -> list[Pair] | None:
        """Find another group with the name, the near miss and the quotas of one that is lost.

        Args:
            lost: Its cases.
            types: The subcategorization types of its suite.
            is_free: Whether cases of these hashes are in no suite.

        Returns:
            As many cases; None where none were found.
        """
        made = sorted(case.meta["made"] for case in lost)
        kind = next((NearMiss(each) for each in made if each != RESTATED), None)
        if (types, kind) in self._exhausted:
            return None
        needed = self._forms(lost)
        generator = self._generator(types)
        for _ in range(PATIENCE):
            found = generator.group(lost[0].meta["group"], kind)
            if found is None:
                continue
            found = found[: len(lost)]
            if sorted(case.meta["made"] for case in found) != made:
                continue
            hashes = [case_hash(case) for case in found]
            if is_free(hashes) and len(set(hashes)) == len(hashes) and needed <= self._forms(found):
                return found
        self._exhausted.add((types, kind))
        return None

    def _forms(self, cases: Sequence[Pair]) -> frozenset[str]:
        """What they have of what quotas ask for, and how often it is there."""
        if not self._wanted:
            return frozenset()
        return frozenset(
            f"{i} {form}"
            for form in self._wanted
            for i in range(sum(form in set(quota_forms(case)) for case in cases))
        )

    def _generator(self, types: Types) -> SuiteGenerator:
        if types not in self._generators:
            entries = [e for e in self._repertoire.entries if e.subcategorization in types]
            seed = f"{self._seed}/again/{'+'.join(types)}"
            self._generators[types] = SuiteGenerator(
                self._repertoire, entries, self._settings, name="", seed=seed
            )
        return self._generators[types]
