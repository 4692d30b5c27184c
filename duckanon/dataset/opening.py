"""From an input to the relation `source`, its columns named and typed."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duckanon.dataset.dialect import dialect_of
from duckanon.dataset.location import STANDARD_INPUT, Source, label, locate, spooled
from duckanon.dataset.marks import FOLDED_MARKS
from duckanon.dataset.names import check_names
from duckanon.engine.protocol import READ_AS_TEXT, SPOOLED, Column, Engine
from duckanon.engine.scratch.modes import OWNER_ONLY
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, InputError, JobError, did_you_mean, nearest

if TYPE_CHECKING:
    import pyarrow as pa

_TYPES = ("boolean", "bigint", "double", "date", "timestamp")
"""What the text of a CSV cell may be read as, the first that prints every cell as it is written; then decimals."""
_TEXTS = ("mark", "number")
"""What stays text: marks of missing values alone, and numbers among them."""

_UNSURE = ("DATE", "TIMESTAMP", "TIME", "UUID", "DOUBLE")
"""Types of JSON columns that may change a value."""
_MOST_STRAY = 0.05
"""Of the cells of a column of numbers, so many may be no numbers for it to be said."""

_SAMPLE_CELLS = 20_000
_SAMPLE_ROWS = 1_000
_COLUMNS_AT_ONCE = 50
"""Columns that one statement tries types on: to plan it costs the square of them."""
_MOST_NAMED = 10
_ATTACHED = "input"


def named_source(name: str, names: Sequence[str] | None) -> Source:
    """The input of that name; standard input stands empty until it is opened."""
    if name == STANDARD_INPUT:
        return Source(name, "csv", (), names=tuple(names) if names is not None else None)
    return locate(name, names)


def open_source(engine: Engine, source: Source) -> list[Column]:
    """Makes the view `source`; gives its columns.

    Raises `InputError` where the input is damaged, its files do not agree, or a name is taken.
    """
    statement = source_statement(engine, source)
    columns = columns_of(engine, statement)
    _tell(engine, statement)
    if statement.parameters["is_copied"]:
        _copy(engine, statement, columns)
    else:
        engine.create_view(statement)
    return columns


def source_statement(engine: Engine, source: Source) -> Statement:
    """The input as it is read; text becomes numbers and dates only where that keeps every cell as it is written."""
    if source.name == STANDARD_INPUT and not source.files:
        source = _spool(engine, source)
    try:
        match source.kind:
            case "parquet":
                return _parquet(engine, source)
            case "csv":
                return _csv(engine, source)
            case "json":
                return _json(engine, source)
            case "duckdb":
                return _table(engine, source)
    except EngineError as error:
        raise InputError(f"{source.name!r} cannot be read as {label(source.kind)}: {error}") from error


def columns_of(engine: Engine, statement: Statement) -> list[Column]:
    """The columns of an opened input, those of text that hold numbers marked."""
    numbers = statement.parameters["numbers"]
    return [replace(column, holds_numbers=column.name in numbers) for column in engine.describe(statement)]


def _tell(engine: Engine, statement: Statement) -> None:
    """Names the columns of numbers that stay text."""
    if numbers := statement.parameters["numbers"]:
        engine.observer.note(
            f"{_some(numbers)}: text that is all numbers, or marks as NA; it is released as it is written, and ordered as numbers"
        )
    if stray := statement.parameters["stray"]:
        cells = [f"{name} ({count:,} {'cell' if count == 1 else 'cells'})" for name, count in stray.items()]
        engine.observer.note(f"{_some(cells)}: text, since few cells are no numbers; write these as numbers, or as NA")


def _some(names: Sequence[str]) -> str:
    return (
        ", ".join(names)
        if len(names) <= _MOST_NAMED
        else f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
    )


def _copy(engine: Engine, statement: Statement, columns: Sequence[Column]) -> None:
    """Makes the table `source`, with declared types: only these remove a collation that is inside a list, a struct or a map."""
    engine.drop(statement.relation)
    engine.create_table(render("dataset/declared_source", statement.relation, columns=columns))
    engine.append(statement, stage="reading the table of the database")


def _exact(columns: Sequence[Column]) -> dict[str, bool]:
    """The columns that are read in another form than the file gives them, and whether as text.

    `1 month` equals `30 days` as an INTERVAL, and a file stores a time with a time zone in another zone: both are read as text.
    Text is compared by its bytes, whatever its collation.
    """
    as_text = {column.name: True for column in columns if column.type in READ_AS_TEXT}
    return as_text | {column.name: False for column in columns if column.type == "VARCHAR"}


def _spool(engine: Engine, source: Source) -> Source:
    """Standard input, kept among what the engine removes when it closes: the rows are read more than once."""
    path = engine.scratch.path / SPOOLED
    with path.open("wb") as file:
        path.chmod(OWNER_ONLY)
        shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
    return spooled(source.name, path, source.names)


def _statement(source: Source, **more: Any) -> Statement:
    files = [escaped(file.absolute()) for file in source.files]
    parameters = {"files": files if len(files) > 1 else files[0], "partitions": source.partitions, "columns": None}
    about: dict[str, Any] = {"kind": source.kind, "replaced": {}, "is_copied": False, "numbers": (), "stray": {}}
    return render("dataset/source", **about | parameters | more)


def _parquet(engine: Engine, source: Source) -> Statement:
    names = _parquet_names(engine, source.files[0])
    check_names([*dict.fromkeys([*names, *source.partitions])] if source.partitions else names)
    if len(source.files) > 1:
        _check_alike(source.files)
    statement = _statement(source)
    engine.create_view(statement)
    engine.query(render("dataset/first_row"))
    replaced = {name: True for name, as_text in _exact(engine.describe(statement)).items() if as_text}
    return _statement(source, replaced=replaced) if replaced else statement


def _parquet_names(engine: Engine, path: Path) -> list[str]:
    """The names of a file's columns as it spells them, where the database would rename those that differ in case only."""
    try:
        (_, columns), *inside = engine.query(render("dataset/parquet_schema", file=escaped(path.absolute())))
    except EngineError as error:
        raise _unreadable(path, str(error)) from error
    names = []
    for _ in range(columns):
        names.append(inside[0][0])
        below = 1
        while below:
            below += inside.pop(0)[1] - 1
    return names


