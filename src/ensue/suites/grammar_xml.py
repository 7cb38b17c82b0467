"""Grammars read from XML, with the place of every element.

What is new here beside the paper's elements: `<Be/>`, `<RelPro/>`, `<Adverb/>` and `<Adjective/>`
in patterns; `tense` and `number` of `<Verb>`; `<Arg n="manner">`; `symmetric` and `implies` of `<Set>`;
`includes`, `human` and `nominal` of `<SemArg>`; `number` and `adverb` of its `<Arg>`; `<Family>`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from ensue.errors import DataError
from ensue.files import ElementNode, open_input, read_tree
from ensue.suites.grammar import (
    MANNER,
    Category,
    Number,
    Pattern,
    PatternPiece,
    Phrase,
    PhraseKind,
    PieceKind,
    Predicate,
    RoleDistribution,
    SemanticType,
    SentenceTense,
    SuiteGrammar,
    Voice,
)

# Reading a grammar from XML, with the place of everything in it.

ENGLISH = "english"
"""The name of the grammar that comes with the package."""

_ROOT = "Grammar"
_TOP = ("Family", "Const", "Set", "SemArgs")
_PIECES = {kind.value: kind for kind in PieceKind if kind is not PieceKind.WORD}
_NUMBERED = (PieceKind.ARGUMENT, PieceKind.PREPOSITION)
_ARTICLE = re.compile(r"(?i)(an?|the)\s+")
_DETERMINERS = {"his", "her", "its", "their", "this", "these", "that", "those"}
_FORMS = [(tense, number) for tense in SentenceTense for number in Number]

T = TypeVar("T")


def read_grammar(*sources: str | Path) -> SuiteGrammar:
    """Read one grammar from one or several files.

    Args:
        sources: Files, or `english` for the grammar that comes with the package. None is `english`.

    Raises:
        DataError: a file is not XML, or an element is not what it should be; it says where.
    """
    documents = [_document(source) for source in sources or (ENGLISH,)]
    digest = hashlib.sha256(b"\0".join(content for _, content in documents)).hexdigest()[:16]
    elements = [each for name, content in documents for each in _elements(name, content)]
    types = [each for node in elements if node.tag == "SemArgs" for each in _types(node)]
    patterns: dict[str, tuple[Pattern, ...]] = {}
    for pattern in (_pattern(node) for node in elements if node.tag == "Const"):
        patterns[pattern.family] = (*patterns.get(pattern.family, ()), pattern)
    predicates = [_predicate(node) for node in elements if node.tag == "Set"]
    return SuiteGrammar(
        name="+".join(name if name == ENGLISH else Path(name).name for name, _ in documents),
        digest=digest,
        patterns=patterns,
        predicates=_by_name("predicate", predicates),
        types=_by_name("type", types),
        titles=dict(_title(node) for node in elements if node.tag == "Family"),
    )


def _document(source: str | Path) -> tuple[str, bytes]:
    if str(source) == ENGLISH:
        return ENGLISH, files("ensue.suites").joinpath("english.xml").read_bytes()
    with open_input(source) as file:
        return str(source), file.read()


def _elements(name: str, content: bytes) -> Iterator[ElementNode]:
    if _is_fragment(content):
        content = b"".join([b"<", _ROOT.encode(), b">", content, b"</", _ROOT.encode(), b">"])
    root = read_tree(BytesIO(content), name)
    if root.tag != _ROOT:
        raise root.error(
            "element-no-grammar", "this is no grammar", hint=f"its outermost element is <{_ROOT}>"
        )
    root.check((), _TOP)
    yield from root.elements


def _is_fragment(content: bytes) -> bool:
    """Whether there are the elements of a grammar and nothing around them, as a paper prints them."""
    start = re.sub(rb"<!--.*?-->", b"", content.removeprefix(b"\xef\xbb\xbf"), flags=re.DOTALL)
    return start.lstrip().startswith(tuple(f"<{tag}".encode() for tag in _TOP))


def _by_name(kind: str, found: Sequence[Any]) -> dict[str, Any]:
    by_name: dict[str, Any] = {}
    for each in found:
        if each.name in by_name:
            raise DataError(
                "is-there-twice",
                f"the {kind} {each.name!r} is there twice",
                place=each.place,
                hint=f"the first is at {by_name[each.name].place}",
            )
        by_name[each.name] = each
    return by_name


def _title(node: ElementNode) -> tuple[str, str]:
    node.check(("id", "name"), ())
    return node.attribute("id"), node.attribute("name")


def _pattern(node: ElementNode) -> Pattern:
    node.check(("id", "type", "relPro"), _PIECES)
    category, voice, constructs = _type_parts(node)
    pieces = tuple(_pieces(node))
    head = node.attributes.get("relPro")
    pattern = Pattern(
        family=node.attribute("id"),
        type=node.attribute("type"),
        category=category,
        voice=voice,
        constructs=constructs,
        head=None if head is None else _whole(node, "relPro"),
        pieces=pieces,
        place=node.place,
    )
    _check_pattern(node, pattern)
    return pattern


def _type_parts(node: ElementNode) -> tuple[Category, Voice | None, tuple[str, ...]]:
    first, *rest = node.attribute("type").split("-")
    if first not in set(Category) or "" in rest:
        raise node.error(
            "element-type-makes-no-sense",
            f"the type {node.attribute('type')!r} makes no sense",
            hint="V-A, V-P-PP0, V-R0-A, N-Poss: V or N, then A or P of a V, then constructs",
        )
    voices = [part for part in rest if part in set(Voice)]
    if len(voices) != (first == Category.VERB):
        raise node.error(
            "element-type-needs-voice",
            f"the type {node.attribute('type')!r} needs {'one' if first == 'V' else 'no'} voice",
            hint="a V pattern has A or P, an N pattern neither",
        )
    constructs = [re.sub(r"^R\d+$", "R", part) for part in rest if part not in set(Voice)]
    voice = Voice(voices[0]) if voices else None
    return Category(first), voice, tuple(dict.fromkeys(constructs))


def _pieces(node: ElementNode) -> Iterator[PatternPiece]:
    spaced = True
    for child in node.children:
        if isinstance(child, ElementNode):
            child.check(("id",) if _PIECES[child.tag] in _NUMBERED else (), ())
            kind = _PIECES[child.tag]
            number = _whole(child, "id") if kind in _NUMBERED else 0
            yield PatternPiece(kind, number, glued=not spaced)
            spaced = False
            continue
        for i, word in enumerate(child.split()):
            yield PatternPiece(PieceKind.WORD, word=word, glued=i == 0 and _glued(child, spaced))
        spaced = child[-1:].isspace() or (spaced and not child)


def _glued(text: str, spaced: bool) -> bool:
    return not spaced and not text[:1].isspace()


def _check_pattern(node: ElementNode, pattern: Pattern) -> None:
    if not pattern.pieces:
        raise node.error("element-pattern-empty", "the pattern is empty")
    arguments = pattern.ids(PieceKind.ARGUMENT)
    if len(set(arguments)) < len(arguments):
        raise node.error(
            "element-np-twice", "an <NP> is there twice", hint="each id stands in a pattern once"
        )
    of_verb = (PieceKind.VERB, PieceKind.PARTICIPLE)
    core = of_verb if pattern.category is Category.VERB else (PieceKind.NOUN,)
    if sum(piece.kind in core for piece in pattern.pieces) != 1:
        named = " or ".join(f"<{kind.value}/>" for kind in core)
        raise node.error(
            "element-pattern-once", f"a {pattern.category.value} pattern has {named} once"
        )
    first = pattern.pieces[0]
    if pattern.head is not None and first != PatternPiece(PieceKind.ARGUMENT, pattern.head):
        raise node.error(
            "element-np-id-not-first",
            f'<NP id="{pattern.head}"/> is not its first element',
            hint="relPro is the id of the argument that the relative clause is about",
        )
    if pattern.has(PieceKind.PRONOUN) and pattern.head is None:
        raise node.error(
            "element-relpro-needs-attribute-relpro",
            "<RelPro/> needs the attribute relPro",
            hint='e.g. relPro="0"',
        )


def _predicate(node: ElementNode) -> Predicate:
    node.check(("pred", "symmetric", "implies"), ("Parts", "Dists"))
    parts, dists = _only(node, "Parts"), _only(node, "Dists")
    parts.check((), ("Verb", "PPVerb", "Noun", "Arg"))
    dists.check((), ("Dist",))
    roles = _roles([child for child in parts.elements if child.tag == "Arg"])
    manner = roles.pop(MANNER, None)
    name = node.attribute("pred")
    return Predicate(
        name=name,
        verbs=_verbs([child for child in parts.elements if child.tag == "Verb"]),
        participle=_word(parts, "PPVerb"),
        noun=_word(parts, "Noun"),
        roles=roles,
        manner=manner,
        symmetric=_symmetric(node, roles),
        implies=tuple(node.attributes.get("implies", "").split()),
        distributions=tuple(_distribution(child, name, roles) for child in dists.elements),
        place=node.place,
    )


def _verbs(nodes: Sequence[ElementNode]) -> dict[tuple[SentenceTense, Number], str]:
    """The finite forms; a past form without a number is of both."""
    verbs: dict[tuple[SentenceTense, Number], str] = {}
    of_both: str | None = None
    for node in nodes:
        node.check(("tense", "number"), ())
        tense = _choice(node, "tense", SentenceTense, SentenceTense.PRESENT)
        number = _choice(node, "number", Number, Number.SINGULAR)
        if (tense, number) in verbs:
            raise node.error(
                "element-is-there-twice", f"the {number} of the {tense} is there twice"
            )
        verbs[tense, number] = _text(node)
        if tense is SentenceTense.PAST and "number" not in node.attributes:
            of_both = _text(node)
    if of_both is not None:
        verbs.setdefault((SentenceTense.PAST, Number.PLURAL), of_both)
    return {form: verbs[form] for form in _FORMS if form in verbs}


def _word(node: ElementNode, tag: str) -> str | None:
    found = [child for child in node.elements if child.tag == tag]
    if len(found) > 1:
        raise found[1].error("element-is-there-twice", "is there twice")
    for child in found:
        child.check((), ())
    return _text(found[0]) if found else None


def _roles(nodes: Sequence[ElementNode]) -> dict[str, str]:
    """The type of each role, the manner's included."""
    roles: dict[str, str] = {}
    for node in nodes:
        role, kind = _role(node)
        if role in roles:
            raise node.error("element-role-twice", f"the role {role!r} is there twice")
        roles[role] = kind
    return roles


