"""The recognizer that proves the hypothesis or its negation, with its evidence.

The design of Afazio (Bedaride and Gardent 2010, section 3.1): both sides are parsed, rewritten until
paraphrases look the same, and left to a theorem prover.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain, zip_longest
from typing import Any

from ensue import __version__
from ensue.concurrency import made_once, no_fork
from ensue.errors import EnsueError, SettingError
from ensue.features import has_words
from ensue.language import (
    CachedAnalyzer,
    CallPool,
    PooledAnalyzer,
    Sentence,
    cache_file,
    installed_model,
    joined,
    load_analyzer,
)
from ensue.language.lexicon import load_lexicon
from ensue.logic import (
    Argument,
    Deadline,
    KnowledgeSettings,
    Reasoner,
    ReasoningOutcome,
    ReasoningSettings,
    Reasons,
    TimeOver,
    TokenLocator,
    atoms,
    problem_of,
    reasons_of,
    to_text,
)
from ensue.logic.meaning import Meaning
from ensue.logic.proving import BUDGET, Budget, Prover, open_prover
from ensue.pairs import Label, Pair, Signature, Status, Verdict, View
from ensue.recognizers.contract import (
    Arrays,
    Evidence,
    EvidenceSection,
    Explanation,
    Link,
    Side,
    Span,
    Step,
    checked_pair,
    checked_pairs,
    filled,
)

# What the answers of the logical recognizer depend on.


@dataclass(frozen=True, slots=True)
class LogicSettings:
    """With what is proved, and for how long."""

    knowledge: bool = True
    """Whether what the lexicon says of the words of a pair is taken for granted."""
    grammar: bool = True
    """Whether a grammar is asked for a second opinion on the parser's analyses."""
    prover: str = "z3"
    """`z3`, `eprover`, or `tptp:COMMAND {file} {seconds}` for any other."""
    seconds: float = BUDGET.seconds
    """What one pair may take, from its parse on, its explanation included."""
    steps: int = BUDGET.steps
    """What one pair may take in the prover's own counting, where it counts."""

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("steps", self.steps)):
            if not 0 < value < float("inf"):
                raise SettingError(
                    "setting-cannot",
                    f"setting {name!r} cannot be {value!r}",
                    hint="it takes a number above 0",
                )

    @property
    def reasoning(self) -> ReasoningSettings:
        """The same, for the reasoner."""
        knowledge = KnowledgeSettings() if self.knowledge else None
        return ReasoningSettings(knowledge, self.grammar, Budget(self.seconds, self.steps))


# From pairs to arguments: each distinct text parsed once, and its meaning made once a side.

_REMEMBERED = 2_000
"""KnownMeanings kept in memory from one chunk to the next."""
_CHUNK = 256
"""Pairs whose texts are analyzed together."""

Texts = tuple[str, ...]
"""A side of a pair: what it says, then its pieces where it has several that are read alone."""


AssertedTexts = tuple[Texts, bool]
"""A side, and whether it is said or asked."""


@dataclass(frozen=True, slots=True)
class ArgumentFailure:
    """Why there is no argument about a pair."""

    reason: str
    outcome: ReasoningOutcome = ReasoningOutcome.FAILED
    """`EXHAUSTED` where the time was over before both sides were read."""


@dataclass(frozen=True, slots=True)
class KnownMeaning:
    """What a side means, and the seconds that it took to find out.

    They count for every pair that has this side: whether one is decided must not depend on the
    pairs before it.
    """

    meaning: Meaning | ArgumentFailure
    seconds: float


KnownMeanings = dict[AssertedTexts, KnownMeaning]
"""What sides mean."""

turn = threading.RLock()
"""Held by the thread whose pair is read and proved, or explained. Only one at a time gets on at that,
and while it waited for others the time of its pair would be over."""


