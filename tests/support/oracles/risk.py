"""Risk figures restated in plain Python, from the papers and without our code.

A histogram maps a class size to the number of classes of that size: n rows of the sample, u classes, s_i classes of size i.
N is the size of the population, q = n / N the sampling fraction. Ratios of whole numbers are exact.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from math import exp, fsum, lgamma, log, log1p, prod, sqrt
from typing import Any

Histogram = Mapping[int, int]
Row = Sequence[Hashable]
Threshold = Fraction | Decimal | int | str
"""Not a float: 1/5 > 0.2 is to be false, whatever binary makes of 0.2."""


# Sizes


def histogram(sizes: Iterable[int]) -> Counter[int]:
    return Counter(sizes)


def class_sizes(rows: Iterable[Row], columns: Sequence[int]) -> list[int]:
    """The sizes of the classes of rows that agree in these columns."""
    return list(Counter(tuple(row[column] for column in columns) for row in rows).values())


def rows_of(sizes: Histogram) -> int:
    return sum(size * classes for size, classes in sizes.items())


def classes_of(sizes: Histogram) -> int:
    return sum(sizes.values())


# Re-identification: prosecutor, journalist, marketer


@dataclass(frozen=True)
class Risk:
    """A record's risk is 1 / F, F the rows that an attacker cannot tell from it."""

    highest: Fraction
    lowest: Fraction
    average: Fraction
    at_risk: Fraction
    """Share of the records with 1 / F > threshold."""
    uniques: int
    """Records with F = 1."""
    at_highest: int
    """Records with the highest risk."""


def risk(pairs: Iterable[tuple[int, int]], threshold: Threshold = 1) -> Risk:
    """Of classes (n, F): n records of the release, each like F records (El Emam 2013, Guide to the De-Identification)."""
    classes = list(pairs)
    total, bound = sum(n for n, _ in classes), Fraction(threshold)
    smallest, largest = min(like for _, like in classes), max(like for _, like in classes)
    return Risk(
        highest=Fraction(1, smallest),
        lowest=Fraction(1, largest),
        average=sum((Fraction(n, like) for n, like in classes), Fraction(0)) / total,
        at_risk=Fraction(sum(n for n, like in classes if Fraction(1, like) > bound), total),
        uniques=sum(n for n, like in classes if like == 1),
        at_highest=sum(n for n, like in classes if like == smallest),
    )


def prosecutor(sizes: Iterable[int], threshold: Threshold = 1) -> Risk:
    """Who is known to be in the release: F = n, and the average is classes / rows."""
    return risk([(n, n) for n in sizes], threshold)


def journalist(pairs: Iterable[tuple[int, int]], threshold: Threshold = 1) -> Risk:
    """Who is known to be in the population: F of the population's class, F >= n >= 1."""
    return risk(pairs, threshold)


def marketer(pairs: Iterable[tuple[int, int]]) -> Fraction:
    """Expected share of records linked rightly: (1 / n) * sum_j f_j / F_j (Dankar, El Emam 2010). The journalist's average."""
    classes = list(pairs)
    return sum((Fraction(n, like) for n, like in classes), Fraction(0)) / sum(n for n, _ in classes)


# Uniques of the population: Zayatz


def zayatz(sizes: Histogram, population: int) -> Fraction:
    """Zayatz 1991: s_1 * P(F = 1 | f = 1) / q, the sizes F of the population's classes spread like those of the sample.

    P(F = 1 | f = 1) = (s_1 / u) H(1) / sum_j (s_j / u) H(j), H(j) = C(j, 1) C(N - j, n - 1) / C(N, n), hypergeometric.
    """
    rows, uniques = rows_of(sizes), sizes.get(1, 0)
    if not uniques:
        return Fraction(0)
    seen_once = sum((classes * _once(size, rows, population) for size, classes in sizes.items()), Fraction(0))
    return uniques * (uniques / seen_once) * Fraction(population, rows)


