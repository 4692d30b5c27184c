"""What a study would find, restated with pandas and numpy on a file as pandas reads it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

Key = tuple[str, str | None, str | None]
"""A term of a regression: a column, and for a category a value and the value that it is compared with."""


def number(label: Any) -> float:
    """The number that a cell shows: of a range its midpoint, of an open range its bound; NaN for `*`."""
    if label is None or label == "*" or pd.isna(label):
        return float("nan")
    parts = [float(part) for part in re.findall(r"(?<![\d])-?\d+(?:\.\d+)?", str(label))]
    return sum(parts) / len(parts)


def frame(table: pd.DataFrame, numbers: Sequence[str], texts: Sequence[str]) -> pd.DataFrame:
    """The columns as numbers, and as texts; what is not shown is missing."""
    read: dict[str, Any] = {name: table[name].map(number) for name in numbers}
    read |= {name: table[name].map(lambda cell: None if pd.isna(cell) or cell == "*" else str(cell)) for name in texts}
    return pd.DataFrame(read)


def levels(column: pd.Series, source: pd.Series, filled: pd.Series) -> list[str]:
    """The values of a category that a regression distinguishes: five of the source, if the first of them is shown."""
    first, own = _frequent(source)[:5], _frequent(column[filled])
    return [name for name in first if name in own] if first and first[0] in own else own[:5]


def _frequent(column: pd.Series) -> list[str]:
    counts = column.dropna().value_counts()
    return sorted(counts.index, key=lambda name: (-counts[name], name))


def design(
    data: pd.DataFrame, source: pd.DataFrame, columns: Sequence[str], numbers: Sequence[str], outcome: str
) -> tuple[list[Key], pd.DataFrame, pd.Series]:
    """The terms of the complete rows, the constant first, and the outcome; a column that shows one value has no term."""
    terms: dict[Key, pd.Series] = {("", None, None): pd.Series(1.0, index=data.index)}
    used, filled = [], data[outcome].notna()
    for name in columns:
        column = data[name]
        if column[filled].dropna().nunique() < 2:
            continue
        used.append(name)
        if name in numbers:
            known = source[name][source[outcome].notna()]
            terms[name, None, None] = (column - known.mean()) / known.std()
            continue
        first, *named = levels(column, source[name][source[outcome].notna()], filled)
        for level in named:
            terms[name, level, first] = (column == level).astype(float)
        if column[filled].dropna().nunique() > len(named) + 1:
            terms[name, "other", first] = (~column.isin([first, *named])).astype(float)
    complete = data[[*used, outcome]].notna().all(axis=1)
    matrix = pd.DataFrame(dict(enumerate(terms.values())))
    return list(terms), matrix[complete], data[outcome][complete]


def linear(terms: pd.DataFrame, outcome: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and standard errors of least squares, of terms that are independent."""
    x, y = terms.to_numpy(float), outcome.to_numpy(float)
    coefficients, *_ = np.linalg.lstsq(x, y, rcond=None)
    variance = ((y - x @ coefficients) ** 2).sum() / (len(y) - x.shape[1])
    return coefficients, np.sqrt(np.diag(variance * np.linalg.inv(x.T @ x)))


def logistic(terms: pd.DataFrame, outcome: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and standard errors of the greatest likelihood, of terms that do not separate the outcome."""
    x, y = terms.to_numpy(float), outcome.to_numpy(float)
    coefficients = np.zeros(x.shape[1])
    for _ in range(30):
        mean = 1 / (1 + np.exp(-x @ coefficients))
        information = x.T @ (x * (mean * (1 - mean))[:, None])
        coefficients = coefficients + np.linalg.solve(information, x.T @ (y - mean))
    return coefficients, np.sqrt(np.diag(np.linalg.inv(information)))


def is_regular(terms: pd.DataFrame) -> bool:
    """Whether the terms are independent, and fewer than the rows."""
    return len(terms) > terms.shape[1] and bool(np.linalg.matrix_rank(terms.to_numpy(float), tol=1e-8) == terms.shape[1])


FITS: Mapping[str, Callable[[pd.DataFrame, pd.Series], tuple[np.ndarray, np.ndarray]]] = {
    "linear": linear,
    "logistic": logistic,
}
