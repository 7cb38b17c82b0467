"""How many words of an output and a reference can be matched at most, compiled."""

from __future__ import annotations

import numpy as np

from ensue.compiling import compiled
from ensue.translation.matching.kernels.stages import Edges, Int64, Side


@compiled
def most_covered(output: Side, reference: Side, edges: Edges, last_stage: int) -> int:
    """The most words that can be matched: a maximum flow, by augmenting paths (Ford & Fulkerson)."""
    free = output.starts[1:] - output.starts[:-1]
    room = reference.starts[1:] - reference.starts[:-1]
    flow = np.zeros(edges.targets.size, np.int64)
    total = 0
    for a in range(free.size):
        for e in range(edges.starts[a], edges.starts[a + 1]):
            if edges.stages[e] <= last_stage:
                flow[e] = min(free[a], room[edges.targets[e]])
                free[a] -= flow[e]
                room[edges.targets[e]] -= flow[e]
                total += flow[e]
    for a in range(free.size):
        while free[a] > 0 and edges.starts[a + 1] > edges.starts[a]:
            if not _augmented(edges, a, last_stage, room, flow):
                break
            free[a] -= 1
            total += 1
    return total


@compiled
def _augmented(edges: Edges, start: int, last_stage: int, room: Int64, flow: Int64) -> bool:
    """Match one more of a word of the output, and rearrange others for that, if it can be done."""
    n = edges.starts.size - 1
    owner = np.empty(edges.targets.size, np.int64)
    for a in range(n):
        owner[edges.starts[a] : edges.starts[a + 1]] = a
    came_by = np.full(n, -1, np.int64)  # the edge whose flow was taken back to come here
    reached_by = np.full(room.size, -1, np.int64)  # the edge that leads here
    queue = np.empty(n, np.int64)
    queue[0], head, tail = start, 0, 1
    while head < tail:
        a = queue[head]
        head += 1
        for e in range(edges.starts[a], edges.starts[a + 1]):
            b = edges.targets[e]
            if edges.stages[e] > last_stage or reached_by[b] >= 0:
                continue
            reached_by[b] = e
            if room[b] > 0:
                room[b] -= 1
                while True:
                    flow[reached_by[b]] += 1
                    a = owner[reached_by[b]]
                    if a == start:
                        return True
                    flow[came_by[a]] -= 1
                    b = edges.targets[came_by[a]]
            for back in range(edges.targets.size):
                other = owner[back]
                is_new = other != start and came_by[other] < 0
                if is_new and edges.targets[back] == b and flow[back] > 0:
                    came_by[other] = back
                    queue[tail] = other
                    tail += 1
    return False
