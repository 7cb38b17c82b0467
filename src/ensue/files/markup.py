"""Safe streaming reading of XML: no entity is declared, nothing is fetched, places are known.

Expat is used directly: it gives line numbers and constant memory. HTML's named characters
(`&eacute;`) are known in every file, since data sets use them without saying so; any other
declaration of an entity is refused, which ends billion-laughs and external entities alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.entities import name2codepoint
from typing import Any, BinaryIO, Protocol, TypeVar
from xml.parsers import expat

from ensue.errors import DataError, UnknownNameError
from ensue.files.inputs import decoded_pieces, known_codec, marked_encoding, peeked

T = TypeVar("T")

_DECLARED = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ATTRIBUTE = re.compile(r"""=\s*(?:"[^"<>]*"|'[^'<>]*')""")
_ENTITY = re.compile(r"&(\w+);")
_XML_OWN = {"amp", "lt", "gt", "quot", "apos"}
_CUT_OFF = {expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]} | {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
}


class Builder(Protocol[T]):
    """Makes something of a document's elements."""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def data(self, text: str) -> None:
        """Text goes on."""

    def take(self) -> list[T]:
        """What has been finished since the last time."""


def parse(file: BinaryIO, name: str, encoding: str | None, builder: Builder[T]) -> Iterator[T]:
    """Feed a document to a builder and yield what it makes, as soon as it is made.

    Raises:
        DataError: the file is not XML, ends in the middle, is not in its encoding, declares an
            entity or uses one that is not known.
    """
    head, file = peeked(file, 1024)
    if not head.strip():
        raise DataError("file-empty", "the file is empty", place=name)
    parser = _SafeParser(name, builder)
    guard = _TagGuard(name)
    for piece in decoded_pieces(file, name, encoding or _own_encoding(head, name)):
        parser.feed(guard.whole(piece))
        yield from builder.take()
    parser.feed(guard.rest(), final=True)
    yield from builder.take()


def looks_like_xml(head: bytes) -> bool:
    """Whether the first character is `<`, in whatever encoding."""
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n").startswith(b"<")


def _own_encoding(head: bytes, name: str) -> str:
    """The encoding that a document announces (XML 1.0, appendix F), or UTF-8."""
    marked = marked_encoding(head)
    if marked:
        return marked
    if head.startswith((b"<\0", b"\0<")):
        return "utf-16-le" if head.startswith(b"<\0") else "utf-16-be"
    found = _DECLARED.search(head)
    declared = found[1].decode("ascii") if found else "utf-8"
    if known_codec(declared).name.startswith(("utf-16", "utf-32")):
        raise DataError(
            "file-says-not",
            f"the file says it is {declared}, and is not",
            place=f"{name}:1",
            hint="name its encoding, e.g. --read encoding=utf-8",
        )
    return declared


class _SafeParser:
    """Expat with everything closed that a document could reach the outside or grow by."""

    def __init__(self, name: str, builder: Builder[Any]) -> None:
        self._name = name
        self._builder = builder
        self._expat = expat.ParserCreate()
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = builder.end
        self._expat.CharacterDataHandler = builder.data
        self._expat.EntityDeclHandler = self._refuse_entity
        self._expat.SkippedEntityHandler = self._refuse_unknown
        self._expat.ExternalEntityRefHandler = self._name_characters
        self._expat.UseForeignDTD(True)
        self._expat.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)

    def feed(self, piece: str, *, final: bool = False) -> None:
        """Go on with the document."""
        try:
            self._expat.Parse(piece, final)
        except expat.ExpatError as error:
            raise _data_error(error, f"{self._name}:{error.lineno}") from None

    def _place(self) -> str:
        return f"{self._name}:{self._expat.CurrentLineNumber}"

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._builder.start(tag, attributes, self._expat.CurrentLineNumber)

    def _refuse_entity(self, entity: str, *_: object) -> None:
        raise DataError(
            "file-declares-entity-refused",
            f"the file declares the entity {entity!r}, which is refused",
            place=self._place(),
            hint="remove the <!ENTITY …> declaration; HTML's named characters need none",
        )

    def _refuse_unknown(self, entity: str, *_: object) -> None:
        raise _unknown_entity(entity, self._place())

    def _name_characters(self, context: str | None, *_: object) -> int:
        """Stand in for whatever DTD the document names; that one is never opened."""
        inner = self._expat.ExternalEntityParserCreate(context)
        inner.EntityDeclHandler = None
        inner.Parse(_character_dtd(), True)
        return 1


@cache
def _character_dtd() -> str:
    return "".join(
        f'<!ENTITY {name} "&#{point};">'
        for name, point in name2codepoint.items()
        if name not in _XML_OWN
    )


