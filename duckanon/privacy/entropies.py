"""Exact comparison of entropies that floating point cannot distinguish from ln l; the results are stored as `entropy_comparisons`.

The entropy of values with counts f in a class of n is at least ln l if and only if prod f^f * l^n <= n^n.
The exponents of the prime factors decide equality; if the sides differ, logarithms of sufficient precision decide which is
larger.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.privacy.models.l_diversity import NEARLY
from duckanon.privacy.requirement import Requirement


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


class Doubts:
    """The exact comparisons so far, by l and by the counts of the values in a class."""

    def __init__(self) -> None:
        self._decided: dict[tuple[str, str], bool] = {}

    def resolve_exactly(
        self, engine: Engine, requirement: Requirement, keys: Sequence[str], histogram: str = "sensitive"
    ) -> Requirement:
        """Compare the classes with these keys, and return the requirement that uses the results.

        `histogram` is the common start of the names of the relations with the rows of each sensitive value.
        """
        for model in requirement.entropies:
            level = str(model.figures["l"])
            statement = render(
                "lattice/doubtful_entropies",
                keys=list(keys),
                relation=f"{histogram}_{model.column}",
                column=model.column,
                partly_missing=model.column in requirement.partly_missing,
                l=level,
                nearly=NEARLY,
            )
            for (counts,) in engine.query(statement):
                self._decided[level, counts] = holds([int(count) for count in counts.split()], model.l)
        rows = [{"l": Decimal(level), "counts": counts, "holds": holds} for (level, counts), holds in self._decided.items()]
        engine.load("entropy_comparisons", rows, {"l": Decimal, "counts": str, "holds": bool})
        return replace(requirement, is_decided=True)
