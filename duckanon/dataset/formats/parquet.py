"""Parquet files of an input, which must have the same columns."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duckanon.dataset.location import Source
from duckanon.dataset.names import check_names
from duckanon.dataset.statement import exact, statement_of
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, InputError, nearest

if TYPE_CHECKING:
    import pyarrow as pa


def parquet_statement(engine: Engine, source: Source) -> Statement:
    """The statement that reads Parquet files; raises `InputError` if they have different columns."""
    names = _parquet_names(engine, source.files[0])
    check_names([*dict.fromkeys([*names, *source.partitions])] if source.partitions else names)
    if len(source.files) > 1:
        _check_alike(source.files)
    statement = statement_of(source)
    engine.create_view(statement)
    engine.query(render("dataset/first_row"))
    columns = engine.describe(statement)
    replaced = {name: True for name, as_text in exact(columns).items() if as_text}
    listed = () if source.partitions else tuple(column.name for column in columns)
    return statement_of(source, replaced=replaced, names=listed)


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
    """Raise `InputError` if a file has other columns than the first."""
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