class MeaningReader:
    """Reads what both sides of pairs mean, and keeps what was asked for last."""

    def __init__(self, analyzer: CachedAnalyzer, reasoner: Reasoner) -> None:
        self._analyzer = analyzer
        self._reasoner = reasoner
        self._known: KnownMeanings = {}
        self._lock = threading.Lock()
        """Of what is known; nobody holds it while anything is read or proved."""
        self.n_made = 0
        """KnownMeanings that had to be made."""

    def arguments(
        self, pairs: Sequence[Pair], *, explain: bool = False
    ) -> Iterator[Argument | ArgumentFailure]:
        """What is to be said for or against each pair, in their order."""
        for start in range(0, len(pairs), _CHUNK):
            chunk = pairs[start : start + _CHUNK]
            sides = [((texts_of(pair), True), ((pair.hypothesis,), False)) for pair in chunk]
            meanings = self._kept(sides)
            n_kept = len(meanings)
            sentences = self._sentences(sides, meanings)
            unread: dict[AssertedTexts, ArgumentFailure] = {}  # for which there was no time enough
            for text, hypothesis in sides:
                with no_fork, turn:
                    found = unread.get(text) or self._argued(
                        text, hypothesis, sentences, meanings, explain=explain
                    )
                if isinstance(found, ArgumentFailure) and text not in meanings:
                    unread[text] = found
                yield found
            self._keep(meanings, n_made=len(meanings) - n_kept)

    def _argued(
        self,
        text: AssertedTexts,
        hypothesis: AssertedTexts,
        sentences: dict[str, Sentence],
        meanings: KnownMeanings,
        *,
        explain: bool,
    ) -> Argument | ArgumentFailure:
        """An argument from two sides, for which the clock begins to run here."""
        deadline = self._reasoner.deadline()
        try:
            said = self._meaning(text, sentences, meanings, deadline)
            asked = self._meaning(hypothesis, sentences, meanings, deadline)
            for side in (said, asked):
                if isinstance(side, ArgumentFailure):
                    return side
            assert isinstance(said, Meaning)
            assert isinstance(asked, Meaning)
            return self._reasoner.reason(said, asked, explain=explain, deadline=deadline)
        except TimeOver as over:
            reason = self._reasoner.spent("seconds", over.stage)
            return ArgumentFailure(reason, ReasoningOutcome.EXHAUSTED)
        except SettingError:
            raise  # nothing can be proved at all
        except EnsueError as error:
            return ArgumentFailure(error.message)
        except RecursionError:
            return ArgumentFailure("its formulas are nested too deeply")

    def _kept(self, sides: Sequence[tuple[AssertedTexts, AssertedTexts]]) -> KnownMeanings:
        """What is known already of the sides of a chunk; other threads may forget it meanwhile."""
        with no_fork, self._lock:
            return {
                each: self._known[each] for pair in sides for each in pair if each in self._known
            }

    def _keep(self, meanings: KnownMeanings, *, n_made: int) -> None:
        """Keep what was asked for, and forget what was not asked for longest."""
        with no_fork, self._lock:
            for each in meanings:
                self._known.pop(each, None)
            self._known |= meanings  # last in, so that they go last
            for each in list(self._known)[: max(0, len(self._known) - _REMEMBERED)]:
                del self._known[each]
            self.n_made += n_made

    def _sentences(
        self, sides: Sequence[tuple[AssertedTexts, AssertedTexts]], meanings: KnownMeanings
    ) -> dict[str, Sentence]:
        """The analysis of each text and of each piece of one whose meaning is not there yet."""
        wanted: dict[str, None] = {}
        for side in (each for pair in sides for each in pair):
            texts, _ = side
            if side not in meanings and has_words(texts[0]):
                wanted |= dict.fromkeys(texts[1:] or texts)
        found = self._analyzer.analyze(list(wanted))
        return dict(zip(wanted, found, strict=True))

    def _meaning(
        self,
        side: AssertedTexts,
        sentences: dict[str, Sentence],
        meanings: KnownMeanings,
        deadline: Deadline,
    ) -> Meaning | ArgumentFailure:
        found = meanings.get(side)
        if found is None:
            left = deadline.left
            meaning = self._made(side, sentences, deadline)
            found = meanings[side] = KnownMeaning(meaning, left - deadline.left)
        else:
            deadline.charge(found.seconds)
        return found.meaning

    def _made(
        self, asserted_texts: AssertedTexts, sentences: dict[str, Sentence], deadline: Deadline
    ) -> Meaning | ArgumentFailure:
        texts, asserted = asserted_texts
        side = "text" if asserted else "hypothesis"
        if not has_words(texts[0]):
            return ArgumentFailure(f"the {side} has no words")
        try:
            whole = _whole(texts, sentences)
            meaning = self._reasoner.meaning(whole, asserted=asserted, deadline=deadline)
        except RecursionError:
            return ArgumentFailure(f"the {side} is nested too deeply")
        if not any(True for condition in meaning.conditions for _ in atoms(condition)):
            return ArgumentFailure(f"nothing that the {side} says could be read")
        return meaning


