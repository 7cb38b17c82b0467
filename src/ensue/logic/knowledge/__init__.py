"""What the words of a pair say of one another, as axioms: a dog is an animal, hot is not cold.

`word_facts(text, hypothesis, lexicon=..., settings=...)` makes them.
"""

from ensue.logic.knowledge.facts import word_facts
from ensue.logic.knowledge.model import FactKind, KnowledgeSettings, Part, Word, WordFact
from ensue.logic.knowledge.relations import person_facts, relation_facts

__all__ = [
    "FactKind",
    "KnowledgeSettings",
    "Part",
    "Word",
    "WordFact",
    "person_facts",
    "relation_facts",
    "word_facts",
]
