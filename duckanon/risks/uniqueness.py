"""Estimates of the number of population uniques, from a sample of the population.

Zayatz (1991), Pitman (Hoshino 2001) and slide negative binomial (Chen, Keller-McNulty 1998). The rule of Dankar, El Emam, Neisa,
Roffey (2012) selects one of them. Each uses only the class sizes of the sample.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, exp, expm1, fsum, inf, lgamma, log, log1p
from typing import Any

from duckanon.risks.sizes import Size

_SMALL = 10
"""A sample of a tenth of the population or less is small (Dankar et al.)."""

_MUCH = 1e6
_LEAST_ASYMPTOTIC = 12

Sizes = Mapping[int, int]
"""The number of classes by size."""


class NoSolution(Exception):
    """The equations of an estimator have no solution for these class sizes."""


def estimates(sizes: Sequence[Size], population: int) -> dict[str, Any]:
    """The estimated population uniques of each estimator, None if it has no solution, and the trusted estimator.

    `failed` gives the reason for each estimator without a solution.
    """
    counted = {size.size: size.classes for size in sizes}
    rows = sum(size * classes for size, classes in counted.items())
    results, solved = [], {}
    for name, estimate in (("zayatz", zayatz), ("pitman", pitman), ("snb", snb)):
        try:
            uniques = solved[name] = estimate(counted, population) if counted.get(1) else 0.0
            results.append({"model": name, "uniques": uniques, "share": uniques / population, "failed": None})
        except NoSolution as reason:
            results.append({"model": name, "uniques": None, "share": None, "failed": str(reason)})
    return {
        "population": population,
        "sample_fraction": rows / population,
        "model": _trusted(solved, is_small=rows * _SMALL <= population),
        "estimates": results,
    }


def _trusted(solved: Mapping[str, float], *, is_small: bool) -> str:
    """Pitman for small samples. For larger ones the lesser of Zayatz and slide negative binomial; Zayatz if they have no solution."""
    if is_small:
        return "pitman" if "pitman" in solved else "zayatz"
    return "snb" if solved.get("snb", inf) <= solved["zayatz"] else "zayatz"


def zayatz(sizes: Sizes, population: int) -> float:
    """Estimated sample uniques that are population uniques, divided by the sampling fraction, by Bayes' rule.

    The class sizes of the population are assumed to be distributed as in the sample. The probability that one row of a class of size j
    is drawn is hypergeometric.
    """
    rows = _rows(sizes)
    ones = sizes[1]
    drawn_once = fsum(classes * size * _others_left_out(size, rows, population) for size, classes in sizes.items())
    return ones * ones / drawn_once * population / rows


def _others_left_out(size: int, rows: int, population: int) -> float:
    """The probability that a given row of a class is drawn and no other row of it, relative to that for a class of one row."""
    rest, share = population - rows, 1.0
    for taken in range(size - 1):
        share *= (rest - taken) / (population - 1 - taken)
        if share <= 0:
            return 0.0
    return share


def pitman(sizes: Sizes, population: int) -> float:
    """Gamma(theta + 1) / Gamma(theta + alpha) * N^alpha, at the maximum likelihood of the Ewens-Pitman sampling formula."""
    rows, classes = _rows(sizes), sum(sizes.values())
    if classes == rows:
        raise NoSolution("every record of the sample is unique, which is possible for any population size")
    if classes == 1:
        raise NoSolution("the sample has only one class")

    def theta(alpha: float) -> float:
        def by_theta(shifted: float) -> float:
            first = shifted - alpha
            return _rise(first / alpha + 1, classes - 1) / alpha - _rise(first + 1, rows - 1)

        return exp(_root(lambda power: by_theta(exp(power)), -30.0, 60.0)) - alpha

    def by_alpha(alpha: float) -> float:
        again = fsum(count * _rise(1 - alpha, size - 1) for size, count in sizes.items() if size > 1)
        return _places(theta(alpha) / alpha, classes - 1) / alpha - again

    low, high = 1e-9, 1 - 1e-9
    if by_alpha(low) <= 0 or by_alpha(high) >= 0:
        raise NoSolution("the likelihood of the sample has no maximum: its class sizes are too similar or too different")
    alpha = _root(by_alpha, low, high)
    best = theta(alpha)
    return exp(lgamma(best + 1) - lgamma(best + alpha) + alpha * log(population))


def _places(x: float, count: int) -> float:
    """Sum of i / (x + i) for i up to count. Where x is much larger, its expansion, because the difference of equal numbers has no digits."""
    if x > _MUCH * count:
        return count * (count + 1) / (2 * x) * (1 - (2 * count + 1) / (3 * x))
    return count - x * _rise(x + 1, count)


def _rise(x: float, count: int) -> float:
    """Sum of 1 / (x + i) for i from 0 below count: the difference of the digamma function at x + count and x > 0, by its asymptotic series."""
    terms = min(count, max(0, ceil(_LEAST_ASYMPTOTIC - x)))
    first = fsum(1 / (x + term) for term in range(terms))
    x, count = x + terms, count - terms
    if not count:
        return first
    return first + log1p(count / x) + count / (2 * x * (x + count)) + _series(x) - _series(x + count)


def _series(x: float) -> float:
    square = 1 / (x * x)
    return square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))


def snb(sizes: Sizes, population: int) -> float:
    """K beta^alpha, where class sizes minus one are negative binomial, and the expected classes of one and two rows are those of the sample.

    K, the number of classes of the population, is Shlosser's estimator as modified by Haas and Stokes (1998).
    """
    fraction, ones, twos = _rows(sizes) / population, sizes[1], sizes.get(2, 0)
    if fraction >= 1:
        return float(ones)
    if not twos:
        raise NoSolution("the sample has no class of exactly two records")
    classes = _population_classes(sizes, fraction)

    def alpha(beta_odds: float) -> float:
        """The alpha that gives the observed proportion of classes of two and one rows, which increases with it."""

        def excess(power: float) -> float:
            once, twice = _expected(exp(power), beta_odds, fraction)
            return twice - once - log(twos / ones)

        return exp(_root(excess, -60.0, 60.0))

    def excess_ones(beta_odds: float) -> float:
        return _expected(alpha(beta_odds), beta_odds, fraction)[0] + log(classes / ones)

    places = [step / 4 for step in range(-120, 121)]
    heights = [excess_ones(place) for place in places]
    changes = [number for number in range(1, len(places)) if (heights[number] > 0) != (heights[number - 1] > 0)]
    if len(changes) != 1:
        why = "no" if not changes else "more than one"
        raise NoSolution(
            f"{why} negative binomial distribution of class sizes gives {ones:,} unique records and {twos:,} pairs"
        )
    odds = _root(excess_ones, places[changes[0] - 1], places[changes[0]])
    return classes * exp(-alpha(odds) * log1p(exp(-odds)))


def _expected(alpha: float, beta_odds: float, fraction: float) -> tuple[float, float]:
    """Logarithms of the expected share of classes with one and with two rows in the sample; beta is given by the logarithm of its odds."""
    more = 1 / (1 + exp(beta_odds))
    left = more * (1 - fraction)
    none = -alpha * log1p(fraction * exp(-beta_odds))
    once = log(fraction) + none + log1p(alpha * left / (1 - left))
    twice = 2 * log(fraction) + none + log(alpha * more / (1 - left)) + log((2 + (alpha - 1) * left) / (2 * (1 - left)))
    return once, twice


def _population_classes(sizes: Sizes, fraction: float) -> float:
    """The classes of the sample plus the unseen ones (Haas, Stokes 1998, the third modification of Shlosser 1981)."""
    kept, square = log1p(-fraction), fraction * fraction
    none = fsum(count * exp(size * kept) for size, count in sizes.items())
    once = fsum(count * size * fraction * exp((size - 1) * kept) for size, count in sizes.items())
    modified = fsum(count * size * square * exp((size - 1) * log1p(-square)) for size, count in sizes.items())
    usual = fsum(-count * exp(size * log1p(-square)) * expm1(-size * log1p(fraction)) for size, count in sizes.items())
    return sum(sizes.values()) + sizes[1] * modified / usual * (none / once) ** 2


def _rows(sizes: Sizes) -> int:
    return sum(size * classes for size, classes in sizes.items())


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """A root between two points by bisection; the nearer end if the sign does not change."""
    rises = function(high) > function(low)
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if (function(middle) > 0) == rises:
            high = middle
        else:
            low = middle
    return (low + high) / 2