def texts_of(pair: Pair) -> Texts:
    """The text, and its premises where it has several, each of which is read by itself."""
    premises = pair.meta.get("premises")
    if not isinstance(premises, list | tuple) or len(premises) < 2:
        return (pair.text,)
    pieces = tuple(str(premise) for premise in premises)
    return (pair.text, *pieces) if _places(pair.text, pieces) else (pair.text,)


def _places(text: str, pieces: Sequence[str]) -> list[int] | None:
    """Where each piece begins in a text; None where the text is not made of them."""
    places, at = [], 0
    for piece in pieces:
        found = text.find(piece, at)
        if found < 0 or text[at:found].strip():
            return None
        places.append(found)
        at = found + len(piece)
    return None if text[at:].strip() else places


def _whole(texts: Texts, sentences: dict[str, Sentence]) -> Sentence:
    text, *pieces = texts
    places = _places(text, pieces) if pieces else None
    if places is None:
        return sentences[text]
    found = [sentences[piece] for piece in pieces]
    return joined(text, list(zip(places, found, strict=True)))


@made_once
def shared_analyzer() -> CachedAnalyzer:
    """The analyzer of all logical recognizers of this process."""
    return CachedAnalyzer(load_analyzer(), cache_file())


def open_meaning_reader(reasoner: Reasoner, *, pool: CallPool | None = None) -> MeaningReader:
    """A reader with the usual analyzer; many texts are parsed by the pool, if there is one."""
    if pool is None:
        return MeaningReader(shared_analyzer(), reasoner)
    spread = PooledAnalyzer(load_analyzer(), pool)
    return MeaningReader(CachedAnalyzer(spread, cache_file()), reasoner)


# What a verdict of the logical recognizer rests on, in the schema of all explanations.

TPTP = "tptp"
"""The section that holds the problem as provers read it."""
_UNALIGNED = "unaligned"
_CORES = {
    ReasoningOutcome.YES: ("proof", "What the proof needs"),
    ReasoningOutcome.NO: ("against", "What the hypothesis stands against"),
    ReasoningOutcome.FAILED: ("contradiction", "What contradicts itself"),
}
_MISSING = {
    ReasoningOutcome.UNKNOWN: "What is missing for a proof",
    ReasoningOutcome.EXHAUSTED: "What was neither proved nor shown to be missing",
}
_GROUNDS = ("part of the hypothesis", "from the text", "by what is known of words")


def evidence_of(argument: Argument, prover: Prover, budget: Budget) -> Evidence:
    """The words that answer each other, the proof or what is missing, and the way to it.

    Where there is no time for all of it, what was found until then, and that this is so.
    """
    spans: list[Span] = []
    links: list[Link] = []
    sections: list[EvidenceSection] = []
    steps = list(_steps(argument, prover))
    argument.deadline.stage = "explaining"
    try:
        reasons = reasons_of(argument, prover, budget)
        spans, links = _linked(argument, reasons)
        for section in chain(_sections(argument, reasons), _trace(argument)):
            sections.append(section)
            argument.deadline.check()
    except TimeOver:
        left_out = f"cut short after {budget.seconds:g} s; a larger 'seconds' gives it more"
        steps.append(Step("explanation", left_out))
    return Evidence(spans, links, steps, sections=sections)


def _linked(argument: Argument, reasons: Reasons) -> tuple[list[Span], list[Link]]:
    text, hypothesis = TokenLocator(argument.text), TokenLocator(argument.hypothesis)
    spans: list[Span] = []
    links: list[Link] = []
    for joint in reasons.joints:
        spans.append(Span(Side.HYPOTHESIS, *hypothesis.span(joint.hypothesis), joint.kind, 1.0))
        spans.append(Span(Side.TEXT, *text.span(joint.text), joint.kind, 1.0))
        links.append(Link(len(spans) - 2, len(spans) - 1, joint.kind))
    spans += [
        Span(Side.HYPOTHESIS, *hypothesis.span(token), _UNALIGNED, 0.0) for token in reasons.lost
    ]
    return spans, links


