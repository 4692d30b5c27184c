"""Columns that others determine: an adversary who knows the postal code knows the county."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import batches, render
from duckanon.privacy.requirement import Dependency
from duckanon.search.sample import STAGE, Sample, as_they_are

SAMPLED_ROWS = 50_000
"""Rows of the sample in which dependencies are looked for."""
_LEAST_ROWS = 2_000
_MOST_CELLS = 40_000_000
"""Cells (rows of the sample, times sets, times columns that they may determine) above which the sample is smaller."""
MOST_PAIRED = 24
"""The number of columns of which pairs are judged."""
_CERTAIN = 0.95
"""A column counts as determined if at least this share of the rows is predicted, and its most frequent value has less than this share."""
_GAIN = 2
_GAIN_OF_RARE = 20
"""By how much the prediction must reduce the rows that the most frequent value predicts wrongly; the second also if that is frequent."""
_REPEATED = 0.10
"""The least share of the rows whose values of several columns together are in several rows: few rows would be persons or copies."""
_CHANCE = 1e-9
"""Dependencies with a larger probability than this are taken for chance."""
_FEW_EACH = 20
"""Parts of a column are judged if its values have fewer rows than this on average."""
_SETS_AT_ONCE = 32
_COLUMNS_AT_ONCE = 64
"""The columns of one statement; DuckDB plans statements of thousands of counts slowly."""

JudgedSet = tuple[tuple[str, ...], list[dict[str, Any]]]
"""The names of columns, and the columns or parts that stand for them in a sample."""


def sampled_rows(columns: int, targets: int) -> int:
    """The rows of a sample that bounds the cost: about `_MOST_CELLS` cells."""
    paired = min(columns, MOST_PAIRED)
    sets = columns + paired * (paired - 1) // 2 + 1
    return min(SAMPLED_ROWS, max(_LEAST_ROWS, _MOST_CELLS // max(1, sets * targets)))


def dependencies(
    sample: Sample, determinants: Sequence[Column], targets: Sequence[Column], *, entity: Column | None = None
) -> list[Dependency]:
    """Find the targets that single determinants, pairs of them, or all of them together determine; only the smallest sets.

    A set determines a column if the other rows with the same values of the set predict its value for at least 95% of the rows, and
    reduce the rows that its most frequent value predicts wrongly by half (or to a twentieth, if that value is nearly constant). A
    row without others predicts nothing, so near-unique columns determine nothing by chance. Of a near-unique column, the
    parts of its values are judged too (`parts_of`). Each person has one row, and copies of rows count once in a table of different rows.
    """
    if not determinants or not targets:
        return []
    columns = {column.name: column for column in (*determinants, *targets, *([entity] if entity else []))}
    numbers = {name: number for number, name in enumerate(columns)}
    sample.take(as_they_are(columns.values()), [])
    whole = list(range(len(columns)))
    rows, different = row_counts(sample, whole)
    values = value_counts(sample, [{"number": number, "part": None} for number in whole])
    sets = list(_sets(sample, determinants, numbers, rows, values))
    about = {
        "whole": whole,
        "is_distinct": 2 * different > rows,
        "entity": None if entity is None else numbers[entity.name],
        "most": _SETS_AT_ONCE,
    }
    names_of = list(columns)
    results: dict[Dependency, None] = {}
    for batch in batches(sets, _SETS_AT_ONCE):
        about["sets"] = [evaluated for _, evaluated in batch]
        statements = [
            render("dataset/dependencies", targets=[numbers[column.name] for column in some], **about)
            for some in batches(targets, _COLUMNS_AT_ONCE)
        ]
        for number, target, *counted in (row for each in statements for row in sample.engine.query(each, STAGE)):
            known, column = batch[int(number)][0], names_of[int(target)]
            smaller = any(each.column == column and set(each.known) <= set(known) for each in results)
            if column not in known and not smaller and _is_determined(rows, len(known) > 1, *map(float, counted)):
                results[Dependency(known, column)] = None
    return list(results)


def _is_determined(
    rows: int, is_set: bool, repeated: float, groups: float, largest: float, predicted: float, frequent: float
) -> bool:
    wrong, wrong_by_chance = 1 - predicted / repeated, 1 - frequent
    if wrong > 1 - _CERTAIN or wrong_by_chance <= 0 or (is_set and repeated < _REPEATED * rows):
        return False
    gain = _GAIN if frequent < _CERTAIN else _GAIN_OF_RARE
    # if the columns were independent, each further row of a group would have the same value with this probability at most
    return wrong * gain <= wrong_by_chance and (repeated - largest - groups + 1) * log(1 / frequent) > -log(_CHANCE)


def _sets(
    sample: Sample, determinants: Sequence[Column], numbers: Mapping[str, int], rows: int, values: Sequence[int]
) -> Iterator[JudgedSet]:
    """The sets of determinants, each with the columns or parts that are judged."""
    varied = [column for column in determinants if values[numbers[column.name]] > 1]
    whole = {column.name: {"number": numbers[column.name], "part": None} for column in varied}
    for column in varied:
        if values[numbers[column.name]] < rows:
            yield (column.name,), [whole[column.name]]
    yield from parts(sample, varied, numbers, rows, values)
    yield from pairs(varied, numbers, rows, values)
    if len(varied) > 2:
        yield tuple(whole), list(whole.values())


def parts(
    sample: Sample, columns: Sequence[Column], numbers: Mapping[str, int], rows: int, values: Sequence[int]
) -> Iterator[JudgedSet]:
    """The parts of near-unique columns that repeat and are not constant."""
    unique = [column for column in columns if values[numbers[column.name]] * _FEW_EACH > rows]
    sizes = _text_sizes(sample, [column for column in unique if not column.is_date], numbers)
    evaluated = [
        (column.name, {"number": numbers[column.name], "part": part})
        for column in unique
        for part in parts_of(column, *sizes.get(column.name, (0, 0)))
    ]
    counted = value_counts(sample, [part for _, part in evaluated])
    yield from (((name,), [part]) for (name, part), count in zip(evaluated, counted, strict=True) if 1 < count <= rows / 2)


def pairs(columns: Sequence[Column], numbers: Mapping[str, int], rows: int, values: Sequence[int]) -> Iterator[JudgedSet]:
    """The pairs of columns that repeat and are not constant, of the first `MOST_PAIRED` of these."""
    paired = [column.name for column in columns if 1 < values[numbers[column.name]] <= rows / 2][:MOST_PAIRED]
    yield from ((pair, [{"number": numbers[name], "part": None} for name in pair]) for pair in combinations(paired, 2))


def row_counts(sample: Sample, columns: Sequence[int]) -> tuple[int, int]:
    """The rows of the sample, and its different rows by the columns with these numbers."""
    [(rows, different)] = sample.engine.query(
        render("dataset/part_counts", sets=[[{"number": number, "part": None} for number in columns]]), STAGE
    )
    return int(rows), int(different)


def value_counts(sample: Sample, columns: Sequence[dict[str, Any]]) -> list[int]:
    """The different values of each column or part."""
    statements = [
        render("dataset/part_counts", sets=[[column] for column in batch]) for batch in batches(columns, _COLUMNS_AT_ONCE)
    ]
    return [int(count) for each in statements for [(_, *counts)] in [sample.engine.query(each, STAGE)] for count in counts]


def _text_sizes(sample: Sample, columns: Sequence[Column], numbers: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """The greatest length and number of words of the values of each column."""
    if not columns:
        return {}
    [sizes] = sample.engine.query(render("dataset/text_sizes", numbers=[numbers[column.name] for column in columns]), STAGE)
    return {
        column.name: (int(longest), int(words)) for column, (longest, words) in zip(columns, batches(sizes, 2), strict=True)
    }


_WORDS = 8
_FIELDS = 24
"""Words of a nested value, which has the names of its fields before their values."""
_PLACES = 12
_LENGTHS = (1, 2, 4)
_OF_DATES = ("year", "month_start", "week_start", "month", "day", "dayofweek")


@dataclass(frozen=True)
class ValuePart:
    """A part that may say more than the whole value: a function of dates, a word (letters or digits in a row), or characters from a place or from the end."""

    kind: str
    place: int = 0
    length: int = 0


def parts_of(column: Column, longest: int, words: int) -> list[ValuePart]:
    """The parts of a column that are judged: of dates, texts, whole numbers and nested values.

    `longest` and `words` are the greatest length and number of words of a value. Of parts that group the rows alike, such as all that
    begin behind the longest value, only the first is judged.
    """
    if column.is_date:
        return [ValuePart(kind) for kind in (*_OF_DATES, *(["hour"] if column.type != "DATE" else []))]
    if column.is_nested:
        return [ValuePart("word", place) for place in range(1, min(_FIELDS, words + 1) + 1)]
    if not (column.is_text or column.is_whole):
        return []
    shorter = dict(zip(_LENGTHS, (0, *_LENGTHS), strict=False))
    return [
        *(ValuePart("word", place) for place in range(1, min(_WORDS, words + 1) + 1)),
        *(
            ValuePart("from", place, length)
            for place in range(1, min(_PLACES, longest + 1) + 1)
            for length in _LENGTHS
            if shorter[length] <= max(0, longest - place)
        ),
        *(ValuePart("last", 0, length) for length in _LENGTHS if shorter[length] < longest),
    ]
