"""The k-marginal score of NIST's SDNist 2.5, for releases whose cells may be ranges or groups of values.

SDNist (`sdnist/metrics/kmarginal.py`, `sdnist/report/dataset/binning.py`) counts each pair of columns in the source and in the
release, and averages the sums of absolute differences of the shares: 1,000 means equal pairs, 0 no pair in common.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

Shares = Mapping[str, Mapping[str, float]]
"""The labels of a column, each with its bins and the share of the cell that a bin gets; the shares of a label sum to 1."""


def quantile_edges(values: Sequence[float], bins: int = 20) -> list[float]:
    """The edges of at most `bins` bins with about as many values each: the next higher value at each quantile, and the largest."""
    ordered = sorted(values)
    last = len(ordered) - 1
    # -(-a // b) rounds up: the quantile between two values is the higher value
    return sorted({ordered[-(-number * last // bins)] for number in range(bins)} | {ordered[-1]})


def bin_number(value: float, edges: Sequence[float]) -> int:
    """The bin of a value: a bin holds its upper edge, the first bin its lower edge too."""
    return max(0, bisect_left(edges, value) - 1)


def pair_shares(
    rows: Sequence[Sequence[str]], first: int, second: int, shares: Sequence[Shares]
) -> dict[tuple[str, str], float]:
    """The share of the rows in each pair of bins of two columns, which are given by position."""
    totals: defaultdict[tuple[str, str], float] = defaultdict(float)
    for (left, right), count in Counter((row[first], row[second]) for row in rows).items():
        for left_bin, left_share in shares[first][left].items():
            for right_bin, right_share in shares[second][right].items():
                totals[left_bin, right_bin] += count * left_share * right_share / len(rows)
    return dict(totals)


def k_marginal(
    target: Sequence[Sequence[str]], release: Sequence[Sequence[str]], target_shares: Sequence[Shares], shares: Sequence[Shares]
) -> float | None:
    """The score of a release, from 0 to 1,000; None for a release without records."""
    if not release:
        return None
    pairs = list(combinations(range(len(shares)), 2))
    total = 0.0
    for first, second in pairs:
        before = pair_shares(target, first, second, target_shares)
        after = pair_shares(release, first, second, shares)
        total += sum(abs(before.get(pair, 0) - after.get(pair, 0)) for pair in before.keys() | after.keys())
    return (2 - total / len(pairs)) * 500
