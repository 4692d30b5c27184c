"""Retained columns that single rows or persons out: columns whose values few of them have, or with outliers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from duckanon.engine.protocol import Column
from duckanon.engine.templates import batches, render
from duckanon.formatting import first_of
from duckanon.job.column import Treatments
from duckanon.observers import Caution
from duckanon.search.sample import STAGE, Sample, as_they_are

_NOTABLE = 0.10
_FEW = 5
_FAR = 5
_LEAST_ROWS = 100
_AT_ONCE = 32


@dataclass(frozen=True)
class NearUnique:
    """A retained column that singles rows out; holds no value of the column."""

    column: str
    few: float
    """Share of the rows with a value that fewer than k persons, or rows if rows are counted, have; if it is estimated, with a unique value."""
    is_estimate: bool
    above: bool
    """Whether some rows or persons, fewer than five, have values far above all others."""
    below: bool

    @property
    def described(self) -> str:
        """The share of the rows, as text."""
        return f"about {self.few:.0%} of the rows have a unique value" if self.is_estimate else f"{self.few:.0%} of the rows"

    @property
    def is_key(self) -> bool:
        return self.few >= _NOTABLE


def shifted_parts(treatments: Treatments) -> list[dict[str, str]]:
    """What shifted dates leave visible: the time of day, and the time between two dates that move together; each with its `name`."""
    shifts = [treatment for treatment in treatments.values() if treatment.kind == "shift"]
    times = [{"name": f"the time of day of {each.column.name!r}", "of": each.column.name} for each in shifts if each.shows_time]
    between = [
        {
            "name": f"the time between {first.column.name!r} and {other.column.name!r}",
            "of": other.column.name,
            "since": first.column.name,
        }
        for number, first in enumerate(shifts)
        for other in shifts[number + 1 :]
        if other.by == first.by
    ]
    return times + between


def near_unique(
    sample: Sample,
    kept: Sequence[Column],
    k: int = 2,
    person: Column | None = None,
    parts: Sequence[Mapping[str, str]] = (),
) -> list[NearUnique]:
    """Find the retained columns in which at least 10% of the rows have a value of fewer than k rows, or a few rows are outliers.

    `parts` are judged like columns (`shifted_parts`). With a column `person`, persons are counted instead of rows, in all rows of the table: a sample misses rows of a person.

    In a sample, unique values are estimated. In a sample with a share f of the rows, a value that two rows share is seen twice f / 2(1 - f) times as often as once. So
    2(1 - f) / f times the number of values seen twice is subtracted from the number of values seen once. Apart from chance, the
    result is not larger than the number of rows with a unique value in the whole table.

    One of the five greatest values is an outlier if its distance above the median is more than five times that of the fifth
    greatest; the least values likewise. These are Tukey's fences (1977) with the fifth value instead of the quartiles, because
    the quartiles of a column of mostly zeros are 0. A person counts with the greatest and the least value. A value that five rows share, such as a top code, is never an outlier. Only
    columns of at least 100 numbers are judged, and only if all rows are read, because a sample misses single rows.
    """
    if not kept and not parts:
        return []
    taken = [*kept, *([] if person is None else [person])]
    if not sample.kept or person is not None or parts:
        named = [{"is_text": False, "holds_numbers": False, **part} for part in parts]
        sample.take([*as_they_are(taken), *named], [], all_rows=person is not None)
    numbers, is_estimate = sample.kept, sample.is_estimate and person is None
    evaluated = [
        {"number": numbers[column.name], "name": column.name, "is_number": column.is_numeric and not is_estimate}
        for column in kept
        if column.name in numbers
    ]
    evaluated += [{"number": numbers[part["name"]], "name": part["name"], "is_number": False} for part in parts]
    results = []
    for batch in batches(evaluated, _AT_ONCE):
        about = {"few": _FEW, "far": _FAR, "least_rows": _LEAST_ROWS, "k": k}
        statement = render(
            "release/near_unique", columns=batch, person=None if person is None else numbers[person.name], **about
        )
        names = {column["number"]: str(column["name"]) for column in batch}
        for number, rows, once, twice, rows_of_few, above, below in sample.engine.query(statement, STAGE):
            share = min(1.0, float(rows) / sample.rows)
            unique = max(0.0, float(once) - 2 * (1 - share) / share * float(twice)) / float(rows)
            few = unique if is_estimate else float(rows_of_few) / float(rows)
            results.append(NearUnique(names[number], few, is_estimate, above > 0, below > 0))
    return [result for result in results if result.is_key or result.above or result.below]


def cautions(
    columns: Sequence[NearUnique], masked: Collection[str] = (), *, k: int, of: str = "rows", parts: Collection[str] = ()
) -> list[Caution]:
    """One line each for columns whose values few rows or persons (`of`) have, for such masked columns, and for columns with outliers."""
    lines = []
    values, five = f"values that fewer than {k:,} {of} have in", f"fewer than five {of}"
    if keys := [_unique(column) for column in columns if column.is_key and column.column not in {*masked, *parts}]:
        lines.append(
            f"{values} retained {first_of(keys)}: a person who knows such a value can find the row; "
            "drop the column, or make it a quasi-identifier"
        )
    if keys := [_unique(column) for column in columns if column.is_key and column.column in masked]:
        lines.append(
            f"{values} masked {first_of(keys)}: a person who knows the original value can find the row; leave fewer characters"
        )
    if keys := [f"{column.column} ({column.described})" for column in columns if column.is_key and column.column in parts]:
        lines.append(
            f"shifted dates show values that fewer than {k:,} {of} have: {first_of(keys)}; a person who knows such a value can find the row; "
            "remove the time of day (--shift COLUMN=180:days:truncate), shift one date only, or drop a column"
        )
    ends = [f"{column.column!r} ({_ends(column)})" for column in columns if column.above or column.below]
    if ends:
        lines.append(
            f"outliers in retained {first_of(ends)}, in {five}: such a value singles a row out; "
            "make the column a quasi-identifier with intervals that are top-coded and bottom-coded (range: {snap: [LOW, HIGH]}), "
            "show the median of each class (--microaggregate COLUMN=median), or drop it"
        )
    return [Caution("near-unique", line) for line in lines]


def _unique(column: NearUnique) -> str:
    return f"{column.column!r} ({column.described})"


def _ends(column: NearUnique) -> str:
    return "above and below" if column.above and column.below else "above" if column.above else "below"
