"""Where nothing satisfies: what came closest, and which limit to relax."""

from collections.abc import Sequence

from duckanon.algorithms.evaluate import Evaluator
from duckanon.combinations import Attribute
from duckanon.lattice import Node


def closest(evaluator: Evaluator) -> Node:
    """The visited node that suppresses least; ties by height, then lexicographically."""
    return min(evaluator.visited, key=lambda node: (evaluator.figures(node).suppressed, sum(node), node))


def advice(evaluator: Evaluator, attributes: Sequence[Attribute], outside: int = 0, *, is_frozen: bool = False) -> str:
    """One line: what was asked for, the best node found, and the ways out that its figures show.

    `outside` counts rows that a frozen recoding does not cover, which are suppressed in any case.
    """
    node = closest(evaluator)
    figures = evaluator.figures(node)
    k, rows, limit = evaluator.requirement.k, figures.rows + outside, evaluator.limit + outside
    levels = ", ".join(f"{attribute.name}={level}" for attribute, level in zip(attributes, node, strict=True))
    suppressed = figures.suppressed + outside
    node_named = "the frozen recoding" if is_frozen else "the best node found"
    found = f"{node_named} ({levels}) suppresses {suppressed:,} of {rows:,} rows"
    if outside:
        found += f", {outside:,} of them for values that the recoding does not cover"
    requirement = evaluator.requirement
    asked = f"k = {k:,}" if requirement.k_column is None else f"each record's own k in {requirement.k_column!r}"
    lower = "lower --k" if requirement.k_column is None else "ask for less in it"
    if evaluator.stopped is not None:
        return f"infeasible so far: the {evaluator.stopped} ended the search before a node satisfied {asked}; {found}; raise it, or choose optimal"
    if k > rows:
        return f"infeasible: k = {k:,} is above the {rows:,} rows that take part, so {found}; lower --k to at most {rows:,}"
    ways = [f"raise --max-suppression to {suppressed}"] if figures.released else []
    ways += [lower] if not is_frozen else ["search anew"]
    ways += ["raise max-level"] if any(attribute.max_level < attribute.height for attribute in attributes) else []
    ways += ["raise --max-loss"] if any(attribute.max_loss is not None for attribute in attributes) else []
    stars = " (with the classes that join the starred rows)" if evaluator.stars else ""
    return f"infeasible: {asked} with at most {limit:,} rows suppressed{stars}, but {found}; {', or '.join(ways)}"
