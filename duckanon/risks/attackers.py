"""The risk of a record under three adversary models (El Emam, Dankar 2008; Dankar, El Emam 2010).

A prosecutor knows that a person is in the table. A journalist knows only that the person is in the population from which it was
taken. A marketer wants to re-identify as many persons as possible.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from duckanon.risks.sizes import Size, binned

THRESHOLDS = (Fraction(1, 20), Fraction(9, 100), Fraction(1, 5), Fraction(1, 3))
"""Risk thresholds used in practice, from public release to trusted recipients."""


def figures(
    sizes: Sequence[Size],
    population: Sequence[Size] | None = None,
    *,
    unit: str = "rows",
    person_share: float | None = None,
    required: Fraction | None = None,
) -> dict[str, Any]:
    """All figures of a table, from the sizes of its classes. `population` gives the sizes of the same classes in the population.

    Without `population`, the table is the population, and the journalist's risk equals the prosecutor's. `unit` is what sizes
    count, rows or persons. The figures of a table without rows are 0.

    If persons are counted, `average_of_persons` is the mean over persons instead of rows; a person counts once in each class. `person_share` is the
    largest share of the rows of a class that are of one person. `required` is one more threshold, that of the privacy requirement.
    """
    classes = sum(size.classes for size in sizes)
    thresholds = sorted({*THRESHOLDS, *((required,) if required else ())})
    prosecutor = journalist = _attacker(sizes, thresholds)
    if population is not None:
        journalist = _attacker(population, thresholds)
    return {
        "unit": unit,
        "rows": sum(size.rows for size in sizes),
        "classes": classes,
        "uniques": sum(size.classes for size in sizes if size.size == 1),
        "prosecutor": prosecutor,
        "journalist": journalist,
        "marketer": journalist["average"],
        "sizes": binned(sizes),
        **({} if unit == "rows" else {"average_of_persons": _share(classes, sum(size.size * size.classes for size in sizes))}),
        **({} if person_share is None else {"person_share": person_share}),
    }


def _attacker(sizes: Sequence[Size], thresholds: Sequence[Fraction]) -> dict[str, Any]:
    """The highest and the average risk of a record, 1 / size of its class, and the share of the rows above each threshold."""
    expected = sum(size.rows / max(1, size.size) for size in sizes)
    rows = sum(size.rows for size in sizes)
    return {
        "highest": 1 / max(1, sizes[0].size) if sizes else 0.0,
        "average": _share(expected, rows),
        "at_risk": {named(risk): _share(_above(sizes, risk), rows) for risk in thresholds},
    }


def required_risk(k: int) -> Fraction | None:
    """The highest risk that a k allows; None if it allows any."""
    return Fraction(1, k) if k > 1 else None


def named(risk: Fraction) -> str:
    """A threshold as text."""
    return f"{float(risk):.4g}"


def _above(sizes: Sequence[Size], risk: Fraction) -> int:
    """The number of rows whose risk exceeds a threshold. A class that the population lacks has size 1 there."""
    return sum(size.rows for size in sizes if max(1, size.size) * risk < 1)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
