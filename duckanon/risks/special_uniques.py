"""Special uniques: records that a few columns are sufficient to single out (Elliot, Manning, Ford 2002, SUDA)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, prod
from typing import Any

from duckanon.engine.owner import step
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.risks.column_sets import ClassRelation, column_sets, without_each

_UP_TO = 3
_AT_ONCE = 32
_MOST_GROUPED = 300_000_000
_MOST_COLUMNS = 62
_MOST_SHOWN = 10


@dataclass(frozen=True)
class SpecialUniques:
    """Minimal sample uniques: column sets on which a record is unique, although it is not unique on any subset."""

    up_to: int
    """The size of the largest column sets that were examined."""
    records: dict[tuple[str, ...], int]
    """The number of records by column set."""
    columns: int
    smallest: dict[int, int] = field(default_factory=dict)
    """By number of columns, the records whose smallest set that singles them out has so many."""
    with_column: dict[str, int] = field(default_factory=dict)
    """By column, the records that have it in such a smallest set."""

    def document(self) -> dict[str, Any]:
        """The smallest sets of columns that single out records: by record, by column, and the ten sets with the most records."""
        sets = sorted(self.records, key=lambda columns: (len(columns), -self.records[columns], columns))[:_MOST_SHOWN]
        return {
            "up_to": self.up_to,
            "records": {str(size): records for size, records in self.smallest.items()},
            "columns": self.with_column,
            "sets": [{"columns": list(columns), "records": self.records[columns]} for columns in sets],
        }

    def score(self, size: int) -> int:
        """The score that a minimal sample unique of this size adds to its record: (d - s)! if all sizes are examined."""
        return prod(self.columns - taken for taken in range(size, min(self.up_to, self.columns - 1) + 1))

    def contributions(self, names: Sequence[str]) -> dict[str, float]:
        """The share of the scores of all records that comes from column sets with the column; 0 if no record is special."""
        scores = {columns: count * self.score(len(columns)) for columns, count in self.records.items()}
        whole = sum(scores.values())
        return {name: sum(score for columns, score in scores.items() if name in columns) / (whole or 1) for name in names}


@step
def special_uniques(engine: Engine, classes: ClassRelation) -> SpecialUniques | None:
    """The minimal sample uniques of up to three columns, fewer if there are many classes and columns; None above 62 columns."""
    names = list(classes.keys)
    if len(names) > _MOST_COLUMNS:
        return None
    up_to = _depth(len(names), engine.relations()[classes.relation] or 0)
    records_of: dict[tuple[str, ...], int] = {}
    for number, batch in enumerate(_batches(names, up_to)):
        sets = [{"mask": _mask(names, columns), "columns": [classes.keys[name] for name in columns]} for columns in batch]
        has_smaller = len(batch[0]) > 1
        statement = render("risk/special_uniques", classes=classes.relation, sets=sets, has_smaller=has_smaller)
        if number:
            engine.append(statement)
        else:
            engine.create_table(statement)
    for mask, records in engine.query(render("risk/special_unique_sets")):
        records_of[tuple(name for place, name in enumerate(names) if mask >> place & 1)] = int(records)
    bits = [1 << place for place in range(len(names))]
    smallest = engine.query(render("risk/smallest_sets", columns=bits))
    with_column = {name: sum(int(row[place]) for row in smallest) for place, name in enumerate(names, start=2)}
    return SpecialUniques(
        up_to, records_of, len(names), {int(size): int(records) for size, records, *_ in smallest}, with_column
    )


def _depth(columns: int, classes: int) -> int:
    """The largest set size for which the total number of grouped rows is acceptable."""
    depth, grouped = 1, columns * classes
    while depth < min(_UP_TO, columns) and (grouped := grouped + comb(columns, depth + 1) * classes) <= _MOST_GROUPED:
        depth += 1
    return depth


def _batches(names: Sequence[str], up_to: int) -> list[list[tuple[str, ...]]]:
    """The column sets by size, in batches."""
    batches: list[list[Any]] = []
    for size in range(1, up_to + 1):
        sets = list(combinations(names, size))
        batches += [sets[start : start + _AT_ONCE] for start in range(0, len(sets), _AT_ONCE)]
    return batches


def _mask(names: Sequence[str], columns: Sequence[str]) -> int:
    return sum(1 << names.index(name) for name in columns)


def attributes(engine: Engine, classes: ClassRelation, special: SpecialUniques | None) -> list[dict[str, Any]]:
    """One entry per quasi-identifier: its distinction and separation, the unique records that remain without it, and its
    contribution, which is the share of the special-uniques score from column sets that contain it; None if it was not measured.
    """
    names = list(classes.keys)
    alone = column_sets(engine, classes, [[name] for name in names])
    without = column_sets(engine, classes, list(without_each(names)))
    contributions = special.contributions(names) if special is not None else {}
    return [
        {
            "column": name,
            "distinction": own["distinction"],
            "separation": own["separation"],
            "uniques_without": others["uniques"],
            "contribution": contributions.get(name),
        }
        for name, own, others in zip(names, alone, without, strict=True)
    ]
