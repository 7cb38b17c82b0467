"""An alignment of a hypothesis's graph with a text's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ensue.alignment.matches import EdgeMatch, Match
from ensue.language.graphs import Graph


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Where each node of a hypothesis goes in its text, and how its edges are met there."""

    text: Graph
    hypothesis: Graph
    targets: NDArray[np.int32]
    """For each hypothesis node its text node; -1 for none."""
    matches: tuple[Match, ...]
    """How each hypothesis node meets its text node."""
    similarities: NDArray[np.float64]
    """How similar each hypothesis node is to its text node, from 0 to 1."""
    edge_matches: tuple[EdgeMatch, ...]
    """How each hypothesis edge is met between the targets of its ends."""
    edge_similarities: NDArray[np.float64]
    """How similar each hypothesis edge is to that, from 0 to 1."""
    path_lengths: NDArray[np.int32]
    """For each hypothesis edge the steps between the targets; 0 for one, -1 for none near enough."""
    score: float
    """The objective: weighted similarities of nodes and edges."""
    perfect_score: float
    """What the hypothesis would score if the text were the same."""

    @property
    def normalized_score(self) -> float:
        """The score as a part of the perfect one; 1 for an empty hypothesis, which lacks nothing."""
        # Rounding may take the sum of what is the same a little over the perfect one.
        return min(self.score / self.perfect_score, 1.0) if self.perfect_score > 0 else 1.0
