"""Sentences and what they mean: a grammar's frames, put together and put into words.

`make_repertoire` makes a grammar ready, `Composer` finds a sentence for a meaning, `Renderer` puts
it into words, and `follows` says what follows from what.
"""

from ensue.suites.sentences.composing import Composer
from ensue.suites.sentences.meaning import Event, Meaning, follows
from ensue.suites.sentences.phrases import phrases
from ensue.suites.sentences.plans import Clause, Joint, Renderer, Sentence
from ensue.suites.sentences.readings import Readings
from ensue.suites.sentences.repertoire import Entry, Repertoire, make_repertoire

__all__ = [
    "Clause",
    "Composer",
    "Entry",
    "Event",
    "Joint",
    "Meaning",
    "Readings",
    "Renderer",
    "Repertoire",
    "Sentence",
    "follows",
    "make_repertoire",
    "phrases",
]
