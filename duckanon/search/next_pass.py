"""The node of the next pass of local recoding, if every set of a few columns is judged: a lattice of all nodes would be too large.

The path starts at the top and lowers one column at a time, in the order of `descent`. A step may push rows to later passes. They are
expected to lose somewhat more than at the last node that pushed none, so the path takes only steps that lower the loss of all rows together.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.lattice import Lattice, Node
from duckanon.metrics.figures import Marginals
from duckanon.search.evaluation.steps import steps_down
from duckanon.search.evaluation.unsuppressed import UnsuppressedCombinations

_LATER = 1.3
"""How many times as much as without a push the rows of later passes are expected to lose."""
_MOST_PUSHED = 0.9
"""The largest share of the rows that a pass leaves to later passes."""


def next_node(
    engine: Engine,
    lattice: Lattice,
    marginals: Sequence[Marginals],
    judged: Callable[[Node], Mapping[str, Any]],
    rows: int,
    all_rows: int,
) -> Node:
    """The last node of the path over the relation `remaining`, with `rows` of all rows; `judged` gives the template parameters of a node."""
    unsuppressed = UnsuppressedCombinations(engine, rows, "remaining")
    node, expected, later, failed = lattice.top, 1.0, 1.0, set[int]()
    while steps := [step for step in steps_down(lattice, marginals, node) if step[1] not in failed]:
        _, position, below = max(steps, key=lambda step: (step[0], -step[1]))
        pushed = unsuppressed.below(judged(below), position + 1, int(_MOST_PUSHED * rows))
        if pushed is None:
            failed.add(position)
            continue
        own = _loss(marginals, below, all_rows)
        if not pushed:
            later = min(1.0, _LATER * own)
        together = ((rows - pushed) * own + pushed * later) / rows
        if together > expected:
            failed.add(position)
        else:
            unsuppressed.descend()
            node, expected = below, together
    return node


def _loss(marginals: Sequence[Marginals], node: Node, rows: int) -> float:
    """The mean loss of the columns at a node, over all rows of the table."""
    losses = [
        float(marginal.weight) * marginal.excess[level] / (marginal.span * rows)
        for marginal, level in zip(marginals, node, strict=True)
    ]
    return sum(losses) / float(sum(marginal.weight for marginal in marginals))
