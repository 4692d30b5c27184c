"""Samarati's binary search on the height of the lattice (IEEE TKDE 13(6), 2001)."""

from duckanon.lattice import DownSet, Lattice, Node
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome

IS_WALK = False


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the lexicographically first satisfying node on the lowest height that has one; the loss does not count.

    The binary search needs a requirement that is monotone under suppression: if a node satisfies on a height, some node satisfies
    on the next height. This does not hold if classes may have to join the masked records, or if records require different k and
    some may be suppressed. Then all heights are scanned upwards.
    """
    if not evaluator.is_monotone:
        return _scan(evaluator, lattice)
    failing = DownSet(lattice)
    low, high = sum(lattice.bottom), sum(lattice.top)
    lowest = _first(evaluator, lattice, high, failing)
    while lowest is not None and low < high:
        middle = (low + high) // 2
        candidate = _first(evaluator, lattice, middle, failing)
        if candidate is None:
            low = middle + 1
        else:
            lowest, high = candidate, middle
    return SearchOutcome(lowest, evaluator.objective.floor(lattice.bottom), proven=False)


def _first(evaluator: Evaluator, lattice: Lattice, height: int, failing: DownSet) -> Node | None:
    for node in lattice.at_height(height):
        if node in failing:
            continue
        if evaluator.satisfies(node):
            return node
        if evaluator.rules_out(node):
            failing.add(node)
    return None


def _scan(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    failing = DownSet(lattice)
    heights = range(sum(lattice.bottom), sum(lattice.top) + 1)
    firsts = (_first(evaluator, lattice, height, failing) for height in heights)
    node = next((node for node in firsts if node is not None), None)
    return SearchOutcome(node, evaluator.objective.floor(lattice.bottom), proven=False)