def _sections(argument: Argument, reasons: Reasons) -> Iterator[EvidenceSection]:
    """What is meant, and why it follows or does not."""
    meanings = list(zip_longest(reasons.text, reasons.hypothesis, fillvalue=""))
    yield EvidenceSection("meanings", "What each side says", ("text", "hypothesis"), meanings)
    if reasons.grounds:
        proved = argument.outcome is ReasoningOutcome.YES
        title = "How the hypothesis follows" if proved else "What follows of the hypothesis"
        yield EvidenceSection("proof" if proved else "follows", title, *_grounds(reasons))
    if reasons.core:
        name, title = _CORES[argument.outcome]
        yield EvidenceSection(name, title, ("from", "what"), reasons.core)
    if reasons.missing:
        yield EvidenceSection("missing", _MISSING[argument.outcome], ("",), _lines(reasons.missing))
    if reasons.world and argument.outcome is ReasoningOutcome.UNKNOWN:
        title = "A world in which the text is true and the hypothesis is not"
        lines = [*reasons.world, f"but not: {'; '.join(reasons.missing)}"]
        yield EvidenceSection("countermodel", title, ("",), _lines(lines))


def _grounds(reasons: Reasons) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """What each part rests on; facts about words only where there are any."""
    rows: list[tuple[str, ...]] = [
        (each.part, "; ".join(each.sources), "; ".join(each.facts)) for each in reasons.grounds
    ]
    if any(each.facts for each in reasons.grounds):
        return _GROUNDS, rows
    return _GROUNDS[:2], [row[:2] for row in rows]


def _lines(lines: Iterable[str]) -> list[tuple[str, ...]]:
    return [(line,) for line in lines]


def _steps(argument: Argument, prover: Prover) -> Iterator[Step]:
    finding = argument.finding
    version = f" {prover.version}" if prover.version else ""
    cost = f"{finding.steps:,} steps of {prover.name}{version}"
    if not finding.steps:
        cost = f"{prover.name}{version}" if prover.name != "z3" else "by building a world"
    yield Step("outcome", f"{argument.outcome.value} ({cost})")
    if argument.outcome in (ReasoningOutcome.YES, ReasoningOutcome.NO):
        used = [name for name in finding.needed if name.startswith("w")]
        yield Step("word facts used", f"{len(used)} of {len(argument.facts)}")


def _trace(argument: Argument) -> Iterator[EvidenceSection]:
    """How the meanings came about, folded away."""
    sides = (("text", argument.text), ("hypothesis", argument.hypothesis))
    changes = [(side, *change) for side, meaning in sides for change in meaning.parsed.changes]
    if changes:
        columns = ("side", "by", "change")
        yield EvidenceSection(
            "parsing", "What was changed in the parse", columns, changes, folded=True
        )
    steps = [
        (side, step.rule, step.what) for side, meaning in sides for step in meaning.graph.steps
    ]
    if steps:
        columns = ("side", "rule", "what it did")
        yield EvidenceSection("rewriting", "How it was rewritten", columns, steps, folded=True)
    yield EvidenceSection(
        "formulas", "Formulas", ("name", "formula"), list(_formulas(argument)), folded=True
    )
    lines = _lines(problem_of(argument).splitlines())
    yield EvidenceSection(TPTP, "The problem for other provers (TPTP)", ("",), lines, folded=True)


def _formulas(argument: Argument) -> Iterator[tuple[str, str]]:
    for i, condition in enumerate(argument.text.conditions):
        argument.deadline.check()
        yield f"t{i}", to_text(condition)
    for i, fact in enumerate(argument.facts):
        yield f"w{i}", f"{to_text(fact.formula)}  ({fact.words})"
    yield "hypothesis", to_text(argument.hypothesis.formula)


# Say yes where the hypothesis is proved from the text, and no where its negation is.

NAME = "logic"
_ANALYZER, _VERSION = "analyzer", "prover_version"
_RANGE = (-1.0, 1.0)
_WORD_FACT = 0.9
"""How sure a proof still is after each fact about words that it uses."""
_DECISIONS = {
    ReasoningOutcome.YES: (Label.ENTAILMENT, 1.0),
    ReasoningOutcome.NO: (Label.CONTRADICTION, -1.0),
    ReasoningOutcome.UNKNOWN: (Label.UNKNOWN, 0.0),
}
"""The label and the score of each outcome that is a decision."""


@dataclass(slots=True, eq=False)
class ProverSession:
    """A prover, and what is opened with it when the first pair comes."""

    chosen: LogicSettings
    prover: Prover
    pool: CallPool | None = None
    """Parses large batches; what is parsed is proved in this process."""
    _reader: MeaningReader | None = None

    @property
    def reader(self) -> MeaningReader:
        """What reads pairs."""
        if self._reader is None:
            reasoner = Reasoner(load_lexicon(), self.prover, self.chosen.reasoning)
            # what is loaded once is no part of what a pair takes
            reasoner.load()
            self._reader = open_meaning_reader(reasoner, pool=self.pool)
        return self._reader


