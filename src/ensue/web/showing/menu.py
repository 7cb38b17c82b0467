"""What stands in the menu and on the first page, for whom."""

from __future__ import annotations

from dataclasses import dataclass

from ensue.workbench import Person, Role


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be done here."""

    path: str
    name: str
    what: str
    roles: tuple[Role, ...] = tuple(Role)
    """For whom; strangers see what is for everybody."""
    for_strangers: bool = False


OFFERS = (
    Offer("/try", "Try", "A text, a hypothesis, and what each recognizer says of them, with why."),
    Offer("/data", "Data", "Upload pairs and runs; statistics, audit, and every pair to look at."),
    Offer("/compare", "Compare", "Two runs or more: where they disagree, and whether they differ."),
    Offer(
        "/challenges",
        "Challenges",
        "Hidden gold, teams by invitation, a few runs each, and a leaderboard.",
    ),
    Offer(
        "/annotate",
        "Annotate",
        "Pairs or paraphrases by several judges, blind, until there is gold.",
        (Role.ORGANIZER, Role.ANNOTATOR),
    ),
    Offer(
        "/people",
        "People",
        "Who may come in, and as what.",
        (Role.ORGANIZER,),
    ),
    Offer("/audit", "Log", "Who did what, and when.", (Role.ORGANIZER,)),
)


def _for(person: Person | None) -> list[Offer]:
    return [
        each
        for each in OFFERS
        if each.for_strangers or (person is not None and person.role in each.roles)
    ]


def menu(person: Person | None) -> list[tuple[str, str]]:
    """Paths and names of what this person can do."""
    return [(each.path, each.name) for each in _for(person)]


def offers(person: Person | None) -> list[tuple[str, str, str]]:
    """The same, with what it is."""
    return [(each.path, each.name, each.what) for each in _for(person)]


def json_path(path: str) -> str:
    """Where the twin of a page is."""
    return f"{path}index.json" if path.endswith("/") else f"{path}.json"
