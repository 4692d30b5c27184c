"""Codes of missing values that stand out from the type of their column: `NA` among numbers, -9 among counts."""

from collections.abc import Mapping, Sequence

from duckanon.dataset.column_types import types_of
from duckanon.dataset.marks import FOLDED_MARKS
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render

NOT_NUMBERS = ("nan", "-nan")
"""How a floating-point value that is no number prints; it is read as NULL."""
_SAMPLE_ROWS = 10_000
_MOST_CODES = 3
_LONGEST = 12
_LEAST_ROWS = 2
"""Rows with a code that is not a usual mark of missing values."""
_LEAST_TYPED = 0.5
"""Of the filled cells, at least so many must be numbers or dates."""
_NEGATIVE = (-9, -99, -999, -9999)
_COLUMNS_AT_ONCE = 50
_Cells = tuple[str | None, int, int, int]
"""A text, its rows, the filled cells of its column, and those that are such texts."""


def detected_codes(engine: Engine, columns: Sequence[Column]) -> dict[str, tuple[str, ...]]:
    """The codes of missing values by column, as text; reads the view `source`."""
    texts = [column.name for column in columns if column.type == "VARCHAR" and not column.is_row_index]
    typed = [name for name, cells in _texts(engine, texts, _SAMPLE_ROWS).items() if _is_typed(*cells[0][2:])]
    codes = {name: texts_of_codes for name, cells in _texts(engine, typed, None).items() if (texts_of_codes := _codes(cells))}
    whole = [column.name for column in columns if column.is_whole and "HUGEINT" not in column.type]
    for start in range(0, len(whole), _COLUMNS_AT_ONCE):
        part = whole[start : start + _COLUMNS_AT_ONCE]
        [cells] = engine.query(render("dataset/negative_codes", columns=part), stage="looking for codes of missing values")
        for name, code, rows, greatest in zip(part, cells[::3], cells[1::3], cells[2::3], strict=True):
            if code in _NEGATIVE and rows >= _LEAST_ROWS and greatest >= 0:
                codes[name] = (str(code),)
    return codes


def reading_nulls(
    engine: Engine, statement: Statement, columns: Sequence[Column], codes: Mapping[str, Sequence[str]]
) -> Statement:
    """The statement that reads the codes as NULL, and gives each text column the type of its other values."""
    parameters = statement.parameters
    texts = [column.name for column in columns if column.name in codes and column.type == "VARCHAR"]
    nulls = {column.name: (list(codes[column.name]), column.type) for column in columns if column.name in codes}
    about = dict(parameters) | {
        "replaced": {name: as_text for name, as_text in parameters["replaced"].items() if name not in nulls}
    }
    numbers, types = set(parameters["numbers"]) - set(texts), {}
    if texts:
        read = types_of(engine, render("dataset/source", **about | {"nulls": parameters["nulls"] | nulls}), texts)
        types, numbers = read.types, numbers | set(read.numbers)
    nulls = {name: (tokens, types.get(name, type)) for name, (tokens, type) in nulls.items()}
    return render(
        "dataset/source",
        **about
        | {
            "nulls": parameters["nulls"] | nulls,
            "notations": {
                name: (notation, types.get(name, type)) for name, (notation, type) in parameters["notations"].items()
            },
            "numbers": tuple(sorted(numbers)),
            "stray": {name: cells for name, cells in parameters["stray"].items() if name not in texts},
        },
    )


def _texts(engine: Engine, columns: Sequence[str], rows: int | None) -> dict[str, list[_Cells]]:
    """The most frequent texts of each column that are neither numbers nor dates, of the first rows or of all."""
    texts: dict[str, list[_Cells]] = {}
    for start in range(0, len(columns), _COLUMNS_AT_ONCE):
        part = columns[start : start + _COLUMNS_AT_ONCE]
        statement = render("dataset/stray_texts", columns=part, rows=rows, most=_MOST_CODES + 1)
        for number, *cells in engine.query(statement, stage="looking for codes of missing values"):
            texts.setdefault(part[number], []).append((cells[0], int(cells[1]), int(cells[2]), int(cells[3])))
    return texts


def _is_typed(filled: int, strays: int) -> bool:
    return filled > strays and filled - strays >= _LEAST_TYPED * filled


def _codes(cells: Sequence[_Cells]) -> tuple[str, ...]:
    """The texts among numbers or dates, if all of them are codes of missing values."""
    texts = [(text, rows) for text, rows, _, _ in cells if text is not None]
    if not _is_typed(*cells[0][2:]) or len(texts) > _MOST_CODES or not all(_is_code(*text) for text in texts):
        return ()
    return tuple(text for text, _ in texts)


def _is_code(text: str, rows: int) -> bool:
    if text.strip().casefold() in FOLDED_MARKS:
        return True
    return len(text) <= _LONGEST and not any(map(str.isdigit, text)) and rows >= _LEAST_ROWS
