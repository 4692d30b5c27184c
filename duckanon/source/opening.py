"""From an input to the relation `source`, its columns named and typed."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duckanon.engine.protocol import READ_AS_TEXT, SPOOLED, Column, Engine
from duckanon.errors import EngineError, InputError, JobError, did_you_mean, nearest
from duckanon.scratch.modes import OWNER_ONLY
from duckanon.source.dialect import dialect_of
from duckanon.source.location import STANDARD_INPUT, Source, label, locate, spooled
from duckanon.source.names import check_names
from duckanon.templates import Statement, escaped, render

if TYPE_CHECKING:
    import pyarrow as pa

_TYPES = ("boolean", "bigint", "double", "date", "timestamp")
"""What the text of a CSV cell may be read as, the first that keeps every cell."""

_SAMPLE_CELLS = 20_000
_SAMPLE_ROWS = 1_000
_COLUMNS_AT_ONCE = 50
"""Columns that one statement tries types on: to plan it costs the square of them."""
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
    columns = engine.describe(statement)
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


def _copy(engine: Engine, statement: Statement, columns: Sequence[Column]) -> None:
    """Makes the table `source`, with declared types: only these remove a collation that is inside a list, a struct or a map."""
    engine.drop(statement.relation)
    engine.create_table(render("source/source", kind="declared", declared=columns, replaced={}))
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
    about = {"kind": source.kind, "replaced": {}, "is_copied": False}
    return render("source/source", **about | parameters | more)


def _parquet(engine: Engine, source: Source) -> Statement:
    names = _parquet_names(engine, source.files[0])
    check_names([*dict.fromkeys([*names, *source.partitions])] if source.partitions else names)
    if len(source.files) > 1:
        _check_alike(source.files)
    statement = _statement(source)
    engine.create_view(statement)
    engine.query(render("source/first_row"))
    replaced = {name: True for name, as_text in _exact(engine.describe(statement)).items() if as_text}
    return _statement(source, replaced=replaced) if replaced else statement


def _parquet_names(engine: Engine, path: Path) -> list[str]:
    """The names of a file's columns as it spells them, where the database would rename those that differ in case only."""
    try:
        (_, columns), *inside = engine.query(render("source/parquet_schema", file=escaped(path.absolute())))
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
        one, two = other.field(name).type, first.field(name).type
        if one != two:
            return f"has column {name!r} as {one}, which is {two}"
    return None


def _csv(engine: Engine, source: Source) -> Statement:
    dialect = dialect_of(source)
    check_names([*dialect.names, *source.partitions])
    reading = {"delimiter": dialect.delimiter, "header": dialect.header}
    texts = _statement(source, **reading, columns=dict.fromkeys(dialect.names, "varchar"))
    try:
        types = _types(engine, texts, dialect.names)
    except EngineError as error:
        if source.names is not None and "names" in str(error):
            raise JobError(f"--columns names {len(source.names)} columns: {error}") from error
        raise
    return _statement(source, **reading, columns=types)


def _json(engine: Engine, source: Source) -> Statement:
    _check_keys(engine, source)
    described = engine.describe(_statement(source), stage="reading the keys of the records")
    columns = {column.name: column.type for column in described if column.name not in source.partitions}
    check_names([*columns, *source.partitions])
    texts = [name for name, type in columns.items() if type in ("DATE", "TIMESTAMP", "TIME", "UUID")]
    columns |= dict.fromkeys(texts, "varchar")
    if texts:
        columns |= _types(engine, _statement(source, columns=columns), texts)
    return _statement(source, columns=columns)


def _check_keys(engine: Engine, source: Source) -> None:
    """Raises `InputError` where files have other keys, a record has one twice, or two differ in case only.

    The database would merge, lose or rename them.
    """
    files = [escaped(file.absolute()) for file in source.files]
    keys: dict[str, list[str]] = {str(file.absolute()): [] for file in source.files}
    for file, key, is_repeated in engine.query(
        render("source/json_keys", files=files), stage="reading the keys of the records"
    ):
        if is_repeated:
            raise InputError(f"a record of {Path(file).name!r} has two columns called {key!r}; remove or rename one")
        keys[file].append(key)
    first = keys[str(source.files[0].absolute())]
    for file in source.files:
        found = keys[str(file.absolute())]
        if not found:
            raise InputError(f"{str(file)!r} holds no records; write one JSON object a line")
        if other := sorted(set(found) ^ set(first)):
            lacking, having = (file, source.files[0]) if other[0] in first else (source.files[0], file)
            raise InputError(
                f"{str(lacking)!r} lacks {other[0]!r}, which {str(having)!r} has; make the files alike, or name one of them"
            )
    check_names(first)


def _types(engine: Engine, texts: Statement, names: Sequence[str]) -> dict[str, str]:
    """The type of each column that is read as text: decided on the first rows, then on all."""
    engine.create_view(texts)
    rows = max(100, min(_SAMPLE_ROWS, _SAMPLE_CELLS // len(names)))
    candidates = _fitting(engine, [(name, type) for name in names for type in _TYPES], rows)
    candidates = _fitting(engine, candidates, None) if candidates else []
    types = dict.fromkeys(names, "varchar")
    for name, type in reversed(candidates):
        types[name] = type
    return types


def _fitting(engine: Engine, candidates: Sequence[tuple[str, str]], rows: int | None) -> list[tuple[str, str]]:
    """The candidates under which no cell changes, over so many rows or all; a pass for every so many columns."""
    names = list(dict.fromkeys(name for name, _ in candidates))
    parts = [names[start : start + _COLUMNS_AT_ONCE] for start in range(0, len(names), _COLUMNS_AT_ONCE)]
    return [one for part in parts for one in _fitting_of(engine, part, [one for one in candidates if one[0] in part], rows)]


def _fitting_of(
    engine: Engine, names: Sequence[str], candidates: Sequence[tuple[str, str]], rows: int | None
) -> list[tuple[str, str]]:
    stage = "learning the types of the columns" if rows is None else None
    statement = render("source/unfit_cells", columns=names, candidates=candidates, rows=rows)
    [row] = engine.query(statement, stage=stage)
    filled = {name for name, cells in zip(names, row[: len(names)], strict=True) if cells}
    unfit = zip(candidates, row[len(names) :], strict=True)
    return [(name, type) for (name, type), cells in unfit if cells == 0 and (name in filled or rows is not None)]


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
    columns = engine.describe(render("source/source", replaced={}, **about))
    check_names([column.name for column in columns])
    # a view may give other rows each time it is read
    is_copied = views[place[1:]] or any(column.is_nested and "VARCHAR" in column.type for column in columns)
    return render("source/source", replaced=_exact(columns), is_copied=is_copied, **about)
