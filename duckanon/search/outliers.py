"""Retained columns that single rows out: columns with many unique values, or with outliers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from duckanon.engine.protocol import Column
from duckanon.engine.templates import render
from duckanon.formatting import first_of
from duckanon.search.sample import STAGE, Sample

_NOTABLE = 0.10
_FEW = 5
_FAR = 5
_LEAST_ROWS = 100
_AT_ONCE = 32


@dataclass(frozen=True)
class NearUnique:
    """A retained column that singles rows out; holds no value of the column."""

    column: str
    unique: float
    """Share of the rows with a unique value."""
    is_estimate: bool
    above: bool
    """Whether some rows, fewer than five, have values far above all others."""
    below: bool

    @property
    def is_key(self) -> bool:
        return self.unique >= _NOTABLE


def near_unique(sample: Sample, kept: Sequence[Column]) -> list[NearUnique]:
    """Find the retained columns in which at least 10% of the rows have a unique value, or a few rows are outliers.

    In a sample with a share f of the rows, a value that two rows share is seen twice f / 2(1 - f) times as often as once. So
    2(1 - f) / f times the number of values seen twice is subtracted from the number of values seen once. Apart from chance, the
    result is not larger than the number of rows with a unique value in the whole table.

    One of the five greatest values is an outlier if its distance above the median is more than five times that of the fifth
    greatest; the least values likewise. These are Tukey's fences (1977) with the fifth value instead of the quartiles, because
    the quartiles of a column of mostly zeros are 0. A value that five rows share, such as a top code, is never an outlier. Only
    columns of at least 100 numbers are judged, and only if all rows are read, because a sample misses single rows.
    """
    if not kept:
        return []
    if not sample.kept:
        sample.take([{"name": column.name, "is_text": column.is_text, "holds_numbers": False} for column in kept], [])
    numbers = sample.kept
    judged = [
        {"number": numbers[column.name], "name": column.name, "is_number": column.is_numeric and not sample.is_estimate}
        for column in kept
        if column.name in numbers
    ]
    results = []
    for start in range(0, len(judged), _AT_ONCE):
        batch = judged[start : start + _AT_ONCE]
        statement = render("release/near_unique", columns=batch, few=_FEW, far=_FAR, least_rows=_LEAST_ROWS)
        names = {column["number"]: str(column["name"]) for column in batch}
        for number, rows, once, twice, above, below in sample.engine.query(statement, STAGE):
            share = min(1.0, float(rows) / sample.rows) if sample.is_estimate else 1.0
            unique = max(0.0, float(once) - 2 * (1 - share) / share * float(twice)) / float(rows)
            results.append(NearUnique(names[number], unique, sample.is_estimate, above > 0, below > 0))
    return [result for result in results if result.is_key or result.above or result.below]


def cautions(columns: Sequence[NearUnique], masked: Collection[str] = ()) -> list[str]:
    """One line each for columns with many unique values, masked columns with many unique values, and columns with outliers."""
    lines = []
    if keys := [_unique(column) for column in columns if column.is_key and column.column not in masked]:
        lines.append(
            f"unique values in retained {first_of(keys)}: a person who knows such a value can find the row; "
            "drop the column, or make it a quasi-identifier"
        )
    if keys := [_unique(column) for column in columns if column.is_key and column.column in masked]:
        lines.append(
            f"unique values in masked {first_of(keys)}: a person who knows the original value can find the row; leave fewer characters"
        )
    ends = [f"{column.column!r} ({_ends(column)})" for column in columns if column.above or column.below]
    if ends:
        lines.append(
            f"outliers in retained {first_of(ends)}, in fewer than five rows: such a value singles a row out; "
            "make the column a quasi-identifier with intervals that are top-coded and bottom-coded (range: {snap: [LOW, HIGH]}), "
            "show the median of each class (--microaggregate COLUMN=median), or drop it"
        )
    return lines


def _unique(column: NearUnique) -> str:
    return f"{column.column!r} ({'about ' if column.is_estimate else ''}{column.unique:.0%} of the rows)"


def _ends(column: NearUnique) -> str:
    return "above and below" if column.above and column.below else "above" if column.above else "below"