def _role(node: ElementNode) -> tuple[str, str]:
    node.check(("n", "id"), ())
    role = node.attribute("n")
    if role != MANNER and not (len(role) == 1 and role.isdecimal()):
        raise node.error(
            "element-no-role", f"{role!r} is no role", hint=f"a digit from 0 to 9, or {MANNER}"
        )
    return role, node.attribute("id")


def _symmetric(node: ElementNode, roles: Mapping[str, str]) -> frozenset[str]:
    given = node.attributes.get("symmetric", "")
    if given and (len(given) != 2 or len(set(given)) != 2 or not set(given) <= set(roles)):
        raise node.error(
            "element-symmetric-not-name-two",
            f"symmetric={given!r} does not name two roles",
            hint='e.g. symmetric="01"',
        )
    return frozenset(given)


def _distribution(node: ElementNode, predicate: str, roles: Mapping[str, str]) -> RoleDistribution:
    node.check(("constfam", "dist", "fill"), ())
    given = node.attribute("dist")
    for role in given:
        if role not in roles:
            raise node.error(
                "element-no-role",
                f"{predicate!r} has no role {role!r}",
                hint=f"its roles are {', '.join(roles)}",
            )
    if len(set(given)) < len(given):
        raise node.error("element-dist-names-role-twice", f"dist={given!r} names a role twice")
    fill = node.attributes.get("fill", "").split()
    return RoleDistribution(
        family=node.attribute("constfam"),
        roles=tuple(given),
        prepositions=tuple(word.replace("_", " ") for word in fill),
        place=node.place,
    )