def _check_alike(files: Sequence[Path]) -> None:
    """Raises `InputError` where a file has other columns than the first."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = None
    for path in files:
        try:
            schema = pq.read_schema(path)
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(path, str(error)) from error
        first = first or schema
        if change := _schema_change(first, schema):
            raise InputError(f"{str(path)!r} {change} in {str(files[0])!r}; make the files alike, or name one of them")


def _unreadable(path: Path, why: str) -> InputError:
    hint = "it is encrypted, decrypt it first" if "encrypt" in why.casefold() else "is it complete?"
    return InputError(f"{str(path)!r} cannot be read as Parquet; {hint}")


def _schema_change(first: "pa.Schema", other: "pa.Schema") -> str | None:
    """What differs in another file, or None."""
    here, there = list(map(str, other.names)), list(map(str, first.names))
    if lacking := [name for name in there if name not in here]:
        near = nearest(lacking[0], [name for name in here if name not in there])
        return f"lacks column {lacking[0]!r}{f' (it has {near!r})' if near else ''}, which stands"
    if added := [name for name in here if name not in there]:
        return f"has a column {added[0]!r} that is not"
    for name in here:
        type, first_type = other.field(name).type, first.field(name).type
        if type != first_type:
            return f"has column {name!r} as {type}, which is {first_type}"
    return None


def _csv(engine: Engine, source: Source) -> Statement:
    dialect = dialect_of(source)
    check_names([*dialect.names, *source.partitions])
    reading = {"delimiter": dialect.delimiter, "header": dialect.header}
    if dialect.may_have_header:
        engine.observer.warn(
            f"the first line of {source.name!r} is read as a record, since --columns gives the names, but it looks like names; "
            "where it is a header, leave --columns out"
        )
    texts = _statement(source, **reading, columns=dict.fromkeys(dialect.names, "varchar"))
    try:
        read = _types(engine, texts, dialect.names)
    except EngineError as error:
        if source.names is not None and "names" in str(error):
            raise JobError(f"--columns names {len(source.names)} columns: {error}") from error
        raise
    return _statement(source, **reading, columns=read.types, numbers=read.numbers, stray=read.stray)


def _json(engine: Engine, source: Source) -> Statement:
    _check_keys(engine, source)
    described = engine.describe(_statement(source), stage="reading the keys of the records")
    columns = {column.name: column.type for column in described if column.name not in source.partitions}
    check_names([*columns, *source.partitions])
    texts = [name for name, type in columns.items() if type in _UNSURE or type == "JSON"]
    columns |= dict.fromkeys(texts, "varchar")
    nested = [name for name in _nested(engine, source, described) if name in texts]
    columns |= dict.fromkeys(nested, "json")
    texts = [name for name in texts if name not in nested]
    if not texts:
        return _statement(source, columns=columns)
    read = _types(engine, _statement(source, columns=columns), texts, is_json=True)
    return _statement(source, columns=columns | read.types, numbers=read.numbers, stray=read.stray)


def _nested(engine: Engine, source: Source, columns: Sequence[Column]) -> list[str]:
    """The columns of unlike values of which some are objects or lists; raises `InputError` where a number in one would be rounded."""
    judged = [column for column in columns if column.type == "JSON" or (column.is_nested and "DOUBLE" in column.type)]
    if not judged:
        return []
    names = [column.name for column in judged]
    engine.create_view(_statement(source, columns=dict.fromkeys(names, "json")))
    [counts] = engine.query(render("dataset/unfit_json", columns=names), stage="reading nested values")
    for column, rounded in zip(judged, counts[1::2], strict=True):
        if rounded and column.type != "JSON":
            raise InputError(
                f"column {column.name!r} of {source.name!r} holds whole numbers of 16 digits and more beside decimals, {column.type}, which would "
                "round them; write them as text"
            )
    return [name for name, inside in zip(names, counts[::2], strict=True) if inside]


def _check_keys(engine: Engine, source: Source) -> None:
    """Raises `InputError` where files have other keys, a record has one twice, or two differ in case only.

    The database would merge, lose or rename them.
    """
    files = [escaped(file.absolute()) for file in source.files]
    keys: dict[str, list[str]] = {str(file.absolute()): [] for file in source.files}
    for file, key, is_repeated, is_rounded in engine.query(
        render("dataset/json_keys", files=files), stage="reading the keys of the records"
    ):
        if is_repeated:
            raise InputError(f"a record of {Path(file).name!r} has two columns called {key!r}; remove or rename one")
        if is_rounded:
            raise InputError(
                f"a record of {Path(file).name!r} has a decimal number of more digits than a double keeps, which JSON readers round; write it as text"
            )
        keys[file].append(key)
    first = keys[str(source.files[0].absolute())]
    for file in source.files:
        file_keys = keys[str(file.absolute())]
        if not file_keys:
            raise InputError(f"{str(file)!r} holds no records; write one JSON object a line")
        if other := sorted(set(file_keys) ^ set(first)):
            lacking, having = (file, source.files[0]) if other[0] in first else (source.files[0], file)
            raise InputError(
                f"{str(lacking)!r} lacks {other[0]!r}, which {str(having)!r} has; make the files alike, or name one of them"
            )
    check_names(first)


@dataclass(frozen=True)
class _Read:
    """What the text of columns is read as."""

    types: dict[str, str]
    numbers: tuple[str, ...]
    """Columns that stay text although all their cells are numbers, or marks of missing values."""
    stray: dict[str, int]
    """Columns of which few cells are no numbers, and how many."""


@dataclass(frozen=True)
class _Tried:
    """How types fit the cells of columns."""

    filled: dict[str, int]
    places: dict[str, int]
    """Decimal places of the numbers of a column, at most."""
    unfit: dict[tuple[str, str], int]
    """Cells that a type would change."""


def _types(engine: Engine, texts: Statement, names: Sequence[str], *, is_json: bool = False) -> _Read:
    """The type of each column that is read as text: decided on the first rows, then on all."""
    engine.create_view(texts)
    rows = max(100, min(_SAMPLE_ROWS, _SAMPLE_CELLS // len(names)))
    sample = _tried(engine, [(name, type) for name in names for type in (*_TYPES, *_TEXTS)], rows, is_json=is_json)
    candidates = [pair for pair, cells in sample.unfit.items() if cells == 0]
    candidates += [(name, "number") for name in names if 0 < 2 * sample.unfit[name, "number"] <= sample.filled[name]]
    candidates += [
        (name, f"decimal({width}, {places})")
        for name, places in sample.places.items()
        for width in (18, 38)
        if 0 < places < width and (name, "double") not in candidates
    ]
    whole = _tried(engine, candidates, None, is_json=is_json)
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
    types = {name: "varchar" if type in _TEXTS else type for name, type in types_of.items()}
    return _Read(types, numbers, stray)


def _preference(type: str) -> tuple[int, str]:
    return len(_TYPES) if type.startswith("decimal") else (*_TYPES, "decimal", *_TEXTS).index(type), type


def _tried(engine: Engine, candidates: Sequence[tuple[str, str]], rows: int | None, *, is_json: bool) -> _Tried:
    """How the candidates fit so many rows, or all; a pass for every so many columns."""
    names = list(dict.fromkeys(name for name, _ in candidates))
    tried = _Tried({}, {}, {})
    stage = "learning the types of the columns" if rows is None else None
    for start in range(0, len(names), _COLUMNS_AT_ONCE):
        part = names[start : start + _COLUMNS_AT_ONCE]
        pairs = [pair for pair in candidates if pair[0] in part]
        about = {"columns": part, "candidates": pairs, "rows": rows, "is_json": is_json, "marks": FOLDED_MARKS}
        [row] = engine.query(render("dataset/unfit_cells", **about), stage=stage)
        counts, unfit = row[: 2 * len(part)], row[2 * len(part) :]
        tried.filled.update(zip(part, counts[::2], strict=True))
        tried.places.update(zip(part, (places or 0 for places in counts[1::2]), strict=True))
        tried.unfit.update(zip(pairs, unfit, strict=True))
    return tried


def _table(engine: Engine, source: Source) -> Statement:
    path, table = source.files[0], str(source.table)
    try:
        engine.attach(path, _ATTACHED)
    except EngineError as error:
        raise InputError(f"{str(path)!r} cannot be opened as a DuckDB file: {error}") from error
    tables = engine.tables(_ATTACHED)
    schema, _, name = table.rpartition(".")
    place = (_ATTACHED, schema or "main", name)
    views = {(schema, name): is_view for schema, name, is_view in tables}
    if place[1:] not in views:
        known = [name if schema == "main" else f"{schema}.{name}" for schema, name in views]
        raise InputError(f"{str(path)!r} has no table {table!r}{did_you_mean(table, known)}")
    about = {"kind": "duckdb", "table": place}
    columns = engine.describe(render("dataset/source", replaced={}, **about))
    check_names([column.name for column in columns])
    # a view may give other rows each time it is read
    is_copied = views[place[1:]] or any(column.is_nested and "VARCHAR" in column.type for column in columns)
    return render("dataset/source", replaced=_exact(columns), is_copied=is_copied, numbers=(), stray={}, **about)
