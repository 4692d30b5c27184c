"""Entropies compared exactly, where floating point is too coarse.

Values with counts f in a class of n are as uncertain as l even ones or more just where
prod f^f * l^n <= n^n. Equality shows in the exponents of the primes; where the sides differ,
logarithms of enough digits tell which is the larger.
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
            # each of a few hundred terms is right to its last digit but one
            error = sum(abs(exponent) for exponent in exponents.values()) * Decimal(10) ** (5 - digits)
        if abs(surplus) > error:
            return surplus > 0
        digits *= 2


def _add(exponents: Counter[int], number: int, times: int) -> None:
    """Adds a number's prime factors, `times` each; trial division, for numbers of rows."""
    factor = 2
    while factor * factor <= number:
        while number % factor == 0:
            exponents[factor] += times
            number //= factor
        factor += 1 if factor == 2 else 2
    if number > 1:
        exponents[number] += times
