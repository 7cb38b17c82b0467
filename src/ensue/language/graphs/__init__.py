"""Texts as graphs of their content words."""

from ensue.language.graphs.building import build_graphs
from ensue.language.graphs.graph import Graph, Sort

__all__ = ["Graph", "Sort", "build_graphs"]
