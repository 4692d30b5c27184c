"""Exact comparison of entropies, for cases in which floating point is too imprecise.

The entropy of values with counts f in a class of n is at least ln l if and only if prod f^f * l^n <= n^n.
The exponents of the prime factors decide equality; if the sides differ, logarithms of sufficient precision decide which is
larger.
"""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction


def holds(counts: Sequence[int], bound: Decimal | int) -> bool:
    """Whether the entropy of these counts is at least ln `bound`."""
    total, level = sum(counts), Fraction(bound)
    exponents: Counter[int] = Counter()
    for count in counts:
        _add(exponents, count, -count)
    _add(exponents, total, total)
    _add(exponents, level.numerator, -total)
    _add(exponents, level.denominator, total)
    if not any(exponents.values()):
        return True
    digits = 50
    while True:
        with localcontext() as context:
            context.prec = digits
            surplus = sum((exponent * Decimal(prime).ln() for prime, exponent in exponents.items() if exponent), Decimal(0))
            # each of a few hundred terms is correct except for its last digit
            error = sum(abs(exponent) for exponent in exponents.values()) * Decimal(10) ** (5 - digits)
        if abs(surplus) > error:
            return surplus > 0
        digits *= 2


def _add(exponents: Counter[int], number: int, times: int) -> None:
    """Add a number's prime factors, `times` each. Uses trial division, because the numbers are counts of rows."""
    factor = 2
    while factor * factor <= number:
        while number % factor == 0:
            exponents[factor] += times
            number //= factor
        factor += 1 if factor == 2 else 2
    if number > 1:
        exponents[number] += times
