"""The types of columns that are read as text: a type must print every cell as it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from duckanon.dataset.marks import FOLDED_MARKS
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render

_ISO = "timestamp_T"
"""A TIMESTAMP of which every cell has a `T` before the time; tried only where cells must keep their texts apart."""
_TYPES = ("boolean", "bigint", "double", "date", "timestamp", _ISO)
"""The types of a CSV cell in order of preference; decimals come after them."""
_REAL = "real"
"""A DOUBLE that keeps the number and not its decimal places: for numbers that a national format writes otherwise anyway."""
_TEXTS = ("mark", "number")
"""Columns that stay text: only marks of missing values, or numbers and such marks."""
_MOST_STRAY = 0.05
"""A note names a text column if at most this share of its cells is not a number."""
_SAMPLE_CELLS = 20_000
_SAMPLE_ROWS = 1_000
_COLUMNS_AT_ONCE = 50
"""Columns that one statement tries types on: the time to plan it grows with their square."""


@dataclass(frozen=True)
class ReadTypes:
    """What the text of columns is read as."""

    types: dict[str, str]
    numbers: tuple[str, ...]
    """Columns that stay text although all their cells are numbers, or marks of missing values."""
    stray: dict[str, int]
    """Columns of which few cells are no numbers, and how many."""
    empty: frozenset[str] = frozenset()
    """Columns without a value."""
    headers: int = 0
    """Rows that repeat the header, as in joined files."""


@dataclass
class _Tried:
    """How types fit the cells of columns."""

    filled: dict[str, int]
    places: dict[str, int]
    """Decimal places of the numbers of a column, at most."""
    unfit: dict[tuple[str, str], int]
    """Cells that a type would change."""
    headers: int = 0


def types_of(
    engine: Engine,
    texts: Statement,
    names: Sequence[str],
    header: Mapping[str, str] | None = None,
    *,
    is_json: bool = False,
    as_written: bool = False,
) -> ReadTypes:
    """The type of each column that is read as text: decided on the first rows, then on all.

    `header`: the names of some columns as they are in the file; a row that holds them is counted.
    `as_written`: a type must keep different texts different, as `2020-01-01T00:00:00` and `2020-01-01 00:00:00`, `-0.0` and `0.0`.
    """
    engine.create_view(texts)
    rows = max(100, min(_SAMPLE_ROWS, _SAMPLE_CELLS // len(names)))
    sample = _tried(
        engine,
        [(name, type) for name in names for type in (*_TYPES, *_TEXTS) if as_written or type != _ISO],
        rows,
        {},
        is_json=is_json,
        as_written=as_written,
    )
    candidates = [pair for pair, cells in sample.unfit.items() if cells == 0]
    candidates += [(name, "number") for name in names if 0 < 2 * sample.unfit[name, "number"] <= sample.filled[name]]
    candidates += [
        (name, f"decimal({width}, {places})")
        for name, places in sample.places.items()
        for width in (18, 38)
        if 0 < places < width and (name, "double") not in candidates
    ]
    candidates += [(name, _REAL) for name in texts.parameters["notations"] if name in names]
    whole = _tried(engine, candidates, None, header or {}, is_json=is_json, as_written=as_written)
    fitting = {pair for pair, cells in whole.unfit.items() if cells == 0 and whole.filled[pair[0]]}
    types_of = {
        name: min((type for column, type in fitting if column == name), key=_preference, default="varchar") for name in names
    }
    numbers = tuple(name for name in names if types_of[name] == "number")
    stray = {
        name: cells
        for (name, type), cells in whole.unfit.items()
        if type == "number" and 0 < cells <= _MOST_STRAY * whole.filled[name] and types_of[name] == "varchar"
    }
    read_as = dict.fromkeys(_TEXTS, "varchar") | {_REAL: "double", _ISO: "timestamp"}
    types = {name: read_as.get(type, type) for name, type in types_of.items()}
    empty = frozenset(name for name, cells in whole.filled.items() if not cells)
    return ReadTypes(types, numbers, stray, empty, whole.headers)


def _preference(type: str) -> tuple[int, str]:
    return len(_TYPES) if type.startswith("decimal") else (*_TYPES, "decimal", _REAL, *_TEXTS).index(type), type


def _tried(
    engine: Engine,
    candidates: Sequence[tuple[str, str]],
    rows: int | None,
    header: Mapping[str, str],
    *,
    is_json: bool,
    as_written: bool,
) -> _Tried:
    """How the candidates fit the first `rows` rows, or all rows; one scan for every 50 columns."""
    names = list(dict.fromkeys(name for name, _ in candidates))
    tried = _Tried({}, {}, {})
    stage = "learning the types of the columns" if rows is None else None
    for start in range(0, len(names), _COLUMNS_AT_ONCE):
        part = names[start : start + _COLUMNS_AT_ONCE]
        pairs = [pair for pair in candidates if pair[0] in part]
        about: dict[str, object] = {
            "columns": part,
            "candidates": pairs,
            "rows": rows,
            "is_json": is_json,
            "as_written": as_written,
            "marks": FOLDED_MARKS,
        }
        about["header"] = header if start == 0 else {}
        [row] = engine.query(render("dataset/unfit_cells", **about), stage=stage)
        counts, unfit = row[: 2 * len(part)], row[2 * len(part) :]
        if about["header"]:
            tried.headers, unfit = unfit[0], unfit[1:]
        tried.filled.update(zip(part, counts[::2], strict=True))
        tried.places.update(zip(part, (places or 0 for places in counts[1::2]), strict=True))
        tried.unfit.update(zip(pairs, unfit, strict=True))
    return tried
