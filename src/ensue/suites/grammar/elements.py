"""The elements of an XML file as a tree, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ensue.errors import DataError, UnknownNameError


@dataclass(slots=True)
class Node:
    """An element with what is in it."""

    tag: str
    attributes: Mapping[str, str]
    place: str
    children: list[Node | str] = field(default_factory=list)

    @property
    def elements(self) -> list[Node]:
        """The elements in it."""
        return [child for child in self.children if isinstance(child, Node)]

    @property
    def text(self) -> str:
        """The words in it, apart from those of its elements."""
        return " ".join("".join(c for c in self.children if isinstance(c, str)).split())

    def error(self, message: str, hint: str | None = None) -> DataError:
        """What to raise where something is wrong with it."""
        return DataError(f"<{self.tag}>: {message}", place=self.place, hint=hint)

    def attribute(self, name: str) -> str:
        """The value of an attribute that it must have."""
        if name not in self.attributes:
            raise self.error(f"has no attribute {name!r}", hint=f'e.g. <{self.tag} {name}="…">')
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
                    raise self.error(f"no {kind} {name!r} belongs here", hint=hint)


class TreeBuilder:
    """Keeps a whole document: a grammar is small."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._open: list[Node] = []
        self._done: list[Node] = []

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        """An element begins."""
        node = Node(tag, attributes, f"{self._name}:{line}")
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

    def take(self) -> list[Node]:
        """The outermost element, once it has ended."""
        done, self._done = self._done, []
        return done