def _types(node: ElementNode) -> Iterator[SemanticType]:
    node.check((), ("SemArg",))
    for child in node.elements:
        child.check(("id", "includes", "human", "nominal"), ("Arg",))
        human = _yes(child, "human")
        yield SemanticType(
            name=child.attribute("id"),
            phrases=tuple(_phrase(each, human) for each in child.elements),
            includes=tuple(child.attributes.get("includes", "").split()),
            nominal=_yes(child, "nominal"),
            place=child.place,
        )


def _phrase(node: ElementNode, human: bool) -> Phrase:
    node.check(("number", "adverb"), ())
    text = _text(node)
    article = _ARTICLE.match(text)
    if article:
        text = article[0].lower() + text[article.end() :]
    return Phrase(
        text=text,
        kind=_phrase_kind(text),
        number=_choice(node, "number", Number, Number.SINGULAR),
        human=human,
        adverb=node.attributes.get("adverb"),
    )


def _phrase_kind(text: str) -> PhraseKind:
    first = text.split()[0]
    if first in ("a", "an"):
        return PhraseKind.INDEFINITE
    if first == "the" or first in _DETERMINERS or text[0].islower():
        return PhraseKind.DEFINITE
    return PhraseKind.NAME


def _only(node: ElementNode, tag: str) -> ElementNode:
    found = [child for child in node.elements if child.tag == tag]
    if len(found) != 1:
        raise node.error(
            "element-has", f"has {len(found)} <{tag}>", hint=f"each <{node.tag}> has one <{tag}>"
        )
    return found[0]


def _text(node: ElementNode) -> str:
    if not node.text:
        raise node.error("element-is-empty", "is empty")
    return node.text


def _whole(node: ElementNode, name: str) -> int:
    given = node.attribute(name)
    if not (len(given) == 1 and given.isdecimal()):
        raise node.error("element-no-id", f"{name}={given!r} is no id", hint="a digit from 0 to 9")
    return int(given)


def _yes(node: ElementNode, name: str) -> bool:
    given = node.attributes.get(name, "no")
    if given not in ("yes", "no"):
        raise node.error(
            "element-makes-no-sense", f"{name}={given!r} makes no sense", hint="yes or no"
        )
    return given == "yes"


def _choice(node: ElementNode, name: str, kinds: Any, default: T) -> T:
    given = node.attributes.get(name)
    if given is None:
        return default
    if given not in set(kinds):
        raise node.error(
            "element-makes-no-sense", f"{name}={given!r} makes no sense", hint=" or ".join(kinds)
        )
    found: T = kinds(given)
    return found