class _TagGuard:
    """Passes a document on without cutting tags, and refuses unknown entities in attributes.

    Expat would drop such entities without a word, and before its version 2.6 it reads what there
    is of a tag anew with each piece of it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = 1
        self._open: list[str] = []
        """The pieces of a tag that has begun and not ended yet."""

    def whole(self, piece: str) -> str:
        """What can be passed on now that there is the next piece of the document."""
        if self._open and "<" not in piece and ">" not in piece:
            self._open.append(piece)
            return ""
        text = self.rest() + piece
        begin = text.rfind("<")
        n_done = begin if begin > text.rfind(">") else len(text)
        self._open = [text[n_done:]] if n_done < len(text) else []
        done = text[:n_done]
        self._check(done)
        self._line += done.count("\n")
        return done

    def rest(self) -> str:
        """What has not been passed on."""
        return "".join(self._open)

    def _check(self, text: str) -> None:
        for value in _ATTRIBUTE.finditer(text):
            for entity in _ENTITY.findall(value[0]):
                if entity not in name2codepoint and entity not in _XML_OWN:
                    line = self._line + text.count("\n", 0, value.start())
                    raise _unknown_entity(entity, f"{self._name}:{line}")


def _unknown_entity(entity: str, place: str) -> DataError:
    return DataError(
        "unknown-entity",
        f"unknown entity '&{entity};'",
        place=place,
        hint="write it as &#…; or &amp;",
    )


def _data_error(error: expat.ExpatError, place: str) -> DataError:
    reason = expat.errors.messages[error.code]
    if error.code in _CUT_OFF:
        return DataError(
            "xml-ends-middle",
            f"the XML ends in the middle: {reason}",
            place=place,
            hint="is the file complete?",
        )
    hint = "a bare & is written &amp; and a bare < is written &lt;"
    if (error.lineno, error.offset) == (1, 0):
        hint = "is the file XML? name its format with --read format=FORMAT where it is another one"
    return DataError("not-xml", f"not XML: {reason}", place=place, hint=hint)


# A whole document as a tree, for files that are small.


def read_tree(file: BinaryIO, name: str, encoding: str | None = None) -> ElementNode:
    """The outermost element of a document.

    Raises:
        DataError: as `parse`.
    """
    (root,) = parse(file, name, encoding, _TreeBuilder(name))
    return root


@dataclass(slots=True)
class ElementNode:
    """An element with what is in it."""

    tag: str
    attributes: Mapping[str, str]
    place: str
    children: list[ElementNode | str] = field(default_factory=list)

    @property
    def elements(self) -> list[ElementNode]:
        """The elements in it."""
        return [child for child in self.children if isinstance(child, ElementNode)]

    @property
    def text(self) -> str:
        """The words in it, apart from those of its elements."""
        return " ".join("".join(c for c in self.children if isinstance(c, str)).split())

    def error(self, code: str, message: str, hint: str | None = None) -> DataError:
        """What to raise where something is wrong with it."""
        return DataError(code, f"<{self.tag}>: {message}", place=self.place, hint=hint)

    def attribute(self, name: str) -> str:
        """The value of an attribute that it must have."""
        if name not in self.attributes:
            raise self.error(
                "element-no-attribute",
                f"has no attribute {name!r}",
                hint=f'e.g. <{self.tag} {name}="…">',
            )
        return self.attributes[name]

    def check(self, attributes: Iterable[str], children: Iterable[str]) -> None:
        """Refuse what does not belong here."""
        for kind, found, known in (
            ("attribute", self.attributes, list(attributes)),
            ("element", [child.tag for child in self.elements], list(children)),
        ):
            for name in found:
                if name not in known:
                    hint = UnknownNameError.of(kind, name, known).hint if known else None
                    raise self.error(
                        "element-no-belongs", f"no {kind} {name!r} belongs here", hint=hint
                    )


class _TreeBuilder:
    """Keeps a whole document."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._open: list[ElementNode] = []
        self._done: list[ElementNode] = []

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        """An element begins."""
        node = ElementNode(tag, attributes, f"{self._name}:{line}")
        if self._open:
            self._open[-1].children.append(node)
        self._open.append(node)

    def end(self, tag: str) -> None:  # noqa: ARG002 - expat has checked the nesting
        """An element ends."""
        node = self._open.pop()
        if not self._open:
            self._done.append(node)

    def data(self, text: str) -> None:
        """Text goes on."""
        self._open[-1].children.append(text)

    def take(self) -> list[ElementNode]:
        """The outermost element, once it has ended."""
        done, self._done = self._done, []
        return done
