"""Paraphrase patterns: ranked lists scored with attention to lexical diversity, and put to use.

The measures are those of Shima & Mitamura (2011), "Diversity-aware Evaluation for Paraphrase
Patterns": EP, EPR and DIMPLE, and their correlation with what lists do in recognition tasks.
"""

from ensue.paraphrase.model import Judgments, ListKey, RankedLists, Strictness

__all__ = ["Judgments", "ListKey", "RankedLists", "Strictness"]