def _once(size: int, rows: int, population: int) -> Fraction:
    """H(j) / H(1) = j * prod_{i=0}^{j-2} (N - n - i) / (N - 1 - i)."""
    others = range(size - 1)
    return Fraction(size * prod(population - rows - i for i in others), prod(population - 1 - i for i in others))


# Uniques of the population: Pitman


def pitman_log_likelihood(sizes: Histogram, theta: float, alpha: float) -> float:
    """Of the Ewens-Pitman sampling formula (Pitman 1995, Hoshino 2001), without the terms that are free of the parameters.

    sum_{i=1}^{u-1} ln(theta + i alpha) - sum_{i=1}^{n-1} ln(theta + i) + sum_j s_j sum_{i=1}^{j-1} ln(i - alpha),
    0 < alpha < 1, theta > -alpha.
    """
    rows, classes = rows_of(sizes), classes_of(sizes)
    return fsum(
        (
            (classes - 1) * log(alpha),
            lgamma(theta / alpha + classes) - lgamma(theta / alpha + 1),
            lgamma(theta + 1) - lgamma(theta + rows),
            fsum(count * (lgamma(size - alpha) - lgamma(1 - alpha)) for size, count in sizes.items()),
        )
    )


def pitman_score(sizes: Histogram, theta: float, alpha: float) -> tuple[float, float]:
    """The likelihood's derivatives by theta and by alpha; both are 0 at the maximum."""
    rows, classes = rows_of(sizes), classes_of(sizes)
    new = (digamma(theta / alpha + classes) - digamma(theta / alpha + 1)) / alpha
    by_theta = new - digamma(theta + rows) + digamma(theta + 1)
    again = fsum(count * (digamma(size - alpha) - digamma(1 - alpha)) for size, count in sizes.items())
    return by_theta, (classes - 1 - theta * new) / alpha - again


def digamma(x: float) -> float:
    """Abramowitz, Stegun 6.3.5 and 6.3.18, for x > 0."""
    steps: list[float] = []
    while x < 20:
        steps.append(-1 / x)
        x += 1
    y = 1 / (x * x)
    tail = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
    return fsum((*steps, log(x), -1 / (2 * x), -tail))


def pitman_fit(sizes: Histogram) -> tuple[float, float] | None:
    """(theta, alpha) of the greatest likelihood; None where it has no maximum inside 0 < alpha < 1, theta > -alpha.

    None so where each class has one row (alpha to 1), where there is one class, and where sizes are too even (alpha to 0).
    By golden sections, theta within alpha; then by halving, to the double's last digits.
    """
    rows, classes = rows_of(sizes), classes_of(sizes)
    if classes in (1, rows) or not sizes.get(1):
        return None

    def theta_of(alpha: float) -> float:
        return exp(_golden(lambda t: pitman_log_likelihood(sizes, exp(t) - alpha, alpha), -15, 30)) - alpha

    alpha = _golden(lambda a: pitman_log_likelihood(sizes, theta_of(a), a), 1e-6, 1 - 1e-6)
    return None if min(alpha, 1 - alpha) < 1e-4 else _pitman_polish(sizes, theta_of(alpha), alpha)


def _pitman_polish(sizes: Histogram, theta: float, alpha: float) -> tuple[float, float] | None:
    """Halves the maximum's neighbourhood where the score changes its sign; theta is the best one for each alpha."""
    width = 1e-3 * min(alpha, 1 - alpha)

    def theta_of(a: float) -> float | None:
        near = 0.1 * (theta + alpha)
        return _halve(lambda t: pitman_score(sizes, t, a)[0], theta - near, theta + near)

    def slope(a: float) -> float:
        best = theta_of(a)
        return float("nan") if best is None else pitman_score(sizes, best, a)[1]

    best_alpha = _halve(slope, alpha - width, alpha + width)
    best_theta = None if best_alpha is None else theta_of(best_alpha)
    return None if best_alpha is None or best_theta is None else (best_theta, best_alpha)