@dataclass(frozen=True, slots=True)
class LogicRecognizer:
    """Proves, refutes, or finds that neither can be done."""

    chosen: LogicSettings
    mind: ProverSession = field(compare=False, repr=False)

    @property
    def settings(self) -> dict[str, object]:
        """Every setting with its value, what analyzes, and the version of the prover."""
        version = {_VERSION: self.mind.prover.version} if self.mind.prover.version else {}
        return {**asdict(self.chosen), **version, _ANALYZER: installed_model()}

    @property
    def signature(self) -> Signature:
        """The recipe that repeats the verdicts."""
        return Signature(NAME, __version__, self.settings, view=View.THREE_WAY, score_range=_RANGE)

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict for each pair, in order."""
        found = self.arguments(pairs)
        return [verdict_of(pair.id, each) for pair, each in zip(pairs, found, strict=True)]

    def arguments(
        self, pairs: Sequence[Pair], *, explain: bool = False
    ) -> list[Argument | ArgumentFailure]:
        """What each verdict rests on; where they are to be explained, without what is not needed."""
        asked = checked_pairs(pairs)
        return list(self.mind.reader.arguments(asked, explain=explain)) if asked else []

    def explain(self, pair: Pair) -> Explanation:
        """The proof, or what is missing for one."""
        checked_pair(pair)
        with no_fork, turn:
            (found,) = self.arguments([pair], explain=True)
            evidence = self.evidence(found)
        return Explanation(pair, verdict_of(pair.id, found), self.signature, evidence)

    def evidence(self, found: Argument | ArgumentFailure) -> Evidence:
        """What a verdict rests on; nothing where a side could not be read."""
        if isinstance(found, ArgumentFailure):
            return Evidence()
        with no_fork:  # it asks the prover, too
            return evidence_of(found, self.mind.prover, self.chosen.reasoning.budget)

    def with_pool(self, pool: CallPool | None) -> LogicRecognizer:
        """The same recognizer, with a pool that parses large batches."""
        return LogicRecognizer(self.chosen, ProverSession(self.chosen, self.mind.prover, pool))

    def arrays(self) -> Arrays:
        """Nothing: there is nothing to learn."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        """The recipe: another process opens a prover and a reader of its own."""
        return LOGIC.build, (asdict(self.chosen),)


@dataclass(frozen=True, slots=True)
class LogicKind:
    """What the entry point names."""

    name: str = NAME
    summary: str = "proves the hypothesis, or its negation, from the text; says why"

    def build(self, settings: Mapping[str, object]) -> LogicRecognizer:
        """A recognizer with these settings, whose prover is there."""
        chosen = filled(LogicSettings, settings)
        return LogicRecognizer(chosen, ProverSession(chosen, open_prover(chosen.prover)))

    def restore(self, signature: Signature, arrays: Arrays) -> LogicRecognizer:  # noqa: ARG002
        """The recognizer that was kept with this signature."""
        return self.build(own_settings(signature))


LOGIC = LogicKind()


def own_settings(signature: Signature) -> dict[str, object]:
    """The settings of a signature without what it says of the installation."""
    told = (_ANALYZER, _VERSION)
    return {name: value for name, value in signature.settings.items() if name not in told}


def verdict_of(pair_id: str, found: Argument | ArgumentFailure) -> Verdict:
    """The verdict that an argument comes to."""
    if isinstance(found, Argument) and found.outcome in _DECISIONS:
        label, score = _DECISIONS[found.outcome]
        return Verdict(pair_id, label, score, confidence_of(found))
    if found.outcome is ReasoningOutcome.EXHAUSTED:
        reason = f"neither proof nor countermodel within the budget: {found.reason}"
        return Verdict(pair_id, None, status=Status.BUDGET_EXHAUSTED, reason=reason)
    return Verdict(pair_id, None, status=Status.FAILED, reason=found.reason)


def confidence_of(argument: Argument) -> float:
    """How sure an answer is, from 0 to 1.

    A proof from what the text says is certain; each fact about words makes it less so, since words
    have senses. That nothing is proved is the surer the more of the hypothesis is missing: the
    share of its conditions that are false in the countermodel, however its things are chosen.
    """
    if argument.outcome is not ReasoningOutcome.UNKNOWN:
        n_facts = sum(name.startswith("w") for name in argument.finding.core)
        return float(_WORD_FACT**n_facts)
    return len(argument.false) / len(argument.hypothesis.box.conditions)
