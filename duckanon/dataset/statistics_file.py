"""Files of SPSS, Stata and SAS."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.dataset.names import unique_names
from duckanon.dataset.private_copy import damaged, import_reader, write_parquet
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError

_ROWS_AT_ONCE = 100_000
_MOST_NAMED = 10
_LARGEST_WHOLE = 2**53
_PADDED = re.compile(r"[NZ](\d+)(?:\.0?)?|%0(\d+)\.0[fg]")
"""Formats of whole numbers with leading zeros: SPSS's N5, SAS's Z5., Stata's %05.0f."""


def convert(engine: Engine, source: Source, path: Path) -> str | None:
    """Write the file to a Parquet file; codes become the texts that label them, if every code of a column has one."""
    import pyarrow as pa

    pyreadstat = import_reader("pyreadstat", source)
    file = source.files[0]
    with file.open("rb") as stream:
        is_transport = stream.read(6) == b"HEADER"
    readers = {"spss": "read_sav", "stata": "read_dta", "sas": "read_xport" if is_transport else "read_sas7bdat"}
    read = getattr(pyreadstat, readers[source.kind])
    try:
        columns, metadata = read(str(file), output_format="dict")
    except (pyreadstat.PyreadstatError, pyreadstat.ReadstatError, ValueError, UnicodeError) as error:
        raise damaged(source) from error
    if not columns:
        raise InputError(f"{source.name!r} has no columns and no rows; name another file")
    names = unique_names(list(columns))
    labels: Mapping[str, Mapping[Any, str]] = metadata.variable_value_labels
    arrays, labeled = [], []
    for name, column in columns.items():
        values = [None if _is_missing(value) else value for value in column]
        codes = {value for value in values if value is not None}
        if name in labels and codes and codes <= labels[name].keys():
            values = [None if value is None else labels[name][value] for value in values]
            labeled.append(name)
        elif padding := _PADDED.fullmatch(metadata.original_variable_types.get(name) or ""):
            values = _padded(values, int(padding[1] or padding[2]))
        arrays.append(_array(values))
    if labeled:
        some = ", ".join(labeled[:_MOST_NAMED]) + (" and more" if len(labeled) > _MOST_NAMED else "")
        engine.observer.note(f"codes of {source.shown(file)} are read as their value labels: {some}")
    table = pa.table(arrays, names=names)
    write_parquet(path, source, table.schema, table.to_batches(_ROWS_AT_ONCE))
    return None


def _padded(values: list[Any], width: int) -> list[Any]:
    """Codes as the program shows them, such as `01067`; unchanged if one is no code."""
    given = [value for value in values if value is not None]
    if any(isinstance(value, str) or value < 0 or not float(value).is_integer() or value >= _LARGEST_WHOLE for value in given):
        return values
    return [None if value is None else f"{int(value):0{width}}" for value in values]


def _is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, NaT, or empty text, which these formats do not tell from a missing one."""
    return value is None or value == "" or value != value


def _array(values: Sequence[Any]) -> Any:
    """The values as an Arrow array; whole numbers, which these formats store as doubles, as integers."""
    import pyarrow as pa

    array = pa.array(values)
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if pa.types.is_floating(array.type) and all(
        value is None or (float(value).is_integer() and abs(value) < _LARGEST_WHOLE) for value in values
    ):
        return array.cast(pa.int64())
    return array
