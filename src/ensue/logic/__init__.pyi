from .axioms import EXCLUDING as EXCLUDING
from .deadline import Clock as Clock, Deadline as Deadline, TimeOver as TimeOver
from .formulas import Atom as Atom, atoms as atoms, to_text as to_text
from .knowledge import KnowledgeSettings as KnowledgeSettings
from .meaning.interpretation import Meaning as Meaning, meaning_of as meaning_of
from .reasoner import (
    Argument as Argument,
    Reasoner as Reasoner,
    ReasoningOutcome as ReasoningOutcome,
    ReasoningSettings as ReasoningSettings,
)
from .reasons import Reasons as Reasons, problem_of as problem_of, reasons_of as reasons_of
from .verbalization import TokenLocator as TokenLocator
from .worlds import World as World, best_fit as best_fit
