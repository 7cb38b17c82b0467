"""Texts as graphs of their content words."""

from ensue.language.graphs.building import build_graphs
from ensue.language.graphs.graph import Graph, Sort
from ensue.language.graphs.parse import RELATIVE_TAGS, Parse, parse_of

__all__ = ["RELATIVE_TAGS", "Graph", "Parse", "Sort", "build_graphs", "parse_of"]