def pitman_uniques(theta: float, alpha: float, population: int) -> float:
    """Gamma(theta + 1) / Gamma(theta + alpha) * N^alpha, for a large N (Hoshino 2001; what ARX and Dankar et al. use)."""
    return exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(population))


def pitman_uniques_exact(theta: float, alpha: float, population: int) -> float:
    """E[S_1] = N * prod_{i=1}^{N-1} (theta + alpha + i - 1) / (theta + i), of which the above is the limit."""
    ahead = lgamma(theta + alpha + population - 1) - lgamma(theta + alpha)
    return population * exp(ahead - lgamma(theta + population) + lgamma(theta + 1))


def pitman(sizes: Histogram, population: int) -> float | None:
    """Uniques of the population; None where the likelihood has no maximum."""
    if not sizes.get(1):
        return 0.0
    fit = pitman_fit(sizes)
    return None if fit is None else pitman_uniques(*fit, population)


def _golden(figure: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one maximum has it, by golden sections (Kiefer 1953)."""
    ratio = (sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = figure(left), figure(right)
    for _ in range(60):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = figure(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = figure(left)
    return (low + high) / 2


def _halve(figure: Callable[[float], float], low: float, high: float) -> float | None:
    """A zero between two points where the sign differs; None where it does not."""
    at_low, at_high = figure(low), figure(high)
    if not at_low * at_high <= 0:
        return None
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if (figure(middle) > 0) == (at_low > 0) else (low, middle)
    return (low + high) / 2


# Uniques of the population: slide negative binomial


def shlosser(sizes: Histogram, fraction: float) -> float:
    """Shlosser 1981: the population's classes, u + s_1 * sum (1-q)^i s_i / sum i q (1-q)^(i-1) s_i."""
    return classes_of(sizes) + sizes.get(1, 0) * _unseen(sizes, fraction)


def shlosser_modified(sizes: Histogram, fraction: float) -> float:
    """Haas, Stokes 1998, their third modification of Shlosser's estimator (Sh3).

    u + s_1 * [sum i q^2 (1-q^2)^(i-1) s_i / sum (1-q)^i ((1+q)^i - 1) s_i] * [Shlosser's ratio]^2
    """
    q = fraction
    above = fsum(i * q * q * (1 - q * q) ** (i - 1) * count for i, count in sizes.items())
    below = fsum((1 - q) ** i * ((1 + q) ** i - 1) * count for i, count in sizes.items())
    return classes_of(sizes) + sizes.get(1, 0) * (above / below) * _unseen(sizes, q) ** 2


def _unseen(sizes: Histogram, q: float) -> float:
    none = fsum((1 - q) ** i * count for i, count in sizes.items())
    return none / fsum(i * q * (1 - q) ** (i - 1) * count for i, count in sizes.items())


def snb_moments(alpha: float, beta: float, classes: float, fraction: float) -> tuple[float, float]:
    """E[s_1] and E[s_2] where F - 1 is negative binomial and each record is sampled with q (Chen, Keller-McNulty 1998).

    P(F = j) = C(alpha + j - 2, j - 1) beta^alpha (1 - beta)^(j - 1); x = (1 - beta)(1 - q);
    E[s_1] = K q (beta / (1-x))^alpha (1 + alpha x / (1-x));
    E[s_2] = K q^2 alpha beta^alpha (1 - beta) (2 - (1 - alpha) x) / (2 (1-x)^(alpha + 2)).
    """
    x = (1 - beta) * (1 - fraction)
    share = exp(alpha * (log(beta) - log1p(-x)))
    once = classes * fraction * share * (1 + alpha * x / (1 - x))
    twice = classes * fraction**2 * alpha * (1 - beta) * share * (2 - (1 - alpha) * x) / (2 * (1 - x) ** 2)
    return once, twice


def snb_solutions(classes: float, fraction: float, once: int, twice: int) -> list[tuple[float, float]]:
    """All (alpha, beta), alpha > 0, 0 < beta < 1, whose moments are s_1 and s_2; none where the equations have none.

    E[s_2] / E[s_1] is free of K and grows with alpha: it leaves one alpha for each beta (`_snb_alpha`), and E[s_1] = s_1 as an
    equation in beta alone. E[s_1] goes to 0 with beta, and to `snb_limit` as beta goes to 1: above s_1 there, there is a
    solution for certain; else there is an even number of them, mostly none. Looked for on a grid of ln(beta / (1 - beta)).
    """
    if not (0 < fraction < 1 and once and twice):
        return []

    def over(t: float) -> float:
        return _snb_log_once(classes, fraction, once, twice, t) - log(once)

    grid = [step / 50 for step in range(-1750, 1751)]
    roots = [_halve(over, low, high) for low, high in pairwise(grid) if (over(low) > 0) != (over(high) > 0)]
    return [(_snb_alpha(fraction, once, twice, t), 1 / (1 + exp(-t))) for t in roots if t is not None]


def _snb_alpha(fraction: float, once: int, twice: int, t: float) -> float:
    """The positive root of x a^2 + (2 - x - R x) a - R (1-x) = 0, R = 2 (1-x) s_2 / (s_1 q (1 - beta))."""
    rest = 1 / (1 + exp(t))
    x = (1 - fraction) * rest
    ratio = 2 * (1 - x) * twice / (once * fraction * rest)
    linear = 2 - x - ratio * x
    root = sqrt(linear * linear + 4 * x * ratio * (1 - x))
    return (root - linear) / (2 * x) if linear < 0 else 2 * ratio * (1 - x) / (linear + root)


def _snb_log_once(classes: float, fraction: float, once: int, twice: int, t: float) -> float:
    """ln E[s_1] along the curve; beta / (1-x) = 1 / (1 + q (1 - beta) / beta)."""
    alpha, x = _snb_alpha(fraction, once, twice, t), (1 - fraction) / (1 + exp(t))
    return log(classes * fraction) - alpha * log1p(fraction * exp(-t)) + log1p(alpha * x / (1 - x))


def snb_limit(classes: float, fraction: float, once: int, twice: int) -> float:
    """E[s_1] as beta goes to 1, where F - 1 is Poisson(m): K q e^(-m q) (1 + m (1-q)).

    m is the positive root of m (1 + 1 / (1 + m (1-q))) = 2 s_2 / (s_1 q).
    """
    p, ratio = 1 - fraction, 2 * twice / (once * fraction)
    linear = 2 - ratio * p
    root = sqrt(linear * linear + 4 * p * ratio)
    mean = (root - linear) / (2 * p) if linear < 0 else 2 * ratio / (linear + root)
    return classes * fraction * exp(-mean * fraction) * (1 + mean * p)


def snb(sizes: Histogram, population: int, estimate: Callable[[Histogram, float], float] = shlosser_modified) -> float | None:
    """Uniques of the population, K beta^alpha; None where the equations have no solution, or more than one."""
    if not sizes.get(1):
        return 0.0
    fraction = rows_of(sizes) / population
    classes = estimate(sizes, fraction)
    solutions = snb_solutions(classes, fraction, sizes[1], sizes.get(2, 0))
    return classes * exp(solutions[0][0] * log(solutions[0][1])) if len(solutions) == 1 else None


# Uniques of the population: which estimate to take


def decide(fraction: Threshold, zayatz: float, pitman: float | None, snb: float | None) -> tuple[str, float]:
    """Dankar, El Emam, Neisa, Roffey 2012: Pitman up to a sampling fraction of 0.1; above it the lesser of SNB and Zayatz.

    The bounds as in ARX, whose source names the paper; so is Zayatz where the one asked for has no solution.
    """
    if Fraction(fraction) <= Fraction(1, 10):
        return ("zayatz", zayatz) if pitman is None else ("pitman", pitman)
    return ("zayatz", zayatz) if snb is None or zayatz < snb else ("snb", snb)


def dankar(sizes: Histogram, population: int) -> tuple[str, float]:
    """The name of the estimator and the population's uniques."""
    fraction = Fraction(rows_of(sizes), population)
    return decide(fraction, float(zayatz(sizes, population)), pitman(sizes, population), snb(sizes, population))


# Special uniques


def minimal_uniques(rows: Sequence[Row], most: int) -> list[list[frozenset[int]]]:
    """Each row's minimal sample uniques, by trying every set of at most so many columns (Elliot, Manning, Ford 2002).

    No other row is like it in these columns, and each part of the set has another row that is.
    """
    minimal: list[list[frozenset[int]]] = [[] for _ in rows]
    for size in range(1, min(most, len(rows[0])) + 1 if rows else 0):
        for columns in combinations(range(len(rows[0])), size):
            keys = [tuple(row[column] for column in columns) for row in rows]
            counts, candidate = Counter(keys), frozenset(columns)
            for sets, key in zip(minimal, keys, strict=True):
                if counts[key] == 1 and not any(known < candidate for known in sets):
                    sets.append(candidate)
    return minimal


def suda_weight(size: int, columns: int, most: int) -> int:
    """The score of a minimal sample unique of s columns out of d, none with more than m being looked for.

    prod_{i=s}^{min(m, d-1)} (d - i) (Elliot, Manning, Ford 2002; the user guide of 2004, where m < d). For m >= d - 1 this is
    (d - s)!, what sdcMicro's suda2 has after 5.0.2 (original_scores=TRUE; there m = d always). A set of all d columns scores 1.
    ARX stops one factor earlier where m < d - 1: all its scores are then smaller by the factor d - m; shares are the same.
    """
    return prod(columns - i for i in range(size, min(most, columns - 1) + 1))


def suda_scores(rows: Sequence[Row], most: int) -> list[int]:
    """A row's score: the sum over its minimal sample uniques; 0 for a row that has none."""
    width = len(rows[0]) if rows else 0
    return [sum(suda_weight(len(entry), width, most) for entry in sets) for sets in minimal_uniques(rows, most)]


def suda_contributions(rows: Sequence[Row], most: int) -> list[Fraction]:
    """A column's share: scores of the minimal sample uniques (of all rows) that hold it / scores of all of them.

    They add up to more than 1, as a set counts for each of its columns; all are 0 where nothing is unique.
    """
    width = len(rows[0]) if rows else 0
    sets = [entry for of_row in minimal_uniques(rows, most) for entry in of_row]
    total = sum(suda_weight(len(entry), width, most) for entry in sets)
    return [
        Fraction(sum(suda_weight(len(entry), width, most) for entry in sets if column in entry), total or 1)
        for column in range(width)
    ]


# Columns


def leave_one_out(rows: Sequence[Row], columns: Sequence[int]) -> dict[int, int]:
    """Rows that are unique in the other columns, for each column left out."""
    return {left: class_sizes(rows, [column for column in columns if column != left]).count(1) for left in columns}


def distinction(rows: Sequence[Row], columns: Sequence[int]) -> Fraction:
    """Distinct combinations / rows (Motwani, Xu 2007)."""
    return Fraction(len(class_sizes(rows, columns)), len(rows))


def separation(rows: Sequence[Row], columns: Sequence[int]) -> Fraction:
    """Share of the pairs of rows that differ in a column of the set (Motwani, Xu 2007); two rows at least."""
    pairs = len(rows) * (len(rows) - 1)
    return 1 - Fraction(sum(size * (size - 1) for size in class_sizes(rows, columns)), pairs)


# Suppressed cells


def wildcard_sizes(rows: Sequence[Row], star: Any = "*") -> list[int]:
    """Each row's class where a star may be anything: the rows that agree with it in every column where neither has a star.

    Every row with every row. The relation is not transitive: these are no classes that part the rows.
    """
    return [sum(_agree(row, other, star) for other in rows) for row in rows]


def _agree(first: Row, other: Row, star: Any) -> bool:
    return all(star in (a, b) or a == b for a, b in zip(first, other, strict=True))
