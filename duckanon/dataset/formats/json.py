"""JSON files of an input: lines of objects, or an array of them."""

from collections.abc import Sequence
from pathlib import Path

from duckanon.dataset.encodings import in_utf8
from duckanon.dataset.location import Source
from duckanon.dataset.names import check_names
from duckanon.dataset.statement import stated_compression, statement_of
from duckanon.dataset.types import types_of
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import InputError

_UNSURE = ("DATE", "TIMESTAMP", "TIME", "UUID", "DOUBLE")
"""Types of JSON columns that may change a value."""


def json_statement(engine: Engine, source: Source) -> Statement:
    """The statement that reads JSON lines or arrays; raises `InputError` if files have different keys, or reading would lose a value."""
    source = in_utf8(engine, source)
    _check_keys(engine, source)
    described = engine.describe(statement_of(source), stage="reading the keys of the records")
    columns = {column.name: column.type for column in described if column.name not in source.partitions}
    check_names([*columns, *source.partitions])
    texts = [name for name, type in columns.items() if type in _UNSURE or type == "JSON"]
    columns |= dict.fromkeys(texts, "varchar")
    nested = [name for name in _nested(engine, source, described) if name in texts]
    columns |= dict.fromkeys(nested, "json")
    texts = [name for name in texts if name not in nested]
    if not texts:
        return statement_of(source, columns=columns)
    read = types_of(
        engine, statement_of(source, columns=columns), texts, is_json=not source.as_written, as_written=source.as_written
    )
    return statement_of(source, columns=columns | read.types, numbers=read.numbers, stray=read.stray)


def _nested(engine: Engine, source: Source, columns: Sequence[Column]) -> list[str]:
    """The columns of unlike values of which some are objects or lists; raises `InputError` where a number in one would be rounded."""
    judged = [column for column in columns if column.type == "JSON" or (column.is_nested and "DOUBLE" in column.type)]
    if not judged:
        return []
    names = [column.name for column in judged]
    engine.create_view(statement_of(source, columns=dict.fromkeys(names, "json")))
    [counts] = engine.query(render("dataset/unfit_json", columns=names), stage="reading nested values")
    for column, rounded in zip(judged, counts[1::2], strict=True):
        if rounded and column.type != "JSON":
            raise InputError(
                f"column {column.name!r} of {source.name!r} holds whole numbers of 16 digits and more beside decimals, {column.type}, which would "
                "round them; write them as text"
            )
    return [name for name, inside in zip(names, counts[::2], strict=True) if inside]


def _check_keys(engine: Engine, source: Source) -> None:
    """Raise `InputError` if files have different keys, a record has a key twice, or two keys differ only in case.

    The database would merge, lose or rename them.
    """
    files = [escaped(file.absolute()) for file in source.files]
    keys: dict[str, list[str]] = {str(file.absolute()): [] for file in source.files}
    for file, key, is_repeated, is_rounded in engine.query(
        render("dataset/json_keys", files=files, compression=stated_compression(source)),
        stage="reading the keys of the records",
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
