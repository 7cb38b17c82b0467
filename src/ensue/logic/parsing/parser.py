"""The parse of a text: the grammar's where it reaches, else the parser's, repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ensue.language import Sentence
from ensue.language.lexicon import Lexicon
from ensue.logic.parsing import repairs as attachment, repairs as clefts, repairs as predicates
from ensue.logic.parsing.chart import second_opinion
from ensue.logic.parsing.repairs import Repair, sentence_of, tree_of

REPAIRS: tuple[Repair, ...] = (*predicates.PREDICATE_REPAIRS, *attachment.ATTACHMENT_REPAIRS)
"""What is put right in the parser's analysis."""
TRANSFORMATIONS: tuple[Repair, ...] = (
    *clefts.CLEFT_REPAIRS,
    predicates.GERUNDS,
    predicates.PARTICLES,
)
"""What is put together in whichever analysis is read."""
_STRANGE, _STRANGER = 0.5, 0.25
"""The cost of an analysis that is still believed: of any, and more for each token."""
_ENDS = frozenset('.!?;:"”')
_VERBLESS = 3.0
"""How much more it may cost where the parser finds no finite verb."""
_FINITE = frozenset(("MD", "VBD", "VBP", "VBZ"))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text as it is read."""

    sentence: Sentence
    changes: tuple[tuple[str, str], ...]
    """What was changed in the parser's analysis: by which mend, and what."""


def parse(sentence: Sentence, *, lexicon: Lexicon, grammar: bool = True) -> Parsed:
    """The best analysis of a text, sentence by sentence.

    Args:
        sentence: As the parser analyzed it.
        lexicon: What words may be.
        grammar: Whether the grammar is asked; else the parser's analysis is read, mended.
    """
    heads = sentence.heads.tolist()
    parts: list[Sentence] = []
    changes: list[tuple[str, str]] = []
    for start, end in _spans(heads, sentence.forms):
        part = _cut(sentence, start, end)
        opinion = second_opinion(part, lexicon=lexicon) if grammar else None
        if opinion is not None and opinion.cost <= _strangest(part):
            changes += _differences(part, opinion.sentence)
            tree, mends = tree_of(opinion.sentence, lexicon), TRANSFORMATIONS
        else:
            tree, mends = tree_of(part, lexicon), (*REPAIRS, *TRANSFORMATIONS)
        for mend in mends:
            known = len(tree.changes)
            mend.apply(tree)
            changes += [(mend.name, change) for change in tree.changes[known:]]
        parts.append(sentence_of(tree))
    return Parsed(_joined(sentence, parts), tuple(changes))


def _strangest(sentence: Sentence) -> float:
    """The cost of the strangest analysis that is still better than the parser's."""
    most = _STRANGE + _STRANGER * len(sentence)
    has_verb = any(tag in _FINITE for tag in sentence.tags)
    return most if has_verb else most + _VERBLESS


def _spans(heads: Sequence[int], forms: Sequence[str]) -> list[tuple[int, int]]:
    """Where each sentence begins and ends, in tokens: what hangs on one root, up to its full stop."""
    roots = []
    for token in range(len(heads)):
        at = token
        while heads[at] >= 0:
            at = heads[at]
        roots.append(at)
    last = {root: token for token, root in enumerate(roots)}
    spans: list[tuple[int, int]] = []
    end = 0
    for token, root in enumerate(roots):
        if token >= end and (not spans or forms[token - 1] in _ENDS):
            spans.append((token, token))
        end = max(end, last[root] + 1)
        spans[-1] = (spans[-1][0], end)
    return spans


def _cut(sentence: Sentence, start: int, end: int) -> Sentence:
    if (start, end) == (0, len(sentence)):
        return sentence
    heads = sentence.heads[start:end]
    return Sentence(
        sentence.text,
        sentence.starts[start:end],
        sentence.ends[start:end],
        np.where(heads < 0, -1, heads - start).astype(np.int32),
        sentence.lemmas[start:end],
        sentence.tags[start:end],
        sentence.parts[start:end],
        sentence.relations[start:end],
        sentence.entities[start:end],
    )


def _joined(whole: Sentence, parts: Sequence[Sentence]) -> Sentence:
    if len(parts) == 1:
        return parts[0]
    heads: list[int] = []
    for part in parts:
        at = len(heads)
        heads += [head if head < 0 else head + at for head in part.heads.tolist()]
    return replace(
        whole,
        heads=np.array(heads, np.int32),
        lemmas=tuple(lemma for part in parts for lemma in part.lemmas),
        tags=tuple(tag for part in parts for tag in part.tags),
        parts=tuple(each for part in parts for each in part.parts),
        relations=tuple(relation for part in parts for relation in part.relations),
    )


def _differences(before: Sentence, after: Sentence) -> list[tuple[str, str]]:
    """What the grammar sees otherwise."""
    forms = before.forms
    found = []
    for token, form in enumerate(forms):
        if before.parts[token] != after.parts[token]:
            found.append(f"{form}: {before.tags[token]} → {after.tags[token]}")
        was, now = int(before.heads[token]), int(after.heads[token])
        if was != now and before.relations[token] != "punct":
            found.append(
                f"{form}: {before.relations[token]} of {forms[was] if was >= 0 else 'nothing'}"
                f" → {after.relations[token]} of {forms[now] if now >= 0 else 'nothing'}"
            )
    return [("grammar", each) for each in found]
