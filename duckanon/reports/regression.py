"""Linear and logistic regression on grouped rows: Newton's method, of which the database sums each step and Python solves the equations.

A linear regression has the same steps, of which the first is exact.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render

_MOST_STEPS = 15
"""Coefficients that separate the outcome grow by about one with each step and never settle."""
_SETTLED, _LARGEST_STEP = 1e-8, 50.0
_COLLINEAR = 1e-9
"""A term is a combination of earlier ones if they leave a smaller share of its sum of squares."""
_LEAST_PIVOT, _CONSTANT = 1e-14, 1e-12
_SIGNIFICANT = NormalDist().inv_cdf(0.975)

Matrix = list[list[float]]


@dataclass(frozen=True)
class Estimate:
    """A coefficient and its standard error."""

    coefficient: float
    error: float
    is_significant: bool
    """Whether it differs from 0 at 5%."""


@dataclass(frozen=True)
class Regression:
    """The estimates of terms by their position; a term that is constant, collinear or separates the outcome has none."""

    rows: int
    estimates: Mapping[int, Estimate] = field(default_factory=dict)
    collinear: Sequence[int] = ()
    """Terms that are constant, or a combination of earlier ones."""


def fitted(engine: Engine, terms: int, *, is_logistic: bool) -> Regression:
    """The regression of the outcome in `study_sets` on so many terms in `study_terms`, the first of which is the constant.

    No estimates if the outcome is constant, if there are no more rows than terms, or if the steps grow without bound.
    """
    coefficients, columns, step, rows = [0.0] * terms, list(range(terms)), list[float](), 0.0
    for number in range(_MOST_STEPS):
        statement = render("utility/study_step", coefficients=coefficients, is_logistic=is_logistic)
        read = {(row, column): sums for row, column, *sums in engine.query(statement)}
        _, _, rows, total, squares, squared_errors = map(float, read.get((0, 0), [0.0] * 6))
        if squares * rows - total * total <= _CONSTANT * rows * rows:
            return Regression(int(rows))
        least = _LEAST_PIVOT if number else _COLLINEAR
        inverse, columns = inverted(
            [[_entry(read, row, column) for column in range(terms)] for row in range(terms)], columns, least
        )
        step = [sum(inverse[row][column] * read[column, column][1] for column in columns) for row in range(terms)]
        if rows <= len(columns) or not all(abs(step[column]) < _LARGEST_STEP for column in columns):
            return Regression(int(rows))
        for column in columns:
            coefficients[column] += step[column]
        if all(abs(step[column]) < _SETTLED for column in columns):
            break
    variance = 1.0 if is_logistic else max(squared_errors, 0.0) / (rows - len(columns))
    least = _SIGNIFICANT if is_logistic else critical(int(rows) - len(columns))
    estimates = {}
    for column in columns:
        if abs(step[column]) < sqrt(_SETTLED):
            error = sqrt(max(variance * inverse[column][column], 0.0))
            estimates[column] = Estimate(coefficients[column], error, abs(coefficients[column]) > least * error)
    return Regression(int(rows), estimates, [column for column in range(terms) if column not in columns])


def _entry(read: Mapping[tuple[int, int], Sequence[float]], row: int, column: int) -> float:
    return read.get((min(row, column), max(row, column)), [0.0])[0]


def inverted(matrix: Matrix, columns: Collection[int], least: float) -> tuple[Matrix, list[int]]:
    """The inverse of a symmetric matrix on the columns that are no combination of earlier ones, and these columns.

    `least` is the share of its diagonal below which what is left of a column counts as nothing.
    """
    rest, kept = [list(row) for row in matrix], list[int]()
    for column in columns:
        pivot = rest[column][column]
        if not pivot > least * matrix[column][column]:
            continue
        kept.append(column)
        own = [value / pivot for value in rest[column]]
        for number, row in enumerate(rest):
            if number != column:
                factor = row[column]
                rest[number] = [value - factor * part for value, part in zip(row, own, strict=True)]
                rest[number][column] = -factor / pivot
        own[column] = 1 / pivot
        rest[column] = own
    return rest, kept


def critical(freedom: int) -> float:
    """The 97.5% quantile of Student's t, by the expansion of Cornish and Fisher; 3.16 instead of 3.18 for 3 degrees of freedom, and exact for many."""
    z = _SIGNIFICANT
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
