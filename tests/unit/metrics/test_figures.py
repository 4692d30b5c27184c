"""The figures of a node, and the metrics that are computed from them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from duckanon.metrics.figures import Figures, Marginals
from duckanon.metrics.loss import attribute_losses, kept_losses, rounded
from duckanon.metrics.objective import (
    ClassSize,
    Discernibility,
    Distortion,
    GeometricMeanLoss,
    Imprecision,
    LeastExcess,
    MaximumLoss,
    MeanLoss,
)

FIGURES = Figures.counted(10, 3, [4, 1, 3, 4, 2, 3, 30, 25, 0, 0, 0])
"""Ten rows in classes of 4, 3, 2 and 1, with k = 3: the last two are suppressed."""
AGE = Marginals(
    name="age",
    weight=Fraction(1),
    height=2,
    domain=5,
    excess=(0, 10, 40),
    information=(0.0, 0.0, 0.0),
    original=0.0,
    leaves=({}, {0: 2, 1: 2}, {0: 5}),
    rows=({}, {0: 4, 1: 6}, {0: 10}),
    codes=5,
    losses=(Fraction(0), Fraction(1, 4), Fraction(1)),
)
"""Five leaves below two labels and a top, over ten rows."""
SEX = Marginals(
    name="sex",
    weight=Fraction(3),
    height=1,
    domain=2,
    excess=(0, 10),
    information=(0.0, 0.0),
    original=0.0,
    leaves=({}, {0: 2}),
    rows=({}, {0: 10}),
    codes=2,
    losses=(Fraction(0), Fraction(1)),
)
BOTH = [AGE, SEX]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (
            [4, 1, 3, 4, 2, 3, 30, 25, 0, 0, 0],
            {"released": 7, "released_classes": 2, "failing_rows": 3, "passing_classes": 2, "rescuable": 1},
        ),
        ([1, 10, 10, 10, 0, 0, 100, 100, 0, 0, 0], {"released": 10, "released_classes": 1, "failing_rows": 0, "rescuable": 0}),
        # two rows of a passing class join the masked records
        (
            [4, 1, 3, 5, 2, 3, 30, 25, 2, 1, 1],
            {"released": 7, "failing_rows": 1, "passing_classes": 3, "rescuable": 0, "least_below": 1},
        ),
    ],
)
def test_figures_follow_from_the_counts_of_classes(counts: Sequence[int], expected: dict[str, int]) -> None:
    figures = Figures.counted(10, 3, counts)
    assert {name: getattr(figures, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("objective", "node", "value", "published"),
    [
        (Discernibility(10), (0, 0), 4 * 4 + 3 * 3 + 3 * 10, None),
        # two classes, and the suppressed rows as a third
        (ClassSize(10, 3), (0, 0), Fraction(10, 3), None),
        # seven rows at 1 / 2 and 0, three at 1 and 1
        (Imprecision(BOTH, 10), (1, 0), None, (7 * 0.5 + 3 * 2) / 20),
        (Distortion(BOTH, 10), (1, 0), None, (7 * 0.25 + 3 * 2) / 20),
        (Imprecision(BOTH, 10), (2, 1), None, 1.0),
    ],
)
def test_a_metric_of_levels_or_sizes(objective: Any, node: tuple[int, ...], value: Any, published: float | None) -> None:
    computed = objective.value(node, FIGURES, lambda: ({}, {}))
    assert value is None or computed == value
    assert published is None or objective.published(computed) == pytest.approx(published)


LOST = ({0: 1, 1: 2}, {0: 1, 1: 2})
"""The three suppressed rows by their labels at level 1 of age and level 0 of sex."""


def test_a_suppressed_cell_loses_everything() -> None:
    """Age: (10 + 3 * (4 - 1)) / (10 * 4); sex: 3 / 10. Of the seven rows released, age loses 7 / (7 * 4) and sex nothing."""
    assert attribute_losses(BOTH, (1, 0), FIGURES, LOST) == [Fraction(19, 40), Fraction(3, 10)]
    assert kept_losses(BOTH, (1, 0), FIGURES, LOST) == [Fraction(1, 4), 0]
    assert attribute_losses(BOTH, (2, 1), FIGURES, ({0: 3}, {0: 3})) == [1, 1]


@pytest.mark.parametrize(
    ("objective", "expected"),
    [
        (MeanLoss(BOTH, 10), (Fraction(19, 40) + 3 * Fraction(3, 10)) / 4),
        (MaximumLoss(BOTH, 10), 3 * Fraction(3, 10)),
        (GeometricMeanLoss(BOTH, 10), rounded(float((1 + Fraction(19, 40)) * (1 + 3 * Fraction(3, 10))) ** 0.5 - 1)),
    ],
)
def test_the_losses_of_the_attributes_are_one_figure(objective: Any, expected: Any) -> None:
    assert objective.published(objective.value((1, 0), FIGURES, lambda: LOST)) == pytest.approx(float(expected))


@pytest.mark.parametrize(
    ("level", "suppressed", "expected"),
    [(0, 0, 0), (0, 3, 12), (1, 0, 10), (1, 4, 10 + 4 * 3), (1, 10, 40), (2, 0, 40), (2, 10, 40)],
)
def test_the_least_that_an_attribute_loses_if_rows_are_suppressed(level: int, suppressed: int, expected: int) -> None:
    assert LeastExcess(AGE, 10).at(level, suppressed) == expected


@pytest.mark.parametrize("objective", [MeanLoss(BOTH, 10), Imprecision(BOTH, 10), Distortion(BOTH, 10), Discernibility(10)])
def test_a_lower_bound_is_not_above_the_value(objective: Any) -> None:
    assert objective.floor((1, 0), FIGURES.suppressed) <= objective.value((1, 0), FIGURES, lambda: LOST)
