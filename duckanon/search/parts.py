"""Parts of values that may say more than the whole: the year of a date, the number in a code, a field of a struct."""

from dataclasses import dataclass

from duckanon.engine.protocol import Column

_WORDS = 8
_FIELDS = 24
"""Words of a nested value, which has the names of its fields before their values."""
_PLACES = 12
_LENGTHS = (1, 2, 4)
_OF_DATES = ("year", "month_start", "week_start", "month", "day", "dayofweek")


@dataclass(frozen=True)
class ValuePart:
    """A part of each value of a column: a function of dates, a word (letters or digits in a row), or characters from a place or from the end."""

    kind: str
    place: int = 0
    length: int = 0


def parts_of(column: Column) -> list[ValuePart]:
    """The parts of a column that are judged: of dates, texts, whole numbers and nested values."""
    if column.is_date:
        return [ValuePart(kind) for kind in (*_OF_DATES, *(["hour"] if column.type != "DATE" else []))]
    if column.is_nested:
        return [ValuePart("word", place) for place in range(1, _FIELDS + 1)]
    if not (column.is_text or column.is_whole):
        return []
    places = [ValuePart("from", place, length) for place in range(1, _PLACES + 1) for length in _LENGTHS]
    return [
        *(ValuePart("word", place) for place in range(1, _WORDS + 1)),
        *places,
        *(ValuePart("last", 0, n) for n in _LENGTHS),
    ]
