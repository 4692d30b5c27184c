"""Kept columns that tell rows apart by themselves: a value that nobody shares, or one far beyond all others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from duckanon.engine.protocol import Column
from duckanon.engine.templates import render
from duckanon.search.sample import STAGE, Sample

_NOTABLE = 0.10
_FEW = 5
_FAR = 5
_LEAST_ROWS = 100
_AT_ONCE = 32
_NAMED = 12


@dataclass(frozen=True)
class Conspicuous:
    """A kept column by which rows are found; no value of it."""

    column: str
    alone: float
    """Share of the rows that are alone with their value."""
    is_estimate: bool
    above: bool
    """Whether some rows, fewer than five, lie far above all others."""
    below: bool

    @property
    def is_key(self) -> bool:
        return self.alone >= _NOTABLE


def conspicuous(sample: Sample, kept: Sequence[Column]) -> list[Conspicuous]:
    """The kept columns in which at least 10 % of the rows are alone with their value, or a few rows far from the rest.

    A value that two rows share is seen twice f / 2(1 - f) times as often as once in a sample of a share f of the rows. So from
    the values seen once, 2(1 - f) / f times those seen twice are taken away: what is left never exceeds the rows that are alone
    in the whole table, but by chance.

    Far is, of the five greatest, farther above the median than five times as far as the fifth of them, and the same below:
    Tukey's fences (1977), with the fifth farthest row in place of the quartiles, which are 0 where most rows are. A value that
    five rows share, a top code for one, is never far. Judged of columns of at least 100 numbers, where all rows are looked at: a
    sample misses single rows.
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
        statement = render("release/conspicuous", columns=batch, few=_FEW, far=_FAR, least_rows=_LEAST_ROWS)
        names = {column["number"]: str(column["name"]) for column in batch}
        for number, rows, once, twice, above, below in sample.engine.query(statement, STAGE):
            share = min(1.0, float(rows) / sample.rows) if sample.is_estimate else 1.0
            alone = max(0.0, float(once) - 2 * (1 - share) / share * float(twice)) / float(rows)
            results.append(Conspicuous(names[number], alone, sample.is_estimate, above > 0, below > 0))
    return [result for result in results if result.is_key or result.above or result.below]


def cautions(columns: Sequence[Conspicuous], masked: Collection[str] = ()) -> list[str]:
    """A line for the columns that work as keys, one for those whose mask does, and one for those with rows far out."""
    lines = []
    if keys := [_alone(column) for column in columns if column.is_key and column.column not in masked]:
        lines.append(
            f"rows are alone with their value in {_listed(keys)}, kept as it is: who knows such a value finds the row; "
            "drop the column, or make it a quasi-identifier"
        )
    if keys := [_alone(column) for column in columns if column.is_key and column.column in masked]:
        lines.append(
            f"rows are alone with the characters that the mask leaves of {_listed(keys)}: who knows the value finds the row; leave fewer"
        )
    ends = [f"{column.column!r} ({_ends(column)})" for column in columns if column.above or column.below]
    if ends:
        lines.append(
            f"fewer than five rows lie far beyond all others in {_listed(ends)}, kept as it is: such a value singles a row out; "
            "make the column a quasi-identifier with intervals that are coded at their ends (range: {snap: [LOW, HIGH]}), "
            "show the median of each class (--microaggregate COLUMN=median), or drop it"
        )
    return lines


def _alone(column: Conspicuous) -> str:
    return f"{column.column!r} ({'about ' if column.is_estimate else ''}{column.alone:.0%} of the rows)"


def _ends(column: Conspicuous) -> str:
    return "above and below" if column.above and column.below else "above" if column.above else "below"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= _NAMED else f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
